// The bench's rig in three.js: AnimationMixer, updateMatrixWorld, Skeleton.update.
// Reads a job (one line of JSON) from stdin and answers `ready CHECKSUM`; then runs one
// block per further line and answers with its nanoseconds. Started by three.rs.
// three is looked for in THREE_DIR, beside this project, and in NODE_PATH.

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { hrtime } from "node:process";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const FRAME_SECS = 1 / 60;
const CHECK_SECS = Math.fround(0.71);

function loadThree() {
  const require = createRequire(import.meta.url);
  const paths = [process.env.THREE_DIR, process.cwd()].filter(Boolean);
  // Its main file is a deprecated wrapper; the module lies beside it.
  const build = dirname(require.resolve("three", { paths }));
  return import(pathToFileURL(join(build, "three.module.js")));
}

function makeCharacter(THREE, job, clip, startSecs) {
  const bones = job.joints.map(({ translation }, index) => {
    const bone = new THREE.Bone();
    bone.name = `j${index}`;
    bone.position.fromArray(translation);
    return bone;
  });
  const root = new THREE.Group();
  job.joints.forEach(({ parent }, index) => {
    (parent === null ? root : bones[parent]).add(bones[index]);
  });
  const inverses = job.inverse_binds.map((m) => new THREE.Matrix4().fromArray(m));
  const skeleton = new THREE.Skeleton(bones, inverses);
  const mixer = new THREE.AnimationMixer(root);
  const action = mixer.clipAction(clip);
  action.play();
  action.time = startSecs;
  return { root, skeleton, mixer };
}

function update({ root, skeleton, mixer }, dt) {
  mixer.update(dt);
  root.updateMatrixWorld();
  skeleton.update();
}

function checksum({ skeleton }) {
  let sum = 0;
  for (let i = 0; i < skeleton.bones.length; i++) {
    const m = skeleton.boneMatrices.subarray(16 * i, 16 * i + 16);
    sum += Math.hypot(m[12], m[13], m[14]);
  }
  return sum;
}

async function prepare(job) {
  const THREE = await loadThree();
  const tracks = job.tracks.map(({ joint, path, times, values }) =>
    path === "quaternion"
      ? new THREE.QuaternionKeyframeTrack(`j${joint}.quaternion`, times, values)
      : new THREE.VectorKeyframeTrack(`j${joint}.position`, times, values),
  );
  const clip = new THREE.AnimationClip("loop", job.duration, tracks);
  const probe = makeCharacter(THREE, job, clip, CHECK_SECS);
  update(probe, 0);
  const characters = Array.from({ length: job.count }, (_, index) =>
    makeCharacter(THREE, job, clip, (job.duration * index) / job.count),
  );
  const block = () => {
    for (let frame = 0; frame < job.frames; frame++) {
      for (const character of characters) update(character, FRAME_SECS);
    }
  };
  // Until the compiler has settled.
  const start = hrtime.bigint();
  while (hrtime.bigint() - start < 1_000_000_000n) block();
  return { answer: `ready ${checksum(probe).toFixed(5)} (r${THREE.REVISION})`, block };
}

let block = null;
for await (const line of createInterface({ input: process.stdin })) {
  if (block === null) {
    try {
      const prepared = await prepare(JSON.parse(line));
      block = prepared.block;
      console.log(prepared.answer);
    } catch (error) {
      const reason = String(error.message).split("\n")[0];
      console.log(`${reason}; npm install --prefix DIR three, then set THREE_DIR=DIR`);
      process.exit(1);
    }
  } else {
    const start = hrtime.bigint();
    block();
    console.log(String(hrtime.bigint() - start));
  }
}

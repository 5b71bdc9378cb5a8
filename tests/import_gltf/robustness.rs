//! Broken bytes of any kind end in a message or in a sound document.

use rigscope::import::{ImportError, Progress, from_glb_bytes, load};
use serde_json::{Value, json};

use crate::{
    common::{self, validate},
    fixture::rig,
    surfaces::picture,
};

/// A small generator (xorshift): the same cases in every run.
pub struct Random(pub u64);

impl Random {
    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }
}

/// Loads, and checks whatever comes out; whether it loaded.
pub fn survive(bytes: &[u8], case: &str) -> bool {
    match from_glb_bytes("broken.glb", bytes) {
        Ok(document) => {
            let violations = validate::violations(&document);
            assert!(violations.is_empty(), "{case}: {violations:#?}");
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty(), "{case}");
            false
        }
    }
}

/// The fixture with everything that a small file can hold.
fn rich() -> Vec<u8> {
    let mut file = rig();
    let view = file.view(&picture(image::ImageFormat::Png, [5, 6, 7]));
    file.json["images"] = json!([{"bufferView": view}]);
    file.json["textures"] = json!([{"source": 0}]);
    file.json["materials"] = json!([{"normalTexture": {"index": 0}}]);
    let uvs = file.floats("VEC2", &[0., 0., 1., 0., 1., 1., 0., 1.]);
    let weights = file.floats("SCALAR", &[0., 1., 0.5]);
    let primitive = &mut file.json["meshes"][0]["primitives"][0];
    primitive["material"] = json!(0);
    primitive["attributes"]["TEXCOORD_0"] = json!(uvs);
    primitive["targets"] = json!([{"POSITION": 0}]);
    let clip = &mut file.json["animations"][0];
    let samplers = clip["samplers"].as_array_mut().expect("a list");
    samplers.push(json!({"input": 5, "output": weights}));
    let channels = clip["channels"].as_array_mut().expect("a list");
    channels.push(json!({"sampler": 1, "target": {"node": 0, "path": "weights"}}));
    file.glb()
}

#[test]
fn cut_anywhere() {
    let whole = rich();
    assert!(survive(&whole, "whole"));
    for length in 0..whole.len() {
        let cut = &whole[..length];
        assert!(!survive(cut, "cut"), "{length} bytes of {}", whole.len());
        // With a header that agrees, the chunks have to tell.
        if length >= 12 {
            let mut agreed = cut.to_vec();
            agreed[8..12].copy_from_slice(&(length as u32).to_le_bytes());
            survive(&agreed, &format!("cut to {length}"));
        }
    }
}

#[test]
fn flipped_bytes() {
    let whole = rich();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut loaded = 0;
    for case in 0..3000 {
        let mut bytes = whole.clone();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            bytes[at] = random.below(256) as u8;
        }
        loaded += usize::from(survive(&bytes, &format!("case {case}")));
    }
    println!("{loaded} of 3000 broken files loaded");
    assert!(loaded > 100, "only {loaded}: the cases break too early");
}

/// Numbers in valid JSON changed to others reach deeper than flipped bytes.
#[test]
fn changed_numbers() {
    let file = rig();
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut loaded = 0;
    for case in 0..3000 {
        let mut changed = file.clone();
        for _ in 0..=random.below(2) {
            let mut numbers = Vec::new();
            collect(&changed.json, String::new(), &mut numbers);
            let at = &numbers[random.below(numbers.len())];
            let values = [
                0,
                1,
                2,
                3,
                4,
                5,
                6,
                7,
                16,
                255,
                5121,
                5123,
                5126,
                65_535,
                u64::MAX,
            ];
            let value = values[random.below(values.len())];
            *changed.json.pointer_mut(at).expect("it was found there") = json!(value);
        }
        loaded += usize::from(survive(
            &changed.glb(),
            &format!("case {case}: {}", changed.json),
        ));
    }
    println!("{loaded} of 3000 changed files loaded");
    assert!(loaded > 300, "only {loaded}: the cases break too early");
}

/// JSON pointers of all numbers.
fn collect(value: &Value, pointer: String, numbers: &mut Vec<String>) {
    match value {
        Value::Number(_) => numbers.push(pointer),
        Value::Array(list) => {
            for (index, part) in list.iter().enumerate() {
                collect(part, format!("{pointer}/{index}"), numbers);
            }
        }
        Value::Object(map) => {
            for (key, part) in map {
                collect(part, format!("{pointer}/{key}"), numbers);
            }
        }
        _ => {}
    }
}

/// Random geometry of a normal-mapped mesh: tangents must come out whatever lies
/// on top of what.
#[test]
fn random_meshes_get_tangents() {
    let mut random = Random(0x1234_5678_9abc_def1);
    for case in 0..300 {
        let mut file = crate::fixture::quad();
        file.json["materials"] = json!([{"normalTexture": {"index": 0}}]);
        file.json["textures"] = json!([{"source": 0}]);
        file.json["images"] = json!([{}]);
        let vertices = 1 + random.below(20);
        // Few different numbers, so that much of it coincides; some far out.
        let numbers = [0.0, 1.0, -1.0, 0.5, 1e-30, 1e30, 3e38, -3e38];
        let spread = if case % 2 == 0 { 4 } else { numbers.len() };
        let mut floats = |count: usize| -> Vec<f32> {
            (0..count).map(|_| numbers[random.below(spread)]).collect()
        };
        let (positions, normals, uvs) = (
            floats(vertices * 3),
            floats(vertices * 3),
            floats(vertices * 2),
        );
        let positions = file.floats("VEC3", &positions);
        let normals = file.floats("VEC3", &normals);
        let uvs = file.floats("VEC2", &uvs);
        let indices: Vec<u16> = (0..3 * (1 + random.below(30)))
            .map(|_| random.below(vertices) as u16)
            .collect();
        let count = indices.len();
        let indices = file.accessor(
            common::glb::U16,
            "SCALAR",
            count,
            &crate::fixture::bytes(&indices),
        );
        *crate::fixture::primitive(&mut file) = json!({
            "attributes": {"POSITION": positions, "NORMAL": normals, "TEXCOORD_0": uvs},
            "indices": indices, "material": 0
        });
        assert!(survive(&file.glb(), &format!("case {case}")));
    }
}

/// Opening a pipe waits for somebody who writes into it.
#[cfg(unix)]
#[test]
fn a_pipe_or_device_is_refused_at_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let pipe = folder.path().join("pipe.glb");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    if !made.is_ok_and(|status| status.success()) {
        println!("SKIPPED: the system makes no pipes");
        return;
    }
    let device = folder.path().join("device.glb");
    std::os::unix::fs::symlink("/dev/zero", &device).expect("a link");
    for path in [pipe, device] {
        let (sender, receiver) = std::sync::mpsc::channel();
        let tried = path.clone();
        std::thread::spawn(move || {
            let outcome = load(&tried, &Progress::new());
            // Nobody listens any more only where the test has failed already.
            drop(sender.send(outcome.map_err(|error| error.to_string())));
        });
        let message = receiver
            .recv_timeout(std::time::Duration::from_secs(20))
            .expect("it does not wait")
            .expect_err("it is refused");
        assert_eq!(
            message,
            format!(
                "cannot read the file: it is no ordinary file: {}",
                path.display()
            )
        );
    }
}

#[test]
fn a_cancelled_load_says_so() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("rig.glb");
    std::fs::write(&path, rich()).expect("a model");
    let progress = Progress::new();
    load(&path, &progress).expect("it loads");
    assert_eq!((progress.fraction(), progress.stage()), (1.0, "done"));

    let progress = Progress::new();
    progress.cancel();
    let outcome = load(&path, &progress);
    assert!(matches!(outcome, Err(ImportError::Cancelled)));
    assert!(progress.fraction() < 1.0);
}

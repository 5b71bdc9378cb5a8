// Bind group 1 and the vertex stage's one deformation: morph targets first, then
// the skin, then placement. `anim::vertex_matrix` is the reference it is tested against.
// Mirrored by `render::uniforms`.

const NONE: u32 = 0xffffffffu;
// Smallest sum of weights that moves a vertex: the smallest normal number, for the
// reciprocal of one below may overflow. `anim::Weights::MIN_SUM`.
const MIN_WEIGHT_SUM: f32 = 1.17549435e-38;
// Flags of an instance.
const NORMALIZE_WEIGHTS: u32 = 1u;
const MORPH_NORMALS: u32 = 2u;
const MORPH_TANGENTS: u32 = 4u;
const MIRRORED_BIND: u32 = 8u;
const NAIVE_NORMALS: u32 = 16u;
// Values of SKINNING.
const LINEAR: u32 = 0u;
const DUAL_QUATERNION: u32 = 1u;
const DUAL_QUATERNION_UNALIGNED: u32 = 2u;
const RIGID: u32 = 3u;

// The upper three rows of an affine matrix.
struct Affine {
    r0: vec4<f32>,
    r1: vec4<f32>,
    r2: vec4<f32>,
}

// One primitive of one mesh instance.
struct Instance {
    // Placement after skinning.
    world_from_mesh: Affine,
    // First of this skin's matrices, or NONE.
    palette_start: u32,
    // First of the morph weights, and how many.
    morph_start: u32,
    morph_count: u32,
    // Where the primitive's displacements start in `morph_deltas`.
    delta_start: u32,
    // The primitive's range in the vertex buffer.
    vertex_start: u32,
    vertex_count: u32,
    // Influences past the fourth: start in `more_influences`, count per vertex.
    influence_start: u32,
    influence_count: u32,
    flags: u32,
    // First of the primitive's values in `heat_values`, or NONE.
    heat_start: u32,
    // Colour of a translucent figure: square roots of linear red, green and blue, and alpha,
    // a byte each, red lowest.
    tint: u32,
    padding_1: u32,
}

struct Influence {
    joint: u32,
    weight: f32,
}

@group(1) @binding(0) var<storage, read> instances: array<Instance>;
@group(1) @binding(1) var<storage, read> skin_matrices: array<Affine>;
@group(1) @binding(2) var<storage, read> morph_weights: array<f32>;
// Per target: all positions, then all normals and tangents where flagged; xyz each.
@group(1) @binding(3) var<storage, read> morph_deltas: array<f32>;
@group(1) @binding(4) var<storage, read> more_influences: array<Influence>;

// What a primitive has, known when a pipeline is made: the rest costs nothing.
override SKINNED: bool = false;
override MORE_INFLUENCES: bool = false;
override MORPHED: bool = false;
// How joints move vertices.
override SKINNING: u32 = LINEAR;

struct VertexIn {
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) instance: u32,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    @location(3) uvs: vec4<f32>,
    @location(4) color: vec4<f32>,
    @location(5) joints: vec4<u32>,
    @location(6) weights: vec4<f32>,
}

struct Deformed {
    // World space.
    position: vec3<f32>,
    normal: vec3<f32>,
    tangent: vec4<f32>,
    // The deformation turns the vertex's neighbourhood inside out.
    mirrored: bool,
}

fn add_scaled(sum: Affine, matrix: Affine, factor: f32) -> Affine {
    return Affine(
        sum.r0 + matrix.r0 * factor,
        sum.r1 + matrix.r1 * factor,
        sum.r2 + matrix.r2 * factor,
    );
}

fn product(a: Affine, b: Affine) -> Affine {
    let last = vec4(0.0, 0.0, 0.0, 1.0);
    return Affine(
        a.r0.x * b.r0 + a.r0.y * b.r1 + a.r0.z * b.r2 + a.r0.w * last,
        a.r1.x * b.r0 + a.r1.y * b.r1 + a.r1.z * b.r2 + a.r1.w * last,
        a.r2.x * b.r0 + a.r2.y * b.r1 + a.r2.z * b.r2 + a.r2.w * last,
    );
}

// How many influences a vertex may have.
fn influence_slots(instance: Instance) -> u32 {
    return select(4u, 4u + instance.influence_count, MORE_INFLUENCES);
}

fn influence_of(
    instance: Instance, vertex: u32, joints: vec4<u32>, weights: vec4<f32>, index: u32,
) -> Influence {
    if index < 4u {
        return Influence(joints[index], weights[index]);
    }
    let first = instance.influence_start + vertex * instance.influence_count;
    return more_influences[first + index - 4u];
}

// The first of the influences with the greatest weight.
fn heaviest(instance: Instance, vertex: u32, joints: vec4<u32>, weights: vec4<f32>) -> u32 {
    var best = Influence(joints.x, weights.x);
    for (var i = 1u; i < influence_slots(instance); i++) {
        let next = influence_of(instance, vertex, joints, weights, i);
        // A weight of 0 is no influence.
        if next.weight != 0.0 && (next.weight > best.weight || best.weight == 0.0) {
            best = next;
        }
    }
    return best.joint;
}

// A rigid motion given by a dual quaternion of unit length.
fn affine_of_motion(q: vec4<f32>, dual: vec4<f32>) -> Affine {
    let twice = q + q;
    let x = q.x * twice;
    let y = q.y * twice;
    let z = q.z * twice;
    let w = q.w * twice;
    // 2 · dual · conjugate(q)
    let t = 2.0 * (q.w * dual.xyz - dual.w * q.xyz + cross(q.xyz, dual.xyz));
    return Affine(
        vec4(1.0 - (y.y + z.z), x.y - w.z, x.z + w.y, t.x),
        vec4(x.y + w.z, 1.0 - (x.x + z.z), y.z - w.x, t.y),
        vec4(x.z - w.y, y.z + w.x, 1.0 - (x.x + y.y), t.z),
    );
}

// Rigid motions blended as dual quaternions after stretches blended as matrices. The
// palette has both of each joint: a stretch, then a motion as real and dual part.
fn dual_quaternion_matrix(
    instance: Instance, vertex: u32, joints: vec4<u32>, weights: vec4<f32>, total: f32,
) -> Affine {
    let pivot_joint = heaviest(instance, vertex, joints, weights);
    let pivot = skin_matrices[instance.palette_start + 2u * pivot_joint + 1u].r0;
    let zero = vec4(0.0);
    var stretch = Affine(zero, zero, zero);
    var real = zero;
    var dual = zero;
    for (var i = 0u; i < influence_slots(instance); i++) {
        let influence = influence_of(instance, vertex, joints, weights, i);
        if influence.weight != 0.0 {
            let at = instance.palette_start + 2u * influence.joint;
            let share = influence.weight / total;
            stretch = add_scaled(stretch, skin_matrices[at], share);
            let motion = skin_matrices[at + 1u];
            let turns = SKINNING == DUAL_QUATERNION && dot(motion.r0, pivot) < 0.0;
            let signed = select(share, -share, turns);
            real += motion.r0 * signed;
            dual += motion.r1 * signed;
        }
    }
    let size = length(real);
    // `math::quat::MIN_LENGTH`: motions that cancel out move nothing.
    if !(size > 1e-12) {
        return stretch;
    }
    return product(affine_of_motion(real / size, dual / size), stretch);
}

// The one matrix by which a vertex's influences move it: `Σ w M M0⁻¹` where skinning is
// linear; identity where it has no skin or weights that sum to 0.
fn blended_skin_matrix(instance: Instance, vertex: u32, joints: vec4<u32>, weights: vec4<f32>) -> Affine {
    let identity = Affine(vec4(1.0, 0.0, 0.0, 0.0), vec4(0.0, 1.0, 0.0, 0.0), vec4(0.0, 0.0, 1.0, 0.0));
    if !SKINNED || instance.palette_start == NONE {
        return identity;
    }
    let zero = vec4(0.0);
    var sum = Affine(zero, zero, zero);
    var total = 0.0;
    for (var i = 0u; i < 4u; i++) {
        let weight = weights[i];
        if weight != 0.0 {
            sum = add_scaled(sum, skin_matrices[instance.palette_start + joints[i]], weight);
            total += weight;
        }
    }
    if MORE_INFLUENCES {
        let first = instance.influence_start + vertex * instance.influence_count;
        for (var i = 0u; i < instance.influence_count; i++) {
            let influence = more_influences[first + i];
            if influence.weight != 0.0 {
                sum = add_scaled(
                    sum, skin_matrices[instance.palette_start + influence.joint], influence.weight);
                total += influence.weight;
            }
        }
    }
    if total < MIN_WEIGHT_SUM {
        return identity;
    }
    if SKINNING == RIGID {
        return skin_matrices[instance.palette_start + heaviest(instance, vertex, joints, weights)];
    }
    if SKINNING != LINEAR {
        return dual_quaternion_matrix(instance, vertex, joints, weights, total);
    }
    if (instance.flags & NORMALIZE_WEIGHTS) != 0u {
        let factor = 1.0 / total;
        return Affine(sum.r0 * factor, sum.r1 * factor, sum.r2 * factor);
    }
    return sum;
}

fn morph_delta(start: u32, vertex: u32) -> vec3<f32> {
    let at = start + vertex * 3u;
    return vec3(morph_deltas[at], morph_deltas[at + 1u], morph_deltas[at + 2u]);
}

struct Morphed {
    position: vec3<f32>,
    normal: vec3<f32>,
    tangent: vec3<f32>,
}

// The vertex with its morph targets added, mesh space.
fn morphed(in: VertexIn, instance: Instance, vertex: u32) -> Morphed {
    var out = Morphed(in.position, in.normal, in.tangent.xyz);
    if !MORPHED {
        return out;
    }
    let kind_size = instance.vertex_count * 3u;
    let has_normals = (instance.flags & MORPH_NORMALS) != 0u;
    let has_tangents = (instance.flags & MORPH_TANGENTS) != 0u;
    var delta = instance.delta_start;
    for (var target_index = 0u; target_index < instance.morph_count; target_index++) {
        let weight = morph_weights[instance.morph_start + target_index];
        if weight != 0.0 {
            out.position += morph_delta(delta, vertex) * weight;
            if has_normals {
                out.normal += morph_delta(delta + kind_size, vertex) * weight;
            }
            if has_tangents {
                out.tangent += morph_delta(delta + select(1u, 2u, has_normals) * kind_size, vertex) * weight;
            }
        }
        delta += kind_size * (1u + u32(has_normals) + u32(has_tangents));
    }
    return out;
}

fn deform(in: VertexIn) -> Deformed {
    let instance = instances[in.instance];
    let vertex = in.index - instance.vertex_start;
    let bind = morphed(in, instance, vertex);
    let position = bind.position;
    let normal = bind.normal;
    let tangent = bind.tangent;
    let matrix = product(
        instance.world_from_mesh,
        blended_skin_matrix(instance, vertex, in.joints, in.weights),
    );
    let point = vec4(position, 1.0);
    let a = matrix.r0.xyz;
    let b = matrix.r1.xyz;
    let c = matrix.r2.xyz;
    // Rows of the cofactor matrix det(A) · A⁻ᵀ, which maps normals rightly under
    // non-uniform scale and exists even for singular A. Its sign flips with a
    // mirror, and glTF wants normals to keep pointing out: times the sign of det(A).
    let bc = cross(b, c);
    let ca = cross(c, a);
    let ab = cross(a, b);
    let reflects = dot(a, bc) < 0.0;
    let side = select(1.0, -1.0, reflects);
    // Front faces follow M, not M M0⁻¹: a mesh bound to mirrored joints is stored
    // wound the other way (glTF 2.0, 3.7.4). Its stored normals point out as ever.
    let mirrored = reflects != ((instance.flags & MIRRORED_BIND) != 0u);
    var turned = vec3(dot(bc, normal), dot(ca, normal), dot(ab, normal)) * side;
    if (instance.flags & NAIVE_NORMALS) != 0u {
        turned = vec3(dot(a, normal), dot(b, normal), dot(c, normal));
    }
    return Deformed(
        vec3(dot(matrix.r0, point), dot(matrix.r1, point), dot(matrix.r2, point)),
        unit_or(turned, normal),
        vec4(unit_or(vec3(dot(a, tangent), dot(b, tangent), dot(c, tangent)), tangent), in.tangent.w * side),
        mirrored,
    );
}

// The skeleton overlay: tapered octahedra for bones, discs for joints. Drawn
// twice, over the surface in full and behind it softened.

// Opacity of this pass.
override OPACITY: f32 = 1.0;

struct BoneIn {
    @builtin(vertex_index) index: u32,
    @location(0) head: vec3<f32>,
    // Half the thickness, world units.
    @location(1) radius: f32,
    @location(2) tail: vec3<f32>,
    @location(3) side: vec3<f32>,
    @location(4) color: vec4<f32>,
}

struct BoneVaryings {
    @builtin(position) clip: vec4<f32>,
    @location(0) color: vec4<f32>,
    // Distances to the face's edges, 0 on the edge.
    @location(1) barycentric: vec3<f32>,
    @location(2) @interpolate(flat) normal: vec3<f32>,
}

// World size of a pixel where the clip w is this.
fn pixel_size(clip_w: f32) -> f32 {
    let row = vec3(frame.clip_from_world[0].y, frame.clip_from_world[1].y, frame.clip_from_world[2].y);
    return 2.0 * abs(clip_w) / (length(row) * frame.viewport.y);
}

fn octahedron_corner(in: BoneIn, radius: f32, index: u32) -> vec3<f32> {
    if index == 0u {
        return in.head;
    }
    if index == 5u {
        return in.tail;
    }
    let axis = in.tail - in.head;
    let up = unit_or(cross(axis, in.side), vec3(0.0, 1.0, 0.0));
    let waist = in.head + axis * 0.14;
    let turn = index - 1u;
    let along = select(in.side, up, (turn & 1u) == 1u);
    return waist + along * select(radius, -radius, turn >= 2u);
}

// Six corners: head, the waist's four, tail.
const FACES = array<vec3<u32>, 8>(
    vec3(0u, 2u, 1u), vec3(0u, 3u, 2u), vec3(0u, 4u, 3u), vec3(0u, 1u, 4u),
    vec3(5u, 1u, 2u), vec3(5u, 2u, 3u), vec3(5u, 3u, 4u), vec3(5u, 4u, 1u),
);

@vertex
fn vs_bone(in: BoneIn) -> BoneVaryings {
    let head_clip = frame.clip_from_world * vec4(in.head, 1.0);
    // Never thinner than a few pixels, never stouter than long.
    let thinnest = 2.0 * frame.pixels_per_point * pixel_size(head_clip.w);
    let radius = max(in.radius, min(thinnest, length(in.tail - in.head) * 0.25));
    var faces = FACES;
    let face = faces[in.index / 3u];
    let corner = in.index % 3u;
    let a = octahedron_corner(in, radius, face.x);
    let b = octahedron_corner(in, radius, face.y);
    let c = octahedron_corner(in, radius, face.z);
    var world = a;
    var barycentric = vec3(1.0, 0.0, 0.0);
    if corner == 1u {
        world = b;
        barycentric = vec3(0.0, 1.0, 0.0);
    } else if corner == 2u {
        world = c;
        barycentric = vec3(0.0, 0.0, 1.0);
    }
    var out: BoneVaryings;
    out.clip = frame.clip_from_world * vec4(world, 1.0);
    out.color = in.color;
    out.barycentric = barycentric;
    out.normal = unit_or(cross(b - a, c - a), vec3(0.0, 1.0, 0.0));
    return out;
}

@fragment
fn fs_bone(in: BoneVaryings) -> @location(0) vec4<f32> {
    // A light over the viewer's left shoulder keeps faces apart at every angle.
    let towards = normalize(vec3(-0.35, 0.55, 0.75));
    let view_normal = (frame.view_from_world * vec4(in.normal, 0.0)).xyz;
    let light = 0.55 + 0.45 * clamp(dot(view_normal, towards), 0.0, 1.0);
    let width = fwidth(in.barycentric) * frame.pixels_per_point;
    let inside = smoothstep(vec3(0.0), width * 1.2, in.barycentric);
    let edge = min(inside.x, min(inside.y, inside.z));
    let color = in.color.rgb * light * mix(0.35, 1.0, edge);
    let alpha = in.color.a * OPACITY;
    return vec4(color * alpha, alpha);
}

struct DotIn {
    @builtin(vertex_index) index: u32,
    @location(0) position: vec3<f32>,
    // World units.
    @location(1) radius: f32,
    @location(2) color: vec4<f32>,
    // Least radius in points.
    @location(3) least: f32,
}

struct DotVaryings {
    @builtin(position) clip: vec4<f32>,
    @location(0) color: vec4<f32>,
    // Pixels from the centre.
    @location(1) offset: vec2<f32>,
    @location(2) @interpolate(flat) radius: f32,
}

@vertex
fn vs_dot(in: DotIn) -> DotVaryings {
    let corner = vec2(f32(in.index & 1u), f32(in.index >> 1u)) * 2.0 - 1.0;
    var clip = frame.clip_from_world * vec4(in.position, 1.0);
    let radius = max(in.radius / pixel_size(clip.w), in.least * frame.pixels_per_point);
    let offset = corner * (radius + 1.0);
    clip += vec4(offset * 2.0 / frame.viewport * clip.w, 0.0, 0.0);
    return DotVaryings(clip, in.color, offset, radius);
}

@fragment
fn fs_dot(in: DotVaryings) -> @location(0) vec4<f32> {
    let distance = length(in.offset);
    let rim = frame.pixels_per_point;
    let inside = clamp(in.radius - distance + 0.5, 0.0, 1.0);
    let core = clamp(in.radius - rim - distance + 0.5, 0.0, 1.0);
    let alpha = in.color.a * OPACITY * inside;
    return vec4(in.color.rgb * mix(0.3, 1.0, core) * alpha, alpha);
}

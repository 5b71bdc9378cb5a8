// The skeleton overlay: tapered octahedra or sticks for bones, discs for joints, each with an
// outline of constant width on the screen. A shape is one quad; its fragments work
// out outline, facets and depth from the projected corners, so that edges are smooth
// with and without multisampling. Colours are sRGB-encoded, multiplied by coverage.

// Width of the outline in points.
const OUTLINE: f32 = 1.1;
// Brightness of the outline over that of what it surrounds.
const OUTLINE_SHADE: f32 = 0.13;
// Least half thickness of a bone in points.
const THINNEST: f32 = 1.5;
// Half the thickness of a stick in points.
const STICK: f32 = 1.1;
// Where a bone is thickest, as a share of its length.
const WAIST: f32 = 0.16;

struct Shaded {
    @location(0) color: vec4<f32>,
    @builtin(frag_depth) depth: f32,
}

// World size of a pixel where the clip w is this.
fn pixel_size(clip_w: f32) -> f32 {
    let row = vec3(frame.clip_from_world[0].y, frame.clip_from_world[1].y, frame.clip_from_world[2].y);
    return 2.0 * abs(clip_w) / (length(row) * frame.viewport.y);
}

// In pixels from the picture's middle, y up; z is the depth.
fn screen(world: vec3<f32>) -> vec3<f32> {
    let clip = frame.clip_from_world * vec4(world, 1.0);
    // A corner may stick out before the near plane (reverse-Z: z ≤ w).
    let w = max(clip.w, max(clip.z, 1e-9));
    return vec3(clip.xy / w * frame.viewport * 0.5, clip.z / w);
}

fn clip_of(pixels: vec2<f32>) -> vec4<f32> {
    return vec4(pixels * 2.0 / frame.viewport, 0.5, 1.0);
}

fn pixel_of(position: vec4<f32>) -> vec2<f32> {
    return vec2(position.x, frame.viewport.y - position.y) - frame.viewport * 0.5;
}

fn cross_2d(a: vec2<f32>, b: vec2<f32>) -> f32 {
    return a.x * b.y - a.y * b.x;
}

struct BoneIn {
    @builtin(vertex_index) index: u32,
    @location(0) head: vec3<f32>,
    // Half the thickness, world units.
    @location(1) radius: f32,
    @location(2) tail: vec3<f32>,
    @location(3) side: vec3<f32>,
    @location(4) color: vec4<f32>,
}

// Corners as `screen` gives them: head, tail and the four of the waist, going
// round it counter-clockwise as seen from the tail.
struct BoneVaryings {
    @builtin(position) clip: vec4<f32>,
    @location(0) @interpolate(flat) color: vec3<f32>,
    @location(1) @interpolate(flat) head: vec3<f32>,
    @location(2) @interpolate(flat) tail: vec3<f32>,
    @location(3) @interpolate(flat) w0: vec3<f32>,
    @location(4) @interpolate(flat) w1: vec3<f32>,
    @location(5) @interpolate(flat) w2: vec3<f32>,
    @location(6) @interpolate(flat) w3: vec3<f32>,
    // Brightness of the faces at the head, and of those at the tail.
    @location(7) @interpolate(flat) head_shade: vec4<f32>,
    @location(8) @interpolate(flat) tail_shade: vec4<f32>,
}

// A calm light over the viewer's left shoulder keeps faces apart at every angle.
fn shade(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>) -> f32 {
    let normal = unit_or(cross(b - a, c - a), vec3(0.0, 1.0, 0.0));
    let view_normal = (frame.view_from_world * vec4(normal, 0.0)).xyz;
    let towards = normalize(vec3(-0.55, 0.45, 0.70));
    return 0.70 + 0.30 * clamp(dot(view_normal, towards), 0.0, 1.0);
}

@vertex
fn vs_bone(in: BoneIn) -> BoneVaryings {
    var out: BoneVaryings;
    var head = in.head;
    var tail = in.tail;
    // Cut at the near plane, where screen directions end.
    let head_clip = frame.clip_from_world * vec4(head, 1.0);
    let tail_clip = frame.clip_from_world * vec4(tail, 1.0);
    let head_room = head_clip.w - head_clip.z;
    let tail_room = tail_clip.w - tail_clip.z;
    if head_room <= 0.0 && tail_room <= 0.0 {
        out.clip = vec4(2.0, 2.0, 2.0, 1.0);
        return out;
    }
    if head_room < 0.0 {
        head = mix(in.head, in.tail, head_room / (head_room - tail_room));
    } else if tail_room < 0.0 {
        tail = mix(in.tail, in.head, tail_room / (tail_room - head_room));
    }
    let axis = tail - head;
    let waist = head + axis * WAIST;
    // Never thinner than a few pixels, never stouter than long.
    let waist_w = mix(max(head_clip.w, 1e-9), max(tail_clip.w, 1e-9), WAIST);
    let thinnest = THINNEST * frame.pixels_per_point * pixel_size(waist_w);
    let radius = max(in.radius, min(thinnest, length(axis) * 0.25));
    let across = in.side * radius;
    let up = unit_or(cross(axis, in.side), vec3(0.0, 1.0, 0.0)) * radius;
    let a = waist + across;
    let b = waist + up;
    let c = waist - across;
    let d = waist - up;
    out.color = srgb_from_linear(in.color.rgb);
    out.head = screen(head);
    out.tail = screen(tail);
    out.w0 = screen(a);
    out.w1 = screen(b);
    out.w2 = screen(c);
    out.w3 = screen(d);
    out.head_shade = vec4(shade(head, b, a), shade(head, c, b), shade(head, d, c), shade(head, a, d));
    out.tail_shade = vec4(shade(tail, a, b), shade(tail, b, c), shade(tail, c, d), shade(tail, d, a));

    // The smallest box along the bone that holds shape and outline.
    let run = out.tail.xy - out.head.xy;
    var along = vec2(1.0, 0.0);
    if dot(run, run) > 1e-6 {
        along = normalize(run);
    }
    let beside = vec2(-along.y, along.x);
    let turn = mat2x2(vec2(along.x, beside.x), vec2(along.y, beside.y));
    let p0 = turn * out.head.xy;
    let p1 = turn * out.tail.xy;
    let p2 = turn * out.w0.xy;
    let p3 = turn * out.w1.xy;
    let p4 = turn * out.w2.xy;
    let p5 = turn * out.w3.xy;
    let margin = OUTLINE * frame.pixels_per_point + 1.0;
    let low = min(min(min(p0, p1), min(p2, p3)), min(p4, p5)) - margin;
    let high = max(max(max(p0, p1), max(p2, p3)), max(p4, p5)) + margin;
    let corner = select(low, high, vec2((in.index & 1u) == 1u, in.index >= 2u));
    out.clip = clip_of(along * corner.x + beside * corner.y);
    return out;
}

// What the faces and edges say about a pixel.
struct Reading {
    // Sums over the faces towards the viewer, by how far they cover the pixel.
    weight: f32,
    shade: f32,
    depth: f32,
    inside: bool,
    // To the nearest edge of the silhouette, in pixels, and that edge's depth.
    distance: f32,
    edge_depth: f32,
}

fn facing(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>) -> bool {
    return cross_2d(b.xy - a.xy, c.xy - a.xy) > 0.0;
}

fn read_face(pixel: vec2<f32>, a: vec3<f32>, b: vec3<f32>, c: vec3<f32>, brightness: f32, into: ptr<function, Reading>) {
    let ab = b.xy - a.xy;
    let bc = c.xy - b.xy;
    let ca = a.xy - c.xy;
    let area = cross_2d(ab, bc);
    if area <= 0.0 {
        return;
    }
    let over = vec3(cross_2d(bc, pixel - b.xy), cross_2d(ca, pixel - c.xy), cross_2d(ab, pixel - a.xy));
    let far = over / vec3(length(bc), length(ca), length(ab));
    let reach = min(far.x, min(far.y, far.z));
    let weight = clamp(reach + 0.5, 0.0, 1.0);
    // Depth is even over the screen within a face; outside it ends at the corners.
    let share = clamp(over / area, vec3(0.0), vec3(1.0));
    (*into).weight += weight;
    (*into).shade += weight * brightness;
    (*into).depth += weight * dot(share, vec3(a.z, b.z, c.z)) / max(share.x + share.y + share.z, 1e-6);
    (*into).inside = (*into).inside || reach >= 0.0;
}

fn read_edge(pixel: vec2<f32>, a: vec3<f32>, b: vec3<f32>, into: ptr<function, Reading>) {
    let run = b.xy - a.xy;
    let from_a = pixel - a.xy;
    let t = clamp(dot(from_a, run) / max(dot(run, run), 1e-9), 0.0, 1.0);
    let distance = length(from_a - run * t);
    if distance < (*into).distance {
        (*into).distance = distance;
        (*into).edge_depth = mix(a.z, b.z, t);
    }
}

// Colour and coverage of a pixel this far outside a shape (negative: inside).
fn outlined(fill: vec3<f32>, outside: f32) -> vec4<f32> {
    let coverage = clamp(OUTLINE * frame.pixels_per_point + 0.5 - outside, 0.0, 1.0);
    let filled = clamp(0.5 - outside, 0.0, 1.0);
    return vec4(mix(fill * OUTLINE_SHADE, fill, filled) * coverage, coverage);
}

@fragment
fn fs_bone(in: BoneVaryings) -> Shaded {
    let pixel = pixel_of(in.clip);
    let h0 = facing(in.head, in.w1, in.w0);
    let h1 = facing(in.head, in.w2, in.w1);
    let h2 = facing(in.head, in.w3, in.w2);
    let h3 = facing(in.head, in.w0, in.w3);
    let t0 = facing(in.tail, in.w0, in.w1);
    let t1 = facing(in.tail, in.w1, in.w2);
    let t2 = facing(in.tail, in.w2, in.w3);
    let t3 = facing(in.tail, in.w3, in.w0);
    var reading = Reading(0.0, 0.0, 0.0, false, 1e9, 0.0);
    read_face(pixel, in.head, in.w1, in.w0, in.head_shade.x, &reading);
    read_face(pixel, in.head, in.w2, in.w1, in.head_shade.y, &reading);
    read_face(pixel, in.head, in.w3, in.w2, in.head_shade.z, &reading);
    read_face(pixel, in.head, in.w0, in.w3, in.head_shade.w, &reading);
    read_face(pixel, in.tail, in.w0, in.w1, in.tail_shade.x, &reading);
    read_face(pixel, in.tail, in.w1, in.w2, in.tail_shade.y, &reading);
    read_face(pixel, in.tail, in.w2, in.w3, in.tail_shade.z, &reading);
    read_face(pixel, in.tail, in.w3, in.w0, in.tail_shade.w, &reading);
    // The silhouette is where a face turned to the viewer meets one turned away.
    if h0 != h3 { read_edge(pixel, in.head, in.w0, &reading); }
    if h1 != h0 { read_edge(pixel, in.head, in.w1, &reading); }
    if h2 != h1 { read_edge(pixel, in.head, in.w2, &reading); }
    if h3 != h2 { read_edge(pixel, in.head, in.w3, &reading); }
    if t0 != t3 { read_edge(pixel, in.tail, in.w0, &reading); }
    if t1 != t0 { read_edge(pixel, in.tail, in.w1, &reading); }
    if t2 != t1 { read_edge(pixel, in.tail, in.w2, &reading); }
    if t3 != t2 { read_edge(pixel, in.tail, in.w3, &reading); }
    if h0 != t0 { read_edge(pixel, in.w0, in.w1, &reading); }
    if h1 != t1 { read_edge(pixel, in.w1, in.w2, &reading); }
    if h2 != t2 { read_edge(pixel, in.w2, in.w3, &reading); }
    if h3 != t3 { read_edge(pixel, in.w3, in.w0, &reading); }

    let outside = select(reading.distance, -reading.distance, reading.inside);
    let brightness = select(1.0, reading.shade / reading.weight, reading.weight > 0.0);
    let color = outlined(in.color * brightness, outside);
    if color.a <= 0.0 {
        discard;
    }
    let depth = select(reading.edge_depth, reading.depth / reading.weight, reading.weight > 0.0);
    return Shaded(color, clamp(depth, 0.0, 1.0));
}

struct StickVaryings {
    @builtin(position) clip: vec4<f32>,
    @location(0) @interpolate(flat) color: vec3<f32>,
    // Ends as `screen` gives them.
    @location(1) @interpolate(flat) head: vec3<f32>,
    @location(2) @interpolate(flat) tail: vec3<f32>,
    // Half the thickness in pixels.
    @location(3) @interpolate(flat) half_width: f32,
}

@vertex
fn vs_stick(in: BoneIn) -> StickVaryings {
    var head = in.head;
    var tail = in.tail;
    let head_clip = frame.clip_from_world * vec4(head, 1.0);
    let tail_clip = frame.clip_from_world * vec4(tail, 1.0);
    let head_room = head_clip.w - head_clip.z;
    let tail_room = tail_clip.w - tail_clip.z;
    if head_room <= 0.0 && tail_room <= 0.0 {
        return StickVaryings(vec4(2.0, 2.0, 2.0, 1.0), vec3(0.0), vec3(0.0), vec3(0.0), 0.0);
    }
    if head_room < 0.0 {
        head = mix(in.head, in.tail, head_room / (head_room - tail_room));
    } else if tail_room < 0.0 {
        tail = mix(in.tail, in.head, tail_room / (tail_room - head_room));
    }
    let start = screen(head);
    let end = screen(tail);
    let half_width = STICK * frame.pixels_per_point;
    let reach = half_width + OUTLINE * frame.pixels_per_point + 1.0;
    let run = end.xy - start.xy;
    var along = vec2(1.0, 0.0);
    if dot(run, run) > 1e-6 {
        along = normalize(run);
    }
    let is_end = in.index >= 2u;
    let past = select(-reach, reach, is_end);
    let across = select(-reach, reach, (in.index & 1u) == 1u);
    let corner = select(start.xy, end.xy, is_end) + along * past + vec2(-along.y, along.x) * across;
    return StickVaryings(clip_of(corner), srgb_from_linear(in.color.rgb), start, end, half_width);
}

@fragment
fn fs_stick(in: StickVaryings) -> Shaded {
    let run = in.tail.xy - in.head.xy;
    let from_head = pixel_of(in.clip) - in.head.xy;
    let share = clamp(dot(from_head, run) / max(dot(run, run), 1e-9), 0.0, 1.0);
    let color = outlined(in.color, length(from_head - run * share) - in.half_width);
    if color.a <= 0.0 {
        discard;
    }
    return Shaded(color, clamp(mix(in.head.z, in.tail.z, share), 0.0, 1.0));
}

struct DotIn {
    @builtin(vertex_index) index: u32,
    @location(0) position: vec3<f32>,
    // World units.
    @location(1) radius: f32,
    @location(2) color: vec4<f32>,
    // Least radius in points.
    @location(3) least: f32,
    // Length of the shortest bone at it, world units.
    @location(4) room: f32,
}

struct DotVaryings {
    @builtin(position) clip: vec4<f32>,
    @location(0) @interpolate(flat) color: vec3<f32>,
    // Middle, radius and depth, in pixels.
    @location(1) @interpolate(flat) disc: vec4<f32>,
}

@vertex
fn vs_dot(in: DotIn) -> DotVaryings {
    let clip = frame.clip_from_world * vec4(in.position, 1.0);
    if clip.w <= clip.z {
        return DotVaryings(vec4(2.0, 2.0, 2.0, 1.0), vec3(0.0), vec4(0.0));
    }
    let pixel = pixel_size(clip.w);
    // Where joints crowd, discs leave their neighbours room, down to a speck.
    let point = frame.pixels_per_point;
    let least = max(min(in.least * point, in.room * 0.25 / pixel), min(in.least, 0.6) * point);
    let radius = max(in.radius / pixel, least);
    // Before the ends of the bones that it joins, like a ball.
    let to_eye = vec3(frame.view_from_world[0].z, frame.view_from_world[1].z, frame.view_from_world[2].z);
    let middle = screen(in.position);
    let near = screen(in.position + to_eye * (radius * pixel));
    let corner = vec2(f32(in.index & 1u), f32(in.index >> 1u)) * 2.0 - 1.0;
    let reach = radius + OUTLINE * frame.pixels_per_point + 1.0;
    return DotVaryings(
        clip_of(middle.xy + corner * reach),
        srgb_from_linear(in.color.rgb),
        vec4(middle.xy, radius, near.z),
    );
}

@fragment
fn fs_dot(in: DotVaryings) -> Shaded {
    let outside = distance(pixel_of(in.clip), in.disc.xy) - in.disc.z;
    let color = outlined(in.color, outside);
    if color.a <= 0.0 {
        discard;
    }
    return Shaded(color, clamp(in.disc.w, 0.0, 1.0));
}

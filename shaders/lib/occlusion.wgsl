// Depth to distance, and how much ambient light is let through.

// Farther than anything that occludes.
const FAR: f32 = 6e4;

// Distance from the eye's plane for a depth of the buffer.
fn distance_of(depth: f32) -> f32 {
    let r = frame.depth_range;
    return select((depth * r.w - r.y) / (depth * r.z - r.x), FAR * frame.occlusion_radius, depth <= 0.0);
}

// Share of ambient light that reaches a point seen at `pixel`, whose distance from
// the eye's plane is `distance`. The map has half the picture's resolution: of the
// four texels around, those that lie at the point's own depth count, so that nothing
// bleeds over silhouettes. `map` holds openness and distance over the radius.
fn ambient_open(map: texture_2d<f32>, pixel: vec2<f32>, distance: f32) -> f32 {
    // A texel stands for its corner nearest the origin: see `fs_blur`.
    let at = pixel * 0.5;
    let first = floor(at);
    let part = at - first;
    let last = vec2<i32>(textureDimensions(map)) - 1;
    let wanted = min(distance / frame.occlusion_radius, FAR);
    var sum = 0.0;
    var total = 0.0;
    for (var i = 0; i < 4; i++) {
        let corner = vec2(i & 1, i >> 1u);
        let texel = textureLoad(map, min(vec2<i32>(first) + corner, last), 0).rg;
        let shares = mix(1.0 - part, part, vec2<f32>(corner));
        let near = max(1.0 - abs(texel.g - wanted) / (0.5 + wanted * 0.02), 0.0);
        let weight = shares.x * shares.y * near + 1e-4;
        sum += texel.r * weight;
        total += weight;
    }
    return sum / total;
}

// How far something of the overlay lies behind the surface that was drawn there.

// Depth over which it softens, as a share of the distance (or of the view's height
// in parallel projection): without it, bones that graze the skin would speckle.
const SOFT: f32 = 0.004;

// In the units of `SOFT`; negative before the surface. Depths are reversed: 0 is
// infinitely far, or nothing at all.
fn behind(overlay: f32, surface: f32) -> f32 {
    let m = frame.clip_from_world;
    let is_parallel = m[0].w == 0.0 && m[1].w == 0.0 && m[2].w == 0.0;
    if is_parallel {
        let depth_row = length(vec3(m[0].z, m[1].z, m[2].z));
        let height_row = length(vec3(m[0].y, m[1].y, m[2].y));
        return (surface - overlay) * height_row / (2.0 * depth_row);
    }
    return 1.0 - overlay / max(surface, 1e-20);
}

// 1 before the surface, `hidden` behind it.
fn opacity(overlay: f32, surface: f32, hidden: f32) -> f32 {
    return mix(1.0, hidden, smoothstep(-0.25 * SOFT, SOFT, behind(overlay, surface)));
}

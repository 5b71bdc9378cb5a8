// Ambient occlusion at half resolution: the depth of what occludes, openness from
// that depth, and its noise averaged away.

@group(1) @binding(0) var scene_depth: texture_depth_2d;
@group(1) @binding(1) var raw: texture_2d<f32>;

// Normalised device coordinates of a place in texels.
fn ndc_of(texel: vec2<f32>) -> vec2<f32> {
    return texel * (4.0 / frame.viewport) * vec2(1.0, -1.0) + vec2(-1.0, 1.0);
}

// Distance of what is seen at a texel, mesh or ground: a plane's depth is linear over
// the picture.
fn distance_at(texel: vec2<i32>) -> f32 {
    let inside = clamp(texel, vec2(0), vec2<i32>(textureDimensions(scene_depth)) - 1);
    let ground = dot(frame.ground_depth.xyz, vec3(ndc_of(vec2<f32>(inside) + 0.5), 1.0));
    // Ground nearer than the near plane is not seen.
    return distance_of(max(textureLoad(scene_depth, inside, 0), select(ground, 0.0, ground > 1.0)));
}

// View-space point over a texel (or between texels) at a distance.
fn point_at(texel: vec2<f32>, distance: f32) -> vec3<f32> {
    let w = frame.depth_range.w - frame.depth_range.z * distance;
    return vec3(ndc_of(texel) * frame.view_per_ndc * w, -distance);
}

// Of two differences, that across the smaller step in depth: it stays on the surface.
fn smaller_step(a: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
    return select(b, a, abs(a.z) < abs(b.z));
}

// View-space normal of the surface at a texel.
fn normal_at(texel: vec2<i32>, at: vec2<f32>, point: vec3<f32>) -> vec3<f32> {
    let plane = frame.ground_plane;
    if frame.ground_depth.w > 0.0
        && abs(dot(plane.xyz, point) - plane.w) < 0.01 * frame.occlusion_radius - 1e-4 * point.z {
        return plane.xyz;
    }
    let x = vec2(1, 0);
    let y = vec2(0, 1);
    let fx = vec2<f32>(x);
    let fy = vec2<f32>(y);
    let right = point_at(at + fx, distance_at(texel + x)) - point;
    let left = point - point_at(at - fx, distance_at(texel - x));
    let down = point_at(at + fy, distance_at(texel + y)) - point;
    let up = point - point_at(at - fy, distance_at(texel - y));
    return unit_or(cross(smaller_step(down, up), smaller_step(right, left)), vec3(0.0, 0.0, 1.0));
}

// Cosine and sine of the golden angle: a spiral that fills a disc evenly.
const GOLDEN: vec2<f32> = vec2(-0.73736888, 0.67549029);

// Openness of the half space over the surface, out to a radius: taps on a disc
// around the point ask how far the surface there stands over the tangent plane
// (after M. McGuire et al., "Scalable Ambient Obscurance", HPG 2012). Each of 4 × 4
// neighbours turns its taps another way, which `fs_blur` averages.
@fragment
fn fs_occlusion(@builtin(position) clip: vec4<f32>) -> @location(0) vec4<f32> {
    let texel = vec2<i32>(clip.xy);
    let distance = distance_at(texel);
    let point = point_at(clip.xy, distance);
    let normal = normal_at(texel, clip.xy, point);
    let w = frame.depth_range.w - frame.depth_range.z * distance;
    let texels_per_unit = frame.viewport.y * 0.25 / (frame.view_per_ndc.y * w);
    // Close by, the disc stays within reach of so few taps.
    let reach = min(frame.occlusion_radius * texels_per_unit, 64.0);
    let radius = reach / texels_per_unit;
    let turn = f32((texel.x & 3) * 4 + (((texel.y & 3) + 2 * (texel.x & 1)) & 3)) * (6.2831853 / 16.0);
    var direction = vec2(cos(turn), sin(turn));
    var sum = 0.0;
    for (var i = 0; i < frame.taps.y; i++) {
        let at = clip.xy + direction * (reach * (f32(i) + 0.6) / f32(frame.taps.y));
        direction = vec2(
            direction.x * GOLDEN.x - direction.y * GOLDEN.y,
            direction.x * GOLDEN.y + direction.y * GOLDEN.x,
        );
        let tap = floor(at);
        let to = point_at(tap + 0.5, distance_at(vec2<i32>(tap))) - point;
        let squared = dot(to, to);
        let rise = dot(to, normal) * inverseSqrt(max(squared, 1e-12 * radius * radius));
        sum += max(1.0 - squared / (radius * radius), 0.0) * max(rise - 0.1, 0.0);
    }
    // Less than a few texels wide, occlusion is noise: it fades out with distance.
    let strength = frame.occlusion_strength * clamp(reach * 0.25 - 0.5, 0.0, 1.0) / f32(frame.taps.y);
    let open = select(clamp(1.0 - sum * strength, 0.0, 1.0), 1.0, distance >= FAR * frame.occlusion_radius);
    return vec4(open, min(distance / frame.occlusion_radius, FAR), 0.0, 1.0);
}

// Mean over the 4 × 4 texels around a texel's corner, of those at its own depth.
@fragment
fn fs_blur(@builtin(position) clip: vec4<f32>) -> @location(0) vec4<f32> {
    let texel = vec2<i32>(clip.xy);
    let last = vec2<i32>(textureDimensions(raw)) - 1;
    let distance = textureLoad(raw, texel, 0).g;
    let tolerance = 1.0 / (0.5 + distance * 0.02);
    var sum = 0.0;
    var total = 0.0;
    for (var y = -2; y < 2; y++) {
        for (var x = -2; x < 2; x++) {
            let tap = textureLoad(raw, clamp(texel + vec2(x, y), vec2(0), last), 0).rg;
            let weight = max(1.0 - abs(tap.g - distance) * tolerance, 0.0);
            sum += tap.r * weight;
            total += weight;
        }
    }
    return vec4(sum / total, distance, 0.0, 1.0);
}

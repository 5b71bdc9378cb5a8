// Meshes: deformed, then shaded by material, by normal, as clay, or as edges.

@group(0) @binding(1) var shadow_depth: texture_depth_2d;
@group(0) @binding(2) var shadow_compare: sampler_comparison;
@group(0) @binding(7) var occlusion_map: texture_2d<f32>;

// No normals to light by (points, lines), or `KHR_materials_unlit`.
override UNLIT: bool = false;
override FLAT: bool = false;
// The material is seen from behind too.
override DOUBLE_SIDED: bool = false;
// Mirrored and plain parts share a draw, so that the rasteriser cannot cull.
override CULL_IN_SHADER: bool = false;
// Whether light is blocked by other parts of the stage.
override SHADOWS: bool = false;
// Whether ambient light is.
override OCCLUSION: bool = false;

// A translucent figure of the instance's tint, whatever its material.
override TINTED: bool = false;

struct Varyings {
    @builtin(position) clip: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    @location(3) uvs: vec4<f32>,
    @location(4) color: vec4<f32>,
    // 1 where the deformation mirrors.
    @location(5) @interpolate(flat) mirrored: u32,
}

@vertex
fn vs_model(in: VertexIn) -> Varyings {
    let deformed = deform(in);
    var out: Varyings;
    out.clip = frame.clip_from_world * vec4(deformed.position, 1.0);
    out.world = deformed.position;
    out.normal = deformed.normal;
    out.tangent = deformed.tangent;
    out.uvs = in.uvs;
    out.color = in.color;
    if TINTED {
        let tint = unpack4x8unorm(instances[in.instance].tint);
        out.color = vec4(tint.rgb * tint.rgb, tint.a);
    }
    out.mirrored = u32(deformed.mirrored);
    return out;
}

// Taps of a spiral that fills a disc evenly, as cosine and sine of the golden angle.
const GOLDEN: vec2<f32> = vec2(-0.73736888, 0.67549029);

const BLOCKER_TAPS: i32 = 8;

fn turned(direction: vec2<f32>) -> vec2<f32> {
    return vec2(
        direction.x * GOLDEN.x - direction.y * GOLDEN.y,
        direction.x * GOLDEN.y + direction.y * GOLDEN.x,
    );
}

// Share of key light that reaches a point. The farther the blockers, the wider the
// penumbra: their mean height decides the width of the filter (R. Fernando,
// "Percentage-Closer Soft Shadows", 2005). Each tap compares against the surface's own
// plane as it goes on there, so that a wide filter does not shadow what it lies on; the
// plane of the smooth normal, for facets would show in the penumbra.
// Loops rather than branches skip the taps that cannot matter: a rasteriser on the CPU
// runs both sides of a branch, and a loop only while a lane needs it.
fn key_visible(world: vec3<f32>, normal: vec3<f32>) -> f32 {
    if !SHADOWS {
        return 1.0;
    }
    let m = frame.light_from_world;
    let size = vec2<f32>(textureDimensions(shadow_depth));
    let cosine = dot(normal, frame.key_direction);
    // Past its own horizon a surface is dark by itself (`key_cosine`): a shadow there
    // would count twice, so it fades out towards it.
    let risen = clamp(cosine * 10.0, 0.0, 1.0);
    // Off the surface by half a texel, against what the map's own steps leave.
    let lifted = world + normal * (frame.shadow_texel * (1.5 - cosine));
    let light = (m * vec4(lifted, 1.0)).xyz;
    let middle = (light.xy * vec2(0.5, -0.5) + 0.5) * size;
    // World units along the light per unit of depth.
    let depth_range = 1.0 / length(vec3(m[0].z, m[1].z, m[2].z));
    // Rows of the light's view have length 2 / (size · texel).
    let half_extent = 0.5 * frame.shadow_texel * size.x;
    let lean = vec2(
        dot(normal, vec3(m[0].x, m[1].x, m[2].x)),
        -dot(normal, vec3(m[0].y, m[1].y, m[2].y)),
    ) * half_extent;
    // Change of the surface's depth per texel.
    let slope = -lean * (frame.shadow_texel / (max(cosine, 0.2) * depth_range));

    // Taps this close overlap, so that none shows as an edge of its own.
    let all_taps = clamp(size.x / 32.0, 16.0, 64.0);
    let widest = min(1.5 * sqrt(all_taps), 0.03 * frame.shadow_height / frame.shadow_texel);
    var direction = vec2(1.0, 0.0);
    var height = 0.0;
    var blockers = 0.0;
    let search_taps = select(0, BLOCKER_TAPS, risen > 0.0);
    for (var i = 0; i < search_taps; i++) {
        let offset = direction * (widest * sqrt((f32(i) + 0.5) / f32(BLOCKER_TAPS)));
        direction = turned(direction);
        let texel = clamp(middle + offset, vec2(0.0), size - 1.0);
        let over = textureLoad(shadow_depth, vec2<i32>(texel), 0) - light.z - dot(slope, offset);
        if over > 0.0 {
            height += over;
            blockers += 1.0;
        }
    }
    let blur = 0.5 * frame.key_width * depth_range * height / max(blockers, 1.0);
    let radius = clamp(blur / frame.shadow_texel, 1.0, widest);
    let filter_taps = select(0, i32(all_taps), blockers > 0.0);
    var near = 0.0;
    for (var i = 0; i < filter_taps; i++) {
        let offset = direction * (radius * sqrt((f32(i) + 0.5) / all_taps));
        direction = turned(direction);
        near += textureSampleCompareLevel(
            shadow_depth, shadow_compare, (middle + offset) / size, light.z + dot(slope, offset));
    }
    let open = select(near / all_taps, 1.0, filter_taps == 0);
    return mix(1.0, open, frame.key_shadow * risen);
}

// Share of ambient light that reaches a fragment.
fn ambient_visible(clip: vec4<f32>) -> f32 {
    if !OCCLUSION {
        return 1.0;
    }
    return ambient_open(occlusion_map, clip.xy, distance_of(clip.z));
}

// Whether the surface's front faces the viewer: counter-clockwise, or clockwise
// where the deformation mirrors (glTF 2.0, 3.7.4).
fn faces_viewer(in: Varyings, counter_clockwise: bool) -> bool {
    return counter_clockwise != (in.mirrored == 1u);
}

// Unit normal on the viewer's side; drops back faces of one-sided materials.
fn surface_normal(in: Varyings, counter_clockwise: bool, v: vec3<f32>) -> vec3<f32> {
    let faces = faces_viewer(in, counter_clockwise);
    if CULL_IN_SHADER && !DOUBLE_SIDED && !faces {
        discard;
    }
    if FLAT {
        let face = unit_or(cross(dpdx(in.world), dpdy(in.world)), v);
        return select(-face, face, dot(face, v) >= 0.0);
    }
    var normal = unit_or(in.normal, v);
    if HAS_NORMAL_TEXTURE {
        let texel = textureSample(normal_texture, normal_sampler, mapped_uv(2u, in.uvs)).xyz * 2.0 - 1.0;
        let bent = vec3(texel.xy * material.normal_scale, texel.z);
        let tangent = in.tangent.xyz;
        let bitangent = cross(in.normal, tangent) * in.tangent.w;
        normal = unit_or(tangent * bent.x + bitangent * bent.y + in.normal * bent.z, normal);
    }
    if DOUBLE_SIDED && !faces {
        normal = -normal;
    }
    return normal;
}

fn drop_masked(alpha: f32) {
    if ALPHA_MODE == 1u && alpha < material.alpha_cutoff {
        discard;
    }
}

fn to_viewer(world: vec3<f32>) -> vec3<f32> {
    let forward = vec3(frame.view_from_world[0].z, frame.view_from_world[1].z, frame.view_from_world[2].z);
    return unit_or(frame.eye - world, forward);
}

fn lit(unshaded: Surface, in: Varyings, v: vec3<f32>) -> vec3<f32> {
    var surface = unshaded;
    surface.occlusion *= ambient_visible(in.clip);
    let own = unit_or(in.normal, surface.normal);
    let smooth_normal = select(own, -own, dot(own, surface.normal) < 0.0);
    let visible = key_visible(in.world, select(smooth_normal, surface.normal, FLAT));
    let radiance = shade(surface, v, visible) * frame.exposure;
    return tone_map(radiance);
}

// Colours leave premultiplied and tone-mapped, display-linear: the target encodes
// sRGB, and multisampling then averages what a person will see.
@fragment
fn fs_shaded(in: Varyings, @builtin(front_facing) counter_clockwise: bool) -> @location(0) vec4<f32> {
    let v = to_viewer(in.world);
    let base = base_color_at(in.uvs, in.color);
    var alpha = 1.0;
    drop_masked(base.a);
    if ALPHA_MODE == 2u {
        alpha = clamp(base.a, 0.0, 1.0);
    }
    let normal = surface_normal(in, counter_clockwise, v);
    if UNLIT {
        return vec4(clamp(base.rgb * frame.exposure, vec3(0.0), vec3(1.0)) * alpha, alpha);
    }
    var surface = Surface(
        base.rgb, material.metallic, material.roughness, 1.0, material.emissive, normal, 1.0,
    );
    if HAS_NORMAL_TEXTURE {
        surface.horizon = open_horizon(normal, v, unit_or(in.normal, normal));
    }
    if HAS_METALLIC_ROUGHNESS_TEXTURE {
        let texel = textureSample(
            metallic_roughness_texture, metallic_roughness_sampler, mapped_uv(1u, in.uvs));
        surface.roughness *= texel.g;
        surface.metallic *= texel.b;
    }
    if HAS_OCCLUSION_TEXTURE {
        let texel = textureSample(occlusion_texture, occlusion_sampler, mapped_uv(3u, in.uvs));
        surface.occlusion = 1.0 + material.occlusion_strength * (texel.r - 1.0);
    }
    if HAS_EMISSIVE_TEXTURE {
        surface.emissive *= textureSample(emissive_texture, emissive_sampler, mapped_uv(4u, in.uvs)).rgb;
    }
    return vec4(lit(surface, in, v) * alpha, alpha);
}

// World-space normals as colours, the way normal maps are painted.
@fragment
fn fs_normals(in: Varyings, @builtin(front_facing) counter_clockwise: bool) -> @location(0) vec4<f32> {
    if ALPHA_MODE == 1u {
        drop_masked(base_color_at(in.uvs, in.color).a);
    }
    let normal = surface_normal(in, counter_clockwise, to_viewer(in.world));
    return vec4(linear_from_srgb(normal * 0.5 + 0.5), 1.0);
}

@fragment
fn fs_clay(in: Varyings, @builtin(front_facing) counter_clockwise: bool) -> @location(0) vec4<f32> {
    if ALPHA_MODE == 1u {
        drop_masked(base_color_at(in.uvs, in.color).a);
    }
    let v = to_viewer(in.world);
    let normal = surface_normal(in, counter_clockwise, v);
    let surface = Surface(vec3(0.56, 0.53, 0.50) * frame.clay, 0.0, 0.72, 1.0, vec3(0.0), normal, 1.0);
    return vec4(lit(surface, in, v), 1.0);
}

// Denser and lighter where the surface turns away, so that form is read. Light has no part
// in it: the colour is that of the legend.
@fragment
fn fs_tinted(in: Varyings, @builtin(front_facing) counter_clockwise: bool) -> @location(0) vec4<f32> {
    let v = to_viewer(in.world);
    let facing = clamp(dot(surface_normal(in, counter_clockwise, v), v), 0.0, 1.0);
    let rim = (1.0 - facing) * (1.0 - facing);
    let alpha = mix(in.color.a, 1.0, rim * 0.6);
    return vec4(mix(in.color.rgb * mix(0.7, 1.0, facing), vec3(1.0), rim * 0.35) * alpha, alpha);
}

fn row_length(row: u32) -> f32 {
    let m = frame.clip_from_world;
    return length(vec3(m[0][row], m[1][row], m[2][row]));
}

// Edges sit a little nearer than the faces they bound: by some 1/2000 of their
// distance from the eye, or of that of the picture's middle in a parallel
// projection, whose depth is linear.
@vertex
fn vs_edges(in: VertexIn) -> @builtin(position) vec4<f32> {
    var clip = frame.clip_from_world * vec4(deform(in).position, 1.0);
    if row_length(3u) > 0.0 {
        clip.z *= 1.0 + 4e-4;
    } else {
        clip.z += 2e-3 * row_length(2u) / row_length(1u);
    }
    return clip;
}

@fragment
fn fs_edges() -> @location(0) vec4<f32> {
    let alpha = 0.4;
    return vec4(vec3(0.015, 0.018, 0.022) * alpha, alpha);
}

// Meshes as numbers: weights as colours. Light only shades them, towards black, so that
// what faces the eye has the very colour of the legend.

@group(0) @binding(7) var occlusion_map: texture_2d<f32>;

// As in `model.wgsl`.
override FLAT: bool = false;
override DOUBLE_SIDED: bool = false;
override CULL_IN_SHADER: bool = false;
override OCCLUSION: bool = false;

const STOPS: u32 = 33u;
// In place of the number of a vertex whose weights are all zero.
const NO_WEIGHTS: u32 = 0xffffffffu;

// Colours are linear.
struct HeatUniforms {
    // Of nothing, where `has_zero` is not 0, and of what has no skin.
    plain: vec3<f32>,
    has_zero: u32,
    // Of vertices without weights.
    unweighted: vec3<f32>,
    // The values are sRGB colours with red in the lowest byte, not numbers.
    are_colors: u32,
    // The numbers of the first and the last stop.
    low: f32,
    high: f32,
    padding_0: f32,
    padding_1: f32,
    stops: array<vec4<f32>, STOPS>,
}

@group(3) @binding(0) var<uniform> heat: HeatUniforms;
@group(3) @binding(1) var<storage, read> heat_values: array<u32>;

struct Varyings {
    @builtin(position) clip: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uvs: vec4<f32>,
    @location(3) color: vec4<f32>,
    // A colour, or a number in x; w is 1 where there are no weights.
    @location(4) value: vec4<f32>,
    // 1: the deformation mirrors; 2: no values at all.
    @location(5) @interpolate(flat) flags: u32,
}

@vertex
fn vs_heat(in: VertexIn) -> Varyings {
    let deformed = deform(in);
    let instance = instances[in.instance];
    var out: Varyings;
    out.clip = frame.clip_from_world * vec4(deformed.position, 1.0);
    out.world = deformed.position;
    out.normal = deformed.normal;
    out.uvs = in.uvs;
    out.color = in.color;
    out.flags = u32(deformed.mirrored);
    out.value = vec4(0.0);
    if instance.heat_start == NONE {
        out.flags |= 2u;
        return out;
    }
    let bits = heat_values[instance.heat_start + (in.index - instance.vertex_start)];
    if heat.are_colors != 0u {
        out.value = vec4(linear_from_srgb(unpack4x8unorm(bits).rgb), 0.0);
    } else if bits == NO_WEIGHTS {
        out.value.w = 1.0;
    } else {
        out.value.x = bitcast<f32>(bits);
    }
    return out;
}

// As `scene::Ramp::color` has it.
fn ramp_color(value: f32) -> vec3<f32> {
    if heat.has_zero != 0u && value == 0.0 {
        return heat.plain;
    }
    let at = clamp((value - heat.low) / (heat.high - heat.low), 0.0, 1.0) * f32(STOPS - 1u);
    let first = min(u32(at), STOPS - 2u);
    return mix(heat.stops[first].rgb, heat.stops[first + 1u].rgb, at - f32(first));
}

fn surface_color(in: Varyings) -> vec3<f32> {
    if (in.flags & 2u) != 0u {
        return heat.plain;
    }
    if heat.are_colors != 0u {
        return in.value.rgb;
    }
    return mix(ramp_color(in.value.x), heat.unweighted, in.value.w);
}

// Share of light that a surface sends back to the eye: all of it where it faces the eye.
// A lamp at the eye shows form, and no side of a figure is darker than another.
fn brightness(in: Varyings, counter_clockwise: bool) -> f32 {
    let forward = vec3(frame.view_from_world[0].z, frame.view_from_world[1].z, frame.view_from_world[2].z);
    let v = unit_or(frame.eye - in.world, forward);
    let faces = counter_clockwise != ((in.flags & 1u) != 0u);
    if CULL_IN_SHADER && !DOUBLE_SIDED && !faces {
        discard;
    }
    var normal = unit_or(in.normal, v);
    if FLAT {
        normal = unit_or(cross(dpdx(in.world), dpdy(in.world)), v);
    }
    let facing = clamp(abs(dot(normal, v)), 0.0, 1.0);
    var open = 1.0;
    if OCCLUSION {
        open = ambient_open(occlusion_map, in.clip.xy, distance_of(in.clip.z));
    }
    return mix(0.34, 1.0, facing) * mix(0.45, 1.0, open);
}

@fragment
fn fs_heat(in: Varyings, @builtin(front_facing) counter_clockwise: bool) -> @location(0) vec4<f32> {
    if ALPHA_MODE == 1u && base_color_at(in.uvs, in.color).a < material.alpha_cutoff {
        discard;
    }
    return vec4(surface_color(in) * brightness(in, counter_clockwise), 1.0);
}

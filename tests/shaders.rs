//! Every shader program parses and validates, and every struct that Rust writes
//! has its members where the shader reads them.

#![allow(clippy::panic, reason = "a panic is how a helper fails a test")]

use std::mem::{offset_of, size_of};

use rigscope::render::{
    shaders::{PROGRAMS, Program},
    uniforms::{
        Affine, FrameUniforms, HeatUniforms, Influence, Instance, MIRRORED_BIND, MORPH_NORMALS,
        MORPH_TANGENTS, MaterialUniforms, NONE, NORMALIZE_WEIGHTS, Ray, UvMap,
    },
};
use wgpu::naga;

fn parse(program: &Program) -> naga::Module {
    naga::front::wgsl::parse_str(program.source).unwrap_or_else(|error| {
        panic!(
            "{}.wgsl: {}",
            program.name,
            error.emit_to_string(program.source)
        )
    })
}

#[test]
fn every_program_is_valid_and_has_entry_points() {
    for program in &PROGRAMS {
        let module = parse(program);
        assert!(!module.entry_points.is_empty(), "{}", program.name);
        naga::valid::Validator::new(
            naga::valid::ValidationFlags::all(),
            // Nothing optional: what passes here runs on every device.
            naga::valid::Capabilities::empty(),
        )
        .validate(&module)
        .unwrap_or_else(|error| {
            panic!(
                "{}.wgsl: {}",
                program.name,
                error.emit_to_string(program.source)
            )
        });
    }
}

#[test]
fn every_program_file_is_listed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/shaders");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .expect("the crate has shaders")
        .filter_map(|entry| {
            let name = entry.ok()?.file_name().into_string().ok()?;
            name.strip_suffix(".wgsl").map(str::to_owned)
        })
        .collect();
    files.sort();
    let mut listed: Vec<&str> = PROGRAMS.iter().map(|program| program.name).collect();
    listed.sort_unstable();
    assert_eq!(files, listed);
}

/// Name, offset of each member, and size of a struct, as Rust lays it out.
struct Mirror {
    name: &'static str,
    size: usize,
    members: Vec<(&'static str, usize)>,
}

macro_rules! mirror {
    ($type:ident { $($member:ident),* $(,)? }) => {{
        // Fails to compile if a member is missing from the list.
        let $type { $($member: _),* } = $type::default();
        Mirror {
            name: stringify!($type),
            size: size_of::<$type>(),
            members: vec![$((stringify!($member), offset_of!($type, $member))),*],
        }
    }};
}

fn mirrors() -> Vec<Mirror> {
    vec![
        mirror!(Ray {
            origin,
            padding_0,
            origin_x,
            padding_1,
            origin_y,
            padding_2,
            direction,
            padding_3,
            direction_x,
            padding_4,
            direction_y,
            padding_5,
        }),
        mirror!(Affine { r0, r1, r2 }),
        mirror!(Influence { joint, weight }),
        mirror!(UvMap { row0, row1 }),
        mirror!(FrameUniforms {
            clip_from_world,
            view_from_world,
            light_from_world,
            eye,
            exposure,
            key_direction,
            key_shadow,
            key_radiance,
            shadow_texel,
            viewport,
            dither,
            pixels_per_point,
            ground_height,
            grid_spacing,
            ground_radius,
            ground_shadow,
            grid_origin,
            shadow_height,
            key_width,
            ground_light_origin,
            ground_light_x,
            ground_light_z,
            clay,
            ground_occlusion,
            ray,
            depth_range,
            ground_depth,
            ground_plane,
            view_per_ndc,
            occlusion_radius,
            occlusion_strength,
            grid_axes,
            taps,
            background_top,
            background_bottom,
            grid_color,
            irradiance,
            key_specular,
            key_reflected,
            sky_padding,
        }),
        mirror!(Instance {
            world_from_mesh,
            palette_start,
            morph_start,
            morph_count,
            delta_start,
            vertex_start,
            vertex_count,
            influence_start,
            influence_count,
            flags,
            heat_start,
            tint,
            padding_1,
        }),
        mirror!(HeatUniforms {
            plain,
            has_zero,
            unweighted,
            are_colors,
            low,
            high,
            padding_0,
            padding_1,
            stops,
        }),
        mirror!(MaterialUniforms {
            base_color,
            emissive,
            alpha_cutoff,
            metallic,
            roughness,
            normal_scale,
            occlusion_strength,
            uv_maps,
        }),
    ]
}

#[test]
fn structs_lie_as_the_shaders_read_them() {
    let mut seen = std::collections::BTreeSet::new();
    for program in &PROGRAMS {
        let module = parse(program);
        for mirror in mirrors() {
            let found = module
                .types
                .iter()
                .find(|(_, ty)| ty.name.as_deref() == Some(mirror.name));
            let Some((_, ty)) = found else {
                continue;
            };
            seen.insert(mirror.name);
            let naga::TypeInner::Struct { members, span } = &ty.inner else {
                panic!("{} is no struct in {}.wgsl", mirror.name, program.name);
            };
            let shader: Vec<(&str, usize)> = members
                .iter()
                .map(|member| {
                    let name = member.name.as_deref().expect("members have names");
                    (name, member.offset as usize)
                })
                .collect();
            assert_eq!(
                shader, mirror.members,
                "{} in {}",
                mirror.name, program.name
            );
            assert_eq!(*span as usize, mirror.size, "size of {}", mirror.name);
        }
    }
    assert_eq!(
        seen.len(),
        mirrors().len(),
        "only {seen:?} are used by shaders"
    );
}

#[test]
fn constants_agree() {
    let module = parse(&rigscope::render::shaders::HEAT);
    let constant = |name: &str| {
        let (_, constant) = module
            .constants
            .iter()
            .find(|(_, constant)| constant.name.as_deref() == Some(name))
            .unwrap_or_else(|| panic!("no constant {name}"));
        match module.global_expressions[constant.init] {
            naga::Expression::Literal(naga::Literal::U32(value)) => value,
            ref other => panic!("{name} is {other:?}"),
        }
    };
    assert_eq!(constant("STOPS"), rigscope::scene::ramp::STOPS as u32);
    assert_eq!(constant("NO_WEIGHTS"), rigscope::scene::NO_WEIGHTS);
    assert_eq!(constant("NONE"), NONE);
    assert_eq!(constant("NORMALIZE_WEIGHTS"), NORMALIZE_WEIGHTS);
    assert_eq!(constant("MORPH_NORMALS"), MORPH_NORMALS);
    assert_eq!(constant("MORPH_TANGENTS"), MORPH_TANGENTS);
    assert_eq!(constant("MIRRORED_BIND"), MIRRORED_BIND);
}

//! Shadows, ambient occlusion and the ground's grid, where the numbers can be known.

mod rigs;

use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};
use rigs::{Studio, front_view};
use rigscope::{
    document::{Document, Primitive},
    import,
    math::Aabb,
    render::{Environment, Pixels},
    scene::{Background, Character, OrbitCamera, Shading, View},
};

/// Radiance of the even sky that these tests are lit by.
const SKY: f32 = 0.5;

/// Parts of a mesh, put together.
#[derive(Default)]
struct Mesh(Primitive);

impl Mesh {
    /// A parallelogram with a corner and two sides, seen from where they turn
    /// counter-clockwise, in cells.
    fn sheet(mut self, corner: Vec3, u: Vec3, v: Vec3) -> Self {
        let normal = u.cross(v).normalize();
        let first = self.0.positions.len() as u32;
        for (a, b) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
            self.0.positions.push(corner + u * a + v * b);
            self.0.normals.push(normal);
            self.0.uvs[0].push(Vec2::new(a, b));
        }
        self.0.indices.extend([0, 1, 2, 0, 2, 3].map(|i| first + i));
        self
    }

    fn ball(mut self, middle: Vec3, radius: f32) -> Self {
        const RINGS: u32 = 48;
        let first = self.0.positions.len() as u32;
        for ring in 0..=RINGS {
            let polar = core::f32::consts::PI * ring as f32 / RINGS as f32;
            for side in 0..=RINGS * 2 {
                let angle = core::f32::consts::PI * side as f32 / RINGS as f32;
                let n = Vec3::new(
                    polar.sin() * angle.sin(),
                    polar.cos(),
                    polar.sin() * angle.cos(),
                );
                self.0.positions.push(middle + n * radius);
                self.0.normals.push(n);
                self.0.uvs[0].push(Vec2::ZERO);
            }
        }
        let row = RINGS * 2 + 1;
        for ring in 0..RINGS {
            for side in 0..row - 1 {
                let a = first + ring * row + side;
                self.0
                    .indices
                    .extend([a, a + row, a + row + 1, a, a + row + 1, a + 1]);
            }
        }
        self
    }

    /// White and rough, `scale` times as large.
    fn character(mut self, scale: f32) -> Character {
        for position in &mut self.0.positions {
            *position *= scale;
        }
        self.0.material = Some(0);
        let joints = vec![rigs::joint("a", None, Vec3::ZERO)];
        let mut document: Document = rigs::document("shapes", joints, rigs::finished(self.0));
        document.materials = vec![rigs::paint(Vec4::ONE, 0.0, 1.0)];
        Character::new(Arc::new(document))
    }
}

/// Without a ground, towards a point from a direction.
fn view(target: Vec3, yaw_degrees: f32, pitch_degrees: f32, distance: f32) -> View {
    View {
        camera: OrbitCamera {
            target,
            yaw_radians: yaw_degrees.to_radians(),
            pitch_radians: pitch_degrees.to_radians(),
            distance,
            ..OrbitCamera::default()
        },
        ..front_view()
    }
}

/// Where a point is seen, in pixels.
fn pixel_of(view: &View, size: u32, point: Vec3) -> (u32, u32) {
    let clip = view.camera.clip_from_view(1.0) * view.camera.view_from_world();
    let at = clip.project_point3(point);
    let place = |x: f32| ((x * 0.5 + 0.5) * size as f32) as u32;
    (place(at.x), place(-at.y))
}

/// Linear radiance of a pixel under the tone mapper's knee.
fn radiance(pixels: &Pixels, (x, y): (u32, u32)) -> f32 {
    let encoded = f32::from(pixels.pixel(x, y)[1]) / 255.0;
    let mapped = if encoded <= 0.04045 {
        encoded / 12.92
    } else {
        ((encoded + 0.055) / 1.055).powf(2.4)
    };
    // Khronos PBR Neutral takes 0.04 off, and less of what is darker than 0.08.
    if mapped >= 0.04 {
        mapped + 0.04
    } else {
        (mapped / 6.25).sqrt()
    }
}

/// An even sky with a key light on top.
fn lit_by(key_direction: Vec3, key: f32) -> Environment {
    Environment {
        key_direction,
        key_radiance: Vec3::splat(key),
        ..Environment::furnace(0.3)
    }
}

#[test]
fn an_occluder_takes_the_keys_share_under_it_and_nothing_beside_it() {
    const SIZE: u32 = 128;
    let mut studio = Studio::new(SIZE);
    let towards_light = Vec3::new(0.5, 1.0, 0.0).normalize();
    for scale in [0.01, 1.0, 100.0] {
        let stage = || {
            Mesh::default()
                .sheet(Vec3::new(-2.0, 0.0, 2.0), Vec3::X * 4.0, Vec3::NEG_Z * 4.0)
                .sheet(Vec3::new(0.0, 1.0, 0.5), Vec3::X, Vec3::NEG_Z)
                .sheet(Vec3::new(0.0, 1.0, -0.5), Vec3::X, Vec3::Z)
                .character(scale)
        };
        let mut view = view(Vec3::ZERO, 0.0, 60.0, 7.0 * scale);
        let mut shoot = |shadow, key| {
            view.shadow = shadow;
            view.grid = false;
            studio.renderer.set_environment(lit_by(towards_light, key));
            studio.shoot(vec![stage()], &view)
        };
        let (shadowed, open, keyless) = (shoot(true, 0.3), shoot(false, 0.3), shoot(false, 0.0));
        let at = |x: f32, z: f32| pixel_of(&view, SIZE, Vec3::new(x, 0.0, z) * scale);
        // The square's shadow is where x is between −0.5 and 0.5.
        for z in [-0.2, 0.0, 0.2] {
            let place = at(-0.3, z);
            let (got, wanted) = (radiance(&shadowed, place), radiance(&keyless, place));
            assert!((got - wanted).abs() < 0.01, "{scale}: {got}, not {wanted}");
            assert!(radiance(&open, place) > wanted + 0.2);
        }
        for (x, z) in [(-1.2, 0.0), (1.7, 0.0), (-0.3, 1.3), (-0.3, -1.3)] {
            let (got, wanted) = (radiance(&shadowed, at(x, z)), radiance(&open, at(x, z)));
            assert!(
                (got - wanted).abs() < 0.005,
                "{scale} {x} {z}: {got}, not {wanted}"
            );
        }
        // In between it goes from one to the other, without steps.
        view.camera.target = Vec3::new(-0.5, 0.0, 0.0) * scale;
        view.camera.distance = 1.2 * scale;
        view.shadow = true;
        let close = studio.shoot(vec![stage()], &view);
        let edge: Vec<f32> = (0..30)
            .map(|i| Vec3::new(-0.65 + 0.01 * i as f32, 0.0, 0.0) * scale)
            .map(|point| radiance(&close, pixel_of(&view, SIZE, point)))
            .collect();
        assert!(
            edge.windows(2).all(|pair| pair[1] <= pair[0] + 0.005),
            "{scale}: {edge:?}"
        );
        assert!(
            edge.windows(2).all(|pair| pair[0] - pair[1] < 0.06),
            "{scale}: {edge:?}"
        );
    }
}

/// What a normal painted as a colour means.
fn normal(pixel: [u8; 4]) -> Vec3 {
    Vec3::new(pixel[0].into(), pixel[1].into(), pixel[2].into()) / 127.5 - 1.0
}

#[test]
fn a_ball_neither_shadows_its_lit_side_nor_darkens_its_dark_one_twice() {
    const SIZE: u32 = 160;
    let mut studio = Studio::new(SIZE);
    for (scale, towards_light) in [
        (0.01, Vec3::new(0.5, 0.7, 0.4)),
        (1.0, Vec3::new(0.9, 0.3, 0.1)),
        (100.0, Vec3::new(-0.2, 0.5, 0.9)),
    ] {
        let towards_light = towards_light.normalize();
        let ball = || Mesh::default().ball(Vec3::Y, 1.0).character(scale);
        studio.renderer.set_environment(lit_by(towards_light, 0.4));
        let mut view = view(Vec3::Y * scale, 20.0, 15.0, 4.0 * scale);
        let open = studio.shoot(vec![ball()], &view);
        view.shadow = true;
        let shadowed = studio.shoot(vec![ball()], &view);
        view.shading = Shading::Normals;
        let normals = studio.shoot(vec![ball()], &view);
        let (mut lit, mut dark) = (0, 0);
        for place in (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (x, y))) {
            let cosine = normal(normals.pixel(place.0, place.1)).dot(towards_light);
            if normals.pixel(place.0, place.1)[3] < 255 || (0.0..0.12).contains(&cosine) {
                continue;
            }
            let (got, wanted) = (radiance(&shadowed, place), radiance(&open, place));
            assert!(
                (got - wanted).abs() < 0.01 * wanted,
                "{scale}: {got}, not {wanted} at {place:?}, cosine {cosine}"
            );
            lit += i32::from(cosine > 0.0);
            dark += i32::from(cosine <= 0.0);
        }
        assert!(lit > 1500 && dark > 200, "{lit} {dark}");
    }
}

/// Share of ambient light that arrives, from a picture under an even sky.
fn openness(pixels: &Pixels, place: (u32, u32)) -> f32 {
    radiance(pixels, place) / SKY
}

fn under_even_sky(studio: &mut Studio) {
    studio.renderer.set_environment(Environment::furnace(SKY));
}

#[test]
fn an_open_plane_is_open_and_an_inner_corner_is_not() {
    const SIZE: u32 = 200;
    let mut studio = Studio::new(SIZE);
    under_even_sky(&mut studio);
    for (scale, orthographic) in [(0.01, false), (1.0, false), (1.0, true), (100.0, false)] {
        let floor =
            || Mesh::default().sheet(Vec3::new(-2.0, 0.0, 2.0), Vec3::X * 4.0, Vec3::NEG_Z * 4.0);
        let mut view = view(Vec3::new(0.0, 0.0, 0.0), 25.0, 40.0, 5.0 * scale);
        view.camera.orthographic = orthographic;
        view.ambient_occlusion = true;
        let at = |x: f32, z: f32| pixel_of(&view, SIZE, Vec3::new(x, 0.0, z) * scale);
        let plane = studio.shoot(vec![floor().character(scale)], &view);
        for (x, z) in [(0.0, 0.0), (0.7, 0.3), (-0.9, 0.8), (0.3, -1.5)] {
            let open = openness(&plane, at(x, z));
            assert!((open - 1.0).abs() < 0.01, "{scale}: {open} at {x}, {z}");
        }
        // With a wall along z = −0.5 that faces the viewer.
        let corner = floor()
            .sheet(Vec3::new(-2.0, 0.0, -0.5), Vec3::X * 4.0, Vec3::Y * 2.0)
            .character(scale);
        let corner = studio.shoot(vec![corner], &view);
        // Over the radius, which is 0.11 of the height, from the wall outwards.
        let row: Vec<f32> = [0.05, 0.25, 0.5, 0.75, 1.0, 1.6, 3.0]
            .map(|share| openness(&corner, at(0.1, -0.5 + share * 0.22)))
            .to_vec();
        assert!((0.4..0.72).contains(&row[0]), "{scale}: {row:?}");
        assert!((0.6..0.93).contains(&row[2]), "{scale}: {row:?}");
        assert!(row[5] > 0.98 && row[6] > 0.99, "{scale}: {row:?}");
        assert!(
            row.windows(2).all(|pair| pair[1] > pair[0] - 0.02),
            "{scale}: {row:?}"
        );
    }
}

#[test]
fn a_ball_leaves_no_halo_on_what_is_far_behind_it() {
    const SIZE: u32 = 128;
    let mut studio = Studio::new(SIZE);
    under_even_sky(&mut studio);
    let stage = || {
        Mesh::default()
            .sheet(Vec3::new(-4.0, -2.0, -3.0), Vec3::X * 8.0, Vec3::Y * 6.0)
            .ball(Vec3::Y, 0.7)
            .character(1.0)
    };
    let mut view = view(Vec3::Y, 0.0, 0.0, 4.0);
    let open = studio.shoot(vec![stage()], &view);
    view.ambient_occlusion = true;
    let occluded = studio.shoot(vec![stage()], &view);
    view.shading = Shading::Normals;
    let normals = studio.shoot(vec![stage()], &view);
    let mut wall = 0;
    for place in (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (x, y))) {
        let difference = openness(&open, place) - openness(&occluded, place);
        assert!(difference > -0.005, "brighter at {place:?}");
        if normal(normals.pixel(place.0, place.1)).z > 0.999 {
            assert!(difference < 0.01, "{difference} at {place:?}");
            wall += 1;
        }
    }
    assert!(wall > 4000, "{wall}");
}

#[test]
fn occlusion_darkens_characters_and_the_ground_and_never_brightens() {
    const SIZE: u32 = 160;
    let mut studio = Studio::new(SIZE);
    let character = Character::new(Arc::new(import::built_in()));
    for background in [Background::Dark, Background::Light, Background::Transparent] {
        let mut view = rigs::framed(&character);
        view.background = background;
        view.grid = background != Background::Transparent;
        view.shadow = false;
        view.ambient_occlusion = false;
        let open = studio.shoot(vec![character.clone()], &view);
        view.ambient_occlusion = true;
        let occluded = studio.shoot(vec![character.clone()], &view);
        let mut darker = [0; 2];
        for (a, b) in open.rgba.chunks(4).zip(occluded.rgba.chunks(4)) {
            assert!(b[1] <= a[1].saturating_add(1), "{a:?} became {b:?}");
            assert_eq!(a[3], b[3], "a cut-out keeps its outline");
            // Skin is red, the ground is not.
            let ground = a[0] <= a[2].saturating_add(4);
            darker[usize::from(ground)] += i32::from(b[1] + 2 < a[1]);
        }
        assert!(darker[0] > 100, "{background:?}: {darker:?}");
        let ground = background != Background::Transparent;
        assert_eq!(darker[1] > 10, ground, "{background:?}: {darker:?}");
        // Normals are no light.
        view.shading = Shading::Normals;
        let normals = studio.shoot(vec![character.clone()], &view);
        view.ambient_occlusion = false;
        assert!(normals == studio.shoot(vec![character.clone()], &view));
    }
}

/// The ground alone, seen from a distance at an angle, moved across by some pixels.
fn ground(studio: &mut Studio, size: u32, pitch: f32, distance: f32, shift: Vec2) -> Pixels {
    let mut view = View {
        background: Background::Light,
        ..view(Vec3::ZERO, 33.0, pitch, distance)
    };
    view.grid = true;
    let pixel = 2.0 * distance * (view.camera.yfov_radians * 0.5).tan() / size as f32;
    let across = view.camera.world_from_view_rotation() * Vec3::new(shift.x, shift.y, 0.0);
    view.camera.target = across * pixel;
    studio.shoot(Vec::new(), &view)
}

#[test]
fn the_grid_does_not_shimmer_as_the_camera_moves() {
    const SIZE: u32 = 192;
    let mut studio = Studio::new(SIZE);
    for pixels_per_point in [1.0, 2.0] {
        studio.renderer.set_pixels_per_point(pixels_per_point);
        for (pitch, distance) in [
            (2.0, 3.0),
            (8.0, 0.5),
            (8.0, 4.0),
            (20.0, 12.0),
            (70.0, 4.0),
        ] {
            let steps: Vec<Pixels> = (0..8)
                .map(|i| Vec2::splat(i as f32 / 8.0))
                .map(|shift| ground(&mut studio, SIZE, pitch, distance, shift))
                .collect();
            // A line that passes over a pixel darkens it step by step; a row keeps
            // its mean.
            let mut largest_step = 0;
            for pair in steps.windows(2) {
                for (a, b) in pair[0].rgba.iter().zip(&pair[1].rgba) {
                    largest_step = largest_step.max(a.abs_diff(*b));
                }
            }
            assert!(
                largest_step <= 12,
                "pitch {pitch}, distance {distance}: a step of {largest_step}"
            );
            let means: Vec<f32> = steps.iter().map(mean).collect();
            let low = means.iter().copied().fold(f32::INFINITY, f32::min);
            let high = means.iter().copied().fold(0.0, f32::max);
            assert!(
                high - low < 0.25,
                "pitch {pitch}, distance {distance}: {means:?}"
            );
        }
    }
}

fn mean(pixels: &Pixels) -> f32 {
    let sum: f32 = pixels.rgba.chunks(4).map(|p| f32::from(p[1])).sum();
    sum / (pixels.width * pixels.height) as f32
}

#[test]
fn the_grid_ends_exactly_in_the_background() {
    const SIZE: u32 = 200;
    let mut studio = Studio::new(SIZE);
    for background in [Background::Dark, Background::Light] {
        let mut view = view(Vec3::ZERO, 0.0, 90.0, 20.0);
        view.camera.orthographic = true;
        view.background = background;
        let bare = studio.shoot(Vec::new(), &view);
        view.grid = true;
        let grid = studio.shoot(Vec::new(), &view);
        // Without characters it fades out at 5 units.
        let unit = SIZE as f32 / (2.0 * 20.0 * (view.camera.yfov_radians * 0.5).tan());
        let (mut inside, mut outside) = (0, 0);
        for place in (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (x, y))) {
            let from_middle = Vec2::new(place.0 as f32, place.1 as f32) + 0.5 - SIZE as f32 * 0.5;
            let same = bare.pixel(place.0, place.1) == grid.pixel(place.0, place.1);
            if from_middle.length() > 5.0 * unit {
                assert!(same, "{place:?}");
                outside += 1;
            } else if from_middle.length() < 2.0 * unit {
                inside += i32::from(!same);
            }
        }
        assert!(outside > 10_000 && inside > 500, "{outside} {inside}");
    }
}

/// The first picture is drawn by one pipeline, later ones part by part.
#[test]
fn parts_of_the_ground_fit_together_without_seams() {
    let character = Character::new(Arc::new(import::built_in()));
    for (pitch, orthographic) in [(0.2, false), (-0.1, false), (0.6, true)] {
        let mut view = rigs::framed(&character);
        view.camera.pitch_radians = pitch;
        view.camera.orthographic = orthographic;
        view.camera.distance *= 2.0;
        let mut studio = Studio::new(193);
        studio.renderer.split_ground(true);
        let first = studio.shoot(vec![character.clone()], &view);
        let second = studio.shoot(vec![character.clone()], &view);
        let off = first.rgba.iter().zip(&second.rgba);
        let worst = off.map(|(a, b)| a.abs_diff(*b)).max();
        assert!(worst <= Some(1), "pitch {pitch}: {worst:?}");
    }
}

#[test]
fn bounds_of_a_stage_are_those_of_its_shapes() {
    // What radius and shadow map follow from.
    let character = Mesh::default().ball(Vec3::Y, 1.0).character(2.0);
    let bounds = rigscope::scene::animated_bounds(&character);
    let wanted = Aabb::from_points([Vec3::new(-2.0, 0.0, -2.0), Vec3::new(2.0, 4.0, 2.0)]);
    assert!(bounds.min.abs_diff_eq(wanted.min, 0.1) && bounds.max.abs_diff_eq(wanted.max, 0.1));
}

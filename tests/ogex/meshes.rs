//! Meshes, materials, cameras, and what is left out.

use glam::{Mat4, Vec3};
use rigscope::{
    document::{FindingCode, Projection},
    import::{Progress, load},
};

use super::{QUAD, UP, common, messages, read};

#[test]
fn skins_of_one_to_seven_influences() {
    for count in 1..=7_usize {
        let list = |text: &str| vec![text; 4 * count].join(",");
        let weight = format!("{}", 1.0 / count as f32);
        let skin = format!(
            "Skin {{ Transform {{ float[16] {{{{1,0,0,0, 0,1,0,0, 0,0,1,0, 5,0,0,1}}}} }}
               Skeleton {{ BoneRefArray {{ ref {{$b}} }}
                 Transform {{ float[16] {{{{1,0,0,0, 0,1,0,0, 0,0,1,0, 0,2,0,1}}}} }} }}
               BoneCountArray {{ u16 {{{}}} }} BoneIndexArray {{ u8 {{{}}} }} BoneWeightArray {{ float {{{}}} }} }}",
            vec![count.to_string(); 4].join(","),
            list("0"),
            list(&weight)
        );
        let document = read(&format!(
            "{UP}BoneNode $b {{}} GeometryNode {{ ObjectRef {{ ref {{$g}} }} MorphWeight (index = 1) {{ float {{0.25}} }} }} {}",
            QUAD.replace("SKIN", &skin)
        ));
        let primitive = &document.meshes[0].primitives[0];
        assert_eq!(primitive.influences.per_vertex, count.next_multiple_of(4));
        let used = primitive
            .influences
            .of_vertex(3)
            .filter(|&(_, weight)| weight > 0.0);
        assert_eq!(used.count(), count);
        assert_eq!(primitive.indices, [0, 1, 2, 0, 2, 3]);
        assert_eq!(primitive.morph_targets[0].positions, [Vec3::Z; 4]);
        assert_eq!(document.meshes[0].morph_names, ["out"]);
        assert_eq!(document.instances[0].morph_weights, [0.25]);
        assert_eq!(
            document.skins[0].joint_from_mesh[0],
            Mat4::from_translation(Vec3::new(5.0, -2.0, 0.0))
        );
    }
}

#[test]
fn object_transforms_move_the_mesh_and_not_the_children() {
    let document = read(&format!(
        "{UP}GeometryNode {{ ObjectRef {{ ref {{$g}} }} MaterialRef {{ ref {{$m}} }}
           Translation (object = true) {{ float[3] {{{{0, 0, 3}}}} }} Translation {{ float[3] {{{{1, 0, 0}}}} }}
           Node {{}} }}
         Material $m {{ Color (attrib = \"diffuse\") {{ float[3] {{{{0.5, 0.25, 0}}}} }}
           Texture (attrib = \"diffuse\") {{ string {{\"no such.png\"}} }} }} {}",
        QUAD.replace("SKIN", "")
    ));
    assert_eq!(
        document.meshes[0].primitives[0].positions[1],
        Vec3::new(1.0, 0.0, 3.0)
    );
    let globals = document.skeleton.rest_globals();
    assert_eq!(globals[1].w_axis.truncate(), Vec3::X);
    assert_eq!(
        document.materials[0].base_color.truncate(),
        Vec3::new(0.5, 0.25, 0.0)
    );
    assert_eq!(document.meshes[0].primitives[0].material, Some(0));
    assert!(
        document
            .findings
            .iter()
            .any(|f| f.code == FindingCode::ImageUnreadable)
    );
}

#[test]
fn matrices_may_leave_out_what_is_always_the_same() {
    let document = read(&format!(
        "{UP}Node {{ Transform {{ float[12] {{{{0,1,0, -1,0,0, 0,0,1, 4,5,6}}}} }} }}
         Material {{ Texture (attrib = \"diffuse\") {{ string {{\"a.png\"}} Transform {{ float[6] {{{{2,0, 0,2, 0.25,0}}}} }} }} }}
         Material {{ Texture (attrib = \"diffuse\") {{ string {{\"a.png\"}} Transform {{ float[4] {{{{2,0, 0,2}}}} }} }} }}"
    ));
    let expected = Mat4::from_translation(Vec3::new(4.0, 5.0, 6.0))
        * Mat4::from_rotation_z(std::f32::consts::FRAC_PI_2);
    assert!(
        document.skeleton.joints[0]
            .rest_mat4()
            .abs_diff_eq(expected, 1e-6)
    );
    let texture = |at: usize| document.materials[at].base_color_texture.expect("one");
    assert_eq!(texture(0).uv_transform.matrix2.x_axis.x, 2.0);
    assert_eq!(texture(0).uv_transform.translation.x, 0.25);
    assert_eq!(texture(1).uv_transform.translation.x, 0.0);
    assert_eq!(document.textures.len(), 1, "one picture is kept once");
}

#[test]
fn cameras_look_as_wide_as_the_file_says() {
    let document = read(&format!(
        "{UP}Metric (key = \"distance\") {{float {{0.01}}}} Metric (key = \"angle\") {{float {{0.0174532925}}}}
         CameraNode {{ Name {{ string {{\"front\"}} }} ObjectRef {{ ref {{$c}} }} Translation (object = true) {{ float[3] {{{{0, 0, 100}}}} }} }}
         CameraNode {{ ObjectRef {{ ref {{$d}} }} }} CameraNode {{ ObjectRef {{ ref {{$none}} }} }}
         CameraObject $c {{ Param (attrib = \"fov\") {{ float {{90}} }} Param (attrib = \"near\") {{ float {{10}} }} }}
         CameraObject $d {{ Param (attrib = \"fovy\") {{ float {{40}} }} Param (attrib = \"far\") {{ float {{1e9}} }} }}"
    ));
    let [front, other] = &document.cameras[..] else {
        panic!("two cameras");
    };
    let Projection::Perspective {
        yfov_radians,
        aspect: Some(aspect),
        near,
        ..
    } = front.projection
    else {
        panic!("a lens");
    };
    // Ninety degrees across: as far to the side as ahead.
    assert!(((yfov_radians / 2.0).tan() * aspect - 1.0).abs() < 1e-6);
    assert!((near - 0.1).abs() < 1e-6);
    assert_eq!(front.name, "front");
    let globals = document.skeleton.rest_globals();
    assert_eq!(globals[front.joint].w_axis.truncate(), Vec3::Z);
    let Projection::Perspective { yfov_radians, .. } = other.projection else {
        panic!("a lens");
    };
    assert!((yfov_radians - 40_f32.to_radians()).abs() < 1e-6);
    assert_eq!(messages(&document, FindingCode::ReferenceInvalid).len(), 1);
}

/// Nothing is dropped in silence.
#[test]
fn what_is_left_out_is_said() {
    let document = read(&format!(
        "{UP}LightNode {{ ObjectRef {{ ref {{$l}} }} Node {{}} }} LightNode {{ ObjectRef {{ ref {{$l}} }} }}
         LightObject $l (type = \"point\") {{ Color (attrib = \"light\") {{ float[3] {{{{1, 1, 1}}}} }} Atten {{}} }}
         Material {{ Color (attrib = \"sheen\") {{ float[3] {{{{1, 1, 1}}}} }} Param (attrib = \"clearcoat\") {{ float {{1}} }}
           Texture (attrib = \"specular\") {{ string {{\"s.png\"}} Animation {{}} }} }}
         Physics {{ Body {{}} Node {{}} }}
         GeometryNode (visible = false) {{ ObjectRef {{ ref {{$g}} }} }}
         {}",
        QUAD.replace(
            "SKIN",
            "VertexArray (attrib = \"color[1]\") { float[3] {{0,0,0},{1,0,0},{1,1,0},{0,1,0}} }
             } Mesh (lod = 2) {"
        )
    ));
    assert_eq!(document.skeleton.joints.len(), 4);
    assert!(!document.instances[0].in_scene);
    let said = messages(&document, FindingCode::ExtensionUnsupported).join("\n");
    for words in [
        "line 2 and 1 more: the light is not shown, only its node",
        "line 5: the animation of something that is no node is not played",
        "line 6: Physics is a structure that the format does not know",
        "colour \"sheen\", number \"clearcoat\", texture \"specular\"",
        "\"color\" is not shown",
        "level of detail 2",
        "is marked as not visible",
    ] {
        assert!(said.contains(words), "{words} in:\n{said}");
    }
    assert_eq!(said.lines().count(), 7, "{said}");
}

#[test]
fn pictures_lie_beside_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let red = image::RgbaImage::from_pixel(2, 2, image::Rgba([255, 0, 0, 255]));
    red.save(folder.path().join("skin 50%.png")).expect("saved");
    let path = folder.path().join("quad.ogex");
    let text = format!(
        "{UP}GeometryNode {{ ObjectRef {{ ref {{$g}} }} MaterialRef {{ ref {{$m}} }} }}
         Material $m {{ Texture (attrib = \"diffuse\") {{ string {{\"//skin 50%.png\"}} }} Texture (attrib = \"normal\") {{ string {{\"../no.png\"}} }} }} {}",
        QUAD.replace(
            "SKIN",
            "VertexArray (attrib = \"texcoord\") { float[2] {{0,0},{1,0},{1,0.75},{0,1}} }"
        )
    );
    std::fs::write(&path, text).expect("written");
    let document = load(&path, &Progress::new()).expect("a good file");
    let violations = common::validate::violations(&document);
    assert!(violations.is_empty(), "{violations:#?}");
    assert_eq!(document.images.len(), 2);
    assert_eq!(
        (document.images[0].width, document.images[0].height),
        (2, 2)
    );
    let unreadable = messages(&document, FindingCode::ImageUnreadable);
    assert!(
        unreadable.len() == 1 && unreadable[0].contains("no.png"),
        "{unreadable:?}"
    );
    // Upwards in the file, downwards here.
    let uv = &document.meshes[0].primitives[0].uvs[0];
    assert_eq!((uv[0].y, uv[2].y), (1.0, 0.25));
    assert_eq!(
        document.sources.len(),
        2,
        "the model and the picture it has"
    );
}

#[test]
fn objects_that_no_node_shows_are_said() {
    let document = read(&format!("{UP}{}", QUAD.replace("SKIN", "")));
    assert_eq!(document.meshes.len(), 1);
    let said = messages(&document, FindingCode::MeshInvalid);
    assert!(said[0].contains("no node shows it"), "{said:?}");
}

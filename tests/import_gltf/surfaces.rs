//! Materials, textures, images.

use std::io::Cursor;

use base64::Engine as _;
use glam::{Vec2, Vec3, Vec4};
use image::{ImageFormat, Rgb, RgbImage};
use rigscope::document::{
    AlphaMode, Document, Filter, FindingCode, Material, Sampler, Severity, Wrap,
};
use serde_json::{Value, json};

use crate::{
    common::glb::Builder,
    fixture::{assert_names, finding, load, load_clean, primitive, quad},
};

/// A picture of one colour.
pub fn picture(format: ImageFormat, color: [u8; 3]) -> Vec<u8> {
    let mut encoded = Cursor::new(Vec::new());
    RgbImage::from_pixel(4, 2, Rgb(color))
        .write_to(&mut encoded, format)
        .expect("a picture in memory");
    encoded.into_inner()
}

/// A data URI.
pub fn data_uri(content: &[u8]) -> String {
    let base64 = base64::engine::general_purpose::STANDARD.encode(content);
    format!("data:application/octet-stream;base64,{base64}")
}

/// A quad with one material that shows image 0 through texture 0.
fn textured(image: Value) -> Builder {
    let mut file = quad();
    file.json["images"] = json!([image]);
    file.json["textures"] = json!([{"source": 0}]);
    file.json["materials"] =
        json!([{"name": "Skin", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]);
    primitive(&mut file)["material"] = json!(0);
    file
}

/// A quad with a material of these properties.
fn with_material(material: Value) -> Document {
    let mut file = textured(json!({"uri": data_uri(&picture(ImageFormat::Png, [1, 2, 3]))}));
    file.json["materials"] = json!([material]);
    load(&file)
}

#[test]
fn pictures_of_every_format_from_uri_and_buffer() {
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP] {
        let encoded = picture(format, [200, 100, 50]);
        let mut embedded = textured(json!({}));
        let view = embedded.view(&encoded);
        // The stated type is often wrong, and not needed.
        embedded.json["images"] = json!([{"bufferView": view, "mimeType": "image/png"}]);
        for file in [textured(json!({"uri": data_uri(&encoded)})), embedded] {
            let document = load_clean(&file);
            let image = &document.images[0];
            assert_eq!((image.width, image.height), (4, 2));
            assert_eq!(image.name, "image 0");
            assert!(image.placeholder.is_none());
            let near = |a: u8, b: u8| a.abs_diff(b) < 8;
            let pixel = &image.pixels[..4];
            assert!(
                near(pixel[0], 200) && near(pixel[1], 100) && near(pixel[2], 50) && pixel[3] == 255,
                "{format:?} {pixel:?}"
            );
        }
    }
}

#[test]
fn sixteen_bit_and_grey_pictures_become_rgba() {
    let encode = |picture: image::DynamicImage| {
        let mut encoded = Cursor::new(Vec::new());
        picture
            .write_to(&mut encoded, ImageFormat::Png)
            .expect("a picture in memory");
        encoded.into_inner()
    };
    let deep = image::DynamicImage::ImageRgba16(image::ImageBuffer::from_pixel(
        1,
        1,
        image::Rgba([0xffff, 0x8000, 0, 0x8000]),
    ));
    let grey =
        image::DynamicImage::ImageLuma8(image::ImageBuffer::from_pixel(1, 1, image::Luma([9])));
    for (picture, pixel) in [(deep, [255, 128, 0, 128]), (grey, [9, 9, 9, 255])] {
        let file = textured(json!({"name": "Deep", "uri": data_uri(&encode(picture))}));
        let document = load_clean(&file);
        assert_eq!(document.images[0].pixels, pixel);
        assert_eq!(document.images[0].name, "Deep");
    }
}

#[test]
fn pictures_that_cannot_be_read_become_placeholders() {
    // Width and height in the header, and the header's checksum.
    let sized = |width: u32, height: u32| {
        let mut png = picture(ImageFormat::Png, [0; 3]);
        png[16..20].copy_from_slice(&width.to_be_bytes());
        png[20..24].copy_from_slice(&height.to_be_bytes());
        let checksum = crc32(&png[12..29]).to_be_bytes();
        png[29..33].copy_from_slice(&checksum);
        data_uri(&png)
    };
    let mut cut = picture(ImageFormat::Png, [1, 2, 3]);
    cut.truncate(cut.len() - 20);
    for (image, words) in [
        (
            json!({"name": "Tex", "uri": sized(65_536, 65_536)}),
            &["image 0 \"Tex\"", "65536×65536"][..],
        ),
        (json!({"uri": sized(16_385, 1)}), &["image 0", "16385×1"]),
        (json!({"uri": sized(1, 16_385)}), &["image 0", "1×16385"]),
        (
            json!({"uri": sized(16_000, 16_000)}),
            &["image 0", "16000×16000"],
        ),
        (
            json!({"uri": sized(0, 4)}),
            &["image 0", "cannot be decoded"],
        ),
        (
            json!({"name": "Tex", "uri": data_uri(&cut)}),
            &["image 0 \"Tex\"", "cannot be decoded"],
        ),
        (
            json!({"uri": data_uri(b"GIF89a..")}),
            &["image 0", "neither PNG", "GIF89a"],
        ),
        (
            json!({"uri": "data:image/png;base64,@"}),
            &["image 0", "base64"],
        ),
        (
            json!({"uri": "missing%20file.png"}),
            &["image 0 \"missing%20file.png\"", "no folder"],
        ),
        (
            json!({"uri": "https://example.org/a.png"}),
            &["image 0", "https", "not fetched"],
        ),
        (json!({"uri": "../../a.png"}), &["image 0", "leaves"]),
        (json!({"bufferView": 70}), &["image 0", "bufferView 70"]),
        (json!({}), &["image 0", "neither a uri nor a bufferView"]),
    ] {
        let document = load(&textured(image));
        let found = finding(&document, FindingCode::ImageUnreadable);
        assert_names(&found.message, words);
        assert_eq!(found.severity, Severity::Warning);
        let image = &document.images[0];
        assert_eq!((image.width, image.height), (8, 8));
        assert!(image.placeholder.is_some());
        assert_eq!(image.pixels[..8], [255, 0, 255, 255, 128, 128, 128, 255]);
    }
}

/// Of the PNG format, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc: u32, _| {
            (crc >> 1) ^ (0xedb8_8320 & 0_u32.wrapping_sub(crc & 1))
        })
    })
}

#[test]
fn only_pictures_that_materials_use_are_read() {
    let good = data_uri(&picture(ImageFormat::Png, [7, 7, 7]));
    let mut file = textured(json!({"uri": "nowhere.png"}));
    file.push("images", json!({"name": "Good", "uri": good}));
    file.push("textures", json!({"source": 1}));
    file.json["materials"] = json!([
        {"pbrMetallicRoughness": {"baseColorTexture": {"index": 1}}},
        {"emissiveTexture": {"index": 1}, "normalTexture": {"index": 1}}
    ]);
    let document = load_clean(&file);
    assert_eq!((document.images.len(), document.textures.len()), (1, 1));
    assert_eq!(document.images[0].name, "Good");
}

#[test]
fn webp_is_preferred_to_its_fallback() {
    let webp = data_uri(&picture(ImageFormat::WebP, [0, 0, 250]));
    let mut file = textured(json!({"uri": data_uri(&picture(ImageFormat::Png, [250, 0, 0]))}));
    file.push("images", json!({"uri": webp}));
    file.json["extensionsUsed"] = json!(["EXT_texture_webp"]);
    file.json["textures"] =
        json!([{"source": 0, "extensions": {"EXT_texture_webp": {"source": 1}}}]);
    assert_eq!(load_clean(&file).images[0].pixels[2], 250);
    // Without a fallback, too.
    file.json["extensionsRequired"] = json!(["EXT_texture_webp"]);
    file.json["textures"] = json!([{"extensions": {"EXT_texture_webp": {"source": 1}}}]);
    assert_eq!(load_clean(&file).images[0].pixels[2], 250);
    // A format that is not read, without a fallback.
    file.json["textures"] = json!([{"extensions": {"KHR_texture_basisu": {"source": 1}}}]);
    let document = load(&file);
    assert_eq!(document.materials[0].base_color_texture, None);
    assert_names(
        &finding(&document, FindingCode::ReferenceInvalid).message,
        &[
            "texture 0",
            "base colour texture of material 0 \"Skin\"",
            "no image",
        ],
    );
}

#[test]
fn every_property_of_a_material() {
    let info = json!({"index": 0, "texCoord": 1});
    let document = with_material(json!({
        "name": "All",
        "pbrMetallicRoughness": {
            "baseColorFactor": [0.1, 0.2, 0.3, 0.4], "metallicFactor": 0.5, "roughnessFactor": 0.6,
            "baseColorTexture": info, "metallicRoughnessTexture": info
        },
        "normalTexture": {"index": 0, "scale": 0.7},
        "occlusionTexture": {"index": 0, "strength": 0.8},
        "emissiveTexture": info,
        "emissiveFactor": [0.1, 0.2, 0.3],
        "alphaMode": "MASK", "alphaCutoff": 0.9, "doubleSided": true,
        "extensions": {
            "KHR_materials_unlit": {},
            "KHR_materials_emissive_strength": {"emissiveStrength": 10}
        }
    }));
    let all = &document.materials[0];
    assert_eq!(all.name, "All");
    assert_eq!(all.base_color, Vec4::new(0.1, 0.2, 0.3, 0.4));
    assert_eq!((all.metallic, all.roughness), (0.5, 0.6));
    assert_eq!((all.normal_scale, all.occlusion_strength), (0.7, 0.8));
    assert!(all.emissive.abs_diff_eq(Vec3::new(1.0, 2.0, 3.0), 1e-6));
    assert_eq!(all.alpha_mode, AlphaMode::Mask(0.9));
    assert!(all.double_sided && all.unlit);
    for texture in [
        all.base_color_texture,
        all.metallic_roughness_texture,
        all.emissive_texture,
    ] {
        assert_eq!(texture.expect("a texture").uv_set, 1);
    }
    assert_eq!(all.normal_texture.expect("a texture").uv_set, 0);
    assert_eq!(all.occlusion_texture.expect("a texture").uv_set, 0);

    assert_eq!(with_material(json!({})).materials[0], Material::default());
    let blend = with_material(json!({"alphaMode": "BLEND"}));
    assert_eq!(blend.materials[0].alpha_mode, AlphaMode::Blend);
    let mask = with_material(json!({"alphaMode": "MASK"}));
    assert_eq!(mask.materials[0].alpha_mode, AlphaMode::Mask(0.5));
}

#[test]
fn texture_transforms() {
    let transform = |transform: Value| {
        let document = with_material(json!({"emissiveTexture": {
            "index": 0, "texCoord": 1, "extensions": {"KHR_texture_transform": transform}
        }}));
        document.materials[0].emissive_texture.expect("a texture")
    };
    let half_turn = transform(json!({"offset": [0.25, 0.5], "scale": [2, 3], "texCoord": 0}));
    assert_eq!(half_turn.uv_set, 0);
    let matrix = half_turn.uv_transform;
    assert!(
        matrix
            .transform_point2(Vec2::ONE)
            .abs_diff_eq(Vec2::new(2.25, 3.5), 1e-6)
    );
    // The example of the extension's text: the lower left quarter of the picture, v
    // pointing down, turned.
    let quarter = transform(
        json!({"offset": [0, 1], "rotation": core::f32::consts::FRAC_PI_2, "scale": [0.5, 0.5]}),
    );
    assert_eq!(quarter.uv_set, 1);
    for (uv, expected) in [
        (Vec2::ZERO, Vec2::new(0.0, 1.0)),
        (Vec2::X, Vec2::new(0.0, 0.5)),
        (Vec2::Y, Vec2::new(0.5, 1.0)),
    ] {
        let moved = quarter.uv_transform.transform_point2(uv);
        assert!(moved.abs_diff_eq(expected, 1e-6), "{uv} {moved}");
    }
    let broken = transform(json!({"offset": [1e300, 0]}));
    assert_eq!(broken.uv_transform, glam::Affine2::IDENTITY);
}

#[test]
fn samplers() {
    let sampler = |stored: Value| {
        let mut file = textured(json!({"uri": data_uri(&picture(ImageFormat::Png, [1, 2, 3]))}));
        file.json["samplers"] = json!([stored]);
        file.json["textures"] = json!([{"source": 0, "sampler": 0}]);
        load_clean(&file).textures[0].sampler
    };
    let smooth = Sampler {
        mip: Some(Filter::Linear),
        ..Sampler::default()
    };
    assert_eq!(sampler(json!({})), smooth);
    assert_eq!(
        sampler(json!({"magFilter": 9728, "minFilter": 9728, "wrapS": 33071, "wrapT": 33648})),
        Sampler {
            mag: Filter::Nearest,
            min: Filter::Nearest,
            mip: None,
            wrap_u: Wrap::Clamp,
            wrap_v: Wrap::Mirror
        }
    );
    for (number, min, mip) in [
        (9729, Filter::Linear, None),
        (9984, Filter::Nearest, Some(Filter::Nearest)),
        (9985, Filter::Linear, Some(Filter::Nearest)),
        (9986, Filter::Nearest, Some(Filter::Linear)),
        (9987, Filter::Linear, Some(Filter::Linear)),
    ] {
        let sampler = sampler(json!({"minFilter": number}));
        assert_eq!((sampler.min, sampler.mip), (min, mip), "{number}");
    }
}

#[test]
fn broken_references_and_factors() {
    for (material, words) in [
        (
            json!({"name": "A", "normalTexture": {"index": 70}}),
            &["normal texture", "\"A\"", "texture 70"][..],
        ),
        (
            json!({"emissiveTexture": {"index": 0, "texCoord": 5}}),
            &["emissive texture", "TEXCOORD_5"],
        ),
        (
            json!({"name": "B", "emissiveFactor": [1e300, 0, 0]}),
            &["\"B\"", "emissive factor"],
        ),
        (
            json!({"pbrMetallicRoughness": {"roughnessFactor": 1e300}}),
            &["material 0", "roughness"],
        ),
    ] {
        let document = with_material(material);
        assert_names(
            &finding(&document, FindingCode::ReferenceInvalid).message,
            words,
        );
    }
    let mut file = textured(json!({"uri": data_uri(&picture(ImageFormat::Png, [1, 2, 3]))}));
    primitive(&mut file)["material"] = json!(70);
    file.json["textures"] = json!([{"source": 70, "sampler": 0}]);
    let document = load(&file);
    let messages: Vec<_> = document
        .findings
        .iter()
        .map(|f| f.message.as_str())
        .collect();
    assert_names(messages[0], &["texture 0", "image 70"]);
    assert_names(messages[1], &["mesh 0 \"Quad\"", "material 70"]);
    file.json["textures"] = json!([{"source": 0, "sampler": 70}]);
    assert_names(&load(&file).findings[0].message, &["texture 0", "sampler"]);
}

//! The glTF 2.0 JSON as written in the file: names as in the specification,
//! everything optional that a file may leave out, nothing checked.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::error::GltfError;

/// Extensions or extras: unknown content by name.
pub(super) type Extensions = serde_json::Map<String, Value>;

macro_rules! schema {
    ($($(#[$doc:meta])* $name:ident { $($field:ident : $type:ty,)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Default, Deserialize)]
            #[serde(rename_all = "camelCase", default)]
            pub(super) struct $name { $(pub(super) $field: $type,)* }
        )*
    };
}

schema! {
    /// The whole file.
    Root {
        asset: Asset,
        extensions_used: Vec<String>,
        extensions_required: Vec<String>,
        scene: Option<usize>,
        scenes: Vec<Scene>,
        nodes: Vec<Node>,
        meshes: Vec<Mesh>,
        skins: Vec<Skin>,
        animations: Vec<Animation>,
        cameras: Vec<Camera>,
        materials: Vec<Material>,
        textures: Vec<Texture>,
        samplers: Vec<Sampler>,
        images: Vec<Image>,
        accessors: Vec<Accessor>,
        buffer_views: Vec<BufferView>,
        buffers: Vec<Buffer>,
    }
    Asset {
        version: Option<String>,
        min_version: Option<String>,
        generator: Option<String>,
        copyright: Option<String>,
    }
    Scene {
        nodes: Vec<usize>,
    }
    Node {
        name: String,
        children: Vec<usize>,
        matrix: Option<[f32; 16]>,
        translation: Option<[f32; 3]>,
        rotation: Option<[f32; 4]>,
        scale: Option<[f32; 3]>,
        mesh: Option<usize>,
        skin: Option<usize>,
        camera: Option<usize>,
        weights: Option<Vec<f32>>,
    }
    Mesh {
        name: String,
        primitives: Vec<Primitive>,
        weights: Vec<f32>,
        extras: Option<Value>,
    }
    Primitive {
        attributes: BTreeMap<String, usize>,
        indices: Option<usize>,
        material: Option<usize>,
        mode: Option<u32>,
        targets: Vec<BTreeMap<String, usize>>,
        extensions: Extensions,
    }
    Skin {
        name: String,
        joints: Vec<usize>,
        inverse_bind_matrices: Option<usize>,
        skeleton: Option<usize>,
    }
    Animation {
        name: String,
        channels: Vec<Channel>,
        samplers: Vec<AnimationSampler>,
    }
    Channel {
        sampler: Option<usize>,
        target: ChannelTarget,
    }
    ChannelTarget {
        node: Option<usize>,
        path: String,
    }
    AnimationSampler {
        input: Option<usize>,
        output: Option<usize>,
        interpolation: Option<String>,
    }
    Camera {
        name: String,
        perspective: Option<Perspective>,
        orthographic: Option<Orthographic>,
    }
    Perspective {
        yfov: f32,
        aspect_ratio: Option<f32>,
        znear: f32,
        zfar: Option<f32>,
    }
    Orthographic {
        xmag: f32,
        ymag: f32,
        znear: f32,
        zfar: f32,
    }
    Material {
        name: String,
        pbr_metallic_roughness: MetallicRoughness,
        normal_texture: Option<TextureInfo>,
        occlusion_texture: Option<TextureInfo>,
        emissive_texture: Option<TextureInfo>,
        emissive_factor: Option<[f32; 3]>,
        alpha_mode: Option<String>,
        alpha_cutoff: Option<f32>,
        double_sided: bool,
        extensions: Extensions,
    }
    MetallicRoughness {
        base_color_factor: Option<[f32; 4]>,
        base_color_texture: Option<TextureInfo>,
        metallic_factor: Option<f32>,
        roughness_factor: Option<f32>,
        metallic_roughness_texture: Option<TextureInfo>,
    }
    /// With `scale` of normal and `strength` of occlusion textures.
    TextureInfo {
        index: Option<usize>,
        tex_coord: u32,
        scale: Option<f32>,
        strength: Option<f32>,
        extensions: Extensions,
    }
    Texture {
        sampler: Option<usize>,
        source: Option<usize>,
        extensions: Extensions,
    }
    Sampler {
        mag_filter: Option<u32>,
        min_filter: Option<u32>,
        wrap_s: Option<u32>,
        wrap_t: Option<u32>,
    }
    Image {
        name: String,
        uri: Option<String>,
        buffer_view: Option<usize>,
    }
    Accessor {
        buffer_view: Option<usize>,
        byte_offset: u64,
        component_type: u32,
        normalized: bool,
        count: u64,
        r#type: String,
        sparse: Option<Sparse>,
    }
    Sparse {
        count: u64,
        indices: SparseIndices,
        values: SparseValues,
    }
    SparseIndices {
        buffer_view: Option<usize>,
        byte_offset: u64,
        component_type: u32,
    }
    SparseValues {
        buffer_view: Option<usize>,
        byte_offset: u64,
    }
    BufferView {
        buffer: Option<usize>,
        byte_offset: u64,
        byte_length: u64,
        byte_stride: Option<u64>,
        extensions: Extensions,
    }
    Buffer {
        uri: Option<String>,
        byte_length: u64,
    }
}

/// The text from its first character on: without a byte order mark, which the format
/// forbids, and white space.
pub(in crate::import) fn text_of(bytes: &[u8]) -> &[u8] {
    bytes
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(bytes)
        .trim_ascii_start()
}

/// Parses the JSON. A misfit of types is reported with the object it sits in.
pub(super) fn parse(json: &[u8]) -> Result<Root, GltfError> {
    let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
    serde_json::from_slice(json).map_err(|error| {
        if error.is_data()
            && let Some(named) = name_misfit(json)
        {
            return named;
        }
        GltfError::Json {
            message: error.to_string(),
        }
    })
}

/// Finds the array element that does not fit. Slow, but only used to say what is
/// wrong: serde's own message has no more than a line and a column.
fn name_misfit(json: &[u8]) -> Option<GltfError> {
    fn check<T: for<'de> Deserialize<'de>>(root: &Value, key: &str) -> Option<GltfError> {
        let objects = root.get(key)?.as_array()?;
        objects.iter().enumerate().find_map(|(index, object)| {
            let error = T::deserialize(object).err()?;
            let name = object.get("name").and_then(Value::as_str).unwrap_or("");
            let singular = match key {
                "meshes" => "mesh",
                _ => key.trim_end_matches('s'),
            };
            Some(GltfError::Schema {
                object: super::label(singular, index, name),
                message: error.to_string(),
            })
        })
    }
    let root: Value = serde_json::from_slice(json).ok()?;
    check::<Scene>(&root, "scenes")
        .or_else(|| check::<Node>(&root, "nodes"))
        .or_else(|| check::<Mesh>(&root, "meshes"))
        .or_else(|| check::<Skin>(&root, "skins"))
        .or_else(|| check::<Animation>(&root, "animations"))
        .or_else(|| check::<Camera>(&root, "cameras"))
        .or_else(|| check::<Material>(&root, "materials"))
        .or_else(|| check::<Texture>(&root, "textures"))
        .or_else(|| check::<Sampler>(&root, "samplers"))
        .or_else(|| check::<Image>(&root, "images"))
        .or_else(|| check::<Accessor>(&root, "accessors"))
        .or_else(|| check::<BufferView>(&root, "bufferViews"))
        .or_else(|| check::<Buffer>(&root, "buffers"))
}

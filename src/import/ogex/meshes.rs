//! Geometry objects → meshes, and the nodes that show them.

use std::collections::{BTreeMap, HashMap};

use glam::Mat4;

use super::{
    Failure, Source, arrays, bind,
    ddl::Id,
    error::{OgexError, OgexProblem},
    materials::Surfaces,
    moved,
    nodes::{Node, Nodes, is_skinned, name, object, referred},
    transform,
};
use crate::{
    document::{Finding, FindingCode, Influences, Mesh, MeshInstance, Primitive, Severity, Skin},
    import::{
        gltf::vertices::{Finite as _, Place},
        progress::Stage,
        shading,
    },
};

/// Vertices that copies of meshes may have together, beyond the first of each.
const MAX_COPIED_VERTICES: usize = 2 << 20;

/// Everything that is drawn.
#[derive(Default)]
pub(super) struct Scene {
    pub(super) meshes: Vec<Mesh>,
    pub(super) skins: Vec<Skin>,
    pub(super) instances: Vec<MeshInstance>,
    /// By joint: the file's index of each morph target of the mesh it shows.
    pub(super) shapes: HashMap<usize, Vec<u32>>,
}

/// A geometry object as read, before a node gives it materials.
struct Geometry {
    name: String,
    /// With the number of the material.
    primitives: Vec<(u32, Primitive)>,
    shape_indices: Vec<u32>,
    shape_names: Vec<String>,
    skin: Option<usize>,
}

/// What makes one mesh of an object differ from another.
#[derive(PartialEq, Eq, Hash, Clone)]
struct Key {
    object: Id,
    materials: Vec<(u32, usize)>,
    /// Bits of the object transform; empty for none.
    transform: Vec<u32>,
}

/// Reads all geometry objects, also those that no node shows.
pub(super) fn read(
    source: &Source<'_>,
    nodes: &Nodes,
    surfaces: &Surfaces,
    findings: &mut Vec<Finding>,
) -> Result<Scene, Failure> {
    let tree = source.tree;
    let mut reader = Reader {
        source,
        nodes,
        surfaces,
        scene: Scene::default(),
        known: HashMap::new(),
        geometries: HashMap::new(),
        copied: 0,
    };
    for (joint, node) in nodes.stored() {
        if tree.get(node.id).kind == "GeometryNode" {
            source.check(Stage::Meshes, joint, nodes.list.len())?;
            reader.node(joint, node, findings)?;
        }
    }
    for id in tree.ids() {
        let is_object = tree.get(id).kind == "GeometryObject" && tree.parent(id).is_none();
        if is_object && !reader.geometries.contains_key(&id) {
            source.check(Stage::Meshes, 1, 1)?;
            let key = Key {
                object: id,
                materials: Vec::new(),
                transform: Vec::new(),
            };
            let mesh = reader.mesh(key, Mat4::IDENTITY, "", findings)?;
            findings.push(
                Finding::new(
                    FindingCode::MeshInvalid,
                    Severity::Info,
                    format!(
                        "line {}: {}: no node shows it: it is not drawn",
                        tree.get(id).line,
                        tree.path(id)
                    ),
                )
                .at_mesh(mesh),
            );
        }
    }
    Ok(reader.scene)
}

struct Reader<'a> {
    source: &'a Source<'a>,
    nodes: &'a Nodes,
    surfaces: &'a Surfaces,
    scene: Scene,
    known: HashMap<Key, usize>,
    geometries: HashMap<Id, Geometry>,
    copied: usize,
}

impl Reader<'_> {
    fn node(
        &mut self,
        joint: usize,
        node: &Node,
        findings: &mut Vec<Finding>,
    ) -> Result<(), OgexError> {
        let tree = self.source.tree;
        let mut dropped = |id: Id, what: &str, outcome: &str| {
            findings.push(
                Finding::new(
                    FindingCode::ReferenceInvalid,
                    Severity::Error,
                    format!(
                        "line {}: {} refers to no {what}; {outcome}",
                        tree.get(id).line,
                        node.label
                    ),
                )
                .at_node(joint),
            );
        };
        let Some(object) =
            object(tree, node.id).filter(|&id| tree.get(id).kind == "GeometryObject")
        else {
            let reference = tree.child(node.id, "ObjectRef").unwrap_or(node.id);
            dropped(reference, "geometry object", "nothing is shown there");
            return Ok(());
        };
        let mut materials = Vec::new();
        for id in tree.of_kind(node.id, "MaterialRef") {
            let index = tree.number(id, "index")?.unwrap_or(0);
            match referred(tree, id).and_then(|id| self.surfaces.material(id)) {
                Some(material) => materials.push((index, material)),
                None => dropped(id, "material", "the default one is used"),
            }
        }
        let parts: Vec<_> = node.parts.iter().filter(|part| part.is_object).collect();
        let own = if is_skinned(tree, object) || node.object.is_some() || parts.is_empty() {
            Mat4::IDENTITY
        } else {
            transform::product(parts, &self.source.metrics)
        };
        if !own.is_usable() {
            findings.push(
                Finding::new(
                    FindingCode::NodeInvalid,
                    Severity::Error,
                    format!(
                        "line {}: the transform of the object of {} is not finite or too large; none is used",
                        tree.get(node.id).line,
                        node.label
                    ),
                )
                .at_node(joint),
            );
        }
        let is_moved = own != Mat4::IDENTITY && own.is_usable();
        let key = Key {
            object,
            materials,
            transform: if is_moved {
                own.to_cols_array().map(f32::to_bits).to_vec()
            } else {
                Vec::new()
            },
        };
        let own = if is_moved { own } else { Mat4::IDENTITY };
        let name = self.nodes.skeleton.joints[joint].name.clone();
        let mesh = self.mesh(key, own, &name, findings)?;
        let geometry = &self.geometries[&object];
        let weights = weights(self.source, node.id, &geometry.shape_indices)?;
        let is_visible = match tree.property(node.id, "visible") {
            Some(_) => tree.flag(node.id, "visible")?,
            None => tree.property(object, "visible").is_none() || tree.flag(object, "visible")?,
        };
        if !is_visible {
            findings.push(
                Finding::new(
                    FindingCode::ExtensionUnsupported,
                    Severity::Info,
                    format!(
                        "line {}: {} is marked as not visible, and is not drawn",
                        tree.get(node.id).line,
                        node.label
                    ),
                )
                .at_node(joint),
            );
        }
        let joint = node.object.unwrap_or(joint);
        self.scene
            .shapes
            .insert(joint, geometry.shape_indices.clone());
        self.scene.instances.push(MeshInstance {
            joint,
            mesh,
            skin: geometry.skin,
            in_scene: is_visible,
            morph_weights: weights,
        });
        Ok(())
    }

    /// The document's mesh for a key, made where it is new.
    fn mesh(
        &mut self,
        key: Key,
        own: Mat4,
        fallback: &str,
        findings: &mut Vec<Finding>,
    ) -> Result<usize, OgexError> {
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let index = self.scene.meshes.len();
        let is_first = !self.geometries.contains_key(&key.object);
        if is_first {
            let geometry = self.geometry(key.object, index, findings)?;
            self.geometries.insert(key.object, geometry);
        }
        let geometry = &self.geometries[&key.object];
        if !is_first {
            let size: usize = geometry
                .primitives
                .iter()
                .map(|(_, primitive)| {
                    let shapes = 1 + primitive.morph_targets.len();
                    primitive.positions.len() * shapes + primitive.indices.len()
                })
                .sum();
            self.copied += size.max(1);
            if self.copied > MAX_COPIED_VERTICES {
                return Err(self.source.tree.error(
                    key.object,
                    OgexProblem::Count {
                        what: "vertices and indices of copies with other materials or object transforms, of which there may be no more",
                        actual: self.copied,
                        expected: MAX_COPIED_VERTICES,
                    },
                ));
            }
        }
        let name = if geometry.name.is_empty() {
            fallback
        } else {
            &geometry.name
        };
        let mut mesh = Mesh {
            name: name.into(),
            primitives: Vec::with_capacity(geometry.primitives.len()),
            morph_weights: vec![0.0; geometry.shape_indices.len()],
            morph_names: geometry.shape_names.clone(),
        };
        for (number, primitive) in &geometry.primitives {
            let mut primitive = primitive.clone();
            primitive.material = key
                .materials
                .iter()
                .find(|(index, _)| index == number)
                .map(|&(_, material)| material);
            if own != Mat4::IDENTITY {
                let place = Place {
                    mesh: index,
                    primitive: mesh.primitives.len(),
                };
                moved::by(&mut primitive, own, place, findings);
            }
            let normal_map = primitive
                .material
                .and_then(|material| self.surfaces.materials[material].normal_texture);
            let made_up = shading::complete(&mut primitive, normal_map.as_ref());
            if made_up > 0 && is_first {
                findings.push(
                    Finding::new(
                        FindingCode::MeshInvalid,
                        Severity::Info,
                        format!("mesh {index}: {made_up} of {} normals have no length; the faces around them decide", primitive.normals.len()),
                    )
                    .at_mesh(index),
                );
            }
            mesh.primitives.push(primitive);
        }
        self.scene.meshes.push(mesh);
        self.known.insert(key, index);
        Ok(index)
    }

    fn geometry(
        &mut self,
        object: Id,
        index: usize,
        findings: &mut Vec<Finding>,
    ) -> Result<Geometry, OgexError> {
        let (source, tree) = (self.source, self.source.tree);
        let mut geometry = Geometry {
            name: name(tree, object),
            primitives: Vec::new(),
            shape_indices: Vec::new(),
            shape_names: Vec::new(),
            skin: None,
        };
        let place = Place {
            mesh: index,
            primitive: 0,
        };
        let mut report = |code, severity, id: Id, what: &str| {
            findings.push(
                Finding::new(
                    code,
                    severity,
                    format!("line {}: {} {what}", tree.get(id).line, tree.path(id)),
                )
                .at_mesh(index),
            );
        };
        // The finest of the levels of detail.
        let mut levels = Vec::new();
        for id in tree.of_kind(object, "Mesh") {
            levels.push((tree.number(id, "lod")?.unwrap_or(0), id));
        }
        levels.sort_unstable();
        let Some(&(_, mesh)) = levels.first() else {
            let code = FindingCode::MeshInvalid;
            report(
                code,
                Severity::Error,
                object,
                "has no Mesh: nothing is shown",
            );
            return Ok(geometry);
        };
        for (level, id) in &levels[1..] {
            let what = format!("is level of detail {level}: the finest is shown instead");
            report(
                FindingCode::ExtensionUnsupported,
                Severity::Info,
                *id,
                &what,
            );
        }
        let form = arrays::form(source, mesh)?;
        let vertices = arrays::vertices(source, mesh, place, findings)?;
        let count = vertices.positions.len();
        let mut lists = Vec::new();
        for id in tree.of_kind(mesh, "IndexArray") {
            lists.push(arrays::indices(source, id, form, count)?);
        }
        if count == 0 {
            findings.push(
                Finding::new(
                    FindingCode::MeshInvalid,
                    Severity::Error,
                    format!(
                        "line {}: {} has no positions: it is not shown",
                        tree.get(mesh).line,
                        tree.path(mesh)
                    ),
                )
                .at_mesh(index),
            );
            return Ok(geometry);
        }
        if lists.is_empty() {
            lists.push((0, arrays::expand(form, (0..count as u32).collect())));
        }
        let left_over: usize = lists.iter().map(|(_, list)| list.left_over).sum();
        if left_over > 0 {
            findings.push(
                Finding::new(
                    FindingCode::MeshInvalid,
                    Severity::Warning,
                    format!("line {}: {}: {left_over} indices at the end fill no whole primitive and are left out", tree.get(mesh).line, tree.path(mesh)),
                )
                .at_mesh(index),
            );
        }
        let mut influences = Influences::default();
        if let Some(id) = tree.child(mesh, "Skin") {
            let number = self.scene.skins.len();
            let (skin, read) =
                bind::read(source, id, self.nodes, (count, number), place, findings)?;
            influences = read;
            geometry.skin = Some(number);
            self.scene.skins.push(skin);
        }
        let bases = shapes(source, mesh, object, &vertices, &mut geometry)?;
        let compact = lists.len() > 1;
        geometry.primitives = lists
            .into_iter()
            .map(|(material, list)| {
                (
                    material,
                    arrays::primitive(&vertices, &influences, &bases, list, compact),
                )
            })
            .collect();
        Ok(geometry)
    }
}

/// Names of the morph targets and, by index, what each is relative to.
fn shapes(
    source: &Source<'_>,
    mesh: Id,
    object: Id,
    vertices: &arrays::Vertices,
    geometry: &mut Geometry,
) -> Result<BTreeMap<u32, u32>, OgexError> {
    let tree = source.tree;
    let mut bases = BTreeMap::new();
    let mut names: HashMap<u32, String> = HashMap::new();
    // In the object; some writers put them in the mesh.
    for owner in [object, mesh] {
        for id in tree.of_kind(owner, "Morph") {
            let index = tree.number(id, "index")?.unwrap_or(0);
            names.insert(index, name(tree, id));
            if let Some(base) = tree.number(id, "base")? {
                bases.insert(index, base);
            }
        }
    }
    for &index in vertices.shapes.keys() {
        geometry.shape_indices.push(index);
        geometry
            .shape_names
            .push(names.get(&index).cloned().unwrap_or_default());
    }
    Ok(bases)
}

/// Weights at rest of a node, by target.
fn weights(source: &Source<'_>, node: Id, shapes: &[u32]) -> Result<Vec<f32>, OgexError> {
    let tree = source.tree;
    let mut weights = vec![0.0; shapes.len()];
    for id in tree.of_kind(node, "MorphWeight") {
        let index = tree.number(id, "index")?.unwrap_or(0);
        let value = transform::floats(tree, id, 1)?.first().copied();
        if let (Ok(at), Some(value)) = (shapes.binary_search(&index), value)
            && value.is_finite()
        {
            weights[at] = value;
        }
    }
    Ok(weights)
}

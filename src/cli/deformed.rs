//! Vertices of the pose on stage, by the CPU reference.

use glam::Vec3;

use crate::{
    anim::SkinMatrix,
    math::Aabb,
    scene::{Character, Poser},
};

/// A primitive as it stands in the world.
pub(super) struct DeformedPrimitive {
    /// The file's index of the node that shows it.
    pub(super) node: usize,
    /// Mesh index.
    pub(super) mesh: usize,
    /// Index within the mesh.
    pub(super) primitive: usize,
    /// Skin index.
    pub(super) skin: Option<usize>,
    /// Whether the scene shows it.
    pub(super) in_scene: bool,
    /// Morphed, skinned, in world space; the file's vertices in its order.
    pub(super) positions: Vec<Vec3>,
}

impl DeformedPrimitive {
    /// Box around its vertices.
    pub(super) fn bounds(&self) -> Aabb {
        Aabb::from_points(self.positions.iter().copied())
    }
}

/// `M · M0⁻¹` of one skin.
pub(super) fn palette(character: &Character, skin: usize) -> Vec<SkinMatrix> {
    let mut palette = Vec::with_capacity(character.document.skins[skin].joints.len());
    character.palette(skin, &mut palette);
    palette
}

/// Every primitive of every node that shows a mesh, in the scene or not, by node and
/// then by primitive.
pub(super) fn primitives(character: &Character) -> impl Iterator<Item = DeformedPrimitive> {
    let document = &*character.document;
    let instances = document.instances.iter().enumerate();
    instances.flat_map(move |(at, instance)| {
        let mut palette = Vec::new();
        let poser = Poser::new(character, at, &mut palette);
        let primitives = document.meshes[instance.mesh].primitives.iter().enumerate();
        let posed = primitives.map(|(index, primitive)| {
            let position = |vertex| poser.place(primitive, vertex);
            let positions = (0..primitive.file_vertex_count).map(position).collect();
            DeformedPrimitive {
                node: document.skeleton.joints[instance.joint].node,
                mesh: instance.mesh,
                primitive: index,
                skin: instance.skin,
                in_scene: instance.in_scene,
                positions,
            }
        });
        posed.collect::<Vec<_>>()
    })
}

/// Box around all vertices of the scene, or around the joints of a file without any.
pub(super) fn bounds(character: &Character) -> Aabb {
    let shown = primitives(character).filter(|primitive| primitive.in_scene);
    let vertices = shown.flat_map(|primitive| primitive.positions);
    let bounds = Aabb::from_points(vertices);
    if !bounds.is_empty() {
        return bounds;
    }
    let joints = character.globals.worlds();
    Aabb::from_points(joints.map(|world| world.w_axis.truncate()))
}

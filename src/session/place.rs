//! Where in the world a finding is, in the present pose.

use glam::Vec3;

use super::{Command, Finding, Session};
use crate::{
    analysis::describe,
    math::Aabb,
    scene::{Character, Poser, VertexRef},
};

/// Share of the character's size that is framed at least.
const LEAST_FRAMED: f32 = 0.3;

impl Session {
    /// The vertex that a finding names, on the first instance that shows its mesh.
    pub fn vertex_of(&self, finding: &Finding) -> Option<VertexRef> {
        let document = self.document()?;
        let instance = self.instance_of(finding)?;
        let (primitive, vertex) = (finding.primitive?, finding.vertex?);
        let mesh = &document.meshes[document.instances[instance].mesh];
        let count = mesh.primitives.get(primitive)?.vertex_count();
        (vertex < count).then_some(VertexRef {
            instance,
            primitive,
            vertex,
        })
    }

    /// The first instance in the scene that shows a finding's mesh.
    fn instance_of(&self, finding: &Finding) -> Option<usize> {
        let mesh = finding.mesh?;
        let instances = &self.document()?.instances;
        instances
            .iter()
            .position(|instance| instance.mesh == mesh && instance.in_scene)
    }

    /// Where to put a mark for a finding, world space: its vertex, else its joint.
    pub fn place_of(&self, finding: &Finding) -> Option<Vec3> {
        let character = self.character()?;
        let place = match self.vertex_of(finding) {
            Some(vertex) => vertex_position(character, vertex),
            None => {
                let joint = describe::joint_of(&character.document, finding)?;
                character.place(joint)?
            }
        };
        place.is_finite().then_some(place)
    }

    /// A camera that shows a finding's vertex, else its joint with all that hangs on it,
    /// else its mesh; `None` for what is nowhere in particular.
    pub(super) fn framed_finding(&self, finding: &Finding, aspect: f32) -> Option<Command> {
        let character = self.character()?;
        let bounds = if let Some(vertex) = self.vertex_of(finding) {
            let place = vertex_position(character, vertex);
            // As near as shows the surface around it.
            let margin = crate::scene::animated_bounds(character).diagonal() * 0.1;
            let mut bounds = Aabb::EMPTY;
            bounds.grow(place - Vec3::splat(margin));
            bounds.grow(place + Vec3::splat(margin));
            bounds
        } else if let Some(joint) = describe::joint_of(&character.document, finding) {
            self.joint_bounds(joint)
        } else {
            mesh_bounds(character, self.instance_of(finding)?)
        };
        if bounds.is_empty() || !bounds.diagonal().is_finite() {
            return None;
        }
        // Not so near that nobody sees what hangs on what.
        let least = crate::scene::animated_bounds(character).size() * LEAST_FRAMED;
        let half = bounds.size().max(least) * 0.5;
        let bounds = Aabb {
            min: bounds.center() - half,
            max: bounds.center() + half,
        };
        let mut camera = self.settled_camera();
        camera.frame(bounds, aspect);
        Some(Command::MoveCamera(camera))
    }
}

fn vertex_position(character: &Character, place: VertexRef) -> Vec3 {
    let mut palette = Vec::new();
    let poser = Poser::new(character, place.instance, &mut palette);
    let mesh = character.document.instances[place.instance].mesh;
    let primitive = &character.document.meshes[mesh].primitives[place.primitive];
    poser.place(primitive, place.vertex)
}

/// Box around an instance's vertices, world space; a few thousand of them will do.
fn mesh_bounds(character: &Character, instance: usize) -> Aabb {
    const LOOKED_AT: usize = 4096;
    let document = &character.document;
    let mesh = &document.meshes[document.instances[instance].mesh];
    let mut palette = Vec::new();
    let poser = Poser::new(character, instance, &mut palette);
    let mut bounds = Aabb::EMPTY;
    for primitive in &mesh.primitives {
        let count = primitive.file_vertex_count.min(primitive.vertex_count());
        for vertex in (0..count).step_by(count.div_ceil(LOOKED_AT).max(1)) {
            bounds.grow(poser.place(primitive, vertex));
        }
    }
    bounds
}

//! Meshes and their primitives.

use glam::{Vec2, Vec3, Vec4};

use super::{
    Origin,
    accessor::Accessors,
    component::Integers,
    draco::{self, Unpacked},
    error::GltfError,
    influences, label, morphs,
    schema::{self, Root},
    topology,
    vertices::{Attributes, Place, mend_reported},
};
use crate::{
    document::{Finding, FindingCode, Material, Mesh, MorphTarget, Primitive, Severity},
    import::{progress::Stage, shading},
    math::Aabb,
};

/// Triangles, where a primitive names no mode.
const DEFAULT_MODE: u32 = 4;

/// Reads all meshes. `slot_limits` says by mesh how many joints its skins have.
pub(super) fn read(
    root: &Root,
    accessors: &Accessors<'_>,
    slot_limits: &[Option<usize>],
    materials: &[Material],
    origin: &Origin<'_>,
    findings: &mut Vec<Finding>,
) -> Result<Vec<Mesh>, GltfError> {
    let total = root.meshes.len();
    let mut meshes = Vec::with_capacity(total);
    for (index, stored) in root.meshes.iter().enumerate() {
        origin.check(Stage::Meshes, index, total)?;
        let context = Context {
            accessors,
            materials,
            mesh: index,
            name: label("mesh", index, &stored.name),
            slots: slot_limits[index],
        };
        meshes.push(context.mesh(stored, origin, findings)?);
    }
    Ok(meshes)
}

/// What reading one mesh needs.
struct Context<'a> {
    accessors: &'a Accessors<'a>,
    materials: &'a [Material],
    /// Index and name of the mesh.
    mesh: usize,
    name: String,
    /// Joints of the skins that show it.
    slots: Option<usize>,
}

impl Context<'_> {
    fn finding(&self, severity: Severity, message: String) -> Finding {
        Finding::new(FindingCode::MeshInvalid, severity, message).at_mesh(self.mesh)
    }

    fn mesh(
        &self,
        stored: &schema::Mesh,
        origin: &Origin<'_>,
        findings: &mut Vec<Finding>,
    ) -> Result<Mesh, GltfError> {
        if stored.primitives.is_empty() {
            let message = format!("{} has no primitives: nothing of it is shown", self.name);
            findings.push(self.finding(Severity::Warning, message));
        }
        let counts = stored.primitives.iter().map(|p| p.targets.len());
        let targets = counts.clone().max().unwrap_or(0);
        if let Some(fewer) = counts.min().filter(|&fewer| fewer != targets) {
            let message = format!(
                "the primitives of {} have {fewer} to {targets} morph targets; missing ones do nothing",
                self.name
            );
            findings.push(self.finding(Severity::Warning, message));
        }
        let mut primitives = Vec::with_capacity(stored.primitives.len());
        for (index, primitive) in stored.primitives.iter().enumerate() {
            origin.check(Stage::Meshes, self.mesh, self.mesh + 1)?;
            let owner = format!("{} primitive {index}", self.name);
            let place = Place {
                mesh: self.mesh,
                primitive: primitives.len(),
            };
            if let Some(mut primitive) = self.primitive(primitive, &owner, place, findings)? {
                primitive
                    .morph_targets
                    .resize_with(targets, MorphTarget::default);
                primitives.push(primitive);
            }
        }
        Ok(Mesh {
            name: stored.name.clone(),
            primitives,
            morph_weights: morphs::fit_weights(&stored.weights, targets, &self.name, findings),
            morph_names: morphs::names(stored, targets),
        })
    }

    /// `None` for a primitive that cannot be drawn, with a finding.
    fn primitive(
        &self,
        stored: &schema::Primitive,
        owner: &str,
        place: Place,
        findings: &mut Vec<Finding>,
    ) -> Result<Option<Primitive>, GltfError> {
        let skipped =
            |why: &str| self.finding(Severity::Error, format!("{owner} {why}: it is not shown"));
        let Some(&position) = stored.attributes.get("POSITION") else {
            findings.push(skipped("has no POSITION"));
            return Ok(None);
        };
        let unpacked = draco::read(self.accessors, stored, owner, self.mesh, findings)?;
        let unpacked = unpacked.as_ref();
        let accessors = &self.accessors.with(unpacked);
        let mut positions: Vec<Vec3> = accessors.floats(
            position,
            format_args!("POSITION of {owner}"),
            super::component::Component::VERTEX,
            Integers::AsFlagged,
        )?;
        if positions.is_empty() {
            findings.push(skipped("has no vertices"));
            return Ok(None);
        }
        let vertices = positions.len();
        // What is unpacked is a list of triangles, whatever it was before.
        let mode = match unpacked {
            Some(_) => DEFAULT_MODE,
            None => stored.mode.unwrap_or(DEFAULT_MODE),
        };
        let indices = self.indices(stored, unpacked, owner, vertices)?;
        let Some(expanded) = topology::expand(mode, indices) else {
            findings.push(skipped(&format!("has the unknown mode {mode}")));
            return Ok(None);
        };
        if expanded.left_over > 0 {
            let message = format!(
                "{owner}: {} indices at the end fill no whole line or triangle and are left out",
                expanded.left_over
            );
            findings.push(self.finding(Severity::Warning, message));
        }
        let what = format_args!("POSITION of {owner}");
        mend_reported(&mut positions, Vec3::ZERO, what, place, findings);
        let bounds = Aabb::from_points(positions.iter().copied());
        let mut primitive = Primitive {
            topology: expanded.topology,
            indices: expanded.indices,
            positions,
            material: self.material(stored, owner, findings),
            file_vertex_count: vertices,
            bounds,
            ..Primitive::default()
        };
        let attributes = Attributes {
            accessors,
            stored: &stored.attributes,
            owner,
            place,
            vertices,
        };
        self.surface(&mut primitive, &attributes, findings)?;
        primitive.influences = influences::read(&attributes, self.slots, findings)?;
        primitive.morph_targets =
            morphs::read(accessors, stored, owner, vertices, place, findings)?;
        self.shade(&mut primitive, owner, findings);
        Ok(Some(primitive))
    }

    /// The stored, unpacked or implied indices, all in range.
    fn indices(
        &self,
        stored: &schema::Primitive,
        unpacked: Option<&Unpacked>,
        owner: &str,
        vertices: usize,
    ) -> Result<Vec<u32>, GltfError> {
        let indices = match (unpacked, stored.indices) {
            (Some(unpacked), _) => unpacked.indices.clone(),
            (None, Some(accessor)) => self
                .accessors
                .indices(accessor, format_args!("indices of {owner}"))?,
            // The accessor's size limit keeps the count far below 2³².
            (None, None) => return Ok((0..vertices as u32).collect()),
        };
        match indices.iter().position(|&index| index as usize >= vertices) {
            None => Ok(indices),
            Some(position) => Err(GltfError::VertexIndex {
                mesh: self.mesh,
                primitive: owner.into(),
                index: indices[position],
                position,
                vertices,
            }),
        }
    }

    fn material(
        &self,
        stored: &schema::Primitive,
        owner: &str,
        findings: &mut Vec<Finding>,
    ) -> Option<usize> {
        let material = stored.material?;
        if material < self.materials.len() {
            return Some(material);
        }
        findings.push(
            Finding::new(
                FindingCode::ReferenceInvalid,
                Severity::Warning,
                format!(
                    "{owner} refers to material {material}, but the file has {}; the default is used",
                    self.materials.len()
                ),
            )
            .at_mesh(self.mesh),
        );
        None
    }

    /// Normals, tangents, texture coordinates and colours.
    fn surface(
        &self,
        primitive: &mut Primitive,
        attributes: &Attributes<'_>,
        findings: &mut Vec<Finding>,
    ) -> Result<(), GltfError> {
        let (owner, place) = (attributes.owner, attributes.place);
        let flagged = Integers::AsFlagged;
        primitive.normals = attributes.floats("NORMAL", flagged)?.unwrap_or_default();
        // glTF 2.0, 3.7.2.1: without normals, given tangents are to be ignored.
        if !primitive.normals.is_empty() {
            primitive.tangents = attributes.floats("TANGENT", flagged)?.unwrap_or_default();
        }
        for (set, name) in ["TEXCOORD_0", "TEXCOORD_1"].into_iter().enumerate() {
            let uvs = &mut primitive.uvs[set];
            *uvs = attributes.floats(name, flagged)?.unwrap_or_default();
            let what = format_args!("{name} of {owner}");
            mend_reported(uvs, Vec2::ZERO, what, place, findings);
        }
        primitive.colors = attributes.colors("COLOR_0")?.unwrap_or_default();
        for (what, values) in [
            ("TANGENT", &mut primitive.tangents),
            ("COLOR_0", &mut primitive.colors),
        ] {
            let what = format_args!("{what} of {owner}");
            mend_reported(values, Vec4::ONE, what, place, findings);
        }
        let what = format_args!("NORMAL of {owner}");
        mend_reported(&mut primitive.normals, Vec3::ZERO, what, place, findings);
        Ok(())
    }

    /// Makes normals and tangents unit, and makes those that are missing.
    fn shade(&self, primitive: &mut Primitive, owner: &str, findings: &mut Vec<Finding>) {
        let normal_map = primitive
            .material
            .and_then(|material| self.materials[material].normal_texture);
        let made_up = shading::complete(primitive, normal_map.as_ref());
        if made_up > 0 {
            let message = format!(
                "{owner}: {made_up} of {} normals have no length; the faces around them decide",
                primitive.normals.len()
            );
            findings.push(self.finding(Severity::Info, message));
        }
    }
}

//! Checks everything that the docs of `document` promise to the code behind the
//! importer.

use rigscope::document::{
    Camera, Document, JointTracks, Keys, Mesh, Primitive, Projection, Topology, Track,
};

/// Everything that is not as promised, one line each; empty for a sound document.
pub fn violations(document: &Document) -> Vec<String> {
    let mut check = Check::default();
    check.skeleton(document);
    for (index, mesh) in document.meshes.iter().enumerate() {
        check.place = format!("mesh {index}");
        check.mesh(document, mesh);
    }
    check.skins(document);
    check.instances(document);
    check.materials(document);
    check.cameras(document);
    check.clips(document);
    check.place = "findings".into();
    for finding in &document.findings {
        check.that(!finding.message.is_empty(), "an empty message");
        check.that(
            finding.values.iter().all(|(_, value)| !value.is_nan()),
            "a value that is NaN",
        );
    }
    check.violations
}

#[derive(Default)]
struct Check {
    place: String,
    violations: Vec<String>,
}

impl Check {
    fn that(&mut self, holds: bool, what: &str) {
        if !holds {
            self.violations.push(format!("{}: {what}", self.place));
        }
    }

    /// Empty, or as long as there are vertices.
    fn parallel(&mut self, length: usize, vertices: usize, what: &str) {
        self.that(
            length == 0 || length == vertices,
            &format!("{what}: {length} for {vertices} vertices"),
        );
    }

    fn skeleton(&mut self, document: &Document) {
        let skeleton = &document.skeleton;
        self.place = "skeleton".into();
        self.that(
            skeleton.joint_of_node.len() == skeleton.joints.len(),
            "as many nodes as joints",
        );
        for (index, joint) in skeleton.joints.iter().enumerate() {
            self.place = format!("joint {index}");
            self.that(joint.parent.is_none_or(|p| p < index), "parents first");
            self.that(
                skeleton.joint_of_node.get(joint.node) == Some(&index),
                "joint_of_node leads back",
            );
            self.that(joint.translation.is_finite(), "translation finite");
            self.that(joint.scale.is_finite(), "scale finite");
            self.that(
                (joint.orientation.length() - 1.0).abs() < 1e-5,
                "orientation unit",
            );
            self.that(
                (joint.rest_rotation.length() - 1.0).abs() < 1e-5,
                "rest rotation unit",
            );
            self.that(
                joint.rest_matrix.is_none_or(|m| m.is_finite()),
                "rest matrix finite",
            );
        }
    }

    fn mesh(&mut self, document: &Document, mesh: &Mesh) {
        let targets = mesh.morph_weights.len();
        self.that(mesh.morph_names.len() == targets, "a name per target");
        self.that(
            mesh.morph_weights.iter().all(|w| w.is_finite()),
            "morph weights finite",
        );
        for primitive in &mesh.primitives {
            self.that(
                primitive.morph_targets.len() == targets,
                "target count of the mesh",
            );
            self.primitive(document, primitive);
        }
    }

    fn primitive(&mut self, document: &Document, primitive: &Primitive) {
        let vertices = primitive.vertex_count();
        self.that(vertices > 0, "has vertices");
        self.that(
            primitive.file_vertex_count <= vertices,
            "copies follow behind the file's vertices",
        );
        self.that(
            primitive.indices.iter().all(|&i| (i as usize) < vertices),
            "indices in range",
        );
        let multiple = match primitive.topology {
            Topology::Points => 1,
            Topology::Lines => 2,
            Topology::Triangles => 3,
        };
        self.that(
            primitive.indices.len().is_multiple_of(multiple),
            "whole primitives",
        );
        self.that(
            primitive.positions.iter().all(|p| p.is_finite()),
            "positions finite",
        );
        self.that(
            !primitive.bounds.is_empty()
                && primitive.positions.iter().all(|p| {
                    p.cmpge(primitive.bounds.min).all() && p.cmple(primitive.bounds.max).all()
                }),
            "bounds hold the positions",
        );
        self.parallel(primitive.normals.len(), vertices, "normals");
        self.parallel(primitive.tangents.len(), vertices, "tangents");
        self.parallel(primitive.uvs[0].len(), vertices, "uvs 0");
        self.parallel(primitive.uvs[1].len(), vertices, "uvs 1");
        self.parallel(primitive.colors.len(), vertices, "colours");
        self.that(
            primitive
                .normals
                .iter()
                .all(|n| (n.length() - 1.0).abs() < 1e-4),
            "normals unit",
        );
        self.that(
            primitive
                .tangents
                .iter()
                .all(|t| (t.truncate().length() - 1.0).abs() < 1e-4 && t.w.abs() == 1.0),
            "tangents unit with a sign",
        );
        self.that(
            primitive.uvs.iter().flatten().all(|uv| uv.is_finite()),
            "uvs finite",
        );
        self.that(
            primitive.colors.iter().all(|c| c.is_finite()),
            "colours finite",
        );
        if primitive.topology == Topology::Triangles {
            self.that(!primitive.normals.is_empty(), "triangles have normals");
        }
        self.that(
            primitive
                .material
                .is_none_or(|m| m < document.materials.len()),
            "material in range",
        );
        self.influences(primitive);
        for target in &primitive.morph_targets {
            for (values, what) in [
                (&target.positions, "morph positions"),
                (&target.normals, "morph normals"),
                (&target.tangents, "morph tangents"),
            ] {
                self.parallel(values.len(), vertices, what);
                self.that(values.iter().all(|v| v.is_finite()), what);
            }
        }
    }

    fn influences(&mut self, primitive: &Primitive) {
        let influences = &primitive.influences;
        let expected = influences.per_vertex * primitive.vertex_count();
        self.that(
            influences.per_vertex.is_multiple_of(4),
            "sets of four influences",
        );
        self.that(influences.joints.len() == expected, "joints per vertex");
        self.that(influences.weights.len() == expected, "weights per vertex");
        self.that(
            influences
                .weights
                .iter()
                .all(|w| w.is_finite() && *w >= 0.0),
            "weights finite and not negative",
        );
    }

    fn skins(&mut self, document: &Document) {
        for (index, skin) in document.skins.iter().enumerate() {
            self.place = format!("skin {index}");
            let joints = document.skeleton.joints.len();
            self.that(!skin.joints.is_empty(), "has joints");
            self.that(
                skin.joints.iter().all(|&j| (j as usize) < joints),
                "joints in range",
            );
            self.that(
                skin.joint_from_mesh.len() == skin.joints.len(),
                "a matrix per joint",
            );
            self.that(
                skin.joint_from_mesh
                    .iter()
                    .all(|m| m.is_finite() && m.row(3) == glam::Vec4::W),
                "matrices finite and affine",
            );
            self.that(skin.root.is_none_or(|r| r < joints), "root in range");
        }
    }

    fn instances(&mut self, document: &Document) {
        for (index, instance) in document.instances.iter().enumerate() {
            self.place = format!("instance {index}");
            self.that(
                instance.joint < document.skeleton.joints.len(),
                "joint in range",
            );
            let Some(mesh) = document.meshes.get(instance.mesh) else {
                self.that(false, "mesh in range");
                continue;
            };
            self.that(
                instance.morph_weights.len() == mesh.morph_weights.len()
                    && instance.morph_weights.iter().all(|w| w.is_finite()),
                "a finite weight per morph target",
            );
            let Some(skin) = instance.skin else { continue };
            let Some(skin) = document.skins.get(skin) else {
                self.that(false, "skin in range");
                continue;
            };
            let slots = skin.joints.len();
            self.that(
                mesh.primitives
                    .iter()
                    .flat_map(|p| &p.influences.joints)
                    .all(|&joint| usize::from(joint) < slots),
                "influences within the skin's joints",
            );
        }
    }

    fn materials(&mut self, document: &Document) {
        for (index, material) in document.materials.iter().enumerate() {
            self.place = format!("material {index}");
            self.that(material.base_color.is_finite(), "base colour finite");
            self.that(material.emissive.is_finite(), "emissive finite");
            self.that(
                [
                    material.metallic,
                    material.roughness,
                    material.normal_scale,
                    material.occlusion_strength,
                ]
                .iter()
                .all(|factor| factor.is_finite()),
                "factors finite",
            );
            for texture in [
                material.base_color_texture,
                material.metallic_roughness_texture,
                material.normal_texture,
                material.occlusion_texture,
                material.emissive_texture,
            ]
            .into_iter()
            .flatten()
            {
                self.that(
                    texture.texture < document.textures.len(),
                    "texture in range",
                );
                self.that(texture.uv_set < 2, "texture coordinate set 0 or 1");
                self.that(texture.uv_transform.is_finite(), "uv transform finite");
            }
        }
        for (index, texture) in document.textures.iter().enumerate() {
            self.place = format!("texture {index}");
            self.that(texture.image < document.images.len(), "image in range");
        }
        for (index, image) in document.images.iter().enumerate() {
            self.place = format!("image {index}");
            self.that(
                image.pixels.len() as u64 == u64::from(image.width) * u64::from(image.height) * 4
                    && !image.pixels.is_empty(),
                "four bytes a pixel",
            );
            self.that(!image.name.is_empty(), "has a name");
        }
    }

    fn cameras(&mut self, document: &Document) {
        for (
            index,
            Camera {
                joint, projection, ..
            },
        ) in document.cameras.iter().enumerate()
        {
            self.place = format!("camera {index}");
            self.that(*joint < document.skeleton.joints.len(), "joint in range");
            let finite = match *projection {
                Projection::Perspective {
                    yfov_radians, near, ..
                } => yfov_radians > 0.0 && near > 0.0 && near.is_finite(),
                Projection::Orthographic {
                    xmag,
                    ymag,
                    near,
                    far,
                } => [xmag, ymag, near, far].iter().all(|n| n.is_finite()),
            };
            self.that(finite, "a usable lens");
        }
    }

    fn clips(&mut self, document: &Document) {
        let joints = document.skeleton.joints.len();
        for (index, clip) in document.clips.iter().enumerate() {
            self.place = format!("clip {index}");
            self.that(
                clip.duration_secs.is_finite()
                    && clip.start_secs >= 0.0
                    && clip.start_secs <= clip.duration_secs,
                "starts before it ends",
            );
            self.that(
                clip.joints.windows(2).all(|p| p[0].joint() < p[1].joint()),
                "tracks sorted by joint",
            );
            self.that(
                clip.morphs.windows(2).all(|p| p[0].joint < p[1].joint),
                "morph tracks sorted by joint",
            );
            let mut last = 0.0_f32;
            for tracks in &clip.joints {
                self.that(tracks.joint() < joints, "joint in range");
                if let JointTracks::Matrix { matrix, .. } = tracks {
                    self.track(matrix, 1, glam::Mat4::is_finite);
                    last = last.max(matrix.end_secs());
                }
                let JointTracks::Trs {
                    translation,
                    rotation,
                    scale,
                    ..
                } = tracks
                else {
                    continue;
                };
                for track in [translation, scale].into_iter().flatten() {
                    self.track(track, 1, |v| v.is_finite());
                    last = last.max(track.end_secs());
                }
                if let Some(track) = rotation {
                    self.track(track, 1, |q| q.is_finite());
                    self.that(
                        track.keys.values().iter().all(|q| q.length() > 0.0),
                        "rotations have a length",
                    );
                    last = last.max(track.end_secs());
                }
            }
            for morphs in &clip.morphs {
                self.that(morphs.joint < joints, "joint in range");
                self.that(morphs.target_count > 0, "has targets");
                self.track(&morphs.weights, morphs.target_count, |w| w.is_finite());
                last = last.max(morphs.weights.end_secs());
            }
            self.that(clip.duration_secs == last, "ends with its last key");
        }
    }

    fn track<T>(&mut self, track: &Track<T>, width: usize, finite: impl Fn(&T) -> bool) {
        self.that(!track.times.is_empty(), "a track has keys");
        self.that(
            track.times.iter().all(|t| t.is_finite() && *t >= 0.0),
            "times finite, from 0 on",
        );
        self.that(
            track.times.windows(2).all(|pair| pair[0] < pair[1]),
            "times increase",
        );
        let arrays = match &track.keys {
            Keys::Step(values) | Keys::Linear(values) => vec![values],
            Keys::Cubic {
                in_tangents,
                values,
                out_tangents,
            } => vec![in_tangents, values, out_tangents],
        };
        for array in arrays {
            self.that(
                array.len() == track.times.len() * width,
                "keys parallel to times",
            );
            self.that(array.iter().all(&finite), "keys finite");
        }
    }
}

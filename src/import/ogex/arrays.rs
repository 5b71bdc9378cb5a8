//! Vertex and index arrays of a mesh.

use std::collections::{BTreeMap, HashMap};

use glam::{Vec2, Vec3, Vec4};

use super::{
    Source,
    ddl::{Data, Id},
    error::{OgexError, OgexProblem},
};
use crate::{
    document::{Finding, FindingCode, Influences, MorphTarget, Primitive, Severity},
    import::gltf::{
        topology,
        vertices::{Place, mend_reported},
    },
    math::Aabb,
};

/// The vertices of a mesh, lengths in metres. All arrays are empty or of one length.
#[derive(Default)]
pub(super) struct Vertices {
    pub(super) positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    uvs: [Vec<Vec2>; 2],
    colors: Vec<Vec4>,
    /// Positions and normals of the other shapes, by the file's index.
    pub(super) shapes: BTreeMap<u32, (Vec<Vec3>, Vec<Vec3>)>,
}

/// Reads all `VertexArray` structures of a mesh.
pub(super) fn vertices(
    source: &Source<'_>,
    mesh: Id,
    place: Place,
    findings: &mut Vec<Finding>,
) -> Result<Vertices, OgexError> {
    let tree = source.tree;
    let mut vertices = Vertices::default();
    let mut uv_set = 0;
    // Counts are checked when all are known: positions may come last.
    let mut counts = Vec::new();
    for id in tree.of_kind(mesh, "VertexArray") {
        let attrib = tree.text(id, "attrib")?.unwrap_or_default();
        // `texcoord[1]`, in `OpenGEX` 2 and later.
        let (attrib, index) = match attrib.split_once('[') {
            Some((attrib, index)) => (attrib, index.trim_end_matches(']').parse::<usize>().ok()),
            None => (attrib, None),
        };
        let morph = tree.number(id, "morph")?.unwrap_or(0);
        let mut missing = |count: usize, what: &str| {
            if count > 0 {
                counts.push((id, count));
                return false;
            }
            findings.push(
                Finding::new(
                    FindingCode::MeshInvalid,
                    Severity::Warning,
                    format!(
                        "line {}: {} is empty: its {what} is left out",
                        tree.get(id).line,
                        tree.path(id)
                    ),
                )
                .at_mesh(place.mesh),
            );
            true
        };
        match attrib {
            "position" | "normal" => {
                let mut values: Vec<Vec3> = columns(source, id, 3, 3)?;
                if missing(values.len(), attrib) {
                    continue;
                }
                if attrib == "position" {
                    for value in &mut values {
                        *value *= source.metrics.distance;
                    }
                }
                mend_reported(
                    &mut values,
                    Vec3::ZERO,
                    format_args!("{}", tree.path(id)),
                    place,
                    findings,
                );
                let shape = match morph {
                    0 => (&mut vertices.positions, &mut vertices.normals),
                    _ => {
                        let shape = vertices.shapes.entry(morph).or_default();
                        (&mut shape.0, &mut shape.1)
                    }
                };
                *(if attrib == "position" {
                    shape.0
                } else {
                    shape.1
                }) = values;
            }
            "texcoord" if morph == 0 => {
                let set = index.unwrap_or(uv_set);
                uv_set = set.saturating_add(1);
                let mut values: Vec<Vec2> = columns(source, id, 2, 2)?;
                if missing(values.len(), attrib) {
                    continue;
                }
                if set >= 2 {
                    left_out(source, id, attrib, place, findings);
                    continue;
                }
                mend_reported(
                    &mut values,
                    Vec2::ZERO,
                    format_args!("{}", tree.path(id)),
                    place,
                    findings,
                );
                // Upwards in the format, downwards here.
                vertices.uvs[set] = values
                    .iter()
                    .map(|uv| Vec2::new(uv.x, 1.0 - uv.y))
                    .collect();
            }
            "color" if morph == 0 && index.unwrap_or(0) == 0 => {
                let mut values: Vec<Vec4> = columns(source, id, 3, 4)?;
                if !missing(values.len(), attrib) {
                    mend_reported(
                        &mut values,
                        Vec4::ONE,
                        format_args!("{}", tree.path(id)),
                        place,
                        findings,
                    );
                    vertices.colors = values;
                }
            }
            // Tangents are made anew where a normal map needs them.
            "tangent" | "bitangent" => {}
            _ => left_out(source, id, attrib, place, findings),
        }
    }
    let expected = vertices.positions.len();
    for (id, count) in counts {
        if count != expected && expected > 0 {
            return Err(tree.error(
                id,
                OgexProblem::AttributeCount {
                    count,
                    vertices: expected,
                },
            ));
        }
    }
    Ok(vertices)
}

/// Says that an array has no place in the document.
fn left_out(source: &Source<'_>, id: Id, attrib: &str, place: Place, findings: &mut Vec<Finding>) {
    let tree = source.tree;
    let shown: String = attrib.chars().take(40).collect();
    let morph = match tree.number(id, "morph") {
        Ok(Some(morph)) if morph > 0 => format!(" of morph target {morph}"),
        _ => String::new(),
    };
    findings.push(
        Finding::new(
            FindingCode::ExtensionUnsupported,
            Severity::Info,
            format!(
                "line {}: {}: {shown:?}{morph} is not shown (two sets of texture coordinates and one of colours are)",
                tree.get(id).line,
                tree.path(id)
            ),
        )
        .at_mesh(place.mesh),
    );
}

/// Vectors of `least` to `most` numbers; a fourth that is missing is 1.
fn columns<const N: usize, V: From<[f32; N]>>(
    source: &Source<'_>,
    id: Id,
    least: u32,
    most: u32,
) -> Result<Vec<V>, OgexError> {
    let tree = source.tree;
    let data = tree
        .data(id)
        .ok_or_else(|| tree.error(id, OgexProblem::Missing { what: "data" }))?;
    let width = data.width;
    match &data.data {
        Data::Floats(values) if values.is_empty() && width == 0 => Ok(Vec::new()),
        Data::Floats(values) if (least..=most).contains(&width) => Ok(values
            .chunks_exact(width as usize)
            .map(|numbers| {
                let mut vector = [1.0; N];
                vector[..numbers.len()].copy_from_slice(numbers);
                V::from(vector)
            })
            .collect()),
        _ => Err(tree.error(
            id,
            OgexProblem::Data {
                expected: format!("float[{least}]"),
                found: match width {
                    0 => data.kind.to_owned(),
                    width => format!("{}[{width}]", data.kind),
                },
            },
        )),
    }
}

/// A mesh's way to form primitives.
#[derive(Clone, Copy)]
pub(super) struct Form {
    /// glTF's number for it; `None` for quads.
    mode: Option<u32>,
}

/// Reads the mesh's `primitive` property.
pub(super) fn form(source: &Source<'_>, mesh: Id) -> Result<Form, OgexError> {
    let word = source.tree.text(mesh, "primitive")?;
    let mode = match word {
        Some("points") => Some(0),
        Some("lines") => Some(1),
        Some("line_loop") => Some(2),
        Some("line_strip") => Some(3),
        None | Some("triangles") => Some(4),
        Some("triangle_strip") => Some(5),
        Some("triangle_fan") => Some(6),
        Some("quads") => None,
        Some(word) => {
            return Err(source.tree.error(
                mesh,
                OgexProblem::Property {
                    property: "primitive",
                    value: format!("{word:?}"),
                    expected: "points, lines, line_strip, triangles, triangle_strip or quads is expected",
                },
            ));
        }
    };
    Ok(Form { mode })
}

/// Reads one index array: its material's number, and what its indices form as lists.
pub(super) fn indices(
    source: &Source<'_>,
    id: Id,
    form: Form,
    vertices: usize,
) -> Result<(u32, topology::Expanded), OgexError> {
    let tree = source.tree;
    let material = tree.number(id, "material")?.unwrap_or(0);
    let is_turned = tree.text(id, "front")? == Some("cw");
    let restart = match tree.property(id, "restart") {
        Some(super::ddl::Value::Number(_, restart)) => *restart,
        _ => None,
    };
    let Some(Data::Ints(stored)) = tree.data(id).map(|data| &data.data) else {
        return Err(tree.error(
            id,
            OgexProblem::Data {
                expected: "unsigned integers".into(),
                found: tree.data(id).map_or("nothing", |data| data.kind).into(),
            },
        ));
    };
    let mut expanded: Option<topology::Expanded> = None;
    for (run, at) in runs(stored, restart) {
        let mut list = Vec::with_capacity(run.len());
        for (offset, &index) in run.iter().enumerate() {
            match u32::try_from(index) {
                Ok(small) if (small as usize) < vertices => list.push(small),
                _ => {
                    return Err(tree.error(
                        id,
                        OgexProblem::VertexIndex {
                            index,
                            position: at + offset,
                            vertices,
                        },
                    ));
                }
            }
        }
        let part = expand(form, list);
        match &mut expanded {
            None => expanded = Some(part),
            Some(whole) => {
                whole.indices.extend(part.indices);
                whole.left_over += part.left_over;
            }
        }
    }
    let mut expanded = expanded.unwrap_or_else(|| expand(form, Vec::new()));
    if is_turned && expanded.topology == crate::document::Topology::Triangles {
        for triangle in expanded.indices.chunks_exact_mut(3) {
            triangle.swap(1, 2);
        }
    }
    Ok((material, expanded))
}

/// The runs between restarts, and where each begins.
fn runs(stored: &[i64], restart: Option<i64>) -> impl Iterator<Item = (&[i64], usize)> {
    let mut at = 0;
    stored
        .split(move |&index| Some(index) == restart)
        .map(move |run| {
            let start = at;
            at += run.len() + 1;
            (run, start)
        })
}

/// Strips, fans and quads → lists.
pub(super) fn expand(form: Form, list: Vec<u32>) -> topology::Expanded {
    let Some(mode) = form.mode else {
        return quads(&list);
    };
    topology::expand(mode, list).unwrap_or_else(|| quads(&[]))
}

fn quads(list: &[u32]) -> topology::Expanded {
    let quads = list.chunks_exact(4);
    topology::Expanded {
        topology: crate::document::Topology::Triangles,
        left_over: quads.remainder().len(),
        indices: quads
            .flat_map(|q| [q[0], q[1], q[2], q[0], q[2], q[3]])
            .collect(),
    }
}

/// Puts a primitive together. `compact` keeps only the vertices that it uses, in order of
/// use: the arrays of a mesh with many materials must not be copied whole for each.
pub(super) fn primitive(
    vertices: &Vertices,
    influences: &Influences,
    bases: &BTreeMap<u32, u32>,
    expanded: topology::Expanded,
    compact: bool,
) -> Primitive {
    let mut indices = expanded.indices;
    let used: Option<Vec<usize>> = compact.then(|| {
        let mut slots: HashMap<u32, u32> = HashMap::new();
        let mut used = Vec::new();
        for index in &mut indices {
            *index = *slots.entry(*index).or_insert_with(|| {
                used.push(*index as usize);
                used.len() as u32 - 1
            });
        }
        used
    });
    let used = used.as_deref();
    let per_vertex = influences.per_vertex;
    let positions = chosen(&vertices.positions, used);
    let zero = (Vec::new(), Vec::new());
    let morph_targets = vertices
        .shapes
        .iter()
        .map(|(index, (shape, shape_normals))| {
            let base = bases.get(index).copied().unwrap_or(0);
            let (base, base_normals) = match base {
                0 => (&vertices.positions, &vertices.normals),
                base => {
                    let base = vertices.shapes.get(&base).unwrap_or(&zero);
                    (&base.0, &base.1)
                }
            };
            MorphTarget {
                positions: difference(shape, base, used),
                normals: difference(shape_normals, base_normals, used),
                tangents: Vec::new(),
            }
        })
        .collect();
    Primitive {
        topology: expanded.topology,
        indices,
        bounds: Aabb::from_points(positions.iter().copied()),
        file_vertex_count: positions.len(),
        normals: chosen(&vertices.normals, used),
        uvs: [
            chosen(&vertices.uvs[0], used),
            chosen(&vertices.uvs[1], used),
        ],
        colors: chosen(&vertices.colors, used),
        influences: Influences {
            per_vertex,
            joints: chosen_rows(&influences.joints, per_vertex, used),
            weights: chosen_rows(&influences.weights, per_vertex, used),
        },
        morph_targets,
        positions,
        ..Primitive::default()
    }
}

fn chosen<T: Copy>(values: &[T], used: Option<&[usize]>) -> Vec<T> {
    chosen_rows(values, 1, used)
}

fn chosen_rows<T: Copy>(values: &[T], width: usize, used: Option<&[usize]>) -> Vec<T> {
    match used {
        Some(used) if !values.is_empty() => used
            .iter()
            .flat_map(|&vertex| &values[vertex * width..(vertex + 1) * width])
            .copied()
            .collect(),
        _ => values.to_vec(),
    }
}

/// What a shape adds to its base; nothing where either is missing.
fn difference(shape: &[Vec3], base: &[Vec3], used: Option<&[usize]>) -> Vec<Vec3> {
    if shape.len() != base.len() {
        return Vec::new();
    }
    let difference: Vec<Vec3> = shape
        .iter()
        .zip(base)
        .map(|(&to, &from)| to - from)
        .collect();
    chosen(&difference, used)
}

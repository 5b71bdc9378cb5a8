//! Words for what is wrong with meshes and weights.

use super::Advice;

pub(super) const WEIGHTS_NOT_NORMALIZED: Advice = Advice {
    title: "Weights do not sum to 1",
    wrong: "The weights of a vertex sum to more or less than 1, by more than rounding explains.",
    here: "Weights are divided by their sum; \u{201c}stored weights\u{201d} shows what happens without that.",
    elsewhere: "Players that take them as stored pull the vertex towards the origin (below 1) or away from it \
                (above 1): dents and spikes that grow with distance.",
    fix: "Blender: Weight Paint mode, Weights > Normalize All with Lock Active off. Maya: Skin > Normalize Weights > \
          Normalize, and keep Normalize Weights at Interactive.",
};

pub(super) const WEIGHTS_ZERO: Advice = Advice {
    title: "Vertices without weight",
    wrong: "All weights of these vertices are zero: no joint moves them.",
    here: "They stay where they were bound, while the rest of the mesh moves.",
    elsewhere: "They stay behind, collapse to the origin, or become NaN, which can hide the whole mesh.",
    fix: "Blender: Edit Mode, Select > Select All by Trait > Ungrouped Vertices finds most of them; assign or paint \
          weights. Maya: Skin > Hammer Skin Weights takes them from the neighbours.",
};

pub(super) const WEIGHTS_DUPLICATE_JOINT: Advice = Advice {
    title: "Same joint twice on a vertex",
    wrong: "A vertex lists one joint more than once, each time with weight.",
    here: "The weights are added up.",
    elsewhere: "Most add them too; tools that sort, merge or prune influences may lose one of them.",
    fix: "Blender and Maya keep one weight per bone and vertex: look at merges, converters and optimisers after the \
          export.",
};

pub(super) const WEIGHTS_BEYOND_FOUR: Advice = Advice {
    title: "More than four influences",
    wrong: "More than four joints pull at these vertices.",
    here: "All of them count; the four-influences preview shows what dropping the rest does.",
    elsewhere: "Most engines keep four, not always the heaviest, and not all of them rescale the rest: \
                dents that appear only in the engine.",
    fix: "Blender: Weight Paint mode, Weights > Limit Total at 4, then Normalize All; or leave \u{201c}Include All Bone \
          Influences\u{201d} off in the glTF export. Maya: Skin > Edit Influences > Set Max Influences at 4.",
};

pub(super) const WEIGHTS_INVALID: Advice = Advice {
    title: "Weights are no weights",
    wrong: "Weights are negative, NaN or infinite, or weights and joints do not come in pairs.",
    here: "Such weights count as zero; a set without its partner is left out.",
    elsewhere: "Vertices fly off, or the mesh disappears.",
    fix: "Blender: Weight Paint mode, Weights > Clean, then Normalize All. Maya: Skin > Prune Small Weights, then \
          Normalize Weights. Then export again and look at scripts in between.",
};

pub(super) const JOINT_INDEX_OUT_OF_RANGE: Advice = Advice {
    title: "Vertex names a missing joint",
    wrong: "A vertex refers to a joint beyond the end of the skin's list.",
    here: "That weight is taken away and the others make up for it; without weight nothing changes.",
    elsewhere: "Memory past the list is read: vertices fly to arbitrary places, or the file is refused. With weight 0 \
                most do not mind.",
    fix: "The skin lost joints after the weights were written: look at scripts and optimisers after the export. \
          Blender: export without \u{201c}Export Deformation Bones Only\u{201d}, or mark the missing bones as Deform. Maya: export \
          all influences of the skin.",
};

pub(super) const MESH_NON_FINITE: Advice = Advice {
    title: "Vertices are not numbers",
    wrong: "Vertex data holds NaN, infinity or values beyond all measure.",
    here: "Values of neighbouring vertices stand in.",
    elsewhere: "Triangles vanish or stretch across the screen; bounds and culling break.",
    fix: "Positions: look at scripts, modifiers and shape keys. Normals and tangents break on faces without area. \
          Blender: Mesh > Clean Up > Degenerate Dissolve, then Mesh > Normals > Recalculate Outside; Maya: Mesh > \
          Cleanup, faces with zero geometry area.",
};

pub(super) const MESH_INDEX_OUT_OF_RANGE: Advice = Advice {
    title: "Triangle names a missing vertex",
    wrong: "A triangle refers to a vertex that the mesh does not have.",
    here: "Such triangles are left out.",
    elsewhere: "Spikes to arbitrary points, a crash of the driver, or a file that is refused.",
    fix: "Export again: nobody can make this by hand in Blender or Maya. After an optimiser or a merge of meshes, \
          compare with the file before it.",
};

pub(super) const MESH_INVALID: Advice = Advice {
    title: "Mesh cannot be drawn",
    wrong: "A primitive lacks positions, or its attributes do not fit together.",
    here: "What cannot be drawn is left out, the rest is shown.",
    elsewhere: "The mesh is missing, or the whole file is refused.",
    fix: "Blender: remove empty meshes and loose data (Mesh > Clean Up > Delete Loose), export again. Maya: Mesh > \
          Cleanup, then Edit > Delete by Type > Non-Deformer History (plain History would delete the skin).",
};

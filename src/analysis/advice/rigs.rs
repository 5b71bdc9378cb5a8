//! Words for what is wrong with skeletons and skins.

use super::Advice;

pub(super) const INVERSE_BIND_MISSING: Advice = Advice {
    title: "No inverse bind matrices",
    wrong: "The skin does not say where its joints were when the mesh was bound.",
    here: "Identity is assumed, as glTF asks for: right only if the mesh was modelled at the joints' origin.",
    elsewhere: "The same, or the rest pose is taken instead, or the file is refused.",
    fix: "The usual exporters of Blender and Maya write them; look at the compression or conversion after the export, \
          and do that step again with a current version.",
};

pub(super) const INVERSE_BIND_SINGULAR: Advice = Advice {
    title: "Inverse bind matrix is broken",
    wrong: "An inverse bind matrix cannot be inverted, or its last row is not 0 0 0 1: it flattens or bends the mesh.",
    here: "The last row 0 0 0 1 is used, and identity for what is no number; what cannot be inverted has no bind pose.",
    elsewhere: "Vertices of that joint collapse to a plane or a point, or become NaN.",
    fix: "Something above the mesh was probably scaled to 0. Blender: set the armature object's scale to 1, Pose > \
          Clear Transform > Scale, export again. Maya: Skin > Go to Bind Pose, set the scale to 1, bind again.",
};

pub(super) const INVERSE_BIND_TRANSPOSED: Advice = Advice {
    title: "Bind matrices look transposed",
    wrong: "The matrices hold their translation in the fourth row: they were written row by row, while glTF stores \
            columns.",
    here: "Used as stored: the mesh is stretched. The preview beside the bind pose shows them turned round.",
    elsewhere: "The same stretched mesh in every player that follows the format.",
    fix: "The exporter or script must write each matrix column by column. The usual exporters of Blender and Maya do \
          it right.",
};

pub(super) const BIND_REST_MISMATCH: Advice = Advice {
    title: "Rest pose is not the bind pose",
    wrong: "At rest the joints stand elsewhere than where the mesh was bound. The format allows it: often the rest \
            pose is the first frame of a clip.",
    here: "Both, by Rest pose and Bind pose; joints that a clip does not key stay in the rest pose.",
    elsewhere: "Importers that take the rest pose for the bind pose deform the mesh, and retargeting goes wrong.",
    fix: "Where joints are posed: Blender, \u{201c}Use Rest Position Armature\u{201d} in the glTF export; Maya, Skin > Go to Bind \
          Pose before it. Where the mesh is off as a whole, neither helps: apply the object transforms of mesh and \
          armature before binding (Blender: Object > Apply; Maya: Modify > Freeze Transformations).",
};

pub(super) const SKINNED_MESH_TRANSFORM: Advice = Advice {
    title: "Mesh's own transform is ignored",
    wrong: "The skinned mesh's node, or one above it, is moved, turned or scaled, which by the rules counts for nothing.",
    here: "Ignored: the joints alone place the mesh.",
    elsewhere: "Some players apply it on top: the mesh is offset, scaled or turned twice.",
    fix: "Blender: Object > Apply > All Transforms on the mesh, and parent it to the armature only; apply the \
          armature's own scale before it is animated. Maya: Modify > Freeze Transformations on the mesh before \
          binding.",
};

pub(super) const JOINT_COUNT: Advice = Advice {
    title: "Many joints in one skin",
    wrong: "The skin has more joints than common players can hold at once.",
    here: "All of them, without a limit.",
    elsewhere: "Limits of 64, 128, 256 or 1023 joints per mesh are common: beyond them the mesh is split, drawn wrong \
                or not at all.",
    fix: "Blender: \u{201c}Export Deformation Bones Only\u{201d} in the glTF export leaves control bones out; split the mesh where \
          that is not enough. Maya: Skin > Edit Influences > Remove Unused Influences.",
};

pub(super) const SCALE_SHEAR: Advice = Advice {
    title: "Joint is sheared",
    wrong: "An uneven scale above a turned joint gives a matrix that is no product of translation, rotation and scale.",
    here: "The sheared matrix, as it multiplies out.",
    elsewhere: "Engines that take matrices apart into translation, rotation and scale lose the shear: the limb has \
                another shape there.",
    fix: "Keep scales above joints even: key no uneven bone scale, but use shape keys (Maya: blend shapes) or a leaf \
          bone that nothing hangs on. Blender's Inherit Scale and Maya's Segment Scale Compensate do not help: glTF \
          cannot store them.",
};

pub(super) const SCALE_MIRRORED: Advice = Advice {
    title: "Joint is mirrored",
    wrong: "A negative scale turns the joint's space inside out.",
    here: "Mirrored, with surfaces facing the right way.",
    elsewhere: "Some show surfaces inside out or lit from behind; engines that store even scales lose the mirror.",
    fix: "Blender: Object > Apply > Scale, then Mesh > Normals > Recalculate Outside; mirror bones by Armature > \
          Symmetrize. Maya: Skeleton > Mirror Joints in place of a scale of -1.",
};

pub(super) const SCALE_ZERO: Advice = Advice {
    title: "Joint is scaled to nothing",
    wrong: "A scale of zero squeezes all that hangs on the joint into a point or a plane.",
    here: "As stored: what the joint moves is gone from sight.",
    elsewhere: "Gone too; normals, inverse matrices and physics may become NaN.",
    fix: "If it is a way to hide something, key a very small scale such as 0.001 in Blender or Maya: directions \
          survive that and are lost at 0. glTF's core cannot animate visibility.",
};

pub(super) const ROOT_SCALE: Advice = Advice {
    title: "Root carries a unit scale",
    wrong: "A root is scaled by about 0.01 or 100: centimetres were taken for metres, or the other way round.",
    here: "The size that results, in metres, beside the file's name.",
    elsewhere: "The same size, until something ignores that node's scale: then the character is a hundred times too \
                large or too small.",
    fix: "Blender: Object > Apply > Scale on armature and mesh before animating; if bones are keyed already, scale \
          their location curves by the same factor (Graph Editor, cursor value 0, pivot 2D Cursor, S then Y). Maya: \
          set the working units (Windows > Settings/Preferences > Preferences > Settings), export again.",
};

pub(super) const DUPLICATE_NAMES: Advice = Advice {
    title: "Two nodes of one name",
    wrong: "Several nodes have the same name.",
    here: "Nodes are told apart by their index, which is shown beside the name.",
    elsewhere: "Players that bind clips by name move the wrong one, or both.",
    fix: "Give each its own name. Blender: bones of two armatures may share one, so rename them (Edit > Batch Rename). Maya: \
          names need to be unique across the scene, not only below one group.",
};

pub(super) const SKIN_INVALID: Advice = Advice {
    title: "Skin breaks a rule",
    wrong: "The skin lists joints that do not exist, lists none, or does not fit the mesh that uses it.",
    here: "Mended where possible; a mesh without a usable skin is shown as stored.",
    elsewhere: "Strict loaders refuse the file; others show the mesh without its skin.",
    fix: "Blender: give the mesh one Armature modifier and parent it to that armature (Object > Parent > Armature Deform), \
          then export both. Maya: Skin > Unbind Skin, then bind again.",
};

pub(super) const NODE_INVALID: Advice = Advice {
    title: "Node breaks a rule",
    wrong: "A node's transform is not finite, or the links between nodes and scenes lead nowhere or in a circle.",
    here: "Mended: the node stands at its parent, or a wrong link is cut.",
    elsewhere: "Strict loaders refuse the file; others hang or lose what lies below the node.",
    fix: "Export again from Blender or Maya; after a script or a merge of files, compare with the files before it.",
};

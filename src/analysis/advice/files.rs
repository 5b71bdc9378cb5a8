//! Words for what is wrong with files, images and extensions.

use super::Advice;

pub(super) const CONTAINER_INVALID: Advice = Advice {
    title: "File header breaks a rule",
    wrong: "A length, version or chunk named in the file's header does not match its contents.",
    here: "Read all the same, as far as the contents allow.",
    elsewhere: "Strict loaders refuse the whole file.",
    fix: "Compare the file's size with the original: it may have been cut on its way. Else export it again from Blender \
          or Maya, or report it to the tool that wrote it.",
};

pub(super) const ACCESSOR_INVALID: Advice = Advice {
    title: "Unused data is broken",
    wrong: "Data that nothing in the file uses lies outside of its buffer or has an impossible layout.",
    here: "Left out; nothing on show depends on it.",
    elsewhere: "Loaders that read everything at once refuse the file.",
    fix: "Export again from Blender or Maya, or remove what is unused with an optimiser (such as glTF-Transform's prune).",
};

pub(super) const IMAGE_UNREADABLE: Advice = Advice {
    title: "Image cannot be read",
    wrong: "A texture's image is missing, broken or in a format that glTF does not know.",
    here: "A placeholder stands in; the shape and its motion are not touched.",
    elsewhere: "White, black or pink surfaces, or a file that does not load.",
    fix: "Blender: File > External Data > Report Missing Files finds lost images; PNG and JPEG are safe formats. \
          Maya: repair paths in Windows > General Editors > File Path Editor.",
};

pub(super) const REFERENCE_INVALID: Advice = Advice {
    title: "Reference leads nowhere",
    wrong: "A material, texture or camera is referred to that the file does not have.",
    here: "The reference is dropped and the default is used.",
    elsewhere: "The default too, a crash, or a file that does not load.",
    fix: "Export again from Blender or Maya; after a script or optimiser, compare with the file before it: it \
          removed something that was in use.",
};

pub(super) const EXTENSION_UNSUPPORTED: Advice = Advice {
    title: "Extension is not read",
    wrong: "The file has parts that this program does not read: an extension, or such things as lights.",
    here: "They are ignored; what they add is not shown. Joints, keys and weights of the core format are.",
    elsewhere: "Players that know it show more than this program does; others ignore it too.",
    fix: "Usually nothing to do: VRM extensions carry avatar data (humanoid, spring bones) and do not change the pose. \
          Special materials can be switched off in the glTF export of Blender or Maya, and textures stored as PNG or \
          JPEG instead of Basis Universal, if the file must work everywhere.",
};

//! Words for what is wrong with clips.

use super::Advice;

pub(super) const ROTATION_SIGN_FLIP: Advice = Advice {
    title: "Rotation flips sign",
    wrong: "Two neighbouring keys are stored as quaternions of opposite sign: nearly the same \
            rotation, but numbers that lie far apart.",
    here: "The short way round, as glTF asks for. Hemisphere \u{201c}keep\u{201d} shows the long way that \
           the numbers describe.",
    elsewhere: "Players that do not look for the short way swing the joint through the long arc \
                within one interval: the limb whips round for a frame.",
    fix: "The file obeys the format and the exporter chose the signs: no option of Blender or Maya sets them. Mend the \
          player (on load, negate a key whose dot product with the one before is negative) or run a script over the \
          file that does so. Leave Sampling Animations on: cubic keys of opposite signs are worse.",
};

pub(super) const ROTATION_NEAR_HALF_TURN: Advice = Advice {
    title: "Half a turn between keys",
    wrong: "Two neighbouring keys lie almost exactly 180° apart, so neither way round is the short one: \
            rounding decides the direction.",
    here: "The arc that is shorter by the stored numbers, which may be the other one after the next export.",
    elsewhere: "Players turn one way or the other, and the same player may change its mind after \
                compression or resampling.",
    fix: "Put a key between the two, so that each step stays well below 180°. Blender: Sampling Animations \
          in the glTF export does it for every frame; Maya: Key > Bake Simulation.",
};

pub(super) const ROTATION_LOST_TURN: Advice = Advice {
    title: "A whole turn is lost",
    wrong: "Quaternions cannot count turns. A spin from 0° to 360° between two keys becomes no motion at all, and \
            one from 0° to 350° becomes 10° the other way round.",
    here: "The short way between the keys, or nothing where they are equal; hemisphere \u{201c}keep\u{201d} plays the long \
           way where the signs describe it.",
    elsewhere: "The same in most players; those without the short way may spin where the signs differ.",
    fix: "Key the turn in steps of less than 180° (0°, 120°, 240°, 360°). Blender: switch Sampling Animations \
          on in the glTF export; Maya: Key > Bake Simulation before the export.",
};

pub(super) const ROTATION_POP: Advice = Advice {
    title: "Rotation jumps",
    wrong: "One interval turns far faster than the motion around it, and no sign flip explains it: the \
            two poses really differ.",
    here: "The jump, as stored. No interpolation mode hides it.",
    elsewhere: "Every player shows it; those that blend or compress clips smear it over several frames.",
    fix: "Blender and Maya: if the keyed poses differ, look for an IK flip or a stray key and move the pole target \
          (pole vector). Only if the in-betweens were sampled through a jump of Euler angles does the Graph Editor's \
          Euler filter help (Blender: Key > Discontinuity (Euler) Filter; Maya: Curves > Euler Filter); export again.",
};

pub(super) const ROTATION_NOT_UNIT: Advice = Advice {
    title: "Rotation is not of length 1",
    wrong: "A quaternion is a rotation only at length 1; this one is longer or shorter.",
    here: "Normalised before use; mode \u{201c}lerp\u{201d} shows what the length does where nobody normalises.",
    elsewhere: "Players that do not normalise grow or squash the joint and all below it.",
    fix: "The exporter or an optimiser rounded too far: export again with more precision. The usual exporters of \
          Blender and Maya write unit quaternions, so look at the steps after them (compression, scripts).",
};

pub(super) const CUBIC_DEGENERATE: Advice = Advice {
    title: "Cubic spline collapses",
    wrong: "Between these keys the spline of quaternions comes close to zero length, because the keys or \
            their tangents point apart.",
    here: "The spline as stored, normalised, as glTF asks for: a fast and uneven turn. Hemisphere \
           \u{201c}align-all\u{201d} aligns the keys with their tangents.",
    elsewhere: "Players that do not normalise shrink or shear the mesh in the middle of the interval.",
    fix: "Blender: switch Sampling Animations on in the glTF export, so that keys become LINEAR; signs that still flip \
          then are harmless where the player takes the short way. Maya: Key > Bake Simulation, then export as LINEAR.",
};

pub(super) const PROBABLE_LOST_STEP: Advice = Advice {
    title: "A step became a slide",
    wrong: "Values stand still, jump within one frame and stand still again, stored as LINEAR: probably \
            constant keys that were sampled.",
    here: "The slide over one frame, as stored; mode \u{201c}step\u{201d} shows the snap that was probably meant.",
    elsewhere: "Every player slides for that frame; slow motion makes it plain, and scale may pass through zero.",
    fix: "Blender: export without Sampling Animations to keep Constant keys as STEP, after baking constraints and IK, \
          which are not exported then. Maya: set stepped tangents and use an exporter that writes STEP, or accept the \
          one frame.",
};

pub(super) const LOOP_SEAM: Advice = Advice {
    title: "Loop does not close",
    wrong: "The clip's last pose differs from its first, so a loop jumps at the seam.",
    here: "The jump, each time the loop starts over.",
    elsewhere: "The same, unless the engine blends the end into the start. For a clip that is played once \
                it means nothing.",
    fix: "In place: copy the first pose to the last frame (Blender: Pose > Copy Pose and Paste Pose; Maya: copy and \
          paste keys). Where the clip travels or turns, leave the root out: export in place, or let the engine add up \
          root motion. A clip that plays once needs nothing.",
};

pub(super) const LATE_START: Advice = Advice {
    title: "Clip starts late",
    wrong: "The first key is later than 0: the file has a still stretch before the motion.",
    here: "The first pose is held (hatched in the timeline); \u{201c}Start at the first key\u{201d} leaves the stretch out.",
    elsewhere: "Some players wait, some start at the first key, and clips that are to play together drift apart.",
    fix: "Move the keys to frame 0, or in Blender switch \u{201c}Set all glTF Animation starting at 0\u{201d} on in \
          the export's Animation section. Maya: start the exported range at the first key.",
};

pub(super) const CHANNEL_NO_EFFECT: Advice = Advice {
    title: "Channel changes nothing",
    wrong: "All keys of this channel equal the rest pose: it costs memory and time and moves nothing.",
    here: "Played as stored; nothing is to be seen. If motion was meant, it was lost before the export.",
    elsewhere: "No harm, but a channel that does nothing still overrides lower layers when clips are blended.",
    fix: "Keep such channels if clips are mixed at run time. Otherwise, in Blender's glTF export: Optimize Animation \
          Size on and \u{201c}Force keeping channels for bones\u{201d} off; Maya: Edit > Delete by Type > Static Channels. If motion \
          was meant, bake it (Pose > Animation > Bake Action; Key > Bake Simulation).",
};

pub(super) const CHANNEL_DUPLICATE: Advice = Advice {
    title: "Two channels on one property",
    wrong: "Two channels of one clip move the same property of the same node, which the format forbids.",
    here: "The later one is played.",
    elsewhere: "Some play the first, some the last, some add both, and strict loaders refuse the file.",
    fix: "Blender: make sure that one action, or one NLA track with unmuted strips, moves the bone, and export again. \
          Maya: merge the animation layers before the export.",
};

pub(super) const CHANNEL_NO_TARGET: Advice = Advice {
    title: "Channel without a target",
    wrong: "The channel names no node, or nothing that glTF's core knows; it may belong to an extension.",
    here: "Left out: nothing of this program moves by it.",
    elsewhere: "Ignored by all that do not know the extension.",
    fix: "Nothing to do if an extension animates a material or a light. Else delete curves of objects that are gone: \
          in Blender, Filter > Only Show Errors in the Dope Sheet finds them.",
};

pub(super) const CHANNEL_IGNORED_TRANSFORM: Advice = Advice {
    title: "Animation counts for nothing",
    wrong: "The channel moves a skinned mesh's own node, or a node above it that carries no joint: \
            a skinned mesh follows its joints only.",
    here: "Nothing moves, as glTF asks for.",
    elsewhere: "Some players apply it and move the mesh twice, or away from its skeleton.",
    fix: "Animate the armature object or the root joint instead. Blender: clear the mesh object's animation and key \
          the armature or root bone; Maya: key the root joint or its group, not the mesh's transform.",
};

pub(super) const CHANNEL_INVALID: Advice = Advice {
    title: "Channel cannot be used",
    wrong: "The channel's data does not fit its property: a missing accessor, a wrong type or a wrong number of values.",
    here: "Left out; the property stays at rest.",
    elsewhere: "Some refuse the file, some drop the whole clip, some read past the data.",
    fix: "Export again with a current version of the exporter: nobody can make this by hand in Blender or Maya. After \
          scripts or optimisers, compare with the file before them.",
};

pub(super) const TIMES_NOT_INCREASING: Advice = Advice {
    title: "Key times do not increase",
    wrong: "A track's key times go back or stand still, so that it is not said which key comes first.",
    here: "Keys are sorted by time; of keys at one time one is kept.",
    elsewhere: "A search in unsorted times finds any key: poses jump, or the loader refuses the file.",
    fix: "Blender and Maya keep one key per frame and curve, so this comes from a script, converter or optimiser: \
          export again without that step, or repair the file with the tool that wrote it.",
};

pub(super) const KEYS_NON_FINITE: Advice = Advice {
    title: "Keys are not numbers",
    wrong: "Keys hold NaN, infinity or values beyond all measure: usually a division by zero in a constraint, \
            an expression or an exporter.",
    here: "The key before holds in their place.",
    elsewhere: "The joint and all below it vanish or fill the screen; bounds and culling break for the whole character.",
    fix: "Go to the frame and look for a scale of 0, an IK chain of length 0 or an expression that divides by 0. \
          Blender: bake with Pose > Animation > Bake Action and check the curve; Maya: Key > Bake Simulation.",
};

pub(super) const CLIP_EMPTY: Advice = Advice {
    title: "Clip is empty",
    wrong: "The clip has no channel that could be used.",
    here: "Listed, and shows the rest pose.",
    elsewhere: "Listed too, or dropped, so that clip numbers shift from player to player.",
    fix: "Blender: push the action down to an NLA track or give it to the armature before the export, and delete empty \
          actions. Maya: check that the take's time range covers the keys.",
};

pub(super) const CLIP_UNKEYED_JOINTS: Advice = Advice {
    title: "Joints without keys",
    wrong: "The clip does not key these joints: what they do is up to the player.",
    here: "They stay in the rest pose.",
    elsewhere: "Some leave them where the clip before put them, so that poses mix when clips change.",
    fix: "Only needed if clips are mixed or switched at run time: key every joint once per clip. Blender: Optimize \
          Animation Size with \u{201c}Force keeping channels for bones\u{201d} on, and \u{201c}Reset pose bones between actions\u{201d}, in the \
          glTF export; Maya: bake all joints.",
};

//! The command line as types. Flags only record; nothing here acts.

mod check;
mod compare;
mod sampling;
mod sides;

use std::path::PathBuf;

use clap::{
    Args, Parser, Subcommand,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};

pub use check::{CheckArgs, Deny};
pub use compare::CompareArgs;
pub use sampling::{ClipChoice, SamplingArgs};
pub use sides::SideSpec;

use super::{overlay::OverlayArgs, parse};
use crate::scene::{Background, Light, WeightView};

const OVERVIEW: &str = "\
Examples:
  rigscope                          the built-in character, walking
  rigscope hero.glb                 a glTF 2.0 file (.glb or .gltf) in a window
  rigscope info hero.glb            what is in the file
  rigscope check hero.glb           what is wrong with it, and what to do
  rigscope pose hero.glb --time 0.5 > pose.json
  rigscope compare hero.glb --b interpolation=lerp
                                    how far apart two ways to play it are
  rigscope render hero.glb -o hero.png --clip Walk --time 0.5

A file whose name is that of a command is written with a folder: ./info

Words:
  joint        a node of the file: translation, orientation (fixed), rotation, scale
  clip         a named animation; joints without keys stay in the rest pose
  rest pose    the node transforms as stored
  bind pose    where the mesh was bound: the inverses of the inverse bind matrices
  skin matrix  M · M0⁻¹, a joint's world matrix times its inverse bind matrix

Exit codes: 0 done, 1 done and found what was asked for (check), 2 not done (the
reason is on stderr).";

/// A desktop microscope for skinned characters.
///
/// Opens a glTF 2.0 or OpenGEX file in a window, plays its character on the GPU and shows
/// why it moves as it does. The commands give the same numbers and the same
/// picture without a window.
#[derive(Debug, Parser)]
#[command(
    name = "rigscope",
    version,
    after_help = OVERVIEW,
    args_conflicts_with_subcommands = true,
    max_term_width = 100
)]
pub struct Cli {
    /// What to do without a window.
    #[command(subcommand)]
    pub command: Option<Command>,

    /// Files for the window: glTF 2.0 (.glb, .gltf, .vrm) or OpenGEX (.ogex); the built-in
    /// character if none is given. A second file is shown beside the first, to be compared.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// What can be done without a window.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Say what is in a file
    #[command(after_help = INFO_HELP)]
    Info(InfoArgs),
    /// Say what is wrong with files, and what to do about it
    #[command(after_help = check::help())]
    Check(CheckArgs),
    /// Print joints and skin matrices at a time
    #[command(after_help = POSE_HELP)]
    Pose(PoseArgs),
    /// Say how far two ways to play a file, or two files, are apart
    #[command(after_help = compare::HELP)]
    Compare(CompareArgs),
    /// Draw the picture the window would show, as PNG, or its clip as GIF or APNG
    #[command(after_help = RENDER_HELP)]
    Render(RenderArgs),
}

const INFO_HELP: &str = "\
Examples:
  rigscope info hero.glb
  rigscope info hero.glb --format json | jq '.clips[].name'

Bounds and height are those of the rest pose in metres, after morphing and
skinning. glTF stores no frame rate: the one shown is guessed from the key times.
Counts of vertices are those of the file.";

/// Arguments of `rigscope info`.
#[derive(Debug, Args)]
pub struct InfoArgs {
    /// File to read: glTF 2.0 (.glb, .gltf, .vrm) or OpenGEX (.ogex); the built-in
    /// character if left out
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// Form of the result
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = format_parser())]
    pub format: Format,
}

const POSE_HELP: &str = "\
Examples:
  rigscope pose hero.glb --time 0.5
  rigscope pose hero.glb --clip Walk --time 0.25 --interpolation lerp --format text
  rigscope pose hero.glb --clip rest --vertices > rest.json

JSON: \"nodes\" has every node in the file's order, with translation, orientation,
rotation and scale relative to its parent (local = T · orientation · rotation · S)
or one \"matrix\" where the local transform is no such product. \"skins\" has
M · M0⁻¹ per joint; \"joints\" are node indices. \"meshes\" has each primitive of each
node that shows a mesh, with its box in world space and, with --vertices, its
morphed and skinned positions in the file's vertex order. Quaternions are x, y, z, w;
matrices are 16 numbers, column by column.";

/// Arguments of `rigscope pose`.
#[derive(Debug, Args)]
pub struct PoseArgs {
    /// File to read: glTF 2.0 (.glb, .gltf, .vrm) or OpenGEX (.ogex); the built-in
    /// character if left out
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// Pose to print.
    #[command(flatten)]
    pub sampling: SamplingArgs,

    /// Seconds from the clip's start; past its end the last keys hold
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = parse::seconds)]
    pub time: f32,

    /// Print every vertex too: morphed, skinned, in world space
    #[arg(long)]
    pub vertices: bool,

    /// Form of the result
    #[arg(long, value_name = "FORMAT", default_value = "json", value_parser = format_parser())]
    pub format: Format,
}

const RENDER_HELP: &str = "\
Examples:
  rigscope render hero.glb -o hero.png
  rigscope render hero.glb -o hero.png --size 640x480 --clip Walk --time 0.5
  rigscope render hero.glb -o bones.png --view skeleton --camera 90,0
  rigscope render hero.glb -o heat.png --view weights --joint UpperArm.L
  rigscope render hero.glb -o shear.png --color-by shear --bones sticks
  rigscope render hero.glb -o step.png --clip Walk --trail LeftFoot --bounds --figure
  rigscope render hero.glb -o day.png --light outdoor --background light
  rigscope render hero.glb -o cutout.png --transparent
  rigscope render hero.glb -o walk.gif --clip Walk --size 480x360 --skeleton
  rigscope render hero.glb -o walk_%03d.png --frames 24
  rigscope render -o - | display            (the built-in character to a pipe)

A moving picture repeats for ever. A clip that ends as it begins is cut so that the
loop has no seam; any other stays up to its last pose. GIF has 256 colours and is
shown everywhere; APNG has all of them.

--view weights, joints, influences and weight-sum colour the surface by its weights;
grey is no weight, magenta a vertex without any. --view four-influences shows the
mesh as engines do that drop influences past the fourth, divided by their sum or,
with --weights stored, as they are; colours tell how far it is off, and the largest
distance goes to stderr.

Without --camera the character is framed over its whole clip, so that pictures at
different times share one view. Needs a graphics adapter; a software one will do
(on Debian: apt install mesa-vulkan-drivers libvulkan1).";

/// Arguments of `rigscope render`.
#[derive(Debug, Args)]
pub struct RenderArgs {
    /// File to read: glTF 2.0 (.glb, .gltf, .vrm) or OpenGEX (.ogex); the built-in
    /// character if left out
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// PNG file to write; `-` is stdout. A name that ends in .gif, .apng or .webp is one
    /// moving picture of the whole clip. With --frames a PNG's name with one `%d` or
    /// `%03d` for the frame's number from 0 (`%%` is a percent sign)
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,

    /// Pose to draw.
    #[command(flatten)]
    pub sampling: SamplingArgs,

    /// Seconds from the clip's start; past its end the last keys hold
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = parse::seconds)]
    pub time: f32,

    /// Draw this many pictures, evenly over the clip from its start; the one after
    /// the last would be the first again
    #[arg(long, value_name = "N", conflicts_with = "time", value_parser = parse::frame_count)]
    pub frames: Option<u32>,

    /// Pictures a second of a moving picture; 24 by default. Rounded so that a loop
    /// takes as long as the clip
    #[arg(long, value_name = "N", conflicts_with_all = ["time", "frames"], value_parser = parse::fps)]
    pub fps: Option<f32>,

    /// Draw a side played so, beside the others: KEY=VALUE,… as `compare` takes them. Once
    /// for each side
    #[arg(long, value_name = "KEY=VALUE,…", value_parser = sides::parse)]
    pub compare: Vec<SideSpec>,

    /// Picture size in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = parse::size)]
    pub size: [u32; 2],

    /// Direction to look from in degrees, and the distance to the middle of the
    /// character in metres: yaw 0 is its front, 90 its left; pitch 90 is from above
    #[arg(
        long,
        value_name = "YAW,PITCH[,DISTANCE]",
        allow_hyphen_values = true,
        value_parser = parse::camera
    )]
    pub camera: Option<CameraArg>,

    /// What to draw
    #[arg(long, value_name = "VIEW", default_value = "shaded", value_parser = view_parser())]
    pub view: ViewMode,

    /// What lies over the picture.
    #[command(flatten)]
    pub overlay: OverlayArgs,

    /// Joint that --view weights is about, by the file's node index or by name
    #[arg(long, value_name = "NAME|INDEX")]
    pub joint: Option<String>,

    /// Leave the background out: alpha 0 where nothing is drawn, no grid, no shadow
    #[arg(long)]
    pub transparent: bool,

    /// Write file, clip, time and modes into the lower left corner, of each side
    #[arg(long)]
    pub stamp: bool,

    /// What lights the character
    #[arg(long, value_name = "LIGHT", default_value = Light::default().as_str(), value_parser = light_parser())]
    pub light: Light,

    /// Behind the character
    #[arg(long, value_name = "BACKGROUND", default_value = "dark", conflicts_with = "transparent", value_parser = background_parser())]
    pub background: Background,

    /// Leave the key light's shadows out
    #[arg(long)]
    pub no_shadow: bool,

    /// Leave ambient occlusion out
    #[arg(long)]
    pub no_occlusion: bool,

    /// Light surfaces by the sky evenly, without its reflections
    #[arg(long)]
    pub no_reflections: bool,

    /// Leave the ground's grid out
    #[arg(long)]
    pub no_grid: bool,
}

/// Where to look from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CameraArg {
    /// Turn about +Y, degrees.
    pub yaw_degrees: f32,
    /// Height angle, degrees, −90 … 90.
    pub pitch_degrees: f32,
    /// World units from target to eye; framed where left out.
    pub distance: Option<f32>,
}

/// Form of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// What a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViewMode {
    /// Materials under light.
    Shaded,
    /// World-space normals as colours.
    Normals,
    /// Joints and bones through a plain surface.
    Skeleton,
    /// Triangle edges over a plain surface.
    Wireframe,
    /// Weights as colours.
    Weights(WeightView),
}

/// Accepts the first word of each row, lists all with the second in `--help`, and
/// gives back the value: one table serves parsing, help and error.
pub(super) fn one_of<T: Copy + Send + Sync + 'static>(
    rows: impl IntoIterator<Item = (&'static str, &'static str, T)>,
) -> impl TypedValueParser<Value = T> {
    let rows: Vec<_> = rows.into_iter().collect();
    let values = rows
        .iter()
        .map(|&(name, help, _)| PossibleValue::new(name).help(help));
    let table: Vec<(&str, T)> = rows.iter().map(|&(name, _, value)| (name, value)).collect();
    PossibleValuesParser::new(values.collect::<Vec<_>>()).try_map(move |word| {
        let found = table.iter().find(|(name, _)| *name == word);
        found.map(|&(_, value)| value).ok_or("unknown value")
    })
}

fn format_parser() -> impl TypedValueParser<Value = Format> {
    one_of([
        ("text", "for people", Format::Text),
        ("json", "for programs", Format::Json),
    ])
}

fn view_parser() -> impl TypedValueParser<Value = ViewMode> {
    let weights =
        WeightView::ALL.map(|view| (view.as_str(), view.description(), ViewMode::Weights(view)));
    let difference = WeightView::Difference;
    let difference = (
        difference.as_str(),
        "how far the vertices of the other sides of --compare are from the first one's",
        ViewMode::Weights(difference),
    );
    let others = [
        ("shaded", "materials under light", ViewMode::Shaded),
        (
            "normals",
            "world-space normals as colours",
            ViewMode::Normals,
        ),
        (
            "skeleton",
            "joints and bones through a plain surface",
            ViewMode::Skeleton,
        ),
        (
            "wireframe",
            "triangle edges over a plain surface",
            ViewMode::Wireframe,
        ),
    ];
    one_of(others.into_iter().chain(weights).chain([difference]))
}

fn light_parser() -> impl TypedValueParser<Value = Light> {
    one_of(Light::ALL.map(|light| (light.as_str(), light.description(), light)))
}

fn background_parser() -> impl TypedValueParser<Value = Background> {
    one_of([
        ("dark", "a quiet dark gradient", Background::Dark),
        ("light", "a quiet light gradient", Background::Light),
    ])
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::anim::Interpolation;

    #[test]
    fn the_declaration_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn files_and_commands_do_not_mix() {
        let files = Cli::try_parse_from(["rigscope", "a.glb", "b.glb"]).expect("two files");
        assert_eq!(files.files.len(), 2);
        assert!(
            Cli::try_parse_from(["rigscope", "a.glb", "info"]).is_ok_and(|c| c.files.len() == 2)
        );
        assert!(Cli::try_parse_from(["rigscope", "info", "a.glb", "b.glb"]).is_err());
    }

    #[test]
    fn an_unknown_mode_is_refused_with_the_list() {
        let error = Cli::try_parse_from(["rigscope", "pose", "--interpolation", "sine"])
            .expect_err("no such mode")
            .to_string();
        for mode in Interpolation::ALL {
            assert!(error.contains(mode.as_str()), "{error}");
        }
    }
}

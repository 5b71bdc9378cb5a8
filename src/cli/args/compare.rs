//! Arguments of `rigscope compare`.

use std::path::PathBuf;

use clap::Args;

use super::{
    super::parse,
    Format, SamplingArgs, format_parser,
    sides::{self, SideSpec},
};

pub(super) const HELP: &str = "\
Examples:
  rigscope compare hero.glb --a interpolation=slerp --b interpolation=lerp
  rigscope compare hero.glb --b skinning=dual-quaternion --format json
  rigscope compare original.glb optimised.glb --max-mm 1 --max-deg 0.5

A is the first file, B the second one or the same again. Both are played as the other flags
say, with the changes of --a and --b: KEY=VALUE, separated by commas. Keys are clip,
interpolation, hemisphere, threshold, euler-order, vectors, spline, skinning, weights, and
the faults of other players, such as drop-shear; a wrong one lists all.

Joints are matched by name and then by index, clips by name, vertices by number or, where a
tool has ordered them anew, by place in the rest pose. Times are those of the rate, all key
times, and the middles between them. Angles are those between world rotations.";

/// Arguments of `rigscope compare`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// One file, or two
    #[arg(value_name = "FILE", num_args = 0..=2)]
    pub files: Vec<PathBuf>,

    /// What A does differently; may be repeated
    #[arg(long, value_name = "KEY=VALUE,…", value_parser = sides::parse)]
    pub a: Vec<SideSpec>,

    /// What B does differently; may be repeated
    #[arg(long, value_name = "KEY=VALUE,…", value_parser = sides::parse)]
    pub b: Vec<SideSpec>,

    /// How both are played.
    #[command(flatten)]
    pub sampling: SamplingArgs,

    /// Moments a second
    #[arg(long, value_name = "HZ", default_value = "60", value_parser = parse::rate)]
    pub rate: f32,

    /// Begin here; at 0 by default
    #[arg(long, value_name = "SECONDS", value_parser = parse::seconds)]
    pub from: Option<f32>,

    /// End here; with the shorter of the two clips by default
    #[arg(long, value_name = "SECONDS", value_parser = parse::seconds)]
    pub to: Option<f32>,

    /// Leave vertices out: joints alone are faster
    #[arg(long)]
    pub no_vertices: bool,

    /// How many joints to list, the worst first; 0 lists all
    #[arg(long, value_name = "COUNT", default_value_t = 10)]
    pub limit: usize,

    /// Exit with 1 where a joint or vertex is farther off than this, millimetres
    #[arg(long, value_name = "MM", value_parser = parse::limit)]
    pub max_mm: Option<f64>,

    /// Exit with 1 where a joint is turned off by more than this, degrees
    #[arg(long, value_name = "DEGREES", value_parser = parse::limit)]
    pub max_deg: Option<f64>,

    /// Exit with 1 where a joint or vertex of either has no partner
    #[arg(long)]
    pub all: bool,

    /// Form of the result
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = format_parser())]
    pub format: Format,
}

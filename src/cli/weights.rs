//! What `render` needs to know to draw weights, and what it says of them.

use super::{
    Error,
    args::{RenderArgs, ViewMode},
};
use crate::{
    document::Document,
    scene::{Heat, Stage, WeightView},
};

/// The joint whose weights are asked for.
pub(super) fn joint(
    document: &Document,
    args: &RenderArgs,
    file: &str,
) -> Result<Option<usize>, Error> {
    let is_needed = args.view == ViewMode::Weights(WeightView::Joint);
    let takes_two = args.view == ViewMode::Weights(WeightView::Difference);
    if takes_two && args.compare.len() < 2 {
        let problem = "--view difference needs --compare twice or more";
        return Err(Error::Usage(format!("{problem}: {file}")));
    }
    let usage = |problem: String| Error::Usage(format!("{problem}: {file}"));
    match &args.joint {
        Some(wanted) if is_needed => find(document, wanted).map(Some).map_err(usage),
        Some(_) => Err(usage("--joint is for --view weights".to_owned())),
        None if is_needed => Err(usage(
            "--view weights needs --joint with a name or a node index".to_owned(),
        )),
        None => Ok(None),
    }
}

/// The joint of that node index, or else of that name.
fn find(document: &Document, wanted: &str) -> Result<usize, String> {
    let skeleton = &document.skeleton;
    if let Ok(node) = wanted.parse::<usize>()
        && let Some(&joint) = skeleton.joint_of_node.get(node)
    {
        return Ok(joint);
    }
    let joints = skeleton.joints.iter().enumerate();
    let named: Vec<usize> = joints
        .filter(|(_, joint)| joint.name == wanted)
        .map(|(index, _)| index)
        .collect();
    match named[..] {
        [joint] => Ok(joint),
        [] => {
            let count = skeleton.joints.len();
            Err(format!("no joint {wanted:?} among the {count} nodes"))
        }
        _ => {
            let nodes = named.iter().map(|&joint| skeleton.joints[joint].node);
            let nodes: Vec<String> = nodes.map(|node| node.to_string()).collect();
            let nodes = nodes.join(", ");
            Err(format!(
                "nodes {nodes} are all named {wanted:?}, give the index"
            ))
        }
    }
}

/// The number that a picture of weights is about, with its place.
pub(super) fn summary(heat: &Heat, stage: &Stage) -> Option<String> {
    let document = &stage.characters.first()?.document;
    let place = |at: crate::scene::VertexRef| {
        let mesh = document.instances[at.instance].mesh;
        let name = &document.meshes[mesh].name;
        format!(
            "vertex {} of mesh {mesh} {name:?}, primitive {}",
            at.vertex, at.primitive
        )
    };
    match (heat.view?, heat.peak) {
        (WeightView::FourInfluences, Some(peak)) => Some(format!(
            "{} vertices are out of place, by up to {:.3} mm at {}",
            heat.vertices,
            peak.value * 1000.0,
            place(peak.at)
        )),
        (WeightView::FourInfluences, None) => Some("every vertex is in place".to_owned()),
        (WeightView::Sum, Some(peak)) => Some(format!(
            "weights sum to {:.6} at {}, furthest from 1",
            1.0 + f64::from(peak.value),
            place(peak.at)
        )),
        (WeightView::Sum, None) => Some("the weights of every vertex sum to 1".to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Joint, Skeleton};

    #[test]
    fn joints_by_node_by_name_and_neither() {
        let joint = |node: usize, name: &str| Joint {
            name: name.to_owned(),
            node,
            ..Joint::default()
        };
        let document = Document {
            skeleton: Skeleton {
                joints: vec![joint(1, "Hips"), joint(0, "Arm"), joint(2, "Arm")],
                joint_of_node: vec![1, 0, 2],
            },
            ..Document::default()
        };
        assert_eq!(find(&document, "0"), Ok(1));
        assert_eq!(find(&document, "Hips"), Ok(0));
        assert!(find(&document, "9").is_err_and(|e| e.contains("3 nodes")));
        assert!(find(&document, "Arm").is_err_and(|e| e.contains("nodes 0, 2")));
    }
}

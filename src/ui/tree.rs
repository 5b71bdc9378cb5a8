//! The joint hierarchy as a flat list of rows: what is open, what a search finds.

use std::{
    collections::HashSet,
    sync::{Arc, Weak},
};

use crate::document::Document;

/// One row of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeRow {
    /// Joint index.
    pub joint: usize,
    /// Ancestors above it.
    pub depth: usize,
    /// Whether it has children.
    pub has_children: bool,
    /// The search found this joint itself, not only something below it.
    pub is_match: bool,
}

/// What a joint is, for its glyph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NodeKind {
    /// Nothing special.
    #[default]
    Plain,
    /// Moves vertices of a skin.
    Joint,
    /// Shows a mesh.
    Mesh,
    /// Carries a camera.
    Camera,
}

/// Rows of one document, computed again only when something changed.
#[derive(Debug, Default)]
pub struct Tree {
    document: Weak<Document>,
    children: Vec<Vec<usize>>,
    kinds: Vec<NodeKind>,
    /// Joints whose transform counts for nothing: they show a skinned mesh.
    ignored: Vec<bool>,
    /// Lower-case names, for the search.
    haystack: Vec<String>,
    collapsed: HashSet<usize>,
    query: String,
    is_stale: bool,
    rows: Vec<TreeRow>,
}

impl Tree {
    /// Follows the document and the search text, and returns the rows to show.
    pub fn rows(&mut self, document: &Arc<Document>, query: &str) -> &[TreeRow] {
        if !std::ptr::eq(self.document.as_ptr(), Arc::as_ptr(document)) {
            self.set_document(document);
        }
        if self.query != query {
            self.query = query.to_owned();
            self.is_stale = true;
        }
        if self.is_stale {
            self.flatten(document);
            self.is_stale = false;
        }
        &self.rows
    }

    /// What a joint is; plain for an unknown one.
    pub fn kind(&self, joint: usize) -> NodeKind {
        self.kinds.get(joint).copied().unwrap_or_default()
    }

    /// Whether a joint's place in the world, at rest, counts for nothing, because the mesh
    /// that it shows follows a skin.
    pub fn is_ignored(&self, joint: usize) -> bool {
        self.ignored.get(joint).copied().unwrap_or_default()
    }

    /// Whether a joint's children are shown.
    pub fn is_open(&self, joint: usize) -> bool {
        !self.query.trim().is_empty() || !self.collapsed.contains(&joint)
    }

    /// Shows or hides a joint's children.
    pub fn set_open(&mut self, joint: usize, open: bool) {
        let changed = if open {
            self.collapsed.remove(&joint)
        } else {
            self.collapsed.insert(joint)
        };
        self.is_stale |= changed;
    }

    /// Shows or hides everything below a joint.
    pub fn set_open_below(&mut self, joint: usize, open: bool) {
        let mut pending = vec![joint];
        while let Some(joint) = pending.pop() {
            self.set_open(joint, open);
            pending.extend(self.children.get(joint).into_iter().flatten());
        }
    }

    /// Opens all ancestors of a joint, so that it has a row.
    pub fn reveal(&mut self, document: &Document, joint: usize) {
        let joints = &document.skeleton.joints;
        let mut parent = joints.get(joint).and_then(|joint| joint.parent);
        while let Some(ancestor) = parent {
            self.set_open(ancestor, true);
            parent = joints[ancestor].parent;
        }
    }

    fn set_document(&mut self, document: &Arc<Document>) {
        // A reloaded file keeps its open branches where the shape is the same.
        let same_shape = self.children.len() == document.skeleton.joints.len();
        if !same_shape {
            self.collapsed.clear();
        }
        self.document = Arc::downgrade(document);
        self.children = document.skeleton.children();
        self.kinds = node_kinds(document);
        self.ignored = ignored_transforms(document);
        self.haystack = document
            .skeleton
            .joints
            .iter()
            .map(|joint| joint.label().to_lowercase())
            .collect();
        self.is_stale = true;
    }

    fn flatten(&mut self, document: &Document) {
        let joints = &document.skeleton.joints;
        let query = self.query.trim().to_lowercase();
        // Which joints are shown: all, or matches with their ancestors.
        let mut matches = vec![true; joints.len()];
        let mut shown = vec![true; joints.len()];
        if !query.is_empty() {
            for (index, name) in self.haystack.iter().enumerate() {
                matches[index] = name.contains(&query);
            }
            shown.clone_from(&matches);
            // Children come after their parents, so one pass backwards is enough.
            for index in (0..joints.len()).rev() {
                if let Some(parent) = joints[index].parent
                    && shown[index]
                {
                    shown[parent] = true;
                }
            }
        }
        self.rows.clear();
        let roots = (0..joints.len()).filter(|&index| joints[index].parent.is_none());
        let mut pending: Vec<(usize, usize)> = roots.map(|root| (root, 0)).collect();
        pending.reverse();
        while let Some((joint, depth)) = pending.pop() {
            if !shown[joint] {
                continue;
            }
            let children = &self.children[joint];
            self.rows.push(TreeRow {
                joint,
                depth,
                has_children: children.iter().any(|&child| shown[child]),
                is_match: !query.is_empty() && matches[joint],
            });
            if !query.is_empty() || !self.collapsed.contains(&joint) {
                pending.extend(children.iter().rev().map(|&child| (child, depth + 1)));
            }
        }
    }
}

/// Nodes of skinned meshes that do not stand at the origin.
fn ignored_transforms(document: &Document) -> Vec<bool> {
    let mut ignored = vec![false; document.skeleton.joints.len()];
    if document.instances.iter().all(|i| i.skin.is_none()) {
        return ignored;
    }
    let globals = document.skeleton.rest_globals();
    for instance in document.instances.iter().filter(|i| i.skin.is_some()) {
        let world = &globals[instance.joint];
        ignored[instance.joint] = !world.abs_diff_eq(glam::Mat4::IDENTITY, 1e-5);
    }
    ignored
}

fn node_kinds(document: &Document) -> Vec<NodeKind> {
    let mut kinds = vec![NodeKind::Plain; document.skeleton.joints.len()];
    let mut mark = |joint: usize, kind: NodeKind| {
        if let Some(entry) = kinds.get_mut(joint) {
            *entry = kind;
        }
    };
    for joint in document.skins.iter().flat_map(|skin| &skin.joints) {
        mark(*joint as usize, NodeKind::Joint);
    }
    for camera in &document.cameras {
        mark(camera.joint, NodeKind::Camera);
    }
    for instance in &document.instances {
        mark(instance.joint, NodeKind::Mesh);
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Joint, Skeleton};

    /// hips ─ spine ─ head, hips ─ leg ─ foot; parents first but not depth first.
    fn document() -> Arc<Document> {
        let joint = |node: usize, name: &str, parent: Option<usize>| Joint {
            name: name.to_owned(),
            node,
            parent,
            ..Joint::default()
        };
        Arc::new(Document {
            skeleton: Skeleton {
                joints: vec![
                    joint(0, "Hips", None),
                    joint(1, "Spine", Some(0)),
                    joint(2, "Leg", Some(0)),
                    joint(3, "Head", Some(1)),
                    joint(4, "Foot", Some(2)),
                ],
                joint_of_node: (0..5).collect(),
            },
            ..Document::default()
        })
    }

    fn joints(rows: &[TreeRow]) -> Vec<(usize, usize)> {
        rows.iter().map(|row| (row.joint, row.depth)).collect()
    }

    #[test]
    fn rows_are_depth_first_whatever_the_joint_order() {
        let document = document();
        let mut tree = Tree::default();
        let rows = tree.rows(&document, "");
        assert_eq!(joints(rows), [(0, 0), (1, 1), (3, 2), (2, 1), (4, 2)]);
    }

    #[test]
    fn a_search_shows_matches_with_their_ancestors_even_when_collapsed() {
        let document = document();
        let mut tree = Tree::default();
        tree.rows(&document, "");
        tree.set_open(0, false);
        assert_eq!(joints(tree.rows(&document, "")), [(0, 0)]);
        let rows = tree.rows(&document, "FOO");
        assert_eq!(joints(rows), [(0, 0), (2, 1), (4, 2)]);
        let matches: Vec<_> = rows.iter().map(|row| row.is_match).collect();
        assert_eq!(matches, [false, false, true]);
        assert!(tree.rows(&document, "nothing").is_empty());
    }

    #[test]
    fn revealing_a_joint_opens_its_ancestors_only() {
        let document = document();
        let mut tree = Tree::default();
        tree.rows(&document, "");
        tree.set_open_below(0, false);
        tree.reveal(&document, 3);
        let rows = tree.rows(&document, "");
        assert_eq!(joints(rows), [(0, 0), (1, 1), (3, 2), (2, 1)]);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let mut deep = Document::clone(&document());
        let template = deep.skeleton.joints[0].clone();
        deep.skeleton.joints = (0..50_000)
            .map(|index: usize| Joint {
                parent: index.checked_sub(1),
                ..template.clone()
            })
            .collect();
        let deep = Arc::new(deep);
        let mut tree = Tree::default();
        assert_eq!(tree.rows(&deep, "").len(), 50_000);
        tree.set_open_below(0, false);
        assert_eq!(tree.rows(&deep, "").len(), 1);
    }
}

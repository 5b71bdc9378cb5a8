use crate::document::*;
use glam::{Quat, Vec3};
use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

#[derive(Debug, Clone, Default)]
pub struct Progress(Arc<AtomicBool>);
impl Progress {
    pub fn new() -> Self {
        Self::default()
    }
    pub fn fraction(&self) -> f32 {
        0.5
    }
    pub fn stage(&self) -> &'static str {
        "reading"
    }
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("cancelled")]
    Cancelled,
    #[error("cannot read the file: {0}")]
    Bad(String),
}
pub fn load(path: &Path, _progress: &Progress) -> Result<Document, ImportError> {
    let bytes =
        std::fs::read(path).map_err(|e| ImportError::Bad(format!("{e}: {}", path.display())))?;
    let text = String::from_utf8_lossy(&bytes);
    let joints: usize = text
        .trim()
        .parse()
        .map_err(|e| ImportError::Bad(format!("{e}: {}", path.display())))?;
    let mut document = chain(joints);
    document.name = path
        .file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default();
    document.sources = vec![path.to_owned()];
    Ok(document)
}
pub fn built_in() -> Document {
    chain(5)
}
fn chain(count: usize) -> Document {
    let joints = (0..count)
        .map(|i| Joint {
            name: format!("joint{i}"),
            node: i,
            parent: i.checked_sub(1),
            translation: Vec3::Y * 0.3,
            orientation: Quat::IDENTITY,
            rest_rotation: Quat::IDENTITY,
            scale: Vec3::ONE,
            rest_matrix: None,
        })
        .collect();
    let times: Arc<[f32]> = [0.0, 0.5, 1.0].into();
    let tracks = (0..count)
        .map(|joint| JointTracks::Trs {
            joint,
            translation: None,
            rotation: Some(Track {
                times: times.clone(),
                keys: Keys::Linear(vec![
                    Quat::IDENTITY,
                    Quat::from_rotation_z(0.5),
                    Quat::IDENTITY,
                ]),
            }),
            scale: None,
        })
        .collect();
    Document {
        name: "built-in".into(),
        skeleton: Skeleton {
            joints,
            joint_of_node: (0..count).collect(),
        },
        clips: vec![Clip {
            name: "Wave".into(),
            duration_secs: 1.0,
            start_secs: 0.0,
            joints: tracks,
            morphs: vec![],
        }],
        ..Document::default()
    }
}

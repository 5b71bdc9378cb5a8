//! Why a picture could not be drawn or read.

/// Trouble with one picture; the renderer stays usable unless the device is lost.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// Something does not fit into the device's limits.
    #[error("{object} takes {bytes} bytes on the GPU; {limit} allows {allowed}")]
    TooLarge {
        /// What, with its document's name.
        object: String,
        /// What it takes.
        bytes: u64,
        /// Name of the device limit.
        limit: &'static str,
        /// What the device allows.
        allowed: u64,
    },
    /// The target has no pixels.
    #[error("the picture has no pixels")]
    EmptyTarget,
    /// The frame has no such draw.
    #[error("the frame has no draw {draw} of character {character}")]
    NoSuchDraw {
        /// Index into `Frame::characters`.
        character: usize,
        /// Index into `CharacterFrame::draws`.
        draw: usize,
    },
    /// Pixels could not be copied back.
    #[error("could not read pixels back from the GPU: {0}")]
    Readback(String),
    /// The driver crashed, was reset or updated, or the card went away.
    #[error("the graphics device was lost")]
    DeviceLost,
}

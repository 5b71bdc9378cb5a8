//! The pictures that materials use, decoded on all cores.

use std::{
    borrow::Cow,
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    thread,
};

use super::{
    Origin,
    accessor::Accessors,
    buffers::beside,
    error::GltfError,
    label, schema,
    uri::{self, Resource},
};
use crate::{
    document::{Finding, FindingCode, Image, Severity},
    import::{
        picture::{self, PictureError},
        progress::Stage,
    },
};

/// What all decoded pictures of a file may take together. Sixteen textures of
/// 4096 × 4096 fit; a hundred copies of a picture made to explode do not.
const MAX_TOTAL_BYTES: u64 = 1 << 30;
/// Largest file that is read as a picture: encoded, none is larger than its pixels.
const MAX_FILE_BYTES: u64 = 256 << 20;

/// Reads and decodes the images `used` (indices of the file). One that cannot be
/// read becomes a placeholder and a finding, never a failed load.
pub(super) fn read(
    stored: &[schema::Image],
    used: &[usize],
    accessors: &Accessors<'_>,
    origin: &mut Origin<'_>,
    findings: &mut Vec<Finding>,
) -> Result<Vec<Image>, GltfError> {
    let total = used.len();
    origin.check(Stage::Images, 0, total)?;
    let job = Job {
        stored,
        used,
        accessors,
        origin,
        next: AtomicUsize::new(0),
        finished: AtomicUsize::new(0),
        bytes: AtomicU64::new(0),
        results: Mutex::new((0..total).map(|_| None).collect()),
    };
    let threads = thread::available_parallelism()
        .map_or(1, usize::from)
        .min(total);
    thread::scope(|scope| {
        // This thread works too.
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(|| job.work())).collect();
        job.work();
        for other in others {
            // A decoder that panicked leaves its picture undone: a placeholder.
            drop(other.join());
        }
    });
    let results = job
        .results
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    origin.check(Stage::Images, total, total)?;
    let mut images = Vec::with_capacity(total);
    for (&index, result) in used.iter().zip(results) {
        let Picture { image, path } = result.unwrap_or_else(|| Picture {
            image: placeholder(stored, index, "its decoder failed".into()),
            path: None,
        });
        if let Some(path) = path {
            origin.add_source(path);
        }
        if let Some(reason) = &image.placeholder {
            findings.push(
                Finding::new(
                    FindingCode::ImageUnreadable,
                    Severity::Warning,
                    format!(
                        "{}: {reason}; a placeholder is shown",
                        message_name(stored, index)
                    ),
                )
                .with("image", index as f64),
            );
        }
        images.push(image);
    }
    Ok(images)
}

/// A decoded picture, and the file it came from.
struct Picture {
    image: Image,
    path: Option<PathBuf>,
}

/// Pictures waiting for a free core.
struct Job<'a> {
    stored: &'a [schema::Image],
    used: &'a [usize],
    accessors: &'a Accessors<'a>,
    origin: &'a Origin<'a>,
    /// The next entry of `used` that nobody has taken.
    next: AtomicUsize,
    finished: AtomicUsize,
    /// Decoded so far, or about to be.
    bytes: AtomicU64,
    results: Mutex<Vec<Option<Picture>>>,
}

impl Job<'_> {
    /// Decodes until nothing is left, or the load is cancelled.
    fn work(&self) {
        loop {
            let turn = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&index) = self.used.get(turn) else {
                return;
            };
            if self.origin.progress.is_cancelled() {
                return;
            }
            let picture = self.picture(index);
            self.results.lock().unwrap_or_else(PoisonError::into_inner)[turn] = Some(picture);
            let finished = self.finished.fetch_add(1, Ordering::Relaxed) + 1;
            self.origin
                .progress
                .set(Stage::Images, finished, self.used.len());
        }
    }

    fn picture(&self, index: usize) -> Picture {
        let (encoded, path) = match self.encoded(index) {
            Ok(found) => found,
            Err(reason) => {
                return Picture {
                    image: placeholder(self.stored, index, reason),
                    path: None,
                };
            }
        };
        let image = self
            .decode(index, &encoded)
            .unwrap_or_else(|reason| placeholder(self.stored, index, reason));
        Picture { image, path }
    }

    fn decode(&self, index: usize, encoded: &[u8]) -> Result<Image, String> {
        let text = |error: PictureError| error.to_string();
        let bytes = picture::decoded_bytes(encoded).map_err(text)?;
        // One that is refused takes nothing: smaller ones may still fit.
        self.bytes
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |before| {
                Some(before + bytes).filter(|&together| together <= MAX_TOTAL_BYTES)
            })
            .map_err(|before| {
                format!(
                    "with it the file's images would take {} bytes decoded, more than the {MAX_TOTAL_BYTES} that are allowed",
                    before + bytes
                )
            })?;
        picture::decode(display_name(self.stored, index), encoded).map_err(text)
    }

    /// The encoded bytes: borrowed from a buffer, or read from elsewhere.
    fn encoded(&self, index: usize) -> Result<(Cow<'_, [u8]>, Option<PathBuf>), String> {
        let image = &self.stored[index];
        if let Some(view) = image.buffer_view {
            return self
                .accessors
                .view(view, format_args!("image {index}"))
                .map(|bytes| (Cow::Borrowed(bytes), None))
                .map_err(|error| error.to_string());
        }
        let uri = image
            .uri
            .as_deref()
            .ok_or("it has neither a uri nor a bufferView")?;
        let from_uri = || match uri::resolve(uri)? {
            Resource::Data(bytes) => Ok((Cow::Owned(bytes), None)),
            Resource::Path(relative) => {
                let path = beside(self.origin.folder, &relative, uri)?;
                // One that is cut off is said to be broken.
                Ok((
                    Cow::Owned(uri::read(&path, Some(MAX_FILE_BYTES))?),
                    Some(path),
                ))
            }
        };
        from_uri().map_err(|error: uri::Error| error.to_string())
    }
}

fn placeholder(stored: &[schema::Image], index: usize, reason: String) -> Image {
    picture::placeholder(display_name(stored, index), reason)
}

/// Name, URI or `image 3`, for lists.
fn display_name(stored: &[schema::Image], index: usize) -> String {
    let image = &stored[index];
    match &image.uri {
        _ if !image.name.is_empty() => image.name.clone(),
        Some(uri) if !uri.starts_with("data:") => uri::shortened(uri),
        _ => format!("image {index}"),
    }
}

/// `image 3 "Tex"`, for messages.
fn message_name(stored: &[schema::Image], index: usize) -> String {
    let name = display_name(stored, index);
    if name == format!("image {index}") {
        return name;
    }
    label("image", index, &name)
}

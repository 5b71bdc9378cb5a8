//! Encoded pictures → pixels, with the size checked before anything is decoded.

use std::io::Cursor;

use image::{DynamicImage, ImageDecoder as _, ImageFormat, ImageReader, Limits};

use crate::document::{Image, PixelFormat};

/// Largest width and height, as graphics adapters have it.
const MAX_SIDE: u32 = 16_384;
/// Largest size of decoded pixels: 8192 × 8192 at four bytes.
const MAX_BYTES: u64 = 256 << 20;

/// Why a picture was not decoded.
#[derive(Debug, thiserror::Error)]
pub(super) enum PictureError {
    #[error("it is neither PNG, JPEG nor WebP (it begins with \"{}\")", begin.escape_ascii())]
    Format { begin: Vec<u8> },
    #[error(
        "its size of {width}×{height} pixels is beyond the limits of {MAX_SIDE} a side and {MAX_BYTES} bytes"
    )]
    TooLarge { width: u32, height: u32 },
    #[error("it cannot be decoded: {message}")]
    Broken { message: String },
}

/// Bytes that the decoded picture will take, read from its header alone.
pub(super) fn decoded_bytes(encoded: &[u8]) -> Result<u64, PictureError> {
    let decoder = open(encoded)?;
    let (width, height) = decoder.dimensions();
    Ok(u64::from(width) * u64::from(height) * 4)
}

/// Decodes to four bytes a pixel; 16-bit channels are rounded.
pub(super) fn decode(name: String, encoded: &[u8]) -> Result<Image, PictureError> {
    let mut decoder = open(encoded)?;
    let (width, height) = decoder.dimensions();
    decoder.set_limits(limits()).map_err(broken)?;
    let pixels = DynamicImage::from_decoder(decoder)
        .map_err(broken)?
        .into_rgba8()
        .into_raw();
    Ok(Image {
        name,
        width,
        height,
        format: PixelFormat::Rgba8,
        pixels,
        placeholder: None,
    })
}

/// Reads the header, and refuses what is too large.
fn open(encoded: &[u8]) -> Result<impl image::ImageDecoder + '_, PictureError> {
    let format = image::guess_format(encoded)
        .ok()
        .filter(|format| {
            matches!(
                format,
                ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP
            )
        })
        .ok_or_else(|| PictureError::Format {
            begin: encoded[..encoded.len().min(8)].to_vec(),
        })?;
    let mut reader = ImageReader::with_format(Cursor::new(encoded), format);
    // No limit on the sides yet: our own message has the numbers in it.
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MAX_BYTES);
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(broken)?;
    let (width, height) = decoder.dimensions();
    let rgba = u64::from(width) * u64::from(height) * 4;
    if width.max(height) > MAX_SIDE || rgba.max(decoder.total_bytes()) > MAX_BYTES {
        return Err(PictureError::TooLarge { width, height });
    }
    if rgba == 0 {
        return Err(PictureError::Broken {
            message: format!("its size is {width}×{height}"),
        });
    }
    Ok(decoder)
}

fn limits() -> Limits {
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(2 * MAX_BYTES);
    limits
}

#[expect(clippy::needless_pass_by_value, reason = "passed to map_err")]
fn broken(error: image::ImageError) -> PictureError {
    PictureError::Broken {
        message: error.to_string(),
    }
}

/// A checker of magenta and grey that stands for a picture that could not be read.
pub(super) fn placeholder(name: String, reason: String) -> Image {
    const SIDE: u32 = 8;
    let pixels = (0..SIDE * SIDE)
        .flat_map(|pixel| {
            if (pixel % SIDE + pixel / SIDE).is_multiple_of(2) {
                [255, 0, 255, 255]
            } else {
                [128, 128, 128, 255]
            }
        })
        .collect();
    Image {
        name,
        width: SIDE,
        height: SIDE,
        format: PixelFormat::Rgba8,
        pixels,
        placeholder: Some(reason),
    }
}

//! Values of flags from their text. Errors say what was expected.

use super::args::{CameraArg, ClipChoice};
use crate::export::animation::MAX_FPS;

/// Most pixels along one side that are worth trying; the adapter may allow less.
const MAX_SIDE: u32 = 32768;
/// Device memory that a pixel takes: four samples of colour (8 bytes) and depth (4),
/// the finished picture (4), and the overlay's colour and depth (8).
const BYTES_PER_PIXEL: u64 = 4 * (8 + 4) + 4 + 8;
/// Most device memory for one picture: 8192 × 8192 fits. Drivers, asked for more than
/// there is, may take the machine down before they say no.
const MAX_BYTES: u64 = 4 << 30;
/// Most pictures in one run: a guard against a slip of the keyboard.
const MAX_FRAMES: u32 = 100_000;

fn finite(text: &str) -> Result<f32, String> {
    match text.trim().parse::<f32>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(format!("`{text}` is not a finite number")),
    }
}

/// A time: finite, not negative.
pub(super) fn seconds(text: &str) -> Result<f32, String> {
    match finite(text)? {
        value if value >= 0.0 => Ok(value),
        _ => Err("a clip starts at 0 seconds".to_owned()),
    }
}

/// A cosine's size: 0 … 1.
pub(super) fn threshold(text: &str) -> Result<f32, String> {
    match finite(text)? {
        value if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("expected a number from 0 (nlerp) to 1 (slerp)".to_owned()),
    }
}

/// Moments a second: above 0.
pub(super) fn rate(text: &str) -> Result<f32, String> {
    match finite(text)? {
        value if value > 0.0 && value <= 10_000.0 => Ok(value),
        _ => Err("expected a number above 0 and at most 10000".to_owned()),
    }
}

/// A limit: finite, not negative.
pub(super) fn limit(text: &str) -> Result<f64, String> {
    match finite(text)? {
        value if value >= 0.0 => text.trim().parse().map_err(|_| String::new()),
        _ => Err("a limit is not negative".to_owned()),
    }
}

/// A number of pictures.
pub(super) fn frame_count(text: &str) -> Result<u32, String> {
    match text.parse::<u32>() {
        Ok(count) if (1..=MAX_FRAMES).contains(&count) => Ok(count),
        _ => Err(format!("expected a whole number from 1 to {MAX_FRAMES}")),
    }
}

/// Pictures a second.
pub(super) fn fps(text: &str) -> Result<f32, String> {
    match finite(text)? {
        value if value > 0.0 && value <= MAX_FPS => Ok(value),
        _ => Err(format!(
            "expected a number above 0, and at most {MAX_FPS}: browsers slow down what is faster"
        )),
    }
}

/// `WxH` in pixels.
pub(super) fn size(text: &str) -> Result<[u32; 2], String> {
    let side = |text: &str| {
        text.parse::<u32>()
            .ok()
            .filter(|side| (1..=MAX_SIDE).contains(side))
    };
    let [width, height] = text
        .split_once(['x', 'X', '×'])
        .and_then(|(width, height)| Some([side(width)?, side(height)?]))
        .ok_or_else(|| {
            format!("expected WIDTHxHEIGHT in pixels, each from 1 to {MAX_SIDE}, such as 1280x720")
        })?;
    let bytes = u64::from(width) * u64::from(height) * BYTES_PER_PIXEL;
    if bytes > MAX_BYTES {
        const GIB: f64 = (1u64 << 30) as f64;
        return Err(format!(
            "drawing {width} × {height} pixels takes {:.1} GiB of graphics memory, more than {} GiB",
            bytes as f64 / GIB,
            MAX_BYTES as f64 / GIB
        ));
    }
    Ok([width, height])
}

/// `YAW,PITCH[,DISTANCE]`.
pub(super) fn camera(text: &str) -> Result<CameraArg, String> {
    let expected = "expected YAW,PITCH or YAW,PITCH,DISTANCE in degrees and metres, such as 30,10";
    let numbers = (text.split(',').map(finite).collect::<Result<Vec<_>, _>>())
        .map_err(|reason| format!("{reason}; {expected}"))?;
    let (yaw_degrees, pitch_degrees, distance) = match numbers[..] {
        [yaw, pitch] => (yaw, pitch, None),
        [yaw, pitch, distance] => (yaw, pitch, Some(distance)),
        _ => return Err(expected.to_owned()),
    };
    if !(-90.0..=90.0).contains(&pitch_degrees) {
        return Err(format!("pitch {pitch_degrees} is outside -90 … 90 degrees"));
    }
    if let Some(distance) = distance
        && distance <= 0.0
    {
        return Err(format!("distance {distance} is not greater than 0"));
    }
    Ok(CameraArg {
        yaw_degrees,
        pitch_degrees,
        distance,
    })
}

impl From<String> for ClipChoice {
    fn from(text: String) -> Self {
        match text.as_str() {
            "rest" => Self::Rest,
            "bind" => Self::Bind,
            _ => Self::Clip(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size("640x480"), Ok([640, 480]));
        assert_eq!(size("1X2"), Ok([1, 2]));
        assert_eq!(size("8192x8192"), Ok([8192, 8192]));
        assert!(size("16384x16384").is_err_and(|reason| reason.contains("15.0 GiB")));
        for bad in [
            "", "640", "640x", "0x480", "640x-1", "99999x1", "1x1x1", "6.5x4",
        ] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn cameras() {
        let camera_of = |text| camera(text).expect("a camera");
        assert_eq!(camera_of("-30,10").distance, None);
        assert_eq!(camera_of("0, 90, 2.5").distance, Some(2.5));
        for bad in [
            "", "30", "1,2,3,4", "0,91", "0,0,0", "0,0,-1", "NaN,0", "0,inf", "a,b",
        ] {
            assert!(camera(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn numbers() {
        assert_eq!(seconds("0.5"), Ok(0.5));
        assert!(seconds("-1").is_err() && seconds("NaN").is_err() && seconds("inf").is_err());
        assert!(threshold("1").is_ok() && threshold("1.01").is_err() && threshold("-0.1").is_err());
        assert!(
            fps("23.976").is_ok() && fps("0").is_err() && fps("50.1").is_err() && fps("x").is_err()
        );
        assert!(
            frame_count("1").is_ok() && frame_count("0").is_err() && frame_count("1e3").is_err()
        );
    }
}

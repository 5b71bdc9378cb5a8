//! Moving pictures of `rigscope render`, read back by another decoder.

use std::{fs::File, io::BufReader};

use image::{
    AnimationDecoder, Frame,
    codecs::{gif::GifDecoder, png::PngDecoder, webp::WebPDecoder},
};

use super::*;

fn frames(bench: &Bench, name: &str) -> Vec<Frame> {
    let file = BufReader::new(File::open(bench.folder.path().join(name)).expect("the file"));
    let frames = if name.ends_with(".gif") {
        GifDecoder::new(file)
            .expect("a GIF")
            .into_frames()
            .collect_frames()
    } else if name.ends_with(".webp") {
        let decoder = WebPDecoder::new(file).expect("a WebP");
        assert!(decoder.has_animation(), "{name} stands still");
        decoder.into_frames().collect_frames()
    } else {
        let decoder = PngDecoder::new(file).expect("a PNG");
        assert!(decoder.is_apng().expect("readable"), "{name} stands still");
        decoder
            .apng()
            .expect("an APNG")
            .into_frames()
            .collect_frames()
    };
    frames.expect("whole pictures")
}

fn seconds(frames: &[Frame]) -> f64 {
    let one = |frame: &Frame| {
        let (numerator, denominator) = frame.delay().numer_denom_ms();
        f64::from(numerator) / f64::from(denominator) / 1000.0
    };
    frames.iter().map(one).sum()
}

/// Mean and largest difference of two pictures' channels.
fn difference(a: &image::RgbaImage, b: &image::RgbaImage) -> (f64, u8) {
    assert_eq!(a.dimensions(), b.dimensions());
    let off: Vec<u8> = (a.as_raw().iter().zip(b.as_raw()))
        .map(|(a, b)| a.abs_diff(*b))
        .collect();
    let sum: f64 = off.iter().copied().map(f64::from).sum();
    (sum / off.len() as f64, off.into_iter().max().unwrap_or(0))
}

#[test]
fn a_moving_picture_shows_what_the_still_ones_show() {
    let bench = Bench::new();
    let view = ["--size", "120x90", "--camera", "30,20", "--skeleton"];
    for (name, tolerance) in [
        ("bend.gif", (2.5, 60)),
        ("bend.apng", (0.0, 0)),
        ("bend.webp", (0.0, 0)),
    ] {
        let mut args = vec!["render", "arm.glb", "-o", name, "--fps", "12"];
        args.extend(view);
        assert_eq!(bench.stdout(&args), "");
        let frames = frames(&bench, name);
        assert_eq!(frames.len(), 12);
        assert!(
            (seconds(&frames) - 1.0).abs() < 1e-3,
            "{}",
            seconds(&frames)
        );
        // The clip does not end as it begins: the last picture is its last pose.
        for (index, time) in [(0, "0"), (11, "1")] {
            let mut args = vec!["render", "arm.glb", "-o", "still.png", "--time", time];
            args.extend(view);
            bench.stdout(&args);
            let off = difference(frames[index].buffer(), &bench.picture("still.png"));
            assert!(
                off.0 <= tolerance.0 && off.1 <= tolerance.1,
                "{name} {index}: {off:?}"
            );
        }
        let moved = difference(frames[0].buffer(), frames[11].buffer());
        assert!(moved.1 > 100, "{moved:?}");
    }
}

#[test]
fn a_loop_has_no_seam_and_repeats_for_ever() {
    let bench = Bench::new();
    bench.stdout(&[
        "render", "-o", "walk.gif", "--clip", "Walk", "--size", "96x96", "--view", "skeleton",
    ]);
    let info = bench.json(&["info", "--format", "json"]);
    let clips = info["clips"].as_array().expect("clips");
    let walk = clips.iter().find(|clip| clip["name"] == "Walk");
    let duration = walk.and_then(|clip| clip["duration_secs"].as_f64());
    let duration = duration.expect("the built-in character walks");
    let frames = frames(&bench, "walk.gif");
    assert_eq!(frames.len() as f64, (duration * 24.0).round());
    assert!((seconds(&frames) - duration).abs() < 0.0101);
    let step = |a: usize, b: usize| difference(frames[a].buffer(), frames[b].buffer()).0;
    let last = frames.len() - 1;
    let steps: Vec<f64> = (0..last).map(|i| step(i, i + 1)).collect();
    let largest = steps.iter().copied().fold(0.0, f64::max);
    let seam = step(last, 0);
    assert!(seam > 0.1, "the first picture is there twice");
    assert!(seam < largest * 1.5, "{seam} at the seam, {steps:?}");

    let bytes = fs::read(bench.folder.path().join("walk.gif")).expect("the file");
    let repeat = bytes.windows(14).find(|w| w.starts_with(b"NETSCAPE2.0"));
    assert_eq!(repeat.map(|r| &r[11..]), Some(&[3, 1, 0][..]), "for ever");
    assert!(bytes.ends_with(&[0x3b]), "it has an end");
    let used = frames[0].buffer().pixels().map(|p| p.0);
    let used: std::collections::BTreeSet<_> = used.collect();
    assert!(used.len() > 60, "only {} colours", used.len());
}

#[test]
fn moving_pictures_can_be_transparent() {
    let bench = Bench::new();
    // Which pixels are covered, picture by picture.
    let [gif, apng] = ["t.gif", "t.apng"].map(|name| {
        bench.stdout(&[
            "render",
            "-o",
            name,
            "--clip",
            "Walk",
            "--size",
            "96x96",
            "--transparent",
            "--fps",
            "8",
        ]);
        let covered =
            |frame: &Frame| -> Vec<bool> { frame.buffer().pixels().map(|p| p[3] >= 128).collect() };
        frames(&bench, name).iter().map(covered).collect::<Vec<_>>()
    });
    assert_eq!((gif.len(), gif[0].len()), (6, 96 * 96));
    // What the picture before showed is gone.
    assert!(gif == apng);
    let moved = (0..96 * 96).filter(|&i| gif[0][i] != gif[3][i]).count();
    assert!(moved > 60, "{moved} pixels");
    assert!(!gif[0][0] && gif[0].contains(&true));
}

#[test]
fn what_cannot_move_is_told_and_leaves_no_file() {
    let bench = Bench::new();
    for (args, words) in [
        (
            &["-o", "a.gif", "--clip", "rest"][..],
            &["clip", "arm.glb"][..],
        ),
        (&["-o", "a.gif", "--time", "0.5"], &["--time 0.5", "a.gif"]),
        (
            &["-o", "a.png", "--fps", "12"],
            &["--fps 12", ".gif", "a.png"],
        ),
        (&["-o", "a.gif", "--fps", "60"], &["60", "50"]),
        (&["-o", "a.gif", "--frames", "80"], &["80", "50", "arm.glb"]),
        (&["-o", "no/a.apng"], &["no folder", "no/a.apng"]),
        (&["-o", "a.avif"], &[".gif", "a.avif"]),
    ] {
        let mut all = vec!["render", "arm.glb", "--size", "16x16"];
        all.extend(args);
        let message = bench.failure(&all);
        for word in words {
            assert!(message.contains(word), "{args:?} lacks {word}: {message}");
        }
    }
    let names = fs::read_dir(&bench.folder).expect("listed");
    let names: Vec<_> = names.map(|e| e.expect("listed").file_name()).collect();
    assert_eq!(names, ["arm.glb"]);
}

#[test]
fn a_stamp_says_what_is_shown_on_every_side() {
    let bench = Bench::new();
    let draw = |name: &str, more: &[&str]| {
        let args = [
            "render",
            "lab:half-turn-elbow",
            "-o",
            name,
            "--size",
            "400x200",
        ];
        let sides = [
            "--compare",
            "interpolation=slerp",
            "--compare",
            "skinning=rigid",
        ];
        bench.stdout(&[&args[..], &sides, more].concat());
        bench.picture(name)
    };
    let (plain, stamped) = (draw("plain.png", &[]), draw("stamped.png", &["--stamp"]));
    let changed = |left: u32, right: u32| {
        let pixels = plain.enumerate_pixels().zip(stamped.pixels());
        let off =
            pixels.filter(|((x, _, before), after)| (left..right).contains(x) && before != after);
        let places: Vec<(u32, u32)> = off.map(|((x, y, _), _)| (x, y)).collect();
        assert!(places.iter().all(|(_, y)| *y > 120), "in the lower corner");
        places.len()
    };
    assert!(changed(0, 198) > 1000 && changed(202, 400) > 1000);
    // Another time is another stamp.
    let later = draw("later.png", &["--stamp", "--time", "0.001"]);
    assert_ne!(later, stamped);
}

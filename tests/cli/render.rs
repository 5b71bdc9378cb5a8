//! `rigscope render`.

use super::*;

#[test]
fn the_picture_has_the_size_and_shows_something() {
    let bench = Bench::new();
    for (name, extra) in [
        ("shaded", &[][..]),
        ("normals", &["--view", "normals"]),
        ("skeleton", &["--view", "skeleton"]),
        ("wireframe", &["--view", "wireframe"]),
        ("outdoor", &["--light", "outdoor"]),
        ("light", &["--background", "light", "--camera", "-90,45,3"]),
    ] {
        let file = format!("{name}.png");
        let mut args = vec!["render", "-o", &file, "--size", "160x120"];
        args.extend(extra);
        assert_eq!(bench.stdout(&args), "");
        let picture = bench.picture(&file);
        assert_eq!(picture.dimensions(), (160, 120), "{name}");
        assert!(distinct_colors(&picture) > 200, "{name} is blank");
        assert!(
            picture.pixels().all(|pixel| pixel[3] == 255),
            "{name} has holes"
        );
    }
    let seen = |name: &str| bench.picture(&format!("{name}.png")).into_raw();
    for other in ["normals", "skeleton", "wireframe", "outdoor", "light"] {
        assert_ne!(seen("shaded"), seen(other), "{other}");
    }
}

#[test]
fn what_lies_over_the_picture_is_drawn_as_asked() {
    let bench = Bench::new();
    let draw = |name: &str, extra: &[&str]| {
        let file = format!("{name}.png");
        let mut args = vec!["render", "-o", &file, "--size", "160x120", "--clip", "Walk"];
        // All from one place, whatever the figure makes room for.
        args.extend(["--camera", "30,10,4"]);
        args.extend(extra);
        assert_eq!(bench.stdout(&args), "");
        bench.picture(&file).into_raw()
    };
    let pictures = [
        draw("plain", &[]),
        draw("bones", &["--skeleton"]),
        draw("sticks", &["--bones", "sticks"]),
        draw("sign", &["--color-by", "determinant"]),
        draw("axes", &["--axes"]),
        draw("bounds", &["--bounds"]),
        draw("trail", &["--trail", "Hand.L"]),
        draw("trails", &["--trail", "Hand.L", "--trail", "33"]),
        draw("figure", &["--figure"]),
    ];
    for (index, picture) in pictures.iter().enumerate() {
        let same = pictures[..index].iter().position(|other| other == picture);
        assert_eq!(same, None, "picture {index} is the same");
    }
}

#[test]
fn weights_are_drawn_and_their_numbers_told() {
    let bench = Bench::new();
    let draw = |extra: &[&str]| {
        let mut args = vec!["render", "-o", "w.png", "--size", "160x120", "--no-grid"];
        args.extend(extra);
        let output = bench.run(&args);
        assert!(output.status.success(), "{}", text(&output.stderr));
        (bench.picture("w.png").into_raw(), text(&output.stderr))
    };
    let (by_name, said) = draw(&["--view", "weights", "--joint", "Head"]);
    assert_eq!(said, "");
    // Node 7 of the built-in character.
    assert_eq!(draw(&["--view", "weights", "--joint", "7"]).0, by_name);
    let mut seen = vec![by_name, draw(&[]).0];
    for view in ["joints", "influences"] {
        seen.push(draw(&["--view", view]).0);
    }
    let (sums, said) = draw(&["--view", "weight-sum"]);
    assert!(said.contains("sum to 1"), "{said}");
    seen.push(sums);
    let (_, said) = draw(&["--view", "four-influences"]);
    assert!(said.contains("every vertex is in place"), "{said}");
    for (index, picture) in seen.iter().enumerate() {
        assert!(!seen[..index].contains(picture), "picture {index}");
    }
    for (args, reason) in [
        (&["--view", "weights"][..], "needs --joint"),
        (&["--joint", "Head"], "--joint is for --view weights"),
        (
            &["--view", "weights", "--joint", "Tail"],
            "no joint \"Tail\"",
        ),
    ] {
        let mut all = vec!["render", "-o", "w.png"];
        all.extend(args);
        let failure = bench.failure(&all);
        assert!(failure.contains(reason), "{failure}");
    }
}

#[test]
fn sides_beside_each_other_are_the_same_wherever_they_stand() {
    let bench = Bench::new();
    let lab = [
        "render",
        "lab:half-turn-elbow",
        "--time",
        "1",
        "--camera",
        "0,8,4",
        "--no-shadow",
    ];
    let draw = |file: &str, extra: &[&str]| {
        assert_eq!(bench.stdout(&[&lab[..], &["-o", file], extra].concat()), "");
        bench.picture(file)
    };
    let side = |mode: &str| format!("interpolation={mode}");
    let (a, b) = (side("slerp"), side("lerp"));
    let sides = |file: &str, left: &str, right: &str| {
        draw(
            file,
            &["--size", "164x90", "--compare", left, "--compare", right],
        )
    };
    let (both, turned) = (sides("both.png", &a, &b), sides("turned.png", &b, &a));
    assert_eq!(both.dimensions(), (164, 90));
    let part = |picture: &image::RgbaImage, left| {
        image::imageops::crop_imm(picture, left, 0, 80, 90).to_image()
    };
    let (slerp, lerp) = (part(&both, 0), part(&both, 84));
    // The first one's ground is all sides': where its grid fades goes by it.
    let apart = |a: &image::RgbaImage, b: &image::RgbaImage| {
        let far = a.iter().zip(b.iter()).filter(|(a, b)| a.abs_diff(**b) > 6);
        far.count() as f32 / a.len() as f32
    };
    let (moved_slerp, moved_lerp) = (part(&turned, 84), part(&turned, 0));
    assert!(
        apart(&slerp, &moved_slerp) < 0.005,
        "{}",
        apart(&slerp, &moved_slerp)
    );
    assert!(
        apart(&lerp, &moved_lerp) < 0.005,
        "{}",
        apart(&lerp, &moved_lerp)
    );
    assert!(apart(&slerp, &lerp) > 0.015, "{}", apart(&slerp, &lerp));
    let seam = both.get_pixel(81, 40);
    assert_ne!(seam, both.get_pixel(70, 40));
}

#[test]
fn transparent_leaves_the_background_out() {
    let bench = Bench::new();
    bench.stdout(&[
        "render",
        "-o",
        "t.png",
        "--size",
        "160x120",
        "--transparent",
    ]);
    let picture = bench.picture("t.png");
    assert_eq!(picture.get_pixel(0, 0)[3], 0);
    let shares = [0, 255].map(|alpha| {
        let count = picture.pixels().filter(|pixel| pixel[3] == alpha).count();
        count * 100 / (160 * 120)
    });
    assert!(shares[0] > 50 && shares[1] >= 2, "{shares:?}");
}

#[test]
fn time_and_mode_change_the_picture_and_the_view_stays() {
    let bench = Bench::new();
    let render = |extra: &[&str]| {
        let mut args = vec![
            "render",
            "arm.glb",
            "-o",
            "a.png",
            "--size",
            "64x64",
            "--transparent",
        ];
        args.extend(["--camera", "60,10"]);
        args.extend(extra);
        bench.stdout(&args);
        bench.picture("a.png").into_raw()
    };
    let start = render(&[]);
    assert_eq!(render(&["--time", "0"]), start);
    assert_ne!(render(&["--time", "0.6"]), start);
    assert_eq!(render(&["--time", "0.6", "--interpolation", "step"]), start);
    assert_ne!(render(&["--clip", "Bend", "--time", "9"]), start);
}

#[test]
fn frames_are_numbered_and_spread_over_the_clip() {
    let bench = Bench::new();
    let args = [
        "render",
        "-o",
        "walk_%02d.png",
        "--frames",
        "4",
        "--size",
        "64x64",
    ];
    assert_eq!(bench.stdout(&args), "");
    let pictures: Vec<_> = (0..4)
        .map(|index| bench.picture(&format!("walk_{index:02}.png")).into_raw())
        .collect();
    assert!(!bench.folder.path().join("walk_04.png").exists());
    for index in 0..4 {
        assert_ne!(pictures[index], pictures[(index + 1) % 4], "{index}");
    }
    // Half of the walk's three quarters of a second.
    bench.stdout(&[
        "render", "-o", "half.png", "--time", "0.375", "--size", "64x64",
    ]);
    assert_eq!(bench.picture("half.png").into_raw(), pictures[2]);
    let leftovers = fs::read_dir(&bench.folder).expect("readable").count();
    assert_eq!(leftovers, 6, "only pictures and arm.glb");
}

#[test]
fn a_dash_writes_to_stdout() {
    let bench = Bench::new();
    let output = bench.run(&["render", "arm.glb", "-o", "-", "--size", "20x10"]);
    assert_eq!(
        (output.status.code(), text(&output.stderr)),
        (Some(0), String::new())
    );
    let picture = image::load_from_memory(&output.stdout).expect("a PNG");
    assert_eq!((picture.width(), picture.height()), (20, 10));
}

#[test]
fn what_cannot_be_written_or_drawn_is_said() {
    let bench = Bench::new();
    fs::write(bench.folder.path().join("kept.png"), "old").expect("written");
    fs::create_dir(bench.folder.path().join("folder.png")).expect("made");
    for (args, words) in [
        (
            &["-o", "no/such/x.png"][..],
            &["no/such/x.png", "there is no folder no/such"][..],
        ),
        (&["-o", "folder.png"], &["folder.png", "it is a folder"]),
        (
            &["-o", "kept.png", "--size", "32768x1"],
            &["arm.glb", "32768 × 1"],
        ),
        (
            &["-o", "%d.png", "--frames", "2", "--clip", "rest"],
            &["--frames 2", "clip", "arm.glb"],
        ),
    ] {
        let mut all = vec!["render", "arm.glb", "--size", "8x8"];
        if args.contains(&"--size") {
            all.truncate(2);
        }
        all.extend(args);
        let message = bench.failure(&all);
        assert_eq!(message.lines().count(), 1, "{message}");
        for word in words {
            assert!(message.contains(word), "{args:?} lacks {word}: {message}");
        }
    }
    let kept = fs::read_to_string(bench.folder.path().join("kept.png"));
    assert_eq!(kept.ok().as_deref(), Some("old"));
}

#[test]
fn the_model_and_its_files_are_never_written_over() {
    let bench = Bench::new();
    let folder = bench.folder.path();
    let mut model = arm();
    model.push("images", json!({"uri": "paper_0.png"}));
    model.push("textures", json!({"source": 0}));
    model.json["materials"][0]["pbrMetallicRoughness"] = json!({"baseColorTexture": {"index": 0}});
    let source = model.glb();
    fs::write(folder.join("model.glb"), &source).expect("written");
    let image = bench.run(&["render", "-o", "-", "--size", "2x2"]).stdout;
    fs::write(folder.join("paper_0.png"), &image).expect("written");
    let mut cases = vec![
        (vec!["-o", "paper_0.png"], "paper_0.png"),
        (vec!["-o", "paper_%d.png", "--frames", "2"], "paper_0.png"),
        (vec!["-o", "./paper_0.png"], "paper_0.png"),
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("model.glb", folder.join("link.png")).expect("linked");
        cases.push((vec!["-o", "link.png"], "model.glb"));
    }
    for (args, named) in &mut cases {
        args.splice(0..0, ["render", "model.glb", "--size", "8x8"]);
        let message = bench.failure(args);
        assert!(
            message.contains("the model is read from") && message.contains(*named),
            "{args:?}: {message}"
        );
    }
    assert_eq!(fs::read(folder.join("model.glb")).ok(), Some(source));
    assert_eq!(fs::read(folder.join("paper_0.png")).ok(), Some(image));
    bench.stdout(&["render", "model.glb", "-o", "new.png", "--size", "8x8"]);
}

fn distinct_colors(picture: &image::RgbaImage) -> usize {
    let colors: std::collections::HashSet<_> = picture.pixels().map(|pixel| pixel.0).collect();
    colors.len()
}

//! Files that break the format.

use std::time::{Duration, Instant};

use rigscope::{document::FindingCode, import::from_ogex_text};

use super::{QUAD, UP, common, messages, read};

/// Deterministic numbers (Knuth's multiplier).
fn next(state: &mut u64) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

#[test]
fn broken_texts_never_panic() {
    let skin = "Skin { Skeleton { BoneRefArray { ref {$b} } Transform { float[16] {{1,0,0,0, 0,1,0,0, 0,0,1,0, 0,2,0,1}} } }
        BoneCountArray { u16 {1,1,1,1} } BoneIndexArray { u8 {0,0,0,0} } BoneWeightArray { float {1,1,1,1} } }";
    let seed = format!(
        "{UP}Metric (key = \"time\") {{float {{0.5}}}} Metric (key = \"distance\") {{float {{2}}}} Clip (index = 0) {{ Name {{ string {{\"c\"}} }} }}
         BoneNode $b {{ Translation %p {{ float[3] {{{{0,1,0}}}} }} Rotation %t (kind = \"x\") {{ float {{0}} }}
           Animation {{ Track (target = %t) {{ Time (curve = \"bezier\") {{ Key {{ float {{0,1}} }}
              Key (kind = \"-control\") {{ float {{0,0.9}} }} Key (kind = \"+control\") {{ float {{0.1,1}} }} }}
              Value (curve = \"tcb\") {{ Key {{ float {{0,9}} }} Key (kind = \"tension\") {{ float {{0,0}} }}
              Key (kind = \"continuity\") {{ float {{0,0}} }} Key (kind = \"bias\") {{ float {{0,0}} }} }} }}
             Track (target = %p) {{ Time {{ Key {{ float {{0,1}} }} }} Value (curve = \"constant\") {{ Key {{ float[3] {{{{0,0,0}},{{1,2,3}}}} }} }} }} }} }}
         Node {{ Scale %s {{ float[3] {{{{1,2,3}}}} }} Transform %m {{ float[12] {{{{1,0,0, 0,1,0, 0,0,1, 0,2,0}}}} }}
           Animation (clip = 0, begin = 0.1, end = 0.9) {{ Track (target = %m) {{ Time {{ Key {{ float {{0,1}} }} }}
             Value {{ Key {{ float[12] {{{{1,0,0, 0,1,0, 0,0,1, 0,2,0}},{{0,1,0, 1,0,0, 0,0,1, 0,2,0}}}} }} }} }} }} }}
         GeometryNode {{ ObjectRef {{ ref {{$g}} }} MaterialRef {{ ref {{$m}} }} MorphWeight %w (index = 1) {{ float {{0.5}} }}
           Translation %o (object = true, kind = \"z\") {{ float {{1}} }} Animation {{
             Track (target = %o) {{ Time {{ Key {{ float {{0,1}} }} }} Value {{ Key {{ float {{0,1}} }} }} }}
             Track (target = %w) {{ Time {{ Key {{ float {{0,1}} }} }} Value {{ Key {{ float {{0,1}} }} }} }} }} }}
         CameraNode {{ ObjectRef {{ ref {{$c}} }} }} CameraObject $c {{ Param (attrib = \"fov\") {{ float {{1}} }} }}
         Material $m {{ Color (attrib = \"diffuse\") {{ float[3] {{{{0.5,0.5,0.5}}}} }}
           Texture (attrib = \"diffuse\", texcoord = 1) {{ string {{\"a.png\"}} Transform {{ float[4] {{{{2,0,0,2}}}} }} }} }}
         GeometryNode {{ ObjectRef {{ ref {{$g}} }} Transform (object = true) {{ float[16] {{{{1,0,0,0, 0,1,0,0, 0,0,1,0, 0,2,0,1}}}} }} }} {}",
        QUAD.replace("SKIN", skin)
    );
    read(&seed);
    let mut state = 7;
    let words = [
        "1e38",
        "-1",
        "0x7FC00000",
        "4294967295",
        "$b",
        "%t",
        "{",
        "}",
        "null",
        "float[3]",
        "\"",
        "'",
    ];
    let mut loaded = 0;
    for round in 0..20_000 {
        let mut bytes = seed.clone().into_bytes();
        for _ in 0..=next(&mut state) % 3 {
            let at = next(&mut state) % bytes.len();
            match round % 4 {
                0 => bytes[at] = next(&mut state) as u8,
                1 => bytes.truncate(at.max(1)),
                2 => {
                    let word = words[next(&mut state) % words.len()];
                    let end = (at + next(&mut state) % 4).min(bytes.len());
                    bytes.splice(at..end, word.bytes());
                }
                _ => {
                    // A number for a number.
                    if let Some(digit) = bytes[at..].iter().position(u8::is_ascii_digit) {
                        let word = words[next(&mut state) % 4];
                        bytes.splice(at + digit..=at + digit, word.bytes());
                    }
                }
            }
        }
        if let Ok(document) = from_ogex_text("x.ogex", &bytes) {
            let violations = common::validate::violations(&document);
            assert!(
                violations.is_empty(),
                "{violations:#?}\n{}",
                String::from_utf8_lossy(&bytes)
            );
            loaded += 1;
        }
    }
    println!("{loaded} of 20000 loaded");
    assert!(loaded > 2000, "{loaded}");
}

/// Each number is fine, their product is not.
#[test]
fn products_too_large_to_work_with_are_mended() {
    let scale = "Scale { float[3] {{1e15, 1, 1}} }".repeat(3);
    let document = read(&format!(
        "{UP}Node {{ {scale} Translation %t (kind = \"x\") {{ float {{0}} }} Animation {{ Track (target = %t) {{
           Time {{ Key {{ float {{0, 1}} }} }} Value {{ Key {{ float {{0, 1}} }} }} }} }} }}
         GeometryNode {{ ObjectRef {{ ref {{$g}} }} {} }} {}",
        "Scale (object = true) { float[3] {{1e15, 1, 1}} }".repeat(3),
        QUAD.replace("SKIN", "")
    ));
    assert_eq!(messages(&document, FindingCode::KeysNonFinite).len(), 1);
    assert_eq!(messages(&document, FindingCode::NodeInvalid).len(), 2);
}

#[test]
fn nesting_too_deep_is_refused() {
    let deep = "Node {".repeat(100_000);
    let error = from_ogex_text("deep.ogex", deep.as_bytes()).expect_err("too deep");
    assert!(error.to_string().contains("nested deeper"), "{error}");
    assert!(error.to_string().starts_with("line 1: "), "{error}");
}

#[test]
fn more_transforms_than_a_node_may_have_are_refused() {
    let many = "Rotation (kind = \"x\") { float {1} }\n".repeat(65);
    let error = from_ogex_text("many.ogex", format!("Node $n {{\n{many}}}").as_bytes());
    let error = error.expect_err("too many").to_string();
    let expected = "line 1: Node $n: transforms in it, of which there may be no more: 65, not 64";
    assert!(error.starts_with(expected), "{error}");
}

/// Work and memory go with a file's size, however its numbers are chosen.
#[test]
fn work_is_bounded_by_the_size_of_the_file() {
    let begin = Instant::now();
    // Curves that turn without end on every factor of every node.
    let keys = (0..100).map(|key| (key * 37 % 100 * 100).to_string());
    let angles = keys.collect::<Vec<_>>().join(",");
    let secs = (0..100)
        .map(|key| key.to_string())
        .collect::<Vec<_>>()
        .join(",");
    let mut factors = String::new();
    for at in 0..60 {
        factors += &format!(
            "Rotation %t{at} (kind = \"x\") {{ float {{0}} }} Animation {{ Track (target = %t{at}) {{
               Time {{ Key {{ float {{{secs}.{at:02}}} }} }} Value {{ Key {{ float {{{angles}}} }} }} }} }}"
        );
    }
    let text = format!("{UP}{}", format!("Node {{ {factors} }}").repeat(4));
    let document = read(&text);
    let keys: usize = document.clips[0].key_count();
    assert!(
        keys < 4096 + text.len() / 4,
        "{keys} keys, {} bytes",
        text.len()
    );
    assert_eq!(messages(&document, FindingCode::ChannelInvalid).len(), 1);

    // Morph weights each with key times of its own: every key would be a key of all.
    let (mut shapes, mut weights) = (String::new(), String::new());
    for at in 1..=400 {
        shapes += &format!(
            "VertexArray (attrib = \"position\", morph = {at}) {{ float[3] {{{{0,0,0}},{{1,0,0}},{{1,1,0}},{{0,1,0}}}} }}"
        );
        let secs = (0..10).map(|key| format!("{key}.{at:03}"));
        weights += &format!(
            "MorphWeight %w{at} (index = {at}) {{ float {{0}} }} Animation {{ Track (target = %w{at}) {{
               Time {{ Key {{ float {{{}}} }} }} Value {{ Key {{ float {{0,1,0,1,0,1,0,1,0,1}} }} }} }} }}",
            secs.collect::<Vec<_>>().join(",")
        );
    }
    let text = format!(
        "{UP}GeometryNode {{ ObjectRef {{ ref {{$g}} }} {weights} }} {}",
        QUAD.replace("SKIN", &shapes)
    );
    let document = read(&text);
    let said = messages(&document, FindingCode::ChannelInvalid);
    assert!(said.len() == 1 && said[0].contains("too many"), "{said:?}");
    assert!(document.clips[0].morphs.is_empty());

    // Names that are looked up from everywhere.
    let tracks = "Track (target = %t) {}\n".repeat(50_000);
    let text = format!(
        "{UP}Node {{ Animation {{ {tracks} }} Translation %t (kind = \"x\") {{ float {{0}} }} }}"
    );
    assert!(from_ogex_text("tracks.ogex", text.as_bytes()).is_ok());
    // A second or so; minutes where one of them goes with the square.
    assert!(
        begin.elapsed() < Duration::from_secs(30),
        "{:?}",
        begin.elapsed()
    );
}

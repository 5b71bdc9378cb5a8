//! Files that break the format.

use rigscope::import::from_ogex_text;

use super::{QUAD, UP, common, read};

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
        "{UP}Metric (key = \"time\") {{float {{0.5}}}} Clip (index = 0) {{ Name {{ string {{\"c\"}} }} }}
         BoneNode $b {{ Translation %p {{ float[3] {{{{0,1,0}}}} }} Rotation %t (kind = \"x\") {{ float {{0}} }}
           Animation {{ Track (target = %t) {{ Time (curve = \"bezier\") {{ Key {{ float {{0,1}} }}
              Key (kind = \"-control\") {{ float {{0,0.9}} }} Key (kind = \"+control\") {{ float {{0.1,1}} }} }}
              Value (curve = \"tcb\") {{ Key {{ float {{0,9}} }} Key (kind = \"tension\") {{ float {{0,0}} }}
              Key (kind = \"continuity\") {{ float {{0,0}} }} Key (kind = \"bias\") {{ float {{0,0}} }} }} }}
             Track (target = %p) {{ Time {{ Key {{ float {{0,1}} }} }} Value (curve = \"constant\") {{ Key {{ float[3] {{{{0,0,0}},{{1,2,3}}}} }} }} }} }} }}
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
    let deep = "Node {".repeat(100_000);
    let error = from_ogex_text("deep.ogex", deep.as_bytes()).expect_err("too deep");
    assert!(error.to_string().contains("nested deeper"), "{error}");
}

//! What checking costs: `check` over every file of the corpus that can be read must
//! take at most twice as long as `info` over the same files.

#[path = "../common/mod.rs"]
mod common;

use std::{
    io,
    path::Path,
    time::{Duration, Instant},
};

use rigscope::{
    analysis::{Effort, Watch, analyse},
    cli::{
        self,
        args::{Command, Format, InfoArgs},
    },
    import::{Progress, load},
};

/// Passes over the corpus; the fastest counts, for only it was not disturbed.
const PASSES: usize = 5;

fn main() {
    let Some(corpus) = common::shared().map(|shared| shared.join("corpus")) else {
        return;
    };
    let files = common::files_below(&corpus, &["glb", "gltf", "vrm", "vrma"]);
    let files: Vec<_> = files
        .into_iter()
        .filter(|path| load(path, &Progress::new()).is_ok())
        .collect();
    let pass = |work: &dyn Fn(&Path)| {
        let started = Instant::now();
        files.iter().for_each(|path| work(path));
        started.elapsed()
    };
    // In turns, so that both meet the same machine.
    let mut best = [Duration::MAX; 3];
    for _ in 0..PASSES {
        for (best, work) in best.iter_mut().zip([info, check, read]) {
            *best = (*best).min(pass(&work));
        }
    }
    let [info, check, read] = best.map(|time| time.as_secs_f64() * 1e3);
    let ratio = check / info;
    println!(
        "{} files of the corpus, best of {PASSES} passes:",
        files.len()
    );
    println!("  read    {read:8.1} ms");
    println!("  info    {info:8.1} ms");
    println!("  check   {check:8.1} ms   {ratio:.2} × info (at most 2)");
    assert!(
        ratio <= 2.0,
        "checking takes {ratio:.2} times as long as info"
    );
}

fn info(path: &Path) {
    let command = Command::Info(InfoArgs {
        file: Some(path.to_owned()),
        format: Format::Json,
    });
    cli::run(&command, &mut io::sink()).expect("a file that can be read");
}

fn check(path: &Path) {
    let document = load(path, &Progress::new()).expect("a file that can be read");
    analyse(&document, Effort::Usual, &Watch::new()).expect("nobody stops it");
}

fn read(path: &Path) {
    load(path, &Progress::new()).expect("a file that can be read");
}

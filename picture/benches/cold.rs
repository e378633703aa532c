//! The time to draw a new picture: from its scene to the PNG's last byte, without any cache. The median, the slowest of
//! a hundred and the slowest of all, and the first of the process, which reads the font.
//!
//! `cargo bench -p matchbook-picture --bench cold -- [files]`

extern crate matchbook_picture as picture;

#[path = "../tests/pictures/moments.rs"]
mod moments;

use std::fs;
use std::hint::black_box;
use std::time::{Duration, Instant};

use picture::{Scene, Theme, png, svg};

/// The number of steps between two drawn moments of a match.
const STEPS: usize = 4;
/// The last drawn moment of a match.
const LAST: usize = 40;

/// The matches of the folder, from each game and ruleset in turn.
fn files() -> Vec<String> {
    let (root, mut folders, mut files) = (moments::matches(), vec![moments::matches()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "dmn") {
                let name = path.strip_prefix(&root).expect("below it").with_extension("");
                files.push(name.to_string_lossy().into_owned());
            }
        }
    }
    files.sort();
    files
}

#[expect(clippy::disallowed_methods, reason = "what is measured is time")]
fn took(scene: &Scene) -> (Duration, usize) {
    let begun = Instant::now();
    let drawn = png(&svg(black_box(scene), Theme::Light)).expect("a picture");
    (begun.elapsed(), drawn.len())
}

fn main() {
    // `cargo test --benches` runs this too, without the flag.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let most = std::env::args().find_map(|arg| arg.parse::<usize>().ok()).unwrap_or(usize::MAX);
    let files = files();
    let (first, _) = took(&moments::after(files.first().expect("a match"), 1));
    let (mut times, mut sizes) = (Vec::new(), Vec::new());
    for file in files.iter().take(most) {
        for steps in (2..=LAST).step_by(STEPS) {
            let (time, size) = took(&moments::after(file, steps));
            times.push(time);
            sizes.push(size);
        }
    }
    times.sort();
    sizes.sort();
    let at = |of_a_hundred: usize| (times.len() * of_a_hundred / 100).min(times.len().saturating_sub(1));
    println!("{} pictures of {} matches, drawn once each", times.len(), files.len().min(most));
    println!("p50 {:?} | p99 {:?} | most {:?}", times[at(50)], times[at(99)], times[at(100)]);
    println!("the first of the process {first:?}; {} to {} kB", sizes[0] / 1000, sizes[at(100)] / 1000);
}

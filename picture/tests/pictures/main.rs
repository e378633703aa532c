//! The pictures in `fixtures/pictures/`, and laws for all pictures.
//!
//! `UPDATE=1 cargo test -p matchbook-picture --test pictures` rewrites the files.

extern crate matchbook_picture as picture;

mod animated;
mod hostile;
mod moments;
mod paper;

use std::path::{Path, PathBuf};
use std::{env, fs};

use picture::{Theme, png, svg};
use sha2::{Digest, Sha256};

/// The stored pictures: the file's name, a match and the step, and the theme.
const KEPT: [(&str, &str, usize, Theme); 16] = [
    ("five-card-trick-lights", "five-card-trick/genius-puzzler/more-chips-25-p1-ilse-quill", 10, Theme::Light),
    ("five-card-trick-blocked", "five-card-trick/dm-colosseum-2/more-chips-40-p1-quill-ilse", 22, Theme::Dark),
    ("five-card-trick-won", "five-card-trick/dm-colosseum-2/more-chips-40-p1-quill-ilse", 99, Theme::Light),
    ("three-card-round", "three-card/simply-genius/dmo-25-p1-tindra-okapi", 9, Theme::Dark),
    ("three-card-start", "three-card/simply-genius/dmo-25-p1-tindra-okapi", 0, Theme::Light),
    ("thwart-13-hands", "thwart-13/legends-untold/more-hands-17-p2-okapi-wren", 21, Theme::Light),
    ("thwart-13-won", "thwart-13/legends-untold/more-hands-17-p2-okapi-wren", 99, Theme::Dark),
    ("devils-deal-community", "devils-deal/blooming-genius/no-ante-6-p1-omalley-bastion", 5, Theme::Dark),
    ("devils-deal-bets", "devils-deal/blooming-genius/no-ante-6-p1-omalley-bastion", 7, Theme::Light),
    ("devils-deal-doubts", "devils-deal/blooming-genius/no-ante-6-p1-omalley-bastion", 12, Theme::Light),
    ("devils-deal-showdown", "devils-deal/blooming-genius/no-ante-6-p1-omalley-bastion", 20, Theme::Light),
    ("devils-deal-showdown-dark", "devils-deal/blooming-genius/no-ante-6-p1-omalley-bastion", 36, Theme::Dark),
    ("devils-deal-pools", "devils-deal/blooming-genius/no-ante-6-p1-omalley-bastion", 30, Theme::Dark),
    ("higher-lower-boards", "higher-lower/tempo-up/three-boards-3-p1-kestrel-marlowe", 3, Theme::Light),
    ("higher-lower-turn", "higher-lower/tempo-up/three-boards-3-p1-kestrel-marlowe", 30, Theme::Light),
    ("higher-lower-won", "higher-lower/tempo-up/three-boards-3-p1-kestrel-marlowe", 99, Theme::Dark),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/pictures")
}

/// Compares text with a file, or writes it.
fn stands(name: &str, comes: &str) -> Option<String> {
    let path = folder().join(name);
    if env::var_os("UPDATE").is_some() {
        fs::create_dir_all(folder()).unwrap();
        fs::write(path, comes).unwrap();
        return None;
    }
    let stood = fs::read_to_string(path).unwrap_or_default();
    let differs = (1..).zip(stood.lines().zip(comes.lines())).find(|(_, (stood, comes))| stood != comes);
    (stood != comes).then(|| format!("{name}: {differs:#?}"))
}

#[test]
fn every_picture_is_the_one_that_stands_in_its_file() {
    let differ = KEPT.iter().filter_map(|(name, file, steps, theme)| {
        stands(&format!("{name}.svg"), &svg(&moments::after(file, *steps), *theme))
    });
    let differ: Vec<String> = differ.collect();
    assert!(differ.is_empty(), "UPDATE=1 writes what comes now:\n{}", differ.join("\n"));
}

/// The bytes of a PNG are the same on every machine. A new version of resvg, tiny-skia or png may change them. Its
/// commit then has new hashes, and its author must have looked at the pictures.
#[test]
fn every_png_has_the_bytes_that_it_had() {
    let hashes = KEPT.map(|(name, file, steps, theme)| {
        let bytes = png(&svg(&moments::after(file, steps), theme)).unwrap();
        assert!(bytes.len() < 120_000, "{name} has {} bytes", bytes.len());
        let hash: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{hash}  {name}.png\n")
    });
    let differs = stands("png.sha256", &hashes.concat());
    assert!(differs.is_none(), "UPDATE=1 writes what comes now: {}", differs.unwrap_or_default());
}

#[test]
fn every_game_has_a_picture_in_either_theme() {
    for game in engine::rulesets().map(|ruleset| ruleset.game()) {
        for theme in Theme::ALL {
            let drawn = KEPT.iter().any(|(_, file, _, kept)| file.starts_with(game) && *kept == theme);
            assert!(drawn, "{game}, {}", theme.word());
        }
    }
}

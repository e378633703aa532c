//! Animated pictures of matches of many rounds.

use gif::DecodeOptions;

use crate::moments::after;
use crate::picture::{Theme, gif, svg};

/// As many frames as a page draws for a match without an end.
const FRAMES: usize = 62;

#[test]
fn a_long_match_has_all_its_pictures_below_one_megabyte() {
    let matches = [
        "five-card-trick/dm-colosseum-2/umpire-50-p2-marlowe-hexappeal",
        "five-card-trick/zeros-gauntlet-final/more-items-50-p1-saffron-marlowe",
    ];
    let scenes = matches.into_iter().flat_map(|file| (1..=50).map(move |steps| after(file, steps)));
    let svgs: Vec<String> = scenes.take(FRAMES).map(|scene| svg(&scene, Theme::Light)).collect();
    let drawn = gif(&svgs).unwrap();
    assert!(drawn.len() < 1_000_000, "{} bytes", drawn.len());
    let mut decoder = DecodeOptions::new().read_info(drawn.as_slice()).unwrap();
    // At half the size these would be too many bytes.
    assert!((480..600).contains(&decoder.width()), "{}", decoder.width());
    let mut frames = 0;
    while decoder.read_next_frame().unwrap().is_some() {
        frames += 1;
    }
    assert_eq!(frames, FRAMES);
}

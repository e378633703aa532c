//! Names and texts of any length and kind.

use engine::{BySeat, Seat};

use crate::moments::after;
use crate::paper::holds;
use crate::picture::{Scene, Theme, alt, png, short, svg};

const NAMES: [&str; 12] = [
    "",
    "<script>alert(1)</script>",
    "]]><svg onload=\"x\">&amp;'",
    "\u{202e}drowssap\u{202c} \u{2066}x",
    "\u{5d9}\u{5e2}\u{5dc} \u{627}\u{644}\u{634}\u{637}\u{631}\u{646}\u{62c}",
    "\u{1f469}\u{200d}\u{1f680}\u{1f3f3}\u{fe0f}\u{200d}\u{1f308} Ada \u{1f0cf}",
    "Z\u{34c}\u{349}\u{34e}\u{353}\u{300}\u{301}\u{302}\u{303}a\u{336}\u{337}l\u{489}\u{488}go",
    "\u{0}\u{1}\u{b}\u{fffe}\u{ffff}\u{feff}",
    "\u{5c07}\u{68cb}\u{306e}\u{9f8d}\u{738b}\u{6226}",
    "W\nW\tW  W",
    "Karol\u{ed}na \u{d8}stergaard-Nguy\u{1ec5}n \u{141}ukasz \u{395}\u{3bb}\u{3ad}\u{3bd}\u{3b7} \u{416}\u{435}\u{43d}\u{44f}",
    "{p1}{p2}",
];

fn named(names: [&str; 2], steps: usize) -> Scene {
    let [p1, p2] = names.map(str::to_owned);
    let mut scene = after("higher-lower/tempo-up/three-boards-3-p1-kestrel-marlowe", steps);
    scene.said = vec![format!("{p1} met {p2}."), p2.clone()];
    scene.moment = format!("Round 7, {p1}");
    scene.names = BySeat { p1, p2 };
    scene.winner = Some(Seat::P1);
    scene
}

#[test]
fn any_name_stands_on_the_paper() {
    let long = "Wilhelmina ".repeat(1_000);
    let unbroken = "M".repeat(10_000);
    for pair in NAMES.windows(2).map(|pair| [pair[0], pair[1]]).chain([[&*long, &*unbroken]]) {
        for (steps, theme) in [2, 30].into_iter().zip(Theme::ALL) {
            let scene = named(pair, steps);
            holds(&scene, theme);
            assert!(alt(&scene).len() < 40_000, "{}", alt(&scene).len());
            assert!(short(&scene, 400).chars().count() <= 400);
        }
    }
    let scene = Scene { game: unbroken.clone(), said: vec![unbroken, long], ..named(["Ada", "Bo"], 30) };
    holds(&scene, Theme::Light);
    holds(&Scene { view: None, ..scene }, Theme::Light);
}

#[test]
fn words_of_others_never_become_markup() {
    let drawn = svg(&named(["<script>alert(1)</script>", "\" onload=\"x"], 30), Theme::Light);
    assert!(drawn.contains("&lt;script&gt;") && drawn.contains("&quot; onload=&quot;x"), "{drawn}");
    assert!(!drawn.contains("<script") && !drawn.contains("\" onload"), "{drawn}");
}

#[test]
fn a_sign_that_the_font_lacks_is_a_box() {
    let drawn = |name: &str| png(&svg(&named([name, "Bo"], 2), Theme::Light)).unwrap();
    assert_ne!(drawn("Ada \u{1f0cf}"), drawn("Ada"), "something is there");
    assert_eq!(drawn("Ada \u{1f0cf}").len(), drawn("Ada \u{1f0cf}").len());
}

#[test]
fn words_for_a_preview_end_with_a_sentence() {
    let scene = named(["Ada", "Bo"], 30);
    let words = short(&scene, 180);
    assert!(words.chars().count() <= 180 && words.ends_with('.'), "{words}");
    assert_eq!(short(&scene, 10_000), alt(&scene));
}

//! The colours of the style sheet: pictures have the same, text can be read, and nobody mistakes one seat for the other.

use std::collections::BTreeMap;

use picture::Theme;

use page::assets::TOKENS;

type Rgb = [f64; 3];

/// How colours look to people with each kind of colour vision, in linear light (Machado, Oliveira and Fernandes 2009,
/// at full severity).
const VISIONS: [(&str, [Rgb; 3]); 4] = [
    ("all three", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "no red",
        [[0.152_286, 1.052_583, -0.204_868], [0.114_503, 0.786_281, 0.099_216], [-0.003_882, -0.048_116, 1.051_998]],
    ),
    (
        "no green",
        [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_820, 0.042_940, 0.968_881]],
    ),
    (
        "no blue",
        [[1.255_528, -0.076_749, -0.178_779], [-0.078_411, 0.930_809, 0.147_602], [0.004_733, 0.691_367, 0.303_900]],
    ),
];

fn tokens() -> BTreeMap<&'static str, [&'static str; 2]> {
    let token = |token: &'static str| {
        let (name, value) = token.rsplit_once("--")?.1.split_once(':')?;
        let (light, dark) = value.trim_start().strip_prefix("light-dark(")?.strip_suffix(')')?.split_once(", ")?;
        Some((name, [light, dark]))
    };
    TOKENS.split(';').filter_map(token).collect()
}

fn linear(hex: &str) -> Rgb {
    [1, 3, 5].map(|at| {
        let value = f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    })
}

fn seen(matrix: &[Rgb; 3], colour: Rgb) -> Rgb {
    matrix.map(|row| row.iter().zip(colour).map(|(part, value)| part * value).sum::<f64>().clamp(0.0, 1.0))
}

fn lab(colour: Rgb) -> Rgb {
    let xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
        .map(|row: Rgb| row.iter().zip(colour).map(|(part, value)| part * value).sum::<f64>());
    let scaled = |value: f64| if value > 0.008_856 { value.cbrt() } else { 7.787 * value + 16.0 / 116.0 };
    let [x, y, z] = [scaled(xyz[0] / 0.950_47), scaled(xyz[1]), scaled(xyz[2] / 1.088_83)];
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

fn contrast(one: &str, other: &str) -> f64 {
    let light = |hex| linear(hex).iter().zip([0.2126, 0.7152, 0.0722]).map(|(value, part)| value * part).sum::<f64>();
    let (one, other): (f64, f64) = (light(one), light(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn pictures_have_the_colours_of_the_pages() {
    let tokens = tokens();
    for (at, theme) in [(0, Theme::Light), (1, Theme::Dark)] {
        for (name, colour) in picture::colours(theme) {
            assert_eq!(tokens[name][at], colour, "{name}, {}", theme.word());
        }
    }
}

#[test]
fn text_can_be_read_on_every_surface_in_both_themes() {
    let tokens = tokens();
    let text = ["ink", "muted", "link", "bad", "good", "p1", "p2"];
    let surfaces = ["paper", "sheet", "tint"];
    let mut pairs: Vec<(&str, &str, f64)> =
        text.iter().flat_map(|text| surfaces.map(|surface| (*text, surface, 4.5))).collect();
    pairs.extend([("on-accent", "accent", 4.5), ("p1", "p1-tint", 4.5), ("p2", "p2-tint", 4.5)]);
    pairs.extend(surfaces.map(|surface| ("edge", surface, 3.0)));
    for (front, back, least) in pairs {
        for at in [0, 1] {
            let found = contrast(tokens[front][at], tokens[back][at]);
            assert!(found >= least, "{front} on {back}: {found:.2}");
        }
    }
}

#[test]
fn the_seats_differ_for_every_kind_of_colour_vision() {
    let tokens = tokens();
    for at in [0, 1] {
        for (vision, matrix) in VISIONS {
            let [one, other] = ["p1", "p2"].map(|seat| lab(seen(&matrix, linear(tokens[seat][at]))));
            let apart = one.iter().zip(other).map(|(one, other)| (one - other).powi(2)).sum::<f64>().sqrt();
            assert!(apart > 60.0, "{vision}: {apart:.0}");
        }
    }
}

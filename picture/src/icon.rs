//! The icons: signs on cards and cells, actions, and games. Pages and pictures draw the same outlines.
//!
//! Each is a path on a square of 16 units, of straight lines and curves. There are no arcs: arcs need sines, which are
//! not the same on every machine. An outline that goes against the clock is a hole.

use engine::{Shape, Sign};

const DISC_8: &str = "M8 0c4.416 0 8 3.584 8 8s-3.584 8-8 8-8-3.584-8-8 3.584-8 8-8z";
const DISC_7: &str = "M8 1c3.864 0 7 3.136 7 7s-3.136 7-7 7-7-3.136-7-7 3.136-7 7-7z";
const CLUBS: &str = concat!(
    "M8 .8c1.877 0 3.4 1.523 3.4 3.4s-1.523 3.4-3.4 3.4-3.4-1.523-3.4-3.4 1.523-3.4 3.4-3.4z",
    "M4.2 6.2c1.877 0 3.4 1.523 3.4 3.4s-1.523 3.4-3.4 3.4-3.4-1.523-3.4-3.4 1.523-3.4 3.4-3.4z",
    "M11.8 6.2c1.877 0 3.4 1.523 3.4 3.4s-1.523 3.4-3.4 3.4-3.4-1.523-3.4-3.4 1.523-3.4 3.4-3.4z",
    "M7.3 7h1.4c0 3.4.7 6.3 2 8.2H5.3c1.3-1.9 2-4.8 2-8.2z"
);
const DIAMONDS: &str = "M8 .5 13.8 8 8 15.5 2.2 8z";
const HEARTS: &str = "M8 15C3.4 11.4.8 8.6.8 5.4.8 3.1 2.5 1.4 4.6 1.4c1.4 0 2.7.8 3.4 2.1.7-1.3 2-2.1 3.4-2.1 2.1 0 3.8 1.7 3.8 4 0 3.2-2.6 6-7.2 9.6z";
const SPADES: &str = "M8 .6c3.2 3.3 6.6 5.6 6.6 8.6 0 2-1.5 3.4-3.3 3.4-1 0-1.9-.4-2.4-1.1.2 1.6.8 2.7 1.8 3.7H5.3c1-1 1.6-2.1 1.8-3.7-.5.7-1.4 1.1-2.4 1.1-1.8 0-3.3-1.4-3.3-3.4C1.4 6.2 4.8 3.9 8 .6z";
const SQUARE: &str = "M1.5 1.5h13v13h-13z";
const TRIANGLE: &str = "M8 1 15.2 14.4H.8z";
const RHOMBUS: &str = "M8-.6 16.6 8 8 16.6-.6 8z";

const STAR: &str = "M8 .8l2.2 4.6 5 .7-3.6 3.5.9 5L8 12.2l-4.5 2.4.9-5L.8 6.1l5-.7z";
const PLUS: &str = "M6.2 1h3.6v5.2H15v3.6H9.8V15H6.2V9.8H1V6.2h5.2z";
const TRAY: &str = "M6.2 1h3.6v4.6h3.4L8 10.8 2.8 5.6h3.4zM1 9.6h2.4v2.8h9.2V9.6H15V15H1z";
const MASK: &str = "M1 4.5c2-1 4-1.2 7-.2 3-1 5-.8 7 .2 0 4-1.2 7.2-4 7.2-1.6 0-2.2-1.4-3-1.4s-1.4 1.4-3 1.4c-2.8 0-4-3.2-4-7.2zM3.2 6.6c.8 1.5 2.6 1.5 3.4.2-1-1.1-2.4-1.2-3.4-.2zM9.4 6.8c.8 1.3 2.6 1.3 3.4-.2-1-1-2.4-.9-3.4.2z";
const SHIELD: &str = "M8 .8l6 2v5c0 3.6-2.4 6-6 7.4-3.6-1.4-6-3.8-6-7.4v-5zM4.6 6.6v2.4h6.8V6.6z";
const CHIP: &str = "M8 1c3.864 0 7 3.136 7 7s-3.136 7-7 7-7-3.136-7-7 3.136-7 7-7zM8 4.5C6.068 4.5 4.5 6.068 4.5 8S6.068 11.5 8 11.5 11.5 9.932 11.5 8 9.932 4.5 8 4.5z";
const UP: &str = "M8 1l6 6.5h-3.8V15H5.8V7.5H2z";
const DOWN: &str = "M8 15l6-6.5h-3.8V1H5.8v7.5H2z";
const LEFT: &str = "M1 8l6.5-6v3.8H15v4.4H7.5V14z";
const RIGHT: &str = "M15 8L8.5 2v3.8H1v4.4h7.5V14z";
const OCTAGON: &str = "M5 1h6l4 4v6l-4 4H5l-4-4V5z";
const BAR: &str = "M2 6.2h12v3.6H2z";
const CROSS: &str = "M3.2 1L8 5.8 12.8 1 15 3.2 10.2 8l4.8 4.8-2.2 2.2L8 10.2 3.2 15 1 12.8 5.8 8 1 3.2z";
const TICK: &str = "M1.5 8.6l2.2-2.2 2.9 2.9 5.8-6.5L14.5 5l-7.9 8.6z";
const CALL_OUT: &str = "M6.2 1h3.6l-.6 9H6.8zM6.5 11.8h3V15h-3z";
const BOLT: &str = "M9.5 1L3 9.2h4.2L6 15l7-8.6H8.6z";
const HOURGLASS: &str = "M3 1h10v2.5L9.4 8l3.6 4.5V15H3v-2.5L6.6 8 3 3.5z";
const FORWARD: &str = "M3 1.5L14 8 3 14.5z";
const FRONT: &str = "M1 1.5h14V6H1zM3 7.8h10v1.9H3zM3 11.6h10v1.9H3z";
const MIDDLE: &str = "M3 2h10v1.9H3zM1 5.8h14v4.4H1zM3 12.1h10V14H3z";
const BACK: &str = "M3 2.5h10v1.9H3zM3 6.3h10v1.9H3zM1 10h14v4.5H1z";

/// The actions, each with the first word of its notation. Some share an icon: they do the same in different games.
pub const ACTIONS: [(&str, &str); 27] = [
    ("score", STAR),
    ("grow", PLUS),
    ("raise", PLUS),
    ("claim", TRAY),
    ("steal", MASK),
    ("block", SHIELD),
    ("overload", BOLT),
    ("limit-reset", HOURGLASS),
    ("use", BOLT),
    ("call", TICK),
    ("fold", CROSS),
    ("refill", PLUS),
    ("stand", OCTAGON),
    ("start", FORWARD),
    ("take", TRAY),
    ("front", FRONT),
    ("middle", MIDDLE),
    ("back", BACK),
    ("discard", CROSS),
    ("challenge", CALL_OUT),
    ("higher", UP),
    ("lower", DOWN),
    ("north", UP),
    ("south", DOWN),
    ("west", LEFT),
    ("east", RIGHT),
    ("stop", OCTAGON),
];

const NOTHING: [&str; 4] = ["nothing", "pass", "decline", "none"];

pub const GAMES: [(&str, &str); 5] = [
    ("three-card", "M1 3h3.8v10H1zM6.1 3h3.8v10H6.1zM11.2 3H15v10h-3.8z"),
    ("five-card-trick", "M.6 3H3v10H.6zM3.7 3h2.4v10H3.7zM6.8 3h2.4v10H6.8zM9.9 3h2.4v10H9.9zM13 3h2.4v10H13z"),
    ("thwart-13", SPADES),
    (
        "devils-deal",
        "M2 1c.6 3 2.2 4.4 6 4.4S13.4 4 14 1c1.6 3 1.4 5.4-.2 6.8.6 4-1.8 7.2-5.8 7.2S1.6 11.8 2.2 7.8C.6 6.4.4 4 2 1z",
    ),
    ("higher-lower", "M4.5 2l4 6h-8zM11.5 14l-4-6h8z"),
];

pub const CHIPS: &str = CHIP;

#[must_use]
pub const fn sign(sign: Sign) -> &'static str {
    match sign {
        Sign::None | Sign::Back => "",
        Sign::Clubs => CLUBS,
        Sign::Diamonds => DIAMONDS,
        Sign::Hearts => HEARTS,
        Sign::Spades => SPADES,
        Sign::Red => DISC_8,
        Sign::Green | Sign::Shape(_, Shape::Square) => SQUARE,
        Sign::Blue => RHOMBUS,
        Sign::Shape(_, Shape::Circle) => DISC_7,
        Sign::Shape(_, Shape::Triangle) => TRIANGLE,
    }
}

/// The icon of an action by its word or its name, such as `block:claim` or "Block"; none for a word that has none.
#[must_use]
pub fn action(word: &str) -> Option<&'static str> {
    let first = word.trim_start_matches('+').split([':', ' ', ',']).next()?.to_lowercase();
    let found = ACTIONS.iter().find(|(known, _)| *known == first).map(|(_, outline)| *outline);
    found.or_else(|| NOTHING.contains(&first.as_str()).then_some(BAR))
}

#[must_use]
pub fn game(ruleset: &str) -> Option<&'static str> {
    let game = ruleset.split('/').next()?;
    GAMES.iter().find(|(known, _)| *known == game).map(|(_, outline)| *outline)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_and_every_game_has_an_icon() {
        for ruleset in engine::rulesets() {
            let id = ruleset.card().id;
            assert!(game(id).is_some(), "{id}");
        }
        for word in ["score", "Block", "block:claim", "raise 4", "+overload", "take none", "Pass", "nothing"] {
            assert!(action(word).is_some(), "{word}");
        }
        assert_eq!(action("TH"), None);
        assert_eq!(action(""), None);
    }

    #[test]
    fn no_icon_has_arcs() {
        let signs = [Sign::Clubs, Sign::Red, Sign::Spades, Sign::Hearts].map(sign);
        let all = ACTIONS.iter().chain(&GAMES).map(|(_, outline)| *outline).chain(signs).chain([CHIPS, BAR]);
        for outline in all {
            assert!(outline.starts_with('M') && outline.ends_with('z'), "{outline}");
            assert!(!outline.contains(['a', 'A']), "{outline}");
        }
    }
}

//! The signs on cards and cells. As on the pages, each has its own shape, and a letter if colours matter; the three
//! colours of a front are filled in three ways.

use engine::{Colour, Shape, Sign};

use crate::pen::{Anchor, Look, Pen, Rect, disc};
use crate::text::Style;

const CLUBS: &str = "M7.3 9.2h1.4c0 2.4.7 4.4 2 6H5.3c1.3-1.6 2-3.6 2-6z";
const DIAMONDS: &str = "M8 .5 13.8 8 8 15.5 2.2 8z";
const HEARTS: &str = "M8 15C3.4 11.4.8 8.6.8 5.4.8 3.1 2.5 1.4 4.6 1.4c1.4 0 2.7.8 3.4 2.1.7-1.3 2-2.1 3.4-2.1 2.1 0 3.8 1.7 3.8 4 0 3.2-2.6 6-7.2 9.6z";
const SPADES: &str = "M8 .6c3.2 3.3 6.6 5.6 6.6 8.6 0 2-1.5 3.4-3.3 3.4-1 0-1.9-.4-2.4-1.1.2 1.6.8 2.7 1.8 3.7H5.3c1-1 1.6-2.1 1.8-3.7-.5.7-1.4 1.1-2.4 1.1-1.8 0-3.3-1.4-3.3-3.4C1.4 6.2 4.8 3.9 8 .6z";
const SQUARE: &str = "M1.5 1.5h13v13h-13z";
const TRIANGLE: &str = "M8 1 15.2 14.4H.8z";
const RHOMBUS: &str = "M8-.6 16.6 8 8 16.6-.6 8z";

/// Draws a sign on a square from `(x, y)`.
pub(crate) fn sign(pen: &mut Pen, at: (i32, i32), size: i32, sign: Sign) {
    let colours = pen.palette;
    let round = || disc((8, 8), 8);
    match sign {
        Sign::None | Sign::Back => {}
        Sign::Clubs => {
            let leaves = [(8, 4), (4, 10), (12, 10)].map(|leaf| disc(leaf, 3)).concat();
            // Leaves of three units and a half: their outline adds the half.
            pen.scaled(at, size, &format!("{leaves}{CLUBS}"), Look::outlined(colours.ink, colours.ink, 1));
        }
        Sign::Spades => pen.scaled(at, size, SPADES, Look::filled(colours.ink)),
        Sign::Diamonds => pen.scaled(at, size, DIAMONDS, Look::filled(colours.red)),
        Sign::Hearts => pen.scaled(at, size, HEARTS, Look::filled(colours.red)),
        Sign::Red => lettered(pen, at, size, &round(), Look::filled(colours.red), ('R', colours.sheet, 0)),
        Sign::Green => lettered(pen, at, size, SQUARE, Look::filled(colours.green), ('G', colours.sheet, 0)),
        Sign::Blue => lettered(pen, at, size, RHOMBUS, Look::filled(colours.blue), ('B', colours.sheet, 0)),
        Sign::Shape(colour, shape) => {
            let (outline, down) = match shape {
                Shape::Circle => (disc((8, 8), 7), 0),
                Shape::Triangle => (TRIANGLE.to_owned(), size * 2 / 16),
                Shape::Square => (SQUARE.to_owned(), 0),
            };
            let (look, letter, ink) = match colour {
                Colour::Cyan => (Look::filled(colours.cyan), 'c', colours.sheet),
                Colour::Pink => (Look::outlined(colours.pink_tint, colours.pink, 2), 'p', colours.pink),
                Colour::Grey => (Look::outlined("none", colours.muted, 1).dashed(), 'g', colours.muted),
            };
            lettered(pen, at, size, &outline, look, (letter, ink, down));
        }
    }
}

fn lettered(
    pen: &mut Pen,
    (x, y): (i32, i32),
    size: i32,
    outline: &str,
    look: Look,
    (letter, ink, down): (char, &str, i32),
) {
    pen.scaled((x, y), size, outline, look);
    let small = if down > 0 { size * 8 / 16 } else { size * 10 / 16 };
    let style = Style::bold(small);
    // A capital is about seven tenths of its size high, a small letter five.
    let rises = if letter.is_lowercase() { small * 27 / 100 } else { small * 36 / 100 };
    let middle = (x + size / 2, y + size / 2 + rises + down);
    pen.text(middle, Anchor::Middle, style, ink, letter.encode_utf8(&mut [0; 4]));
}

/// A card's back, hatched.
pub(crate) fn back(pen: &mut Pen, rect: Rect) {
    let Rect { x, y, w, h } = rect;
    let mut lines = String::new();
    let step = 12;
    let mut from = step;
    while from < w + h {
        // From the left or lower edge up to the upper or right one.
        let (x1, y1) = if from <= h { (0, from) } else { (from - h, h) };
        let (x2, y2) = if from <= w { (from, 0) } else { (w, from - w) };
        lines.push_str(&format!("M{} {}L{} {}", x + x1, y + y1, x + x2, y + y2));
        from += step;
    }
    pen.path(&lines, Look::outlined("none", pen.palette.edge, 2));
}

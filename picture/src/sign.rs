//! The signs on cards and cells. As on the pages, each has its own shape, and a letter if colours matter; the three
//! colours of a front are filled in three ways.

use engine::{Colour, Shape, Sign};

use crate::icon;
use crate::pen::{Anchor, Look, Pen, Rect};
use crate::text::Style;

pub(crate) fn sign(pen: &mut Pen, at: (i32, i32), size: i32, sign: Sign) {
    let (colours, outline) = (pen.palette, icon::sign(sign));
    match sign {
        Sign::None | Sign::Back => {}
        Sign::Clubs | Sign::Spades => pen.scaled(at, size, outline, Look::filled(colours.ink)),
        Sign::Diamonds | Sign::Hearts => pen.scaled(at, size, outline, Look::filled(colours.red)),
        Sign::Red => lettered(pen, at, size, outline, Look::filled(colours.red), ('R', colours.sheet, 0)),
        Sign::Green => lettered(pen, at, size, outline, Look::filled(colours.green), ('G', colours.sheet, 0)),
        Sign::Blue => lettered(pen, at, size, outline, Look::filled(colours.blue), ('B', colours.sheet, 0)),
        Sign::Shape(colour, shape) => {
            let down = if shape == Shape::Triangle { size * 2 / 16 } else { 0 };
            let (look, letter, ink) = match colour {
                Colour::Cyan => (Look::filled(colours.cyan), 'c', colours.sheet),
                Colour::Pink => (Look::outlined(colours.pink_tint, colours.pink, 2), 'p', colours.pink),
                Colour::Grey => (Look::outlined("none", colours.muted, 1).dashed(), 'g', colours.muted),
            };
            lettered(pen, at, size, outline, look, (letter, ink, down));
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

//! The foot: the events, in sentences.

use crate::pen::{Anchor, Look, Pen, Rect};
use crate::scene::Scene;
use crate::sheet::{HEIGHT, MARGIN, WIDTH};
use crate::text::{Style, first, plain, wrap};

const STYLE: Style = Style::medium(34);
const LINE: i32 = 44;

/// The sentences in at most `most` lines: each on its own line if there is room, or one after the other, or the first.
pub(crate) fn lines(scene: &Scene, most: usize, room: i32) -> Vec<String> {
    let said: Vec<String> = scene.said.iter().map(|sentence| plain(sentence)).filter(|said| !said.is_empty()).collect();
    let apart: Vec<String> = said.iter().flat_map(|sentence| wrap(sentence, STYLE, room)).collect();
    if apart.len() <= most {
        return apart;
    }
    for count in (1..=said.len()).rev() {
        let some = said.get(..count).unwrap_or_default().join(" ");
        let more = if count < said.len() { " \u{2026}" } else { "" };
        let lines = wrap(&format!("{some}{more}"), STYLE, room);
        if lines.len() <= most {
            return lines;
        }
    }
    first(said.first().map(|sentence| wrap(sentence, STYLE, room)).unwrap_or_default(), most, STYLE, room)
}

pub(crate) fn set(pen: &mut Pen, lines: &[String], (x, y): (i32, i32)) -> i32 {
    let colours = pen.palette;
    let mut base = y + STYLE.size;
    for line in lines {
        pen.text((x, base), Anchor::Start, STYLE, colours.ink, line);
        base += LINE;
    }
    high(lines)
}

pub(crate) fn high(lines: &[String]) -> i32 {
    LINE * i32::try_from(lines.len()).unwrap_or(0)
}

pub(crate) fn draw(pen: &mut Pen, lines: &[String]) -> i32 {
    if lines.is_empty() {
        return HEIGHT;
    }
    let high = high(lines) + 32;
    let top = HEIGHT - high;
    let colours = pen.palette;
    pen.rect(Rect { x: 0, y: top, w: WIDTH, h: high }, Look::filled(colours.tint));
    pen.rect(Rect { x: 0, y: top, w: WIDTH, h: 2 }, Look::filled(colours.rule_5));
    set(pen, lines, (MARGIN, top + 13));
    top
}

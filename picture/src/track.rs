//! Statements made in turn: the latest, as many as fit in two lines.

use engine::Seat;

use crate::head::mark;
use crate::panels::Room;
use crate::pen::{Anchor, Pen};
use crate::scene::Scene;
use crate::text::{Style, fit};

const LINES: i32 = 2;

pub(crate) fn draw(pen: &mut Pen, scene: &Scene, title: &str, said: &[(Seat, String)], room: Room) -> i32 {
    let style = Style::medium(room.px(34).max(28));
    let (high, size, gap) = (style.size * 14 / 10, style.size * 11 / 10, style.size / 2);
    let title = fit(&format!("{title}:"), style, room.w);
    let indent = (style.width(&title) + gap).min(room.w / 2);
    let said: Vec<(Seat, String)> =
        said.iter().map(|(seat, text)| (*seat, fit(&scene.named(text), style, room.w - indent - size - gap))).collect();
    let wide = |text: &str| size + gap / 2 + style.width(text) + gap;
    // The latest must have room, so the first are left out.
    let lines = |said: &[(Seat, String)]| {
        let (mut x, mut lines) = (indent, 1);
        for (_, text) in said {
            if x > indent && x + wide(text) > room.w {
                (x, lines) = (indent, lines + 1);
            }
            x += wide(text);
        }
        lines
    };
    let mut from = 0;
    while said.get(from..).is_some_and(|left| lines(left) > LINES) {
        from += 1;
    }
    let left = said.get(from..).unwrap_or_default();
    let colours = pen.palette;
    let base = style.size;
    pen.text((room.x, room.y + base), Anchor::Start, style, colours.muted, &title);
    let (mut x, mut y) = (indent, room.y);
    if said.is_empty() {
        pen.text((room.x + x, y + base), Anchor::Start, style, colours.muted, "nothing yet");
    }
    for (seat, text) in left {
        if x > indent && x + wide(text) > room.w {
            (x, y) = (indent, y + high);
        }
        mark(pen, *seat, (room.x + x, y + base - size * 85 / 100), size);
        pen.text((room.x + x + size + gap / 2, y + base), Anchor::Start, style, colours.ink, text);
        x += wide(text);
    }
    y + high - room.y
}

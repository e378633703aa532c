//! A short statement after its title, and after the mark of the seat that it concerns.

use engine::Seat;

use crate::head::mark;
use crate::panels::Room;
use crate::pen::{Anchor, Pen};
use crate::text::{Style, first, wrap};

/// The most lines of a statement.
const LINES: usize = 3;

pub(crate) fn draw(pen: &mut Pen, seat: Option<Seat>, title: &str, text: &str, room: Room) -> i32 {
    // Statements must stay readable, so they are not made smaller.
    let style = Style::medium(if room.percent > 100 { 34 } else { 31 });
    let high = style.size * 128 / 100;
    let indent = if seat.is_some() { high + style.size / 5 } else { 0 };
    if let Some(seat) = seat {
        mark(pen, seat, (room.x, room.y), style.size * 115 / 100);
    }
    let lines = wrap(&format!("{title}: {text}"), style, room.w - indent);
    let lines = first(lines, LINES, style, room.w - indent);
    let mut y = room.y + style.size * 95 / 100;
    let colours = pen.palette;
    for line in &lines {
        pen.text((room.x + indent, y), Anchor::Start, style, colours.ink, line);
        y += high;
    }
    high * i32::try_from(lines.len()).unwrap_or(0)
}

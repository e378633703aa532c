//! A row of lamps: those that are on are filled, the others outlined.

use engine::Lamp;

use crate::panels::Room;
use crate::pen::{Anchor, Look, Pen, Rect};
use crate::text::{Style, fit};

/// The height of a lamp.
const HIGH: i32 = 68;

/// The space between two lamps.
const GAP: i32 = 8;

pub(crate) fn draw(pen: &mut Pen, lamps: &[Lamp], room: Room) -> i32 {
    let Some(count) = i32::try_from(lamps.len()).ok().filter(|count| *count > 0) else { return 0 };
    let (wide, high) = ((room.w - GAP * (count - 1)) / count, room.px(HIGH));
    let inside = wide - 16;
    let mut style = Style::bold(room.px(40));
    while style.size > 20 && lamps.iter().any(|lamp| style.width(lamp.name) > inside) {
        style.size -= 1;
    }
    let colours = pen.palette;
    for (n, lamp) in (0..).zip(lamps) {
        // The remainder of the division goes between them.
        let rect = Rect { x: room.x + n * (room.w + GAP) / count, y: room.y, w: wide, h: high };
        let (look, ink) = if lamp.lit {
            (Look::filled(colours.ink), colours.paper)
        } else {
            (Look::outlined("none", colours.rule_5, 2), colours.muted)
        };
        pen.rect(if lamp.lit { rect } else { rect.inset(1) }, look);
        let (middle, level) = rect.centre();
        let name = if style.width(lamp.name) <= inside { lamp.name } else { lamp.letters };
        pen.text((middle, level + style.size * 36 / 100), Anchor::Middle, style, ink, &fit(name, style, inside));
    }
    high
}

//! A row of lamps: those that are on are filled in the seat's colour, the others outlined. Each has its action's icon
//! above its name. Their shape is that of the seat's mark: square or round.

use engine::{Lamp, Seat};

use crate::icon;
use crate::panels::Room;
use crate::pen::{Anchor, Look, Pen, Rect};
use crate::text::{Style, fit};

const HIGH: i32 = 86;
const ICON: i32 = 34;
/// The radius of the corners of a square one, and of a round one: its name still has room below the icon.
const RADIUS: i32 = 10;
const ROUND: i32 = 28;

/// The space between two lamps.
const GAP: i32 = 8;

pub(crate) fn draw(pen: &mut Pen, seat: Seat, lamps: &[Lamp], room: Room) -> i32 {
    let Some(count) = i32::try_from(lamps.len()).ok().filter(|count| *count > 0) else { return 0 };
    let (wide, high) = ((room.w - GAP * (count - 1)) / count, room.px(HIGH));
    let inside = wide - 12;
    let mut style = Style::bold(room.px(34));
    while style.size > 20 && lamps.iter().any(|lamp| style.width(lamp.name) > inside) {
        style.size -= 1;
    }
    let colours = pen.palette;
    let radius = match seat {
        Seat::P1 => RADIUS,
        Seat::P2 => room.px(ROUND),
    };
    for (n, lamp) in (0..).zip(lamps) {
        // The remainder of the division goes between them.
        let rect = Rect { x: room.x + n * (room.w + GAP) / count, y: room.y, w: wide, h: high };
        let (look, ink) = if lamp.lit {
            (Look::filled(colours.of(seat)), colours.paper)
        } else {
            (Look::outlined("none", colours.rule_5, 2), colours.muted)
        };
        pen.rounded(if lamp.lit { rect } else { rect.inset(1) }, radius, look);
        let (middle, level) = rect.centre();
        let name = if style.width(lamp.name) <= inside { lamp.name } else { lamp.letters };
        let base = match icon::action(lamp.name) {
            Some(outline) => {
                let size = room.px(ICON);
                pen.scaled((middle - size / 2, room.y + room.px(8)), size, outline, Look::filled(ink));
                room.y + high - room.px(12)
            }
            None => level + style.size * 36 / 100,
        };
        pen.text((middle, base), Anchor::Middle, style, ink, &fit(name, style, inside));
    }
    high
}

//! Cells in rows and columns: large for the one in play, small and without letters for the others.

use engine::{Cell, Colour, Mark, Panel, Sign};

use crate::panels::Room;
use crate::pen::{Anchor, Look, Pen, Rect};
use crate::sign;
use crate::text::{Style, fit, plain};

/// The height of a cell.
const HIGH: i32 = 56;
/// The space between two cells.
const GAP: i32 = 4;
/// The space between two small grids.
const ASIDE: i32 = 28;

pub(crate) fn draw(
    pen: &mut Pen,
    title: &str,
    columns: &[String],
    rows: &[(String, Vec<Cell>)],
    current: bool,
    room: Room,
) -> i32 {
    if !current {
        return small(pen, title, rows, room);
    }
    let labels = Style::medium(room.px(30).max(24));
    let colours = pen.palette;
    let most = rows.iter().map(|(_, cells)| cells.len()).max().unwrap_or(0);
    let Some(most) = i32::try_from(most).ok().filter(|most| *most > 0) else { return 0 };
    let before = rows.iter().map(|(label, _)| labels.width(label)).max().unwrap_or(0) + 12;
    let (wide, high) = ((room.w - before) / most, room.px(HIGH));
    let mut y = room.y;
    // The title is before the letters of the columns if there is room, or above them.
    let bold = Style::bold(labels.size);
    pen.text((room.x, y + labels.size), Anchor::Start, bold, colours.ink, &fit(&plain(title), bold, room.w));
    y += labels.size * 12 / 10;
    if columns.iter().any(|label| !label.is_empty()) {
        let mut x = room.x + before + wide / 2;
        for label in columns {
            pen.text((x, y + labels.size * 9 / 10), Anchor::Middle, labels, colours.muted, label);
            x += wide;
        }
        y += labels.size * 12 / 10;
    }
    for (label, cells) in rows {
        pen.text((room.x, y + high / 2 + labels.size * 36 / 100), Anchor::Start, labels, colours.muted, label);
        let mut x = room.x + before;
        for cell in cells {
            square(pen, cell, Rect { x, y, w: wide - GAP, h: high - GAP });
            x += wide;
        }
        y += high;
    }
    y - room.y
}

fn square(pen: &mut Pen, cell: &Cell, rect: Rect) {
    let colours = pen.palette;
    let fill = if cell.up { colours.sheet } else { colours.tint };
    let (edge, width) = if cell.mark == Mark::New { (colours.ink, 5) } else { (colours.rule_5, 2) };
    let look = Look::outlined(fill, edge, width);
    pen.rect(rect.inset(1), if cell.mark == Mark::Hidden { look.dashed() } else { look });
    let (middle, level) = rect.centre();
    let size = rect.h * 66 / 100;
    if cell.face.is_empty() {
        sign::sign(pen, (middle - size / 2, level - size / 2), size, cell.sign);
    } else {
        // Two digits need more room than one: a face that is too wide for its cell is drawn smaller.
        let sizes = |percent: i32| (Style::bold(rect.h * percent / 100), rect.h * percent * 3 / 400);
        let wide = |(face, small): (Style, i32)| small + 6 + face.width(&cell.face);
        let mut percent = 66;
        while percent > 30 && wide(sizes(percent)) > rect.w - 16 {
            percent -= 2;
        }
        let (face, small) = sizes(percent);
        let wide = wide((face, small));
        let x = middle - wide / 2;
        sign::sign(pen, (x, level - small / 2), small, cell.sign);
        let ink = if cell.up { colours.ink } else { colours.muted };
        pen.text((x + wide, level + face.size * 36 / 100), Anchor::End, face, ink, &cell.face);
    }
    if cell.mark == Mark::Gone {
        let Rect { x, y, w, h } = rect.inset(3);
        pen.path(&format!("M{x} {}L{} {y}", y + h, x + w), Look::outlined("none", colours.edge, 4));
    }
}

pub(crate) fn row(pen: &mut Pen, grids: &[&Panel], room: Room) -> i32 {
    let per_row = if room.w > 800 { 5 } else { 4 };
    let wide = (room.w - (per_row - 1) * ASIDE) / per_row;
    let (mut n, mut high, mut y) = (0, 0, room.y);
    for panel in grids {
        let Panel::Grid { title, rows, .. } = panel else { continue };
        if n == per_row {
            (n, y, high) = (0, y + high + room.px(ASIDE), 0);
        }
        high = high.max(small(pen, title, rows, Room { x: room.x + n * (wide + ASIDE), y, w: wide, ..room }));
        n += 1;
    }
    y + high - room.y
}

fn small(pen: &mut Pen, title: &str, rows: &[(String, Vec<Cell>)], room: Room) -> i32 {
    let style = Style::medium(room.px(28).max(24));
    let colours = pen.palette;
    pen.text((room.x, room.y + style.size), Anchor::Start, style, colours.muted, &fit(&plain(title), style, room.w));
    let most = rows.iter().map(|(_, cells)| cells.len()).max().unwrap_or(0);
    let Some(most) = i32::try_from(most).ok().filter(|most| *most > 0) else { return 0 };
    let size = (room.w / most).min(room.px(34));
    let mut y = room.y + style.size * 13 / 10;
    for (_, cells) in rows {
        let mut x = room.x;
        for cell in cells {
            let rect = Rect { x, y, w: size - 3, h: size - 3 };
            // Turned cells are filled, the others outlined. The fronts' letters would be too small to read: cyan is
            // square, pink round, grey a smaller square.
            let (edge, inset) = match cell.sign {
                Sign::Shape(Colour::Cyan, _) => (colours.cyan, 1),
                Sign::Shape(Colour::Pink, _) => (colours.pink, 1),
                _ => (colours.rule_5, 4),
            };
            let look = Look::outlined(if cell.up { edge } else { "none" }, edge, 2);
            match cell.sign {
                Sign::Shape(Colour::Pink, _) => pen.disc(rect.centre(), size / 2 - 3, look),
                _ => pen.rect(rect.inset(inset), look),
            }
            x += size;
        }
        y += size;
    }
    y - room.y
}

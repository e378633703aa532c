//! A state with a board in play: the board on the left, as large as there is room, and beside it the events, the other
//! boards, and the statements about either seat.

use engine::Panel;

use crate::head::{self, Size};
use crate::panels::{self, Room, is_aside};
use crate::pen::{Look, Pen, Rect};
use crate::scene::Scene;
use crate::sheet::{HEIGHT, MARGIN, WIDTH};
use crate::theme::Theme;
use crate::{foot, grid};

/// The space above and below.
const GAP: i32 = 18;

/// The left edge of the right part.
const RIGHT: i32 = 596;

/// The sizes of the board that are tried, in percent.
const PERCENT: [i32; 8] = [115, 108, 100, 94, 88, 82, 76, 70];

/// Draws it. Parts without room beside the board are left out, the sentences last.
pub(crate) fn drawn(scene: &Scene, theme: Theme, board: &Panel, table: &[&Panel]) -> Pen {
    let mut pen = Pen::new(theme.palette());
    let top = head::draw(&mut pen, scene, Size::Short);
    let left = Room { x: MARGIN, y: top, w: RIGHT - MARGIN - 28, percent: 100 };
    let bottom = HEIGHT - GAP;
    let mut percent = 100;
    for tried in PERCENT {
        percent = tried;
        if panels::draw(&mut Pen::new(theme.palette()), scene, board, Room { percent, ..left }) <= bottom - top {
            break;
        }
    }
    panels::draw(&mut pen, scene, board, Room { percent, ..left });

    let colours = pen.palette;
    pen.rect(Rect { x: RIGHT, y: top - 4, w: WIDTH - RIGHT, h: HEIGHT - top + 4 }, Look::filled(colours.tint));
    pen.rect(Rect { x: RIGHT, y: top - 4, w: 2, h: HEIGHT - top + 4 }, Look::filled(colours.rule_5));
    let right = Room { x: RIGHT + 26, y: top, w: WIDTH - MARGIN - RIGHT - 26, percent: 100 };
    let aside: Vec<&Panel> = table.iter().copied().filter(|panel| is_aside(panel)).collect();
    let small = grid::row(&mut Pen::new(theme.palette()), &aside, right);
    let end = if small > 0 { bottom - small - GAP } else { bottom };
    grid::row(&mut pen, &aside, Room { y: bottom - small, ..right });

    let most = usize::try_from((end - top) / foot::high(&[String::new()])).unwrap_or(0);
    let said = foot::set(&mut pen, &foot::lines(scene, most, right.w), (right.x, top));
    let mut y = top + said + GAP;
    let others = scene.view.iter().flat_map(|view| &view.panels);
    for panel in others.filter(|panel| !matches!(panel, Panel::Grid { .. })) {
        let high = panels::draw(&mut Pen::new(theme.palette()), scene, panel, Room { y, ..right });
        if y + high <= end {
            panels::draw(&mut pen, scene, panel, Room { y, ..right });
            y += high + GAP;
        }
    }
    pen
}

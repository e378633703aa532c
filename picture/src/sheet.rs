//! The whole picture: the head, the seats' halves, the table, and the foot, as large as there is room.

use engine::{Panel, Seat};

use crate::alt::{alt, heading};
use crate::board;
use crate::font::FAMILIES;
use crate::foot;
use crate::head::{self, Size};
use crate::panels::{self, Room};
use crate::pen::{Look, Pen, Rect};
use crate::scene::Scene;
use crate::theme::Theme;

/// The width of a picture, in pixels, which previews show in full.
pub const WIDTH: i32 = 1200;
/// The height of a picture, in pixels.
pub const HEIGHT: i32 = 630;
/// The margin on its left and right.
pub(crate) const MARGIN: i32 = 44;

/// The space between the parts.
const GAP: i32 = 20;

#[derive(Clone, Copy, Debug)]
struct Plan {
    head: Size,
    percent: i32,
    lines: usize,
    table: usize,
}

/// Sizes from the largest to the smallest that can be read on a phone: head, percent, lines of the foot.
const PLANS: [(Size, i32, usize); 11] = [
    (Size::Tall, 130, 6),
    (Size::Tall, 115, 6),
    (Size::Tall, 100, 6),
    (Size::Short, 100, 6),
    (Size::Tall, 100, 4),
    (Size::Tall, 100, 3),
    (Size::Short, 100, 4),
    (Size::Short, 100, 3),
    (Size::Short, 90, 3),
    (Size::Short, 90, 2),
    (Size::Short, 82, 2),
];

/// The seats' own panels, smaller, if nothing else fits.
const LAST: Plan = Plan { head: Size::Short, percent: 74, lines: 1, table: 0 };

/// Draws a scene. The same scene and theme give the same text.
#[must_use]
pub fn svg(scene: &Scene, theme: Theme) -> String {
    let table = scene.view.as_ref().map(panels::table).unwrap_or_default();
    if let Some(board @ Panel::Grid { current: true, .. }) = table.first() {
        return framed(scene, theme, board::drawn(scene, theme, board, &table));
    }
    let table = table.len();
    // The least important part is left out first.
    let plans = (0..=table)
        .rev()
        .flat_map(|table| PLANS.into_iter().map(move |(head, percent, lines)| Plan { head, percent, lines, table }));
    let fits = |plan: &Plan| drawn(scene, theme, *plan, 0).1 >= 0;
    let plan = plans.into_iter().find(fits).unwrap_or(LAST);
    // The rest of the room goes above and below the panels.
    let spare = drawn(scene, theme, plan, 0).1;
    framed(scene, theme, drawn(scene, theme, plan, (spare / 2).clamp(0, 48)).0)
}

/// A drawing, and the number of pixels it leaves free; negative if it does not fit.
fn drawn(scene: &Scene, theme: Theme, plan: Plan, lower: i32) -> (Pen, i32) {
    let mut pen = Pen::new(theme.palette());
    let top = head::draw(&mut pen, scene, plan.head) + lower;
    let half = (WIDTH - 2 * MARGIN - 2 * GAP) / 2;
    let room = Room { x: MARGIN, y: top, w: half, percent: plan.percent };
    let halves = Seat::BOTH.map(|seat| {
        let x = if seat == Seat::P1 { MARGIN } else { WIDTH - MARGIN - half };
        panels::of_seat(&mut pen, scene, seat, Room { x, ..room })
    });
    let seats = halves.into_iter().max().unwrap_or(0);
    let mut end = top + seats;
    if let Some(view) = &scene.view {
        let table = panels::table(view);
        let table = table.get(..plan.table).unwrap_or(&table);
        if !table.is_empty() {
            if seats > 0 {
                end += GAP;
            }
            end += panels::on_table(&mut pen, scene, table, Room { y: end, w: WIDTH - 2 * MARGIN, ..room });
        }
    }
    let foot = foot::draw(&mut pen, &foot::lines(scene, plan.lines, WIDTH - 2 * MARGIN));
    (pen, foot - end - GAP)
}

fn framed(scene: &Scene, theme: Theme, drawing: Pen) -> String {
    let mut pen = Pen::new(theme.palette());
    pen.raw(&format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-labelledby=\"t d\">\n<title id=\"t\">"
    ));
    pen.escaped(&heading(scene));
    pen.raw("</title>\n<desc id=\"d\">");
    pen.escaped(&alt(scene));
    pen.raw(&format!("</desc>\n<g font-family=\"{FAMILIES}\">\n"));
    pen.rect(Rect { x: 0, y: 0, w: WIDTH, h: HEIGHT }, Look::filled(theme.palette().paper));
    pen.raw(&drawing.into_svg());
    pen.raw("</g>\n</svg>\n");
    pen.into_svg()
}

//! The head: the game and the moment, the players, and the score in numbers.

use engine::{Figure, Seat};

use crate::pen::{Anchor, Look, Pen, Rect};
use crate::scene::Scene;
use crate::sheet::{MARGIN, WIDTH};
use crate::text::{Style, fit, plain};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    Tall,
    Short,
}

/// The lower end of the rule below the title.
const RULES: i32 = 94;

/// The width in the middle for figures that both share.
const MIDDLE: i32 = 216;

/// A bookmark with a flame, as on the site.
const BOOKMARK: &str = "M1 0h14v16l-7-3.5-7 3.5z";
const FLAME: &str = "M8 1.5c1.4 1.4 1.8 2.3 1.8 3.2 0 1-.8 1.8-1.8 1.8s-1.8-.8-1.8-1.8c0-.9.4-1.8 1.8-3.2z";

pub(crate) fn draw(pen: &mut Pen, scene: &Scene, size: Size) -> i32 {
    title(pen, scene);
    let shared: Vec<_> = scene.figures(None).collect();
    let inner = WIDTH - 2 * MARGIN;
    let wide = if shared.is_empty() { (inner - 48) / 2 } else { (inner - MIDDLE - 48) / 2 };
    let (name, number, label) = match size {
        Size::Tall => (54, 104, 38),
        Size::Short => (44, 64, 32),
    };
    let names = RULES + 18 + name;
    let numbers = names + number * 95 / 100 + 6;
    for seat in Seat::BOTH {
        let side = Side { seat, wide };
        named(pen, scene, side, names, Style::bold(name));
        let figures: Vec<_> = scene.figures(Some(seat)).collect();
        counts(pen, &figures, side, numbers, (Style::bold(number), Style::medium(label)));
    }
    let colours = pen.palette;
    let middle = WIDTH / 2;
    if let Some((first, change)) = shared.first() {
        let style = Style::medium(label);
        pen.text((middle, names), Anchor::Middle, style, colours.muted, &fit(&first.label, style, MIDDLE));
        let style = Style::bold(number);
        pen.text((middle, numbers), Anchor::Middle, style, colours.ink, &first.value.to_string());
        if let Some(change) = change {
            let beside = middle + style.width(&first.value.to_string()) / 2 + 14;
            pen.text((beside, numbers), Anchor::Start, Style::bold(label), colours.muted, change);
        }
    }
    let has_figures = scene.view.as_ref().is_some_and(|view| !view.figures.is_empty());
    (if has_figures { numbers } else { names }) + 24
}

fn title(pen: &mut Pen, scene: &Scene) {
    let colours = pen.palette;
    let (bold, medium) = (Style::bold(38), Style::medium(38));
    let inner = WIDTH - 2 * MARGIN;
    let moment = fit(&plain(&scene.moment), bold, inner * 6 / 10);
    pen.scaled((MARGIN - 2, 30), 44, BOOKMARK, Look::filled(colours.ink));
    pen.scaled((MARGIN - 2, 30), 44, FLAME, Look::filled(colours.flame));
    let room = inner - bold.width(&moment) - 56 - 24;
    pen.text((MARGIN + 56, 66), Anchor::Start, medium, colours.muted, &fit(&plain(&scene.game), medium, room));
    pen.text((WIDTH - MARGIN, 66), Anchor::End, bold, colours.ink, &moment);
    pen.rect(Rect { x: 0, y: RULES - 2, w: WIDTH, h: 2 }, Look::filled(colours.rule));
}

/// A seat's part of the head. The second mirrors the first: it ends at the right.
#[derive(Clone, Copy, Debug)]
struct Side {
    seat: Seat,
    wide: i32,
}

impl Side {
    const fn place(self, by: i32, wide: i32) -> i32 {
        match self.seat {
            Seat::P1 => MARGIN + by,
            Seat::P2 => WIDTH - MARGIN - by - wide,
        }
    }
}

fn named(pen: &mut Pen, scene: &Scene, side: Side, y: i32, style: Style) {
    let colours = pen.palette;
    let size = style.size;
    mark(pen, side.seat, (side.place(0, size), y - size * 85 / 100), size);
    let beside = size + size * 3 / 10;
    // A long name is drawn smaller before it is cut.
    let name = scene.name(side.seat);
    let room = side.wide - beside;
    let smaller = Style { size: size * 8 / 10, ..style };
    let style = if style.width(&name) <= room { style } else { smaller };
    let name = fit(&name, style, room);
    let wide = style.width(&name);
    let x = side.place(beside, wide);
    let (anchor, at) = if side.seat == Seat::P1 { (Anchor::Start, x) } else { (Anchor::End, x + wide) };
    pen.text((at, y), anchor, style, colours.ink, &name);
    if scene.winner == Some(side.seat) {
        pen.rect(Rect { x, y: y + 9, w: wide, h: 6 }, Look::filled(colours.rule_5));
    }
}

/// A seat's mark: a full square for the first, an open circle for the second.
pub(crate) fn mark(pen: &mut Pen, seat: Seat, (x, y): (i32, i32), size: i32) {
    let colours = pen.palette;
    let middle = (x + size / 2, y + size / 2);
    let (ink, number) = match seat {
        Seat::P1 => {
            pen.rect(Rect { x, y, w: size, h: size }, Look::filled(colours.p1));
            (colours.paper, "1")
        }
        Seat::P2 => {
            pen.disc(middle, size / 2 - 2, Look::outlined("none", colours.p2, 4));
            (colours.p2, "2")
        }
    };
    let style = Style::bold(size * 65 / 100);
    pen.text((middle.0, middle.1 + style.size * 36 / 100), Anchor::Middle, style, ink, number);
}

/// Figures one after the other, as large as there is room: each a number, its change, and its unit. The number is at
/// the outer edge, and the change beside it, as for figures that both share.
fn counts(pen: &mut Pen, figures: &[(&Figure, Option<String>)], side: Side, y: i32, (numbers, labels): (Style, Style)) {
    let colours = pen.palette;
    let at = |percent: i32, style: Style| Style { size: style.size * percent / 100, ..style };
    let sizes = |percent: i32| (at(percent, numbers), at(percent.max(75), labels));
    let beside = |percent: i32, figure: &Figure, change: Option<&str>| {
        let (_, label) = sizes(percent);
        let change = change.map_or(0, |change| Style::bold(label.size).width(change) + label.size / 3);
        change + label.width(&figure.label)
    };
    let wide = |percent: i32, figure: &Figure, change: Option<&str>| {
        let (number, label) = sizes(percent);
        number.width(&figure.value.to_string()) + label.size / 3 + beside(percent, figure, change)
    };
    let all = |percent: i32| {
        let each = figures.iter().map(|(figure, change)| wide(percent, figure, change.as_deref()));
        each.sum::<i32>() + (figures.len().max(1) as i32 - 1) * sizes(percent).1.size
    };
    let mut percent = 100;
    while percent > 40 && all(percent) > side.wide {
        percent -= 5;
    }
    let (number, label) = sizes(percent);
    let bold = Style::bold(label.size);
    let mut x = side.place(0, all(percent));
    for (figure, change) in figures {
        let value = figure.value.to_string();
        let (digits, words) = (number.width(&value), beside(percent, figure, change.as_deref()));
        let first = side.seat == Seat::P1;
        let (number_x, words_x) =
            if first { (x, x + digits + label.size / 3) } else { (x + words + label.size / 3, x) };
        pen.text((number_x, y), Anchor::Start, number, colours.ink, &value);
        let change = change.as_deref().unwrap_or_default();
        let (anchor, edge) = if first { (Anchor::Start, words_x) } else { (Anchor::End, words_x + words) };
        let away = if change.is_empty() { 0 } else { bold.width(change) + label.size / 3 };
        pen.text((edge, y), anchor, bold, colours.muted, change);
        pen.text((if first { edge + away } else { edge - away }, y), anchor, label, colours.muted, &figure.label);
        x += digits + label.size / 3 + words + label.size;
    }
}

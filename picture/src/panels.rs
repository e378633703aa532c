//! The choice of panels, and their places.

use engine::{Panel, Seat, View};

use crate::pen::Pen;
use crate::scene::Scene;
use crate::{cards, grid, lamps, notice, track};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) w: i32,
    /// The size of its contents, in percent.
    pub(crate) percent: i32,
}

impl Room {
    /// A length at this room's scale, in pixels.
    pub(crate) const fn px(&self, length: i32) -> i32 {
        length * self.percent / 100
    }

    pub(crate) const fn down(&self, by: i32) -> Self {
        Self { y: self.y + by, ..*self }
    }
}

/// The space between two panels.
const GAP: i32 = 16;

pub(crate) const fn whose(panel: &Panel) -> Option<Seat> {
    match panel {
        Panel::Lamps { seat, .. } => Some(*seat),
        Panel::Notice { seat, .. } | Panel::Cards { seat, .. } => *seat,
        Panel::Grid { .. } | Panel::Track { .. } => None,
    }
}

pub(crate) fn draw(pen: &mut Pen, scene: &Scene, panel: &Panel, room: Room) -> i32 {
    match panel {
        Panel::Lamps { seat, lamps, .. } => lamps::draw(pen, *seat, lamps, room),
        Panel::Notice { title, seat, text } => notice::draw(pen, *seat, title, &scene.named(text), room),
        Panel::Cards { title, groups, .. } => cards::draw(pen, title, groups, room),
        Panel::Grid { title, columns, rows, current } => grid::draw(pen, title, columns, rows, *current, room),
        Panel::Track { title, said } => track::draw(pen, scene, title, said, room),
    }
}

fn stack<'p>(pen: &mut Pen, scene: &Scene, panels: impl IntoIterator<Item = &'p Panel>, room: Room) -> i32 {
    let mut down = 0;
    for panel in panels {
        let high = draw(pen, scene, panel, room.down(down));
        if high > 0 {
            down += high + room.px(GAP);
        }
    }
    (down - room.px(GAP)).max(0)
}

pub(crate) fn of_seat(pen: &mut Pen, scene: &Scene, seat: Seat, room: Room) -> i32 {
    let own = scene.view.iter().flat_map(|view| &view.panels);
    let drawn = |panel: &&Panel| whose(panel) == Some(seat) && !is_notice(panel) && is_small(panel);
    stack(pen, scene, own.filter(drawn), room)
}

/// The panels of full width: those without a seat, and the statements about either seat. The most important first.
pub(crate) fn table(view: &View) -> Vec<&Panel> {
    let mut table: Vec<&Panel> =
        view.panels.iter().filter(|panel| whose(panel).is_none() || is_notice(panel)).collect();
    table.sort_by_key(|panel| rank(panel));
    table
}

const fn is_notice(panel: &Panel) -> bool {
    matches!(panel, Panel::Notice { .. })
}

/// Up to this many cards are a hand or an offer; more are a deck, which a picture does not need.
const FEW: usize = 16;

fn is_small(panel: &Panel) -> bool {
    match panel {
        Panel::Cards { groups, .. } => groups.iter().map(|group| group.cards.len()).sum::<usize>() <= FEW,
        _ => true,
    }
}

fn rank(panel: &Panel) -> u8 {
    match panel {
        Panel::Grid { current: true, .. } => 0,
        Panel::Cards { .. } if is_small(panel) => 1,
        Panel::Notice { seat: Some(_), .. } => 2,
        Panel::Track { .. } => 3,
        Panel::Lamps { .. } | Panel::Notice { .. } => 4,
        Panel::Cards { .. } => 5,
        Panel::Grid { .. } => 6,
    }
}

pub(crate) fn on_table(pen: &mut Pen, scene: &Scene, table: &[&Panel], room: Room) -> i32 {
    let (small, large): (Vec<&Panel>, Vec<&Panel>) = table.iter().partition(|panel| is_aside(panel));
    let mut down = stack(pen, scene, large, room);
    if down > 0 && !small.is_empty() {
        down += room.px(GAP);
    }
    down + grid::row(pen, &small, room.down(down))
}

pub(crate) const fn is_aside(panel: &Panel) -> bool {
    matches!(panel, Panel::Grid { current: false, .. })
}

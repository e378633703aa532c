//! The state of a match, compact: figures, lamps and notices, as the game describes them.

use engine::{Duel, Figure, Lamp, Panel, Seat, Sight, name_seats};
use record::History;

use super::question::mark;

/// A state to be drawn.
#[derive(Debug)]
pub(super) struct Board {
    /// Both seats.
    pub(super) seats: Vec<SeatBoard>,
    /// Figures that both share: label and value.
    pub(super) shared: Vec<(&'static str, u32)>,
    /// Notices that concern no seat alone.
    pub(super) notices: Vec<(&'static str, String)>,
}

/// A seat's part.
#[derive(Debug)]
pub(super) struct SeatBoard {
    /// `p1` or `p2`.
    pub(super) seat: &'static str,
    /// `1` or `2`.
    pub(super) mark: &'static str,
    /// The player.
    pub(super) name: String,
    /// Label and value.
    pub(super) figures: Vec<(String, u32)>,
    /// Title and lamps.
    pub(super) lamps: Vec<(&'static str, Vec<Lamp>)>,
    /// Title and statement.
    pub(super) notices: Vec<(&'static str, String)>,
}

impl Board {
    /// Everything that the umpire may see of a match as it stands.
    pub(super) fn of(history: &History) -> Self {
        let view = history.duel().view(Sight::Everything);
        let names = history.both_names();
        let mut seats: Vec<SeatBoard> = Seat::BOTH
            .map(|seat| SeatBoard {
                seat: seat.word(),
                mark: mark(seat),
                name: history.name(seat).to_owned(),
                figures: Vec::new(),
                lamps: Vec::new(),
                notices: Vec::new(),
            })
            .into();
        let (mut shared, mut notices) = (Vec::new(), Vec::new());
        for figure in view.figures {
            match figure.seat.and_then(|seat| seats.iter_mut().find(|board| board.seat == seat.word())) {
                Some(board) => board.figures.push((figure.label.to_lowercase(), figure.value)),
                None => shared.push((figure.label, figure.value)),
            }
        }
        for panel in view.panels {
            match panel {
                Panel::Lamps { title, seat, lamps } => {
                    let board = seats.iter_mut().find(|board| board.seat == seat.word());
                    board.into_iter().for_each(|board| board.lamps.push((title, lamps.clone())));
                }
                Panel::Notice { title, seat, text } => {
                    let board = seat.and_then(|seat| seats.iter_mut().find(|board| board.seat == seat.word()));
                    board.map_or(&mut notices, |board| &mut board.notices).push((title, name_seats(&text, names)));
                }
            }
        }
        Self { seats, shared, notices }
    }
}

/// Figures on one line, such as "chips 18 – 10, pot 1".
pub(super) fn in_a_line(figures: impl IntoIterator<Item = Figure>) -> String {
    let mut named: Vec<(&'static str, String)> = Vec::new();
    let mut shared = Vec::new();
    for figure in figures {
        let label = figure.label.to_lowercase();
        if figure.seat.is_none() {
            shared.push(format!("{label} {}", figure.value));
        } else if let Some((_, text)) = named.iter_mut().find(|(name, _)| *name == figure.name) {
            text.push_str(&format!(" – {}", figure.value));
        } else {
            named.push((figure.name, format!("{label} {}", figure.value)));
        }
    }
    named.into_iter().map(|(_, text)| text).chain(shared).collect::<Vec<_>>().join(", ")
}

/// The figures of a match as it stands, on one line.
pub(super) fn standing(duel: &Duel) -> String {
    in_a_line(duel.view(Sight::Public).figures)
}

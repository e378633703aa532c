//! A player's name with the mark of the seat.

use askama::Template;
use engine::{BySeat, Seat};
use record::History;

/// A name behind its seat's mark: a solid square for the first seat, an open disc for the second.
#[derive(Clone, Debug, Template)]
#[template(
    source = r#"<span class="seat{% if winner %} is-winner{% endif %}"><span class="seat-mark" data-seat="{{ seat }}" aria-hidden="true">{{ self.digit() }}</span><bdi>{{ name }}</bdi></span>"#,
    ext = "html"
)]
pub struct SeatName {
    /// Whose.
    pub seat: Seat,
    /// The player's name.
    pub name: String,
    /// Whether to mark it as the winner's.
    pub winner: bool,
}

impl SeatName {
    /// The names of a match.
    #[must_use]
    pub fn of(history: &History) -> BySeat<Self> {
        BySeat::from_fn(|seat| Self { seat, name: history.name(seat).to_owned(), winner: false })
    }

    const fn digit(&self) -> u8 {
        match self.seat {
            Seat::P1 => 1,
            Seat::P2 => 2,
        }
    }
}

/// The names of a match for its head, the winner's marked.
#[must_use]
pub fn bout_names(history: &History) -> BySeat<SeatName> {
    let winner = history.outcome().winner();
    let mut names = SeatName::of(history);
    for seat in Seat::BOTH {
        names[seat].winner = winner == Some(seat);
    }
    names
}

//! A player's name with the mark of the seat, and the mark of the host.

use askama::Template;
use engine::{BySeat, Party, Seat};
use record::History;

/// A name after its seat's mark: a full square for seat 1, an open circle for seat 2.
#[derive(Clone, Debug, Template)]
#[template(
    source = r#"<span class="seat{% if winner %} is-winner{% endif %}">{{ self.mark()|safe }}<bdi>{{ name }}</bdi></span>"#,
    ext = "html"
)]
pub struct SeatName {
    pub seat: Seat,
    pub name: String,
    pub winner: bool,
}

/// A mark alone, beside words. The host's is a dashed square with an H.
#[derive(Clone, Copy, Debug, Template)]
#[template(
    source = r#"<span class="seat-mark" data-seat="{{ self.0 }}" aria-hidden="true">{{ self.letter() }}</span>"#,
    ext = "html"
)]
pub struct PartyMark(pub Party);

impl SeatName {
    #[must_use]
    pub fn of(history: &History) -> BySeat<Self> {
        BySeat::from_fn(|seat| Self { seat, name: history.name(seat).to_owned(), winner: false })
    }

    #[must_use]
    pub const fn mark(&self) -> PartyMark {
        PartyMark(Party::Seat(self.seat))
    }

    #[must_use]
    pub const fn number(&self) -> char {
        self.mark().letter()
    }
}

impl PartyMark {
    const fn letter(self) -> char {
        match self.0 {
            Party::Seat(Seat::P1) => '1',
            Party::Seat(Seat::P2) => '2',
            Party::Host => 'H',
        }
    }
}

#[must_use]
pub fn bout_names(history: &History) -> BySeat<SeatName> {
    let winner = history.outcome().winner();
    let mut names = SeatName::of(history);
    for seat in Seat::BOTH {
        names[seat].winner = winner == Some(seat);
    }
    names
}

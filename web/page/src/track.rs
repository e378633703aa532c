//! Statements made in turn, such as the bets of a phase.

use askama::Template;
use engine::{BySeat, Seat};

use super::SeatName;

#[derive(Clone, Debug, Template)]
#[template(path = "track.html")]
pub struct Track {
    title: String,
    said: Vec<(SeatName, String)>,
}

impl Track {
    #[must_use]
    pub fn of(title: impl Into<String>, said: &[(Seat, String)], names: &BySeat<SeatName>) -> Self {
        let title = title.into();
        Self { title, said: said.iter().map(|(seat, words)| (names[*seat].clone(), words.clone())).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_statement_is_after_its_seat() {
        let names = BySeat::from_fn(|seat| SeatName { seat, name: format!("N{seat}"), winner: false });
        let said = [(Seat::P2, "raises to 4".to_owned()), (Seat::P1, "calls".to_owned())];
        let drawn = Track::of("First betting phase", &said, &names).to_string();
        let [p2, p1] = ["Np2: </span>raises to 4", "Np1: </span>calls"].map(|words| drawn.find(words).unwrap());
        assert!(p2 < p1, "{drawn}");
        assert!(Track::of("Second", &[], &names).to_string().contains("nothing yet"));
    }
}

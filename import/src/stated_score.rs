//! A score that a line states: two numbers, names, and the few words that label them. It decides nothing: it is compared with the
//! match as it stands there.

use engine::{BySeat, Duel, Seat};
use record::words::standing;

use super::speakers::Speakers;

/// Words beside the numbers.
const LABELS: &str = "score scores total round chips gems points boards hands after is now to vs and has pot sum leads \
    final stand all";
/// Numbers behind these are none of the players'.
const OTHERS: [&str; 2] = ["pot", "round"];
/// Behind these stands which lamps are lit.
const LAMPS: [&str; 6] = ["lamps", "lamp", "lights", "light", "torches", "torch"];
/// More than any score of a game.
const SCORE_MAX: i32 = 999;
const LINE_MAX_BYTES: usize = 120;

/// Two numbers that are stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StatedScore {
    first: i32,
    second: i32,
    /// The seat of the first, where players are named.
    seat: Option<Seat>,
    pot: Option<i32>,
}

impl StatedScore {
    /// Reads a text that says nothing but a score.
    pub(crate) fn read(text: &str, speakers: &Speakers) -> Option<Self> {
        if text.len() > LINE_MAX_BYTES || text.contains('?') {
            return None;
        }
        let (mut numbers, mut seats, mut other, mut pot) = (Vec::new(), Vec::new(), "", None);
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            if !first.is_alphanumeric() {
                rest = rest.get(first.len_utf8()..)?;
                continue;
            }
            if let Some((seat, behind)) = speakers.leading_seat(rest) {
                seats.push(seat);
                rest = behind;
                continue;
            }
            let end = rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len());
            let (word, behind) = rest.split_at_checked(end)?;
            rest = behind;
            if let Ok(number) = word.parse::<i32>() {
                match std::mem::take(&mut other) {
                    "pot" => pot = Some(number),
                    "" if number <= SCORE_MAX => numbers.push(number),
                    "" => return None,
                    _ => {}
                }
                continue;
            }
            let lower = word.to_lowercase();
            if LAMPS.contains(&lower.as_str()) && numbers.len() == 2 {
                break;
            }
            LABELS.split(' ').find(|label| *label == lower)?;
            other =
                OTHERS.iter().find(|known| **known == lower).copied().unwrap_or(if lower == "is" { other } else { "" });
        }
        let [first, second] = numbers.as_slice() else { return None };
        seats.dedup();
        let is_bare = !text.contains(char::is_alphabetic) || text.contains(['-', ':', '—', '–']);
        (is_bare || seats.len() == 2).then_some(Self {
            first: *first,
            second: *second,
            seat: seats.first().copied().filter(|_| seats.len() == 2),
            pot,
        })
    }

    /// Compares it with the match as it stands: true if it agrees, or if nothing in the game can be compared with it. Otherwise
    /// it is said what the moves come to.
    pub(crate) fn compare(self, duel: &Duel) -> Result<(), String> {
        let pairs = pairs(duel);
        let fits = |pair: &BySeat<i32>| match self.seat {
            Some(seat) => (pair[seat], pair[seat.other()]) == (self.first, self.second),
            None => (pair.p1, pair.p2) == (self.first, self.second) || (pair.p2, pair.p1) == (self.first, self.second),
        };
        let pot = duel.figures().iter().find(|figure| figure.name == "pot").map(|figure| figure.value);
        let same_pot = self.pot.is_none_or(|stated| pot.is_none_or(|pot| pot == stated));
        if pairs.is_empty() || (pairs.iter().any(fits) && same_pot) {
            return Ok(());
        }
        let pot = if same_pot { String::new() } else { format!(", pot {}", self.pot.unwrap_or_default()) };
        Err(format!("this says {} to {}{pot}, and the moves above come to {}", self.first, self.second, standing(duel)))
    }
}

/// The figures that both seats have.
fn pairs(duel: &Duel) -> Vec<BySeat<i32>> {
    let figures = duel.figures();
    let of = |name: &str, seat: Seat| {
        figures.iter().find(|figure| figure.name == name && figure.seat == Some(seat)).map(|figure| figure.value)
    };
    let firsts = figures.iter().filter(|figure| figure.seat == Some(Seat::P1));
    firsts.filter_map(|figure| Some(BySeat { p1: figure.value, p2: of(&figure.name, Seat::P2)? })).collect()
}

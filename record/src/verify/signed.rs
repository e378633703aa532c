//! The proof of authorship of the submissions: the grade of every seal, by seat and decision.

use engine::{Party, Seat};

use super::finding::{Detail, Grade, count};
use super::vouched::PlayerCheck;
use crate::history::{History, Mode};
use crate::rule::Rule;
use crate::seal::{SealGrade, SealRecord};

/// The weakest grade among the seals that were asked for, and of the two seats' keys.
pub(super) fn grade(history: &History, players: &PlayerCheck) -> Grade {
    let weakest = history.seals.iter().filter_map(|seal| seal.grade).min();
    match (history.opened.mode, weakest) {
        (Mode::Imported, _) => Grade::Imported,
        (Mode::Recorded, _) | (Mode::Live, None | Some(SealGrade::Umpire)) => Grade::Recorded,
        (Mode::Live, Some(SealGrade::Escrow)) => Grade::Escrow { only: unsigned_alone(history) },
        (Mode::Live, Some(SealGrade::Signed)) if players.both() => Grade::Registered,
        (Mode::Live, Some(SealGrade::Signed)) => Grade::Signed,
    }
}

/// The seat of all submissions that the server sealed, if they are of one.
fn unsigned_alone(history: &History) -> Option<Seat> {
    let is_unsigned = |seat: Seat| of(history, seat).any(|(_, grade)| grade == SealGrade::Escrow);
    match Seat::BOTH.map(is_unsigned) {
        [true, false] => Some(Seat::P1),
        [false, true] => Some(Seat::P2),
        _ => None,
    }
}

/// The basis of the grade, in a sentence, with `{p1}` and `{p2}` for the players.
pub(super) const fn rests(grade: Grade) -> &'static str {
    match grade {
        Grade::Registered => {
            "Each was signed with its seat's key, together with the tree that the player had seen, and registered players vouched for both keys. That assumes an honest script, unless the player signed with our command or the downloaded file."
        }
        Grade::Signed => {
            "Each was signed with its seat's key, together with the tree that the player had seen. This copy does not show that registered players vouched for both keys, so the host could have made a key and played that seat."
        }
        Grade::Escrow { only: Some(Seat::P1) } => {
            "The server sealed what {p1} sent. Only its word says that it made nothing up and looked at nothing early."
        }
        Grade::Escrow { only: Some(Seat::P2) } => {
            "The server sealed what {p2} sent. Only its word says that it made nothing up and looked at nothing early."
        }
        Grade::Escrow { only: None } => {
            "The server sealed what the players sent. Only its word says that it made nothing up and looked at nothing early."
        }
        Grade::Recorded | Grade::Imported => {
            "The seals show that nobody changed afterwards what the umpire recorded. Only the players can confirm that they sent it."
        }
    }
}

/// The number of submissions of each seat by grade, and each one with a weaker grade than the seat's best.
pub(super) fn details(history: &History) -> Vec<Detail> {
    if history.opened.mode != Mode::Live {
        return Vec::new();
    }
    let mut details = Vec::new();
    for seat in Seat::BOTH {
        let of: Vec<(&SealRecord, SealGrade)> = of(history, seat).collect();
        let Some(best) = of.iter().map(|(_, grade)| *grade).max() else { continue };
        let grades = [SealGrade::Signed, SealGrade::Escrow, SealGrade::Umpire];
        let told = grades.into_iter().filter_map(|grade| {
            let many = of.iter().filter(|(_, other)| *other == grade).count();
            (many > 0).then(|| format!("{} {}", count(many, "submission", "submissions"), grade.phrase()))
        });
        let text = format!("{}: {}", history.name(seat), told.collect::<Vec<_>>().join(", "));
        details.push(Detail::note(Rule::SeatGrade, text, history.keys[seat].map(|key| key.entry), None));
        for (seal, grade) in of.iter().filter(|(_, grade)| *grade < best) {
            let text = format!("{}: {}", history.seat_words(seat, &seal.decision), grade.phrase());
            details.push(Detail::note(Rule::WeakerSeal, text, Some(seal.entry), round(history, seal)));
        }
    }
    details
}

/// Moves that the umpire typed for a seat with a key: without its signature they count by the umpire's ruling alone.
pub(super) fn typed_for_a_key(history: &History) -> Vec<Detail> {
    let keyed = Seat::BOTH.into_iter().filter_map(|seat| history.keys[seat].map(|key| (seat, key)));
    let typed = keyed.flat_map(|(seat, key)| {
        let seals =
            of(history, seat).filter(move |(seal, grade)| *grade == SealGrade::Umpire && seal.entry > key.entry);
        seals.map(move |(seal, _)| (seat, seal))
    });
    let told = typed.map(|(seat, seal)| {
        let text = format!("{} has a key, and the umpire typed this without its signature", history.name(seat));
        Detail::note(Rule::TypedForKey, text, Some(seal.entry), round(history, seal))
    });
    told.collect()
}

fn of(history: &History, seat: Seat) -> impl Iterator<Item = (&SealRecord, SealGrade)> {
    let seals = history.seals.iter().filter(move |seal| seal.whose == Party::Seat(seat));
    seals.filter_map(|seal| Some((seal, seal.grade?)))
}

fn round(history: &History, seal: &SealRecord) -> Option<u32> {
    let counted = |step: &&crate::StepRecord| step.seals.iter().any(|counted| counted.entry == seal.entry);
    history.steps.iter().find(counted).map(|step| step.row.round)
}

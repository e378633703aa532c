//! The proof of authorship of the submissions: the grade of every seal, by seat and decision.

use engine::{Party, Seat};
use ledger::{DecisionId, Seq};

use super::finding::{Detail, Grade, count};
use super::vouched::PlayerCheck;
use crate::decision::Question;
use crate::history::{Correction, History, Mode, StepRecord, Strike};
use crate::rule::Rule;
use crate::seal::{SealGrade, SealRecord};
use crate::share::SHARE;

/// The move of a seat that sent nothing.
const DEFAULT: &str = "-";

/// The weakest grade of all seals and of both seats' keys. A seat of which nothing is there counts like one for which the
/// server sealed.
pub(super) fn grade(history: &History, players: &PlayerCheck) -> Grade {
    let weakest = history.seals.iter().filter_map(|seal| seal.grade).min();
    match (history.opened.mode, weakest) {
        (Mode::Imported, _) => Grade::Imported,
        (Mode::Live, _) if Seat::BOTH.into_iter().any(|seat| corrected(history, seat).next().is_some()) => {
            Grade::Recorded
        }
        (Mode::Recorded, _) | (Mode::Live, None | Some(SealGrade::Umpire)) => Grade::Recorded,
        (Mode::Live, Some(SealGrade::Escrow)) => Grade::Escrow { only: unsigned_alone(history) },
        (Mode::Live, Some(SealGrade::Signed)) if Seat::BOTH.into_iter().any(|seat| is_silent(history, seat)) => {
            Grade::Escrow { only: unsigned_alone(history) }
        }
        (Mode::Live, Some(SealGrade::Signed)) if players.both() => Grade::Registered,
        (Mode::Live, Some(SealGrade::Signed)) => Grade::Signed,
    }
}

fn corrected(history: &History, seat: Seat) -> impl Iterator<Item = &StepRecord> {
    let steps = (1_u32..).zip(&history.steps);
    steps
        .filter(move |(n, step)| {
            let kept = history
                .strikes
                .iter()
                .rev()
                .take_while(|strike| strike.from > *n || strike.correction == Correction::First);
            let was =
                kept.filter_map(|strike| strike.struck.get(usize::try_from(n.checked_sub(strike.from)?).ok()?)).last();
            let resealed = |strike: &Strike| {
                step.seals.iter().any(|seal| seal.whose == Party::Seat(seat) && seal.entry == strike.entry)
            };
            was.is_some_and(|was| was.moves[seat] != step.moves[seat] || history.strikes.iter().any(resealed))
        })
        .map(|(_, step)| step)
}

fn unsigned_alone(history: &History) -> Option<Seat> {
    let is_unsigned =
        |seat: Seat| is_silent(history, seat) || of(history, seat).any(|(_, grade)| grade == SealGrade::Escrow);
    match Seat::BOTH.map(is_unsigned) {
        [true, false] => Some(Seat::P1),
        [false, true] => Some(Seat::P2),
        _ => None,
    }
}

/// The moves of a seat of a live match, until the umpire types for it.
fn moves(history: &History, seat: Seat) -> impl Iterator<Item = &str> {
    let sends = |entry: Seq| history.recorded_from.is_none_or(|from| entry < from);
    let steps = history.steps.iter().filter(move |step| history.opened.mode == Mode::Live && sends(step.entry));
    steps.filter_map(move |step| step.moves[seat].as_deref())
}

/// True if a seat of a live match was asked for moves that are due no more, and no submission of it is there. A share is no
/// move.
fn is_silent(history: &History, seat: Seat) -> bool {
    let sends = |entry: Seq| history.recorded_from.is_none_or(|from| entry < from);
    let is_open = |decision: &DecisionId| history.open.iter().any(|open| open.asked.decision == *decision);
    let is_asked = history.questions.iter().any(|(decision, question)| {
        let is_due = question.seats.contains(&seat) && !is_share(question) && sends(question.entry);
        is_due && !is_open(decision)
    });
    let of_share = |seal: &SealRecord| history.questions.get(&seal.decision).is_some_and(is_share);
    history.opened.mode == Mode::Live && is_asked && of(history, seat).all(|(seal, _)| of_share(seal))
}

fn is_share(question: &Question) -> bool {
    question.fields.iter().all(|field| field.as_str() == SHARE)
}

/// What only the server says: that a seat sent nothing. With `{p1}` and `{p2}` for the players.
pub(super) fn sent_nothing(history: &History) -> String {
    let told = Seat::BOTH.into_iter().filter_map(|seat| {
        let defaults = moves(history, seat).filter(|sent| *sent == DEFAULT).count();
        let name = format!("{{{seat}}}");
        match defaults {
            _ if is_silent(history, seat) => {
                Some(format!(" No submission of {name} is here, and that {name} sent nothing is the server's word."))
            }
            0 => None,
            many => Some(format!(
                " The default of {name} counted {}: that {name} sent nothing then is the server's word.",
                count(many, "time", "times")
            )),
        }
    });
    told.collect()
}

pub(super) fn graded(history: &History, grade: Grade) -> String {
    let rests = match grade {
        // Nothing of that seat was sealed.
        Grade::Escrow { only: Some(seat) } if is_silent(history, seat) => String::new(),
        _ => format!(" {}", rests(grade)),
    };
    format!("Grade: {}.{rests}{}", grade.phrase(), sent_nothing(history))
}

const fn rests(grade: Grade) -> &'static str {
    match grade {
        Grade::Registered => {
            "Each was signed with its seat's key, together with the tree that the player had seen, and registered players vouched for both keys. Whoever signed in the host's page, or vouched for a key that it showed, trusted that page."
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
        for step in corrected(history, seat) {
            let text = format!("{}: corrected, and so typed by the umpire", history.name(seat));
            details.push(Detail::note(Rule::WeakerSeal, text, Some(step.entry), Some(step.row.round)));
        }
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
    let counted = |step: &&StepRecord| step.seals.iter().any(|counted| counted.entry == seal.entry);
    history.steps.iter().find(counted).map(|step| step.row.round)
}

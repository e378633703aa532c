//! The shares behind the host's draws, for finding 5: who could have chosen what was drawn, by the weakest of them.

use engine::{BySeat, Party, Seat};
use ledger::Author;

use super::finding::{Detail, count};
use crate::history::History;
use crate::rule::Rule;
use crate::seal::{SealGrade, SealRecord};
use crate::seed::{FixedSeedRecord, SeedRecord};

/// A seat's share as a protection against a choice, weakest first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ShareGrade {
    None,
    /// It was listed and not opened: it could have been, and was seen to matter or not.
    Unopened,
    /// The server knew it before it was listed, or nothing shows that it did not.
    Known,
    Signed,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Chooser {
    Host,
    /// The host together with the seat whose share is strong, because of the other's grade.
    HostWith(Seat, ShareGrade),
    Nobody,
}

pub(super) fn summary(history: &History) -> String {
    let choosers = fixed(history).map(|(seed, _)| chooser(history, seed));
    let first = history.seeds.iter().position(|seed| seed.given_up.is_some());
    let anew = first.is_some_and(|first| first + 1 < history.seeds.len());
    let mut words = choosers.min_by_key(strength).map(|weakest| sentence(history, weakest, anew)).unwrap_or_default();
    if anew {
        words.push_str(AMONG_STARTS);
    }
    let grades = history.seeds.iter().flat_map(|seed| listed_grades(history, seed));
    match grades.filter(|(_, grade)| *grade == ShareGrade::Unopened).count() {
        0 => {}
        many => words.push_str(&format!(
            " {} listed and not opened: that left a choice between two outcomes to whoever had seen the others.",
            count(many, "share was", "shares were")
        )),
    }
    words.push_str(&starts(history));
    words
}

/// Of a match whose shares were given up and gathered anew.
const AMONG_STARTS: &str = " Shares were given up and gathered again: whoever had seen those that were given up could choose between the starts, and the host sees opened shares first.";

pub(super) fn starts(history: &History) -> String {
    match history.seeds.len() {
        0 | 1 => String::new(),
        many => format!(" Shares were gathered {many} times."),
    }
}

pub(super) fn are_steerable(history: &History) -> bool {
    fixed(history).any(|(seed, _)| chooser(history, seed) != Chooser::Nobody) || history.seeds.len() > 1
}

fn fixed(history: &History) -> impl Iterator<Item = (&SeedRecord, &FixedSeedRecord)> {
    history.seeds.iter().filter_map(|seed| Some((seed, seed.fixed.as_ref()?)))
}

const fn strength(chooser: &Chooser) -> u8 {
    match chooser {
        Chooser::Host => 0,
        Chooser::HostWith(..) => 1,
        Chooser::Nobody => 2,
    }
}

fn chooser(history: &History, seed: &SeedRecord) -> Chooser {
    let grades = BySeat::from_fn(|seat| grade(history, seed, seat));
    match grades.each().map(|(_, grade)| *grade == ShareGrade::Signed) {
        [true, true] => Chooser::Nobody,
        [true, false] => Chooser::HostWith(Seat::P1, grades.p2),
        [false, true] => Chooser::HostWith(Seat::P2, grades.p1),
        [false, false] => Chooser::Host,
    }
}

/// Who could have chosen. Where shares were gathered anew, nothing is said of who could not.
fn sentence(history: &History, chooser: Chooser, anew: bool) -> String {
    let unless = |anew_is: &'static str, otherwise: &'static str| if anew { anew_is } else { otherwise };
    let alone = unless(".", ", and not alone.");
    match chooser {
        Chooser::Host => {
            " No player signed the opening of a share over the list of all shares. So the host could have tried many of its own and kept the one that it liked. Only its word says that it did not."
                .to_owned()
        }
        Chooser::Nobody => format!(
            " The keys of both seats signed the openings of their shares over the list of all: no share was known before all were fixed.{}",
            unless("", " So nobody who held only one of the keys could choose, the host included.")
        ),
        Chooser::HostWith(strong, grade) => {
            let (weak, strong) = (history.name(strong.other()), history.name(strong));
            let why = match grade {
                ShareGrade::None => format!("{weak} gave no share"),
                ShareGrade::Unopened => format!("The share of {weak} was not opened"),
                ShareGrade::Known | ShareGrade::Signed => {
                    format!("The share of {weak} was known to the server before it was listed")
                }
            };
            format!(" {why}: the host could have chosen together with {strong}{alone}")
        }
    }
}

fn listed_seal<'h>(history: &'h History, seed: &SeedRecord, seat: Seat) -> Option<&'h SealRecord> {
    let sealed = seed.list.as_ref()?.sealed[seat]?;
    history.seals.iter().find(|seal| seal.entry == sealed && seal.whose == Party::Seat(seat))
}

fn grade(history: &History, seed: &SeedRecord, seat: Seat) -> ShareGrade {
    let Some(seal) = listed_seal(history, seed, seat) else { return ShareGrade::None };
    match &seed.opened {
        Some(opened) if opened.given[seat].is_none() => ShareGrade::Unopened,
        Some(opened) if opened.signed[seat] && seal.grade == Some(SealGrade::Signed) => ShareGrade::Signed,
        Some(_) | None => ShareGrade::Known,
    }
}

fn listed_grades(history: &History, seed: &SeedRecord) -> Vec<(Seat, ShareGrade)> {
    let opened = seed.opened.is_some();
    Seat::BOTH.into_iter().filter(|_| opened).map(|seat| (seat, grade(history, seed, seat))).collect()
}

pub(super) fn details(history: &History) -> Vec<Detail> {
    let mut details = Vec::new();
    for (n, seed) in history.seeds.iter().enumerate() {
        if n > 0 {
            details.extend(begun(history, n, seed));
        }
        if let Some(fixed) = &seed.fixed {
            given(history, &mut details, seed, fixed);
        }
        for (seat, grade) in listed_grades(history, seed) {
            details.extend(weak(history, seed, seat, grade));
        }
    }
    details
}

fn begun(history: &History, before: usize, seed: &SeedRecord) -> Option<Detail> {
    let ruling = seed.begun?;
    let number = before.saturating_add(1);
    let last = before.checked_sub(1).and_then(|last| history.seeds.get(last));
    let text = match last.is_some_and(|last| last.given_up.is_some()) {
        true => format!(
            "start {number}, by the ruling in entry {ruling}: the shares before it were given up, and whoever had seen them could choose between the two"
        ),
        false => format!("start {number}, by the ruling in entry {ruling}: for what was never drawn before"),
    };
    Some(Detail::note(Rule::GatheredAgain, text, Some(seed.share), None))
}

fn weak(history: &History, seed: &SeedRecord, seat: Seat, grade: ShareGrade) -> Option<Detail> {
    let name = history.name(seat);
    let typed = listed_seal(history, seed, seat).is_some_and(|seal| matches!(seal.by, Author::Umpire(_)));
    let text = match grade {
        ShareGrade::Unopened => format!(
            "the share of {name} was listed and not opened, so it counts as zeros: that left a choice between two outcomes to whoever had seen the others"
        ),
        ShareGrade::Known if !typed => format!(
            "the share of {name} was known to the server before it was listed: its opening is not signed by the player"
        ),
        ShareGrade::None | ShareGrade::Known | ShareGrade::Signed => return None,
    };
    Some(Detail::note(Rule::WeakShare, text, seed.opened.as_ref().map(|opened| opened.entry), None))
}

fn given(history: &History, details: &mut Vec<Detail>, seed: &SeedRecord, fixed: &FixedSeedRecord) {
    let mut say = |text: String| details.push(Detail::note(Rule::ShareGiven, text, Some(fixed.entry), None));
    let is_given = |seat: Seat| fixed.given[seat].is_some();
    let is_unopened = |seat: Seat| seed.opened.is_some() && listed_seal(history, seed, seat).is_some();
    match Seat::BOTH.map(is_given) {
        [false, false] if Seat::BOTH.into_iter().any(is_unopened) => say(
            "no share of a player counts: both count as zeros, and the host alone decided what is drawn. Nothing here shows that it did not choose"
                .to_owned(),
        ),
        [false, false] => say(
            "no player gave a share: both count as zeros, and the host alone decided what is drawn. Nothing here shows that it did not choose"
                .to_owned(),
        ),
        [true, true] => {}
        [p1, _] => {
            let (with, without) = if p1 { (Seat::P1, Seat::P2) } else { (Seat::P2, Seat::P1) };
            let unopened = is_unopened(without);
            let (with, without) = (history.name(with), history.name(without));
            if !unopened {
                say(format!(
                    "{without} gave no share: it counts as zeros, and the draws come from the shares of the host and of {with}"
                ));
            }
        }
    }
    for seat in Seat::BOTH.into_iter().filter(|seat| is_given(*seat)) {
        let by = listed_seal(history, seed, seat).map(|seal| &seal.by);
        if matches!(by, Some(Author::Umpire(_))) {
            let name = history.name(seat);
            say(format!("the share of {name} was typed by the umpire: only the player can say whether it is theirs"));
        }
    }
}

//! Finding 5: nobody could choose the draws.

use engine::Seat;
use ledger::Seq;

use super::finding::{Detail, Finding, Status, count};
use crate::history::{Fault, History, StepRecord};
use crate::rule::Rule;
use crate::seal::SealGrade;
use crate::seed::{DrawRecord, FixedSeedRecord, SeedRecord};

pub(super) fn finding(history: &History) -> Finding {
    let drawn: Vec<_> = history.steps.iter().filter(|step| step.public.starts_with("host:")).collect();
    if history.host_draws() {
        return by_host(history, &drawn).with_faults(history);
    }
    if drawn.is_empty() {
        return Finding::new(5, Status::Holds, "Nothing was drawn.").with_faults(history);
    }
    let summary = format!(
        "{} drawn elsewhere and typed in. That they keep to the rules is checked; that they were drawn fairly is not checkable here.",
        count(drawn.len(), "draw was", "draws were")
    );
    let mut finding = Finding::new(5, Status::NotShown, summary);
    for step in drawn {
        let text = format!("not checkable: {}", brief(step.text.as_deref().unwrap_or(&step.public)));
        finding.details.push(Detail::note(Rule::NotCheckable, text, Some(step.entry), Some(step.row.round)));
    }
    finding.with_faults(history)
}

/// A match whose host draws.
fn by_host(history: &History, drawn: &[&StepRecord]) -> Finding {
    let fixed: Vec<(&SeedRecord, &FixedSeedRecord)> =
        history.seeds.iter().filter_map(|seed| Some((seed, seed.fixed.as_ref()?))).collect();
    if fixed.is_empty() {
        return Finding::new(5, Status::NotYet, "Matchbook draws in this match, and has drawn nothing yet.");
    }
    let open = fixed.iter().all(|(seed, _)| history.is_share_open(seed));
    let checked = history.draws.iter().filter(|draw| draw.checked).count();
    let mut summary = format!(
        "Matchbook drew {}, each by a key that was fixed before the first of them. {checked} of them worked out again from the key.",
        count(history.draws.len(), "time", "times"),
    );
    summary.push_str(if open {
        " The host’s own share is open: every key follows from the shares, and stands under the root that was published before."
    } else {
        " That the keys follow from everybody’s shares shows when the host’s own share opens, at the end of the match."
    });
    let weakest = fixed.iter().map(|(seed, fixed)| share_grade(history, seed, fixed)).min().unwrap_or(ShareGrade::Host);
    summary.push_str(weakest.words());
    let starts = history.seeds.len();
    if starts > 1 {
        summary.push_str(&format!(" Shares were gathered {starts} times."));
    }
    let status = match (weakest < ShareGrade::Signed, open && checked == history.draws.len()) {
        (true, true) => Status::Reported,
        (false, true) => Status::Holds,
        (_, false) => Status::NotYet,
    };
    let mut finding = Finding::new(5, status, summary).says(Rule::WhoChose);
    for (seed, fixed) in fixed {
        shares(history, &mut finding, seed, fixed);
    }
    for draw in &history.draws {
        finding.details.push(told(history, draw));
    }
    for step in drawn.iter().filter(|step| !history.is_host_drawn(step)) {
        let text = format!("laid out by the host, nothing of it is drawn: {}", brief(&step.public));
        finding.details.push(Detail::note(Rule::Drawn, text, Some(step.entry), Some(step.row.round)));
    }
    finding
}

/// Who could have chosen what a seed gives, by its weakest share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ShareGrade {
    /// The host alone: a share was not given, typed by an umpire, sealed by the server, or listed and then left out.
    Host,
    /// The host with one of the players: both signed their shares after they had seen a tree.
    Signed,
}

impl ShareGrade {
    const fn words(self) -> &'static str {
        match self {
            Self::Host => {
                " Not every share was signed by its player, so the host could have tried many and kept the one that it liked: that it did not rests on its word."
            }
            Self::Signed => {
                " Both players signed their shares. The host saw them before they were listed, so it could have chosen together with one of the players, and not alone."
            }
        }
    }
}

fn share_grade(history: &History, seed: &SeedRecord, fixed: &FixedSeedRecord) -> ShareGrade {
    let signed = |seat: Seat| {
        let sealed = seed.lists.last().and_then(|list| list.sealed[seat]);
        let seal = history.seals.iter().find(|seal| Some(seal.entry) == sealed);
        // A share that its player signed before the host's was in any tree that the player saw fixes nothing.
        let seen =
            seal.and_then(|seal| seal.signature).is_some_and(|signature| signature.tree.size > u64::from(seed.share.0));
        fixed.given[seat].is_some() && seal.is_some_and(|seal| seal.grade == Some(SealGrade::Signed)) && seen
    };
    match seed.lists.len() {
        1 if Seat::BOTH.into_iter().all(signed) => ShareGrade::Signed,
        _ => ShareGrade::Host,
    }
}

/// The shares of a seed, with an honest statement of whose they are.
fn shares(history: &History, finding: &mut Finding, seed: &SeedRecord, fixed: &FixedSeedRecord) {
    let mut say = |text: String| finding.details.push(Detail::note(Rule::ShareGiven, text, Some(fixed.entry), None));
    let given = |seat: Seat| fixed.given[seat].is_some();
    match Seat::BOTH.map(given) {
        [false, false] => say(
            "no player gave a share: zeros stand for both, and the host alone decided what is drawn. Nothing here shows that it did not choose"
                .to_owned(),
        ),
        [true, true] => {}
        [p1, _] => {
            let (with, without) = if p1 { (Seat::P1, Seat::P2) } else { (Seat::P2, Seat::P1) };
            let (with, without) = (history.name(with), history.name(without));
            say(format!(
                "{without} gave no share: zeros stand for it, and the draws rest on the shares of the host and of {with}"
            ));
        }
    }
    for seat in Seat::BOTH.into_iter().filter(|seat| given(*seat)) {
        let sealed = seed.lists.last().and_then(|list| list.sealed[seat]);
        let by = history.seals.iter().find(|seal| Some(seal.entry) == sealed).map(|seal| &seal.by);
        if matches!(by, Some(ledger::Author::Umpire(_))) {
            let name = history.name(seat);
            say(format!(
                "the share of {name} was typed by the umpire: that it came from the player, only they can say"
            ));
        }
    }
    for pair in seed.lists.windows(2) {
        let [before, after] = pair else { continue };
        for seat in
            Seat::BOTH.into_iter().filter(|seat| before.sealed[*seat].is_some() && after.sealed[*seat].is_none())
        {
            let name = history.name(seat);
            let text =
                format!("the share of {name} was sealed and not opened: the umpire listed the shares without it");
            finding.details.push(Detail::note(Rule::ShareGiven, text, Some(after.entry), None));
        }
    }
}

/// The number of words of a line that a finding shows; the entry beside it has all.
const WORDS_SHOWN: usize = 8;

/// A line, or the beginning of a long one, such as the cards of a whole board.
fn brief(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    match words.get(..WORDS_SHOWN) {
        // A few more words are no longer than the note about them.
        Some(first) if words.len() > WORDS_SHOWN + 4 => {
            format!("{} \u{2026} and {} more", first.join(" "), words.len() - WORDS_SHOWN)
        }
        _ => line.to_owned(),
    }
}

fn told(history: &History, draw: &DrawRecord) -> Detail {
    let step = history.steps.iter().chain(history.strikes.iter().flat_map(|strike| &strike.struck));
    let step = step.into_iter().find(|step| step.entry == draw.entry);
    let line = step.map_or_else(String::new, |step| brief(step.text.as_deref().unwrap_or(&step.public)));
    let text = match (draw.checked, draw.hidden) {
        (true, _) => format!("draw {} is what its key gives: {line}", draw.index),
        (false, true) => format!("draw {} stays hidden, and its key opens at the end: {line}", draw.index),
        (false, false) => format!("draw {} could not be worked out again: {line}", draw.index),
    };
    Detail::note(Rule::Drawn, text, Some(draw.entry), step.map(|step| step.row.round))
}

/// The faults of a match that left something closed at its end: the host's shares, and the keys of hidden draws.
pub(super) fn left_open(history: &History) -> Vec<Fault> {
    let Some((ended, _)) = history.ended else { return Vec::new() };
    let fault = |entry: Seq, text: String, expected: &str| {
        let (expected, found) = (expected.to_owned(), "nothing".to_owned());
        Fault { rule: Rule::DrawsOpen, entry, text, expected, found }
    };
    let shares = history.seeds.iter().filter(|seed| !history.is_share_open(seed)).map(|seed| {
        let text = format!("at the end the host opens its share, sealed in entry {}", seed.share);
        fault(ended, text, "its opening")
    });
    let keys = history.draws.iter().filter(|draw| draw.hidden && draw.key.is_none()).map(|draw| {
        let text = format!("at the end the key of draw {} opens", draw.index);
        fault(ended, text, "its key")
    });
    shares.chain(keys).collect()
}

#[cfg(test)]
mod tests {
    use super::brief;

    #[test]
    fn the_cards_of_a_board_are_not_read_out() {
        assert_eq!(brief("host: community R7"), "host: community R7");
        let board = format!("host: place A {}", ["A9"; 25].join(" "));
        assert_eq!(brief(&board), "host: place A A9 A9 A9 A9 A9 \u{2026} and 20 more");
    }
}

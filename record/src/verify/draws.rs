//! Finding 5: nobody could choose the draws.

use ledger::Seq;

use super::beacon_rounds::BeaconCheck;
use super::finding::{Detail, DrawGrade, Finding, Status, count};
use super::shares;
use crate::history::{Fault, History, StepRecord};
use crate::rule::Rule;
use crate::seed::{DrawRecord, FixedSeedRecord, SeedRecord};

pub(super) fn finding(history: &History, beacon: &BeaconCheck) -> Finding {
    let drawn: Vec<_> = history.steps.iter().filter(|step| step.public.starts_with("host:")).collect();
    if history.host_draws() {
        return by_host(history, beacon, &drawn).with_faults(history);
    }
    if drawn.is_empty() {
        return Finding::new(5, Status::Holds, "Nothing was drawn.").with_faults(history);
    }
    let summary = format!(
        "{} drawn elsewhere and typed in. The rules allow them. Whether they were drawn fairly cannot be checked here.",
        count(drawn.len(), "draw was", "draws were")
    );
    let mut finding = Finding::new(5, Status::NotShown, summary);
    for step in drawn {
        let text = format!("not checkable: {}", brief(step.text.as_deref().unwrap_or(&step.public)));
        finding.details.push(Detail::note(Rule::NotCheckable, text, Some(step.entry), Some(step.row.round)));
    }
    finding.with_faults(history)
}

/// The strength of the draws, by the finding. What is not open yet is no sign of anything.
pub(super) fn grade(findings: &[Finding]) -> DrawGrade {
    match findings.iter().find(|finding| finding.number == 5).map(|finding| finding.status) {
        Some(Status::Reported) => DrawGrade::Steerable,
        Some(Status::NotShown) => DrawGrade::Typed,
        _ => DrawGrade::Fair,
    }
}

fn by_host(history: &History, beacon: &BeaconCheck, drawn: &[&StepRecord]) -> Finding {
    let fixed: Vec<(&SeedRecord, &FixedSeedRecord)> =
        history.seeds.iter().filter_map(|seed| Some((seed, seed.fixed.as_ref()?))).collect();
    if fixed.is_empty() {
        let nothing = "Matchbook draws in this match, and has drawn nothing yet.";
        let mut finding = Finding::new(5, Status::NotYet, nothing);
        finding.summary.push_str(&shares::starts(history));
        finding.details.extend(shares::details(history));
        return finding;
    }
    let open = fixed.iter().all(|(seed, _)| history.is_share_open(seed));
    let checked = history.draws.iter().filter(|draw| draw.checked).count();
    let mut summary = format!(
        "Matchbook drew {}, each by a key that was fixed before the first of them. {checked} of them worked out again from the key.",
        count(history.draws.len(), "time", "times"),
    );
    summary.push_str(if open {
        " The host’s own share is open: every key follows from the shares, and is under the root that was published before."
    } else {
        " The host’s own share opens at the end of the match. Then everybody can check that the keys follow from the shares."
    });
    // With a beacon, who knew the shares could choose nothing by them, and who wrote the rounds could.
    let waits = history.beacon().is_some();
    summary.push_str(&if waits {
        beacon.summary(history) + &shares::starts(history)
    } else {
        shares::summary(history)
    });
    summary.push_str(&announced(history));
    let steerable = if waits { beacon.is_steerable(history) } else { shares::are_steerable(history) };
    let status = match (steerable, open && checked == history.draws.len()) {
        (true, true) => Status::Reported,
        (false, true) => Status::Holds,
        (_, false) => Status::NotYet,
    };
    let mut finding = Finding::new(5, status, summary).says(Rule::WhoChose);
    finding.details.extend(shares::details(history));
    if waits {
        finding.details.extend(beacon.details(history));
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

/// In a declared game the umpire says when something is drawn, and another word after a strike can ask for another draw.
fn announced(history: &History) -> String {
    if history.opened.game.is_none() {
        return String::new();
    }
    let (late, struck) = (drawn_late(history), history.struck_draws().count());
    let mut said = String::new();
    if late > 0 {
        let draws = count(late, "draw was", "draws were");
        said.push_str(&format!(" {draws} announced after the answers: the umpire could choose the moment."));
    }
    if struck > 0 {
        let draws = count(struck, "draw was", "draws were");
        said.push_str(&format!(
            " {draws} struck and did not come again: the umpire’s new word asked for something else."
        ));
    }
    said
}

/// The number of draws that the umpire asked for behind an answer and before no question.
fn drawn_late(history: &History) -> usize {
    let is_word = |step: &StepRecord| step.public.starts_with("umpire:");
    let steps: Vec<&StepRecord> = history.steps.iter().skip_while(|step| is_word(step) || is_draw(step)).collect();
    let others = |at: &usize| steps.get(*at).is_some_and(|step| !is_draw(step));
    let late = |at: &usize| {
        let before = (0..*at).rev().find(others).and_then(|at| steps.get(at));
        let after = (*at..steps.len()).find(others).and_then(|at| steps.get(at));
        let asked = || steps.last().and_then(|last| last.after.as_ref()).is_none_or(|duel| !duel.asks().is_empty());
        let then_word = after.map_or_else(|| !asked(), |after| is_word(after));
        before.is_some_and(|before| is_word(before)) && then_word
    };
    (0..steps.len()).filter(|at| steps.get(*at).is_some_and(|step| is_draw(step))).filter(late).count()
}

fn is_draw(step: &StepRecord) -> bool {
    step.public.starts_with("host:")
}

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

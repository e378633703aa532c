//! The eight findings, each in words that a player understands.

use engine::Seat;
use ledger::Seq;
use ledger::chain::Broken;

use super::finding::{Detail, Finding, Grade, Report, Status, Verdict};
use crate::body::Closing;
use crate::bundle::Bundle;
use crate::history::{Correction, History, Mode, StepSource};

const TITLES: [&str; 8] = [
    "Complete up to its last entry",
    "Logged",
    "Sealed before opened",
    "In time",
    "Draws fair",
    "Rules applied",
    "What people changed",
    "What this cannot show",
];

fn finding(number: u8, status: Status, summary: impl Into<String>) -> Finding {
    let title = TITLES.get(usize::from(number).saturating_sub(1)).copied().unwrap_or_default();
    Finding { number, title, status, summary: summary.into(), details: Vec::new() }
}

fn told(text: impl Into<String>, entry: Option<Seq>, round: Option<u32>) -> Detail {
    Detail { text: text.into(), expected: None, found: None, entry, round, wrong: false }
}

/// "1 entry", "7 entries".
fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Adds the faults that belong to a finding. What it said before does not hold then.
pub(super) fn with_faults(mut finding: Finding, history: &History) -> Finding {
    let said = finding.details.len();
    finding
        .details
        .extend(history.faults.iter().filter(|f| f.finding == finding.number).map(|f| Detail::of(f, history)));
    let wrong = finding.details.len() - said;
    if wrong > 0 && finding.status != Status::Failed {
        finding.status = Status::Failed;
        finding.summary = format!("{} wrong here.", count(wrong, "thing is", "things are"));
    }
    finding
}

pub(super) fn complete(bundle: &Bundle, intact: usize, broken: Option<&Broken>) -> Finding {
    let entries = bundle.lines.len();
    let Some(broken) = broken else {
        let summary = format!(
            "All {} are here: numbered without a gap, and each names the one before it by its hash.",
            count(entries, "entry", "entries")
        );
        return finding(1, Status::Holds, summary);
    };
    let summary = format!(
        "The chain breaks at entry {}. The {} before it are in order; what follows was not looked at.",
        broken.entry,
        count(intact, "entry", "entries")
    );
    let mut finding = finding(1, Status::Failed, summary);
    finding.details.push(Detail { wrong: true, ..told(broken.fault.to_string(), Some(broken.entry), None) });
    finding
}

/// The report on a match that cannot be folded.
pub(super) fn unknown(mut first: Finding, broken: Option<Seq>, why: &str) -> Report {
    let verdict = match broken {
        Some(entry) => Verdict::Failed { entry, unaffected: 0 },
        None => Verdict::CannotCheck { why: why.to_owned() },
    };
    if broken.is_none() {
        first.details.push(told(why, Some(Seq(0)), None));
    }
    let rest = (2..=8).map(|number| finding(number, Status::NotShown, "The match could not be read this far."));
    Report { verdict, findings: std::iter::once(first).chain(rest).collect() }
}

pub(super) fn logged(history: &History) -> Finding {
    let mut last = 0;
    let mut grows = true;
    for (_, tree) in &history.trees {
        grows &= tree.size >= last;
        last = tree.size;
    }
    let summary = match history.trees.last() {
        None => {
            "This copy carries no signed checkpoint, so it does not show that the entries are in the public log.".into()
        }
        Some((_, tree)) => format!(
            "The match names {} of the public log, the last with {} entries. This copy carries no signed checkpoint, so it does not show that they are in it.",
            count(history.trees.len(), "state", "states"),
            tree.size
        ),
    };
    let mut finding = finding(2, Status::NotShown, summary);
    if !grows {
        finding.status = Status::Failed;
        let entry = history.trees.last().map(|(entry, _)| *entry);
        finding.details.push(Detail { wrong: true, ..told("the log became smaller", entry, None) });
    }
    finding
}

pub(super) fn grade(history: &History) -> Grade {
    match history.opened.mode {
        Mode::Imported => Grade::Imported,
        Mode::Live | Mode::Recorded => Grade::Recorded,
    }
}

pub(super) fn sealed(history: &History) -> Finding {
    let seals = history.seals.iter().filter(|seal| seal.asked.is_some()).count();
    if history.opened.mode == Mode::Imported {
        let summary = "Nothing was sealed: the match was over when it was entered.";
        return with_faults(finding(3, Status::NotShown, summary), history);
    }
    let closed: usize = history.seals.iter().map(|seal| seal.opened_by.iter().filter(|by| by.is_none()).count()).sum();
    let mut summary = format!(
        "{} entered the record before any of them was opened, and every opening fits its seal. Grade: {}. The seals show that what the umpire recorded was not changed afterwards; that the players sent it, only they can say.",
        count(seals, "submission", "submissions"),
        grade(history).phrase()
    );
    if closed > 0 {
        summary.push_str(&format!(" {} closed.", count(closed, "value is still", "values are still")));
    }
    let status = if closed > 0 && !history.is_ended() { Status::NotYet } else { Status::Holds };
    let mut finding = finding(3, status, summary);
    for seal in history.seals.iter().filter(|seal| history.is_ended() && seal.opened_by.iter().any(Option::is_none)) {
        let text = "this seal was never opened: the decision closed without it";
        finding.details.push(told(text, Some(seal.entry), None));
    }
    with_faults(finding, history)
}

pub(super) fn in_time(history: &History) -> Finding {
    let summary = match history.opened.mode {
        Mode::Imported => "The times of play are not part of an imported match.".to_owned(),
        Mode::Live | Mode::Recorded => format!(
            "The umpire typed what came, so no clock of the record ran. Entries are dated from {} to {}, never backwards.",
            history.opened_at, history.last_at
        ),
    };
    with_faults(finding(4, Status::NotShown, summary), history)
}

pub(super) fn draws(history: &History) -> Finding {
    let drawn: Vec<_> = history.steps.iter().filter(|step| step.public.starts_with("host:")).collect();
    if drawn.is_empty() {
        return with_faults(finding(5, Status::Holds, "Nothing was drawn."), history);
    }
    let summary = format!(
        "{} drawn elsewhere and typed in. That they keep to the rules is checked; that they were drawn fairly is not checkable here.",
        count(drawn.len(), "draw was", "draws were")
    );
    let mut finding = finding(5, Status::NotShown, summary);
    for step in drawn {
        let text = format!("not checkable: {}", step.text.as_deref().unwrap_or(&step.public));
        finding.details.push(told(text, Some(step.entry), Some(step.row.round)));
    }
    with_faults(finding, history)
}

pub(super) fn rules(history: &History) -> Finding {
    let steps = history.steps.len();
    let ruleset = &history.opened.ruleset;
    let mut finding = match history.closed_at {
        Some(step) => finding(
            6,
            Status::NotYet,
            format!(
                "Replayed by the rules of {ruleset} up to step {}; from there on values are still sealed.",
                step - 1
            ),
        ),
        None => finding(
            6,
            Status::Holds,
            format!(
                "{} replayed by the rules of {ruleset}; the state after each is the one that the record names.",
                count(steps, "step was", "steps were")
            ),
        ),
    };
    let defaults = history.steps.iter().flat_map(|step| Seat::BOTH.map(|seat| (step, seat)));
    for (step, seat) in defaults.filter(|(step, seat)| step.moves[*seat].as_deref() == Some("-")) {
        let text = format!("{} sent nothing in time; the default applied", history.name(seat));
        finding.details.push(told(text, Some(step.entry), Some(step.row.round)));
    }
    with_faults(finding, history)
}

pub(super) fn people(history: &History) -> Finding {
    let rulings = history.remarks.iter().filter(|remark| remark.ruling);
    let strikes = &history.strikes;
    let total = rulings.clone().count() + strikes.len();
    let summary = if total == 0 {
        "No ruling, and no strike.".to_owned()
    } else {
        format!(
            "{} and {}.",
            count(rulings.clone().count(), "ruling", "rulings"),
            count(strikes.len(), "strike", "strikes")
        )
    };
    let mut finding = finding(7, if total == 0 { Status::Holds } else { Status::Told }, summary);
    for ruling in rulings {
        let rule = ruling.rule.as_ref().map(|rule| format!(" (rule {rule})")).unwrap_or_default();
        let text = format!("ruling{rule}: {}", ruling.text.or("its text was withdrawn"));
        finding.details.push(told(text, Some(ruling.entry), None));
    }
    for strike in strikes {
        let what = match strike.correction {
            Correction::None => {
                format!("{} struck from step {} on", count(strike.struck.len(), "step", "steps"), strike.from)
            }
            Correction::First => format!("step {} corrected, later ones kept", strike.from),
        };
        let text = format!("{what}: {}", strike.reason.or("the reason was withdrawn"));
        let round = strike.struck.first().map(|step| step.row.round);
        finding.details.push(told(text, Some(strike.entry), round));
    }
    if history.steps.iter().any(|step| matches!(step.source, StepSource::Correction { changed: true })) {
        let text = "a corrected move has no seal of its own: it rests on the umpire's word";
        finding.details.push(told(text, None, None));
    }
    with_faults(finding, history)
}

pub(super) fn limits(history: &History) -> Finding {
    let mut finding = finding(8, Status::Told, "What no record of this kind can show:");
    let mut say = |text: &str| finding.details.push(told(text, None, None));
    match history.opened.mode {
        Mode::Imported => {
            say("that the match was played like this: it rests on its source and on the umpire who entered it");
        }
        Mode::Live | Mode::Recorded => {
            say("that the players sent what the umpire recorded, and in time: the umpire typed it");
            say("that neither player knew the other's move: it was sent where this record does not reach");
        }
    }
    let umpire_closed = history.open.iter().any(|open| open.asked.closes == Closing::Umpire);
    if umpire_closed && !history.is_ended() {
        say("how it ends: the match still runs");
    }
    if history.names.p1 == crate::Said::Withdrawn || history.names.p2 == crate::Said::Withdrawn {
        say("the names: their text was withdrawn, and the record keeps only its commitment");
    }
    finding
}

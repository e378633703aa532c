//! Finding 7: what people changed.

use super::finding::{Detail, Finding, Status, count};
use super::signed;
use crate::body::Does;
use crate::clock::{Change, ClockChange};
use crate::history::{Correction, History, StepSource};

/// Every ruling, strike and objection.
pub(super) fn finding(history: &History) -> Finding {
    let rulings = history.remarks.iter().filter(|remark| remark.ruling);
    let strikes = &history.strikes;
    let typed = signed::typed_for_a_key(history);
    let handovers = &history.handovers;
    let objections = &history.objections;
    let total = rulings.clone().count() + strikes.len() + typed.len() + handovers.len() + objections.len();
    let summary = if total == 0 {
        "No ruling, and no strike.".to_owned()
    } else {
        let typed = match typed.len() {
            0 => String::new(),
            many => format!(
                " For a seat that signs, the umpire typed {} without its signature.",
                count(many, "move", "moves")
            ),
        };
        let handed = match handovers.len() {
            0 => String::new(),
            many => format!(" Handed to another umpire {}.", count(many, "time", "times")),
        };
        let objected = match (objections.len(), history.open_objections().count()) {
            (0, _) => String::new(),
            (all, 0) => format!(" {}, each answered.", count(all, "objection", "objections")),
            (all, open) => format!(" {}, {open} not answered.", count(all, "objection", "objections")),
        };
        format!(
            "{} and {}.{typed}{handed}{objected}",
            count(rulings.clone().count(), "ruling", "rulings"),
            count(strikes.len(), "strike", "strikes")
        )
    };
    let clocks = clocks(history);
    let status = if total == 0 && clocks.is_empty() { Status::Holds } else { Status::Told };
    let summary = match clocks.len() {
        0 => summary,
        many => format!("{summary} An umpire stopped or extended clocks {}.", count(many, "time", "times")),
    };
    let mut finding = Finding::new(7, status, summary);
    finding.details.extend(typed);
    finding.details.extend(clocks);
    for ruling in rulings {
        let rule = ruling.rule.as_ref().map(|rule| format!(" (rule {rule})")).unwrap_or_default();
        let what = ruling.does.as_ref().map(|does| does_words(history, does)).unwrap_or_default();
        let text = format!("ruling{rule}{what}: {}", ruling.text.or("its text was withdrawn"));
        finding.details.push(Detail::told(text, Some(ruling.entry), None));
    }
    for handover in handovers {
        let text = format!(
            "from here on it is the match of {}: {}",
            handover.to,
            handover.reason.or("the reason was withdrawn")
        );
        finding.details.push(Detail::told(text, Some(handover.entry), None));
    }
    for objection in objections {
        let (name, said) = (history.name(objection.seat), objection.text.or("its text was withdrawn"));
        let answer = match objection.answered {
            Some(entry) => format!("answered in entry {entry}"),
            None => "not answered".to_owned(),
        };
        let text =
            format!("{name} objected to step {}, \"this is not what I sent\": {said} ({answer})", objection.step);
        finding.details.push(Detail::told(text, Some(objection.entry), None));
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
        finding.details.push(Detail::told(text, Some(strike.entry), round));
    }
    if history.steps.iter().any(|step| matches!(step.source, StepSource::Correction { changed: true })) {
        let text = "a corrected move has no seal of its own: it rests on the umpire's word";
        finding.details.push(Detail::told(text, None, None));
    }
    finding.with_faults(history)
}

/// Every pause, and all time that was given. An extension that began by itself is nobody's doing.
fn clocks(history: &History) -> Vec<Detail> {
    let all = history.clocks.iter().flat_map(|clock| clock.changes.iter().map(move |change| (clock, change)));
    let told = all.filter_map(|(clock, ClockChange { entry, change, .. })| {
        let text = match change {
            Change::Paused { reason } => {
                let why = reason.as_ref().map(|reason| format!(": {}", reason.or("the reason was withdrawn")));
                format!("the clock of {} paused{}", clock.decision, why.unwrap_or_default())
            }
            Change::Extended { seconds, reason } => {
                format!("{} given {seconds} s: {}", clock.decision, reason.or("the reason was withdrawn"))
            }
            Change::Started | Change::Resumed { .. } | Change::Spent { .. } => return None,
        };
        Some(Detail::told(text, Some(*entry), None))
    });
    told.collect()
}

/// What a ruling does, for its line.
fn does_words(history: &History, does: &Does) -> String {
    match does {
        Does::Warns(seat) => format!(", a warning to {}", history.name(seat.0)),
        Does::Admits(admitted) => {
            format!(", admits the late answer of {} to {}", history.name(admitted.seat.0), admitted.decision)
        }
        Does::Answers(objection) => format!(", answers the objection in entry {objection}"),
        Does::Records => ", from here on the umpire types for both seats".to_owned(),
    }
}

//! Finding 7: what people changed.

use super::finding::{Detail, Finding, Status, count};
use super::signed;
use crate::history::{Correction, History, StepSource};

/// Every ruling and strike.
pub(super) fn finding(history: &History) -> Finding {
    let rulings = history.remarks.iter().filter(|remark| remark.ruling);
    let strikes = &history.strikes;
    let typed = signed::typed_for_a_key(history);
    let total = rulings.clone().count() + strikes.len() + typed.len();
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
        format!(
            "{} and {}.{typed}",
            count(rulings.clone().count(), "ruling", "rulings"),
            count(strikes.len(), "strike", "strikes")
        )
    };
    let mut finding = Finding::new(7, if total == 0 { Status::Holds } else { Status::Told }, summary);
    finding.details.extend(typed);
    for ruling in rulings {
        let rule = ruling.rule.as_ref().map(|rule| format!(" (rule {rule})")).unwrap_or_default();
        let text = format!("ruling{rule}: {}", ruling.text.or("its text was withdrawn"));
        finding.details.push(Detail::told(text, Some(ruling.entry), None));
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

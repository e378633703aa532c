//! A receipt and its confirmation, as people name them: "Round 20: Grow and Steal", "Round 7: move received."

use engine::{Ask, Seat, To, name_seats};
use ledger::{Receipt, Sealer};
use record::History;
use record::share::SHARE;

use super::answer_words::answer_words;

#[must_use]
pub fn asked_round(history: &History, ask: &Ask) -> Option<String> {
    let round = history.duel().coming_round().filter(|_| ask.to == To::Both && ask.what != SHARE)?;
    Some(format!("Round {round}"))
}

#[must_use]
pub fn received_words(history: &History, ask: &Ask) -> String {
    let about = asked_round(history, ask).unwrap_or_else(|| quoted(history, ask));
    format!("{about}: {} received.", if ask.what == SHARE { "share" } else { "move" })
}

#[must_use]
pub fn quoted(history: &History, ask: &Ask) -> String {
    format!("“{}”", name_seats(&ask.prompt, history.both_names()))
}

#[must_use]
pub fn receipt_words(history: &History, receipt: &Receipt, values: &[&str]) -> String {
    let seat = match receipt.seat {
        Sealer::P1 => Some(Seat::P1),
        Sealer::P2 => Some(Seat::P2),
        Sealer::Host => None,
    };
    let seat = seat.filter(|_| !values.is_empty());
    let moved = seat.and_then(|seat| answer_words(history, seat, &receipt.decision, values));
    receipt_name(history, receipt, moved.as_deref())
}

#[must_use]
pub fn receipt_name(history: &History, receipt: &Receipt, moved: Option<&str>) -> String {
    let nth = match receipt.ordinal {
        0 => String::new(),
        change => format!(", change {change}"),
    };
    if let Some(opened) = receipt.decision.as_str().strip_prefix("open-d") {
        return format!("Opening of your share, question {opened}{nth}");
    }
    let moved = moved.map(|moved| format!(": {}", moved.trim_end_matches('.'))).unwrap_or_default();
    format!("{}{moved}{nth}", history.decision_words(&receipt.decision))
}

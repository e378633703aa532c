//! The public events of a match's entries, one for each entry. Most kinds have one. Keys and openings have none, and seals
//! only where they wait for witnesses: their values become public when the step is resolved.

use app::slug;
use app::views::{Beat, VisibleMatch, match_address, move_text, parties};
use engine::Party;
use ledger::{Entry, Kind, Seq};
use record::share::SHARE;
use record::words::{result_sentence, row_words, sentence};
use record::{Correction, History, StepRecord, Strike};

use super::event::Event;
use super::state_view;

pub(super) fn events(history: &History, entries: &[Entry]) -> Vec<Event> {
    let shown = VisibleMatch::public(history);
    entries.iter().filter(|entry| entry.seq < history.head.next).filter_map(|entry| event(&shown, entry)).collect()
}

pub(super) fn last(history: &History) -> Seq {
    let steps = history.steps.last().map(|step| step.entry);
    let strikes = history.strikes.last().map(|strike| strike.entry);
    let remarks = history.remarks.last().map(|remark| remark.entry);
    let asked = history.open.last().map(|open| open.entry);
    let ended = history.ended.map(|(entry, _)| entry);
    let sealed = history.waiting().map(|waiting| waiting.sealed);
    [steps, strikes, remarks, asked, ended, sealed].into_iter().flatten().max().unwrap_or(Seq(0))
}

fn event(shown: &VisibleMatch<'_>, entry: &Entry) -> Option<Event> {
    let history = shown.history;
    let (name, (says, details, address)) = match entry.kind {
        Kind::Asked => ("asked", (asked(shown, entry.seq)?, Vec::new(), None)),
        Kind::Paused | Kind::Resumed | Kind::Extended => ("clock", (clock(history, entry.kind), Vec::new(), None)),
        Kind::Resolved | Kind::Announced | Kind::Drawn => ("resolved", step(shown, entry.seq)?),
        Kind::Ruled | Kind::Noted => ("ruled", (remark(shown, entry.seq)?, Vec::new(), None)),
        Kind::Struck => ("struck", struck(history, history.strikes.iter().find(|strike| strike.entry == entry.seq)?)),
        Kind::Sealed => ("sealed", (sealed(history, entry.seq)?, Vec::new(), None)),
        Kind::Ended => ("ended", (ended(history), Vec::new(), Some(match_address(history.match_id)))),
        // A seat's key is entered when its player opens the page, and an objection when its player makes it: the stream
        // shows nothing that a seat does. An opening becomes public together with its step.
        Kind::Opened
        | Kind::Key
        | Kind::Linked
        | Kind::Objected
        | Kind::Handed
        | Kind::Unsealed
        | Kind::Imported
        | Kind::Registered
        | Kind::Rotated
        | Kind::Revoked => {
            return None;
        }
    };
    let moves = history.steps.iter().find(|step| step.entry == entry.seq).map(|step| moves(shown, step));
    let (slug, moves) = (slug(history.match_id), moves.unwrap_or_default());
    Some(Event { name, slug, entry: entry.seq, at: entry.at, says, moves, details, address })
}

fn asked(shown: &VisibleMatch<'_>, entry: Seq) -> Option<String> {
    let open = shown.history.open.iter().find(|open| open.entry == entry)?;
    if open.asked.what == SHARE {
        return Some("Both seats are asked for their part of the coming draws.".to_owned());
    }
    let ask = shown.history.asks().into_iter().find(|ask| open.puts(ask))?;
    let due = state_view::clock(shown.history).and_then(|clock| clock.deadline);
    let due = due.map(|due| format!(" Due at {}.", state_view::on_its_day(shown.history, due).text));
    Some(format!("{}{}", sentence(&shown.name_in(&ask.prompt)), due.unwrap_or_default()))
}

fn sealed(history: &History, entry: Seq) -> Option<String> {
    let waiting = history.waiting().filter(|waiting| waiting.sealed == entry)?;
    let until = state_view::on_its_day(history, waiting.until).text;
    Some(format!("Sealed. It opens once the log\u{2019}s witnesses have seen it, or at {until} without them."))
}

fn clock(history: &History, kind: Kind) -> String {
    let due = state_view::clock(history).and_then(|clock| clock.deadline);
    let until = due.map_or_else(String::new, |due| format!(", until {}", state_view::on_its_day(history, due).text));
    match kind {
        Kind::Paused => {
            // Of several pauses, only the one that lasts is shown: what came after it has its own event.
            let reason = history.clocks.iter().find_map(record::Clock::pause_reason);
            let reason = reason.map(|reason| format!(": {}", sentence(reason.or("the reason was withdrawn"))));
            reason.map_or_else(|| "The clock is paused.".to_owned(), |reason| format!("The clock is paused{reason}"))
        }
        Kind::Extended => format!("There is more time{until}."),
        _ => format!("The clock runs{until}."),
    }
}

/// A step that still counts: its effects, and its moment. A step that was struck since is covered by the strike.
fn step(shown: &VisibleMatch<'_>, entry: Seq) -> Option<(String, Vec<String>, Option<String>)> {
    let step = shown.history.steps.iter().find(|step| step.entry == entry)?;
    let label = label(shown.history, step)?;
    let effects = shown.effects([step]);
    let address = Beat::After.address(shown.history.match_id, &label);
    Some((format!("{}:", row_words(&label)), effects, Some(address)))
}

fn moves(shown: &VisibleMatch<'_>, step: &StepRecord) -> Vec<String> {
    let before = shown.history.before(step.number);
    let words = |party: Party| {
        let text = move_text(shown, step, before, party)?;
        let name = party.seat().map_or("The host", |seat| shown.names()[seat]);
        Some(format!("{name}: {}", text.full_words()))
    };
    parties().filter_map(words).collect()
}

fn label(history: &History, step: &StepRecord) -> Option<String> {
    let rows = history.rows();
    let row = rows.iter().find(|row| row.steps.iter().any(|other| other.number == step.number));
    row.map(|row| row.label.clone())
}

fn remark(shown: &VisibleMatch<'_>, entry: Seq) -> Option<String> {
    let remark = shown.history.remarks.iter().find(|remark| remark.entry == entry)?;
    let text = sentence(remark.text.or("its text was withdrawn"));
    let result = remark.result.map(|result| format!(" {}", result_sentence(result, shown.names())));
    Some(format!("{}: {text}{}", shown.history.remark_title(remark), result.unwrap_or_default()))
}

fn struck(history: &History, strike: &Strike) -> (String, Vec<String>, Option<String>) {
    let now = history.steps.iter().find(|step| step.number == strike.from).and_then(|step| label(history, step));
    let first = strike.struck.first().map_or(0, |step| step.row.round);
    let what = match (strike.correction, first) {
        (Correction::First, 0) => "A step before round 1 was corrected.".to_owned(),
        (Correction::First, round) => format!("Round {round} was corrected."),
        (Correction::None, 0) => "The match was set back to before round 1.".to_owned(),
        (Correction::None, round) => format!("The match was set back to before round {round}."),
    };
    let why = sentence(strike.reason.or("the reason was withdrawn"));
    let address = match now {
        Some(label) => Beat::After.address(history.match_id, &label),
        None => match_address(history.match_id),
    };
    (what, vec![why], Some(address))
}

fn ended(history: &History) -> String {
    format!("The result is entered. {}", result_sentence(history.outcome(), history.both_names()))
}

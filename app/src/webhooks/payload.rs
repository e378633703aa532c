//! The body of a message (Standard Webhooks, "Payload structure"): its kind, its time, and its data.
//!
//! It is made when it is sent, from entries and from the words that still exist: withdrawn words are not sent any more,
//! not even in a retry.

use std::sync::Arc;

use engine::Outcome;
use ledger::{Entry, Kind, MatchId, Moment, Seq, leaf_hash};
use record::{Change, Clock, CommittedText, Correction, History, StepRecord};
use serde_json::{Map, Value, json};

use super::event_kind::TEST;
use crate::views::{Beat, VisibleMatch, match_address};
use crate::{App, AppError, slug};

pub(super) async fn of_entry(
    app: &App,
    site: &str,
    kind: &str,
    match_id: MatchId,
    seq: Seq,
) -> Result<String, AppError> {
    let stored = app.logs.record().match_entries(match_id).await?;
    let stored = stored.iter().find(|stored| stored.seq == seq).ok_or(AppError::NoMatch)?;
    let entry = Entry::read(&stored.bytes).map_err(|error| AppError::Unreadable(error.to_string()))?;
    let history = match entry.kind {
        // The clock as it was then: later changes of it have their own entries.
        Kind::Paused | Kind::Resumed | Kind::Extended => {
            Arc::new(app.matches.history_up_to(match_id, seq.0.saturating_add(1)).await?)
        }
        _ => app.matches.history(match_id).await?,
    };
    let address = match_address(match_id);
    let names = history.both_names();
    let mut data = Map::from_iter([
        ("match".to_owned(), json!(match_id.to_string())),
        ("slug".to_owned(), json!(slug(match_id))),
        ("address".to_owned(), json!(format!("{site}{address}"))),
        ("ruleset".to_owned(), json!(history.opened.ruleset)),
        ("players".to_owned(), json!({ "p1": names.p1, "p2": names.p2 })),
        ("entry".to_owned(), json!(seq.0)),
        ("leaf".to_owned(), json!(leaf_hash(&stored.bytes).to_string())),
    ]);
    if let Some(Value::Object(more)) = details(&history, &entry, site) {
        data.extend(more);
    }
    Ok(body(kind, entry.at, &Value::Object(data)))
}

pub(super) fn of_test(at: Moment) -> String {
    body(TEST, at, &json!({ "says": "This is a test: the address can be reached, and the signature fits." }))
}

fn body(kind: &str, at: Moment, data: &Value) -> String {
    json!({ "type": kind, "timestamp": at.to_string(), "data": data }).to_string()
}

fn details(history: &History, entry: &Entry, site: &str) -> Option<Value> {
    let shown = VisibleMatch::public(history);
    Some(match entry.kind {
        Kind::Asked => {
            // A question that was answered since is covered by its answer.
            let open = history.open.iter().find(|open| open.entry == entry.seq)?;
            let ask = history.asks().into_iter().find(|ask| open.puts(ask));
            json!({
                "decision": open.asked.decision.as_str(),
                "what": open.asked.what,
                "seats": open.asked.seats.iter().map(|seat| seat.0.word()).collect::<Vec<_>>(),
                "deadline": open.asked.deadline.map(|due| due.to_string()),
                "says": ask.map(|ask| shown.name_in(&ask.prompt)),
            })
        }
        Kind::Paused | Kind::Resumed | Kind::Extended => clock(history, entry)?,
        Kind::Resolved | Kind::Announced | Kind::Drawn => step(&shown, entry.seq, site)?,
        Kind::Ruled => {
            let remark = history.remarks.iter().find(|remark| remark.entry == entry.seq)?;
            json!({
                "says": remark.text.text(),
                "rule": remark.rule,
                "result": remark.result.map(result),
                "warns": remark.warns().map(engine::Seat::word),
            })
        }
        Kind::Struck => {
            let strike = history.strikes.iter().find(|strike| strike.entry == entry.seq)?;
            json!({
                "from_step": strike.from,
                "corrected": strike.correction == Correction::First,
                "says": strike.reason.text(),
            })
        }
        Kind::Ended => json!({ "result": result(history.outcome()) }),
        _ => return None,
    })
}

fn clock(history: &History, entry: &Entry) -> Option<Value> {
    let changed = |clock: &&Clock| clock.changes.iter().any(|change| change.entry == entry.seq);
    let clock = history.clocks.iter().find(changed)?;
    let change = clock.changes.iter().find(|change| change.entry == entry.seq)?;
    let (word, seat, seconds, reason) = match &change.change {
        Change::Started => ("started", None, None, None),
        Change::Paused { reason } => ("paused", None, None, reason.as_ref()),
        Change::Resumed { .. } => ("resumed", None, None, None),
        Change::Spent { seat, seconds, .. } => ("spent", Some(seat.word()), Some(*seconds), None),
        Change::MadeUp { seconds, .. } => ("outage", None, Some(*seconds), None),
        Change::Extended { seconds, reason } => ("given", None, Some(*seconds), Some(reason)),
    };
    Some(json!({
        "decision": clock.decision.as_str(),
        "what": clock.what,
        "change": word,
        "seat": seat,
        "seconds": seconds,
        "says": reason.and_then(CommittedText::text),
        "deadline": clock.deadline().map(|due| due.to_string()),
        "left_ms": u64::try_from(clock.remaining(entry.at).as_millis()).unwrap_or(u64::MAX),
        "sum": clock.sum(3),
    }))
}

/// A step, even if it was struck since: a retry must say the same.
fn step(shown: &VisibleMatch<'_>, entry: Seq, site: &str) -> Option<Value> {
    let history = shown.history;
    let is = |step: &&StepRecord| step.entry == entry;
    let step = history.steps.iter().find(is).or_else(|| {
        let struck = history.strikes.iter().flat_map(|strike| &strike.struck);
        struck.into_iter().find(is)
    })?;
    let rows = history.rows();
    let row = rows.iter().find(|row| row.steps.iter().any(|other| other.entry == entry));
    let score = step.after.as_ref().and_then(|after| after.score());
    Some(json!({
        "step": step.number,
        "round": row.map_or_else(|| step.row.round.to_string(), |row| row.label.clone()),
        "moment": row.map(|row| format!("{site}{}", Beat::After.address(history.match_id, &row.label))),
        "dmn": shown.line(step),
        "says": shown.effects([step]),
        "score": score.map(|score| json!({ "p1": score.p1, "p2": score.p2 })),
    }))
}

fn result(outcome: Outcome) -> Value {
    json!({
        "status": outcome.status(),
        "winner": outcome.winner().map(engine::Seat::word),
        "reason": outcome.reason(),
    })
}

//! A match for programs: what it is, every step with its state and effects, and what people changed.

use std::collections::BTreeMap;

use engine::{BySeat, Duel, Effect, Outcome};
use record::body::Both;
use record::{Correction, History, Remark, Said, StepRecord, Strike};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::book::slug;
use crate::page::{Shown, mode_word};

#[derive(Serialize)]
struct Match<'h> {
    #[serde(rename = "match")]
    match_id: String,
    slug: String,
    origin: String,
    head: Head,
    mode: &'static str,
    ruleset: &'h str,
    options: &'h BTreeMap<String, String>,
    event: Option<&'h str>,
    date: Option<&'h str>,
    players: Both<Option<&'h str>>,
    dmo: Option<&'static str>,
    items: &'h Both<Vec<String>>,
    source: Option<&'h str>,
    opened_at: String,
    last_at: String,
    ended_at: Option<String>,
    result: Result,
    asks: Vec<Ask>,
    start: Option<Box<RawValue>>,
    steps: Vec<Step<'h>>,
    struck: Vec<Struck<'h>>,
    remarks: Vec<Told<'h>>,
}

#[derive(Serialize)]
struct Head {
    entries: u32,
    leaf: String,
}

#[derive(Serialize)]
struct Result {
    status: &'static str,
    winner: Option<&'static str>,
    reason: &'static str,
    /// Whether the umpire has entered it.
    entered: bool,
}

#[derive(Serialize)]
struct Ask {
    what: &'static str,
    prompt: String,
    clock_seconds: u32,
    default: &'static str,
    optional: bool,
}

#[derive(Serialize)]
struct Step<'h> {
    number: u32,
    row: &'h str,
    round: u32,
    entry: u32,
    at: String,
    dmn: &'h str,
    moves: Both<Option<&'h str>>,
    digest: String,
    state: Option<Box<RawValue>>,
    effects: Vec<Did>,
}

#[derive(Serialize)]
struct Did {
    seat: Option<&'static str>,
    subject: String,
    fate: &'static str,
    rule: &'static str,
    text: String,
}

#[derive(Serialize)]
struct Struck<'h> {
    entry: u32,
    by: String,
    at: String,
    from_step: u32,
    corrected: bool,
    reason: Option<&'h str>,
    steps: Vec<Step<'h>>,
}

#[derive(Serialize)]
struct Told<'h> {
    entry: u32,
    by: String,
    at: String,
    ruling: bool,
    rule: Option<&'h str>,
    result: Option<Result>,
    after_step: u32,
    text: Option<&'h str>,
}

/// The match as the public may see it.
pub(super) fn of(history: &History) -> String {
    let shown = Shown::public(history);
    let rows = history.rows();
    let steps = rows.iter().flat_map(|row| row.steps.iter().map(|step| self::step(&shown, step, &row.label)));
    let struck: Vec<Vec<String>> = history
        .strikes
        .iter()
        .map(|strike| strike.struck.iter().map(|step| step.row.round.to_string()).collect())
        .collect();
    let opened = &history.opened;
    let written = Match {
        match_id: history.match_id.to_string(),
        slug: slug(history.match_id),
        origin: history.origin.to_string(),
        head: Head { entries: history.head.next.0, leaf: history.head.leaf.to_string() },
        mode: mode_word(opened.mode),
        ruleset: &opened.ruleset,
        options: &opened.options,
        event: history.event.as_ref().and_then(said),
        date: opened.date.as_deref(),
        players: Both { p1: said(&history.names.p1), p2: said(&history.names.p2) },
        dmo: opened.dmo.map(|seat| seat.0.word()),
        items: &opened.items,
        source: history.source.as_ref().and_then(said),
        opened_at: history.opened_at.to_string(),
        last_at: history.last_at.to_string(),
        ended_at: history.ended.map(|(_, at)| at.to_string()),
        result: result(history.outcome(), history.is_ended()),
        asks: asks(&shown),
        start: state(&shown, Some(&history.start)),
        steps: steps.collect(),
        struck: history.strikes.iter().zip(&struck).map(|(strike, rows)| strike_of(&shown, strike, rows)).collect(),
        remarks: history.remarks.iter().map(told).collect(),
    };
    // Strings, integers and states of the notation: nothing in here can fail to become JSON.
    let mut json = serde_json::to_string(&written).unwrap_or_default();
    json.push('\n');
    json
}

fn said(said: &Said) -> Option<&str> {
    match said {
        Said::Text(text) => Some(text),
        Said::Withdrawn => None,
    }
}

fn result(outcome: Outcome, entered: bool) -> Result {
    Result {
        status: outcome.status(),
        winner: outcome.winner().map(engine::Seat::word),
        reason: outcome.reason(),
        entered,
    }
}

fn asks(shown: &Shown<'_>) -> Vec<Ask> {
    let asks = shown.history.asks().into_iter();
    let ask = asks.map(|ask| Ask {
        what: ask.what,
        prompt: shown.name_in(&ask.prompt),
        clock_seconds: ask.clock_seconds,
        default: ask.default,
        optional: ask.optional,
    });
    ask.collect()
}

fn state(shown: &Shown<'_>, duel: Option<&Duel>) -> Option<Box<RawValue>> {
    RawValue::from_string(shown.state(duel?)).ok()
}

fn step<'h>(shown: &Shown<'_>, step: &'h StepRecord, row: &'h str) -> Step<'h> {
    let moves = BySeat::from_fn(|seat| shown.sent(step, seat));
    Step {
        number: step.number,
        row,
        round: step.row.round,
        entry: step.entry.0,
        at: step.at.to_string(),
        dmn: shown.line(step),
        moves: moves.into(),
        digest: step.digest.to_string(),
        state: state(shown, step.after.as_ref()),
        effects: step.effects.iter().map(|effect| did(shown, effect)).collect(),
    }
}

fn did(shown: &Shown<'_>, effect: &Effect) -> Did {
    Did {
        seat: effect.seat.map(engine::Seat::word),
        subject: effect.subject.clone(),
        fate: effect.fate.word(),
        rule: effect.rule,
        text: shown.name_in(&effect.text),
    }
}

fn strike_of<'h>(shown: &Shown<'_>, strike: &'h Strike, rows: &'h [String]) -> Struck<'h> {
    Struck {
        entry: strike.entry.0,
        by: strike.by.to_string(),
        at: strike.at.to_string(),
        from_step: strike.from,
        corrected: strike.correction == Correction::First,
        reason: said(&strike.reason),
        steps: strike.struck.iter().zip(rows).map(|(step, row)| self::step(shown, step, row)).collect(),
    }
}

fn told(remark: &Remark) -> Told<'_> {
    Told {
        entry: remark.entry.0,
        by: remark.by.to_string(),
        at: remark.at.to_string(),
        ruling: remark.ruling,
        rule: remark.rule.as_deref(),
        result: remark.result.map(|outcome| result(outcome, true)),
        after_step: remark.after_step,
        text: said(&remark.text),
    }
}

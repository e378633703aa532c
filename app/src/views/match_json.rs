//! A match for programs: its facts, every step with its state and effects, and every change by people.

use std::collections::BTreeMap;

use engine::{BySeat, Duel, Effect, Outcome};
use ledger::{Author, Hash, Head, Seq};
use record::body::SeatPair;
use record::{CommittedText, Correction, History, Remark, StepRecord, Strike};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::integer::integer;
use super::{BeforeStrike, Highlight, Highlights, VisibleMatch, open_asks};
use crate::archive::mode_word;
use crate::slug;
use crate::umpires::UmpireNames;

/// A match as the public may see it.
#[derive(Serialize, ToSchema)]
#[schema(as = Match)]
pub struct MatchJson<'h> {
    /// Its id in the record.
    #[serde(rename = "match")]
    match_id: String,
    slug: String,
    /// True if it is practice: in no log and no list, and its umpire can delete it whole.
    #[schema(example = false)]
    practice: bool,
    origin: String,
    head: HeadJson,
    /// How answers come in as it stands: `live` (the players submit), `recorded` (an umpire types) or `imported`.
    #[schema(example = "live")]
    mode: &'static str,
    /// The entry of the ruling by which a live match goes on as recorded; null for every other match.
    recorded_from: Option<u32>,
    ruleset: &'h str,
    #[schema(value_type = BTreeMap<String, String>)]
    options: &'h BTreeMap<String, String>,
    event: Option<&'h str>,
    date: Option<&'h str>,
    #[schema(value_type = Seats<Option<String>>)]
    players: SeatPair<Option<&'h str>>,
    dmo: Option<&'static str>,
    /// The umpires who run it or ran it, ruled or remarked, by pseudonym, which is what the record names. A name is what
    /// they call themselves here; null where they have none.
    umpires: BTreeMap<String, Option<&'h str>>,
    #[schema(value_type = Seats<Vec<String>>)]
    items: &'h SeatPair<Vec<String>>,
    source: Option<&'h str>,
    opened_at: String,
    last_at: String,
    ended_at: Option<String>,
    result: ResultJson,
    highlights: HighlightsJson,
    asks: Vec<AskJson>,
    /// The state before the first step, as the notation writes it.
    #[schema(value_type = Option<Object>)]
    start: Option<Box<RawValue>>,
    steps: Vec<StepJson<'h>>,
    struck: Vec<StrikeJson<'h>>,
    remarks: Vec<RemarkJson<'h>>,
}

/// One value for each seat.
#[derive(Serialize, ToSchema)]
pub struct Seats<T> {
    p1: T,
    p2: T,
}

/// How far the record of a match goes. Acts name the head that they were decided on.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HeadJson {
    /// How many entries there are.
    #[serde(deserialize_with = "integer")]
    #[schema(example = 37)]
    pub entries: u32,
    /// The leaf hash of the last one, 64 hex digits.
    #[schema(
        value_type = String,
        pattern = "^[0-9a-f]{64}$",
        example = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    )]
    pub leaf: Hash,
}

impl HeadJson {
    #[must_use]
    pub const fn of(head: Head) -> Self {
        Self { entries: head.next.0, leaf: head.leaf }
    }

    #[must_use]
    pub const fn head(self) -> Head {
        Head { next: Seq(self.entries), leaf: self.leaf }
    }
}

/// How a match stands.
#[derive(Serialize, ToSchema)]
pub struct ResultJson {
    /// `running` or how it ended.
    status: &'static str,
    /// `p1` or `p2`.
    winner: Option<&'static str>,
    /// A word for why.
    reason: &'static str,
    /// True if the umpire has entered it.
    entered: bool,
}

/// What makes it worth watching; while it runs, so far.
#[derive(Serialize, ToSchema)]
#[schema(as = Highlights)]
struct HighlightsJson {
    /// The rows after which the lead had passed from one seat to the other.
    lead_changes: Vec<String>,
    /// The row in which the margin moved most, by more than a point, and for whom.
    swing: Option<HighlightJson>,
    /// The row from which the winner by the rules led to the end; the last row if the end itself decided.
    decision: Option<DecisionJson>,
    /// The row after which the winner by the rules was furthest behind, by more than a point.
    comeback: Option<HighlightJson>,
    /// The difference between the scores at the end by the rules.
    margin: Option<u32>,
    /// 20 for each change of the lead, and the largest swing in hundredths of the highest score.
    drama: u32,
}

/// A row with points for a seat.
#[derive(Serialize, ToSchema)]
#[schema(as = Highlight)]
struct HighlightJson {
    row: String,
    /// `p1` or `p2`.
    seat: &'static str,
    points: u32,
}

/// The row that decided.
#[derive(Serialize, ToSchema)]
#[schema(as = Decision)]
struct DecisionJson {
    row: String,
    /// `p1` or `p2`: the winner.
    seat: &'static str,
    /// True if the winner led from this row to the end.
    led: bool,
}

impl HighlightsJson {
    fn of(found: Highlights) -> Self {
        let drama = found.drama();
        let with_points = |highlight: Highlight| HighlightJson {
            row: highlight.row,
            seat: highlight.seat.word(),
            points: highlight.points,
        };
        Self {
            lead_changes: found.lead_changes,
            swing: found.swing.map(with_points),
            decision: found.decision.map(|it| DecisionJson { row: it.row, seat: it.seat.word(), led: it.led }),
            comeback: found.comeback.map(with_points),
            margin: found.finish.map(|finish| finish.points),
            drama,
        }
    }
}

/// What is asked now.
#[derive(Serialize, ToSchema)]
#[schema(as = AskNow)]
struct AskJson {
    what: String,
    prompt: String,
    clock_seconds: u32,
    default: String,
    optional: bool,
}

/// A step that counts, or once did.
#[derive(Serialize, ToSchema)]
#[schema(as = Step)]
struct StepJson<'h> {
    number: u32,
    row: &'h str,
    round: u32,
    entry: u32,
    at: String,
    dmn: &'h str,
    #[schema(value_type = Seats<Option<String>>)]
    moves: SeatPair<Option<&'h str>>,
    digest: String,
    /// The state after it, as the notation writes it.
    #[schema(value_type = Option<Object>)]
    state: Option<Box<RawValue>>,
    effects: Vec<EffectJson>,
}

/// What a step did.
#[derive(Serialize, ToSchema)]
#[schema(as = Did)]
struct EffectJson {
    seat: Option<&'static str>,
    subject: String,
    fate: &'static str,
    rule: &'static str,
    text: String,
}

/// Steps that no longer count.
#[derive(Serialize, ToSchema)]
#[schema(as = Struck)]
struct StrikeJson<'h> {
    entry: u32,
    by: String,
    at: String,
    from_step: u32,
    corrected: bool,
    reason: Option<&'h str>,
    steps: Vec<StepJson<'h>>,
}

/// A ruling or a remark.
#[derive(Serialize, ToSchema)]
#[schema(as = Told)]
struct RemarkJson<'h> {
    entry: u32,
    by: String,
    at: String,
    ruling: bool,
    /// `p1` or `p2` if it is a warning to that seat.
    warns: Option<&'static str>,
    rule: Option<&'h str>,
    result: Option<ResultJson>,
    after_step: u32,
    text: Option<&'h str>,
}

#[must_use]
pub fn match_json(history: &History, names: &UmpireNames) -> String {
    let visible = VisibleMatch::public(history);
    let rows = history.rows();
    let steps = rows.iter().flat_map(|row| row.steps.iter().map(|step| step_json(&visible, step, &row.label)));
    let struck: Vec<Vec<String>> = history
        .strikes
        .iter()
        .map(|strike| {
            let earlier = BeforeStrike::of(history, strike);
            earlier.rows().iter().flat_map(|row| row.steps.iter().map(|_| row.label.clone())).collect()
        })
        .collect();
    let opened = &history.opened;
    let json = MatchJson {
        match_id: history.match_id.to_string(),
        slug: slug(history.match_id),
        practice: history.origin.is_practice(),
        origin: history.origin.to_string(),
        head: HeadJson::of(history.head),
        mode: mode_word(history),
        recorded_from: history.recorded_from.map(|entry| entry.0),
        ruleset: &opened.ruleset,
        options: &opened.options,
        event: history.event.as_ref().and_then(CommittedText::text),
        date: opened.date.as_deref(),
        players: SeatPair { p1: history.names.p1.text(), p2: history.names.p2.text() },
        umpires: umpires(history, names),
        dmo: opened.dmo.map(|seat| seat.0.word()),
        items: &opened.items,
        source: history.source.as_ref().and_then(CommittedText::text),
        opened_at: history.opened_at.to_string(),
        last_at: history.last_at.to_string(),
        ended_at: history.ended.map(|(_, at)| at.to_string()),
        result: result_json(history.outcome(), history.is_ended()),
        highlights: HighlightsJson::of(Highlights::of(history)),
        asks: asks_json(&visible),
        start: state(&visible, Some(&history.start)),
        steps: steps.collect(),
        struck: history.strikes.iter().zip(&struck).map(|(strike, rows)| strike_json(&visible, strike, rows)).collect(),
        remarks: history.remarks.iter().map(remark_json).collect(),
    };
    // The value holds only strings, integers and states of the notation, so serializing cannot fail.
    let mut text = serde_json::to_string(&json).unwrap_or_default();
    text.push('\n');
    text
}

fn umpires<'n>(history: &History, names: &'n UmpireNames) -> BTreeMap<String, Option<&'n str>> {
    let all = history.umpires().into_iter().chain(history.remarks.iter().map(|remark| &remark.by));
    let ids = all.chain(history.strikes.iter().map(|strike| &strike.by)).filter_map(|by| match by {
        Author::Umpire(id) => Some(id.to_string()),
        _ => None,
    });
    ids.map(|id| (id.clone(), names.of(&id))).collect()
}

#[must_use]
pub fn result_json(outcome: Outcome, entered: bool) -> ResultJson {
    ResultJson {
        status: outcome.status(),
        winner: outcome.winner().map(engine::Seat::word),
        reason: outcome.reason(),
        entered,
    }
}

fn asks_json(visible: &VisibleMatch<'_>) -> Vec<AskJson> {
    let asks = open_asks(visible.history).into_iter();
    let ask = asks.map(|ask| AskJson {
        what: ask.what.to_string(),
        prompt: visible.name_in(&ask.prompt),
        clock_seconds: ask.clock_seconds,
        default: ask.default.to_string(),
        optional: ask.optional,
    });
    ask.collect()
}

fn state(visible: &VisibleMatch<'_>, duel: Option<&Duel>) -> Option<Box<RawValue>> {
    RawValue::from_string(visible.state(duel?)).ok()
}

fn step_json<'h>(visible: &VisibleMatch<'_>, step: &'h StepRecord, row: &'h str) -> StepJson<'h> {
    let moves = BySeat::from_fn(|seat| visible.seat_line(step, seat));
    StepJson {
        number: step.number,
        row,
        round: step.row.round,
        entry: step.entry.0,
        at: step.at.to_string(),
        dmn: visible.line(step),
        moves: moves.into(),
        digest: step.digest.to_string(),
        state: state(visible, step.after.as_ref()),
        effects: step.effects.iter().map(|effect| effect_json(visible, effect)).collect(),
    }
}

fn effect_json(visible: &VisibleMatch<'_>, effect: &Effect) -> EffectJson {
    EffectJson {
        seat: effect.seat.map(engine::Seat::word),
        subject: effect.subject.clone(),
        fate: effect.fate.word(),
        rule: effect.rule,
        text: visible.name_in(&effect.text),
    }
}

fn strike_json<'h>(visible: &VisibleMatch<'_>, strike: &'h Strike, rows: &'h [String]) -> StrikeJson<'h> {
    StrikeJson {
        entry: strike.entry.0,
        by: strike.by.to_string(),
        at: strike.at.to_string(),
        from_step: strike.from,
        corrected: strike.correction == Correction::First,
        reason: strike.reason.text(),
        steps: strike.struck.iter().zip(rows).map(|(step, row)| step_json(visible, step, row)).collect(),
    }
}

fn remark_json(remark: &Remark) -> RemarkJson<'_> {
    RemarkJson {
        entry: remark.entry.0,
        by: remark.by.to_string(),
        at: remark.at.to_string(),
        ruling: remark.ruling,
        warns: remark.warns().map(engine::Seat::word),
        rule: remark.rule.as_deref(),
        result: remark.result.map(|outcome| result_json(outcome, true)),
        after_step: remark.after_step,
        text: remark.text.text(),
    }
}

//! One match for programs: all of it, its entries, and its state.

use app::App;
use app::commands::Clock;
use app::views::{HeadJson, MatchJson, ResultJson, Seats, VisibleMatch, match_json, result_json};
use axum::response::Response;
use engine::{To, name_seats};
use record::body::{Closing, SeatPair};
use record::{History, OpenDecision};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::read_request::ReadRequest;
use super::request::{MatchSlug, Parameters, malformed};
use super::shapes::{AwaitedRoundJson, SeatWord, WaitsJson};
use web_http::{Answer, Problem, fresh};

/// How a match stands: what changes from step to step, and what is asked now.
#[derive(Serialize, ToSchema)]
pub(super) struct MatchState {
    #[serde(rename = "match")]
    #[schema(example = "3t16wed731")]
    slug: String,
    /// Whether it is practice: in no log and no list, and its umpire can delete it whole.
    #[schema(example = false)]
    practice: bool,
    head: HeadJson,
    ruleset: String,
    /// How answers come in as it stands: `live` (the players submit), `recorded` (an umpire types) or `imported`.
    #[schema(example = "live")]
    mode: &'static str,
    /// The entry of the ruling by which a live match goes on as recorded; null for every other match.
    recorded_from: Option<u32>,
    /// How many steps count.
    steps: usize,
    /// The round that comes, where rounds are numbered.
    round: Option<u32>,
    result: ResultJson,
    /// The state in the notation's words, as the public may see it.
    #[schema(value_type = Option<Object>)]
    state: Option<Box<RawValue>>,
    /// How many seconds, at most, everything sealed waits for the log's witnesses before it opens; null where it does not.
    wait: Option<u32>,
    /// Whether a question to both seats closes before its deadline once both call their answers final.
    early: bool,
    /// Whether its draws wait for the public beacon.
    beacon: bool,
    /// What is sealed and not open yet.
    waits: Option<WaitsJson>,
    /// The round of the public beacon that the next draw waits for. Hand it in at `round`, if this site does not have it.
    awaits: Option<AwaitedRoundJson>,
    /// What is asked of the seats. Answers name the decision.
    decisions: Vec<Decision>,
    /// What the host has to draw, if anything.
    draw: Option<Draw>,
}

/// A question that is open.
#[derive(Serialize, ToSchema)]
pub(super) struct Decision {
    #[schema(example = "d7")]
    pub(super) decision: String,
    /// A word for the kind of question.
    #[schema(example = "round")]
    pub(super) what: String,
    /// The question for people.
    #[schema(example = "Round 7: up to two actions")]
    pub(super) prompt: String,
    /// Who is asked.
    pub(super) seats: Vec<SeatWord>,
    /// `deadline`; `all-in`, the deadline, or before it once the last answers of both seats are final; `first-valid`; or
    /// `umpire`.
    pub(super) closes: &'static str,
    /// How long the rules give; 0 where nobody waits by a clock.
    pub(super) clock_seconds: u32,
    /// Until when what arrives is in time, where a clock closes it and runs.
    pub(super) deadline: Option<String>,
    /// The clock that closes it; null where none does.
    pub(super) clock: Option<ClockJson>,
    /// What counts when nothing comes.
    pub(super) default: Option<String>,
    /// Whether the match goes on without an answer.
    pub(super) optional: bool,
    /// The fields that an answer is sealed in.
    pub(super) fields: Vec<String>,
    /// The leaf hash of the entry that asked, 64 hex digits, which seals name.
    pub(super) asked: String,
}

/// A clock.
#[derive(Serialize, ToSchema)]
#[schema(as = Clock)]
pub(super) struct ClockJson {
    /// `waiting`, `running` or `paused`.
    state: &'static str,
    /// What the deadline comes to.
    #[schema(example = "asked 20:41:00 + 90 s + paused 35 s = 20:43:05")]
    sum: String,
    /// The extensions that each seat which is asked has left; they begin by themselves.
    #[schema(value_type = Seats<Option<u32>>)]
    extensions_left: SeatPair<Option<u32>>,
}

/// What the host has to draw.
#[derive(Serialize, ToSchema)]
struct Draw {
    prompt: String,
    /// Whether Matchbook draws by a key that was fixed before; else what was drawn elsewhere is typed in.
    by_key: bool,
}

impl Decision {
    pub(super) fn of(history: &History, open: &OpenDecision) -> Self {
        let ask = history.asks().into_iter().find(|ask| open.puts(ask));
        let names = history.both_names();
        // The time left changes constantly, but the state may change only with the head, so it contains the deadline.
        let clock = Clock::of(history, open, history.last_at);
        Self {
            decision: open.asked.decision.to_string(),
            what: open.asked.what.clone(),
            prompt: ask.as_ref().map(|ask| name_seats(&ask.prompt, names)).unwrap_or_default(),
            seats: open.asked.seats.iter().map(|seat| seat.0.into()).collect(),
            closes: match open.asked.closes {
                Closing::Deadline => "deadline",
                Closing::FirstValid => "first-valid",
                Closing::Umpire => "umpire",
                Closing::AllIn => "all-in",
            },
            clock_seconds: open.asked.clock,
            deadline: match &clock {
                Some(clock) => clock.deadline,
                None => open.asked.deadline,
            }
            .map(|deadline| deadline.to_string()),
            clock: clock.map(|clock| ClockJson {
                state: clock.state.word(),
                sum: clock.sum,
                extensions_left: SeatPair::from(clock.extensions.map(|extensions| extensions.map(|bank| bank.left))),
            }),
            default: ask.as_ref().map(|ask| name_seats(&ask.default, names)),
            optional: ask.is_some_and(|ask| ask.optional),
            fields: open.asked.fields.iter().map(ToString::to_string).collect(),
            asked: open.leaf.to_string(),
        }
    }
}

/// A match: every step with its state and effects, strikes, rulings
#[utoipa::path(get, path = "/api/v1/matches/{slug}", tag = "reading", operation_id = "readMatch",
    responses((status = 200, description = "The match as the public may see it. The tag names its head.", body = MatchJson<'_>)))]
pub(super) async fn whole(request: ReadRequest, slug: MatchSlug) -> Result<Response, Problem> {
    let history = request.app.matches.history_of(&slug.0).await?;
    let body = match_json(&history, &request.app.umpires.names()).into_bytes();
    Ok(fresh(&request.headers, history.head.leaf, Answer::data("application/json", body)))
}

/// How a match stands, and what is asked now
#[utoipa::path(get, path = "/api/v1/matches/{slug}/state", tag = "reading", operation_id = "readState",
    responses((status = 200, description = "The newest state. The tag names the head, and the count of witnesses while it waits for them: ask with If-None-Match as often as you like.", body = MatchState)))]
pub(super) async fn state(request: ReadRequest, slug: MatchSlug) -> Result<Response, Problem> {
    let history = request.app.matches.history_of(&slug.0).await?;
    let waits = WaitsJson::counted(&request.app, &history).await?;
    request.json(WaitsJson::tag(waits.as_ref(), history.head.leaf), &state_of(&request.app, &history, waits))
}

fn state_of(app: &App, history: &History, waits: Option<WaitsJson>) -> MatchState {
    let shown = VisibleMatch::public(history);
    let ended = history.is_ended();
    let draws = history.asks().into_iter().find(|ask| ask.to == To::Host && !ended);
    MatchState {
        slug: app::slug(history.match_id),
        practice: history.origin.is_practice(),
        head: HeadJson::of(history.head),
        ruleset: history.opened.ruleset.clone(),
        mode: app::archive::mode_word(history),
        recorded_from: history.recorded_from.map(|entry| entry.0),
        steps: history.steps.len(),
        round: history.duel().coming_round(),
        result: result_json(history.outcome(), ended),
        state: RawValue::from_string(shown.state(history.duel())).ok(),
        wait: history.opened.wait,
        early: history.opened.early,
        beacon: history.beacon().is_some(),
        waits,
        awaits: AwaitedRoundJson::of(app, history),
        decisions: if ended {
            Vec::new()
        } else {
            let open = history.open.iter().filter(|open| open.sealed.is_empty());
            open.map(|open| Decision::of(history, open)).collect()
        },
        draw: draws.map(|ask| Draw { prompt: shown.name_in(&ask.prompt), by_key: history.due_draw().is_some() }),
    }
}

/// Which entries.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Since {
    /// The first entry's number, from 0: what a program has seen, it need not read again.
    #[param(maximum = 2147483647)]
    from: Option<u32>,
}

/// The entries of a match, verbatim, one a line
///
/// Byte for byte what is hashed: `docs/record-format.md` tells how to check them.
#[utoipa::path(get, path = "/api/v1/matches/{slug}/entries", tag = "reading", operation_id = "readEntries",
    params(Since),
    responses((status = 200, description = "The entries from there on; nothing where there are none yet.", body = String, content_type = "application/x-ndjson")))]
pub(super) async fn entries(
    ReadRequest { app, headers }: ReadRequest,
    slug: MatchSlug,
    Parameters(Since { from }): Parameters<Since>,
) -> Result<Response, Problem> {
    if from.is_some_and(|from| i32::try_from(from).is_err()) {
        return Err(malformed("No match has so many entries."));
    }
    let _turn = app.matches.turn_to_read().await;
    let bundle = app.public_log.bundle(slug.id(&app).await?).await?;
    let from = usize::try_from(from.unwrap_or(0)).unwrap_or(usize::MAX);
    let body = bundle.lines.iter().skip(from).flat_map(|line| line.iter().chain(b"\n")).copied().collect();
    Ok(fresh(&headers, bundle.head.leaf, Answer::data("application/x-ndjson", body)))
}

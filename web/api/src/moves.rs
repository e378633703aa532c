//! The input of an umpire for the seats: read back, recorded, typed, closed.

use app::AppError;
use app::account::player;
use app::commands::{TypedMove, TypedOutcome};
use app::submissions::{SubmissionRefusal, last_of};
use app::views::LineReading;
use axum::http::StatusCode;
use axum::response::Response;
use engine::{BySeat, Party, Seat, name_seats};
use ledger::{Author, DecisionId};
use record::History;
use record::limits::{MOVE_MAX_CHARS, too_long};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::json;
use super::instant::Instant;
use super::match_context::{MatchContext, OwnMatch, refused};
use super::request::{Body, malformed};
use super::shapes::{Lines, MatchStatus, SeatWord};
use web_http::Problem;

/// What the seats sent for a decision.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Moves, example = json!({ "decision": "d1", "moves": { "p1": "score grow", "p2": "-" } }))]
pub(super) struct Moves {
    /// The decision.
    #[schema(pattern = "^[a-z0-9-]{1,32}$", example = "d1")]
    decision: String,
    /// A line for every seat that is asked; `-` for no move.
    moves: Lines,
    /// When each seat sent it elsewhere; left out, now.
    #[serde(default)]
    sent_at: Times,
}

/// When each seat sent something.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Times {
    #[schema(nullable = false)]
    p1: Option<Instant>,
    #[schema(nullable = false)]
    p2: Option<Instant>,
}

/// A line of one seat.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SeatLine {
    /// The decision.
    #[schema(pattern = "^[a-z0-9-]{1,32}$", example = "d1")]
    decision: String,
    seat: SeatWord,
    /// The line, as the notation has it.
    #[schema(min_length = 1, max_length = 600, example = "score grow")]
    text: String,
}

/// A line of one seat, and when it was sent.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = TypedLine)]
pub(super) struct TypedLineJson {
    /// The decision.
    #[schema(pattern = "^[a-z0-9-]{1,32}$", example = "d1")]
    decision: String,
    seat: SeatWord,
    /// The line, as the notation has it.
    #[schema(min_length = 1, max_length = 600, example = "score grow")]
    text: String,
    /// When the player sent it elsewhere; left out, now.
    #[schema(nullable = false)]
    sent_at: Option<Instant>,
}

/// What became of a line that was typed for a seat.
#[derive(Serialize, ToSchema)]
#[schema(as = Typed)]
struct LineOutcome {
    /// Whether it had been sent too late: then it is kept, and only a ruling lets it count.
    late: bool,
    /// How the match stands.
    stands: MatchStatus,
}

/// A decision.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DecisionName {
    #[schema(pattern = "^[a-z0-9-]{1,32}$", example = "d1")]
    decision: String,
}

/// A line, read back.
#[derive(Serialize, ToSchema)]
struct ReadBack {
    /// `valid`, `invalid`, `defaulted` or `nothing`.
    state: &'static str,
    /// The move in full words.
    words: String,
    /// What one should know before standing by it.
    notes: Vec<String>,
    /// What is wrong with it.
    error: Option<String>,
    /// The clause that says so.
    rule: Option<&'static str>,
}

/// What came for open decisions so far.
#[derive(Serialize, ToSchema)]
struct ReceivedList {
    /// Whether you may read what the seats send before it closes. That was chosen when the match was opened.
    looks: bool,
    decisions: Vec<ReceivedFor>,
}

/// What came for one decision.
#[derive(Serialize, ToSchema)]
struct ReceivedFor {
    #[schema(example = "d1")]
    decision: String,
    seats: Vec<ReceivedOf>,
}

/// What came from one seat.
#[derive(Serialize, ToSchema)]
struct ReceivedOf {
    seat: SeatWord,
    /// Whether something valid is there.
    valid: bool,
    /// `player` or `umpire`: who sent it.
    sent_by: Option<&'static str>,
    /// When it was sent; of a player's only where you may look.
    sent_at: Option<String>,
    /// What it says, in the notation; only where you may look.
    text: Option<String>,
    /// Whether the seat has a link, and so submits by itself.
    by_itself: bool,
}

pub(super) fn decision(text: &str) -> Result<DecisionId, Problem> {
    text.parse().map_err(|_| malformed("A decision is named as the state names it, such as d7."))
}

pub(super) fn submission_refused(history: &History, refusal: SubmissionRefusal) -> Problem {
    match refusal {
        SubmissionRefusal::App(error) => refused(history, error),
        refusal => {
            let problem = Problem::from(refusal);
            let detail = name_seats(&problem.detail, history.both_names());
            problem.saying(detail)
        }
    }
}

/// Read a line back, and record nothing
#[utoipa::path(post, path = "/api/v1/matches/{slug}/read", tag = "umpire", operation_id = "readLine", request_body = SeatLine,
    responses((status = 200, description = "What it means.", body = ReadBack)))]
pub(super) async fn read(OwnMatch { history, .. }: OwnMatch, Body(line): Body<SeatLine>) -> Result<Response, Problem> {
    let decision = decision(&line.decision)?;
    let open = history.open.iter().find(|open| open.asked.decision == decision);
    let open = open.ok_or_else(|| refused(&history, AppError::Overtaken))?;
    let read = LineReading::read(&history, history.duel(), Party::Seat(line.seat.into()), &open.asked.what, &line.text);
    let read = ReadBack {
        state: read.state.word(),
        words: read.words,
        notes: read.notes,
        rule: read.error.as_ref().and_then(|fault| fault.rule),
        error: read.error.map(|fault| fault.text),
    };
    json(StatusCode::OK, &read)
}

/// Record what both seats sent for a decision
///
/// In a recorded match: seals the lines, closes the decision and plays the step.
#[utoipa::path(post, path = "/api/v1/matches/{slug}/moves", tag = "umpire", operation_id = "recordMoves", request_body = Moves,
    responses((status = 200, description = "Recorded: the current match.", body = MatchStatus)))]
pub(super) async fn record(on: MatchContext, Body(body): Body<Moves>) -> Result<Response, Problem> {
    let (decision, moves) = (decision(&body.decision)?, body.moves.by_seat().map(|line| line.map(str::to_owned)));
    let sent = &body.sent_at;
    let times = BySeat {
        p1: Instant::read_some(sent.p1.as_ref(), "sent_at.p1")?,
        p2: Instant::read_some(sent.p2.as_ref(), "sent_at.p2")?,
    };
    for line in Seat::BOTH.into_iter().filter_map(|seat| moves[seat].as_ref()) {
        fits(line)?;
    }
    // A line for a seat that is not asked would be lost silently.
    let open = on.history.open.iter().find(|open| open.asked.decision == decision);
    if let Some(open) = open
        && Seat::BOTH.into_iter().any(|seat| moves[seat].is_some() && !app::recorder::asks(open, seat))
    {
        return Err(Problem::refused("This decision does not ask both seats. Send a line for the seat that is asked."));
    }
    let recorded = on.app.commands.record_sent(&on.act, on.match_id, &decision, &moves, times).await;
    let recorded = recorded.map_err(|error| refused(&on.history, error))?;
    json(StatusCode::OK, &MatchStatus::of(&recorded))
}

fn fits(line: &str) -> Result<(), Problem> {
    too_long(line, MOVE_MAX_CHARS).map_or(Ok(()), |why| Err(Problem::refused(why)))
}

/// Type for a seat of a live match
///
/// What is typed stands in the place of what the seat has sent so far. The decision stays open.
#[utoipa::path(post, path = "/api/v1/matches/{slug}/typed", tag = "umpire", operation_id = "typeForSeat", request_body = TypedLineJson,
    responses((status = 200, description = "Stored, or kept as late.", body = LineOutcome)))]
pub(super) async fn type_for(on: MatchContext, Body(line): Body<TypedLineJson>) -> Result<Response, Problem> {
    let decision = decision(&line.decision)?;
    fits(&line.text)?;
    let at = Instant::read_some(line.sent_at.as_ref(), "sent_at")?;
    let (seat, text) = (line.seat.into(), line.text.as_str());
    let typed = TypedMove { decision: &decision, seat, text, sent: at, is_edited: false };
    let typed = on.app.commands.type_sent(&on.act, on.match_id, typed).await;
    let late = typed.map_err(|refusal| submission_refused(&on.history, refusal))? == TypedOutcome::Late;
    json(StatusCode::OK, &LineOutcome { late, stands: MatchStatus::of(&on.history) })
}

/// Close a decision of a live match now, with what came until then
#[utoipa::path(post, path = "/api/v1/matches/{slug}/close", tag = "umpire", operation_id = "closeDecision", request_body = DecisionName,
    responses((status = 200, description = "Closed, and the step is played.", body = MatchStatus)))]
pub(super) async fn close(on: MatchContext, Body(named): Body<DecisionName>) -> Result<Response, Problem> {
    let decision = decision(&named.decision)?;
    if !on.history.is_live() {
        return Err(Problem::refused(
            "You type for both seats of this match: record their moves, and the decision closes.",
        ));
    }
    on.answer(on.app.recorder.close_now(&on.act, on.match_id, &decision).await)
}

/// Whether the seats have sent something valid; and what, where you may look
#[utoipa::path(get, path = "/api/v1/matches/{slug}/received", tag = "umpire", operation_id = "readReceived",
    responses((status = 200, description = "Each open decision of a live match.", body = ReceivedList)))]
pub(super) async fn received(OwnMatch { umpire, match_id, history }: OwnMatch) -> Result<Response, Problem> {
    let app = &umpire.app;
    let links = player::seats_with_links(app.pool(), match_id).await?;
    let looks = history.umpire_looks() == Some(true);
    let mut decisions = Vec::new();
    for open in history.open.iter().filter(|_| !history.is_ended()) {
        let rows = app.submissions.received(match_id, &open.asked.decision).await?;
        let mut seats = Vec::new();
        for seat in open.asked.seats.iter().map(|seat| seat.0) {
            let last = last_of(&rows, seat);
            let by_player = last.map(|row| matches!(row.sent_by, Some(Author::P1 | Author::P2)));
            // The time of an answer stays private to the player while the umpire may not read it.
            let sent_at = last.filter(|_| looks || by_player == Some(false)).map(|row| row.at.to_string());
            seats.push(ReceivedOf {
                seat: seat.into(),
                valid: last.is_some(),
                sent_by: by_player.map(|player| if player { "player" } else { "umpire" }),
                sent_at,
                text: if looks { app.umpires.content(&history, open, seat).await? } else { None },
                by_itself: links[seat],
            });
        }
        decisions.push(ReceivedFor { decision: open.asked.decision.to_string(), seats });
    }
    json(StatusCode::OK, &ReceivedList { looks, decisions })
}

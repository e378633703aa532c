//! The questions of a live match. The players answer by themselves; the umpire sees that they answered, but not their
//! answers. The umpire can type an answer that a player sent elsewhere, and close a decision early.

use app::App;
use app::account::{chat, player};
use app::recorder::{LateFate, LateInput};
use app::submissions::last_of;
use app::views::{LineReading, VisibleMatch};
use askama::Template;
use axum::response::{IntoResponse, Redirect, Response};
use engine::Seat;
use ledger::{Author, DecisionId, Moment, SubmitId};
use record::words::{listed, row_words};
use record::{History, OpenDecision, StepRecord, StepSource};

use super::console;
use super::form_data::FormData;
use super::form_state::admission;
use super::match_context::MatchContext;
use super::question::{AskedSeat, Question, TypedLines};
use super::sent_at;
use page::{When, clock};
use web_http::Problem;

const AFTER_EXTENSIONS: &str = "once the three extensions are used, ";

const AFTER_CLOSE_SHOWN: usize = 4;

#[derive(Debug)]
pub(super) struct LiveQuestion {
    pub(super) question: Question,
    pub(super) closes: ClosingTime,
    pub(super) seats: Vec<LiveSeat>,
    pub(super) looks: bool,
    pub(super) unsure: bool,
}

#[derive(Debug)]
pub(super) struct LiveSeat {
    pub(super) asked: AskedSeat,
    pub(super) state: &'static str,
    pub(super) phrase: &'static str,
    pub(super) sent_when: Option<When>,
    pub(super) content: Option<String>,
    pub(super) late: Vec<LateLine>,
    pub(super) by_itself: bool,
    pub(super) signs: bool,
    pub(super) lost: bool,
}

const HIDDEN_LATE: &str = "sent by the player; shown after the close";

pub(super) async fn leave_out(context: MatchContext, sent: FormData) -> Result<Response, Problem> {
    let late: SubmitId =
        sent.text("late").parse().map_err(|_| Problem::refused("Which late move? Open the console again."))?;
    context.app.recorder.leave_out_late(context.match_id, late).await?;
    Ok(Redirect::to(&console::address(&context.slug)).into_response())
}

#[derive(Debug)]
pub(super) struct AfterClose {
    pub(super) form: String,
    pub(super) seat: Seat,
    pub(super) name: String,
    pub(super) text: String,
    pub(super) how: &'static str,
    pub(super) at: When,
    pub(super) by: String,
    pub(super) step: Option<u32>,
    pub(super) round: String,
    pub(super) moves: Vec<(Seat, String)>,
}

/// The answers that came after their question was closed, as long as its row is the last, or nothing was played since it was
/// asked, and nobody left them out.
pub(super) async fn after_close(app: &App, history: &History) -> Result<Vec<AfterClose>, Problem> {
    if !history.is_live() || history.is_ended() {
        return Ok(Vec::new());
    }
    let late = app.recorder.all_late_inputs(history.match_id).await?;
    let now = app.system().now();
    let closed = late.iter().rev().filter(|late| !history.open.iter().any(|open| open.asked.decision == late.decision));
    let (rows, visible) = (history.rows(), VisibleMatch::umpire(history));
    let in_last_row = |step: u32| rows.last().is_some_and(|row| row.steps.iter().any(|other| other.number == step));
    let played = history.steps.last().map(|step| step.entry);
    let asked = |late: &LateInput| history.questions.get(&late.decision).map(|question| question.entry);
    let left = closed.filter(|late| !late.is_left_out).filter_map(|late| match late.fate(history) {
        LateFate::Left(Some(step)) => in_last_row(step).then_some((late, Some(step))),
        LateFate::Left(None) => (asked(late) > played).then_some((late, None)),
        LateFate::Counts | LateFate::Struck => None,
    });
    let shown = left.take(AFTER_CLOSE_SHOWN).map(|(late, step)| {
        let is_it = |other: &StepRecord| Some(other.number) == step;
        let row = rows.iter().find(|row| row.steps.iter().any(|other| is_it(other)));
        let step = row.and_then(|row| row.steps.iter().copied().find(|other| is_it(other)));
        let line = |seat: Seat| match step {
            _ if seat == late.seat => late.text().to_owned(),
            Some(step) => visible.seat_line(step, seat).unwrap_or_default().to_owned(),
            None => String::new(),
        };
        AfterClose {
            form: late.form.to_string(),
            seat: late.seat,
            name: history.name(late.seat).to_owned(),
            text: late.text().to_owned(),
            how: late.time_word(),
            at: When::second_on(late.sent, now),
            by: closed_at(history, &late.decision)
                .and_then(|at| sent_at::after_close(at, late.sent))
                .unwrap_or_default(),
            step: step.map(|step| step.number),
            round: row.map(|row| row_words(&row.label).to_lowercase()).unwrap_or_default(),
            moves: Seat::BOTH.map(|seat| (seat, line(seat))).into(),
        }
    });
    Ok(shown.collect())
}

pub(super) async fn taken_back(app: &App, history: &History) -> Result<Vec<String>, Problem> {
    let played = history.steps.last().map(|step| step.entry);
    let is_open = |decision: &DecisionId| history.open.iter().any(|open| open.asked.decision == *decision);
    let gone = history.questions.iter().filter(|(decision, asked)| Some(asked.entry) > played && !is_open(decision));
    let mut told = Vec::new();
    for (decision, _) in gone.filter(|_| !history.is_ended() && !history.outcome().is_over()) {
        let rows = app.submissions.received(history.match_id, decision).await?;
        let is_sealed =
            |seat: Seat| history.seals.iter().any(|seal| seal.whose == seat.into() && seal.decision == *decision);
        for seat in Seat::BOTH.into_iter().filter(|seat| last_of(&rows, *seat).is_some() && !is_sealed(*seat)) {
            told.push(format!("{}\u{2019}s move, {}", history.name(seat), history.coming_words(decision)));
        }
    }
    Ok(told)
}

fn closed_at(history: &History, decision: &DecisionId) -> Option<Moment> {
    let seals = history.seals.iter().filter(|seal| seal.asked.is_some() && seal.decision == *decision);
    let answers = StepSource::Decision(decision.clone());
    let resolved = || history.steps.iter().find(|step| step.source == answers).map(|step| step.at);
    seals.map(|seal| seal.at).min().or_else(resolved)
}

#[derive(Debug)]
pub(super) struct LateLine {
    pub(super) form: String,
    pub(super) text: String,
    /// `arrived`, or `sent` where the umpire typed when it was sent.
    pub(super) how: &'static str,
    pub(super) at: When,
    pub(super) by: String,
}

impl LiveQuestion {
    pub(super) fn is_complete(&self) -> bool {
        self.seats.iter().all(LiveSeat::is_valid)
    }

    pub(super) fn is_begun(&self) -> bool {
        self.unsure || self.question.is_begun() || self.seats.iter().any(|seat| seat.state != "nothing")
    }

    pub(super) fn has_lost(&self) -> bool {
        self.seats.iter().any(|seat| seat.lost)
    }

    pub(super) fn missing(&self) -> String {
        let missing = self.seats.iter().filter(|seat| !seat.is_valid()).map(|seat| seat.asked.name.clone());
        let missing: Vec<String> = missing.collect();
        format!("{} {}", listed(&missing), if missing.len() == 1 { "has" } else { "have" })
    }

    pub(super) fn asks_to_close(&self) -> String {
        let missing = self.seats.iter().filter(|seat| !seat.is_valid()).map(|seat| seat.asked.name.clone());
        match missing.collect::<Vec<_>>().as_slice() {
            [one] => format!("Close without {one}’s move?"),
            several => format!("Close without the moves of {}?", listed(several)),
        }
    }

    pub(super) fn consequence(&self) -> String {
        if self.has_lost() {
            return "A move was sealed under a lost key. If you close now, the round stays sealed, and you have to rule."
                .to_owned();
        }
        if self.is_complete() {
            return String::new();
        }
        format!("{} not answered. {}", self.missing(), closing_now(&self.question.default))
    }

    pub(super) fn admission(&self, seat: &LiveSeat) -> String {
        admission(&self.question.decision, seat.asked.line.seat)
    }

    pub(super) fn waits_for_links(&self) -> bool {
        self.seats.iter().all(|seat| !seat.by_itself && !seat.is_valid())
    }
}

impl LiveSeat {
    pub(super) fn is_valid(&self) -> bool {
        self.state == "valid"
    }

    pub(super) const fn sent_word(&self) -> &'static str {
        // Whether it is final is for the player alone, until the close.
        if self.by_itself { "Sent" } else { "Saved" }
    }

    pub(super) fn has_late(&self) -> bool {
        !self.late.is_empty()
    }
}

pub(super) async fn questions(
    app: &App,
    history: &History,
    asked: Vec<Question>,
    typed: Option<&TypedLines>,
) -> Result<Vec<LiveQuestion>, Problem> {
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let links =
        player::seats_with_links(app.pool(), history.match_id).await.map_err(|error| Problem::broken(&error))?;
    let looks = history.umpire_looks() == Some(true);
    let chat = chat::any_in(app.pool(), history.match_id).await.map_err(|error| Problem::broken(&error))?;
    let mut questions = Vec::new();
    for mut question in asked {
        let is = |open: &&OpenDecision| open.asked.decision.as_str() == question.decision;
        let Some(open) = history.open.iter().find(is) else { continue };
        let mut seats = Vec::new();
        for asked in question.seats.drain(..) {
            if let Some(seat) = asked.party.seat() {
                seats.push(LiveSeat::of(app, history, open, (seat, asked), (links[seat], looks)).await?);
            }
        }
        let all_by_themselves = open.asked.seats.iter().all(|seat| links[seat.0]);
        let closes = closes(history, open, all_by_themselves, chat, app.system().now());
        // A move may have come since it was asked.
        let unsure = typed.is_some_and(|typed| typed.unsure && typed.decision == question.decision)
            && seats.iter().any(|seat| !seat.is_valid());
        questions.push(LiveQuestion { question, closes, seats, looks, unsure });
    }
    // The cursor goes to the first line for the umpire to type that has no answer yet.
    let waited_for = questions.iter_mut().filter(|live| !live.question.optional);
    let mut lines = waited_for.flat_map(|live| &mut live.seats);
    if let Some(next) = lines.find(|seat| !seat.is_valid() && !seat.by_itself) {
        next.asked.first = true;
    }
    Ok(questions)
}

impl LiveSeat {
    async fn of(
        app: &App,
        history: &History,
        open: &OpenDecision,
        (seat, asked): (Seat, AskedSeat),
        (by_itself, looks): (bool, bool),
    ) -> Result<Self, Problem> {
        let (match_id, decision) = (history.match_id, &open.asked.decision);
        let when = |at| Some(When::second_on(at, app.system().now()));
        let rows = app.submissions.received(match_id, decision).await?;
        let mut late = match history.admitted(decision, seat) {
            Some(_) => Vec::new(),
            None => app.recorder.late_inputs(match_id, decision).await?,
        };
        late.retain(|late| late.seat == seat && !late.is_left_out);
        let last = last_of(&rows, seat);
        let lost = match last {
            Some(last) => app.umpires.is_lost(history, open, last).await?,
            None => false,
        };
        let (state, phrase, sent_when) = match last.map(|row| (&row.sent_by, row.at)) {
            Some(_) if lost => ("nothing", "sealed under a lost key: ask for it again", None),
            None if !late.is_empty() => ("late", "late, not admitted", None),
            None => ("nothing", "nothing yet", None),
            Some((Some(Author::Umpire(_)) | None, at)) => ("valid", "valid, typed by the umpire, sent", when(at)),
            // The time of an answer stays private to the player while the umpire may not read it.
            Some((Some(_), at)) if looks => ("valid", "valid, sent by the player", when(at)),
            Some((Some(_), _)) => ("valid", "valid, sent by the player", None),
        };
        let words = |text: &str| {
            let words = LineReading::read(history, history.duel(), seat, &open.asked.what, text).words;
            if words.is_empty() { text.to_owned() } else { words }
        };
        let content = if looks { app.umpires.content(history, open, seat).await? } else { None };
        let late = late.iter().map(|late| LateLine {
            form: late.form.to_string(),
            text: if looks || !late.is_of_player() { words(late.text()) } else { HIDDEN_LATE.to_owned() },
            how: late.time_word(),
            at: When::second(late.sent),
            by: sent_at::lateness(history, open, late.sent).unwrap_or_default(),
        });
        Ok(Self {
            state,
            phrase,
            sent_when,
            content: content.map(|text| words(&text)),
            late: late.collect(),
            by_itself,
            signs: history.keys[seat].is_some(),
            lost,
            asked: AskedSeat { first: false, ..asked },
        })
    }
}

#[derive(Debug, Template)]
#[template(source = "{{ before }}{% if let Some(at) = at %} {{ at|safe }}{{ after }}{% endif %}", ext = "html")]
pub(super) struct ClosingTime {
    before: String,
    at: Option<When>,
    after: &'static str,
}

fn closes(history: &History, open: &OpenDecision, all_have_links: bool, chat: bool, now: Moment) -> ClosingTime {
    use record::body::Closing;
    let plain = |words: &str| ClosingTime { before: words.to_owned(), at: None, after: "" };
    let around = |before: &str, at: Moment, after: &'static str| ClosingTime {
        before: before.to_owned(),
        at: Some(When::second_on(at, now)),
        after,
    };
    let clock_of = history.clock(&open.asked.decision);
    match (open.asked.closes, clock_of.and_then(record::Clock::deadline)) {
        (Closing::Deadline | Closing::AllIn, None) => match clock_of.map(|clock| &clock.state) {
            Some(record::ClockState::Waiting) => plain("The clock has not started."),
            _ => plain("The clock is paused."),
        },
        (Closing::FirstValid, None) => plain("Closes with the first valid move."),
        (Closing::FirstValid, Some(due)) => around("Closes with the first valid move, or at", due, "."),
        (_, Some(due)) if all_have_links => {
            let grace = if chat { " (+3 s grace for the chat)." } else { " (+1 s grace)." };
            let before = match open.asked.closes {
                Closing::AllIn => "Closes once both call their move final, or at",
                _ => "Closes",
            };
            around(before, due, grace)
        }
        (_, Some(due)) => around("Due at", due, ". A seat has no link, so you close it."),
        (_, None) => match clock(open.asked.clock) {
            clock if clock.is_empty() => plain("You close it."),
            clock => plain(&format!("You close it: no clock runs. The rules give {clock}.")),
        },
    }
}

/// What closing without a move does. Only the clock waits for extensions, and not who closes by hand.
fn closing_now(default: &str) -> String {
    match default.strip_prefix(AFTER_EXTENSIONS).unwrap_or(default) {
        "the turn ends" => "Closing now ends the turn.".to_owned(),
        default => format!("Closing now counts as no move: {default}."),
    }
}

#[cfg(test)]
mod tests {
    use super::closing_now;

    #[test]
    fn closing_by_hand_waits_for_no_extension() {
        assert_eq!(closing_now("nothing is played"), "Closing now counts as no move: nothing is played.");
        assert_eq!(closing_now("once the three extensions are used, the turn ends"), "Closing now ends the turn.");
        let passes = "Closing now counts as no move: the turn passes.";
        assert_eq!(closing_now("once the three extensions are used, the turn passes"), passes);
    }
}

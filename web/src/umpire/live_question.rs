//! The questions of a live match. The players answer by themselves; the umpire sees that they answered, but not their
//! answers. The umpire can type an answer that a player sent elsewhere, and close a decision early.

use app::account::{chat, player};
use app::book::{Book, BookError, SubmissionRefusal, TypedFor, asks, last_of};
use askama::Template;
use axum::response::{IntoResponse, Redirect, Response};
use engine::{Form, Party, Seat, name_seats};
use ledger::{By, DecisionId, Moment, Seq};
use record::limits::{MOVE_MAX_CHARS, too_long};
use record::words::sentence;
use record::{History, OpenDecision, StepSource};

use super::console::{self, Brought};
use super::match_context::Chair;
use super::question::{Typed, mark};
use super::sent::Sent;
use super::sent_at;
use crate::page::typed::Line;
use crate::page::vocabulary::Vocabulary;
use crate::page::{Problem, When, clock};

/// The number of answers after the close that are shown.
const AFTER_CLOSE_SHOWN: usize = 4;

/// An open decision of a live match.
#[derive(Debug)]
pub(super) struct LiveQuestion {
    pub(super) decision: String,
    /// The question.
    pub(super) prompt: String,
    /// The time when it closes.
    pub(super) closes: Closes,
    /// The default when no answer comes.
    pub(super) default: String,
    /// True if the match goes on without an answer.
    pub(super) optional: bool,
    /// The seats that are asked.
    pub(super) seats: Vec<LiveSeat>,
    /// True if the umpire may read the answers.
    pub(super) looks: bool,
    /// A description of the answer if there are too many to list, and an example line.
    pub(super) line: Option<(String, String)>,
    /// The words to type, if they can be listed.
    pub(super) vocabulary: Vocabulary,
    pub(super) form: String,
}

/// A seat that is asked.
#[derive(Debug)]
pub(super) struct LiveSeat {
    /// `p1` or `p2`.
    pub(super) id: &'static str,
    /// The player.
    pub(super) name: String,
    /// `1` or `2`.
    pub(super) mark: &'static str,
    /// `nothing`, `valid` or `late`.
    pub(super) state: &'static str,
    /// The state in words.
    pub(super) phrase: &'static str,
    /// The time when the current answer was sent, if the umpire may know.
    pub(super) sent_when: Option<When>,
    /// The current answer, if the umpire may read it.
    pub(super) content: Option<String>,
    /// Late answers, which do not count so far.
    pub(super) late: Vec<LateLine>,
    /// True if it has a link, and so submits by itself.
    pub(super) by_itself: bool,
    pub(super) signs: bool,
    /// The refused input for it, with its time.
    pub(super) line: Line,
    pub(super) sent: String,
    /// True if the page opens with the cursor here.
    pub(super) first: bool,
}

/// The placeholder for a player's line that the umpire may not read yet.
const HIDDEN_LATE: &str = "sent by the player; shown once the question is closed";

/// An answer that came after its question was closed.
#[derive(Debug)]
pub(super) struct AfterClose {
    /// The player.
    pub(super) name: String,
    /// The line.
    pub(super) text: String,
    /// The time of sending.
    pub(super) sent: When,
    /// The step of the question, which can be corrected.
    pub(super) step: Option<u32>,
}

/// The latest answers that came after their question was closed.
pub(super) async fn after_close(book: &Book, history: &History) -> Result<Vec<AfterClose>, Problem> {
    if !history.is_live() || history.is_ended() {
        return Ok(Vec::new());
    }
    let late = book.all_late_inputs(history.match_id).await?;
    let now = book.mint().now();
    let closed = late.iter().rev().filter(|late| !history.open.iter().any(|open| open.asked.decision == late.decision));
    let closed = closed.filter(|late| history.admitted(&late.decision, late.seat).is_none());
    Ok(closed
        .take(AFTER_CLOSE_SHOWN)
        .map(|late| AfterClose {
            name: history.name(late.seat).to_owned(),
            text: late.text().to_owned(),
            sent: When::second_on(late.sent, now),
            step: history
                .steps
                .iter()
                .find(|step| step.source == StepSource::Decision(late.decision.clone()))
                .map(|step| step.number),
        })
        .collect())
}

/// A late line of a seat.
#[derive(Debug)]
pub(super) struct LateLine {
    /// The line.
    pub(super) text: String,
    /// The time of sending.
    pub(super) sent: When,
    /// The delay after the deadline.
    pub(super) by: String,
}

impl LiveQuestion {
    /// True if every seat that is asked has sent a valid answer.
    pub(super) fn is_complete(&self) -> bool {
        self.seats.iter().all(LiveSeat::is_valid)
    }

    /// True if nobody can have answered, because there is no link yet.
    pub(super) fn waits_for_links(&self) -> bool {
        self.seats.iter().all(|seat| !seat.by_itself && !seat.is_valid())
    }
}

impl LiveSeat {
    /// True if it has a valid answer.
    pub(super) fn is_valid(&self) -> bool {
        self.state == "valid"
    }

    /// True if it has a late answer that nobody admitted.
    pub(super) fn has_late(&self) -> bool {
        !self.late.is_empty()
    }
}

/// The open decisions of a live match; none for another match.
pub(super) async fn questions(
    book: &Book,
    history: &History,
    typed: Option<&Typed>,
    fresh: impl Fn() -> String,
) -> Result<Vec<LiveQuestion>, Problem> {
    if !history.is_live() || history.is_ended() {
        return Ok(Vec::new());
    }
    let links = player::by_themselves(book.pool(), history.match_id).await.map_err(|error| Problem::broken(&error))?;
    let looks = book.umpire_looks(history.match_id).await?;
    let chat = chat::any_in(book.pool(), history.match_id).await.map_err(|error| Problem::broken(&error))?;
    let mut questions = Vec::new();
    for ask in history.asks() {
        let Some(open) = history.open.iter().find(|open| open.puts(&ask)) else { continue };
        let asked: Vec<Seat> = Seat::BOTH.into_iter().filter(|one| asks(open, *one)).collect();
        let mut seats = Vec::new();
        for seat in &asked {
            seats.push(seated(book, history, open, *seat, typed, (links[*seat], looks)).await?);
        }
        let forms: Vec<(Party, Form)> =
            asked.iter().filter_map(|seat| Some(((*seat).into(), history.form(*seat, ask.what)?))).collect();
        let line = forms.iter().find_map(|(_, form)| match form {
            Form::Line { hint, example, .. } => {
                Some((sentence(&name_seats(hint, history.both_names())), example.clone()))
            }
            _ => None,
        });
        questions.push(LiveQuestion {
            decision: open.asked.decision.to_string(),
            prompt: name_seats(&ask.prompt, history.both_names()),
            closes: closes(history, open, open.asked.seats.iter().all(|seat| links[seat.0]), chat, book.mint().now()),
            default: name_seats(ask.default, history.both_names()),
            optional: ask.optional,
            vocabulary: Vocabulary::of(history.duel(), &ask, &forms),
            line,
            seats,
            looks,
            form: fresh(),
        });
    }
    // The cursor goes to the first line for the umpire to type that has no answer yet.
    let mut lines = questions.iter_mut().filter(|question| !question.optional).flat_map(|question| &mut question.seats);
    if let Some(next) = lines.find(|seat| !seat.is_valid() && !seat.by_itself) {
        next.first = true;
    }
    Ok(questions)
}

/// A seat that is asked, as the umpire may see it.
async fn seated(
    book: &Book,
    history: &History,
    open: &OpenDecision,
    seat: Seat,
    typed: Option<&Typed>,
    (by_itself, looks): (bool, bool),
) -> Result<LiveSeat, Problem> {
    let (match_id, decision) = (history.match_id, &open.asked.decision);
    let when = |at| Some(When::second_on(at, book.mint().now()));
    let rows = book.received(match_id, decision).await?;
    let last = last_of(&rows, seat);
    let late = match history.admitted(decision, seat) {
        Some(_) => Vec::new(),
        None => book.late_inputs(match_id, decision).await?,
    };
    let (state, phrase, sent_when) = match last.map(|row| (&row.sent_by, row.at)) {
        None if late.iter().any(|late| late.seat == seat) => ("late", "late, and not admitted", None),
        None => ("nothing", "nothing yet", None),
        Some((Some(By::Umpire(_)) | None, at)) => ("valid", "valid, typed by the umpire, sent", when(at)),
        // The time of an answer stays private to the player while the umpire may not read it.
        Some((Some(_), at)) if looks => ("valid", "valid, sent by the player", when(at)),
        Some((Some(_), _)) => ("valid", "valid, sent by the player", None),
    };
    let read = |text: &str| Line::read(history, history.duel(), seat, &open.asked.what, text);
    let words =
        |text: &str| Some(read(text).words).filter(|words| !words.is_empty()).unwrap_or_else(|| text.to_owned());
    let content = if looks { book.content(history, open, seat).await? } else { None };
    let typed = typed.filter(|typed| typed.decision == decision.as_str());
    let late = late.iter().filter(|late| late.seat == seat).map(|late| LateLine {
        text: if looks || !late.is_of_player() { words(late.text()) } else { HIDDEN_LATE.to_owned() },
        sent: When::second(late.sent),
        by: sent_at::lateness(history, open, late.sent).unwrap_or_default(),
    });
    Ok(LiveSeat {
        id: seat.word(),
        name: history.name(seat).to_owned(),
        mark: mark(seat),
        state,
        phrase,
        sent_when,
        content: content.map(|text| words(&text)),
        late: late.collect(),
        by_itself,
        signs: history.keys[seat].is_some(),
        line: read(typed.map_or("", |typed| typed.moves[seat].as_str())),
        sent: typed.map(|typed| typed.times[seat].clone()).unwrap_or_default(),
        first: false,
    })
}

/// The closing time of a decision, as a sentence around its deadline.
#[derive(Debug, Template)]
#[template(source = "{{ before }}{% if let Some(at) = at %} {{ at|safe }}{{ after }}{% endif %}", ext = "html")]
pub(super) struct Closes {
    before: String,
    at: Option<When>,
    after: &'static str,
}

/// The closing time of a decision; later after its deadline if somebody plays from a chat.
fn closes(history: &History, open: &OpenDecision, by_themselves: bool, chat: bool, now: Moment) -> Closes {
    use record::body::Closing;
    let plain = |words: &str| Closes { before: words.to_owned(), at: None, after: "" };
    let around = |before: &str, at: Moment, after: &'static str| Closes {
        before: before.to_owned(),
        at: Some(When::second_on(at, now)),
        after,
    };
    let clock_of = history.clock(&open.asked.decision);
    match (open.asked.closes, clock_of.and_then(record::Clock::deadline)) {
        (Closing::Deadline, None) => plain("Its clock stands still."),
        (Closing::FirstValid, None) => plain("It closes with the first valid answer."),
        (Closing::FirstValid, Some(due)) => around("It closes with the first valid answer, or at", due, "."),
        (_, Some(due)) if by_themselves => {
            let grace = if chat {
                ", and three seconds for what is on its way from the chat."
            } else {
                ", and a second for what is on its way."
            };
            around("It closes at", due, grace)
        }
        (_, Some(due)) => around("It is due at", due, ". A seat without a link waits for you: you close it."),
        (_, None) => match clock(open.asked.clock) {
            clock if clock.is_empty() => plain("You close it."),
            clock => plain(&format!("You close it. Its clock is {clock}.")),
        },
    }
}

/// `POST .../type`: stores the input for the seats that have some; the decision stays open.
pub(super) async fn type_for(chair: Chair, sent: Sent) -> Result<Response, Problem> {
    let typed = Typed::of_form(&sent);
    let seen = sent.head()?;
    let Ok(decision) = typed.decision.parse::<DecisionId>() else {
        return chair.lost(BookError::Overtaken, seen.next, typed.copies(&chair.history)).await;
    };
    match store(&chair, &sent, &typed, &decision).await {
        Ok(stored) if stored.contains(&TypedFor::Late) => Ok(chair.done("late")),
        Ok(_) => Ok(chair.done("stored")),
        Err(refused) => refused.answer(&chair, seen.next, typed).await,
    }
}

/// The reason why input is not stored.
enum NotStored {
    /// A sentence about a seat's line.
    Refused(String),
    /// The decision is closed.
    Closed,
    /// Any other error.
    Problem(Problem),
}

impl NotStored {
    async fn answer(self, chair: &Chair, seen: Seq, typed: Typed) -> Result<Response, Problem> {
        match self {
            Self::Refused(why) => {
                let why = sentence(&why);
                let brought = Brought { problem: Some(why.clone()), typed: Some(typed), ..Brought::default() };
                chair.refused(brought, &why).await
            }
            Self::Closed => chair.lost(BookError::Overtaken, seen, typed.copies(&chair.history)).await,
            Self::Problem(problem) => Err(problem),
        }
    }
}

/// Stores the lines of a form that have input.
async fn store(chair: &Chair, sent: &Sent, typed: &Typed, decision: &DecisionId) -> Result<Vec<TypedFor>, NotStored> {
    let act = chair.act(sent).map_err(NotStored::Problem)?;
    let times = sent_at::times(sent, chair.book.mint().now());
    let (mut stored, mut refused) = (Vec::new(), None);
    for seat in Seat::BOTH.into_iter().filter(|seat| !typed.moves[*seat].is_empty()) {
        let text = &typed.moves[seat];
        let done = match (too_long(text, MOVE_MAX_CHARS), times[seat]) {
            (Some(long), _) => Err(long),
            (None, Err(no_time)) => Err(no_time.to_owned()),
            (None, Ok(at)) => match chair.book.type_sent(&act, chair.match_id, decision, seat, text, at).await {
                Ok(done) => Ok(done),
                Err(SubmissionRefusal::Book(error)) => return Err(NotStored::Problem(error.into())),
                Err(SubmissionRefusal::Late | SubmissionRefusal::Closed | SubmissionRefusal::Reused) => {
                    return Err(NotStored::Closed);
                }
                Err(refusal) => Err(refusal.to_string()),
            },
        };
        match done {
            Ok(done) => stored.push(done),
            Err(why) => {
                let named = format!("{}: {}", chair.history.name(seat), name_seats(&why, chair.history.both_names()));
                refused = Some(named);
            }
        }
    }
    refused.map_or(Ok(stored), |why| Err(NotStored::Refused(why)))
}

/// `POST .../close`: closes a decision now, with the answers up to now. Input in the form is stored first.
pub(super) async fn close(chair: Chair, sent: Sent) -> Result<Response, Problem> {
    let (act, seen, typed) = (chair.act(&sent)?, sent.head()?, Typed::of_form(&sent));
    let Ok(decision) = typed.decision.parse::<DecisionId>() else {
        return chair.lost(BookError::Overtaken, seen.next, typed.copies(&chair.history)).await;
    };
    // If somebody else or the clock has closed it meanwhile, the input is shown again and not lost.
    match store(&chair, &sent, &typed, &decision).await {
        Ok(stored) if stored.contains(&TypedFor::Late) => return Ok(chair.done("late")),
        Ok(_) => {}
        Err(refused) => return refused.answer(&chair, seen.next, typed).await,
    }
    match chair.book.close_now(&act, chair.match_id, &decision).await {
        Ok(_) => Ok(Redirect::to(&console::address(&chair.slug)).into_response()),
        Err(error) => chair.lost(error, seen.next, typed.copies(&chair.history)).await,
    }
}

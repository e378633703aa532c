//! The questions of a live match: the players answer by themselves, and the umpire sees that, not what. What a player sent
//! elsewhere can be typed for the seat, and a decision can be closed before its time.

use axum::response::{IntoResponse, Redirect, Response};
use engine::{Seat, name_seats};
use ledger::{By, DecisionId};
use record::body::Mode;
use record::{History, OpenDecision};

use super::chair::Chair;
use super::chat::clock as time_of_day;
use super::console::{self, Brought};
use super::question::mark;
use super::sent::Sent;
use crate::account::player;
use crate::book::{Book, BookError, SubmissionRefusal, asks, last_of};
use crate::page::typed::{Line, MOVE_MAX_CHARS, sentence, too_long};
use crate::page::{Problem, clock};

/// An open decision of a live match.
#[derive(Debug)]
pub(super) struct LiveQuestion {
    /// The decision's id.
    pub(super) decision: String,
    /// What is asked.
    pub(super) prompt: String,
    /// When it closes.
    pub(super) closes: String,
    /// What counts when nothing comes.
    pub(super) default: String,
    /// Whether the match goes on without an answer.
    pub(super) optional: bool,
    /// The seats that are asked.
    pub(super) seats: Vec<LiveSeat>,
    /// The form's own id.
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
    /// Whether something valid is there.
    pub(super) valid: bool,
    /// The same for people.
    pub(super) state: &'static str,
    /// Whether it has a link, and so submits by itself.
    pub(super) by_itself: bool,
    /// Whether it signs.
    pub(super) signs: bool,
    /// What was typed for it and refused.
    pub(super) line: Line,
}

impl LiveQuestion {
    /// Whether everybody who is asked has sent something valid.
    pub(super) fn is_complete(&self) -> bool {
        self.seats.iter().all(|seat| seat.valid)
    }

    /// Whether nobody can have sent anything, because there is no link yet.
    pub(super) fn waits_for_links(&self) -> bool {
        self.seats.iter().all(|seat| !seat.by_itself && !seat.valid)
    }
}

/// The open decisions of a live match; none in another.
pub(super) async fn questions(
    book: &Book,
    history: &History,
    typed: Option<&super::question::Typed>,
    fresh: impl Fn() -> String,
) -> Result<Vec<LiveQuestion>, Problem> {
    if history.opened.mode != Mode::Live || history.is_ended() {
        return Ok(Vec::new());
    }
    let links = player::by_themselves(book.pool(), history.match_id).await.map_err(|error| Problem::broken(&error))?;
    let mut questions = Vec::new();
    for ask in history.asks() {
        let Some(open) = history.open.iter().find(|open| open.puts(&ask)) else { continue };
        let rows = book.received(history.match_id, &open.asked.decision).await?;
        let decision = open.asked.decision.to_string();
        let typed = typed.filter(|typed| typed.decision == decision);
        let seat = |seat: Seat| {
            let last = last_of(&rows, seat);
            let sent = typed.map_or("", |typed| typed.moves[seat].as_str());
            LiveSeat {
                id: seat.word(),
                name: history.name(seat).to_owned(),
                mark: mark(seat),
                valid: last.is_some(),
                state: match last.map(|row| &row.sent_by) {
                    None => "nothing yet",
                    Some(Some(By::Umpire(_)) | None) => "valid, typed by the umpire",
                    Some(Some(_)) => "valid, sent by the player",
                },
                by_itself: links[seat],
                signs: history.keys[seat].is_some(),
                line: Line::read(history, history.duel(), seat, ask.what, sent),
            }
        };
        questions.push(LiveQuestion {
            prompt: name_seats(&ask.prompt, history.both_names()),
            closes: closes(history, open, open.asked.seats.iter().all(|seat| links[seat.0])),
            default: name_seats(ask.default, history.both_names()),
            optional: ask.optional,
            seats: Seat::BOTH.into_iter().filter(|one| asks(open, *one)).map(seat).collect(),
            form: fresh(),
            decision,
        });
    }
    Ok(questions)
}

fn closes(history: &History, open: &OpenDecision, by_themselves: bool) -> String {
    use record::body::Closing;
    let clock_of = history.clock(&open.asked.decision);
    match (open.asked.closes, clock_of.and_then(record::Clock::deadline)) {
        (Closing::Deadline, None) => "Its clock stands still.".to_owned(),
        (Closing::FirstValid, None) => "It closes with the first valid answer.".to_owned(),
        (Closing::FirstValid, Some(due)) => {
            format!("It closes with the first valid answer, or at {}.", time_of_day(due))
        }
        (_, Some(due)) if by_themselves => {
            format!("It closes at {}, and a second for what is on its way.", time_of_day(due))
        }
        (_, Some(due)) => {
            format!("It is due at {}. A seat without a link waits for you: you close it.", time_of_day(due))
        }
        (_, None) => match clock(open.asked.clock) {
            clock if clock.is_empty() => "You close it.".to_owned(),
            clock => format!("You close it. Its clock is {clock}."),
        },
    }
}

fn typed(sent: &Sent) -> super::question::Typed {
    let moves = engine::BySeat::from_fn(|seat: Seat| sent.text(seat.word()).to_owned());
    super::question::Typed { decision: sent.text("decision").to_owned(), moves, draw: String::new() }
}

/// `POST .../type`: stores what was typed for the seats that something was typed for; the decision stays open.
pub(super) async fn type_for(chair: Chair, sent: Sent) -> Result<Response, Problem> {
    let (act, seen, typed) = (chair.act(&sent)?, sent.head()?, typed(&sent));
    let Ok(decision) = typed.decision.parse::<DecisionId>() else {
        return chair.lost(BookError::Overtaken, seen.next, Vec::new()).await;
    };
    let mut refused = None;
    for seat in Seat::BOTH.into_iter().filter(|seat| !typed.moves[*seat].is_empty()) {
        let text = &typed.moves[seat];
        let stored = match too_long(text, MOVE_MAX_CHARS) {
            Some(long) => Err(long),
            None => match chair.book.type_for(&act, chair.match_id, &decision, seat, text).await {
                Ok(()) => Ok(()),
                Err(SubmissionRefusal::Book(error)) => return Err(error.into()),
                Err(SubmissionRefusal::Late | SubmissionRefusal::Reused) => {
                    return chair.lost(BookError::Overtaken, seen.next, Vec::new()).await;
                }
                Err(refusal) => Err(refusal.to_string()),
            },
        };
        if let Err(why) = stored {
            refused = Some(format!("{}: {}", chair.history.name(seat), name_seats(&why, chair.history.both_names())));
        }
    }
    match refused {
        None => Ok(Redirect::to(&console::address(&chair.slug)).into_response()),
        Some(why) => {
            let why = sentence(&why);
            let brought = Brought { problem: Some(why.clone()), typed: Some(typed), ..Brought::default() };
            chair.refused(brought, &why).await
        }
    }
}

/// `POST .../close`: closes a decision now, with what came until then.
pub(super) async fn close(chair: Chair, sent: Sent) -> Result<Response, Problem> {
    let (act, seen) = (chair.act(&sent)?, sent.head()?);
    let Ok(decision) = sent.text("decision").parse::<DecisionId>() else {
        return chair.lost(BookError::Overtaken, seen.next, Vec::new()).await;
    };
    match chair.book.close_now(&act, chair.match_id, &decision).await {
        Ok(_) => Ok(Redirect::to(&console::address(&chair.slug)).into_response()),
        Err(error) => chair.lost(error, seen.next, Vec::new()).await,
    }
}

//! The clocks of a live match in its umpire's hands: started with the post, paused, extended.

use app::account::player;
use app::book::{Book, BookError, Clock, ClockState};
use askama::Template;
use axum::response::{IntoResponse, Redirect, Response};
use engine::{BySeat, Seat, name_seats};
use ledger::{DecisionId, Moment};
use record::{History, OpenDecision};

use super::allowed::{TEXT_MAX_CHARS, too_long};
use super::chat_post::length;
use super::console::{self, Brought};
use super::match_context::{Chair, reason};
use super::sent::Sent;
use crate::page::{Problem, When};

/// The offered extensions in seconds, as far as the rules allow them.
const OFFERED: [u32; 6] = [15, 30, 60, 300, 1800, 7200];

/// The panel of the console; none if no clock is used.
#[derive(Debug, Template)]
#[template(path = "umpire/clock.html")]
pub(super) struct ClockPanel {
    slug: String,
    head: String,
    heading: &'static str,
    clocks: Vec<Shown>,
    waits: bool,
    paused: bool,
    runs: bool,
    /// True if a seat that is asked has no link.
    unlinked: bool,
    run_form: String,
    pause_form: String,
}

/// A clock on the panel.
#[derive(Debug)]
struct Shown {
    decision: DecisionId,
    prompt: String,
    state: &'static str,
    deadline: Option<Moment>,
    /// Its effect, without the deadline.
    words: String,
    until: Option<When>,
    sum: String,
    /// The time that each seat has stored.
    stored: Vec<String>,
    /// The seats that are asked without having a link, while the clock runs. The clock then only rings and closes
    /// nothing.
    rings_for: String,
    /// True if its time is over.
    over: bool,
    /// The offered extensions: seconds, words, and the new deadline.
    offers: Vec<(u32, String, When)>,
    form: String,
}

impl ClockPanel {
    /// The clocks of the open questions.
    pub(super) async fn of(
        book: &Book,
        history: &History,
        slug: &str,
        fresh: impl Fn() -> String,
    ) -> Result<Option<Self>, Problem> {
        let now = book.mint().now();
        let open = history.open.iter().filter(|open| open.sealed.is_empty());
        let on: Vec<_> = open.filter_map(|open| Some((open, Clock::of(history, open, now)?))).collect();
        if on.is_empty() {
            return Ok(None);
        }
        let links = player::by_themselves(book.pool(), history.match_id).await.map_err(BookError::from_account)?;
        let is = |state| on.iter().any(|(_, clock)| clock.state == state);
        let (waits, paused, runs) = (is(ClockState::Waiting), is(ClockState::Paused), is(ClockState::Running));
        let heading = match (waits, paused) {
            (true, _) => "The clock waits for you",
            (false, true) => "The clock is paused",
            (false, false) => "The clock runs",
        };
        let asked = on.iter().flat_map(|(open, _)| &open.asked.seats);
        let unlinked = asked.into_iter().any(|seat| !links[seat.0]);
        let mut clocks = Vec::new();
        for (open, clock) in on {
            // A link made after the deadline closes nothing.
            let links = match clock.deadline {
                Some(deadline) => player::by_themselves_at(book.pool(), history.match_id, deadline).await,
                None => Ok(links),
            };
            let links = links.map_err(BookError::from_account)?;
            clocks.push(Shown::of(history, open, clock, (now, links), fresh()));
        }
        Ok(Some(Self {
            slug: slug.to_owned(),
            head: super::form::write_head(history.head),
            heading,
            unlinked,
            clocks,
            waits,
            paused,
            runs,
            run_form: fresh(),
            pause_form: fresh(),
        }))
    }
}

impl Shown {
    fn of(
        history: &History,
        open: &OpenDecision,
        clock: Clock,
        (now, links): (Moment, BySeat<bool>),
        form: String,
    ) -> Self {
        let names = history.both_names();
        let ask = history.asks().into_iter().find(|ask| open.puts(ask));
        let waited_for = ask.as_ref().is_none_or(|ask| !ask.optional);
        let prompt = ask.map_or_else(|| open.asked.what.clone(), |ask| name_seats(&ask.prompt, names));
        let left = length(clock.remaining.as_secs());
        let words = match (clock.state, clock.deadline) {
            (_, Some(_)) => String::new(),
            (ClockState::Paused, None) => format!("{left} are left."),
            (_, None) => format!("{left}, once you start it."),
        };
        let unlinked = open.asked.seats.iter().map(|seat| seat.0).filter(|seat| waited_for && !links[*seat]);
        let unlinked: Vec<&str> = unlinked.map(|seat| names[seat]).collect();
        let given = history.clock(&clock.decision).map_or(0, record::Clock::may_give);
        let offers = match clock.deadline {
            Some(deadline) => {
                let offer = |seconds: u32| (seconds, length(seconds.into()), extended(deadline, seconds, now));
                offers(given).into_iter().map(offer).collect()
            }
            None => Vec::new(),
        };
        Self {
            prompt,
            state: clock.state.word(),
            deadline: clock.deadline,
            rings_for: unlinked.join(" and "),
            over: clock.deadline.is_some_and(|deadline| now >= deadline),
            words,
            until: clock.deadline.map(|deadline| When::second_on(deadline, now)),
            stored: stored(&clock, names),
            sum: clock.sum,
            offers,
            decision: clock.decision,
            form,
        }
    }
}

/// The stored time of the seats that are asked.
fn stored(clock: &Clock, names: BySeat<&str>) -> Vec<String> {
    let each = Seat::BOTH.into_iter().filter_map(|seat| Some((names[seat], clock.extensions[seat]?)));
    let words = each.map(|(name, stored)| match stored.left {
        0 => format!("{name} has no extension left."),
        1 => format!("Then the last extension of {name} begins by itself, {}.", length(stored.seconds.into())),
        left => {
            let seconds = length(stored.seconds.into());
            format!("Then an extension of {name} begins by itself, {seconds}; {left} are left.")
        }
    });
    words.collect()
}

/// The offered extensions within this limit.
fn offers(may: u32) -> Vec<u32> {
    let mut offers: Vec<u32> = OFFERED.into_iter().filter(|seconds| *seconds < may).collect();
    offers.extend(Some(may).filter(|may| *may > 0));
    offers
}

fn extended(deadline: Moment, seconds: u32, now: Moment) -> When {
    let micros = deadline.micros().saturating_add(i64::from(seconds).saturating_mul(1_000_000));
    When::second_on(Moment::from_micros(micros).unwrap_or(Moment::MAX), now)
}

/// `POST .../clock`: starts, pauses or extends, depending on the button.
pub(super) async fn send(chair: Chair, sent: Sent) -> Result<Response, Problem> {
    let (act, seen, why) = (chair.act(&sent)?, sent.head()?, sent.text("reason"));
    let (book, match_id) = (&chair.book, chair.match_id);
    let done = match (too_long(why, TEXT_MAX_CHARS), sent.text("act")) {
        (Some(long), _) => Err(long),
        (None, "run") => Ok(book.run_clocks(&act, match_id, seen).await),
        (None, "pause") => Ok(book.pause_clocks(&act, match_id, seen, why).await),
        (None, "extend") => match (sent.text("decision").parse::<DecisionId>(), sent.text("seconds").parse()) {
            (Ok(decision), Ok(seconds)) => Ok(book.extend_clock(&act, match_id, seen, &decision, seconds, why).await),
            _ => Err("Say how many seconds are given.".to_owned()),
        },
        (None, _) => Err("Press one of the buttons.".to_owned()),
    };
    let why = match done {
        Ok(Ok(_)) => return Ok(Redirect::to(&console::address(&chair.slug)).into_response()),
        Ok(Err(BookError::Refused(why))) => reason(&chair.history, &why),
        Ok(Err(error)) => return chair.lost(error, seen.next, vec![("The reason".to_owned(), why.to_owned())]).await,
        Err(why) => why,
    };
    chair.refused(Brought { problem: Some(why.clone()), ..Brought::default() }, &why).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_given_is_on_offer() {
        assert_eq!(offers(90), [15, 30, 60, 90]);
        assert_eq!(offers(20), [15, 20]);
        assert_eq!(offers(0), [0_u32; 0]);
    }
}

//! The clocks of a live match, as its umpire sees them.

use app::account::player;
use app::commands::{Clock, ClockState};
use app::views::{length_words, pause_reason};
use app::{App, AppError};
use engine::{BySeat, Seat, name_seats};
use ledger::Moment;
use record::{History, OpenDecision};

use page::When;
use web_http::Problem;

/// The offered extensions in seconds, as far as the rules allow them.
const OFFERED: [u32; 6] = [15, 30, 60, 300, 1800, 7200];

#[derive(Debug)]
pub(super) struct ClockPanel {
    pub(super) heading: &'static str,
    pub(super) why: Option<String>,
    pub(super) clocks: Vec<ShownClock>,
    pub(super) waits: bool,
    pub(super) runs: bool,
    pub(super) unlinked: bool,
}

#[derive(Debug)]
pub(super) struct ShownClock {
    pub(super) clock: Clock,
    pub(super) prompt: String,
    pub(super) words: String,
    pub(super) until: Option<When>,
    pub(super) stored: Vec<String>,
    /// The seats that are asked without having a link, while the clock runs. The clock then only rings and closes
    /// nothing.
    pub(super) rings_for: String,
    pub(super) over: bool,
    /// The offered extensions: seconds, words, and the new deadline.
    pub(super) offers: Vec<(u32, String, When)>,
}

impl ClockPanel {
    pub(super) async fn of(app: &App, history: &History) -> Result<Option<Self>, Problem> {
        let now = app.system().now();
        let open = history.open.iter().filter(|open| open.sealed.is_empty());
        let on: Vec<_> = open.filter_map(|open| Some((open, Clock::of(history, open, now)?))).collect();
        if on.is_empty() {
            return Ok(None);
        }
        let links = player::seats_with_links(app.pool(), history.match_id).await.map_err(AppError::from_account)?;
        let is = |state| on.iter().any(|(_, clock)| clock.state == state);
        let (waits, paused, runs) = (is(ClockState::Waiting), is(ClockState::Paused), is(ClockState::Running));
        let heading = match (waits, paused) {
            (true, _) => "The clock waits for you",
            (false, true) => "The clock is paused",
            (false, false) => "The clock runs",
        };
        // One pause stops every clock of the match.
        let why = on.iter().find_map(|(open, _)| pause_reason(history.clock(&open.asked.decision)?));
        let unlinked = on.iter().flat_map(|(open, _)| &open.asked.seats).any(|seat| !links[seat.0]);
        let mut clocks = Vec::new();
        for (open, clock) in on {
            // A link made after the deadline closes nothing.
            let links = match clock.deadline {
                Some(deadline) => {
                    player::links_at(app.pool(), history.match_id, deadline).await.map(|links| links.seats)
                }
                None => Ok(links),
            };
            clocks.push(ShownClock::of(history, open, clock, links.map_err(AppError::from_account)?, now));
        }
        Ok(Some(Self { heading, why, clocks, waits, runs, unlinked }))
    }
}

impl ClockPanel {
    pub(super) fn has_sums(&self) -> bool {
        self.clocks.iter().any(|clock| !clock.clock.sum.is_empty())
    }
}

impl ShownClock {
    fn of(history: &History, open: &OpenDecision, clock: Clock, links: BySeat<bool>, now: Moment) -> Self {
        let names = history.both_names();
        let ask = history.asks().into_iter().find(|ask| open.puts(ask));
        let waited_for = ask.as_ref().is_none_or(|ask| !ask.optional);
        let left = length_words(clock.remaining.as_secs());
        let words = match (clock.state, clock.deadline) {
            (_, Some(_)) => String::new(),
            (ClockState::Paused, None) => format!("{left} are left."),
            (_, None) => format!("{left}, once you start it."),
        };
        let unlinked = open.asked.seats.iter().map(|seat| seat.0).filter(|seat| waited_for && !links[*seat]);
        let unlinked: Vec<&str> = unlinked.map(|seat| names[seat]).collect();
        let given = history.clock(&clock.decision).map_or(0, record::Clock::may_give);
        let offer =
            |deadline| move |seconds: u32| (seconds, length_words(seconds.into()), extended(deadline, seconds, now));
        Self {
            prompt: ask.map_or_else(|| open.asked.what.clone(), |ask| name_seats(&ask.prompt, names)),
            rings_for: unlinked.join(" and "),
            over: clock.deadline.is_some_and(|deadline| now >= deadline),
            words,
            until: clock.deadline.map(|deadline| When::second_on(deadline, now)),
            stored: stored(&clock, names),
            offers: clock.deadline.map(|at| offers(given).into_iter().map(offer(at)).collect()).unwrap_or_default(),
            clock,
        }
    }
}

fn stored(clock: &Clock, names: BySeat<&str>) -> Vec<String> {
    let each = Seat::BOTH.into_iter().filter_map(|seat| Some((names[seat], clock.extensions[seat]?)));
    let words = each.map(|(name, stored)| match stored.left {
        0 => format!("{name} has no extension left."),
        1 => format!("Then the last extension of {name} begins by itself, {}.", length_words(stored.seconds.into())),
        left => {
            let seconds = length_words(stored.seconds.into());
            format!("Then an extension of {name} begins by itself, {seconds}; {left} are left.")
        }
    });
    words.collect()
}

fn offers(may: u32) -> Vec<u32> {
    let mut offers: Vec<u32> = OFFERED.into_iter().filter(|seconds| *seconds < may).collect();
    offers.extend(Some(may).filter(|may| *may > 0));
    offers
}

fn extended(deadline: Moment, seconds: u32, now: Moment) -> When {
    let micros = deadline.micros().saturating_add(i64::from(seconds).saturating_mul(1_000_000));
    When::second_on(Moment::from_micros(micros).unwrap_or(Moment::MAX), now)
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

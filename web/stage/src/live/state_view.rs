//! The table of a match for whoever watches: the same parts of a page at first and in every event.
//!
//! It is the stage of a seat, seen by nobody's side: seat 1 above, seat 2 below. It shows what everybody may know, and never
//! whether somebody has sent a move.

use app::commands::Clock;
use app::recorder::asks;
use app::views::{Beat, VisibleMatch, match_address, open_asks, pause_reason};
use askama::Template;
use engine::{Ask, BySeat, Seat, name_seats};
use ledger::Moment;
use record::words::row_words;
use record::{ClockState, History};

use super::round_row::RoundRow;
use page::{
    Board, BoardAside, EffectList, Lead, MatchEnd, QuestionList, RoundNotice, SeatName, Sentence, StageClock,
    StageTable, WaitNotice, When, prompt_head,
};

/// The rounds that are listed beside the table.
const ROUNDS: usize = 8;

#[derive(Debug)]
pub(super) struct StateView {
    pub(super) doing: String,
    /// For the style sheet, and in words.
    pub(super) state: (&'static str, String),
    pub(super) clock: Option<StageClock>,
    pub(super) table: StageTable,
    pub(super) end: Option<MatchEnd>,
    pub(super) sealed: Option<WaitNotice>,
    pub(super) awaits: Option<RoundNotice>,
    pub(super) asked: Option<QuestionList>,
    /// When the first clock runs out, with its day if that differs from the newest entry's.
    pub(super) due: Option<When>,
    pub(super) lead: Option<Lead>,
    pub(super) effects: Vec<Sentence>,
    pub(super) names: BySeat<SeatName>,
    pub(super) rounds: Vec<RoundRow>,
    pub(super) aside: Option<BoardAside>,
    pub(super) address: String,
    /// The first moment of the replay.
    pub(super) first: Option<(String, String)>,
}

/// What the stream sends of it: all parts of the page, of which each takes the place of the one before.
#[derive(Debug, Template)]
#[template(path = "live/state_view.html")]
pub(super) struct StateParts {
    pub(super) now: StateView,
}

impl StateView {
    /// The clock is drawn with the time that is left at this moment; what counts it down knows the server's time.
    pub(super) fn of(history: &History, now: Moment) -> Self {
        let shown = VisibleMatch::public(history);
        let (rows, names) = (history.rows(), SeatName::of(history));
        let before = rows.last().and_then(|row| history.before(row.steps.first()?.number));
        let over = history.outcome().is_over();
        let table = StageTable::of(&shown, history.duel(), before, Seat::P2, false).noting(note(history));
        let steps = rows.last().map(|row| row.steps.clone()).unwrap_or_default();
        let (_, aside) = Board::of(&shown, "Now", history.duel(), None).parted();
        let first = rows.iter().find(|row| row.round > 0);
        Self {
            doing: doing(history),
            state: state(history),
            clock: stage_clock(history, now),
            table: table.with_last_row(&shown, false),
            end: over.then(|| MatchEnd::of(history, None)).flatten(),
            sealed: WaitNotice::lasting(history),
            awaits: RoundNotice::lasting(history),
            due: clock(history).and_then(|clock| clock.deadline).map(|due| When::second_on(due, history.last_at)),
            asked: (!over).then(|| QuestionList::now(&shown)).filter(|list| !list.questions.is_empty()),
            lead: Lead::of(&rows, [&names.p1, &names.p2]),
            effects: EffectList::of(&shown, steps).sentences,
            rounds: rows.iter().rev().take(ROUNDS).map(|row| RoundRow::of(&shown, row)).collect(),
            aside,
            address: match_address(history.match_id),
            first: first.map(|row| (row_words(&row.label), Beat::After.address(history.match_id, &row.label))),
            names,
        }
    }
}

/// The clock that is due first.
pub(super) fn clock(history: &History) -> Option<Clock> {
    let open = history.open.iter().filter(|open| open.sealed.is_empty());
    let clocks = open.filter_map(|open| Clock::of(history, open, history.last_at));
    clocks.min_by_key(|clock| (clock.deadline.is_none(), clock.deadline))
}

fn recorded_clock(history: &History) -> Option<&record::Clock> {
    history.clock(&clock(history)?.decision)
}

fn stage_clock(history: &History, now: Moment) -> Option<StageClock> {
    if history.outcome().is_over() {
        return Some(StageClock::word("Final"));
    }
    recorded_clock(history).map(|clock| StageClock::of(clock, now))
}

/// What is going on, in at most three words.
fn doing(history: &History) -> String {
    if history.outcome().is_over() {
        return "Over".to_owned();
    }
    let asked = open_asks(history).into_iter().find(|ask| !ask.optional);
    let coming = history.duel().coming_round().filter(|_| asked.is_some()).map(|round| format!("Round {round}"));
    let head = |ask: Ask| prompt_head(&name_seats(&ask.prompt, history.both_names())).to_owned();
    // "You are challenged" is said to one of the players.
    let asked = || asked.map(head).filter(|head| !head.starts_with("You "));
    let last = || history.rows().last().map(|row| row_words(&row.label));
    coming.or_else(asked).or_else(last).unwrap_or_else(|| "Before the start".to_owned())
}

fn state(history: &History) -> (&'static str, String) {
    let game = history.ruleset().card().title.to_string();
    let clock = recorded_clock(history).filter(|_| !history.outcome().is_over());
    match clock.map(|clock| (&clock.state, clock)) {
        Some((ClockState::Waiting, _)) => ("waits", "not started".to_owned()),
        Some((ClockState::Paused { .. }, clock)) => {
            let why = pause_reason(clock).map(|why| format!(": {why}")).unwrap_or_default();
            ("paused", format!("Paused{why}"))
        }
        _ => ("live", game),
    }
}

/// What is being played, of which everybody sees nothing before it closes.
fn note(history: &History) -> Option<String> {
    if history.outcome().is_over() {
        return None;
    }
    let open = history.open.iter().filter(|open| open.sealed.is_empty());
    let seats = open.map(|open| Seat::BOTH.map(|seat| asks(open, seat)));
    Some(match seats.max_by_key(|seats| seats.iter().filter(|asked| **asked).count()) {
        Some([true, true]) => format!("{} is being played, both moves hidden", doing(history)),
        Some([first, _]) => format!("{} is to move", history.name(if first { Seat::P1 } else { Seat::P2 })),
        None if history.ruleset().declaration().is_some() && !history.steps.is_empty() => {
            "The umpire says what became of it".to_owned()
        }
        None => return None,
    })
}

/// A deadline, with its day if that differs from the newest entry's: so the text does not depend on the time of
/// reading.
pub(super) fn on_its_day(history: &History, due: Moment) -> When {
    When::second_on(due, history.last_at)
}

pub(super) fn title(history: &History) -> String {
    let names = history.both_names();
    format!("{} \u{2013} {}", names.p1, names.p2)
}

pub(super) fn live_address(history: &History) -> String {
    format!("{}/live", match_address(history.match_id))
}

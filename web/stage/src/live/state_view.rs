//! The current match for the live page: the same part of a page at first and in every event.

use app::commands::{Clock, ClockState};
use app::views::{Beat, VisibleMatch, match_address};
use askama::Template;
use engine::{BySeat, Word};
use ledger::Moment;
use record::words::{result_sentence, row_words};
use record::{History, SheetRow};

use page::{
    Board, BoardAside, EffectList, PartyMove, QuestionList, RoundNotice, SeatName, WaitNotice, When, bout_names,
    party_moves,
};

#[derive(Debug, Template)]
#[template(path = "live/state_view.html")]
pub(super) struct StateView {
    names: BySeat<SeatName>,
    score: Option<(i32, i32)>,
    score_unit: Word,
    result: String,
    clock: Option<ClockLine>,
    sealed: Option<WaitNotice>,
    awaits: Option<RoundNotice>,
    asked: Option<QuestionList>,
    board: Board,
    aside: Option<BoardAside>,
    last: Option<LastEvent>,
}

#[derive(Debug)]
struct ClockLine {
    words: String,
    due: Option<(String, When)>,
}

#[derive(Debug)]
struct LastEvent {
    words: String,
    address: String,
    moves: Vec<PartyMove>,
    effects: EffectList,
}

impl LastEvent {
    fn of(shown: &VisibleMatch<'_>, row: &SheetRow<'_>) -> Self {
        let history = shown.history;
        let effects = EffectList::of(shown, row.steps.iter().copied());
        let moves = row.steps.iter().flat_map(|step| party_moves(shown, step, history.before(step.number)));
        Self {
            words: row_words(&row.label),
            address: Beat::After.address(history.match_id, &row.label),
            moves: moves.filter(|one| !one.is_repeated_by(&effects)).collect(),
            effects,
        }
    }
}

impl StateView {
    pub(super) fn of(history: &History) -> Self {
        let shown = VisibleMatch::public(history);
        let rows = history.rows();
        let row = rows.last();
        let before = row.and_then(|row| row.steps.first()).and_then(|step| history.before(step.number));
        let outcome = history.outcome();
        let unit = history.ruleset().score_unit().many;
        let (board, aside) = Board::of(&shown, "Now", history.duel(), before).parted();
        let score = history.duel().score().filter(|score| !board.says(&unit, *score));
        let result = match (outcome.is_over(), history.is_ended()) {
            (false, _) => String::new(),
            (true, true) => result_sentence(outcome, history.both_names()),
            (true, false) => {
                let result = result_sentence(outcome, history.both_names());
                format!("{result} The umpire has not entered the result yet.")
            }
        };
        Self {
            names: bout_names(history),
            score: score.map(|score| (score.p1, score.p2)),
            score_unit: unit,
            result,
            clock: clock(history).as_ref().map(|clock| ClockLine::of(history, clock)),
            sealed: WaitNotice::lasting(history),
            awaits: RoundNotice::lasting(history),
            asked: (!outcome.is_over()).then(|| QuestionList::now(&shown)).filter(|list| !list.questions.is_empty()),
            board,
            aside,
            last: row.map(|row| LastEvent::of(&shown, row)),
        }
    }
}

pub(super) fn clock(history: &History) -> Option<Clock> {
    // The time left of a running clock is for the reader's countdown; everything else of it does not change with time.
    let open = history.open.iter().filter(|open| open.sealed.is_empty());
    let clocks = open.filter_map(|open| Clock::of(history, open, history.last_at));
    clocks.min_by_key(|clock| (clock.deadline.is_none(), clock.deadline))
}

impl ClockLine {
    fn of(history: &History, clock: &Clock) -> Self {
        let words = match clock.state {
            ClockState::Waiting => "Waiting for the umpire to start the clock.".to_owned(),
            ClockState::Running => "Due at".to_owned(),
            ClockState::Paused => format!("The clock is paused, with {} seconds left.", clock.remaining.as_secs()),
        };
        Self { words, due: clock.deadline.map(|due| (due.to_string(), on_its_day(history, due))) }
    }
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

//! A match that is being played, as a tile of the first page: names, score, clock, and what was played last. It tells what
//! everybody may know, and never whether somebody has sent a move.

use app::views::{VisibleMatch, match_address};
use askama::Template;
use engine::BySeat;
use ledger::Moment;
use record::History;
use record::words::row_words;

use page::{ActionIcon, PartyMove, SeatName, StageClock, party_moves};

#[derive(Debug, Template)]
#[template(path = "archive/live_tile.html")]
pub(super) struct LiveTile {
    pub(super) address: String,
    entry: u32,
    icon: Option<ActionIcon>,
    game: String,
    names: BySeat<SeatName>,
    score: Option<BySeat<i32>>,
    clock: Option<StageClock>,
    moves: Vec<PartyMove>,
    round: String,
}

impl LiveTile {
    pub(super) fn of(history: &History, now: Moment) -> Self {
        let (visible, rows, ruleset) = (VisibleMatch::public(history), history.rows(), history.ruleset());
        let last = rows.last();
        let step = last.and_then(|row| row.steps.last());
        let coming = history.duel().coming_round().map(|round| format!("Round {round}"));
        let so_far = || last.map_or("About to start".to_owned(), |row| row_words(&row.label));
        // A seal would be in the record only after the close: an open question has none.
        let open = history.open.iter().filter(|open| open.sealed.is_empty());
        let clocks = open.filter_map(|open| history.clock(&open.asked.decision));
        let clock = clocks.min_by_key(|clock| (clock.deadline().is_none(), clock.deadline()));
        Self {
            address: match_address(history.match_id),
            entry: history.head.next.0.saturating_sub(1),
            icon: ActionIcon::of_game(&history.opened.ruleset),
            game: ruleset.card().title.to_string(),
            names: SeatName::of(history),
            score: history.duel().score(),
            clock: clock.map(|clock| StageClock::of(clock, now)),
            moves: step.map(|step| party_moves(&visible, step, history.before(step.number))).unwrap_or_default(),
            round: coming.unwrap_or_else(so_far),
        }
    }
}

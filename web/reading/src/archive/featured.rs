//! The match of the week: a board that plays up to its largest swing, or the start for a reader without spoilers.

use app::archive::MatchSummary;
use app::views::{Beat, VisibleMatch};
use askama::Template;
use engine::BySeat;
use record::words::row_words;
use record::{History, SheetRow};

use page::{Board, SeatName, Urls, bout_names, party_moves, what_if_address};
use web_http::{Spoilers, ViewParams};

/// The rounds that play, and those before the end that do not: how it ended is not given away.
const FRAMES: usize = 7;
const KEPT_BACK: usize = 2;

#[derive(Debug, Template)]
#[template(path = "archive/featured.html")]
pub(super) struct Featured {
    address: String,
    names: BySeat<SeatName>,
    frames: Vec<FeaturedRound>,
    first: String,
    /// Where anybody answers its first question otherwise.
    pub(super) try_it: String,
    moment: String,
    shown: Option<String>,
}

#[derive(Debug)]
struct FeaturedRound {
    board: Board,
    words: String,
}

impl Featured {
    pub(super) fn of(history: &History, listed: &MatchSummary, spoilers: Spoilers) -> Option<Self> {
        let params = ViewParams { spoilers, ..ViewParams::default() };
        let visible = params.visible(history).ok()?;
        let (urls, rows) = (Urls::of(history.match_id, params), history.rows());
        let first = rows.first()?;
        let swing = listed.swing_row.as_ref().and_then(|swing| rows.iter().position(|row| row.label == *swing));
        let latest = rows.len().saturating_sub(KEPT_BACK + 1);
        let at = swing.map_or(latest, |swing| swing.min(latest));
        let (shown, frames) = if spoilers.hidden() {
            let before = first.steps.first().and_then(|step| history.before(step.number))?;
            let board = Board::of(&visible, "Before the first move", before, None).parted().0;
            (None, vec![FeaturedRound { board, words: "Before the first move".to_owned() }])
        } else {
            let from = (at + 1).saturating_sub(FRAMES);
            let frames = rows.get(from..=at)?.iter().filter_map(|row| FeaturedRound::of(&visible, row));
            (Some(urls.moment(&rows.get(at)?.label, Beat::After)), frames.collect())
        };
        Some(Self {
            address: urls.page(),
            names: bout_names(history),
            first: urls.moment(&first.label, Beat::Before),
            try_it: what_if_address(history.match_id, &first.label, Beat::Before),
            moment: frames.last()?.words.clone(),
            frames,
            shown,
        })
    }
}

impl FeaturedRound {
    fn of(visible: &VisibleMatch<'_>, row: &SheetRow<'_>) -> Option<Self> {
        let (step, words) = (row.steps.last()?, row_words(&row.label));
        let before = visible.history.before(row.steps.first()?.number);
        let moves = party_moves(visible, step, visible.history.before(step.number));
        let board = Board::of(visible, format!("{words}: the state after"), row.after()?, before);
        Some(Self { board: board.with_moves(&moves, true).parted().0, words })
    }
}

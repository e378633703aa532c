//! The match of the week, as a card: its board at the largest swing, or at the start for a reader without spoilers.

use app::archive::MatchSummary;
use app::views::{Beat, beat_scene};
use askama::Template;
use engine::BySeat;
use record::History;
use record::words::{in_unit, row_words};

use page::{Course, SeatName, Urls, When, bout_names, player_address};
use web_http::{Spoilers, ViewParams};

/// The characters of the picture's alternative text.
const ALT_MAX_CHARS: usize = 400;

#[derive(Debug, Template)]
#[template(path = "archive/featured.html")]
pub(super) struct Featured {
    address: String,
    game: String,
    event: Option<String>,
    date: When,
    names: BySeat<SeatName>,
    /// The players whose names still exist, and their pages.
    players: Vec<(String, String)>,
    first: String,
    moment: String,
    shown: String,
    alt: String,
    course: Option<Course>,
}

impl Featured {
    pub(super) fn of(history: &History, listed: &MatchSummary, spoilers: Spoilers) -> Option<Self> {
        let params = ViewParams { spoilers, ..ViewParams::default() };
        let visible = params.visible(history).ok()?;
        let (urls, rows) = (Urls::of(history.match_id, params), history.rows());
        let first = rows.first()?.label.clone();
        let swing = listed.swing_row.as_ref().filter(|_| !spoilers.hidden());
        let at = swing.and_then(|swing| rows.iter().position(|row| row.label == *swing));
        let (at, beat) = match (at, spoilers.hidden()) {
            (Some(at), false) => (at, Beat::After),
            (None, false) => (rows.len().checked_sub(1)?, Beat::After),
            (_, true) => (0, Beat::Before),
        };
        let row = rows.get(at)?.label.clone();
        let moment = match (listed.swing, spoilers.hidden()) {
            (_, true) => "Before the first move".to_owned(),
            (0, false) => row_words(&row),
            (swing, false) => format!(
                "{}: the largest swing, {}",
                row_words(&row),
                in_unit(swing.unsigned_abs(), &history.ruleset().lead_unit())
            ),
        };
        let names = bout_names(history);
        let page = |key: &String| spoilers.in_address(player_address(key));
        let players = [&listed.p1, &listed.p2].into_iter();
        Some(Self {
            players: players.filter_map(|seat| Some((seat.name.clone(), page(seat.key.as_ref()?)))).collect(),
            address: urls.page(),
            game: history.ruleset().card().name(),
            event: listed.event.clone(),
            date: listed.date.as_deref().map_or_else(|| When::day(listed.played_at), When::written),
            names: names.map(|name| SeatName { winner: name.winner && !spoilers.hidden(), ..name }),
            first: urls.moment(&first, Beat::Before),
            moment,
            shown: urls.moment(&row, beat),
            alt: beat_scene(&visible, &rows, at, beat).map(|scene| picture::short(&scene, ALT_MAX_CHARS))?,
            course: Course::of(&listed.course).filter(|_| !spoilers.hidden()),
        })
    }

    fn picture(&self, theme: &str) -> String {
        let (path, query) = self.shown.split_once('?').unwrap_or((&self.shown, ""));
        let query: Vec<&str> = [query, theme].into_iter().filter(|part| !part.is_empty()).collect();
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{path}.svg{mark}{}", query.join("&"))
    }
}

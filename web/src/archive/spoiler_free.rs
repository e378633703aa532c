//! A match for readers who follow it from its beginning: the players, the ruleset, and a link to the first moment.
//! Nothing here depends on the moves.

use app::views::{Beat, Shown, beat_scene, match_address, ruleset_address, ruleset_name, shown_scene};
use askama::Template;

use super::match_page::{terms, text, title};
use crate::http::{Lens, Spoilers};
use crate::page::{Frame, Preview, SeatName, Ways, When, archive_of};

#[derive(Template)]
#[template(path = "archive/spoiler_free.html")]
pub(super) struct Unspoiled {
    frame: Frame,
    preview: Preview,
    /// The match with everything shown.
    spoiled: String,
    p1: SeatName,
    p2: SeatName,
    game: String,
    ruleset: String,
    /// The tournament, and its list of matches, also without spoilers.
    event: Option<(String, String)>,
    date: Option<When>,
    facts: Vec<(&'static str, String)>,
    first: Option<String>,
    /// The address of this page, with the site.
    link: String,
}

impl Unspoiled {
    pub(super) fn of(shown: &Shown<'_>, umpire: Option<String>, lens: Lens, site: &str) -> Self {
        let history = shown.history;
        let (ways, title) = (Ways::of(history.match_id, lens), title(history));
        let address = match_address(history.match_id);
        let game = ruleset_name(&history.opened.ruleset);
        let rows = history.rows();
        let scene = beat_scene(shown, &rows, 0, Beat::Before).unwrap_or_else(|| shown_scene(shown));
        let description = format!("{title}, to be followed from the beginning. {game}.");
        let preview = Preview::of(site, &address, &title, &description, &scene, history.head.leaf).through(lens);
        let [p1, p2] = engine::Seat::BOTH.map(|seat| SeatName::of(history)[seat].clone());
        Self {
            frame: Frame {
                umpire,
                ..Frame::titled(title).about(history.match_id).in_section("archive").described(description)
            },
            preview,
            p1,
            p2,
            game,
            ruleset: ruleset_address(&history.opened.ruleset),
            event: history
                .event
                .as_ref()
                .and_then(text)
                .map(|event| (event.to_owned(), archive_of(&[("event", event), ("spoilers", "no")]))),
            date: history.opened.date.as_deref().map(When::written),
            facts: terms(shown),
            first: rows.first().map(|row| ways.moment(&row.label, Beat::Before)),
            spoiled: ways.through(lens.spoiling(Spoilers::Shown)).page(),
            link: format!("{site}{}", ways.page()),
        }
    }
}

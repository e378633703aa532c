//! A match for readers who follow it from its beginning: the players, the ruleset, and a link to the first moment.
//! Nothing here depends on the moves.

use app::views::{Beat, VisibleMatch, beat_scene, match_address, rules_address, visible_scene};
use askama::Template;
use record::CommittedText;

use super::match_page::{terms, title};
use page::{Frame, Preview, SeatName, Urls, When, archive_of};
use web_http::{Spoilers, ViewParams};

#[derive(Template)]
#[template(path = "archive/spoiler_free.html")]
pub(super) struct SpoilerFree {
    frame: Frame,
    preview: Preview,
    with_spoilers: String,
    p1: SeatName,
    p2: SeatName,
    game: String,
    ruleset: String,
    /// The tournament, and its list of matches, also without spoilers.
    event: Option<(String, String)>,
    date: Option<When>,
    facts: Vec<(&'static str, String)>,
    first: Option<String>,
    guess: Option<String>,
    link: String,
}

impl SpoilerFree {
    pub(super) fn of(visible: &VisibleMatch<'_>, umpire: Option<String>, params: ViewParams, site: &str) -> Self {
        let history = visible.history;
        let (urls, title) = (Urls::of(history.match_id, params), title(history));
        let address = match_address(history.match_id);
        let game = history.ruleset().card().name();
        let rows = history.rows();
        let scene = beat_scene(visible, &rows, 0, Beat::Before).unwrap_or_else(|| visible_scene(visible));
        let description = format!("{title}, to be followed from the beginning. {game}.");
        let preview = Preview::of(site, &address, &title, &description, &scene, history.head.leaf).with_params(params);
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
            ruleset: rules_address(history),
            event: history
                .event
                .as_ref()
                .and_then(CommittedText::text)
                .map(|event| (event.to_owned(), archive_of(&[("event", event), ("spoilers", "no")]))),
            date: history.opened.date.as_deref().map(When::written),
            facts: terms(visible),
            first: rows.first().map(|row| urls.moment(&row.label, Beat::Before)),
            guess: history.is_ended().then(|| format!("{address}/guess")),
            with_spoilers: urls.with_params(params.with_spoilers(Spoilers::Shown)).page(),
            link: format!("{site}{}", urls.page()),
        }
    }
}

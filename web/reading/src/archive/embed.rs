//! A moment of a match in a frame on another site: the state, its row's moments, and a link to the whole page.
//!
//! It looks the same to everybody: no cookie is read, and it only steps from moment to moment.

use app::views::{Beat, match_address};
use askama::Template;
use record::History;

use super::match_page::title;
use super::moment::Moment;
use page::PracticeMark;
use web_http::ViewParams;

/// Any site may show it in a frame; it runs no scripts and has no forms.
pub(super) const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; frame-ancestors *; \
                                 base-uri 'none'; form-action 'none'";

/// The width and height of a frame in CSS pixels, if the other site does not ask for a smaller one.
pub(super) const FRAME_SIZE: (u32, u32) = (640, 560);

#[derive(Template)]
#[template(
    source = r#"<iframe src="{{ address }}" title="{{ title }}" width="{{ width }}" height="{{ height }}" loading="lazy"></iframe>"#,
    ext = "html"
)]
struct Iframe<'a> {
    address: &'a str,
    title: &'a str,
    width: u32,
    height: u32,
}

pub(super) fn iframe(address: &str, title: &str, (width, height): (u32, u32)) -> String {
    // It holds only texts and numbers, so rendering cannot fail.
    Iframe { address, title, width, height }.render().unwrap_or_default()
}

#[derive(Template)]
#[template(path = "archive/embed.html")]
pub(super) struct Embed {
    practice: Option<PracticeMark>,
    title: String,
    game: String,
    address: String,
    moment: Option<Moment>,
}

impl Embed {
    pub(super) fn of(history: &History, moment: Option<Moment>, params: ViewParams) -> Self {
        Self {
            practice: PracticeMark::of(history.match_id),
            title: title(history),
            game: history.ruleset().card().name(),
            address: format!("{}{}", match_address(history.match_id), params.query()),
            moment,
        }
    }
}

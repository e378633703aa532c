//! A moment of a match in a frame of another site: the state, the three beats, and the way to the whole page.
//!
//! It looks the same to everybody: no cookie is read, and nothing can be done in it but to step.

use askama::Template;
use record::History;

use super::listing::ruleset_name;
use super::match_page::title;
use super::moment::Moment;
use crate::page::{Beat, Lens, match_address};

/// Any site may show it in a frame; it runs no scripts and has no forms.
pub(super) const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self' data:; frame-ancestors *; \
                                 base-uri 'none'; form-action 'none'";

#[derive(Template)]
#[template(path = "archive/embed.html")]
pub(super) struct Embed {
    title: String,
    game: String,
    /// The match's own page.
    address: String,
    /// None where no round has been played.
    moment: Option<Moment>,
}

impl Embed {
    pub(super) fn of(history: &History, moment: Option<Moment>, lens: Lens) -> Self {
        Self {
            title: title(history),
            game: ruleset_name(&history.opened.ruleset),
            address: format!("{}{}", match_address(history.match_id), lens.query()),
            moment,
        }
    }
}

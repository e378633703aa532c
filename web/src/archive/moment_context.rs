//! The context of a moment: the request, and the rest of its match.

use app::umpires::UmpireNames;
use record::{History, Strike};

use super::comments::MatchComments;
use crate::http::ViewParams;
use crate::page::Urls;

/// The context of a moment: the request, and the rest of its match.
pub(super) struct MomentContext<'h> {
    pub(super) params: ViewParams,
    pub(super) urls: Urls,
    /// The strike of its round, if the round no longer counts.
    pub(super) strike: Option<&'h Strike>,
    /// The umpire who is signed in.
    pub(super) umpire: Option<String>,
    pub(super) site: &'h str,
    /// The names that umpires chose to be known by.
    pub(super) umpires: &'h UmpireNames,
    pub(super) comments: &'h MatchComments,
    /// The match with everything that counts now.
    pub(super) now: &'h History,
}

//! The context of a moment: the request, and the rest of its match.

use app::umpires::UmpireNames;
use record::{History, Strike};

use super::comments::MatchComments;
use page::Urls;
use web_http::ViewParams;

pub(super) struct MomentContext<'h> {
    pub(super) params: ViewParams,
    pub(super) urls: Urls,
    pub(super) strike: Option<&'h Strike>,
    pub(super) umpire: Option<String>,
    pub(super) site: &'h str,
    pub(super) umpires: &'h UmpireNames,
    pub(super) comments: &'h MatchComments,
    pub(super) now: &'h History,
}

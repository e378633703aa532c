//! The addresses of a match's moments: on its own pages, in a frame on another site, and of struck rounds.

use app::views::{Beat, match_address};
use ledger::{MatchId, Seq};

use web_http::ViewParams;

#[derive(Clone, Debug)]
pub struct Link {
    pub address: String,
    pub words: String,
}

#[derive(Clone, Debug)]
pub struct Urls {
    base: String,
    params: ViewParams,
}

impl Urls {
    #[must_use]
    pub fn of(match_id: MatchId, params: ViewParams) -> Self {
        Self { base: match_address(match_id), params }
    }

    #[must_use]
    pub fn embedded(match_id: MatchId, params: ViewParams) -> Self {
        Self { base: format!("/embed{}", match_address(match_id)), params }
    }

    #[must_use]
    pub fn struck(&self, strike: Seq) -> Self {
        Self { base: format!("{}/struck/{}", self.base, strike.0), params: self.params }
    }

    #[must_use]
    pub fn with_params(&self, params: ViewParams) -> Self {
        Self { base: self.base.clone(), params }
    }

    #[must_use]
    pub fn page(&self) -> String {
        format!("{}{}", self.base, self.params.query())
    }

    #[must_use]
    pub fn bare(&self, label: &str, beat: Beat) -> String {
        format!("{}/r/{label}/{}", self.base, beat.word())
    }

    #[must_use]
    pub fn moment(&self, label: &str, beat: Beat) -> String {
        format!("{}{}", self.bare(label, beat), self.params.query())
    }

    pub fn link(&self, label: &str, beat: Beat, words: impl Into<String>) -> Link {
        Link { address: self.moment(label, beat), words: words.into() }
    }
}

//! The addresses of a match's moments: on its own pages, in a frame on another site, and of struck rounds.

use app::views::{Beat, match_address};
use ledger::{MatchId, Seq};

use crate::http::ViewParams;

/// A link to a moment or to a page: its address, and its words.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) address: String,
    pub(crate) words: String,
}

/// The addresses of a match's moments, with one set of view parameters.
#[derive(Clone, Debug)]
pub struct Urls {
    base: String,
    params: ViewParams,
}

impl Urls {
    /// On its own pages.
    #[must_use]
    pub fn of(match_id: MatchId, params: ViewParams) -> Self {
        Self { base: match_address(match_id), params }
    }

    /// In a frame of another site.
    #[must_use]
    pub fn embedded(match_id: MatchId, params: ViewParams) -> Self {
        Self { base: format!("/embed{}", match_address(match_id)), params }
    }

    /// Of the rounds struck by the entry with this number.
    #[must_use]
    pub fn struck(&self, strike: Seq) -> Self {
        Self { base: format!("{}/struck/{}", self.base, strike.0), params: self.params }
    }

    /// The same with other view parameters.
    #[must_use]
    pub fn with_params(&self, params: ViewParams) -> Self {
        Self { base: self.base.clone(), params }
    }

    /// The page that they belong to.
    #[must_use]
    pub fn page(&self) -> String {
        format!("{}{}", self.base, self.params.query())
    }

    /// A moment without parameters; a round is given by its label in the score sheet, such as `7b`.
    #[must_use]
    pub fn bare(&self, label: &str, beat: Beat) -> String {
        format!("{}/r/{label}/{}", self.base, beat.word())
    }

    /// A moment.
    #[must_use]
    pub fn moment(&self, label: &str, beat: Beat) -> String {
        format!("{}{}", self.bare(label, beat), self.params.query())
    }

    /// A link to a moment.
    pub(crate) fn link(&self, label: &str, beat: Beat, words: impl Into<String>) -> Link {
        Link { address: self.moment(label, beat), words: words.into() }
    }
}

//! The addresses of a match's moments: on its own pages, in a frame on another site, and of struck rounds.

use app::views::{Beat, match_address};
use ledger::{MatchId, Seq};

use crate::http::Lens;

/// The addresses of a match's moments, seen through one lens.
#[derive(Clone, Debug)]
pub struct Ways {
    base: String,
    lens: Lens,
}

impl Ways {
    /// On its own pages.
    #[must_use]
    pub fn of(match_id: MatchId, lens: Lens) -> Self {
        Self { base: match_address(match_id), lens }
    }

    /// In a frame of another site.
    #[must_use]
    pub fn embedded(match_id: MatchId, lens: Lens) -> Self {
        Self { base: format!("/embed{}", match_address(match_id)), lens }
    }

    /// Of the rounds struck by the entry with this number.
    #[must_use]
    pub fn struck(&self, strike: Seq) -> Self {
        Self { base: format!("{}/struck/{}", self.base, strike.0), lens: self.lens }
    }

    /// The same through another lens.
    #[must_use]
    pub fn through(&self, lens: Lens) -> Self {
        Self { base: self.base.clone(), lens }
    }

    /// The page that they belong to.
    #[must_use]
    pub fn page(&self) -> String {
        format!("{}{}", self.base, self.lens.query())
    }

    /// A moment without the lens; a round is given by its label in the score sheet, such as `7b`.
    #[must_use]
    pub fn bare(&self, label: &str, beat: Beat) -> String {
        format!("{}/r/{label}/{}", self.base, beat.word())
    }

    /// A moment.
    #[must_use]
    pub fn moment(&self, label: &str, beat: Beat) -> String {
        format!("{}{}", self.bare(label, beat), self.lens.query())
    }
}

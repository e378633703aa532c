//! The mark of a page about a practice match, so that nobody takes it for the record.

use app::Scope;
use ledger::MatchId;

/// The mark of a page about a practice match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PracticeMark {
    /// The address of the form that deletes the match, for its umpires.
    pub delete: Option<String>,
}

impl PracticeMark {
    /// The mark of a page about this match; none if it is in the record.
    #[must_use]
    pub fn of(match_id: MatchId) -> Option<Self> {
        (Scope::of(match_id) == Scope::Practice).then(Self::default)
    }

    /// The same on a page for umpires, with the way to delete the match.
    #[must_use]
    pub fn for_umpire(match_id: MatchId) -> Option<Self> {
        let delete = format!("/umpire/m/{}/delete", app::slug(match_id));
        Self::of(match_id).map(|_| Self { delete: Some(delete) })
    }
}

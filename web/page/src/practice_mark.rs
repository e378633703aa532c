//! The mark of a page about a practice match, so that nobody takes it for the record.

use app::Scope;
use ledger::MatchId;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PracticeMark {
    pub delete: Option<String>,
}

impl PracticeMark {
    #[must_use]
    pub fn of(match_id: MatchId) -> Option<Self> {
        (Scope::of(match_id) == Scope::Practice).then(Self::default)
    }

    #[must_use]
    pub fn for_umpire(match_id: MatchId) -> Option<Self> {
        let delete = format!("/umpire/m/{}/delete", app::slug(match_id));
        Self::of(match_id).map(|_| Self { delete: Some(delete) })
    }
}

//! The option that a single match may set differently. It is read in one function.

use crate::rule_option_macro::rule_option;

/// A ruleset as data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The moment at which the community card of a round is drawn.
    pub community: CommunityCard,
}

rule_option! {
    /// The moment at which the community card of a round is drawn.
    CommunityCard {
        /// After both seats have stopped refilling.
        AfterRefill = "after-refill",
        /// Before anybody refills.
        BeforeRefill = "before-refill",
    }
}

pub(super) const CHOICES: &[(&str, &[&str])] =
    &[("community", &[CommunityCard::AfterRefill.word(), CommunityCard::BeforeRefill.word()])];

impl Rules {
    /// True if a round begins with its community card.
    #[must_use]
    pub const fn draws_first(&self) -> bool {
        matches!(self.community, CommunityCard::BeforeRefill)
    }

    pub(super) fn choose(option: &str, value: &str) -> Option<Self> {
        let both = [CommunityCard::AfterRefill, CommunityCard::BeforeRefill];
        let chosen = both.into_iter().find(|community| option == "community" && value == community.word())?;
        Some(Self { community: chosen })
    }

    /// Every option by name.
    #[must_use]
    pub const fn options(&self) -> [(&'static str, &'static str); 1] {
        [("community", self.community.word())]
    }
}

//! The option that a single match may set differently. It is read in one function.

/// A ruleset as data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The moment at which the community card of a round is drawn.
    pub community: CommunityCard,
}

/// The moment at which the community card of a round is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommunityCard {
    /// After both seats have stopped refilling.
    AfterRefill,
    /// Before anybody refills.
    BeforeRefill,
}

pub(super) const COMMUNITY: &str = "community";
const AFTER_REFILL: &str = "after-refill";
const BEFORE_REFILL: &str = "before-refill";

/// The options that a single match may set differently.
pub(super) const CHOICES: &[(&str, &[&str])] = &[(COMMUNITY, &[AFTER_REFILL, BEFORE_REFILL])];

static AFTER: Rules = Rules { community: CommunityCard::AfterRefill };
static BEFORE: Rules = Rules { community: CommunityCard::BeforeRefill };

impl Rules {
    /// True if a round begins with its community card.
    #[must_use]
    pub const fn draws_first(&self) -> bool {
        matches!(self.community, CommunityCard::BeforeRefill)
    }

    /// The rules with one option set differently; none if there is no such option or value.
    pub(super) fn choose(option: &str, value: &str) -> Option<&'static Self> {
        match (option, value) {
            (COMMUNITY, AFTER_REFILL) => Some(&AFTER),
            (COMMUNITY, BEFORE_REFILL) => Some(&BEFORE),
            _ => None,
        }
    }

    /// Every option by name.
    #[must_use]
    pub const fn options(&self) -> [(&'static str, &'static str); 1] {
        [(COMMUNITY, if self.draws_first() { BEFORE_REFILL } else { AFTER_REFILL })]
    }
}

//! The purposes of the host's draws, and the number of each draw.

use crate::Word;

/// A purpose of the host's draws. Draws are numbered within the match: the number of each follows from its purpose and
/// from how many draws for that purpose count before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Purpose {
    /// The question's word, such as `offer`.
    pub word: Word,
    /// The number of its first draw.
    pub first: u32,
    /// The distance between its draws; 0 if there is only one.
    pub every: u32,
}

impl Purpose {
    /// The number of the draw that comes after `before` draws for this purpose; none if there is no such draw.
    #[must_use]
    pub const fn number(&self, before: u32) -> Option<u32> {
        if self.every == 0 && before > 0 {
            return None;
        }
        match self.every.checked_mul(before) {
            Some(after) => self.first.checked_add(after),
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn numbers_follow_from_purpose_and_count() {
        let offer = Purpose { word: "offer".into(), first: 1, every: 2 };
        assert_eq!([0, 1, 2].map(|before| offer.number(before)), [Some(1), Some(3), Some(5)]);
        assert_eq!(offer.number(u32::MAX), None);
        let deal = Purpose { word: "deal".into(), first: 0, every: 0 };
        assert_eq!((deal.number(0), deal.number(1)), (Some(0), None));
    }

    #[test]
    fn no_two_draws_of_a_match_have_the_same_number() {
        for ruleset in crate::rulesets() {
            let purposes = ruleset.draws();
            let numbers = || purposes.iter().flat_map(|purpose| (0..300).map_while(|before| purpose.number(before)));
            assert_eq!(numbers().collect::<BTreeSet<_>>().len(), numbers().count(), "{}", ruleset.card().id);
        }
    }
}

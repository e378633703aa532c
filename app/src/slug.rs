//! A match's short name in addresses. It follows from the match's id alone, so that no name of a person is in it.

use std::ops::RangeInclusive;

use ledger::MatchId;
use uuid::Uuid;

const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH: usize = 10;
/// Bits of an id that are not in the name.
const REST_BITS: usize = 128 - 5 * LENGTH;

/// Ten letters and digits out of the first 50 bits of the id: Crockford's alphabet, without i, l, o and u.
#[must_use]
pub fn slug(match_id: MatchId) -> String {
    let bits = match_id.0.as_u128();
    let letter = |at: usize| LETTERS.get(((bits >> (123 - 5 * at)) & 31) as usize).copied().unwrap_or(b'0');
    (0..LENGTH).map(|at| char::from(letter(at))).collect()
}

/// The ids that a short name can stand for, which begin with its bits; none where it is no match's. It is written in one
/// way: what merely looks like it is another name.
pub(crate) fn ids_of(slug: &str) -> Option<RangeInclusive<MatchId>> {
    let letters = (slug.len() == LENGTH).then(|| slug.bytes().map(|letter| bits(&letter)))?;
    let bits: u128 = letters.into_iter().try_fold(0, |bits, letter| Some(bits << 5 | letter? as u128))?;
    Some(that_begin_with(bits))
}

pub(crate) fn ids_like(match_id: MatchId) -> RangeInclusive<MatchId> {
    that_begin_with(match_id.0.as_u128() >> REST_BITS)
}

fn that_begin_with(bits: u128) -> RangeInclusive<MatchId> {
    let (first, rest) = (bits << REST_BITS, (1 << REST_BITS) - 1);
    MatchId(Uuid::from_u128(first))..=MatchId(Uuid::from_u128(first | rest))
}

pub(crate) fn last_bits(slug: &str) -> Option<usize> {
    (slug.len() == LENGTH).then(|| slug.as_bytes().last().and_then(bits))?
}

fn bits(letter: &u8) -> Option<usize> {
    LETTERS.iter().position(|known| known == letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_leads_back_to_the_ids_that_begin_with_it() {
        for id in ["00000000-0000-4000-8000-000000000000", "08421084-2108-4fff-bfff-ffffffffffff"] {
            let id: MatchId = id.parse().unwrap();
            let ids = ids_of(&slug(id)).unwrap();
            assert!(ids.contains(&id) && ids == ids_like(id));
            assert_eq!([ids.start(), ids.end()].map(|id| slug(*id)), [slug(id), slug(id)]);
            assert_eq!(ids.end().0.as_u128() - ids.start().0.as_u128(), (1 << 78) - 1);
        }
        for other in ["", "000000000", "00000000001", "000000000\u{e9}", "000000000i", "000000000A", "000000000\0"] {
            assert_eq!(ids_of(other), None, "{other}");
        }
    }

    #[test]
    fn it_follows_from_the_id() {
        let slug_of = |text: &str| slug(text.parse().unwrap());
        assert_eq!(slug_of("00000000-0000-4000-8000-000000000000"), "0000000001");
        assert_eq!(slug_of("ffffffff-ffff-4fff-8fff-ffffffffffff"), "zzzzzzzzzx");
        assert_eq!(slug_of("08421084-2108-4000-8000-000000000000").len(), 10);
    }
}

//! A match's short name in addresses. It follows from the match's id alone, so that no name of a person is in it.

use ledger::store::PRACTICE;
use ledger::{LogId, MatchId};

use super::LOG;

const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH: usize = 10;
/// The version of the ids of practice matches (RFC 9562, section 5.8). All others have version 4.
const PRACTICE_VERSION: usize = 8;

/// Ten letters and digits out of the first 50 bits of the id: Crockford's alphabet, without i, l, o and u.
#[must_use]
pub fn slug(match_id: MatchId) -> String {
    let bits = match_id.0.as_u128();
    let letter = |at: usize| LETTERS.get(((bits >> (123 - 5 * at)) & 31) as usize).copied().unwrap_or(b'0');
    (0..LENGTH).map(|at| char::from(letter(at))).collect()
}

/// Whether a short name is that of a practice match. Its last letter has the first two bits of the id's version, which is 8
/// for practice and 4 for everything else.
#[must_use]
pub fn is_practice(slug: &str) -> bool {
    let bits = |last: &u8| LETTERS.iter().position(|letter| letter == last).map(|value| value & 3);
    slug.len() == LENGTH && slug.as_bytes().last().and_then(bits) == Some(PRACTICE_VERSION >> 2)
}

/// The log that a match is in, as its id says.
#[must_use]
pub fn log_of(match_id: MatchId) -> LogId {
    if match_id.0.get_version_num() == PRACTICE_VERSION { PRACTICE } else { LOG }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_tells_practice() {
        for rest in ["00000000-0000", "ffffffff-ffff", "08421084-2108"] {
            let (official, practice) =
                (format!("{rest}-4000-8000-000000000000"), format!("{rest}-8000-8000-000000000000"));
            let [official, practice] = [official, practice].map(|id| id.parse::<MatchId>().unwrap());
            assert_eq!((log_of(official), is_practice(&slug(official))), (LOG, false));
            assert_eq!((log_of(practice), is_practice(&slug(practice))), (PRACTICE, true));
        }
        for other in ["", "000000000", "00000000002", "000000000\u{e9}", "000000000i"] {
            assert!(!is_practice(other), "{other}");
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

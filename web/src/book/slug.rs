//! A match's short name in addresses. It follows from the match's id alone, so that no name of a person is in it.

use ledger::MatchId;

const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH: usize = 10;

/// Ten letters and digits out of the first 50 bits of the id: Crockford's alphabet, without i, l, o and u.
#[must_use]
pub fn slug(match_id: MatchId) -> String {
    let bits = match_id.0.as_u128();
    let letter = |at: usize| LETTERS.get(((bits >> (123 - 5 * at)) & 31) as usize).copied().unwrap_or(b'0');
    (0..LENGTH).map(|at| char::from(letter(at))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_follows_from_the_id() {
        let slug_of = |text: &str| slug(text.parse().unwrap());
        assert_eq!(slug_of("00000000-0000-4000-8000-000000000000"), "0000000001");
        assert_eq!(slug_of("ffffffff-ffff-4fff-8fff-ffffffffffff"), "zzzzzzzzzx");
        assert_eq!(slug_of("08421084-2108-4000-8000-000000000000").len(), 10);
    }
}

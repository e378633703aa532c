//! The words of declarations, answers and the umpire, in one table.

/// The words with a meaning of their own.
const KEYWORDS: &str = "title source label counter dice deck hand board ask rounds first score each shared hidden from to \
    of none both one p1 p2 pick number text cards cell order yes-no yes no clock bank default opens umpire then draw host \
    says by put at move deal in shuffle again next over undecided void";

/// The keys of a state that no declaration names.
const STATE_KEYS: &str = "phase round asks said";

/// What the record draws for itself; its questions have these words.
const PURPOSES: &str = "share shares openings seed keys round signature";

/// True for a word that nothing declared may be named.
pub(super) fn is_reserved(word: &str) -> bool {
    [KEYWORDS, STATE_KEYS, PURPOSES].iter().any(|list| list.split(' ').any(|reserved| reserved == word))
}

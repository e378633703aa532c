//! The scope of a match: the record or practice.

use ledger::{LogId, MatchId};
use store::PRACTICE;

pub const LOG: LogId = LogId(1);
/// The version of the ids of practice matches (RFC 9562, section 5.8). All others have version 4.
const PRACTICE_VERSION: usize = 8;

/// The log that a match belongs to. It follows from the match's id, so practice cannot get into the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The record: signed, and never deleted.
    Record,
    /// Practice: its log is not signed, and umpires can delete its matches.
    Practice,
}

impl Scope {
    pub const ALL: [Self; 2] = [Self::Record, Self::Practice];

    #[must_use]
    pub fn of(match_id: MatchId) -> Self {
        if match_id.0.get_version_num() == PRACTICE_VERSION { Self::Practice } else { Self::Record }
    }

    #[must_use]
    pub const fn log_id(self) -> LogId {
        match self {
            Self::Record => LOG,
            Self::Practice => PRACTICE,
        }
    }

    #[must_use]
    pub fn match_id(self, bytes: [u8; 16]) -> MatchId {
        let id = match self {
            Self::Record => uuid::Builder::from_random_bytes(bytes),
            Self::Practice => uuid::Builder::from_custom_bytes(bytes),
        };
        MatchId(id.into_uuid())
    }
}

/// True for the short name of a practice match. Its last letter has the first two bits of the id's version, which is 8
/// for practice and 4 for everything else.
#[must_use]
pub fn is_practice(slug: &str) -> bool {
    crate::slug::last_bits(slug).map(|bits| bits & 3) == Some(PRACTICE_VERSION >> 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slug::slug;

    #[test]
    fn ids_and_short_names_tell_practice_from_the_record() {
        for bytes in [[0; 16], [0xff; 16], [0x84; 16]] {
            for scope in Scope::ALL {
                let match_id = scope.match_id(bytes);
                assert_eq!(Scope::of(match_id), scope);
                assert_eq!(is_practice(&slug(match_id)), scope == Scope::Practice);
            }
        }
        for other in ["", "000000000", "00000000002", "000000000\u{e9}", "000000000i"] {
            assert!(!is_practice(other), "{other}");
        }
    }
}

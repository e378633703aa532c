//! The kinds of entries. The crate `record` defines their bodies.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::serde_as_text::serde_as_text;

/// The text names no kind of entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("no such kind of entry")]
pub struct KindError;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)+) => {
        /// The kind of an entry, from the table of `docs/record-format.md`. Written as the lower-case word.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Kind {
            $($(#[$doc])* $name,)+
        }

        impl Kind {
            /// Every kind, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The word in the entry.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }
        }

        impl FromStr for Kind {
            type Err = KindError;

            fn from_str(text: &str) -> Result<Self, KindError> {
                match text {
                    $($text => Ok(Self::$name),)+
                    _ => Err(KindError),
                }
            }
        }
    };
}

kinds! {
    /// The match and its settings.
    Opened = "opened",
    /// A seat's public key.
    Key = "key",
    /// A private link to a seat was made or followed, or a second key was refused.
    Linked = "linked",
    /// A decision and the party that is asked.
    Asked = "asked",
    /// One seat's counting commitments for a decision.
    Sealed = "sealed",
    /// The end of a decision, and its result.
    Resolved = "resolved",
    /// The umpire's word on what became of answers.
    Announced = "announced",
    /// A draw and its proof.
    Drawn = "drawn",
    /// The clocks are stopped.
    Paused = "paused",
    /// The clocks run again.
    Resumed = "resumed",
    /// A deadline was moved.
    Extended = "extended",
    /// Another umpire took over.
    Handed = "handed",
    /// An umpire's ruling.
    Ruled = "ruled",
    /// A player's objection.
    Objected = "objected",
    /// A public remark.
    Noted = "noted",
    /// Steps that no longer count.
    Struck = "struck",
    /// The result.
    Ended = "ended",
    /// Everything that was still secret at the end.
    Unsealed = "unsealed",
    /// A past match, entered as a whole.
    Imported = "imported",
    /// A player's first key. This and the next two stand in a player's chain, never in a match.
    Registered = "registered",
    /// A player's next key.
    Rotated = "rotated",
    /// The end of a player's chain.
    Revoked = "revoked",
}

impl Kind {
    /// True for the kinds of a player's chain.
    #[must_use]
    pub const fn is_of_player(self) -> bool {
        matches!(self, Self::Registered | Self::Rotated | Self::Revoked)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

serde_as_text!(Kind);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_the_format() {
        let words: Vec<&str> = Kind::ALL.iter().map(|kind| kind.as_str()).collect();
        assert_eq!(
            words.join(" "),
            "opened key linked asked sealed resolved announced drawn paused resumed extended handed ruled objected noted struck ended \
             unsealed imported registered rotated revoked"
        );
        for kind in Kind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(*kind));
        }
    }
}

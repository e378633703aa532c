//! The reason why the draws of a match cannot wait for a beacon.

use thiserror::Error;

/// The reason why the draws of a match cannot wait for a beacon. Displayed as a sentence for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CannotDraw {
    /// Practice is in no public log.
    #[error("practice is in no public log, so nobody could see that a round was named in time: it has no beacon")]
    Practice,
    /// The game draws nothing here.
    #[error("a beacon is for matches in which Matchbook draws")]
    NoDraws,
}

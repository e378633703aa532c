//! The reason why the draws of a match cannot wait for a beacon.

use thiserror::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CannotDraw {
    #[error("practice is in no public log, so nobody could see that a round was named in time: it has no beacon")]
    Practice,
    #[error("a beacon is for matches in which Matchbook draws")]
    NoDraws,
}

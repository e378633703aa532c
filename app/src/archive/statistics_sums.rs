//! The sums of a ruleset's finished matches. The statistics count them; pages and the API read them.

use engine::{Duel, Sight};
use store::statistics::sums;

use super::Archive;
use crate::error::AppError;
use crate::half_hash::half_hash;
use crate::scope::LOG;

pub use store::statistics::sums::{EndingCount, FateCount, MoveCount, PairCount, ResultCount};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Situation(pub [u8; 16]);

impl Situation {
    fn of(text: &str) -> Self {
        Self(half_hash(text))
    }

    #[must_use]
    pub fn any() -> Self {
        Self::of("any")
    }

    /// The rounds 1 to 5 for 0, 6 to 10 for 1 and so on.
    #[must_use]
    pub fn rounds(fives: i32) -> Self {
        Self::of(&format!("rounds\n{fives}"))
    }

    /// Seat 1 is behind (-1), level (0) or ahead (1) by score.
    #[must_use]
    pub fn standing(standing: i16) -> Self {
        Self::of(&format!("standing\n{standing}"))
    }

    #[must_use]
    pub fn after(p1: &str, p2: &str) -> Self {
        Self::of(&format!("after\n{p1}\n{p2}"))
    }

    #[must_use]
    pub fn state(duel: &Duel) -> Self {
        Self::of(&format!("state\n{}", duel.state(Sight::Everything)))
    }
}

impl Archive {
    pub async fn ending_counts(&self, ruleset: &str) -> Result<Vec<EndingCount>, AppError> {
        Ok(sums::endings(&self.reading, LOG, ruleset).await?)
    }

    pub async fn result_counts(&self) -> Result<Vec<ResultCount>, AppError> {
        Ok(sums::results(&self.reading, LOG).await?)
    }

    pub async fn fate_counts(&self, ruleset: &str) -> Result<Vec<FateCount>, AppError> {
        Ok(sums::fates(&self.reading, LOG, ruleset).await?)
    }

    pub async fn move_counts(&self, ruleset: &str) -> Result<Vec<MoveCount>, AppError> {
        Ok(sums::moves(&self.reading, LOG, ruleset).await?)
    }

    pub async fn pair_counts(
        &self,
        ruleset: &str,
        situation: Situation,
        what: Option<&str>,
        most: i64,
    ) -> Result<Vec<PairCount>, AppError> {
        Ok(sums::pairs(&self.reading, LOG, ruleset, &situation.0, what, most).await?)
    }
}

//! What finished matches of a ruleset add up to, as the database has it. The statistics count it; their pages and the API
//! read it.

use engine::{BySeat, Duel, Sight};
use sha2::{Digest, Sha256};
use store::statistics::sums;

use super::Archive;
use crate::error::AppError;
use crate::scope::LOG;

pub use store::statistics::sums::{EndingCount, MoveCount};

/// What was played in a situation, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairCount {
    /// The question.
    pub what: String,
    /// What seat 1 sent; empty where it was not asked.
    pub p1: String,
    /// What seat 2 sent, likewise.
    pub p2: String,
    /// How often, and what came of it.
    pub sum: PairSum,
}

/// How often, and what came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairSum {
    /// How often.
    pub n: i64,
    /// In how many of these the seat won the match.
    pub won: BySeat<i64>,
    /// What the seat's score gained by it in all.
    pub gain: BySeat<i64>,
}

/// A situation: the first half of a SHA-256.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Situation(pub [u8; 16]);

/// The first half of a SHA-256.
pub fn half(text: &str) -> [u8; 16] {
    let hash = Sha256::digest(text);
    std::array::from_fn(|at| hash.get(at).copied().unwrap_or(0))
}

impl Situation {
    fn of(text: &str) -> Self {
        Self(half(text))
    }

    /// Any situation at all.
    #[must_use]
    pub fn any() -> Self {
        Self::of("any")
    }

    /// In rounds 1 to 5, 6 to 10 and so on: which five, from 0.
    #[must_use]
    pub fn rounds(fives: i32) -> Self {
        Self::of(&format!("rounds\n{fives}"))
    }

    /// With seat 1 behind (-1), level (0) or ahead (1) by score.
    #[must_use]
    pub fn standing(standing: i16) -> Self {
        Self::of(&format!("standing\n{standing}"))
    }

    /// After these kinds of moves in answer to the same question.
    #[must_use]
    pub fn after(p1: &str, p2: &str) -> Self {
        Self::of(&format!("after\n{p1}\n{p2}"))
    }

    /// Exactly this state of a match.
    #[must_use]
    pub fn state(duel: &Duel) -> Self {
        Self::of(&format!("state\n{}", duel.state(Sight::Everything)))
    }
}

impl Archive {
    /// How matches of a ruleset ended.
    ///
    /// # Errors
    /// The database.
    pub async fn ending_counts(&self, ruleset: &str) -> Result<Vec<EndingCount>, AppError> {
        Ok(sums::endings(self.logs.reading_pool(), LOG, ruleset).await?)
    }

    /// How often each kind of move was sent.
    ///
    /// # Errors
    /// The database.
    pub async fn move_counts(&self, ruleset: &str) -> Result<Vec<MoveCount>, AppError> {
        Ok(sums::moves(self.logs.reading_pool(), LOG, ruleset).await?)
    }

    /// What was played in a situation, the most frequent first.
    ///
    /// # Errors
    /// The database.
    pub async fn pair_counts(
        &self,
        ruleset: &str,
        situation: Situation,
        what: Option<&str>,
        most: i64,
    ) -> Result<Vec<PairCount>, AppError> {
        let pairs = sums::pairs(self.logs.reading_pool(), LOG, ruleset, &situation.0, what, most).await?;
        let pairs = pairs.into_iter().map(|row| PairCount {
            what: row.what,
            p1: row.p1,
            p2: row.p2,
            sum: PairSum {
                n: row.n,
                won: BySeat { p1: row.won_p1, p2: row.won_p2 },
                gain: BySeat { p1: row.gain_p1, p2: row.gain_p2 },
            },
        });
        Ok(pairs.collect())
    }
}

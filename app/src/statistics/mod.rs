//! The statistics of finished matches: what a match adds, the worker that keeps the sums up to date, and the matches behind
//! a sum.

mod answer_sections;
mod counting;
mod match_counts;
mod phase;
mod summary;

use store::PgPool;
use store::statistics::counted_matches;

use crate::archive::Place;
use crate::{AppError, LOG};

pub use answer_sections::{AnswerSection, AnswerTable, Previous, answer_section};
pub use counting::{count_some, recount};
pub use match_counts::{CountKey, OPENING_STEPS, PairKey, counts};
pub use phase::{LAST_FIVES, Phase};
pub use store::statistics::counted_matches::CountedMatch;
pub use summary::{Ending, Question, Results, SentKind, Statistics};

pub async fn matches(
    pool: &PgPool,
    counted_for: CountKey,
    after: Option<&Place>,
    limit: i64,
) -> Result<Vec<CountedMatch>, AppError> {
    Ok(counted_matches::list(pool, LOG, &counted_for.0, after.map(Place::key), limit).await?)
}

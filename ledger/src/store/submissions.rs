//! Submissions before their decision closes. None of it is public, not even that a seat has submitted.
//!
//! A seat's submissions are numbered from 0. One that is to count and the close of the decision both ask for the next
//! number, and the primary key gives it to one of them: whatever lies below the close was in, everything else is late.

use chrono::{DateTime, Utc};
use sqlx::Row;
use sqlx::postgres::{PgDatabaseError, PgRow};
use thiserror::Error;

use super::append::Submit;
use super::read::narrow;
use super::{Store, StoreError};
use crate::id::MatchId;
use crate::moment::Moment;
use crate::seal::{Commitment, Sealer};
use crate::word::DecisionId;

/// How often one seat can submit for one decision: once, and 32 replacements.
pub const SUBMISSIONS_MAX: u8 = 33;

/// The number of a seat's submission for a decision, from 0. The last one below the close counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ordinal(pub u8);

/// What a seat submits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// The match.
    pub match_id: MatchId,
    /// The decision it is for.
    pub decision: DecisionId,
    /// Who submits.
    pub seat: Sealer,
    /// When it came.
    pub at: Moment,
    /// One for every field, in field order; at least one.
    pub commitments: Vec<Commitment>,
    /// Values and keys, encrypted; nothing where the player keeps them.
    pub escrow: Option<Vec<u8>>,
    /// What makes a repetition recognisable.
    pub submit: Option<Submit>,
}

/// What was given into escrow with a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Escrow {
    /// The decision.
    pub decision: DecisionId,
    /// Who submitted.
    pub seat: Sealer,
    /// The submission's number.
    pub ordinal: Ordinal,
    /// Values and keys, encrypted.
    pub ciphertext: Vec<u8>,
}

/// A submission that is durable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// Who submitted.
    pub seat: Sealer,
    /// Its number.
    pub ordinal: Ordinal,
    /// When it came.
    pub at: Moment,
    /// One for every field, in field order. None at all in the row that closes the decision for the seat.
    pub commitments: Vec<Commitment>,
}

/// Why a submission does not count.
#[derive(Debug, Error)]
pub enum SubmissionError {
    /// The decision was closed first.
    #[error("this came too late: the decision is closed")]
    Late,
    /// It was replaced too often.
    #[error("a submission can be replaced 32 times, and has been")]
    TooMany,
    /// The submit id was used before, for something else.
    #[error("this submit id was used before with other contents")]
    SubmitReused,
    /// It is not known to be stored. With a submit id it is safe to ask again.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Store {
    /// Stores a submission and returns its number when it is durable. A repetition, by its submit id, returns the first
    /// one's row, also after the close.
    ///
    /// # Errors
    /// [`SubmissionError`]. After [`SubmissionError::Store`] it may be stored or not.
    pub async fn submit(&self, submission: &Submission) -> Result<Received, SubmissionError> {
        loop {
            // One statement: number, row and escrow, all or nothing. `fetch_all` and not `fetch_one`, which would return
            // with the first row, and that comes before the commit.
            let rows = sqlx::query(
                "with last as (\
                     select coalesce(max(ordinal), -1) as ordinal, \
                         coalesce(bool_or(commitments is null), false) as closed \
                     from submissions where log_id = $1 and match_id = $2 and decision = $3 and seat = $4\
                 ), added as (\
                     insert into submissions \
                         (log_id, match_id, decision, seat, ordinal, at, commitments, submit_id, submit_digest) \
                     select $1, $2, $3, $4, ordinal + 1, $5, $6, $7, $8 from last \
                     where not closed and ordinal + 1 < $10 returning ordinal\
                 ), kept as (\
                     insert into escrow (log_id, match_id, decision, seat, ordinal, ciphertext) \
                     select $1, $2, $3, $4, ordinal, $9 from added where $9 is not null\
                 ) \
                 select last.closed, added.ordinal from last left join added on true",
            )
            .bind(self.log().log_id.0)
            .bind(submission.match_id.0)
            .bind(submission.decision.as_str())
            .bind(submission.seat.to_string())
            .bind(submission.at.to_utc())
            .bind(submission.commitments.iter().flat_map(|seal| *seal.bytes()).collect::<Vec<u8>>())
            .bind(submission.submit.map(|submit| submit.id.0))
            .bind(submission.submit.map(|submit| *submit.digest.bytes()))
            .bind(submission.escrow.as_deref())
            .bind(i16::from(SUBMISSIONS_MAX))
            .fetch_all(self.pool())
            .await;
            let row = match rows {
                Ok(rows) => rows.into_iter().next().ok_or(sqlx::Error::RowNotFound).map_err(StoreError::from)?,
                // Another submission, or the close, took the number: look again.
                Err(error) if violates(&error, "submissions_pkey") => continue,
                Err(error) if violates(&error, "submissions_submit_key") => {
                    return self.repeated(submission).await?.ok_or(SubmissionError::SubmitReused);
                }
                Err(error) => return Err(StoreError::from(error).into()),
            };
            let ordinal: Option<i16> = row.try_get("ordinal").map_err(StoreError::from)?;
            if let Some(ordinal) = ordinal {
                let Submission { seat, at, ref commitments, .. } = *submission;
                let ordinal = Ordinal(narrow(ordinal, "ordinal")?);
                return Ok(Received { seat, ordinal, at, commitments: commitments.clone() });
            }
            let closed: bool = row.try_get("closed").map_err(StoreError::from)?;
            let late = if closed { SubmissionError::Late } else { SubmissionError::TooMany };
            return self.repeated(submission).await?.ok_or(late);
        }
    }

    /// The row that the same submission made before, by its submit id, if it did.
    ///
    /// # Errors
    /// [`SubmissionError::SubmitReused`], [`SubmissionError::Store`].
    pub async fn repeated(&self, submission: &Submission) -> Result<Option<Received>, SubmissionError> {
        let Some(submit) = submission.submit else { return Ok(None) };
        let row = sqlx::query(
            "select match_id = $3 and decision = $4 and seat = $5 and submit_digest = $6 as same, \
                 seat, ordinal, at, commitments from submissions where log_id = $1 and submit_id = $2",
        )
        .bind(self.log().log_id.0)
        .bind(submit.id.0)
        .bind(submission.match_id.0)
        .bind(submission.decision.as_str())
        .bind(submission.seat.to_string())
        .bind(submit.digest.bytes().as_slice())
        .fetch_optional(self.pool())
        .await
        .map_err(StoreError::from)?;
        match row {
            None => Ok(None),
            Some(row) if row.try_get("same").map_err(StoreError::from)? => Ok(Some(received(&row)?)),
            Some(_) => Err(SubmissionError::SubmitReused),
        }
    }

    /// Closes a decision for these seats, all at once, and returns everything that was submitted for it, by seat and
    /// number. A seat that is closed already stays closed where it was. When this returns, nothing more can come in.
    ///
    /// # Errors
    /// [`StoreError::Database`], after which it may be closed or not; closing again is safe.
    pub async fn close(
        &self,
        match_id: MatchId,
        decision: &DecisionId,
        seats: &[Sealer],
        at: Moment,
    ) -> Result<Vec<Received>, StoreError> {
        loop {
            let closed = sqlx::query(
                "insert into submissions (log_id, match_id, decision, seat, ordinal, at) \
                 select $1, $2, $3, asked.seat, coalesce(max(ordinal), -1) + 1, $5 \
                 from unnest($4::text[]) as asked (seat) left join submissions as made \
                     on made.log_id = $1 and made.match_id = $2 and made.decision = $3 and made.seat = asked.seat \
                 group by asked.seat \
                 having not coalesce(bool_or(made.commitments is null) filter (where made.ordinal is not null), false)",
            )
            .bind(self.log().log_id.0)
            .bind(match_id.0)
            .bind(decision.as_str())
            .bind(seats.iter().map(Sealer::to_string).collect::<Vec<_>>())
            .bind(at.to_utc())
            .execute(self.pool())
            .await;
            match closed {
                Ok(_) => return self.submissions(match_id, decision).await,
                // A submission came first, and is in; or another node closes too.
                Err(error) if violates(&error, "submissions_pkey") => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Everything that was submitted for a decision so far, by seat and number, with the rows that close it.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn submissions(&self, match_id: MatchId, decision: &DecisionId) -> Result<Vec<Received>, StoreError> {
        let rows = sqlx::query(
            "select seat, ordinal, at, commitments from submissions \
             where log_id = $1 and match_id = $2 and decision = $3 order by seat, ordinal",
        )
        .bind(self.log().log_id.0)
        .bind(match_id.0)
        .bind(decision.as_str())
        .fetch_all(self.pool())
        .await?;
        rows.iter().map(received).collect()
    }

    /// Everything that was given into escrow in a match, while it is there.
    ///
    /// # Errors
    /// [`StoreError::Database`], or a row that does not read.
    pub async fn escrows(&self, match_id: MatchId) -> Result<Vec<Escrow>, StoreError> {
        let rows = sqlx::query(
            "select decision, seat, ordinal, ciphertext from escrow \
             where log_id = $1 and match_id = $2 order by decision, seat, ordinal",
        )
        .bind(self.log().log_id.0)
        .bind(match_id.0)
        .fetch_all(self.pool())
        .await?;
        let wrong = |what: &str| StoreError::Corrupt { what: format!("escrow without a {what}") };
        let escrow = |row: &PgRow| {
            let decision = row.try_get::<&str, _>("decision")?.parse();
            let seat = row.try_get::<&str, _>("seat")?.parse();
            Ok(Escrow {
                decision: decision.map_err(|_| wrong("decision"))?,
                seat: seat.map_err(|_| wrong("seat"))?,
                ordinal: Ordinal(narrow(row.try_get::<i16, _>("ordinal")?, "ordinal")?),
                ciphertext: row.try_get("ciphertext")?,
            })
        };
        rows.iter().map(escrow).collect()
    }

    /// Forgets what was given into escrow in a match, once all of it is public.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn forget_escrow(&self, match_id: MatchId) -> Result<(), StoreError> {
        sqlx::query("delete from escrow where log_id = $1 and match_id = $2")
            .bind(self.log().log_id.0)
            .bind(match_id.0)
            .execute(self.pool())
            .await?;
        Ok(())
    }
}

impl Received {
    /// Whether this is the row that closes the decision for the seat, and not a submission.
    #[must_use]
    pub fn closes(&self) -> bool {
        self.commitments.is_empty()
    }
}

fn violates(error: &sqlx::Error, constraint: &str) -> bool {
    let answer = error.as_database_error().and_then(|error| error.try_downcast_ref::<PgDatabaseError>());
    answer.is_some_and(|answer| answer.code() == "23505" && answer.constraint() == Some(constraint))
}

fn received(row: &PgRow) -> Result<Received, StoreError> {
    let seat = row.try_get::<&str, _>("seat")?.parse();
    let bytes: Option<&[u8]> = row.try_get("commitments")?;
    let commitments = bytes.unwrap_or_default().chunks(32).map(|seal| narrow(seal, "commitments").map(Commitment::new));
    Ok(Received {
        seat: seat.map_err(|_| StoreError::Corrupt { what: "a submission is by nobody".to_owned() })?,
        ordinal: Ordinal(narrow(row.try_get::<i16, _>("ordinal")?, "ordinal")?),
        at: narrow(row.try_get::<DateTime<Utc>, _>("at")?, "at")?,
        commitments: commitments.collect::<Result<_, _>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences() {
        let said = [SubmissionError::Late, SubmissionError::TooMany, SubmissionError::SubmitReused];
        assert_eq!(
            said.map(|error| error.to_string()),
            [
                "this came too late: the decision is closed",
                "a submission can be replaced 32 times, and has been",
                "this submit id was used before with other contents",
            ]
        );
    }
}

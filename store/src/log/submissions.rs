//! Submissions before their decision closes. None of this is public, not even that a seat has submitted.
//!
//! A seat's submissions are numbered from 0. A submission that is to count and the close of the decision both ask for
//! the next number, and the primary key gives it to one of them: every number below the close counts, and everything
//! else is late.

use chrono::{DateTime, Utc};
use ledger::{
    Author, Commitment, DecisionId, LogId, MatchId, Moment, PlayerSignature, Sealer, SubmissionSignature, SubmitId,
    TreeSize,
};
use sqlx::Row;
use sqlx::postgres::{PgDatabaseError, PgRow};
use thiserror::Error;

use super::append::Submit;
use super::read::narrow;
use super::standby::{self, WAITS};
use super::{Store, StoreError};

/// The number of times that one seat can submit for one decision: once, and 32 replacements.
pub const SUBMISSIONS_MAX: u8 = 33;

/// The number of a seat's submission for a decision, from 0. The last one below the close counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ordinal(pub u8);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    pub log_id: LogId,
    pub match_id: MatchId,
    pub decision: DecisionId,
    pub seat: Sealer,
    pub at: Moment,
    /// One for every field, in field order; at least one.
    pub commitments: Vec<Commitment>,
    /// The encrypted values and keys; none if the player keeps them.
    pub escrow: Option<Vec<u8>>,
    pub submit: Option<Submit>,
    pub sent_by: Author,
    pub signed: Option<SubmissionSignature>,
    pub is_final: bool,
    pub counts: Counts,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counts {
    /// The last one below the close: an earlier one is replaced.
    Last,
    /// The first one: no other is stored.
    First,
}

impl Counts {
    pub(super) const fn most(self) -> u8 {
        match self {
            Self::Last => SUBMISSIONS_MAX,
            Self::First => 1,
        }
    }
}

/// The rows that close a decision, without the condition.
macro_rules! closes {
    () => {
        "insert into submissions (log_id, match_id, decision, seat, ordinal, at, sent_by) \
         select $1, $2, $3, asked.seat, coalesce(max(ordinal), -1) + 1, $5, $6::text \
         from unnest($4::text[]) as asked (seat) left join submissions as made \
             on made.log_id = $1 and made.match_id = $2 and made.decision = $3 and made.seat = asked.seat \
         group by asked.seat"
    };
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Escrow {
    pub decision: DecisionId,
    pub seat: Sealer,
    pub ordinal: Ordinal,
    pub ciphertext: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSubmission {
    pub seat: Sealer,
    pub ordinal: Ordinal,
    pub at: Moment,
    /// One for every field, in field order. The row that closes the decision for the seat has none.
    pub commitments: Vec<Commitment>,
    pub submit: Option<SubmitId>,
    /// The sender; of a close, the umpire who closed a question that may close early. None for all other closes, and for
    /// old rows, which umpires sent.
    pub sent_by: Option<Author>,
    pub signed: Option<SubmissionSignature>,
    pub is_final: bool,
}

#[derive(Debug, Error)]
pub enum SubmissionError {
    #[error("this came too late: the decision is closed")]
    Late,
    #[error("the first answer of a seat counts, and it was given")]
    Answered,
    #[error("a move can be changed 32 times, and has been")]
    TooMany,
    #[error("this submit id was used before with other contents")]
    SubmitReused,
    /// The seat sent one of these commitments for the decision before, and each may be recorded only once.
    #[error("a seal of this submission was sent before")]
    SealReused,
    /// The task has stopped. With a submit id it is safe to ask again.
    #[error("submissions are not taken any more; the program's log says why")]
    Stopped,
    /// The connection was lost; without a submit id it is unknown if it was stored.
    #[error("the database was lost meanwhile, and this may be stored or not")]
    Unknown,
    /// It may not be stored. With a submit id it is safe to ask again.
    #[error(transparent)]
    Store(#[from] StoreError),
}

const CLOSE: &str = concat!(
    closes!(),
    " having not coalesce(bool_or(made.commitments is null) filter (where made.ordinal is not null), false)"
);

const CLOSE_IF_FINAL: &str = concat!(
    "with last as (select distinct on (seat) seat, coalesce(is_final, false) as is_final from submissions \
         where log_id = $1 and match_id = $2 and decision = $3 and seat = any($4) order by seat, ordinal desc) ",
    closes!(),
    " having (select count(*) from last where is_final) = cardinality($4)"
);

impl Store {
    /// The earlier row of the same submission, by its submit id, if there is one.
    pub async fn repeated(
        &self,
        match_id: MatchId,
        decision: &DecisionId,
        seat: Sealer,
        submit: Submit,
    ) -> Result<Option<StoredSubmission>, SubmissionError> {
        let query = format!(
            "select match_id = $3 and decision = $4 and seat = $5 and submit_digest = $6 as same, {RECEIVED} \
             from submissions where log_id = $1 and submit_id = $2"
        );
        let row = sqlx::query(sqlx::AssertSqlSafe(query))
            .bind(self.log().log_id.0)
            .bind(submit.id.0)
            .bind(match_id.0)
            .bind(decision.as_str())
            .bind(seat.to_string())
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

    /// Closes a decision for these seats, all at once, and returns all submissions for it, by seat and number. A seat
    /// that is closed already keeps its earlier close. After this returns, no more submissions can count; after an
    /// error it may be closed or not, and closing again is safe. `by` is an umpire whose close is to be told from the
    /// server's.
    pub async fn close(
        &self,
        match_id: MatchId,
        decision: &DecisionId,
        seats: &[Sealer],
        at: Moment,
        by: Option<&Author>,
    ) -> Result<Vec<StoredSubmission>, StoreError> {
        self.close_where(CLOSE, (match_id, decision, seats), at, by).await
    }

    /// Closes a decision for these seats if the last submission of each is final, and returns all submissions for it.
    /// If one is not, nothing is closed, however many nodes and seats do something at the same time: a submission that
    /// comes between takes the number of the close. After an error closing again is safe.
    pub async fn close_if_final(
        &self,
        match_id: MatchId,
        decision: &DecisionId,
        seats: &[Sealer],
        at: Moment,
    ) -> Result<Vec<StoredSubmission>, StoreError> {
        self.close_where(CLOSE_IF_FINAL, (match_id, decision, seats), at, None).await
    }

    async fn close_where(
        &self,
        close: &'static str,
        (match_id, decision, seats): (MatchId, &DecisionId, &[Sealer]),
        at: Moment,
        by: Option<&Author>,
    ) -> Result<Vec<StoredSubmission>, StoreError> {
        // A submission that is committed meanwhile is in neither part. It has the number that the close asks for, so this
        // fails and is tried again.
        let query = format!(
            "with closed as ({close} returning {RECEIVED}) \
             select {RECEIVED}, {WAITS} as waits from submissions \
                 where log_id = $1 and match_id = $2 and decision = $3 \
             union all select {RECEIVED}, false from closed order by seat, ordinal"
        );
        let mut connection = self.pool().acquire().await?;
        loop {
            let closing = sqlx::query(sqlx::AssertSqlSafe(query.as_str()))
                .bind(self.log().log_id.0)
                .bind(match_id.0)
                .bind(decision.as_str())
                .bind(seats.iter().map(Sealer::to_string).collect::<Vec<_>>())
                .bind(at.to_utc())
                .bind(by.map(Author::to_string))
                .fetch_all(&mut *connection);
            let (rows, cancelled) = standby::warned(closing).await;
            match rows {
                Ok(rows) => {
                    // Somebody else may have closed it, and the wait of that commit may have been cancelled.
                    let mut others = false;
                    for row in &rows {
                        others |= row.try_get("waits")? && received(row)?.closes();
                    }
                    if cancelled || others {
                        standby::confirm(&mut connection).await?;
                    }
                    return rows.iter().map(received).collect();
                }
                // A submission was first, and counts; or another node is closing, too.
                Err(error) if violates(&error, "submissions_pkey") => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// One seat's submissions for some decisions, by decision and number, with the rows that close them. The other
    /// seat's rows are neither read nor waited for.
    pub async fn submissions_of(
        &self,
        match_id: MatchId,
        seat: Sealer,
        decisions: &[DecisionId],
    ) -> Result<Vec<(DecisionId, StoredSubmission)>, StoreError> {
        let query = format!(
            "select decision, {RECEIVED} from submissions \
             where log_id = $1 and match_id = $2 and seat = $3 and decision = any($4) order by decision, ordinal"
        );
        let rows = sqlx::query(sqlx::AssertSqlSafe(query))
            .bind(self.log().log_id.0)
            .bind(match_id.0)
            .bind(seat.to_string())
            .bind(decisions.iter().map(|decision| decision.as_str().to_owned()).collect::<Vec<_>>())
            .fetch_all(self.pool())
            .await?;
        let row = |row: &PgRow| {
            let decision = row.try_get::<&str, _>("decision")?.parse();
            let wrong = || StoreError::Corrupt { what: "a submission without a decision".to_owned() };
            Ok((decision.map_err(|_| wrong())?, received(row)?))
        };
        rows.iter().map(row).collect()
    }

    pub async fn escrows_of(&self, match_id: MatchId, seat: Sealer) -> Result<Vec<Escrow>, StoreError> {
        let rows = sqlx::query(
            "select decision, seat, ordinal, ciphertext from escrow \
             where log_id = $1 and match_id = $2 and seat = $3 order by decision, ordinal",
        )
        .bind(self.log().log_id.0)
        .bind(match_id.0)
        .bind(seat.to_string())
        .fetch_all(self.pool())
        .await?;
        rows.iter().map(escrow).collect()
    }

    pub async fn matches_in_escrow(&self) -> Result<Vec<MatchId>, StoreError> {
        let rows = sqlx::query_scalar("select distinct match_id from escrow where log_id = $1");
        let rows: Vec<uuid::Uuid> = rows.bind(self.log().log_id.0).fetch_all(self.pool()).await?;
        Ok(rows.into_iter().map(MatchId).collect())
    }

    pub async fn forget_escrow(&self, match_id: MatchId) -> Result<(), StoreError> {
        sqlx::query("delete from escrow where log_id = $1 and match_id = $2")
            .bind(self.log().log_id.0)
            .bind(match_id.0)
            .execute(self.pool())
            .await?;
        Ok(())
    }
}

impl Submission {
    pub(super) fn received(&self, ordinal: Ordinal, at: Moment) -> StoredSubmission {
        StoredSubmission {
            seat: self.seat,
            ordinal,
            at,
            commitments: self.commitments.clone(),
            submit: self.submit.map(|submit| submit.id),
            sent_by: Some(self.sent_by.clone()),
            signed: self.signed,
            is_final: self.is_final,
        }
    }
}

impl StoredSubmission {
    /// True if this is the row that closes the decision for the seat, and not a submission.
    #[must_use]
    pub fn closes(&self) -> bool {
        self.commitments.is_empty()
    }
}

pub(super) fn escrow(row: &PgRow) -> Result<Escrow, StoreError> {
    let wrong = |what: &str| StoreError::Corrupt { what: format!("escrow without a {what}") };
    let decision = row.try_get::<&str, _>("decision")?.parse();
    let seat = row.try_get::<&str, _>("seat")?.parse();
    Ok(Escrow {
        decision: decision.map_err(|_| wrong("decision"))?,
        seat: seat.map_err(|_| wrong("seat"))?,
        ordinal: Ordinal(narrow(row.try_get::<i16, _>("ordinal")?, "ordinal")?),
        ciphertext: row.try_get("ciphertext")?,
    })
}

fn violates(error: &sqlx::Error, constraint: &str) -> bool {
    let answer = error.as_database_error().and_then(|error| error.try_downcast_ref::<PgDatabaseError>());
    answer.is_some_and(|answer| answer.code() == "23505" && answer.constraint() == Some(constraint))
}

pub(super) const RECEIVED: &str =
    "seat, ordinal, at, commitments, submit_id, sent_by, signature, seen_size, seen_root, is_final";

pub(super) fn received(row: &PgRow) -> Result<StoredSubmission, StoreError> {
    let seat = row.try_get::<&str, _>("seat")?.parse();
    let submit = row.try_get::<Option<&[u8]>, _>("submit_id")?.map(|id| narrow(id, "submit_id").map(SubmitId));
    let sent_by = row.try_get::<Option<&str>, _>("sent_by")?.map(str::parse).transpose();
    let bytes: Option<&[u8]> = row.try_get("commitments")?;
    let commitments = bytes.unwrap_or_default().chunks(32).map(|seal| narrow(seal, "commitments").map(Commitment::new));
    Ok(StoredSubmission {
        seat: seat.map_err(|_| StoreError::Corrupt { what: "a submission is by nobody".to_owned() })?,
        ordinal: Ordinal(narrow(row.try_get::<i16, _>("ordinal")?, "ordinal")?),
        at: narrow(row.try_get::<DateTime<Utc>, _>("at")?, "at")?,
        commitments: commitments.collect::<Result<_, _>>()?,
        submit: submit.transpose()?,
        sent_by: sent_by.map_err(|_| StoreError::Corrupt { what: "a submission was sent by nobody".to_owned() })?,
        signed: signed(row)?,
        is_final: row.try_get::<Option<bool>, _>("is_final")? == Some(true),
    })
}

fn signed(row: &PgRow) -> Result<Option<SubmissionSignature>, StoreError> {
    let signature: Option<&[u8]> = row.try_get("signature")?;
    let seen: (Option<i64>, Option<&[u8]>) = (row.try_get("seen_size")?, row.try_get("seen_root")?);
    let (Some(signature), (Some(size), Some(root))) = (signature, seen) else { return Ok(None) };
    let signature = PlayerSignature::new(narrow(signature, "signature")?);
    let seen = (TreeSize(narrow(size, "seen_size")?), narrow(root, "seen_root")?);
    Ok(Some(SubmissionSignature { signature, seen }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences() {
        let said = [
            SubmissionError::Late,
            SubmissionError::Answered,
            SubmissionError::TooMany,
            SubmissionError::SubmitReused,
            SubmissionError::SealReused,
            SubmissionError::Stopped,
            SubmissionError::Unknown,
        ];
        assert_eq!(
            said.map(|error| error.to_string()),
            [
                "this came too late: the decision is closed",
                "the first answer of a seat counts, and it was given",
                "a move can be changed 32 times, and has been",
                "this submit id was used before with other contents",
                "a seal of this submission was sent before",
                "submissions are not taken any more; the program's log says why",
                "the database was lost meanwhile, and this may be stored or not",
            ]
        );
    }
}

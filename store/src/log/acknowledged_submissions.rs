//! Rows of `submissions` as they were acknowledged, in words that stand outside of the database, and their way back.

use std::fmt::Write;

use chrono::{DateTime, Utc};
use ledger::{Commitment, DecisionId, LogId, MatchId, Moment, Sealer};
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::query::Query;
use sqlx::{Postgres, Row};
use uuid::Uuid;

use super::standby::{self, WAITS};
use super::submissions::{RECEIVED, StoredSubmission, Submission, received};
use super::{Store, StoreError};

/// The condition that the decision of a restored submission is closed for its seat.
macro_rules! closed {
    () => {
        "exists (select from submissions as made where made.log_id = restored.log_id \
             and made.match_id = restored.match_id and made.decision = restored.decision \
             and made.seat = restored.seat and made.commitments is null)"
    };
}

/// A row of `submissions` with its escrow: one JSON object, whose keys are the columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcknowledgedRow(String);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PutBack {
    There,
    Restored,
    Closed,
    Different,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotedSubmission {
    pub match_id: MatchId,
    pub decision: DecisionId,
    pub at: Moment,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotedList {
    pub number: u64,
    /// The newest 1,000 at most, oldest first.
    pub newest: Vec<NotedSubmission>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NotedCount {
    pub number: u64,
    pub last_at: Option<Moment>,
}

impl NotedList {
    /// "the newest 1000 of 1200"; none if all are listed.
    #[must_use]
    pub fn part(&self) -> Option<String> {
        let listed = self.newest.len() as u64;
        (listed < self.number).then(|| format!("the newest {listed} of {}", self.number))
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outstanding {
    pub open: u64,
    /// Those whose decision is closed, and that should be in an entry at any moment.
    pub closed: u64,
}

impl AcknowledgedRow {
    #[must_use]
    pub fn of(submission: &Submission, stored: &StoredSubmission) -> Self {
        let row = RowText::new(submission.log_id, submission.match_id, &submission.decision, stored);
        let digest = submission.submit.map(|submit| submit.digest.bytes().to_vec());
        row.sent(submission.submit.map(|submit| submit.id.0.to_vec()), digest, submission.escrow.clone())
    }

    #[must_use]
    pub fn of_close(log_id: LogId, match_id: MatchId, decision: &DecisionId, stored: &StoredSubmission) -> Self {
        RowText::new(log_id, match_id, decision, stored).whole()
    }

    #[must_use]
    pub const fn from_text(text: String) -> Self {
        Self(text)
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A row that is being written. Nothing in it needs escaping: ids, seats, times and hexadecimal digits.
struct RowText(String);

impl RowText {
    fn new(log_id: LogId, match_id: MatchId, decision: &DecisionId, stored: &StoredSubmission) -> Self {
        let (seat, ordinal, at) = (stored.seat, stored.ordinal.0, stored.at);
        let mut row = Self(format!(
            "{{\"log_id\":{},\"match_id\":\"{match_id}\",\"decision\":\"{decision}\",\"seat\":\"{seat}\",\
             \"ordinal\":{ordinal},\"at\":\"{at}\"",
            log_id.0
        ));
        let commitments: Vec<u8> = stored.commitments.iter().flat_map(Commitment::bytes).copied().collect();
        row.bytes("commitments", (!stored.closes()).then_some(commitments));
        if let Some(by) = &stored.sent_by {
            let _ = write!(row.0, ",\"sent_by\":\"{by}\"");
        }
        row.bytes("signature", stored.signed.map(|signed| signed.signature.bytes().to_vec()));
        row.bytes("seen_root", stored.signed.map(|signed| signed.seen.1.bytes().to_vec()));
        if let Some(signed) = stored.signed {
            let _ = write!(row.0, ",\"seen_size\":{}", signed.seen.0);
        }
        if stored.is_final {
            row.0.push_str(",\"is_final\":true");
        }
        row
    }

    fn bytes(&mut self, column: &str, bytes: Option<Vec<u8>>) {
        let Some(bytes) = bytes else { return };
        let _ = write!(self.0, ",\"{column}\":\"\\\\x");
        for byte in bytes {
            let _ = write!(self.0, "{byte:02x}");
        }
        self.0.push('"');
    }

    fn sent(mut self, id: Option<Vec<u8>>, digest: Option<Vec<u8>>, escrow: Option<Vec<u8>>) -> AcknowledgedRow {
        self.bytes("submit_id", id);
        self.bytes("submit_digest", digest);
        self.bytes("ciphertext", escrow);
        self.whole()
    }

    fn whole(mut self) -> AcknowledgedRow {
        self.0.push('}');
        AcknowledgedRow(self.0)
    }
}

impl Store {
    /// One seat's submissions for a decision, by number, as they are acknowledged: the standbys for which commits wait have
    /// them.
    pub async fn acknowledged(
        &self,
        match_id: MatchId,
        decision: &DecisionId,
        seat: Sealer,
    ) -> Result<Vec<(StoredSubmission, AcknowledgedRow)>, StoreError> {
        let query = format!(
            "select {RECEIVED}, submit_digest, ciphertext, {WAITS} as waits from submissions \
             left join escrow using (log_id, match_id, decision, seat, ordinal) \
             where log_id = $1 and match_id = $2 and decision = $3 and seat = $4 and commitments is not null \
             order by ordinal"
        );
        let log_id = self.log().log_id;
        let query = sqlx::query(sqlx::AssertSqlSafe(query)).bind(log_id.0).bind(match_id.0).bind(decision.as_str());
        let rows = self.kept(query.bind(seat.to_string())).await?;
        rows.iter().map(|row| acknowledged(log_id, match_id, decision, row)).collect()
    }

    /// The submissions in these matches that may still be replaced, because their decision is not closed for their seat, as
    /// [`Store::acknowledged`].
    pub async fn unclosed(
        &self,
        matches: &[MatchId],
    ) -> Result<Vec<(MatchId, DecisionId, StoredSubmission, AcknowledgedRow)>, StoreError> {
        let query = format!(
            "select match_id, decision, {RECEIVED}, submit_digest, ciphertext, {WAITS} as waits \
             from submissions as restored \
             left join escrow using (log_id, match_id, decision, seat, ordinal) \
             where log_id = $1 and match_id = any($2) and commitments is not null and not {} \
             order by match_id, decision, seat, ordinal",
            closed!()
        );
        let log_id = self.log().log_id;
        let ids: Vec<Uuid> = matches.iter().map(|match_id| match_id.0).collect();
        let rows = self.kept(sqlx::query(sqlx::AssertSqlSafe(query)).bind(log_id.0).bind(ids)).await?;
        let row = |row: &PgRow| {
            let (match_id, decision) = (MatchId(row.try_get("match_id")?), row.try_get::<String, _>("decision")?);
            let decision = decision
                .parse()
                .map_err(|_| StoreError::Corrupt { what: format!("a decision is called {decision}") })?;
            let (stored, text) = acknowledged(log_id, match_id, &decision, row)?;
            Ok((match_id, decision, stored, text))
        };
        rows.iter().map(row).collect()
    }

    /// Reads rows that say whether commits `wait` for standbys, and waits until these have them. A primary also shows what
    /// none of them has, if the wait of a commit was cancelled.
    async fn kept(&self, query: Query<'_, Postgres, PgArguments>) -> Result<Vec<PgRow>, StoreError> {
        let mut connection = self.pool().acquire().await?;
        let rows = query.fetch_all(&mut *connection).await?;
        if rows.first().map_or(Ok(false), |row| row.try_get("waits"))? {
            standby::confirm(&mut connection).await?;
        }
        Ok(rows)
    }

    pub async fn missing(&self, rows: &[AcknowledgedRow]) -> Result<Vec<usize>, StoreError> {
        let missing = sqlx::query_scalar(
            "select kept.place from (select text.place, one.* from unnest($1::text[]) with ordinality as text (json, place), \
                 jsonb_populate_record(null::submissions, text.json::jsonb) as one) as kept \
             left join submissions as made using (log_id, match_id, decision, seat, ordinal) \
             where made.log_id is null or to_jsonb(made) <> to_jsonb(kept) - 'place' order by kept.place",
        );
        let texts: Vec<&str> = rows.iter().map(AcknowledgedRow::as_str).collect();
        let places: Vec<i64> = missing.bind(texts).fetch_all(self.pool()).await?;
        Ok(places.into_iter().filter_map(|place| usize::try_from(place - 1).ok()).collect())
    }

    /// Puts an acknowledged row back if the database has lost it, and notes that. Rows of a seat must come in the order
    /// of their numbers. After an error it may be there or not; trying again is safe.
    pub async fn put_back(&self, row: &AcknowledgedRow, now: Moment) -> Result<PutBack, StoreError> {
        let put = sqlx::query(
            "with kept as (select * from jsonb_populate_record(null::submissions, $1::jsonb)), \
                  there as (select to_jsonb(made) = to_jsonb(kept) as same from kept join submissions as made \
                      using (log_id, match_id, decision, seat, ordinal)), \
                  closed as (select 1 from kept join submissions as made using (log_id, match_id, decision, seat) \
                      where made.commitments is null and made.ordinal < kept.ordinal), \
                  added as (insert into submissions select * from kept \
                      where not exists (select from there) and not exists (select from closed) \
                      on conflict do nothing returning log_id, match_id, decision, seat, ordinal), \
                  opened as (insert into escrow (log_id, match_id, decision, seat, ordinal, ciphertext) \
                      select added.*, escrow.ciphertext from added, jsonb_populate_record(null::escrow, $1::jsonb) escrow \
                      where escrow.ciphertext is not null on conflict do nothing), \
                  noted as (insert into restored_submissions (log_id, match_id, decision, seat, ordinal, at) \
                      select added.*, $2 from added, kept where kept.commitments is not null) \
             select exists (select from added) as added, (select same from there) as same, \
                 exists (select from closed) as closed",
        );
        let put = put.bind(row.as_str()).bind(now.to_utc()).fetch_one(self.pool()).await?;
        Ok(match (put.try_get("added")?, put.try_get::<Option<bool>, _>("same")?, put.try_get("closed")?) {
            (true, ..) => PutBack::Restored,
            (false, Some(true), _) => PutBack::There,
            (false, None, true) => PutBack::Closed,
            // Its number or its submit id was given to something else.
            (false, ..) => PutBack::Different,
        })
    }

    pub async fn restored_count(&self) -> Result<NotedCount, StoreError> {
        let count = sqlx::query(concat!(
            "select count(*) as number, max(at) as last_at from restored_submissions as restored where log_id = $1 and ",
            closed!(),
        ));
        noted_count(&count.bind(self.log().log_id.0).fetch_one(self.pool()).await?)
    }

    pub async fn missing_count(&self) -> Result<NotedCount, StoreError> {
        let count =
            sqlx::query("select count(*) as number, max(at) as last_at from missing_submissions where log_id = $1");
        noted_count(&count.bind(self.log().log_id.0).fetch_one(self.pool()).await?)
    }

    pub async fn outstanding(&self, unsealed: &[(MatchId, DecisionId)]) -> Result<Outstanding, StoreError> {
        let counted = sqlx::query(
            "select count(*) filter (where not closed) as open, count(*) filter (where closed) as closed \
             from unnest($2::uuid[], $3::text[]) as unsealed (match_id, decision), \
             lateral (select commitments, bool_or(commitments is null) over (partition by seat) as closed \
                 from submissions where log_id = $1 and match_id = unsealed.match_id \
                 and decision = unsealed.decision) as made \
             where commitments is not null",
        );
        let (matches, decisions): (Vec<_>, Vec<_>) =
            unsealed.iter().map(|(match_id, decision)| (match_id.0, decision.to_string())).unzip();
        let counted = counted.bind(self.log().log_id.0).bind(matches).bind(decisions).fetch_one(self.pool()).await?;
        let of = |column: &str| counted.try_get::<i64, _>(column).map(i64::unsigned_abs);
        Ok(Outstanding { open: of("open")?, closed: of("closed")? })
    }

    pub async fn restored(&self, of: Option<MatchId>) -> Result<NotedList, StoreError> {
        let rows = sqlx::query(concat!(
            "select match_id, decision, at, count(*) over () as number from restored_submissions as restored \
             where log_id = $1 and ($2::uuid is null or match_id = $2) and ",
            closed!(),
            " order by at desc, match_id desc, decision desc limit 1000",
        ));
        noted_list(&rows.bind(self.log().log_id.0).bind(of.map(|of| of.0)).fetch_all(self.pool()).await?)
    }

    /// Notes that a row is neither in the database nor in the record. False if that is known.
    pub async fn note_missing(&self, row: &AcknowledgedRow, now: Moment) -> Result<bool, StoreError> {
        let noted = sqlx::query(
            "insert into missing_submissions (log_id, match_id, decision, seat, ordinal, came, at) \
             select log_id, match_id, decision, seat, ordinal, at, $2 from jsonb_populate_record(null::submissions, $1::jsonb) \
             on conflict do nothing",
        );
        let noted = noted.bind(row.as_str()).bind(now.to_utc()).execute(self.pool()).await?;
        Ok(noted.rows_affected() > 0)
    }

    pub async fn missing_submissions(&self, of: Option<MatchId>) -> Result<NotedList, StoreError> {
        let rows = sqlx::query(
            "select match_id, decision, at, count(*) over () as number from missing_submissions \
             where log_id = $1 and ($2::uuid is null or match_id = $2) \
             order by at desc, match_id desc, decision desc limit 1000",
        );
        noted_list(&rows.bind(self.log().log_id.0).bind(of.map(|of| of.0)).fetch_all(self.pool()).await?)
    }
}

fn acknowledged(
    log_id: LogId,
    match_id: MatchId,
    decision: &DecisionId,
    row: &PgRow,
) -> Result<(StoredSubmission, AcknowledgedRow), StoreError> {
    let stored = received(row)?;
    let text = RowText::new(log_id, match_id, decision, &stored);
    let (digest, escrow) = (row.try_get("submit_digest")?, row.try_get("ciphertext")?);
    let text = text.sent(stored.submit.map(|submit| submit.0.to_vec()), digest, escrow);
    Ok((stored, text))
}

fn noted_list(rows: &[PgRow]) -> Result<NotedList, StoreError> {
    let number = rows.first().map_or(Ok(0), |row| row.try_get::<i64, _>("number"))?.unsigned_abs();
    Ok(NotedList { number, newest: rows.iter().rev().map(noted).collect::<Result<_, _>>()? })
}

fn noted(row: &PgRow) -> Result<NotedSubmission, StoreError> {
    let wrong = || StoreError::Corrupt { what: "a noted submission is of no decision or time".to_owned() };
    let at: DateTime<Utc> = row.try_get("at")?;
    let decision = row.try_get::<&str, _>("decision")?.parse().map_err(|_| wrong())?;
    Ok(NotedSubmission {
        match_id: MatchId(row.try_get("match_id")?),
        decision,
        at: Moment::try_from(at).map_err(|_| wrong())?,
    })
}

fn noted_count(row: &PgRow) -> Result<NotedCount, StoreError> {
    let wrong = |_| StoreError::Corrupt { what: "a noted submission is of no time".to_owned() };
    let last_at: Option<DateTime<Utc>> = row.try_get("last_at")?;
    let last_at = last_at.map(Moment::try_from).transpose().map_err(wrong)?;
    Ok(NotedCount { number: row.try_get::<i64, _>("number")?.unsigned_abs(), last_at })
}

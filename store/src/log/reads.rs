//! When many rounds close together, their callers read the heads, lines, submissions and escrow of their matches together.

use std::ops::RangeInclusive;
use std::sync::OnceLock;

use ledger::{DecisionId, Head, MatchId, Seq};
use sqlx::Row;
use sqlx::postgres::PgRow;

use super::gathered::Gathered;
use super::read::written;
use super::submissions::{RECEIVED, escrow, received};
use super::texts::Text;
use super::{Escrow, Store, StoreError, StoredSubmission};

pub(super) type WrittenMatch = (Vec<Vec<u8>>, Vec<Text>);

#[derive(Debug, Default)]
pub(super) struct Reads {
    heads: OnceLock<Gathered<MatchId, Option<Head>>>,
    written: OnceLock<Gathered<(RangeInclusive<MatchId>, Seq), WrittenMatch>>,
    submissions: OnceLock<Gathered<(MatchId, DecisionId), Vec<StoredSubmission>>>,
    escrows: OnceLock<Gathered<MatchId, Vec<Escrow>>>,
}

impl Store {
    pub async fn match_head(&self, match_id: MatchId) -> Result<Option<Head>, StoreError> {
        self.ask(|reads| &reads.heads, match_id, Self::heads_of).await
    }

    /// The lines of the match with an id in this range, before a place and in order, and its words by commitment. Both
    /// are empty if there is no such match, and the last match is taken if there are several. The caller must check
    /// that the words open their commitments.
    pub async fn match_written(&self, ids: RangeInclusive<MatchId>, before: Seq) -> Result<WrittenMatch, StoreError> {
        self.ask(|reads| &reads.written, (ids, before), Self::matches_written).await
    }

    pub async fn submissions(
        &self,
        match_id: MatchId,
        decision: &DecisionId,
    ) -> Result<Vec<StoredSubmission>, StoreError> {
        self.ask(|reads| &reads.submissions, (match_id, decision.clone()), Self::submissions_for).await
    }

    pub async fn escrows(&self, match_id: MatchId) -> Result<Vec<Escrow>, StoreError> {
        self.ask(|reads| &reads.escrows, match_id, Self::escrows_in).await
    }

    /// Asks together with others, or alone: where nobody gathers, and if the query of all failed.
    async fn ask<K: Clone + Send + 'static, V: Send + 'static, R>(
        &self,
        kind: fn(&Reads) -> &OnceLock<Gathered<K, V>>,
        key: K,
        read: fn(Self, Vec<K>) -> R,
    ) -> Result<V, StoreError>
    where
        R: Future<Output = Result<Vec<V>, StoreError>> + Send + 'static,
    {
        // With its own reads in it, the store would never be dropped, and its tasks would never end.
        let alone = Self { reads: None, ..self.clone() };
        if let Some(reads) = &self.reads {
            let store = alone.clone();
            let gathered = kind(reads).get_or_init(|| Gathered::new(move |keys| read(store.clone(), keys)));
            if let Some(value) = gathered.get(key.clone()).await {
                return Ok(value);
            }
        }
        let unanswered = || StoreError::Corrupt { what: "the database gave no row for a question".to_owned() };
        read(alone, vec![key]).await?.pop().ok_or_else(unanswered)
    }
}

impl Store {
    async fn heads_of(self, matches: Vec<MatchId>) -> Result<Vec<Option<Head>>, StoreError> {
        let heads = self.match_heads(&matches).await?;
        Ok(matches.iter().map(|match_id| heads.get(match_id).copied()).collect())
    }

    async fn matches_written(
        self,
        wanted: Vec<(RangeInclusive<MatchId>, Seq)>,
    ) -> Result<Vec<WrittenMatch>, StoreError> {
        // A row for each match: a hundred separate rows would cost more to transfer than all of their contents.
        let rows = sqlx::query(
            "select lines, commitments, keys, words \
             from unnest($2::uuid[], $3::uuid[], $4::int[]) with ordinality as wanted (first, last, before, n) \
             cross join lateral (\
                 with found as (select match_id from entries \
                                where log_id = $1 and match_id between wanted.first and wanted.last \
                                order by match_id desc limit 1) \
                 select array(select bytes from entries where log_id = $1 and match_id = (select match_id from found) \
                              and seq < wanted.before order by seq) as lines, \
                        array_agg(commitment order by commitment) as commitments, \
                        array_agg(key order by commitment) as keys, array_agg(text order by commitment) as words \
                 from texts where log_id = $1 and match_id = (select match_id from found)\
             ) as written order by n",
        )
        .bind(self.log().log_id.0)
        .bind(wanted.iter().map(|(ids, _)| ids.start().0).collect::<Vec<_>>())
        .bind(wanted.iter().map(|(ids, _)| ids.end().0).collect::<Vec<_>>())
        .bind(wanted.iter().map(|(_, before)| i32::try_from(before.0).unwrap_or(i32::MAX)).collect::<Vec<_>>())
        .fetch_all(self.pool())
        .await?;
        rows.iter().map(written).collect()
    }

    async fn submissions_for(
        self,
        wanted: Vec<(MatchId, DecisionId)>,
    ) -> Result<Vec<Vec<StoredSubmission>>, StoreError> {
        let query = format!(
            "select n, made.* from unnest($2::uuid[], $3::text[]) with ordinality as wanted (match_id, decision, n) \
             cross join lateral (\
                 select {RECEIVED} from submissions as sent where sent.log_id = $1 \
                     and sent.match_id = wanted.match_id and sent.decision = wanted.decision\
             ) as made order by n, seat, ordinal"
        );
        let rows = sqlx::query(sqlx::AssertSqlSafe(query))
            .bind(self.log().log_id.0)
            .bind(wanted.iter().map(|(match_id, _)| match_id.0).collect::<Vec<_>>())
            .bind(wanted.iter().map(|(_, decision)| decision.as_str().to_owned()).collect::<Vec<_>>())
            .fetch_all(self.pool())
            .await?;
        by_number(&rows, wanted.len(), received)
    }

    async fn escrows_in(self, matches: Vec<MatchId>) -> Result<Vec<Vec<Escrow>>, StoreError> {
        let rows = sqlx::query(
            "select n, kept.* from unnest($2::uuid[]) with ordinality as wanted (match_id, n) \
             cross join lateral (\
                 select decision, seat, ordinal, ciphertext from escrow \
                 where escrow.log_id = $1 and escrow.match_id = wanted.match_id\
             ) as kept order by n, decision, seat, ordinal",
        )
        .bind(self.log().log_id.0)
        .bind(matches.iter().map(|match_id| match_id.0).collect::<Vec<_>>())
        .fetch_all(self.pool())
        .await?;
        by_number(&rows, matches.len(), escrow)
    }
}

fn by_number<T>(
    rows: &[PgRow],
    wanted: usize,
    read: impl Fn(&PgRow) -> Result<T, StoreError>,
) -> Result<Vec<Vec<T>>, StoreError> {
    let mut all: Vec<Vec<T>> = std::iter::repeat_with(Vec::new).take(wanted).collect();
    for row in rows {
        let n = row.try_get::<i64, _>("n")?;
        let place = usize::try_from(n - 1).ok().and_then(|n| all.get_mut(n));
        let wrong = || StoreError::Corrupt { what: format!("the answer to question {n} of {wanted}") };
        place.ok_or_else(wrong)?.push(read(row)?);
    }
    Ok(all)
}

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

impl Reads {
    pub(super) async fn head(&self, store: &Store, match_id: MatchId) -> Option<Option<Head>> {
        together(&self.heads, store, Store::heads_of).get(match_id).await
    }

    pub(super) async fn written(
        &self,
        store: &Store,
        ids: RangeInclusive<MatchId>,
        before: Seq,
    ) -> Option<WrittenMatch> {
        together(&self.written, store, Store::matches_written).get((ids, before)).await
    }

    pub(super) async fn submissions(
        &self,
        store: &Store,
        match_id: MatchId,
        decision: &DecisionId,
    ) -> Option<Vec<StoredSubmission>> {
        together(&self.submissions, store, Store::submissions_for).get((match_id, decision.clone())).await
    }

    pub(super) async fn escrows(&self, store: &Store, match_id: MatchId) -> Option<Vec<Escrow>> {
        together(&self.escrows, store, Store::escrows_in).get(match_id).await
    }
}

fn together<'k, K: Send + 'static, V: Send + 'static, R>(
    kind: &'k OnceLock<Gathered<K, V>>,
    store: &Store,
    read: fn(Store, Vec<K>) -> R,
) -> &'k Gathered<K, V>
where
    R: Future<Output = Result<Vec<V>, StoreError>> + Send + 'static,
{
    kind.get_or_init(|| {
        // With its own reads in it, the store would never be dropped, and its tasks would never end.
        let store = Store { reads: None, ..store.clone() };
        Gathered::new(move |keys| read(store.clone(), keys))
    })
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

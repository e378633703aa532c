//! Words that may be withdrawn. An entry contains their commitment; the opening is stored here from the moment of the
//! entry until it is withdrawn.

use ledger::{Commitment, MatchId, SealKey};
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row};

use super::read::narrow;
use super::{Store, StoreError};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    pub commitment: Commitment,
    pub key: SealKey,
    pub text: String,
}

impl Text {
    pub(super) fn stored(commitment: &[u8], key: &[u8], text: String) -> Result<Self, StoreError> {
        let commitment = Commitment::new(narrow(commitment, "commitment")?);
        Ok(Self { commitment, key: SealKey::new(narrow(key, "key")?), text })
    }
}

impl Store {
    /// The words of a match that were not withdrawn. The caller must check that they open their commitments.
    pub async fn texts(&self, match_id: MatchId) -> Result<Vec<Text>, StoreError> {
        let query = sqlx::query(
            "select commitment, key, text from texts where log_id = $1 and match_id = $2 order by commitment",
        );
        let rows = query.bind(self.log().log_id.0).bind(match_id.0).fetch_all(self.pool()).await?;
        let text = |row: &PgRow| Text::stored(row.try_get("commitment")?, row.try_get("key")?, row.try_get("text")?);
        rows.iter().map(text).collect()
    }

    /// The words of all matches that were not withdrawn, in the order of match and commitment, after one of them. The
    /// caller must check that they open their commitments.
    pub async fn texts_after(
        &self,
        after: Option<(MatchId, Commitment)>,
        limit: u32,
    ) -> Result<Vec<(MatchId, Text)>, StoreError> {
        let (match_id, commitment) = after.unzip();
        let rows = sqlx::query(
            "select match_id, commitment, key, text from texts \
             where log_id = $1 and (match_id, commitment) > ($2, $3) order by match_id, commitment limit $4",
        )
        .bind(self.log().log_id.0)
        .bind(match_id.map_or(uuid::Uuid::nil(), |match_id| match_id.0))
        .bind(commitment.map_or_else(Vec::new, |commitment: Commitment| commitment.bytes().to_vec()))
        .bind(i64::from(limit))
        .fetch_all(self.pool())
        .await?;
        let text = |row: &PgRow| {
            let text = Text::stored(row.try_get("commitment")?, row.try_get("key")?, row.try_get("text")?)?;
            Ok((MatchId(row.try_get("match_id")?), text))
        };
        rows.iter().map(text).collect()
    }

    pub async fn withdraw_text(
        &self,
        transaction: &mut PgConnection,
        match_id: MatchId,
        commitment: &Commitment,
    ) -> Result<bool, StoreError> {
        // A vouching may have waited with its key.
        sqlx::query(
            "update waiting_keys set vouching = null where log_id = $1 and match_id = $2 and vouching = \
                 (select text from texts where log_id = $1 and match_id = $2 and commitment = $3)",
        )
        .bind(self.log().log_id.0)
        .bind(match_id.0)
        .bind(commitment.bytes().as_slice())
        .execute(&mut *transaction)
        .await?;
        let deleted = sqlx::query("delete from texts where log_id = $1 and match_id = $2 and commitment = $3")
            .bind(self.log().log_id.0)
            .bind(match_id.0)
            .bind(commitment.bytes().as_slice())
            .execute(transaction)
            .await?;
        Ok(deleted.rows_affected() > 0)
    }
}

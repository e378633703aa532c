//! The witnesses' signatures: a line of a signed note for each witness and checkpoint.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use ledger::{Moment, TreeSize};
use sqlx::Row;

use super::checkpoints::{Term, term_column};
use super::read::{narrow, to_bigint};
use super::{Store, StoreError};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cosignature {
    pub witness: String,
    /// The signature line, without its line break.
    pub line: String,
    pub at: Moment,
}

impl Store {
    /// Stores a verified cosignature of a checkpoint. The first one of a witness stays: another would say the same
    /// about the same tree, at another time.
    pub async fn keep_cosignature(
        &self,
        term: Term,
        size: TreeSize,
        cosignature: &Cosignature,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "insert into cosignatures (log_id, term, size, witness, line, at) values ($1, $2, $3, $4, $5, $6) \
             on conflict do nothing",
        )
        .bind(self.log().log_id.0)
        .bind(term_column(term))
        .bind(to_bigint(size.0))
        .bind(&cosignature.witness)
        .bind(&cosignature.line)
        .bind(cosignature.at.to_utc())
        .execute(self.pool())
        .await?;
        Ok(())
    }

    pub async fn cosignatures(&self, term: Term, size: TreeSize) -> Result<Vec<Cosignature>, StoreError> {
        let rows = sqlx::query(
            "select witness, line, at from cosignatures where log_id = $1 and term = $2 and size = $3 \
             order by witness collate \"C\"",
        )
        .bind(self.log().log_id.0)
        .bind(term_column(term))
        .bind(to_bigint(size.0))
        .fetch_all(self.pool())
        .await?;
        let cosignature = |row: &sqlx::postgres::PgRow| {
            Ok(Cosignature {
                witness: row.try_get("witness")?,
                line: row.try_get("line")?,
                at: narrow(row.try_get::<DateTime<Utc>, _>("at")?, "at")?,
            })
        };
        rows.iter().map(cosignature).collect()
    }

    pub async fn cosigners_since(&self, term: Term, size: TreeSize) -> Result<Vec<String>, StoreError> {
        let names = sqlx::query_scalar(
            "select distinct witness from cosignatures where log_id = $1 and term = $2 and size >= $3",
        )
        .bind(self.log().log_id.0)
        .bind(term_column(term))
        .bind(to_bigint(size.0))
        .fetch_all(self.pool())
        .await?;
        Ok(names)
    }

    pub async fn cosigned_sizes(&self, term: Term, limit: i64) -> Result<Vec<TreeSize>, StoreError> {
        let sizes: Vec<i64> = sqlx::query_scalar(
            "select distinct size from cosignatures where log_id = $1 and term = $2 order by size desc limit $3",
        )
        .bind(self.log().log_id.0)
        .bind(term_column(term))
        .bind(limit)
        .fetch_all(self.pool())
        .await?;
        sizes.into_iter().map(|size| Ok(TreeSize(narrow(size, "size")?))).collect()
    }

    pub async fn cosignature_lines(
        &self,
        sizes: &[TreeSize],
    ) -> Result<HashMap<(Term, TreeSize), Vec<String>>, StoreError> {
        let sizes: Vec<i64> = sizes.iter().map(|size| to_bigint(size.0)).collect();
        let query = sqlx::query(
            "select term, size, line from cosignatures where log_id = $1 and size = any($2) \
             order by term, size, witness collate \"C\"",
        );
        let rows = query.bind(self.log().log_id.0).bind(sizes).fetch_all(self.pool()).await?;
        let mut lines: HashMap<(Term, TreeSize), Vec<String>> = HashMap::new();
        for row in &rows {
            let term = Term(narrow(row.try_get::<i16, _>("term")?, "term")?);
            let size = TreeSize(narrow(row.try_get::<i64, _>("size")?, "size")?);
            lines.entry((term, size)).or_default().push(row.try_get("line")?);
        }
        Ok(lines)
    }
}

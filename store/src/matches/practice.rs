//! Deleting practice matches. The database does it itself, as a function of its owner: the role that serves may not
//! delete an entry.

use ledger::MatchId;
use sqlx::PgPool;

use crate::StoreError;

/// The database's code for a practice match that does not exist (PostgreSQL, appendix A).
const NO_DATA_FOUND: &str = "P0002";

pub async fn delete(pool: &PgPool, match_id: MatchId) -> Result<bool, StoreError> {
    match sqlx::query!("select delete_practice($1)", match_id.0).execute(pool).await {
        Ok(_) => Ok(true),
        Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some(NO_DATA_FOUND) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

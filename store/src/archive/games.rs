//! The games that umpires declared, from the matches of each.

use chrono::{DateTime, Utc};
use ledger::LogId;
use sqlx::{FromRow, PgPool};

use super::count::Count;
use crate::StoreError;

/// A declared game.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct DeclaredGame {
    /// Its word in the lists: `declared/`, and the hash of what is declared.
    pub game: String,
    /// The title in its newest match.
    pub title: String,
    /// The slug of that match.
    pub newest: String,
    #[sqlx(try_from = "i64")]
    pub matches: Count,
    pub last: DateTime<Utc>,
}

/// The games of most matches first.
pub async fn list(pool: &PgPool, log_id: LogId, limit: i64) -> Result<Vec<DeclaredGame>, StoreError> {
    let games = sqlx::query_as(
        "select game, (array_agg(ruleset order by played_at desc, match_id))[1] as title, \
             (array_agg(slug order by played_at desc, match_id))[1] as newest, count(*) as matches, max(played_at) as last \
         from archive where log_id = $1 and game like 'declared/%' group by game \
         order by count(*) desc, max(played_at) desc, game limit $2",
    );
    Ok(games.bind(log_id.0).bind(limit).fetch_all(pool).await?)
}

//! The seats for which a registered player vouched, as far as that was not withdrawn.

use chrono::{DateTime, Utc};
use ledger::{LogId, MatchId, PlayerId};
use sqlx::{FromRow, PgPool, Postgres, Transaction};
use uuid::Uuid;

use crate::StoreError;

#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct VouchedMatch {
    pub slug: String,
    /// `p1` or `p2`: the player's seat.
    pub seat: String,
    pub p1: String,
    pub p2: String,
    pub played_at: DateTime<Utc>,
}

pub(super) async fn write(
    rows: &mut Transaction<'_, Postgres>,
    (log_id, match_id): (LogId, MatchId),
    played_at: DateTime<Utc>,
    (seat, player): (&str, Option<PlayerId>),
) -> Result<(), StoreError> {
    let Some(player) = player else {
        sqlx::query("delete from vouched_seats where log_id = $1 and match_id = $2 and seat = $3")
            .bind(log_id.0)
            .bind(match_id.0)
            .bind(seat)
            .execute(&mut **rows)
            .await?;
        return Ok(());
    };
    sqlx::query(
        "insert into vouched_seats (log_id, match_id, seat, player, played_at) values ($1, $2, $3, $4, $5) \
         on conflict (log_id, match_id, seat) do update set player = excluded.player, played_at = excluded.played_at",
    )
    .bind(log_id.0)
    .bind(match_id.0)
    .bind(seat)
    .bind(player.chain().0)
    .bind(played_at)
    .execute(&mut **rows)
    .await?;
    Ok(())
}

pub async fn of_player(
    pool: &PgPool,
    log_id: LogId,
    player: PlayerId,
    limit: i64,
) -> Result<Vec<VouchedMatch>, StoreError> {
    let rows = sqlx::query_as(
        "select a.slug, v.seat, a.p1, a.p2, a.played_at from vouched_seats as v \
         join archive as a on a.log_id = v.log_id and a.match_id = v.match_id \
         where v.log_id = $1 and v.player = $2 order by v.played_at desc, v.match_id desc limit $3",
    );
    Ok(rows.bind(log_id.0).bind(player.chain().0).bind(limit).fetch_all(pool).await?)
}

/// The registered players who vouched under a name, each with the number of matches.
pub async fn of_name(pool: &PgPool, log_id: LogId, key: &str, limit: i64) -> Result<Vec<(PlayerId, i64)>, StoreError> {
    let found = sqlx::query_as(
        "select v.player, count(*) as n from archive_seats as s join vouched_seats as v \
             on v.log_id = s.log_id and v.match_id = s.match_id and v.seat = s.seat \
         where s.log_id = $1 and s.key = $2 group by v.player order by n desc, v.player limit $3",
    );
    let found: Vec<(Uuid, i64)> = found.bind(log_id.0).bind(key).bind(limit).fetch_all(pool).await?;
    Ok(found.into_iter().map(|(player, matches)| (PlayerId::of_chain(MatchId(player)), matches)).collect())
}

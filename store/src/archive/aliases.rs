//! Names that an umpire joined to one player. The rows of the archive follow in the same transaction: while names are
//! joined, they have the player's key.

use chrono::{DateTime, Utc};
use ledger::LogId;
use sqlx::{PgPool, Postgres, Transaction};

use crate::{StoreError, transaction};

#[derive(Clone, Copy, Debug)]
pub struct NewAliasAct<'a> {
    pub umpire_id: &'a str,
    pub at: DateTime<Utc>,
    pub reason: &'a str,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AliasAct {
    pub key: String,
    pub player_key: String,
    pub joins: bool,
    pub umpire: String,
    pub at: DateTime<Utc>,
    pub reason: String,
}

/// The newest acts on a name, or on names of a player, newest first.
pub async fn acts(pool: &PgPool, log_id: LogId, key: &str, most: i64) -> Result<Vec<AliasAct>, StoreError> {
    let acts = sqlx::query_as!(
        AliasAct,
        "select key, player_key, joins, umpires.name as umpire, at, reason from alias_acts \
         join umpires on umpires.id = umpire_id \
         where log_id = $1 and (key = $2 or player_key = $2) order by alias_acts.id desc limit $3",
        log_id.0,
        key,
        most
    );
    Ok(acts.fetch_all(pool).await?)
}

pub async fn forget_acts(pool: &PgPool, log_id: LogId, key: &str) -> Result<(), StoreError> {
    sqlx::query!("delete from alias_acts where log_id = $1 and (key = $2 or player_key = $2)", log_id.0, key)
        .execute(pool)
        .await?;
    Ok(())
}

pub async fn player_of(pool: &PgPool, log_id: LogId, key: &str) -> Result<Option<String>, StoreError> {
    let player = sqlx::query_scalar!("select player_key from aliases where log_id = $1 and key = $2", log_id.0, key);
    Ok(player.fetch_optional(pool).await?)
}

pub async fn of_player(pool: &PgPool, log_id: LogId, player_key: &str) -> Result<Vec<String>, StoreError> {
    let keys = sqlx::query_scalar!(
        "select key from aliases where log_id = $1 and player_key = $2 order by key",
        log_id.0,
        player_key
    );
    Ok(keys.fetch_all(pool).await?)
}

pub async fn written_names(pool: &PgPool, log_id: LogId, player_key: &str) -> Result<Vec<String>, StoreError> {
    let names = sqlx::query_scalar!(
        "select distinct name from archive_seats where log_id = $1 and key = $2 order by name",
        log_id.0,
        player_key
    );
    Ok(names.fetch_all(pool).await?)
}

/// Joins a name, with all names that are joined to it, to a player, who must not be an alias.
pub async fn join(
    pool: &PgPool,
    log_id: LogId,
    key: &str,
    player_key: &str,
    act: &NewAliasAct<'_>,
) -> Result<(), StoreError> {
    let mut rows = begin(pool).await?;
    sqlx::query!("update aliases set player_key = $3 where log_id = $1 and player_key = $2", log_id.0, key, player_key)
        .execute(&mut *rows)
        .await?;
    sqlx::query!(
        "insert into aliases (log_id, key, player_key, umpire_id) values ($1, $2, $3, $4) \
         on conflict (log_id, key) do update set player_key = excluded.player_key, umpire_id = excluded.umpire_id, at = now()",
        log_id.0,
        key,
        player_key,
        act.umpire_id
    )
    .execute(&mut *rows)
    .await?;
    sqlx::query!("update archive_seats set key = $3 where log_id = $1 and key = $2", log_id.0, key, player_key)
        .execute(&mut *rows)
        .await?;
    rename(&mut rows, log_id, key, player_key).await?;
    add_act(&mut rows, log_id, (key, player_key), true, act).await?;
    Ok(rows.commit().await?)
}

/// Makes a joined name a player of its own again: with the matches in which a name was written that `is_written` says is
/// this one. Without an act it is parted because the name is withdrawn.
pub async fn part(
    pool: &PgPool,
    log_id: LogId,
    key: &str,
    act: Option<&NewAliasAct<'_>>,
    is_written: impl Fn(&str) -> bool,
) -> Result<(), StoreError> {
    let mut rows = begin(pool).await?;
    let player_key =
        sqlx::query_scalar!("delete from aliases where log_id = $1 and key = $2 returning player_key", log_id.0, key);
    let Some(player_key) = player_key.fetch_optional(&mut *rows).await? else { return Ok(()) };
    let names = sqlx::query_scalar!(
        "select distinct name from archive_seats where log_id = $1 and key = $2 order by name",
        log_id.0,
        player_key
    );
    let mut names = names.fetch_all(&mut *rows).await?;
    names.retain(|name| is_written(name));
    sqlx::query!(
        "update archive_seats set key = $3 where log_id = $1 and key = $2 and name = any($4)",
        log_id.0,
        player_key,
        key,
        &names
    )
    .execute(&mut *rows)
    .await?;
    rename(&mut rows, log_id, &player_key, key).await?;
    if let Some(act) = act {
        add_act(&mut rows, log_id, (key, &player_key), false, act).await?;
    }
    Ok(rows.commit().await?)
}

async fn add_act(
    rows: &mut Transaction<'_, Postgres>,
    log_id: LogId,
    (key, player_key): (&str, &str),
    joins: bool,
    act: &NewAliasAct<'_>,
) -> Result<(), StoreError> {
    let query = sqlx::query!(
        "insert into alias_acts (log_id, key, player_key, joins, umpire_id, at, reason) \
         values ($1, $2, $3, $4, $5, $6, $7)",
        log_id.0,
        key,
        player_key,
        joins,
        act.umpire_id,
        act.at,
        act.reason
    );
    Ok(query.execute(&mut **rows).await.map(drop)?)
}

/// Nobody derives a match meanwhile: a row that was derived before an alias is never written after it.
async fn begin(pool: &PgPool) -> Result<Transaction<'static, Postgres>, StoreError> {
    let mut rows = transaction::begin(pool).await?;
    sqlx::query("lock table archive in share row exclusive mode").execute(&mut *rows).await?;
    Ok(rows)
}

async fn rename(
    rows: &mut Transaction<'_, Postgres>,
    log_id: LogId,
    before: &str,
    now: &str,
) -> Result<(), StoreError> {
    sqlx::query!(
        "update archive_seats as opponent set other = $3 from archive_seats as own \
         where own.log_id = $1 and own.key = $3 and opponent.log_id = $1 and opponent.match_id = own.match_id \
             and opponent.seat <> own.seat and opponent.other = $2",
        log_id.0,
        before,
        now
    )
    .execute(&mut **rows)
    .await?;
    let query = sqlx::query!(
        "update archive as a set p1_key = case own.seat when 'p1' then $3 else a.p1_key end, \
             p2_key = case own.seat when 'p2' then $3 else a.p2_key end \
         from archive_seats as own where own.log_id = $1 and own.key = $3 and a.log_id = $1 \
             and a.match_id = own.match_id and case own.seat when 'p1' then a.p1_key else a.p2_key end = $2",
        log_id.0,
        before,
        now
    );
    Ok(query.execute(&mut **rows).await.map(drop)?)
}

//! Accounts at Discord, and who they are here: umpires by a code that was typed there or by signing in, players by a
//! private link.

use chrono::TimeDelta;
use engine::Seat;
use ledger::MatchId;
use sha2::{Digest, Sha256};
use sqlx::PgPool;

use super::player::{Chair, behind};
use super::{AccountError, Snowflake, Token, Umpire};
use crate::scope::LOG;
use crate::system::System;

/// For how long a code can be typed.
pub const CODE_MINUTES: i64 = 10;
/// Crockford's letters, without those that are mistaken for others.
const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// 60 bits: nobody finds one of them in ten minutes.
const CODE_LETTERS: usize = 12;

/// A code as it is typed: the same for small letters, with or without the lines between.
fn code_hash(code: &str) -> Vec<u8> {
    let bare: String = code.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_uppercase()).collect();
    Sha256::new().chain_update(b"matchbook/discord-code/1\n").chain_update(bare).finalize().to_vec()
}

/// Makes a code that links an account at Discord to an umpire. It is shown once.
///
/// # Errors
/// The database.
pub async fn make_code(pool: &PgPool, system: &System, umpire: &Umpire) -> Result<String, AccountError> {
    let letter = |byte: u8| char::from(LETTERS.get(usize::from(byte % 32)).copied().unwrap_or(b'0'));
    let letters: Vec<char> = system.bytes32().into_iter().take(CODE_LETTERS).map(letter).collect();
    let code = letters.chunks(4).map(String::from_iter).collect::<Vec<_>>().join("-");
    let now = system.now().to_utc();
    sqlx::query!("delete from discord_codes where expires_at <= $1", now).execute(pool).await?;
    sqlx::query!(
        "insert into discord_codes (code, umpire_id, expires_at) values ($1, $2, $3)",
        code_hash(&code),
        umpire.id,
        now + TimeDelta::minutes(CODE_MINUTES)
    )
    .execute(pool)
    .await?;
    Ok(code)
}

/// Uses a code up: the account is this umpire's from now on; none where the code opens nothing.
///
/// # Errors
/// The database.
pub async fn use_code(
    pool: &PgPool,
    system: &System,
    user: Snowflake,
    code: &str,
) -> Result<Option<Umpire>, AccountError> {
    let now = system.now().to_utc();
    let used = sqlx::query_scalar!(
        "delete from discord_codes where code = $1 and expires_at > $2 returning umpire_id",
        code_hash(code),
        now
    );
    let Some(umpire) = used.fetch_optional(pool).await? else { return Ok(None) };
    link(pool, system, user, &umpire).await?;
    umpire_of(pool, user).await
}

/// Makes an account this umpire's, whosever it was.
///
/// # Errors
/// The database.
pub async fn link(pool: &PgPool, system: &System, user: Snowflake, umpire_id: &str) -> Result<(), AccountError> {
    sqlx::query!(
        "insert into discord_umpires (user_id, umpire_id, linked_at) values ($1, $2, $3) \
         on conflict (user_id) do update set umpire_id = excluded.umpire_id, linked_at = excluded.linked_at",
        user.number(),
        umpire_id,
        system.now().to_utc()
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// The umpire whose account this is; none where that umpire's account here was closed.
///
/// # Errors
/// The database.
pub async fn umpire_of(pool: &PgPool, user: Snowflake) -> Result<Option<Umpire>, AccountError> {
    let found = sqlx::query_as!(
        Umpire,
        "select umpires.id, umpires.name, umpires.role \
         from discord_umpires join umpires on umpires.id = discord_umpires.umpire_id \
         where user_id = $1 and closed_at is null",
        user.number()
    );
    Ok(found.fetch_optional(pool).await?)
}

/// How many accounts at Discord act as an umpire.
///
/// # Errors
/// The database.
pub async fn accounts_of(pool: &PgPool, umpire: &Umpire) -> Result<i64, AccountError> {
    let count =
        sqlx::query_scalar!("select count(*) as \"count!\" from discord_umpires where umpire_id = $1", umpire.id);
    Ok(count.fetch_one(pool).await?)
}

/// No account at Discord acts as this umpire any more.
///
/// # Errors
/// The database.
pub async fn unlink(pool: &PgPool, umpire: &Umpire) -> Result<(), AccountError> {
    sqlx::query!("delete from discord_umpires where umpire_id = $1", umpire.id).execute(pool).await?;
    sqlx::query!("delete from discord_codes where umpire_id = $1", umpire.id).execute(pool).await?;
    Ok(())
}

/// Seats an account by a private link.
///
/// # Errors
/// The link opens nothing, or the database.
pub async fn sit(pool: &PgPool, system: &System, user: Snowflake, token: &Token) -> Result<Chair, AccountError> {
    let chair = behind(pool, token).await?;
    sqlx::query!(
        "insert into discord_seats (user_id, log_id, match_id, link, linked_at) values ($1, $2, $3, $4, $5) \
         on conflict (user_id, log_id, match_id) do update set link = excluded.link, linked_at = excluded.linked_at",
        user.number(),
        LOG.0,
        chair.match_id.0,
        token.hash(),
        system.now().to_utc()
    )
    .execute(pool)
    .await?;
    Ok(chair)
}

/// The seats that an account holds in matches whose result was not entered yet, newest first.
///
/// # Errors
/// The database.
pub async fn seats(pool: &PgPool, user: Snowflake) -> Result<Vec<Chair>, AccountError> {
    let rows = sqlx::query!(
        "select chat.match_id, link.seat \
         from discord_seats as chat join player_links as link on link.token = chat.link \
         join archive on archive.log_id = chat.log_id and archive.match_id = chat.match_id \
         where chat.user_id = $1 and chat.log_id = $2 and link.revoked_at is null and archive.result = '*' \
         order by chat.linked_at desc, chat.match_id",
        user.number(),
        LOG.0
    );
    let rows = rows.fetch_all(pool).await?.into_iter();
    Ok(rows.filter_map(|row| Some(Chair { match_id: MatchId(row.match_id), seat: row.seat.parse().ok()? })).collect())
}

/// The seat that an account holds in a match, however that stands.
///
/// # Errors
/// The database.
pub async fn seat_in(pool: &PgPool, user: Snowflake, match_id: MatchId) -> Result<Option<Seat>, AccountError> {
    let seat = sqlx::query_scalar!(
        "select link.seat from discord_seats as chat join player_links as link on link.token = chat.link \
         where chat.user_id = $1 and chat.log_id = $2 and chat.match_id = $3 and link.revoked_at is null",
        user.number(),
        LOG.0,
        match_id.0
    );
    Ok(seat.fetch_optional(pool).await?.and_then(|seat| seat.parse().ok()))
}

/// Whether anybody plays in a match from Discord: what they send takes longer to come.
///
/// # Errors
/// The database.
pub async fn any_in(pool: &PgPool, match_id: MatchId) -> Result<bool, AccountError> {
    let any = sqlx::query_scalar!(
        "select exists (\
             select from discord_seats as chat join player_links as link on link.token = chat.link \
             where chat.log_id = $1 and chat.match_id = $2 and link.revoked_at is null\
         ) as \"any!\"",
        LOG.0,
        match_id.0
    );
    Ok(any.fetch_one(pool).await?)
}

#[cfg(test)]
mod tests {
    use super::code_hash;

    #[test]
    fn a_code_is_read_as_people_type_it() {
        assert_eq!(code_hash("AB12-CD34-EF56"), code_hash(" ab12cd34 ef56"));
        assert_ne!(code_hash("AB12-CD34-EF56"), code_hash("AB12-CD34-EF57"));
    }
}

//! Accounts at Discord and their roles here: umpires by a code or by signing in, players by a private link.

use chrono::TimeDelta;
use engine::Seat;
use ledger::{Hash, MatchId};
use sha2::{Digest, Sha256};
use store::PgPool;
use store::accounts::{discord_codes, discord_seats, discord_umpires};

use super::activity::{Actor, Channel, EventKind, event};
use super::player::{SeatAccess, SeatRef, access_of_link};
use super::{AccountError, Snowflake, Token, Umpire};
use crate::LOG;
use crate::system::System;

pub const CODE_MINUTES: i64 = 10;
/// Crockford's alphabet, without letters that are mistaken for others.
const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// 60 bits, so that no code can be guessed within its lifetime.
const CODE_LETTERS: usize = 12;

/// The hash of a code, typed in upper or lower case, with or without hyphens.
fn code_hash(code: &str) -> Hash {
    let bare: String = code.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_uppercase()).collect();
    Hash::new(Sha256::new().chain_update(b"matchbook/discord-code/1\n").chain_update(bare).finalize().into())
}

/// Makes a code that links an account at Discord to an umpire. It is shown once.
pub async fn make_code(pool: &PgPool, system: &System, umpire: &Umpire) -> Result<String, AccountError> {
    let letter = |byte: u8| char::from(LETTERS.get(usize::from(byte % 32)).copied().unwrap_or(b'0'));
    let letters: Vec<char> = system.bytes32().into_iter().take(CODE_LETTERS).map(letter).collect();
    let code = letters.chunks(4).map(String::from_iter).collect::<Vec<_>>().join("-");
    let now = system.now().to_utc();
    discord_codes::add(pool, &code_hash(&code), &umpire.id, now, now + TimeDelta::minutes(CODE_MINUTES)).await?;
    Ok(code)
}

/// Uses a code once: the account acts as the umpire from now on. None if the code is not valid.
pub async fn use_code(
    pool: &PgPool,
    system: &System,
    user: Snowflake,
    code: &str,
) -> Result<Option<Umpire>, AccountError> {
    let used = discord_codes::redeem(pool, &code_hash(code), system.now().to_utc()).await?;
    let Some(umpire_id) = used else { return Ok(None) };
    let actor = Actor { umpire_id: Some(umpire_id.clone()), channel: Channel::Discord, address: String::new() };
    link(pool, system, &actor, user, &umpire_id).await?;
    umpire_of(pool, user).await
}

pub async fn link(
    pool: &PgPool,
    system: &System,
    actor: &Actor,
    user: Snowflake,
    umpire_id: &str,
) -> Result<(), AccountError> {
    let note = format!("account {user}");
    let event = event(system, actor, EventKind::DiscordLinked, Some(umpire_id), &note);
    Ok(discord_umpires::link(pool, user.number(), umpire_id, event.at, &event).await?)
}

pub async fn umpire_of(pool: &PgPool, user: Snowflake) -> Result<Option<Umpire>, AccountError> {
    Ok(discord_umpires::umpire(pool, user.number()).await?)
}

pub async fn accounts_of(pool: &PgPool, umpire: &Umpire) -> Result<i64, AccountError> {
    Ok(discord_umpires::count(pool, &umpire.id).await?)
}

pub async fn unlink(pool: &PgPool, system: &System, actor: &Actor, umpire: &Umpire) -> Result<(), AccountError> {
    let event = event(system, actor, EventKind::DiscordUnlinked, Some(&umpire.id), "");
    Ok(discord_umpires::unlink(pool, &umpire.id, &event).await?)
}

pub async fn take_seat(
    pool: &PgPool,
    system: &System,
    user: Snowflake,
    token: &Token,
) -> Result<SeatRef, AccountError> {
    let SeatAccess { seat_ref, .. } = access_of_link(pool, token).await?;
    let now = system.now().to_utc();
    discord_seats::take(pool, user.number(), LOG, seat_ref.match_id, &token.hash(), now).await?;
    Ok(seat_ref)
}

pub async fn seats(pool: &PgPool, user: Snowflake) -> Result<Vec<SeatAccess>, AccountError> {
    let seats = discord_seats::in_running_matches(pool, user.number(), LOG).await?;
    Ok(seats.iter().filter_map(SeatAccess::of).collect())
}

pub async fn seat_in(pool: &PgPool, user: Snowflake, match_id: MatchId) -> Result<Option<Seat>, AccountError> {
    let seat = discord_seats::in_match(pool, user.number(), LOG, match_id).await?;
    Ok(seat.and_then(|seat| seat.parse().ok()))
}

pub async fn access_in(pool: &PgPool, user: Snowflake, match_id: MatchId) -> Result<Option<SeatAccess>, AccountError> {
    let linked = discord_seats::access(pool, user.number(), LOG, match_id).await?;
    Ok(linked.as_ref().and_then(SeatAccess::of))
}

/// True if an account plays in a match: submissions from Discord take longer to arrive.
pub async fn any_in(pool: &PgPool, match_id: MatchId) -> Result<bool, AccountError> {
    Ok(discord_seats::any_in(pool, LOG, match_id).await?)
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

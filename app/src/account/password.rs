//! Passwords: Argon2id with the parameters that OWASP recommends, off the threads that answer requests, and never more
//! than two at a time, so that nobody fills the memory by guessing.

use std::sync::LazyLock;
use std::time::Duration;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use store::PgPool;
use store::accounts::{passwords, sign_in_links};
use tokio::sync::Semaphore;

use super::session::open;
use super::{AccountError, Token, Umpire, Via, end_others};
use crate::system::System;

/// OWASP's Password Storage Cheat Sheet: 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// Hashes that are computed at once.
const AT_ONCE: usize = 2;
/// How long somebody waits for their turn.
const PATIENCE: Duration = Duration::from_secs(10);
/// The shortest password. NIST SP 800-63B wants length and no rules on signs.
pub const PASSWORD_MIN_CHARS: usize = 12;
/// The longest: more is no password any more, and would be hashed all the same.
pub const PASSWORD_MAX_CHARS: usize = 200;
/// The fewest different characters.
const DIFFERENT: usize = 5;

static TURNS: Semaphore = Semaphore::const_new(AT_ONCE);

/// What a password is held against where there is no umpire of that name, or one without a password: the answer takes as
/// long as any other. Nothing opens it.
static NOBODY: LazyLock<String> = LazyLock::new(|| hash(b"nobody", &[0; 16]).unwrap_or_default());

fn argon2() -> Result<Argon2<'static>, AccountError> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).map_err(|_| AccountError::Hashing)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn hash(password: &[u8], salt: &[u8]) -> Result<String, AccountError> {
    let hash: PasswordHash = argon2()?.hash_password_with_salt(password, salt).map_err(|_| AccountError::Hashing)?;
    Ok(hash.to_string())
}

/// True if a password opens a stored hash, by the parameters that stand in it; compared in constant time.
fn opens(stored: &str, password: &[u8]) -> bool {
    let Ok(stored) = PasswordHash::new(stored) else { return false };
    Argon2::default().verify_password(password, &stored).is_ok()
}

/// Computes on a thread of its own, when its turn comes.
async fn in_turn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, AccountError> {
    let turn = tokio::time::timeout(PATIENCE, TURNS.acquire()).await.map_err(|_| AccountError::Busy)?;
    let _turn = turn.map_err(|_| AccountError::Busy)?;
    tokio::task::spawn_blocking(work).await.map_err(|_| AccountError::Hashing)
}

/// What is wrong with a password that somebody wants, if anything.
#[must_use]
pub fn too_weak(umpire: &Umpire, password: &str) -> Option<&'static str> {
    let length = password.chars().count();
    let mut different: Vec<char> = password.chars().collect();
    different.sort_unstable();
    different.dedup();
    let (lower, name) = (password.to_lowercase(), umpire.name.to_lowercase());
    if length < PASSWORD_MIN_CHARS {
        Some("A password needs at least 12 characters. Four words that do not belong together are a good one.")
    } else if length > PASSWORD_MAX_CHARS {
        Some("A password has at most 200 characters.")
    } else if different.len() < DIFFERENT {
        Some("This repeats the same few characters. Four words that do not belong together are a good password.")
    } else if lower.contains("matchbook") || (name.chars().count() > 3 && lower.contains(&name)) {
        Some("This has your name or the name of this site in it, which is what is tried first. Take another one.")
    } else {
        None
    }
}

/// Sets an umpire's password, and ends their sessions but this one: whoever else knew the old one is out.
///
/// # Errors
/// It is too weak, or the database.
pub async fn set_password(
    pool: &PgPool,
    system: &System,
    umpire: &Umpire,
    password: &str,
    but: Option<&Token>,
) -> Result<(), AccountError> {
    if let Some(why) = too_weak(umpire, password) {
        return Err(AccountError::Weak(why));
    }
    let (password, random) = (password.to_owned(), system.bytes32());
    let salt: [u8; 16] = std::array::from_fn(|at| random.get(at).copied().unwrap_or(0));
    let hash = in_turn(move || hash(password.as_bytes(), &salt)).await??;
    passwords::set(pool, &umpire.id, &hash, system.now().to_utc()).await?;
    sign_in_links::delete_unused(pool, &umpire.id).await?;
    end_others(pool, &umpire.id, but).await
}

/// True if an umpire has a password.
///
/// # Errors
/// The database.
pub async fn has_password(pool: &PgPool, umpire: &Umpire) -> Result<bool, AccountError> {
    Ok(passwords::has(pool, &umpire.id).await?)
}

/// True if this is an umpire's password.
///
/// # Errors
/// The database, or too many ask at once.
pub async fn is_password(pool: &PgPool, umpire: &Umpire, password: &str) -> Result<bool, AccountError> {
    holds(passwords::of_umpire(pool, &umpire.id).await?, password).await
}

/// The same work, whether there is something to hold it against or not.
async fn holds(stored: Option<String>, password: &str) -> Result<bool, AccountError> {
    let too_long = password.chars().count() > PASSWORD_MAX_CHARS;
    let password = password.to_owned();
    in_turn(move || {
        LazyLock::force(&NOBODY);
        match stored {
            Some(stored) if !too_long => opens(&stored, password.as_bytes()),
            _ => {
                opens(&NOBODY, b"");
                false
            }
        }
    })
    .await
}

/// Signs in by name and password, and gives the session's token. Whether there is such a name is not told, neither in words
/// nor by the time it takes.
///
/// # Errors
/// The name or the password is wrong, too many ask at once, or the database.
pub async fn sign_in_by_password(
    pool: &PgPool,
    system: &System,
    name: &str,
    password: &str,
    browser: &str,
) -> Result<Token, AccountError> {
    // A sign that no name can have would be an error of the database.
    let name = Some(name.trim()).filter(|name| !name.contains('\0')).unwrap_or_default();
    let (id, stored) = passwords::of_name(pool, name).await?.unzip();
    let right = holds(stored.flatten(), password).await?;
    match id.filter(|_| right) {
        Some(id) => open(pool, system, &id, Via::Password, browser).await,
        None => Err(AccountError::Wrong),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Role;
    use super::*;

    #[test]
    fn a_hash_is_argon2id_as_owasp_wants_it_and_opens_for_its_password_alone() {
        let hash = hash(b"four words make one", &[7; 16]).unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(opens(&hash, b"four words make one"));
        assert!(!opens(&hash, b"four words make two") && !opens("", b"") && !opens(&NOBODY, b""));
    }

    #[test]
    fn what_is_guessed_first_is_no_password() {
        let umpire = Umpire { id: "u".into(), name: "Ursula".into(), role: Role::Umpire };
        for weak in ["short", "aaaaaaaaaaaabbb", "I am ursula the umpire", "my matchbook login"] {
            assert!(too_weak(&umpire, weak).is_some(), "{weak}");
        }
        assert!(too_weak(&umpire, &"ab cd ef".repeat(30)).is_some());
        assert_eq!(too_weak(&umpire, "lantern orbit mustard nine"), None);
    }
}

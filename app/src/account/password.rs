//! Passwords: Argon2id with the parameters that OWASP recommends. Hashes are computed on threads of their own, at most two
//! at a time, so that guessing cannot fill the memory.

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
/// The hashes that are computed at the same time.
const AT_ONCE: usize = 2;
/// The longest wait for a hash to begin.
const PATIENCE: Duration = Duration::from_secs(10);
/// The shortest password. NIST SP 800-63B requires length, and no rules on characters.
pub const PASSWORD_MIN_CHARS: usize = 12;
/// The longest password, as a limit on the work of hashing.
pub const PASSWORD_MAX_CHARS: usize = 200;
/// The fewest different characters.
const DIFFERENT: usize = 5;

static HASHING: Semaphore = Semaphore::const_new(AT_ONCE);

/// A hash that no password matches, for umpires that do not exist or have no password: so that the answer takes as long as
/// any other.
static NOBODY: LazyLock<String> = LazyLock::new(|| hash(b"nobody", &[0; 16]).unwrap_or_default());

fn argon2() -> Result<Argon2<'static>, AccountError> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).map_err(|_| AccountError::Hashing)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn hash(password: &[u8], salt: &[u8]) -> Result<String, AccountError> {
    let hash: PasswordHash = argon2()?.hash_password_with_salt(password, salt).map_err(|_| AccountError::Hashing)?;
    Ok(hash.to_string())
}

/// True if a password matches a stored hash, with the parameters in the hash; compared in constant time.
fn matches(stored: &str, password: &[u8]) -> bool {
    let Ok(stored) = PasswordHash::new(stored) else { return false };
    Argon2::default().verify_password(password, &stored).is_ok()
}

/// Computes a hash on a thread of its own, after the others that wait.
async fn limited<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, AccountError> {
    let permit = tokio::time::timeout(PATIENCE, HASHING.acquire()).await.map_err(|_| AccountError::Busy)?;
    let _permit = permit.map_err(|_| AccountError::Busy)?;
    tokio::task::spawn_blocking(work).await.map_err(|_| AccountError::Hashing)
}

/// The reason why a password is too weak, as advice; none if it is not.
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

/// Sets an umpire's password, and ends all other sessions: somebody else may have known the old password.
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
    let hash = limited(move || hash(password.as_bytes(), &salt)).await??;
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
    is_match(passwords::of_umpire(pool, &umpire.id).await?, password).await
}

/// True if a password matches the stored hash. The work is the same without a stored hash.
async fn is_match(stored: Option<String>, password: &str) -> Result<bool, AccountError> {
    let too_long = password.chars().count() > PASSWORD_MAX_CHARS;
    let password = password.to_owned();
    limited(move || {
        LazyLock::force(&NOBODY);
        match stored {
            Some(stored) if !too_long => matches(&stored, password.as_bytes()),
            _ => {
                matches(&NOBODY, b"");
                false
            }
        }
    })
    .await
}

/// Signs in by name and password, and returns the session's token. Neither the message nor the time shows if the name
/// exists.
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
    // The database would refuse a NUL character as an error.
    let name = Some(name.trim()).filter(|name| !name.contains('\0')).unwrap_or_default();
    let (id, stored) = passwords::of_name(pool, name).await?.unzip();
    let right = is_match(stored.flatten(), password).await?;
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
    fn a_hash_is_argon2id_with_the_parameters_of_owasp_and_matches_only_its_password() {
        let hash = hash(b"four words make one", &[7; 16]).unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(matches(&hash, b"four words make one"));
        assert!(!matches(&hash, b"four words make two") && !matches("", b"") && !matches(&NOBODY, b""));
    }

    #[test]
    fn passwords_that_are_guessed_first_are_refused() {
        let umpire = Umpire { id: "u".into(), name: "Ursula".into(), role: Role::Umpire };
        for weak in ["short", "aaaaaaaaaaaabbb", "I am ursula the umpire", "my matchbook login"] {
            assert!(too_weak(&umpire, weak).is_some(), "{weak}");
        }
        assert!(too_weak(&umpire, &"ab cd ef".repeat(30)).is_some());
        assert_eq!(too_weak(&umpire, "lantern orbit mustard nine"), None);
    }
}

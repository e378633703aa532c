//! Passwords: Argon2id with the parameters that OWASP recommends. Hashes are computed on threads of their own, at most two
//! at a time, so that guessing cannot fill the memory, and one for each address, so that whoever guesses waits for himself.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::LazyLock;
use std::time::Duration;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use store::PgPool;
use store::accounts::passwords;
use tokio::time::timeout;

use super::activity::{Actor, EventKind, event};
use super::session::{Way, open, store_failure, store_missing_passkey};
use super::{AccountError, Token, Umpire, needs_passkey};
use crate::queue::{Queue, SenderQueues};
use crate::reader_threads::compute;
use crate::system::System;

/// OWASP's Password Storage Cheat Sheet: 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;
const AT_ONCE: usize = 2;
const PATIENCE: Duration = Duration::from_secs(10);
/// The shortest password. NIST SP 800-63B requires length, and no rules on characters.
pub const PASSWORD_MIN_CHARS: usize = 12;
pub const PASSWORD_MAX_CHARS: usize = 200;
/// Of characters that follow from nothing common. Six letters take three hundred million guesses.
const UNUSUAL_MIN: usize = 6;
const COMMON: &str = include_str!("common_passwords.txt");
const ADVICE: &str = "Four words that do not belong together are a good one.";

static HASHING: Queue = Queue::of(AT_ONCE);
static WAITING: SenderQueues = SenderQueues::of(1);

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

fn matches(stored: &str, password: &[u8]) -> bool {
    let Ok(stored) = PasswordHash::new(stored) else { return false };
    Argon2::default().verify_password(password, &stored).is_ok()
}

async fn limited<T: Send + 'static>(
    actor: &Actor,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, AccountError> {
    let turns = async { (WAITING.turn(actor.address.clone().into_bytes()).await, HASHING.turn_at_last().await) };
    let _turns = timeout(PATIENCE, turns).await.map_err(|_| AccountError::Busy)?;
    compute(work).await.map_err(|_| AccountError::Hashing)
}

/// The reason why a password is too weak, as advice; none if it is not.
///
/// Beside its length, it must have six different characters that are no part of a common word, name, date or row of keys. It
/// may contain neither the umpire's name nor that of this site.
#[must_use]
pub fn too_weak(umpire: &Umpire, password: &str) -> Option<String> {
    let length = password.chars().count();
    if length < PASSWORD_MIN_CHARS {
        return Some(format!("A password needs at least {PASSWORD_MIN_CHARS} characters. {ADVICE}"));
    }
    if length > PASSWORD_MAX_CHARS {
        return Some(format!("A password has at most {PASSWORD_MAX_CHARS} characters."));
    }
    let (lower, name) = (password.to_lowercase(), umpire.name.to_lowercase());
    if lower.contains("matchbook") || (name.chars().count() > 3 && lower.contains(&name)) {
        return Some(format!("This has your name or the name of this site in it, which is tried first. {ADVICE}"));
    }
    let replaced: String = lower.chars().map(letter).collect();
    let unusual = [lower, replaced].iter().map(|written| unusual(written, &name)).min().unwrap_or_default();
    (unusual < UNUSUAL_MIN).then(|| {
        format!(
            "This is made of what is tried first: common words, names, dates, rows of keys or the same characters, so it would \
             soon be guessed. {ADVICE}"
        )
    })
}

/// The letter for which a digit or a sign is often written.
const fn letter(sign: char) -> char {
    match sign {
        '0' => 'o',
        '1' | '!' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        other => other,
    }
}

/// How many different characters are left without what is common, longest first.
fn unusual(password: &str, name: &str) -> usize {
    let listed = COMMON.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut common: Vec<&str> = listed.chain(name.split_whitespace().filter(|word| word.len() > 2)).collect();
    common.sort_by_key(|piece| Reverse(piece.len()));
    let left = common.into_iter().fold(password.to_owned(), |left, piece| left.replace(piece, " "));
    left.chars().filter(|sign| *sign != ' ').collect::<BTreeSet<_>>().len()
}

#[derive(Clone, Copy, Debug, Default)]
pub struct ChangedPassword<'p> {
    pub password: &'p str,
    pub session: Option<&'p Token>,
    pub ends_tokens: bool,
    pub unlinks_discord: bool,
}

/// Sets an umpire's password, and ends all other sessions: somebody else may have known the old password.
pub async fn set_password(
    pool: &PgPool,
    system: &System,
    actor: &Actor,
    umpire: &Umpire,
    new: &ChangedPassword<'_>,
) -> Result<(), AccountError> {
    let (password, random, of) = (new.password.to_owned(), system.bytes32(), umpire.clone());
    let salt: [u8; 16] = std::array::from_fn(|at| random.get(at).copied().unwrap_or(0));
    let hash = limited(actor, move || match too_weak(&of, &password) {
        Some(why) => Err(AccountError::Weak(why)),
        None => hash(password.as_bytes(), &salt),
    });
    let hash = hash.await??;
    let event = event(system, actor, EventKind::PasswordSet, Some(&umpire.id), new.note());
    let session = new.session.map(Token::hash);
    let new = passwords::NewPassword {
        umpire_id: &umpire.id,
        hash: &hash,
        now: event.at,
        session: session.as_ref(),
        ends_tokens: new.ends_tokens,
        unlinks_discord: new.unlinks_discord,
    };
    Ok(passwords::set(pool, &new, &event).await?)
}

impl ChangedPassword<'_> {
    const fn note(&self) -> &'static str {
        match (self.ends_tokens, self.unlinks_discord) {
            (false, false) => "every other browser was signed out",
            (true, false) => "every other browser was signed out, and the tokens were revoked",
            (false, true) => "every other browser was signed out, and Discord was unlinked",
            (true, true) => "every other browser was signed out, the tokens were revoked, and Discord was unlinked",
        }
    }
}

pub async fn has_password(pool: &PgPool, umpire: &Umpire) -> Result<bool, AccountError> {
    Ok(passwords::has(pool, &umpire.id).await?)
}

pub async fn is_password(pool: &PgPool, actor: &Actor, umpire: &Umpire, password: &str) -> Result<bool, AccountError> {
    is_match(actor, passwords::of_umpire(pool, &umpire.id).await?, password).await
}

/// True if a password matches the stored hash. The work is the same without a stored hash.
async fn is_match(actor: &Actor, stored: Option<String>, password: &str) -> Result<bool, AccountError> {
    let too_long = password.chars().count() > PASSWORD_MAX_CHARS;
    let password = password.to_owned();
    limited(actor, move || {
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
pub async fn sign_in_by_password(
    pool: &PgPool,
    system: &System,
    actor: &Actor,
    name: &str,
    password: &str,
    browser: &str,
) -> Result<Token, AccountError> {
    // The database would refuse a NUL character as an error.
    let name = Some(name.trim()).filter(|name| !name.contains('\0')).unwrap_or_default();
    let (id, stored) = passwords::of_name(pool, name).await?.unzip();
    let right = is_match(actor, stored.flatten(), password).await?;
    match id {
        Some(id) if right && needs_passkey(pool, &id).await? => {
            store_missing_passkey(pool, system, actor, &id, "right password, without the passkey").await?;
            Err(AccountError::PasskeyNeeded)
        }
        Some(id) if right => open(pool, system, actor, &id, Way::Password, browser).await,
        // The same work for a name that nobody has. What was typed as a name can be a password, and is not stored.
        id => {
            let note = if id.is_some() { "wrong password" } else { "unknown name" };
            store_failure(pool, system, actor, id.as_deref(), note).await?;
            Err(AccountError::Wrong)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Role;
    use super::super::activity::Channel;
    use super::*;

    #[test]
    fn a_hash_is_argon2id_with_the_parameters_of_owasp_and_matches_only_its_password() {
        let hash = hash(b"four words make one", &[7; 16]).unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(matches(&hash, b"four words make one"));
        assert!(!matches(&hash, b"four words make two") && !matches("", b"") && !matches(&NOBODY, b""));
    }

    #[tokio::test]
    async fn whoever_guesses_from_one_address_holds_up_nobody_at_another() {
        let from = |address: &str| Actor { umpire_id: None, channel: Channel::Pages, address: address.to_owned() };
        let (gate, held) = std::sync::mpsc::channel::<()>();
        let held = std::sync::Arc::new(std::sync::Mutex::new(held));
        let mut guesses = tokio::task::JoinSet::new();
        for _ in 0..30 {
            let (held, guesser) = (held.clone(), from("203.0.113.7"));
            let wait = move || drop(held.lock().map(|held| held.recv()));
            guesses.spawn(async move { limited(&guesser, wait).await });
        }
        tokio::task::yield_now().await;
        limited(&from("203.0.113.8"), || {}).await.unwrap();
        drop(gate);
        assert!(guesses.join_all().await.iter().all(Result::is_ok));
    }

    #[test]
    fn passwords_that_are_guessed_first_are_refused() {
        let umpire = Umpire { id: "u".into(), name: "Ursula".into(), role: Role::Umpire };
        for (weak, why) in [
            ("short", "at least 12 characters"),
            ("I am ursula the umpire", "your name"),
            ("my matchbook login", "your name"),
            ("aaaaaaaaaaaabbb", "soon be guessed"),
            ("password1234", "soon be guessed"),
            ("Password1234!", "soon be guessed"),
            ("123456789012", "soon be guessed"),
            ("qwertyuiop[]", "soon be guessed"),
            ("november2026", "soon be guessed"),
            ("umpireumpire", "soon be guessed"),
        ] {
            let said = too_weak(&umpire, weak).unwrap_or_default();
            assert!(said.contains(why), "{weak}: {said}");
        }
        assert!(too_weak(&umpire, &"ab cd ef".repeat(30)).is_some());
        for good in ["lantern orbit mustard nine", "another good long one", "tG7#pLq2vX!m"] {
            assert_eq!(too_weak(&umpire, good), None, "{good}");
        }
    }
}

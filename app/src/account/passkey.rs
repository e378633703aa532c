//! Passkeys (WebAuthn): a device proves who signs in, by a key that never leaves it and a fingerprint, a face or a PIN.
//! That is two factors in one, so that neither a password nor a link is needed beside it.
//!
//! A passkey belongs to the name of the site, such as `record.example.org`. A site that is reached by a number alone has
//! none, but for `localhost`.

use chrono::TimeDelta;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use store::PgPool;
use store::accounts::passkey_challenges;
use store::accounts::passkeys::{self, NewPasskey, PasskeyOwner};

use super::activity::{Actor, EventKind, event};
use super::session::{Way, open, store_failure};
use super::umpire::allowed;
use super::webauthn::{ALGORITHMS, Answered, Encoded, Key, Proof, WebauthnError};
use super::{AccountError, Token, Umpire};
use crate::system::System;

pub use super::webauthn::Passkeys;
pub use store::accounts::passkeys::PasskeyRow;

pub const CHALLENGE_MINUTES: i64 = 10;
const EACH_MAX: i64 = 20;

#[derive(Debug)]
pub struct Challenge {
    pub token: Token,
    /// The options for the browser, as JSON.
    pub options: Value,
}

impl Passkeys {
    pub async fn begin_adding(
        &self,
        pool: &PgPool,
        system: &System,
        umpire: &Umpire,
    ) -> Result<Challenge, AccountError> {
        let known = passkeys::of_umpire(pool, &umpire.id).await?;
        let known = known.into_iter().map(|passkey| json!({ "type": "public-key", "id": Encoded(passkey.id) }));
        let challenge = random(system);
        let options = json!({ "publicKey": {
            "rp": { "id": self.name, "name": "Matchbook" },
            "user": { "id": handle(&umpire.id), "name": umpire.name, "displayName": umpire.name },
            "challenge": challenge,
            "pubKeyCredParams": ALGORITHMS.map(|(number, _)| json!({ "type": "public-key", "alg": number })),
            "excludeCredentials": known.collect::<Vec<_>>(),
            // Only a passkey that the device finds by itself signs in without a name.
            "authenticatorSelection":
                { "residentKey": "required", "requireResidentKey": true, "userVerification": "required" },
        } });
        begin(pool, system, Some(&umpire.id), challenge, options).await
    }

    pub async fn add(
        &self,
        pool: &PgPool,
        system: &System,
        actor: &Actor,
        umpire: &Umpire,
        answer: &Answer<'_>,
        name: &str,
    ) -> Result<(), AccountError> {
        let name = allowed(name)?;
        let challenge = answer.challenge(pool, system, Some(&umpire.id)).await?;
        let answered: Answered<Key> = answer.read()?;
        let id = answered.id.clone();
        let key = self.register(&challenge, answered).map_err(refused)?;
        let text = serde_json::to_string(&key).map_err(|_| AccountError::Passkey)?;
        let new = NewPasskey { id: &id.0, umpire_id: &umpire.id, name, passkey: &text };
        let event = event(system, actor, EventKind::PasskeyAdded, Some(&umpire.id), name);
        if passkeys::add(pool, &new, EACH_MAX, &event).await? { Ok(()) } else { Err(AccountError::Passkey) }
    }

    pub async fn begin_sign_in(&self, pool: &PgPool, system: &System) -> Result<Challenge, AccountError> {
        let challenge = random(system);
        let options = json!({ "publicKey": {
            "rpId": self.name,
            "challenge": challenge,
            "allowCredentials": [],
            "userVerification": "required",
        } });
        begin(pool, system, None, challenge, options).await
    }

    pub async fn sign_in(
        &self,
        pool: &PgPool,
        system: &System,
        actor: &Actor,
        answer: &Answer<'_>,
        browser: &str,
    ) -> Result<Token, AccountError> {
        // Of a passkey that nobody has, no row tells: anyone could fill the log of accounts with such.
        let claim = self.claimed(pool, system, answer).await.inspect_err(|_| {
            tracing::info!("somebody tried to sign in with a passkey that is not known here, or answered no challenge");
        })?;
        match self.proven(pool, system, &claim).await {
            Ok(()) => open(pool, system, actor, &claim.owner.umpire_id, Way::Passkey, browser).await,
            Err(error @ AccountError::Passkey) => {
                let whose = Some(claim.owner.umpire_id.as_str());
                store_failure(pool, system, actor, whose, "with a passkey that is not valid").await?;
                Err(error)
            }
            Err(error) => Err(error),
        }
    }

    async fn claimed(&self, pool: &PgPool, system: &System, answer: &Answer<'_>) -> Result<Claim, AccountError> {
        let challenge = answer.challenge(pool, system, None).await?;
        let answered: Answered<Proof> = answer.read()?;
        let owner = passkeys::owner(pool, &answered.id.0).await?;
        let owner = owner.filter(|owner| handle(&owner.umpire_id) == answered.rest.user);
        Ok(Claim { challenge, answered, owner: owner.ok_or(AccountError::Passkey)? })
    }

    async fn proven(&self, pool: &PgPool, system: &System, claim: &Claim) -> Result<(), AccountError> {
        let known: Key = serde_json::from_str(&claim.owner.passkey).map_err(|_| AccountError::Passkey)?;
        let used = self.prove(&claim.challenge, &claim.answered, known).map_err(refused)?;
        let text = serde_json::to_string(&used).map_err(|_| AccountError::Passkey)?;
        passkeys::note_use(pool, &claim.answered.id.0, &text, system.now().to_utc()).await?;
        Ok(())
    }
}

struct Claim {
    challenge: String,
    answered: Answered<Proof>,
    owner: PasskeyOwner,
}

#[derive(Clone, Copy, Debug)]
pub struct Answer<'a> {
    pub token: &'a str,
    pub credential: &'a str,
}

impl Answer<'_> {
    async fn challenge(&self, pool: &PgPool, system: &System, umpire_id: Option<&str>) -> Result<String, AccountError> {
        let token: Token = self.token.parse().map_err(|_| AccountError::Passkey)?;
        let challenge = passkey_challenges::end(pool, &token.hash(), umpire_id, system.now().to_utc()).await?;
        challenge.ok_or(AccountError::Passkey)
    }

    fn read<T: for<'de> serde::Deserialize<'de>>(&self) -> Result<T, AccountError> {
        serde_json::from_str(self.credential).map_err(|_| AccountError::Passkey)
    }
}

pub async fn passkeys_of(pool: &PgPool, umpire: &Umpire) -> Result<Vec<PasskeyRow>, AccountError> {
    Ok(passkeys::of_umpire(pool, &umpire.id).await?)
}

/// Removes a passkey by its id in hex. Removing it again changes nothing.
pub async fn remove_passkey(
    pool: &PgPool,
    system: &System,
    actor: &Actor,
    umpire: &Umpire,
    id: &str,
) -> Result<(), AccountError> {
    let Ok(id) = hex::decode(id) else { return Ok(()) };
    let event = event(system, actor, EventKind::PasskeyRemoved, Some(&umpire.id), "");
    Ok(passkeys::remove(pool, &umpire.id, &id, &event).await?)
}

pub async fn need_passkey(
    pool: &PgPool,
    system: &System,
    actor: &Actor,
    umpire: &Umpire,
    needed: bool,
) -> Result<(), AccountError> {
    let note = if needed { "a password alone does not sign in" } else { "a password signs in" };
    let event = event(system, actor, EventKind::PasskeyNeeded, Some(&umpire.id), note);
    if passkeys::set_needed(pool, &umpire.id, needed, &event).await? { Ok(()) } else { Err(AccountError::NoPasskey) }
}

pub async fn needs_passkey(pool: &PgPool, umpire_id: &str) -> Result<bool, AccountError> {
    Ok(passkeys::is_needed(pool, umpire_id).await?)
}

async fn begin(
    pool: &PgPool,
    system: &System,
    umpire_id: Option<&str>,
    challenge: Encoded,
    options: Value,
) -> Result<Challenge, AccountError> {
    let (token, now) = (Token::fresh(system), system.now().to_utc());
    let expires_at = now + TimeDelta::minutes(CHALLENGE_MINUTES);
    passkey_challenges::begin(pool, &token.hash(), umpire_id, &String::from(challenge), now, expires_at).await?;
    Ok(Challenge { token, options })
}

fn random(system: &System) -> Encoded {
    Encoded(system.bytes32().to_vec())
}

/// The number under which devices know an umpire: it follows from the pseudonym, and does not show it.
fn handle(umpire_id: &str) -> Encoded {
    let hash = Sha256::new().chain_update(b"matchbook/passkey-user/1\n").chain_update(umpire_id).finalize();
    Encoded(hash.iter().take(16).copied().collect())
}

/// The reader is told only that it did not work; the log says why.
fn refused(error: WebauthnError) -> AccountError {
    tracing::debug!(?error, "a passkey was refused");
    AccountError::Passkey
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passkeys_belong_to_a_name() {
        for site in ["https://record.example.org", "http://localhost:8080"] {
            assert!(Passkeys::at(site).is_some(), "{site}");
        }
        for site in ["http://127.0.0.1:8080", "http://[::1]:8080", "", "record.example.org"] {
            assert!(Passkeys::at(site).is_none(), "{site}");
        }
        assert_ne!(handle("3f9a1c0b7d2e"), handle("3f9a1c0b7d2f"));
    }
}

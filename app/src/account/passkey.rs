//! Passkeys (WebAuthn): a device proves who signs in, by a key that never leaves it and a fingerprint, a face or a PIN.
//! That is two factors in one, so that neither a password nor a link is needed beside it.
//!
//! A passkey belongs to the name of the site, such as `record.example.org`. A site that is reached by a number alone has
//! none, but for `localhost`.

use chrono::TimeDelta;
use serde_json::Value;
use sha2::{Digest, Sha256};
use store::PgPool;
use store::accounts::passkey_challenges;
use store::accounts::passkeys::{self, NewPasskey, PasskeyOwner};
use url::Url;
use uuid::Uuid;
use webauthn_rs::prelude::{
    CredentialID, DiscoverableAuthentication, Passkey, PasskeyRegistration, PublicKeyCredential,
    RegisterPublicKeyCredential, Webauthn, WebauthnBuilder, WebauthnError,
};

use super::events::{Actor, EventKind, event};
use super::session::{Way, open, store_failure};
use super::umpire::allowed;
use super::{AccountError, Token, Umpire};
use crate::system::System;

pub use store::accounts::passkeys::PasskeyRow;

pub const CHALLENGE_MINUTES: i64 = 10;
const EACH_MAX: i64 = 20;

#[derive(Debug)]
pub struct Passkeys(Webauthn);

#[derive(Debug)]
pub struct Challenge {
    pub token: Token,
    /// The options for the browser, as JSON.
    pub options: Value,
}

impl Passkeys {
    #[must_use]
    pub fn at(site: &str) -> Option<Self> {
        let origin = Url::parse(site).ok()?;
        let name = origin.domain()?.to_owned();
        let built = WebauthnBuilder::new(&name, &origin).and_then(|builder| builder.rp_name("Matchbook").build());
        built.ok().map(Self)
    }

    pub async fn begin_adding(
        &self,
        pool: &PgPool,
        system: &System,
        umpire: &Umpire,
    ) -> Result<Challenge, AccountError> {
        let known = passkeys::of_umpire(pool, &umpire.id).await?;
        let known = known.into_iter().map(|passkey| CredentialID::from(passkey.id)).collect();
        let begun = self.0.start_passkey_registration(handle(&umpire.id), &umpire.name, &umpire.name, Some(known));
        let (options, state) = begun.map_err(|error| refused(&error))?;
        let state = serde_json::to_string(&state).map_err(|_| AccountError::Passkey)?;
        let mut options = serde_json::to_value(&options).map_err(|_| AccountError::Passkey)?;
        // Only a passkey that the device finds by itself signs in without a name.
        if let Some(selection) = options.pointer_mut("/publicKey/authenticatorSelection").and_then(Value::as_object_mut)
        {
            selection.insert("residentKey".to_owned(), "required".into());
            selection.insert("requireResidentKey".to_owned(), true.into());
        }
        challenge(pool, system, Some(&umpire.id), &state, options).await
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
        let state = answer.state(pool, system, Some(&umpire.id)).await?;
        let state: PasskeyRegistration = serde_json::from_str(&state).map_err(|_| AccountError::Passkey)?;
        let answered: RegisterPublicKeyCredential = answer.read()?;
        let passkey = self.0.finish_passkey_registration(&answered, &state).map_err(|error| refused(&error))?;
        let text = serde_json::to_string(&passkey).map_err(|_| AccountError::Passkey)?;
        let new = NewPasskey { id: passkey.cred_id(), umpire_id: &umpire.id, name, passkey: &text };
        let event = event(system, actor, EventKind::PasskeyAdded, Some(&umpire.id), name);
        if passkeys::add(pool, &new, EACH_MAX, &event).await? { Ok(()) } else { Err(AccountError::Passkey) }
    }

    pub async fn begin_sign_in(&self, pool: &PgPool, system: &System) -> Result<Challenge, AccountError> {
        let (mut options, state) = self.0.start_discoverable_authentication().map_err(|error| refused(&error))?;
        // A button begins it, and not a list beside a field.
        options.mediation = None;
        let state = serde_json::to_string(&state).map_err(|_| AccountError::Passkey)?;
        let options = serde_json::to_value(&options).map_err(|_| AccountError::Passkey)?;
        challenge(pool, system, None, &state, options).await
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
        let state = answer.state(pool, system, None).await?;
        let state: DiscoverableAuthentication = serde_json::from_str(&state).map_err(|_| AccountError::Passkey)?;
        let answered: PublicKeyCredential = answer.read()?;
        let (user, id) = self.0.identify_discoverable_authentication(&answered).map_err(|error| refused(&error))?;
        let owner = passkeys::owner(pool, id).await?.filter(|owner| handle(&owner.umpire_id) == user);
        let (owner, id) = (owner.ok_or(AccountError::Passkey)?, id.to_vec());
        Ok(Claim { state, answered, owner, id })
    }

    async fn proven(&self, pool: &PgPool, system: &System, claim: &Claim) -> Result<(), AccountError> {
        let mut passkey: Passkey = serde_json::from_str(&claim.owner.passkey).map_err(|_| AccountError::Passkey)?;
        let proven = self
            .0
            .finish_discoverable_authentication_v2(&claim.answered, claim.state.clone(), &passkey)
            .map_err(|error| refused(&error))?;
        passkey.update_credential(&proven);
        let text = serde_json::to_string(&passkey).map_err(|_| AccountError::Passkey)?;
        passkeys::note_use(pool, &claim.id, &text, system.now().to_utc()).await?;
        Ok(())
    }
}

struct Claim {
    state: DiscoverableAuthentication,
    answered: PublicKeyCredential,
    owner: PasskeyOwner,
    id: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
pub struct Answer<'a> {
    pub token: &'a str,
    pub credential: &'a str,
}

impl Answer<'_> {
    async fn state(&self, pool: &PgPool, system: &System, umpire_id: Option<&str>) -> Result<String, AccountError> {
        let token: Token = self.token.parse().map_err(|_| AccountError::Passkey)?;
        let state = passkey_challenges::end(pool, &token.hash(), umpire_id, system.now().to_utc()).await?;
        state.ok_or(AccountError::Passkey)
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

async fn challenge(
    pool: &PgPool,
    system: &System,
    umpire_id: Option<&str>,
    state: &str,
    options: Value,
) -> Result<Challenge, AccountError> {
    let (token, now) = (Token::fresh(system), system.now().to_utc());
    let expires_at = now + TimeDelta::minutes(CHALLENGE_MINUTES);
    passkey_challenges::begin(pool, &token.hash(), umpire_id, state, now, expires_at).await?;
    Ok(Challenge { token, options })
}

/// The number under which devices know an umpire: it follows from the pseudonym, and does not show it.
fn handle(umpire_id: &str) -> Uuid {
    let hash: [u8; 32] =
        Sha256::new().chain_update(b"matchbook/passkey-user/1\n").chain_update(umpire_id).finalize().into();
    Uuid::from_bytes(std::array::from_fn(|at| hash.get(at).copied().unwrap_or(0)))
}

/// The reader is told only that it did not work; the log says why.
fn refused(error: &WebauthnError) -> AccountError {
    tracing::debug!(%error, "a passkey was refused");
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

//! A webhook's secret, and what it signs (Standard Webhooks, "Signature scheme": HMAC-SHA256 over id, time and body).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use uuid::Uuid;

use crate::system::System;
use crate::{App, AppError};

const PREFIX: &str = "whsec_";

/// 32 random bytes. `Debug` does not show them.
#[derive(Clone)]
pub struct Secret(Vec<u8>);

impl Secret {
    pub(super) fn fresh(system: &System) -> Self {
        Self(system.bytes32().to_vec())
    }

    /// The text that is shown once. It is not `Display`, so that it never gets into a message by accident.
    #[must_use]
    pub fn reveal(&self) -> String {
        format!("{PREFIX}{}", STANDARD.encode(&self.0))
    }

    pub(super) fn lock(&self, app: &App, hook: Uuid) -> Result<Vec<u8>, AppError> {
        Ok(app.vault.lock(&place(hook), &self.0)?)
    }

    pub(super) fn unlock(app: &App, hook: Uuid, locked: &[u8]) -> Result<Self, AppError> {
        Ok(Self(app.vault.unlock(&place(hook), locked)?))
    }

    pub(super) fn sign(&self, id: &str, seconds: i64, body: &str) -> String {
        // HMAC takes keys of any length: this cannot fail.
        let Ok(mac) = Hmac::<Sha256>::new_from_slice(&self.0) else { return String::new() };
        let mac = mac.chain_update(format!("{id}.{seconds}.")).chain_update(body);
        format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(..)")
    }
}

fn place(hook: Uuid) -> String {
    format!("webhook/{hook}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_over_id_time_and_body() {
        // Worked out by hand: printf '%s' 'msg_1.1674087231.{"a":1}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:0707…
        let secret = Secret(vec![7; 32]);
        assert_eq!(secret.reveal(), "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=");
        assert_eq!(
            secret.sign("msg_1", 1_674_087_231, r#"{"a":1}"#),
            "v1,0ANzGnJGWWHmwudt0qLST2wpUTgWaHglALeEiddVSyk="
        );
        assert_eq!(format!("{secret:?}"), "Secret(..)");
    }
}

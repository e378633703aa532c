//! The seats of live matches: authentication, private links and what they show, keys, and readiness.

mod auth;
mod foreign_keys;
mod here;
mod keys;
mod link_visibility;
mod links;
mod ready;
mod vouchings;

use std::sync::Arc;

use crate::logs::Logs;
use crate::recorder::Recorder;
use crate::system::System;
use crate::umpires::Permissions;
use crate::vault::Vault;
use crate::workers::Workers;

pub use keys::SigningKey;

#[derive(Debug)]
pub struct Seats {
    logs: Arc<Logs>,
    system: Arc<System>,
    vault: Vault,
    recorder: Arc<Recorder>,
    permissions: Permissions,
    auth: auth::SeatAuth,
    here: here::Here,
}

impl Seats {
    pub(crate) fn start(recorder: Arc<Recorder>, workers: &Workers) -> Self {
        let (logs, system, vault) = (recorder.logs.clone(), recorder.system.clone(), recorder.vault.clone());
        let auth = auth::SeatAuth::start(logs.clone(), system.clone(), workers);
        Self {
            permissions: Permissions::new(logs.clone()),
            logs,
            system,
            vault,
            recorder,
            auth,
            here: here::Here::default(),
        }
    }
}

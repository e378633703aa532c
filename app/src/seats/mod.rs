//! The seats of live matches: authentication, private links, and readiness.

mod auth;
mod invitations;
mod ready;

use std::sync::Arc;

use crate::logs::Logs;
use crate::system::System;
use crate::vault::Vault;
use crate::workers::Workers;

/// The seats of live matches.
#[derive(Debug)]
pub struct Seats {
    logs: Arc<Logs>,
    system: Arc<System>,
    vault: Vault,
    auth: auth::SeatAuth,
}

impl Seats {
    pub(crate) fn start(logs: Arc<Logs>, system: Arc<System>, vault: Vault, workers: &Workers) -> Self {
        let auth = auth::SeatAuth::start(logs.clone(), system.clone(), workers);
        Self { logs, system, vault, auth }
    }
}

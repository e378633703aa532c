//! The public names of umpires, and what umpires store beside the record.
//!
//! The record has only pseudonyms, so a public name can be removed without changing it: no entry, bundle or notation
//! contains the name, and no check mentions it.

mod notes;
mod permissions;
mod plans;
mod visibility;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use ledger::Author;

pub use notes::Note;
pub use permissions::Duty;
pub(crate) use permissions::Permissions;
pub use plans::Planned;

use crate::account::{self, AccountError, Actor};
use crate::error::AppError;
use crate::logs::Logs;
use crate::system::System;
use crate::vault::Vault;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UmpireNames(BTreeMap<String, String>);

impl UmpireNames {
    pub const NONE: &'static Self = &Self(BTreeMap::new());

    #[must_use]
    pub fn of(&self, id: &str) -> Option<&str> {
        self.0.get(id).map(String::as_str)
    }

    /// The name followed by the pseudonym, which is in the record; or only the pseudonym.
    #[must_use]
    pub fn said(&self, id: &str) -> String {
        self.of(id).map_or_else(|| id.to_owned(), |name| format!("{name} ({id})"))
    }

    #[must_use]
    pub fn by(&self, by: &Author) -> String {
        match by {
            Author::Umpire(id) => format!("umpire {}", self.said(&id.to_string())),
            other => other.to_string(),
        }
    }
}

#[derive(Debug)]
pub struct Umpires {
    logs: Arc<Logs>,
    system: Arc<System>,
    vault: Vault,
    names: Mutex<Arc<UmpireNames>>,
}

impl Umpires {
    pub(crate) fn new(logs: Arc<Logs>, system: Arc<System>, vault: Vault) -> Self {
        Self { logs, system, vault, names: Mutex::default() }
    }
}

impl Umpires {
    #[must_use]
    pub fn names(&self) -> Arc<UmpireNames> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads the public names of umpires. Pages that are cached with old names are then made again.
    pub async fn learn_names(&self) -> Result<Arc<UmpireNames>, AppError> {
        let names = account::public_names(self.logs.pool()).await.map_err(AppError::from_account)?;
        let mut known = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if known.0 != names {
            *known = Arc::new(UmpireNames(names));
        }
        Ok(known.clone())
    }

    pub async fn set_name(&self, actor: &Actor, id: &str, name: Option<&str>) -> Result<(), AccountError> {
        account::set_public_name(self.logs.pool(), &self.system, actor, id, name).await?;
        // If this fails, the name is read a moment later, when the log is followed.
        if let Err(error) = self.learn_names().await {
            tracing::warn!(%error, "the public names of umpires could not be read; it is tried again");
        }
        Ok(())
    }
}

//! The names under which umpires want to be known. The record names pseudonyms alone, so that a name can be taken back and
//! nothing of the record changes: it stands in no entry, no bundle and no notation, and no check says anything of it.

mod notes;
mod plans;
mod visibility;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use ledger::Author;

pub use notes::Note;
pub use plans::{Plan, Planned};

use crate::account::{self, AccountError};
use crate::error::AppError;
use crate::logs::Logs;
use crate::system::System;
use crate::vault::Vault;

/// Public names, by pseudonym.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UmpireNames(BTreeMap<String, String>);

impl UmpireNames {
    /// Nobody's.
    pub const NONE: &'static Self = &Self(BTreeMap::new());

    /// The name of an umpire who has one.
    #[must_use]
    pub fn of(&self, id: &str) -> Option<&str> {
        self.0.get(id).map(String::as_str)
    }

    /// The name with the pseudonym behind it, which is what the record names; or the pseudonym.
    #[must_use]
    pub fn said(&self, id: &str) -> String {
        self.of(id).map_or_else(|| id.to_owned(), |name| format!("{name} ({id})"))
    }

    /// Who did something, in words: `umpire Ada Lark (0a1b2c3d4e5f)`, `p1`, `host`.
    #[must_use]
    pub fn by(&self, by: &Author) -> String {
        match by {
            Author::Umpire(id) => format!("umpire {}", self.said(&id.to_string())),
            other => other.to_string(),
        }
    }
}

/// What umpires keep beside the record: their public names, notes, plans, and what they may see.
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
    /// The public names of umpires, as this node knows them. Other nodes' changes come with the following of the log.
    #[must_use]
    pub fn names(&self) -> Arc<UmpireNames> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The public names of umpires as they are now. Where they changed, what was drawn with the old ones is drawn anew.
    ///
    /// # Errors
    /// The database.
    pub async fn learn_names(&self) -> Result<Arc<UmpireNames>, AppError> {
        let names = account::public_names(self.logs.pool()).await.map_err(AppError::from_account)?;
        let mut known = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if known.0 != names {
            *known = Arc::new(UmpireNames(names));
        }
        Ok(known.clone())
    }

    /// Gives an umpire a public name, or takes it away again.
    ///
    /// # Errors
    /// The name is none, or another umpire's; or the database.
    pub async fn set_name(&self, id: &str, name: Option<&str>) -> Result<(), AccountError> {
        account::set_public_name(self.logs.pool(), id, name).await?;
        // Where this fails the name is known a moment later, when the log is followed.
        if let Err(error) = self.learn_names().await {
            tracing::warn!(%error, "the public names of umpires could not be read; it is tried again");
        }
        Ok(())
    }
}

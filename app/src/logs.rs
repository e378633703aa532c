//! The two logs of the database: the record and practice.

use ledger::{Head, MatchId, Origin};
use std::collections::HashMap;
use store::PgPool;
use store::database::separate_pool;
use store::{Identity, PRACTICE, Store, StoreError};

use crate::error::AppError;
use crate::scope::{LOG, Scope};

/// Connections of readers: one for each turn to fold a match, which is as many as there are turns to make a list.
const READING_CONNECTIONS: u32 = 4;

/// A log.
#[derive(Debug)]
pub struct Log {
    /// The stored log.
    pub store: Store,
    /// The same by the few connections of readers.
    pub reading: Store,
}

/// The logs. A match's id says which of them it is in.
#[derive(Debug)]
pub struct Logs {
    record: Log,
    practice: Log,
}

impl Logs {
    /// Opens both logs. `identity` names a new record; an existing one keeps its name.
    ///
    /// # Errors
    /// The database, or a name that is too long for practice beside it.
    pub(crate) async fn open(pool: PgPool, identity: Identity) -> Result<Self, AppError> {
        let record = Store::open(pool.clone(), LOG, &identity).await?.gathering();
        // Seals and receipts name the origin, so that none of practice can be taken for one of the record.
        let origin = record.log().origin.practice();
        let origin = origin.map_err(|_| AppError::Unreadable("the log\u{2019}s name is too long".to_owned()))?;
        let practice = Store::open(pool, PRACTICE, &Identity { origin, ..identity }).await?.gathering();
        let readers = separate_pool(record.pool(), READING_CONNECTIONS);
        let log = |store: Store| Log { reading: store.with_pool(readers.clone()).gathering(), store };
        Ok(Self { record: log(record), practice: log(practice) })
    }

    /// The log of a scope.
    #[must_use]
    pub const fn in_scope(&self, scope: Scope) -> &Log {
        match scope {
            Scope::Record => &self.record,
            Scope::Practice => &self.practice,
        }
    }

    /// The log that a match is in.
    #[must_use]
    pub fn of(&self, match_id: MatchId) -> &Log {
        self.in_scope(Scope::of(match_id))
    }

    /// The stored log that a match is in.
    #[must_use]
    pub fn store(&self, match_id: MatchId) -> &Store {
        &self.of(match_id).store
    }

    /// The same by the connections of readers.
    #[must_use]
    pub fn reading_store(&self, match_id: MatchId) -> &Store {
        &self.of(match_id).reading
    }

    /// The record, as it is stored.
    #[must_use]
    pub const fn record(&self) -> &Store {
        &self.record.store
    }

    /// The name of the log that a match is in.
    #[must_use]
    pub fn origin(&self, match_id: MatchId) -> &Origin {
        &self.store(match_id).log().origin
    }

    /// The connections that serve.
    #[must_use]
    pub const fn pool(&self) -> &PgPool {
        self.record.store.pool()
    }

    /// The connections of readers.
    #[must_use]
    pub const fn reading_pool(&self) -> &PgPool {
        self.record.reading.pool()
    }

    /// The heads of these matches, of either log.
    pub(crate) async fn heads(&self, matches: &[MatchId]) -> Result<HashMap<MatchId, Head>, StoreError> {
        let mut heads = HashMap::new();
        for scope in Scope::ALL {
            let of_scope: Vec<MatchId> = matches.iter().copied().filter(|id| Scope::of(*id) == scope).collect();
            if !of_scope.is_empty() {
                heads.extend(self.in_scope(scope).store.match_heads(&of_scope).await?);
            }
        }
        Ok(heads)
    }
}

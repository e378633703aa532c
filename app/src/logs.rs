//! The two logs of the database: the record and practice.

use ledger::{Head, MatchId, Origin};
use std::collections::HashMap;
use store::PgPool;
use store::database::separate_pool;
use store::{Identity, PRACTICE, Store, StoreError};

use crate::error::AppError;
use crate::readers::Readers;
use crate::scope::{LOG, Scope};

/// Connections of readers: one for each turn to fold a match, which is as many as there are turns to make a list, and two
/// for what is looked up within a millisecond. What a clock depends on never waits for them.
const READING_CONNECTIONS: u32 = 6;

/// A log.
#[derive(Debug)]
pub struct Log {
    /// The stored log.
    pub store: Store,
    /// The same without its cache: what a check reads is what is stored.
    unkept: Store,
    /// Both by the few connections of readers.
    by_readers: (Store, Store),
}

/// The logs. A match's id says which of them it is in.
#[derive(Debug)]
pub struct Logs {
    record: Log,
    practice: Log,
}

impl Log {
    /// The log by the connections of whoever asks, and without its cache.
    fn here(&self) -> (&Store, &Store) {
        let (kept, unkept) = &self.by_readers;
        if Readers::are_here() { (kept, unkept) } else { (&self.store, &self.unkept) }
    }
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
        let log = |store: Store| Log {
            unkept: store.with_pool(store.pool().clone()).gathering(),
            by_readers: (store.reading_from(readers.clone()).gathering(), store.with_pool(readers.clone()).gathering()),
            store,
        };
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

    /// The stored log that a match is in, by the connections of whoever asks.
    #[must_use]
    pub fn store(&self, match_id: MatchId) -> &Store {
        self.of(match_id).here().0
    }

    /// The same without a cache.
    #[must_use]
    pub fn reading_store(&self, match_id: MatchId) -> &Store {
        self.of(match_id).here().1
    }

    /// The record, as it is stored, by the connections of whoever asks.
    #[must_use]
    pub fn record(&self) -> &Store {
        self.record.here().0
    }

    /// The name of the log that a match is in.
    #[must_use]
    pub fn origin(&self, match_id: MatchId) -> &Origin {
        &self.store(match_id).log().origin
    }

    /// The connections that serve, or on a reader's thread those of readers.
    #[must_use]
    pub fn pool(&self) -> &PgPool {
        self.record().pool()
    }

    /// The connections of readers.
    #[must_use]
    pub fn reading_pool(&self) -> &PgPool {
        self.record.by_readers.0.pool()
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

//! The two logs of the database: the record and practice.

use ledger::{Head, MatchId, Origin};
use std::collections::HashMap;
use store::PgPool;
use store::database::separate_pool;
use store::{Identity, PRACTICE, Store, StoreError};

use crate::reader_threads::Readers;
use crate::scope::{LOG, Scope};

/// Connections of readers: one for each turn to fold a match, which is as many as there are turns to make a list, and two
/// for what is looked up within a millisecond. What a clock depends on never waits for them.
const READING_CONNECTIONS: u32 = 6;

#[derive(Debug)]
pub struct Log {
    pub store: Store,
    unkept: Store,
    by_readers: (Store, Store),
}

#[derive(Debug)]
pub struct Logs {
    record: Log,
    practice: Log,
}

impl Log {
    fn here(&self) -> (&Store, &Store) {
        let (kept, unkept) = &self.by_readers;
        if Readers::are_here() { (kept, unkept) } else { (&self.store, &self.unkept) }
    }
}

impl Logs {
    pub(crate) async fn open(pool: PgPool, identity: Identity) -> Result<Self, StoreError> {
        let record = Store::open(pool.clone(), LOG, &identity).await?.gathering();
        // Seals and receipts name the origin, so that none of practice can be taken for one of the record.
        let origin = record.log().origin.practice();
        let origin =
            origin.map_err(|_| StoreError::Corrupt { what: "the log\u{2019}s name is too long".to_owned() })?;
        let practice = Store::open(pool, PRACTICE, &Identity { origin, ..identity }).await?.gathering();
        let readers = separate_pool(record.pool(), READING_CONNECTIONS);
        let log = |store: Store| Log {
            unkept: store.with_pool(store.pool().clone()).gathering(),
            by_readers: (store.reading_from(readers.clone()).gathering(), store.with_pool(readers.clone()).gathering()),
            store,
        };
        Ok(Self { record: log(record), practice: log(practice) })
    }

    #[must_use]
    pub const fn in_scope(&self, scope: Scope) -> &Log {
        match scope {
            Scope::Record => &self.record,
            Scope::Practice => &self.practice,
        }
    }

    #[must_use]
    pub fn of(&self, match_id: MatchId) -> &Log {
        self.in_scope(Scope::of(match_id))
    }

    #[must_use]
    pub fn store(&self, match_id: MatchId) -> &Store {
        self.of(match_id).here().0
    }

    #[must_use]
    pub fn reading_store(&self, match_id: MatchId) -> &Store {
        self.of(match_id).here().1
    }

    #[must_use]
    pub fn record(&self) -> &Store {
        self.record.here().0
    }

    #[must_use]
    pub fn origin(&self, match_id: MatchId) -> &Origin {
        &self.store(match_id).log().origin
    }

    #[must_use]
    pub fn pool(&self) -> &PgPool {
        self.record().pool()
    }

    #[must_use]
    pub fn reading_pool(&self) -> &PgPool {
        self.record.by_readers.0.pool()
    }

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

//! The names of the log and their keys: its own, and that of each term since.

use std::sync::Arc;

use ledger::ed25519::PublicKey;
use ledger::{Hash, KeyName, Origin, Tree, VerifierKey};
use record::succession::Succession as SuccessionLine;
use store::{Store, StoreError, Succession, Term};

/// The terms of the log as this program found them at its start. What begins later has keys that it does not know.
#[derive(Clone, Debug)]
pub struct Terms {
    all: Arc<[LogTerm]>,
    present: LogTerm,
}

#[derive(Clone, Debug)]
pub struct LogTerm {
    pub term: Term,
    pub origin: Origin,
    pub key: VerifierKey,
    pub host: Hash,
    pub line: Option<SuccessionLine>,
}

impl LogTerm {
    const fn first(origin: Origin, key: VerifierKey, host: Hash) -> Self {
        Self { term: Term(0), origin, key, host, line: None }
    }
}

impl Terms {
    #[must_use]
    pub fn first(origin: Origin, key: &VerifierKey) -> Self {
        let present = LogTerm::first(origin, key.clone(), Hash::ZERO);
        Self { all: [present.clone()].into(), present }
    }

    pub async fn read(store: &Store, key: PublicKey) -> Result<Self, StoreError> {
        let log = store.log();
        let public = store.log_public_key().await?.map_or(Ok(key), |bytes| read_key(&bytes))?;
        let key = VerifierKey::ed25519(KeyName::from(&log.origin), public);
        let mut present = LogTerm::first(log.origin.clone(), key, Hash::new(log.host_key));
        let mut all = vec![present.clone()];
        for next in store.successions().await? {
            present = later(present.origin.to_string(), next)?;
            all.push(present.clone());
        }
        Ok(Self { all: all.into(), present })
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &LogTerm> {
        self.all.iter()
    }

    #[must_use]
    pub const fn present(&self) -> &LogTerm {
        &self.present
    }

    pub(super) fn of(&self, term: Term) -> Option<&LogTerm> {
        self.iter().find(|known| known.term == term)
    }

    #[must_use]
    pub fn key(&self, name: &str) -> Option<&VerifierKey> {
        self.iter().map(|term| &term.key).find(|key| key.name().as_str() == name)
    }

    #[must_use]
    pub fn policy(&self) -> String {
        let mut lines = String::new();
        for (term, next) in self.iter().zip(self.iter().skip(1).map(Some).chain([None])) {
            lines += &format!("log {}\n", term.key);
            if let Some(Tree { size, root }) = next.and_then(|next| next.line.as_ref()).map(|line| line.last) {
                lines += &format!("ended {} {size} {}\n", term.origin, root.to_base64());
            }
        }
        lines
    }
}

fn read_key(bytes: &[u8; 32]) -> Result<PublicKey, StoreError> {
    PublicKey::read(bytes).map_err(|_| StoreError::Corrupt { what: "a key of the log is none".to_owned() })
}

fn later(before: String, next: Succession) -> Result<LogTerm, StoreError> {
    let Succession { term, origin, common, last, log_key, host_key, named, .. } = next;
    let key = VerifierKey::ed25519(KeyName::from(&origin), read_key(&log_key)?);
    let corrupt = |_| StoreError::Corrupt { what: "the signature of a succession does not read".to_owned() };
    let named = named.as_deref().map(str::parse).transpose().map_err(corrupt)?;
    let host = Hash::new(host_key);
    let line = Some(SuccessionLine { before, common, key: key.clone(), host, last, named });
    Ok(LogTerm { term, origin, key, host, line })
}

//! A log in memory, served as C2SP tlog-tiles by whoever holds its key: it serves whatever a test puts in.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use ledger::checkpoint::Checkpoint;
use ledger::tile::{EntryBundle, TilePath};
use ledger::{Frontier, Hash, Note, SignerKey, Tree, leaf_hash};
use tokio::task::JoinHandle;

use crate::log::root;
use crate::site::serve;

/// The name of the log.
pub(crate) const ORIGIN: &str = "example.com/served";

/// What is served at present.
#[derive(Default)]
pub(crate) struct Content {
    pub(crate) entries: Vec<Vec<u8>>,
    pub(crate) checkpoint: Vec<u8>,
    /// The paths that have no answer.
    pub(crate) missing: Vec<String>,
    /// The paths with another answer.
    pub(crate) other: Vec<(String, Vec<u8>)>,
}

/// A served log.
pub(crate) struct ServedLog {
    pub(crate) address: String,
    content: Arc<Mutex<Content>>,
    _serving: JoinHandle<()>,
}

/// The key of the log under this name.
pub(crate) fn key(name: &str) -> SignerKey {
    SignerKey::from_seed(name.parse().expect("a name"), &[1; 32])
}

impl Content {
    fn tree(&self) -> Tree {
        self.entries.iter().map(|entry| leaf_hash(entry)).collect::<Frontier>().tree()
    }

    /// Signs the tree over all entries.
    pub(crate) fn sign(&mut self) -> Note {
        let origin: ledger::OriginLine = ORIGIN.parse().expect("an origin");
        let note = Checkpoint::new(origin, self.tree()).sign(&key(ORIGIN));
        self.checkpoint = note.to_string().into();
        note
    }

    fn answer(&self, path: &str) -> Option<Vec<u8>> {
        if self.missing.iter().any(|missing| missing == path) {
            return None;
        }
        if let Some((_, other)) = self.other.iter().find(|(of, _)| of == path) {
            return Some(other.clone());
        }
        if path == "checkpoint" {
            return Some(self.checkpoint.clone());
        }
        match path.parse::<TilePath>().ok()? {
            TilePath::Entries { index, width } => {
                let first = usize::try_from(index.first_leaf().0).ok()?;
                let entries = self.entries.get(first..first + usize::from(width.get()))?;
                Some(EntryBundle::new(entries.iter().cloned()).ok()?.to_bytes())
            }
            TilePath::Hashes(id) => {
                let leaves: Vec<Hash> = self.entries.iter().map(|entry| leaf_hash(entry)).collect();
                let hash = |subtree: ledger::Subtree| {
                    let (from, to) = (subtree.first_leaf().0 as usize, subtree.covered_by().0 as usize);
                    leaves.get(from..to).map(root)
                };
                let hashes = id.subtrees().map(hash).collect::<Option<Vec<Hash>>>()?;
                Some(hashes.iter().flat_map(|hash| *hash.bytes()).collect())
            }
        }
    }
}

impl ServedLog {
    pub(crate) async fn start() -> Result<Self> {
        let content = Arc::new(Mutex::new(Content::default()));
        let handler = async |State(content): State<Arc<Mutex<Content>>>, uri: Uri| {
            let content = content.lock().unwrap_or_else(PoisonError::into_inner);
            content.answer(uri.path().trim_start_matches('/')).ok_or(StatusCode::NOT_FOUND)
        };
        let (address, serving) = serve(Router::new().fallback(handler).with_state(content.clone())).await?;
        let log = Self { address, content, _serving: serving };
        log.change(|content| drop(content.sign()));
        Ok(log)
    }

    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut Content) -> T) -> T {
        change(&mut self.content.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds entries, and signs.
    pub(crate) fn grows(&self, entries: impl IntoIterator<Item = Vec<u8>>) {
        self.change(|content| {
            content.entries.extend(entries);
            content.sign();
        });
    }

    /// Reads the checkpoint that is served.
    pub(crate) fn checkpoint(&self) -> Result<Note> {
        self.change(|content| Note::read(&content.checkpoint)).context("a note")
    }
}

//! Where a log is read from: page by page, each with what was signed and served of it.

use std::io;

use ledger::{Hash, LeafIndex, Origin, TreeSize, VerifierKey};
use store::{Store, StoreError};
use thiserror::Error;

use super::database::FromDatabase;
use super::site::FromSite;
use super::tiles::Tile;
use super::walk::Kept;
use crate::fetch::FetchError;

/// A log to audit.
pub struct Source(pub(super) From);

pub(super) enum From {
    Database(FromDatabase),
    Site(Box<FromSite>),
}

/// The next lines of a log, with what is said of the tree up to the last of them.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// In the order of the log.
    pub(super) lines: Vec<Line>,
    /// Trees of these sizes, ascending.
    pub(super) signed: Vec<SignedTree>,
    /// Tiles that these lines fill, or, on the last page, begin.
    pub(super) tiles: Vec<Tile>,
    /// What could not be looked at, in sentences.
    pub(super) unchecked: Vec<String>,
}

/// A line of a log.
#[derive(Debug)]
pub(super) struct Line {
    /// Its position.
    pub(super) index: LeafIndex,
    /// Its bytes.
    pub(super) bytes: Vec<u8>,
    /// What else is said of it, where something is.
    pub(super) kept: Option<Kept>,
}

/// A tree that somebody vouched for.
#[derive(Debug)]
pub(super) struct SignedTree {
    /// How many entries it covers.
    pub(super) size: TreeSize,
    /// Its root.
    pub(super) root: Hash,
    /// What it is, for a sentence: `the checkpoint`.
    pub(super) what: &'static str,
    /// Whether it is signed, rather than kept by the writer for itself.
    pub(super) signed: bool,
    /// What is wrong with the signature.
    pub(super) signature: Result<(), String>,
}

/// Why a log cannot be read.
#[derive(Debug, Error)]
pub enum SourceError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file of a site could not be had.
    #[error("{path}: {error}")]
    Fetch {
        /// Its address.
        path: String,
        /// Why.
        error: FetchError,
    },
    /// A file of a site is not what it should be.
    #[error("{path}: {why}")]
    Unfit {
        /// Its address.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// The scratch files.
    #[error("the scratch files of the audit: {0}")]
    Scratch(#[from] io::Error),
}

impl Source {
    /// The log of a store, as long as it is now.
    ///
    /// # Errors
    /// The database.
    pub async fn database(store: Store) -> Result<Self, SourceError> {
        Ok(Self(From::Database(FromDatabase::new(store).await?)))
    }

    /// The log that a site serves, up to its checkpoint, which this key must have signed.
    ///
    /// # Errors
    /// The site does not answer, or serves no checkpoint.
    pub async fn site(url: &str, key: Option<&VerifierKey>) -> Result<Self, SourceError> {
        Ok(Self(From::Site(Box::new(FromSite::new(url, key).await?))))
    }

    /// The log's name.
    pub(super) fn origin(&self) -> &Origin {
        match &self.0 {
            From::Database(database) => database.origin(),
            From::Site(site) => site.origin(),
        }
    }

    /// About how many entries it has.
    pub(super) const fn size(&self) -> TreeSize {
        match &self.0 {
            From::Database(database) => database.size(),
            From::Site(site) => site.size(),
        }
    }

    /// The next page; nothing after the last.
    pub(super) async fn page(&mut self) -> Result<Option<Page>, SourceError> {
        match &mut self.0 {
            From::Database(database) => database.page().await,
            From::Site(site) => site.page().await,
        }
    }
}

//! The source of a log, page by page, each with the signed and served data about it.

use std::io;

use ledger::{Hash, LeafIndex, MatchId, Origin, Policy, TreeSize, VerifierKey};
use record::succession::Succession;
use store::archive::list_rows::ListRow;
use store::{Store, StoreError, Text};
use thiserror::Error;

use super::database::DatabaseSource;
use super::log_pass::RowClaims;
use super::site::SiteSource;
use super::tile_builder::Tile;
use app::fetch::FetchError;

pub struct Source(pub(super) SourceKind);

pub(super) enum SourceKind {
    Database(Box<DatabaseSource>),
    Site(Box<SiteSource>),
}

#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) lines: Vec<Line>,
    pub(super) signed: Vec<SignedTree>,
    pub(super) tiles: Vec<Tile>,
    pub(super) unchecked: Vec<String>,
}

#[derive(Debug)]
pub(super) enum BesidePage {
    /// Words that were not withdrawn.
    Texts(Vec<(MatchId, Text)>),
    /// The rows of ended matches in the lists.
    Rows {
        rows: Vec<ListRow>,
        /// Every entry before this one was in the lists already.
        derived: LeafIndex,
    },
}

#[derive(Debug)]
pub(super) struct Line {
    pub(super) index: LeafIndex,
    pub(super) bytes: Vec<u8>,
    pub(super) row: Option<RowClaims>,
}

#[derive(Debug)]
pub(super) struct SignedTree {
    pub(super) size: TreeSize,
    pub(super) root: Hash,
    pub(super) what: &'static str,
    pub(super) signed: bool,
    pub(super) signature: Result<(), String>,
}

#[derive(Clone, Debug, Default)]
pub struct LogTrust {
    /// The key that must have signed it. Without one, and without a policy that names logs, nobody has to.
    pub key: Option<VerifierKey>,
    /// The logs that the reader knows, and the witnesses that must have cosigned.
    pub policy: Option<Policy>,
}

#[derive(Debug, Error)]
pub enum SourceError {
    /// An error of the database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file of a site could not be fetched.
    #[error("{path}: {error}")]
    Fetch {
        /// Its address.
        path: String,
        /// The cause.
        error: FetchError,
    },
    /// A file of a site is invalid.
    #[error("{path}: {why}")]
    Invalid {
        /// Its address.
        path: String,
        /// The fault.
        why: String,
    },
    /// An error of the scratch files.
    #[error("the scratch files of the audit: {0}")]
    ScratchFiles(#[from] io::Error),
}

impl Source {
    pub async fn database(store: Store) -> Result<Self, SourceError> {
        Ok(Self(SourceKind::Database(Box::new(DatabaseSource::new(store).await?))))
    }

    pub async fn site(url: &str, trust: &LogTrust) -> Result<Self, SourceError> {
        Ok(Self(SourceKind::Site(Box::new(SiteSource::new(url, trust).await?))))
    }

    #[must_use]
    pub fn origin(&self) -> &Origin {
        match &self.0 {
            SourceKind::Database(database) => database.origin(),
            SourceKind::Site(site) => site.origin(),
        }
    }

    pub(super) fn term(&self) -> u32 {
        match &self.0 {
            SourceKind::Database(database) => u32::try_from(database.successions().len() + 1).unwrap_or(u32::MAX),
            SourceKind::Site(site) => site.term(),
        }
    }

    pub(super) fn log_keys(&self) -> Vec<VerifierKey> {
        match &self.0 {
            SourceKind::Database(database) => database.log_keys(),
            SourceKind::Site(site) => site.log_keys().to_vec(),
        }
    }

    pub(super) fn successions(&self) -> Vec<Succession> {
        match &self.0 {
            SourceKind::Database(database) => database.successions(),
            SourceKind::Site(site) => site.successions().cloned().unwrap_or_default(),
        }
    }

    pub(super) const fn size(&self) -> TreeSize {
        match &self.0 {
            SourceKind::Database(database) => database.size(),
            SourceKind::Site(site) => site.size(),
        }
    }

    /// The next part of what a database has beside its log; none after the last. It is read before the log, so that the log
    /// has the entries of all of it.
    pub(super) async fn beside(&mut self) -> Result<Option<BesidePage>, SourceError> {
        match &mut self.0 {
            SourceKind::Database(database) => database.beside().await,
            SourceKind::Site(_) => Ok(None),
        }
    }

    pub(super) async fn page(&mut self) -> Result<Option<Page>, SourceError> {
        match &mut self.0 {
            SourceKind::Database(database) => database.page().await,
            SourceKind::Site(site) => site.page().await,
        }
    }
}

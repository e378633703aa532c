//! What hosts tell of their events. It is beside the log: every version stays, with who and when.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use record::name_key;
use serde::Serialize;
use store::archive::event_sheets::{self, SheetRow};
use utoipa::ToSchema;

pub use store::archive::event_sheets::SheetChange;

use crate::account::{Role, Umpire};
use crate::error::AppError;
use crate::logs::Logs;
use crate::scope::LOG;
use crate::system::System;
use crate::tournament::EventSheet;

/// Nobody changes a sheet this often who means well.
const VERSIONS_MAX: i32 = 1_000;
const LISTED: i64 = 50;
const READ_AT_ONCE: i64 = 100;

#[derive(Debug)]
pub struct EventSheets {
    logs: Arc<Logs>,
    system: Arc<System>,
}

/// A version of a sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SavedSheet {
    #[serde(skip)]
    pub key: String,
    /// The event's name, as its host wrote it.
    #[schema(example = "Paper Crown 2026")]
    pub event: String,
    /// How often it was saved.
    pub version: i32,
    /// The pseudonym of the umpire whose page it is: who told something first.
    pub host: String,
    /// The pseudonym of the umpire who saved this version.
    pub umpire: String,
    #[serde(serialize_with = "store::timestamp::serialize")]
    #[schema(value_type = String)]
    pub at: DateTime<Utc>,
    pub sheet: EventSheet,
}

/// What came of a sheet that somebody saves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saved {
    Saved,
    /// Somebody else saved one since this one was opened.
    Overtaken,
    /// It was saved too often.
    Full,
}

impl From<SheetRow> for SavedSheet {
    fn from(row: SheetRow) -> Self {
        let sheet = serde_json::from_str(&row.sheet).unwrap_or_default();
        Self {
            key: row.event_key,
            event: row.event,
            version: row.version,
            host: row.host,
            umpire: row.umpire,
            at: row.at,
            sheet,
        }
    }
}

impl EventSheets {
    pub(crate) const fn new(logs: Arc<Logs>, system: Arc<System>) -> Self {
        Self { logs, system }
    }

    pub async fn find(&self, key: &str) -> Result<Option<SavedSheet>, AppError> {
        Ok(self.of_all(&[key.to_owned()]).await?.pop())
    }

    pub async fn of_all(&self, keys: &[String]) -> Result<Vec<SavedSheet>, AppError> {
        let rows = event_sheets::newest(self.logs.pool(), LOG, keys).await?;
        Ok(rows.into_iter().map(SavedSheet::from).collect())
    }

    /// Events that are announced and have no match, the last changed first.
    pub async fn announced(&self) -> Result<Vec<SavedSheet>, AppError> {
        let rows = event_sheets::without_matches(self.logs.pool(), LOG, LISTED).await?;
        Ok(rows.into_iter().map(SavedSheet::from).collect())
    }

    /// Who changed it, and when: all of it, the newest first.
    pub async fn changes(&self, key: &str) -> Result<Vec<SheetChange>, AppError> {
        Ok(event_sheets::changes(self.logs.pool(), LOG, key).await?)
    }

    /// Its host and admins. The host is who tells something first: an umpire of one of its matches in the log, and anybody of
    /// an event without a match.
    pub async fn may_save(
        &self,
        umpire: &Umpire,
        key: &str,
        saved: Option<&SavedSheet>,
        is_played: bool,
    ) -> Result<bool, AppError> {
        match saved {
            _ if umpire.role == Role::Admin => Ok(true),
            Some(saved) => Ok(saved.host == umpire.id),
            None if is_played => Ok(event_sheets::has_match_of(self.logs.pool(), LOG, key, &umpire.id).await?),
            None => Ok(true),
        }
    }

    /// Saves a sheet over the version that its writer has read.
    pub async fn save(
        &self,
        umpire: &Umpire,
        event: &str,
        read: Option<&SavedSheet>,
        sheet: &EventSheet,
    ) -> Result<Saved, AppError> {
        let version = 1 + read.map_or(0, |read| read.version);
        let changes = sheet.changes(read.map_or(&EventSheet::default(), |read| &read.sheet));
        if changes.is_empty() && read.is_some() {
            return Ok(Saved::Saved);
        }
        if version > VERSIONS_MAX && umpire.role != Role::Admin {
            return Ok(Saved::Full);
        }
        let row = SheetRow {
            event_key: name_key(event),
            version,
            event: event.to_owned(),
            sheet: serde_json::to_string(sheet).unwrap_or_default(),
            host: read.map_or(&umpire.id, |read| &read.host).clone(),
            umpire: umpire.id.clone(),
            at: self.system.now().to_utc(),
        };
        let added = event_sheets::add(self.logs.pool(), LOG, &row, &changes).await?;
        Ok(if added { Saved::Saved } else { Saved::Overtaken })
    }

    /// The versions that have one of these names, each with what is left of it without them.
    async fn with_names(&self, is_theirs: &impl Fn(&str) -> bool) -> Result<Vec<(SheetRow, EventSheet)>, AppError> {
        let (mut at, mut found) = ((String::new(), 0), Vec::new());
        loop {
            let rows = event_sheets::after(self.logs.pool(), LOG, (&at.0, at.1), READ_AT_ONCE).await?;
            let Some(last) = rows.last() else { return Ok(found) };
            at = (last.event_key.clone(), last.version);
            found.extend(rows.into_iter().filter_map(|row| {
                let sheet: EventSheet = serde_json::from_str(&row.sheet).unwrap_or_default();
                sheet.without_names(is_theirs).map(|without| (row, without))
            }));
        }
    }

    /// Whether a sheet has one of these names, and whether all that do are this umpire's.
    pub async fn names(&self, umpire: &Umpire, is_theirs: impl Fn(&str) -> bool) -> Result<(bool, bool), AppError> {
        let found = self.with_names(&is_theirs).await?;
        let own = umpire.role == Role::Admin || found.iter().all(|(row, _)| row.host == umpire.id);
        Ok((!found.is_empty(), own))
    }

    /// Withdraws the names that are somebody's from every version, also from those that are saved meanwhile. Returns how many
    /// versions had one.
    pub async fn withdraw_names(&self, is_theirs: impl Fn(&str) -> bool) -> Result<usize, AppError> {
        let mut redacted = 0;
        loop {
            let found = self.with_names(&is_theirs).await?;
            if found.is_empty() {
                return Ok(redacted);
            }
            redacted += found.len();
            for (row, without) in found {
                let without = serde_json::to_string(&without).unwrap_or_default();
                event_sheets::redact(self.logs.pool(), LOG, &row, &without).await?;
            }
        }
    }
}

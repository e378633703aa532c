//! A database that answers, and does not do what it is asked: the cause, and what its operator can do.

use sqlx::postgres::{PgDatabaseError, PgSeverity};
use thiserror::Error;

use super::StoreError;

/// Why a database that answers does not do what it is asked. Displayed as half a sentence for everybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DenialCause {
    #[error("the program lacks a right in the database")]
    NoRight,
    #[error("PostgreSQL does not let the program in")]
    NotLetIn,
    #[error("the database is read-only")]
    ReadOnly,
    #[error("the disk of the database is full")]
    DiskFull,
    #[error("somebody holds a lock in the database")]
    Locked,
    #[error("PostgreSQL may lose what it acknowledges")]
    NotDurable,
    #[error("a page of the database is damaged")]
    Damaged,
    #[error("PostgreSQL refuses what it is asked")]
    Other,
}

impl DenialCause {
    #[must_use]
    pub const fn remedy(self) -> &'static str {
        match self {
            Self::NoRight => "Give the role matchbook_serve its rights back; everything then goes on by itself.",
            Self::NotLetIn => "Let the program log in to its database again; everything then goes on by itself.",
            Self::ReadOnly => "Make the database writable, or use the one that is; everything then goes on by itself.",
            Self::DiskFull => "Make room on its disk; everything then goes on by itself.",
            Self::Locked => "End the session that holds the lock; everything then goes on by itself.",
            Self::NotDurable => "Set that to on, and reload; everything then goes on by itself.",
            Self::Damaged => "Look at its disk, and restore the database from a backup: docs/operating.md says how.",
            Self::Other => "Mend what PostgreSQL says; everything then goes on by itself.",
        }
    }

    /// The cause in an answer of PostgreSQL. None if it only starts, stops, is overtaken or has no room for connections: then
    /// it is away, and the same is asked again.
    fn of(answer: &PgDatabaseError) -> Option<Self> {
        let is_error = answer.severity() == PgSeverity::Error;
        let (code, class) = (answer.code(), answer.code().get(..2).unwrap_or_default());
        Some(match (code, class) {
            ("42501", _) if is_error => Self::NoRight,
            ("25006", _) => Self::ReadOnly,
            ("53100", _) => Self::DiskFull,
            ("55P03", _) => Self::Locked,
            ("XX001" | "XX002" | "58030", _) => Self::Damaged,
            (_, "08" | "40" | "57") | ("53300", _) => return None,
            (_, "28" | "3D" | "22" | "42" | "55") if !is_error => Self::NotLetIn,
            _ if is_error => Self::Other,
            _ => return None,
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{cause} ({said})")]
pub struct Denial {
    pub cause: DenialCause,
    pub said: String,
}

impl StoreError {
    #[must_use]
    pub fn denial(&self) -> Option<Denial> {
        let (cause, said) = match self {
            Self::Denied(denial) => return Some(denial.clone()),
            Self::NotDurable { name, value } => (DenialCause::NotDurable, format!("{name} = {value}")),
            Self::Role { role } => (DenialCause::NoRight, format!("{role} is no member of matchbook_serve")),
            Self::Database(error) => {
                let answer = error.as_database_error()?.try_downcast_ref::<PgDatabaseError>()?;
                (DenialCause::of(answer)?, answer.message().to_owned())
            }
            Self::Encoding { .. } | Self::Corrupt { .. } => return None,
        };
        Some(Denial { cause, said })
    }
}

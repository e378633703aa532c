//! Why the writer adds nothing just now.

use super::StoreError;
use super::denial::{Denial, DenialCause};

/// Why the log takes no entries just now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// The database answers, and does not store them.
    Denied(Denial),
    /// The log is not what was acknowledged.
    Corrupt(String),
}

impl From<&StoreError> for Trouble {
    fn from(error: &StoreError) -> Self {
        match (error, error.denial()) {
            (_, Some(denial)) => Self::Denied(denial),
            (StoreError::Corrupt { what }, None) => Self::Corrupt(what.clone()),
            (error, None) => Self::Denied(Denial { cause: DenialCause::Other, said: error.to_string() }),
        }
    }
}

//! Why the writer adds nothing just now.

use super::StoreError;
use super::denial::{Denial, DenialCause};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    Denied(Denial),
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

//! Pages of names in order: those of players and of tournaments.

use store::archive::names::{self, KeyRange, NameKind};

use super::Archive;
use crate::error::AppError;
use crate::scope::LOG;

const NAMES: usize = 50;

impl Archive {
    /// A page of keys, and true if there are more of them, in the direction in which they were read.
    pub(super) async fn keys(&self, kind: NameKind, range: &KeyRange<'_>) -> Result<(Vec<String>, bool), AppError> {
        let mut keys = names::keys(&self.reading, LOG, kind, range, NAMES as i64 + 1).await?;
        let more = keys.len() > NAMES;
        keys.truncate(NAMES);
        if range.before.is_some() {
            keys.reverse();
        }
        Ok((keys, more))
    }
}

//! A fold that continues entry by entry, for a program that writes whole matches. Otherwise it would fold each of them
//! again after every entry. Texts are left out.

use ledger::{Entry, Field, Hash, Seq};

use super::Fold;
use super::open::{Unopened, opening};
use crate::body::Body;
use crate::history::History;
use crate::private_openings::Secrets;
use crate::text::Texts;

static NO_TEXTS: Texts = Texts::new();
static NO_SECRETS: Secrets = Secrets::new();

/// A match that is being written, folded to its last entry.
pub struct IncrementalFold {
    fold: Fold<'static>,
}

impl IncrementalFold {
    /// The match of an entry that opens one.
    pub fn open(origin: &ledger::Origin, first: &Entry, leaf: Hash) -> Result<Self, String> {
        let opened = opening(Some(first), Some(Body::read(first)));
        let fold = opened.and_then(|(first, opened)| Fold::open(origin, first, opened, &NO_TEXTS, &NO_SECRETS));
        let mut folding = Self { fold: fold.map_err(Unopened::into_sentence)? };
        folding.fold.stands_at(first, leaf);
        Ok(folding)
    }

    /// Folds the next entry of the chain.
    pub fn push(&mut self, entry: &Entry, leaf: Hash) {
        let body = Body::read(entry);
        self.fold.learn(body.iter());
        self.fold.entry(entry, leaf, body);
        self.fold.stands_at(entry, leaf);
    }

    /// Stores a value that the writer knows, before the entry with its seal.
    pub fn know(&mut self, entry: Seq, field: Field, value: String) {
        self.fold.known.insert((entry, field), value);
    }

    /// The match so far.
    #[must_use]
    pub const fn history(&self) -> &History {
        &self.fold.history
    }
}

impl std::fmt::Debug for IncrementalFold {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("IncrementalFold").field(&self.fold.history.match_id).finish()
    }
}

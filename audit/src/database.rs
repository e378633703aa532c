//! A log in a database, read together with the database's own data about it: the writer's roots, the signed
//! checkpoints, the tiles.

use ledger::ed25519::PublicKey;
use ledger::note::Note;
use ledger::{Checkpoint, Commitment, Frontier, LeafIndex, MatchId, Origin, Tree, TreeSize, VerifierKey};
use record::succession::{Succession, successions};
use store::archive::cursor;
use store::archive::list_rows::{self, ListRow};
use store::{Store, StoredTile, StoredTree, Term};

use super::log_pass::RowClaims;
use super::source::{BesidePage, Line, Page, SignedTree, SourceError};
use super::tile_builder::Tile;
use app::signing::{LogTerm, Terms};

const PAGE: u64 = 16 * 256;

const BESIDE: u32 = 4_096;

pub(super) struct DatabaseSource {
    store: Store,
    size: TreeSize,
    terms: Option<Terms>,
    given_up: u64,
    next: u64,
    beside: Beside,
}

#[derive(Clone, Copy)]
enum Beside {
    Texts(Option<(MatchId, Commitment)>),
    Rows(Option<MatchId>, LeafIndex),
    Done,
}

impl DatabaseSource {
    pub(super) async fn new(store: Store) -> Result<Self, SourceError> {
        let size = store.size().await?;
        let key = store.log_public_key().await?.and_then(|key| PublicKey::read(&key).ok());
        let terms = match key {
            Some(key) => Some(Terms::read(&store, key).await?),
            None => None,
        };
        Ok(Self { store, size, terms, given_up: 0, next: 0, beside: Beside::Texts(None) })
    }

    pub(super) async fn beside(&mut self) -> Result<Option<BesidePage>, SourceError> {
        match self.beside {
            Beside::Texts(after) => {
                let texts = self.store.texts_after(after, BESIDE).await?;
                self.beside = match texts.last() {
                    Some((match_id, text)) => Beside::Texts(Some((*match_id, text.commitment))),
                    None => Beside::Rows(None, self.derived().await?),
                };
                Ok(Some(BesidePage::Texts(texts)))
            }
            Beside::Rows(after, derived) => {
                let rows = list_rows::after(self.store.pool(), self.store.log().log_id, after, BESIDE).await?;
                let next = |last: &ListRow| Beside::Rows(Some(MatchId(last.match_id)), derived);
                self.beside = rows.last().map_or(Beside::Done, next);
                Ok(Some(BesidePage::Rows { rows, derived }))
            }
            Beside::Done => {
                self.size = self.store.size().await?;
                Ok(None)
            }
        }
    }

    async fn derived(&self) -> Result<LeafIndex, SourceError> {
        let derived = cursor::get(self.store.pool(), self.store.log().log_id).await?;
        Ok(derived.unwrap_or(LeafIndex(0)))
    }

    pub(super) fn origin(&self) -> &Origin {
        &self.store.log().origin
    }

    pub(super) fn log_keys(&self) -> Vec<VerifierKey> {
        self.terms.iter().flat_map(Terms::iter).map(|term| term.key.clone()).collect()
    }

    pub(super) fn successions(&self) -> Vec<Succession> {
        self.terms.iter().flat_map(Terms::iter).filter_map(|term| term.line.clone()).collect()
    }

    pub(super) const fn size(&self) -> TreeSize {
        self.size
    }

    pub(super) async fn page(&mut self) -> Result<Option<Page>, SourceError> {
        let from = self.next;
        if from >= self.size.0 && from > 0 {
            return Ok(None);
        }
        let to = (from + PAGE).min(self.size.0);
        // The last page also gets trees that claim to be larger than the log.
        let trees_to = if to == self.size.0 { TreeSize(u64::MAX) } else { TreeSize(to) };
        let limit = u32::try_from(to - from).unwrap_or(u32::MAX);
        let (lines, trees) = tokio::try_join!(
            self.store.entries_from(LeafIndex(from), limit),
            self.store.stored_trees(TreeSize(from), trees_to)
        )?;
        let (lost, trees): (Vec<_>, Vec<_>) = trees.into_iter().partition(|tree| self.is_given_up(tree));
        let trees = self.still_there(trees).await?;
        let mut tiles = Vec::new();
        for level in 0..8 {
            let covers = 256_u64.saturating_pow(u32::from(level) + 1);
            if from / covers < to / covers {
                tiles.extend(self.store.stored_tiles(level, from / covers, to / covers).await?);
            }
        }
        let mut page = Page { signed: trees.iter().map(|tree| self.signed(tree)).collect(), ..Page::default() };
        self.given_up += lost.len() as u64;
        page.unchecked.extend(lost.iter().filter_map(|tree| {
            let why = self.signed(tree).signature.err()?;
            Some(format!(
                "a checkpoint of {} entries that the log had lost before it took a new name: {why}",
                tree.size
            ))
        }));
        if to == self.size.0
            && self.given_up > 0
            && let Some(last) = self.successions().last()
        {
            page.unchecked.push(format!(
                "{} of the checkpoints under earlier names: what they cover was lost, and the log goes on as {} from {} entries",
                self.given_up, last.key.name(), last.common.size
            ));
        }
        for tile in tiles {
            let (claimed, rooted) = tile_of(tile);
            if !rooted {
                page.unchecked.push(format!(
                    "tile {} of level {}: the database keeps another root for it than its hashes have",
                    claimed.index, claimed.level
                ));
            }
            page.tiles.push(claimed);
        }
        page.lines = lines
            .into_iter()
            .take_while(|line| line.index.0 < to)
            .map(|line| {
                let row = RowClaims { match_id: line.match_id, seq: line.seq, leaf: line.leaf };
                Line { index: line.index, bytes: line.bytes, row: Some(row) }
            })
            .collect();
        self.next = to.max(1);
        Ok(Some(page))
    }

    /// True if a checkpoint has an earlier name and covers entries that were lost before the log continued under a new
    /// one.
    fn is_given_up(&self, tree: &StoredTree) -> bool {
        let mut later =
            self.terms.iter().flat_map(Terms::iter).filter(|later| tree.term.is_some_and(|term| later.term > term));
        later.any(|later| later.line.as_ref().is_some_and(|line| tree.size > line.common.size))
    }

    fn signed(&self, tree: &StoredTree) -> SignedTree {
        let StoredTree { term, size, root, note, signed_head } = tree;
        let (what, signed, signature) = match note {
            None if *signed_head => {
                ("what the database says was signed last", false, self.terms(term.unwrap_or_default()))
            }
            Some(note) => {
                let tree = Tree { size: *size, root: *root };
                ("a signed checkpoint", true, self.says(note, tree, term.unwrap_or_default()))
            }
            None => ("the writer's own note", false, Ok(())),
        };
        SignedTree { size: *size, root: *root, what, signed, signature }
    }

    /// Checks that the later names are those of the terms from the first to the last one, each once, and that each was named
    /// by the key before, unless that is said to be lost.
    fn terms(&self, last: Term) -> Result<(), String> {
        let mut before: Option<&LogTerm> = None;
        for (term, number) in self.terms.iter().flat_map(Terms::iter).zip(1_u32..) {
            if let (Some(before), Some(line)) = (before, &term.line) {
                if u32::from(term.term.0) + 1 != number
                    || self.store.log().origin.later(number).as_ref() != Ok(&term.origin)
                {
                    return Err(
                        "the log\u{2019}s later names are not those of its terms, one after the other".to_owned()
                    );
                }
                line.is_named_by(&before.key)?;
            }
            before = Some(term);
        }
        if before.is_none_or(|present| present.term == last) {
            return Ok(());
        }
        Err("the log\u{2019}s later names are not those of its terms, one after the other".to_owned())
    }

    /// Checks that a note is a checkpoint of this tree, signed by the log's key under its name in this term, and that it
    /// goes on from the tree that the database says.
    fn says(&self, note: &[u8], tree: Tree, term: Term) -> Result<(), String> {
        let note = Note::read(note).map_err(|why| why.to_string())?;
        let checkpoint = Checkpoint::read(note.text()).map_err(|why| why.to_string())?;
        if checkpoint.tree() != tree {
            return Err(format!("it is kept as one of {} entries and the root {}", tree.size, tree.root));
        }
        let terms = self.terms.as_ref().ok_or("the log's key is gone")?;
        let known =
            terms.iter().find(|known| known.term == term).ok_or("the database knows no such name of the log")?;
        if checkpoint.origin().as_str() != known.origin.as_str() {
            return Err(format!("it is kept as one of {}, and names {}", known.origin, checkpoint.origin().as_str()));
        }
        let kept = terms.iter().filter(|earlier| earlier.term <= term).filter_map(|earlier| earlier.line.as_ref());
        if successions(&checkpoint, Some(self.store.log().origin.as_str()))?.iter().ne(kept) {
            return Err("the database keeps another tree or key as the one from which this name goes on".to_owned());
        }
        note.verify([&known.key]).map(drop).map_err(|why| why.to_string())
    }

    /// Without the trees over entries that arrived during this audit: they are left for the next one.
    async fn still_there(&self, mut trees: Vec<StoredTree>) -> Result<Vec<StoredTree>, SourceError> {
        if trees.iter().any(|tree| tree.size > self.size) {
            let now = self.store.size().await?;
            trees.retain(|tree| tree.size <= self.size || tree.size > now);
        }
        Ok(trees)
    }
}

fn tile_of(tile: StoredTile) -> (Tile, bool) {
    let StoredTile { level, index, hashes, root } = tile;
    let rooted = hashes.iter().copied().collect::<Frontier>().root() == root;
    (Tile { level, index, hashes }, rooted)
}

//! A log in a database, read with what the database keeps beside it: the writer's roots, the signed checkpoints, the tiles.

use ledger::ed25519::PublicKey;
use ledger::note::Note;
use ledger::store::{KeptTile, KeptTree, Store};
use ledger::{Checkpoint, Frontier, LeafIndex, Origin, Tree, TreeSize, VerifierKey};

use super::source::{Line, Page, SignedTree, SourceError};
use super::tiles::Tile;
use super::walk::Kept;

/// Entries of one page: whole tiles.
const PAGE: u64 = 16 * 256;

/// A log in a database.
pub(super) struct FromDatabase {
    store: Store,
    /// As many entries as there were at the start; what comes later is for the next audit.
    size: TreeSize,
    /// The public half of the key that signs checkpoints.
    key: Option<[u8; 32]>,
    next: u64,
}

impl FromDatabase {
    pub(super) async fn new(store: Store) -> Result<Self, SourceError> {
        let (size, key) = (store.size().await?, store.kept_log_key().await?);
        Ok(Self { store, size, key, next: 0 })
    }

    pub(super) fn origin(&self) -> &Origin {
        &self.store.log().origin
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
        // On the last page, whatever claims to be larger than the log as well.
        let trees_to = if to == self.size.0 { TreeSize(u64::MAX) } else { TreeSize(to) };
        let limit = u32::try_from(to - from).unwrap_or(u32::MAX);
        let (lines, trees) = tokio::try_join!(
            self.store.entries_from(LeafIndex(from), limit),
            self.store.kept_trees(TreeSize(from), trees_to)
        )?;
        let trees = self.still_there(trees).await?;
        let mut tiles = Vec::new();
        for level in 0..8 {
            let covers = 256_u64.saturating_pow(u32::from(level) + 1);
            if from / covers < to / covers {
                tiles.extend(self.store.kept_tiles(level, from / covers, to / covers).await?);
            }
        }
        let mut page = Page { signed: trees.iter().map(|tree| signed(tree, self.key)).collect(), ..Page::default() };
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
                let kept = Kept { match_id: line.match_id, seq: line.seq, leaf: line.leaf };
                Line { index: line.index, bytes: line.bytes, kept: Some(kept) }
            })
            .collect();
        self.next = to.max(1);
        Ok(Some(page))
    }

    /// Without the trees over entries that came while this was reading: they are for the next audit.
    async fn still_there(&self, mut trees: Vec<KeptTree>) -> Result<Vec<KeptTree>, SourceError> {
        if trees.iter().any(|tree| tree.size > self.size) {
            let now = self.store.size().await?;
            trees.retain(|tree| tree.size <= self.size || tree.size > now);
        }
        Ok(trees)
    }
}

fn signed(tree: &KeptTree, key: Option<[u8; 32]>) -> SignedTree {
    let KeptTree { size, root, note, signed_head } = tree;
    let (what, signed, signature) = match note {
        None if *signed_head => ("what the database says was signed last", false, Ok(())),
        Some(note) => ("a signed checkpoint", true, says(note, Tree { size: *size, root: *root }, key)),
        None => ("the writer's own note", false, Ok(())),
    };
    SignedTree { size: *size, root: *root, what, signed, signature }
}

/// Whether a note is a checkpoint of this tree, signed by the log's key.
fn says(note: &[u8], tree: Tree, key: Option<[u8; 32]>) -> Result<(), String> {
    let note = Note::read(note).map_err(|why| why.to_string())?;
    let checkpoint = Checkpoint::read(note.text()).map_err(|why| why.to_string())?;
    if checkpoint.tree() != tree {
        return Err(format!("it is kept as one of {} entries and the root {}", tree.size, tree.root));
    }
    let public = PublicKey::read(&key.ok_or("the log's key is gone")?).map_err(|why| why.to_string())?;
    let name = checkpoint.origin().as_str().parse().map_err(|_| "its log has no name that signs".to_owned())?;
    note.verify([&VerifierKey::ed25519(name, public)]).map(drop).map_err(|why| why.to_string())
}

/// The tile, and whether the root that is kept with it is its own.
fn tile_of(tile: KeptTile) -> (Tile, bool) {
    let KeptTile { level, index, hashes, root } = tile;
    let rooted = hashes.iter().copied().collect::<Frontier>().root() == root;
    (Tile { level, index, hashes }, rooted)
}

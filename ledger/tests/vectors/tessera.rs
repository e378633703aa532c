//! A log written by transparency-dev/tessera, at every size from 0 to 15: each checkpoint, tile and bundle.

use std::fs;
use std::path::PathBuf;

use matchbook_ledger::proof::{root, subtrees_of_root};
use matchbook_ledger::tile::{TileIndex, TileLevel, TileWidth};
use matchbook_ledger::{
    Checkpoint, ConsistencyProof, EntryBundle, Frontier, InclusionProof, LeafIndex, Note, Tile, TileId, TilePath,
    TileSet, Tree, TreeSize, VerifierKey,
};

use crate::{files_below, folder};

const VKEY: &str = "example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx";
const LARGEST: u64 = 15;

fn log() -> PathBuf {
    folder("tessera-log")
}

fn opened(file: &str) -> Checkpoint {
    let key: VerifierKey = VKEY.parse().unwrap();
    let bytes = fs::read(log().join(file)).unwrap();
    let note = Note::read(&bytes).unwrap();
    assert_eq!(note.to_string().as_bytes(), bytes, "{file}");
    Checkpoint::open(&note, &"example.com/log/testdata".parse().unwrap(), [&key]).unwrap()
}

fn trees() -> Vec<Tree> {
    (0..=LARGEST).map(|size| opened(&format!("checkpoint.{size}")).tree()).collect()
}

/// The tiles of the log at a size.
fn tiles(size: TreeSize) -> TileSet {
    let read = |id: TileId| {
        let path = TilePath::Hashes(id).to_string();
        Tile::read(id, &fs::read(log().join(path)).unwrap()).unwrap()
    };
    TileId::grown(TreeSize(0), size).map(read).collect()
}

#[test]
fn every_checkpoint() {
    for (size, tree) in trees().into_iter().enumerate() {
        assert_eq!(tree.size, TreeSize(size as u64));
        assert_eq!(root(tree.size, &tiles(tree.size)), Ok(tree.root), "size {size}");
    }
    assert_eq!(trees()[0], Tree::empty());
    assert_eq!(opened("checkpoint").tree(), trees()[LARGEST as usize]);
}

#[test]
fn every_tile_and_every_bundle() {
    let trees = trees();
    let (mut hashes, mut bundles) = (0, 0);
    for file in files_below(&log().join("tile")) {
        let path = file.strip_prefix(log()).unwrap().to_str().unwrap();
        let bytes = fs::read(&file).unwrap();
        match path.parse().unwrap() {
            TilePath::Hashes(id) => {
                let tile = Tile::read(id, &bytes).unwrap();
                assert_eq!(tile.to_bytes(), bytes, "{path}");
                let frontier: Frontier = tile.hashes().iter().copied().collect();
                assert_eq!(frontier.tree(), trees[usize::from(id.width.get())], "{path}");
                hashes += 1;
            }
            TilePath::Entries { index, width } => {
                let bundle = EntryBundle::read(width, &bytes).unwrap();
                assert_eq!(bundle.to_bytes(), bytes, "{path}");
                let frontier: Frontier = bundle.leaf_hashes().collect();
                assert_eq!((index, frontier.tree()), (TileIndex(0), trees[usize::from(width.get())]), "{path}");
                bundles += 1;
            }
        }
        assert_eq!(path.parse::<TilePath>().unwrap().to_string(), path);
    }
    assert_eq!((hashes, bundles), (15, 15));
}

#[test]
fn every_proof_from_its_tiles() {
    let trees = trees();
    for new in &trees[1..] {
        let tiles = tiles(new.size);
        let leaves = tiles.get(TileLevel::LEAVES, TileIndex(0)).unwrap();
        for (index, leaf) in leaves.hashes().iter().enumerate() {
            let index = LeafIndex(index as u64);
            let proof = InclusionProof::prove(index, new.size, &tiles).unwrap();
            assert_eq!(proof.check(index, *leaf, new), Ok(()), "leaf {index} of {}", new.size);
        }
        for old in &trees[1..=new.size.0 as usize] {
            let proof = ConsistencyProof::prove(old.size, new.size, &tiles).unwrap();
            assert_eq!(proof.check(old, new), Ok(()), "{} to {}", old.size, new.size);
        }
        // A partial tile needs no wider one.
        let width = TileWidth::new(new.size.0 as u16).unwrap();
        let expected = TileId { level: TileLevel::LEAVES, index: TileIndex(0), width };
        let needed = matchbook_ledger::tile::tiles_for(subtrees_of_root(new.size), new.size);
        assert_eq!(needed.into_iter().collect::<Vec<_>>(), [expected]);
    }
}

#[test]
fn an_altered_checkpoint_opens_for_nobody() {
    let key: VerifierKey = VKEY.parse().unwrap();
    let bytes = fs::read(log().join("checkpoint.7")).unwrap();
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut altered = bytes.clone();
            altered[at] ^= 1 << bit;
            let origin = "example.com/log/testdata".parse().unwrap();
            let opened = Note::read(&altered).map(|note| Checkpoint::open(&note, &origin, [&key]).is_ok());
            assert_ne!(opened, Ok(true), "bit {bit} of byte {at}");
        }
    }
}

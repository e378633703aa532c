use super::*;
use crate::proof::{ConsistencyProof, InclusionProof, root, subtrees_of_root};

fn id(level: u8, index: u64, width: u16) -> TileId {
    TileId { level: TileLevel::new(level).unwrap(), index: TileIndex(index), width: TileWidth::new(width).unwrap() }
}

#[test]
fn one_path_for_each() {
    for (text, path) in [
        ("tile/0/000", TilePath::Hashes(id(0, 0, 256))),
        ("tile/0/000.p/1", TilePath::Hashes(id(0, 0, 1))),
        ("tile/63/999.p/255", TilePath::Hashes(id(63, 999, 255))),
        ("tile/1/x001/x234/067", TilePath::Hashes(id(1, 1_234_067, 256))),
        ("tile/0/x001/000.p/7", TilePath::Hashes(id(0, 1_000, 7))),
        ("tile/0/x018/x446/x744/x073/x709/x551/615", TilePath::Hashes(id(0, u64::MAX, 256))),
        ("tile/entries/000", TilePath::Entries { index: TileIndex(0), width: TileWidth::FULL }),
        ("tile/entries/x123/456.p/8", TilePath::Entries { index: TileIndex(123_456), width: TileWidth(8) }),
    ] {
        assert_eq!(text.parse(), Ok(path), "{text}");
        assert_eq!(path.to_string(), text);
    }
}

/// The example of C2SP tlog-tiles.
#[test]
fn a_tree_of_70_000() {
    let tiles: Vec<TileId> = TileId::grown(TreeSize(0), TreeSize(70_000)).collect();
    let of_level = |level| tiles.iter().filter(move |tile| tile.level.get() == level);
    assert_eq!(of_level(0).filter(|tile| tile.width.is_full()).count(), 273);
    assert_eq!(of_level(0).next_back(), Some(&id(0, 273, 112)));
    assert_eq!(of_level(1).copied().collect::<Vec<_>>(), [id(1, 0, 256), id(1, 1, 17)]);
    assert_eq!(of_level(2).copied().collect::<Vec<_>>(), [id(2, 0, 1)]);
    assert_eq!(tiles.len(), 277);
    let tiles: Vec<TileId> = TileId::grown(TreeSize(0), TreeSize(256)).collect();
    assert_eq!(tiles, [id(0, 0, 256), id(1, 0, 1)]);
    assert_eq!(TileId::grown(TreeSize(256), TreeSize(256)).count(), 0);
    assert_eq!(TileId::grown(TreeSize(256), TreeSize(257)).collect::<Vec<_>>(), [id(0, 1, 1)]);
    assert_eq!(TileId::grown(TreeSize(511), TreeSize(512)).collect::<Vec<_>>(), [id(0, 1, 256), id(1, 0, 2)]);
    assert_eq!(TileId::grown(TreeSize(0), TreeSize(0)).count(), 0);
}

/// Tiles give the same roots and proofs as the leaves, and only the named tiles are needed.
#[test]
fn tiles_are_enough() {
    let leaves: Vec<Hash> = (0..600_u64).map(|place| crate::leaf_hash(&place.to_be_bytes())).collect();
    fn of_leaves(leaves: &[Hash], at: Subtree) -> Option<Hash> {
        match at.halves() {
            None => leaves.get(usize::try_from(at.index()).ok()?).copied(),
            Some((left, right)) => Some(node_hash(&of_leaves(leaves, left)?, &of_leaves(leaves, right)?)),
        }
    }
    let source = |at| of_leaves(&leaves, at);
    let tile = |id: TileId| Tile::new(id, id.subtrees().filter_map(source).collect()).unwrap();
    let fetch = |subtrees, size| tiles_for(subtrees, size).into_iter().map(tile).collect::<TileSet>();
    for size in [1, 2, 3, 255, 256, 257, 300, 511, 512, 513, 600].map(TreeSize) {
        let frontier: crate::Frontier = leaves.iter().copied().take(size.0 as usize).collect();
        let tiles = fetch(subtrees_of_root(size), size);
        assert_eq!(root(size, &tiles), Ok(frontier.root()), "size {size}");
        for leaf in [0, 1, 254, 255, 256, 257, 511, 512, size.0 - 1].map(LeafIndex) {
            if size.covers(leaf) {
                let tiles = fetch(InclusionProof::subtrees(leaf, size).unwrap(), size);
                let proof = InclusionProof::prove(leaf, size, &tiles).unwrap();
                assert_eq!(proof.check(leaf, leaves[leaf.0 as usize], &frontier.tree()), Ok(()));
                assert_eq!(InclusionProof::prove(leaf, size, &source), Ok(proof));
            }
        }
        for old in [1, 2, 255, 256, 257, size.0 - 1, size.0].map(TreeSize) {
            if TreeSize(0) < old && old <= size {
                let tiles = fetch(ConsistencyProof::subtrees(old, size).unwrap(), size);
                let proof = ConsistencyProof::prove(old, size, &tiles).unwrap();
                assert_eq!(ConsistencyProof::prove(old, size, &source), Ok(proof));
            }
        }
    }
}

#[test]
fn what_grew_is_what_is_there() {
    for old in (0..700).step_by(37) {
        for new in (old..70_000).step_by(7_919) {
            let before: Vec<TileId> = TileId::grown(TreeSize(0), TreeSize(old)).collect();
            let after: Vec<TileId> = TileId::grown(TreeSize(0), TreeSize(new)).collect();
            let grown: Vec<TileId> = TileId::grown(TreeSize(old), TreeSize(new)).collect();
            let expected: Vec<TileId> = after.into_iter().filter(|tile| !before.contains(tile)).collect();
            assert_eq!(grown, expected, "{old} to {new}");
        }
    }
}

#[test]
fn a_tile_holds_its_own_alone() {
    let made = Tile::new(id(0, 1, 3), vec![Hash::new([1; 32]), Hash::new([2; 32]), Hash::new([3; 32])]).unwrap();
    assert_eq!(Tile::read(made.id(), &made.to_bytes()), Ok(made.clone()));
    assert_eq!(made.hash_of(Subtree::leaf(LeafIndex(258))), Some(Hash::new([3; 32])));
    assert_eq!(made.hash_of(Subtree::leaf(LeafIndex(259))), None);
    assert_eq!(made.hash_of(Subtree::leaf(LeafIndex(2))), None);
    let pair = Subtree::new(Level::new(1).unwrap(), 128).unwrap();
    assert_eq!(made.hash_of(pair), Some(node_hash(&Hash::new([1; 32]), &Hash::new([2; 32]))));
    assert_eq!(made.hash_of(Subtree::new(Level::new(2).unwrap(), 64).unwrap()), None);
    assert_eq!(made.hash_of(Subtree::new(Level::new(8).unwrap(), 1).unwrap()), None);
    let refused = Tile::read(id(0, 0, 3), &[0; 95]).unwrap_err();
    assert_eq!(refused.to_string(), "a tile of width 3 has 96 bytes, not 95");
    assert!(Tile::read(id(0, 0, 3), &[0; 64]).is_err());
    assert!(Tile::new(id(0, 0, 3), Vec::new()).is_none());
    // A wider tile replaces a narrower one, never the other way round.
    let wide = Tile::read(id(0, 0, 2), &[1; 64]).unwrap();
    let narrow = Tile::read(id(0, 0, 1), &[1; 32]).unwrap();
    let set: TileSet = [narrow.clone(), wide.clone(), narrow].into_iter().collect();
    assert_eq!(set.get(TileLevel::LEAVES, TileIndex(0)), Some(&wide));
}

#[test]
fn bundles() {
    let bundle = EntryBundle::new([b"one".to_vec(), Vec::new(), vec![b'x'; 65_535]]).unwrap();
    let bytes = bundle.to_bytes();
    assert_eq!(&bytes[..7], b"\0\x03one\0\0");
    let three = TileWidth::new(3).unwrap();
    assert_eq!(EntryBundle::read(three, &bytes), Ok(bundle.clone()));
    assert_eq!(bundle.leaf_hashes().next(), Some(crate::leaf_hash(b"one")));
    let refused = EntryBundle::read(TileWidth::FULL, &bytes).unwrap_err();
    assert_eq!(refused.to_string(), "a bundle of 256 entries was asked for, and it has 3");
    let refused = EntryBundle::read(three, &bytes[..bytes.len() - 1]).unwrap_err();
    assert_eq!(refused.to_string(), "the bundle ends within an entry");
    assert_eq!(EntryBundle::read(three, &[0]), Err(BundleError::CutShort));
    let refused = EntryBundle::new([vec![0; 65_536]]).unwrap_err();
    assert_eq!(refused.to_string(), "an entry of a bundle has at most 65535 bytes");
    let refused = EntryBundle::new(vec![Vec::new(); 257]).unwrap_err();
    assert_eq!(refused.to_string(), "a bundle has at most 256 entries");
    assert_eq!(EntryBundle::read(TileWidth::FULL, &[0; 514]), Err(BundleError::TooMany));
}

#[test]
fn a_pyramid_says_of_every_subtree_what_its_tile_says() {
    for (level, index, width) in [(0, 0, 256), (0, 3, 255), (1, 0, 1), (1, 2, 130), (2, 0, 256)] {
        let hashes = (0..width).map(|at: u16| Hash::new([at as u8 ^ level; 32])).collect();
        let tile = Tile::new(id(level, index, width), hashes).unwrap();
        let pyramid = Pyramid::of(tile.clone());
        assert_eq!(pyramid.hashes(), tile.hashes());
        for up in 0..=24 {
            for place in 0..1_100 {
                let subtree = Subtree::new(Level::new(up).unwrap(), place).unwrap();
                assert_eq!(pyramid.hash_of(subtree), tile.hash_of(subtree), "{up} {place} of {:?}", tile.id());
            }
        }
        let whole = (width == 256).then(|| tile.hashes().iter().copied().collect::<crate::tree::Frontier>().root());
        assert_eq!(pyramid.root(), whole);
    }
}

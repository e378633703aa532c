//! Every leaf of every tree to 100 leaves, every pair of sizes to 100, and false proofs for each.

use matchbook_ledger::proof::{ConsistencyError, InclusionError, ProveError, root, subtrees_of_root};
use matchbook_ledger::{
    ConsistencyProof, Frontier, Hash, InclusionProof, LeafIndex, Subtree, Tree, TreeSize, node_hash,
};

use crate::oracle::{self, Side};

const MOST: u64 = 100;

/// Hashes of perfect subtrees from leaves, by definition, as a table or tiles would store them.
fn subtree(leaves: &[Hash], at: Subtree) -> Option<Hash> {
    match at.halves() {
        None => leaves.get(at.index() as usize).copied(),
        Some((left, right)) => Some(node_hash(&subtree(leaves, left)?, &subtree(leaves, right)?)),
    }
}

fn tree(leaves: &[Hash], size: u64) -> Tree {
    Tree { size: TreeSize(size), root: oracle::root(&leaves[..size as usize]) }
}

fn flipped(hash: Hash, bit: usize) -> Hash {
    let mut bytes = *hash.bytes();
    bytes[bit / 8 % 32] ^= 1 << (bit % 8);
    Hash::new(bytes)
}

/// Each path that differs from a good one in one respect.
fn spoilt(path: &[Hash], salt: usize) -> Vec<(&'static str, Vec<Hash>)> {
    let mut spoilt = Vec::new();
    for at in 0..path.len() {
        // A different bit each time; over all trees every bit of a hash is flipped.
        let mut other = path.to_vec();
        other[at] = flipped(other[at], salt * 31 + at * 101);
        spoilt.push(("a flipped bit", other));
        let mut other = path.to_vec();
        other.remove(at);
        spoilt.push(("a missing hash", other));
        if at > 0 {
            let mut other = path.to_vec();
            other.swap(at - 1, at);
            spoilt.push(("two swapped hashes", other));
        }
    }
    for at in [0, path.len() / 2, path.len()] {
        let mut other = path.to_vec();
        other.insert(at, Hash::new([salt as u8; 32]));
        spoilt.push(("an extra hash", other));
    }
    spoilt
}

#[test]
fn every_root_agrees_with_the_oracle() {
    let leaves = oracle::leaves(MOST);
    let mut frontier = Frontier::new();
    assert_eq!(Tree::empty(), tree(&leaves, 0));
    for size in 0..=MOST {
        assert_eq!(root(TreeSize(size), &|at| subtree(&leaves, at)), Ok(tree(&leaves, size).root), "size {size}");
        assert_eq!(frontier.tree(), tree(&leaves, size));
        let peaks: Vec<Hash> =
            subtrees_of_root(TreeSize(size)).into_iter().filter_map(|at| subtree(&leaves, at)).collect();
        assert_eq!(frontier.peaks(), peaks);
        frontier.extend(leaves.get(size as usize).copied());
    }
}

#[test]
fn every_leaf_of_every_tree() {
    let leaves = oracle::leaves(MOST);
    let source = |at| subtree(&leaves, at);
    let (mut good, mut bad) = (0, 0);
    for size in 1..=MOST {
        let tree = tree(&leaves, size);
        for index in 0..size {
            let (leaf, hash) = (LeafIndex(index), leaves[index as usize]);
            let expected = oracle::path(index as usize, &leaves[..size as usize]);
            let proof = InclusionProof::prove(leaf, tree.size, &source).unwrap();
            assert!(proof.path.iter().eq(expected.iter().map(|(_, hash)| hash)), "leaf {index} of {size}");
            assert_eq!(proof.check(leaf, hash, &tree), Ok(()), "leaf {index} of {size}");
            good += 1;
            for (what, path) in spoilt(&proof.path, (index * MOST + size) as usize) {
                let refused = InclusionProof { path }.check(leaf, hash, &tree);
                assert!(refused.is_err(), "leaf {index} of {size}: {what}");
                bad += 1;
            }
            let wrong = flipped(hash, index as usize);
            assert_eq!(proof.check(leaf, wrong, &tree), Err(InclusionError::OtherRoot));
            let wrong = Tree { root: flipped(tree.root, index as usize), ..tree };
            assert_eq!(proof.check(leaf, hash, &wrong), Err(InclusionError::OtherRoot));
            for other in [0, 1, index.saturating_sub(1), index + 1, index ^ 2, size - 1, size, u64::MAX] {
                if other != index {
                    assert!(proof.check(LeafIndex(other), hash, &tree).is_err(), "leaf {index} of {size} as {other}");
                    bad += 1;
                }
            }
        }
    }
    assert_eq!((good, bad), (5_050, 144_047));
}

/// A root does not commit to its size. A false size passes exactly if the path to the root has the same turns in both
/// trees. So the receiver of a proof must take size and root from one signed checkpoint.
#[test]
fn a_wrong_size_passes_only_where_the_way_up_is_the_same() {
    let leaves = oracle::leaves(40);
    let turns = |index: u64, size: u64| -> Vec<Side> {
        oracle::path(index as usize, &leaves[..size as usize]).into_iter().map(|(side, _)| side).collect()
    };
    // Made once: the oracle is slow.
    let turns: Vec<Vec<_>> = (0..=40).map(|size| (0..size).map(|index| turns(index, size)).collect()).collect();
    for size in 1..=40 {
        let root = tree(&leaves, size).root;
        for index in 0..size {
            let proof = InclusionProof::prove(LeafIndex(index), TreeSize(size), &|at| subtree(&leaves, at)).unwrap();
            for other in 0..=40 {
                let claimed = Tree { size: TreeSize(other), root };
                let passes = proof.check(LeafIndex(index), leaves[index as usize], &claimed).is_ok();
                let same = turns[other as usize].get(index as usize) == turns[size as usize].get(index as usize);
                assert_eq!(passes, same, "leaf {index} of {size} as of {other}");
            }
        }
    }
}

#[test]
fn every_pair_of_sizes() {
    let leaves = oracle::leaves(MOST);
    let source = |at| subtree(&leaves, at);
    let trees: Vec<Tree> = (0..=MOST).map(|size| tree(&leaves, size)).collect();
    let (mut good, mut bad) = (0, 0);
    for new in &trees {
        for old in trees.iter().take_while(|old| old.size <= new.size).skip(1) {
            let said = format!("{} to {}", old.size, new.size);
            let expected = oracle::proof(old.size.0 as usize, &leaves[..new.size.0 as usize]);
            let proof = ConsistencyProof::prove(old.size, new.size, &source).unwrap();
            assert!(proof.path.iter().eq(expected.iter().map(|(_, hash)| hash)), "{said}");
            assert_eq!(proof.check(old, new), Ok(()), "{said}");
            assert_eq!(proof.check_growth(old, new), Ok(()), "{said}");
            good += 1;
            for (what, path) in spoilt(&proof.path, (old.size.0 * MOST + new.size.0) as usize) {
                assert!(ConsistencyProof { path }.check(old, new).is_err(), "{said}: {what}");
                bad += 1;
            }
            let bit = (old.size.0 * 7 + new.size.0) as usize;
            let (other_old, other_new) =
                (Tree { root: flipped(old.root, bit), ..*old }, Tree { root: flipped(new.root, bit), ..*new });
            assert!(proof.check(&other_old, new).is_err(), "{said}");
            assert!(proof.check(old, &other_new).is_err(), "{said}");
            bad += 2;
            if old != new {
                let shrinks = ConsistencyError::Shrinks { old: new.size, new: old.size };
                assert_eq!(proof.check(new, old), Err(shrinks), "{said}");
                let swapped = (Tree { root: new.root, ..*old }, Tree { root: old.root, ..*new });
                assert!(proof.check(&swapped.0, &swapped.1).is_err(), "{said}");
                assert!(ConsistencyProof::default().check(old, new).is_err(), "{said}");
                bad += 3;
            }
        }
    }
    assert_eq!((good, bad), (5_050, 127_376));
}

/// As for leaves: a false size passes exactly if the proof has the same shape.
#[test]
fn wrong_sizes_of_a_growth_pass_only_where_the_proof_has_the_same_shape() {
    let leaves = oracle::leaves(17);
    let shape = |old: usize, new: usize| -> Vec<Option<Side>> {
        oracle::proof(old, &leaves[..new]).into_iter().map(|(side, _)| side).collect()
    };
    // Made once: the oracle is slow.
    let shapes: Vec<Vec<_>> = (0..=17)
        .map(|new| (0..=new).map(|old| if old == 0 { Vec::new() } else { shape(old, new) }).collect())
        .collect();
    let trees: Vec<Tree> = (0..=17).map(|size| tree(&leaves, size)).collect();
    for new in 1..=17 {
        for old in 1..=new {
            let proof = ConsistencyProof::prove(TreeSize(old as u64), TreeSize(new as u64), &|at| subtree(&leaves, at))
                .unwrap();
            for other_new in 0..=17 {
                for other_old in 0..=17 {
                    let claimed_old = Tree { size: TreeSize(other_old as u64), ..trees[old] };
                    let claimed_new = Tree { size: TreeSize(other_new as u64), ..trees[new] };
                    let passes = proof.check(&claimed_old, &claimed_new).is_ok();
                    let possible = 0 < other_old && other_old <= other_new && (old == new) == (other_old == other_new);
                    let same = possible && shapes[new][old] == shapes[other_new][other_old];
                    assert_eq!(passes, same, "{old} to {new} as {other_old} to {other_new}");
                }
            }
        }
    }
}

#[test]
fn from_the_empty_tree() {
    let leaves = oracle::leaves(3);
    let (empty, three) = (tree(&leaves, 0), tree(&leaves, 3));
    let (nothing, something) = (ConsistencyProof::default(), ConsistencyProof { path: vec![three.root] });
    assert_eq!(nothing.check(&empty, &three), Err(ConsistencyError::FromEmpty));
    assert_eq!(nothing.check(&empty, &empty), Err(ConsistencyError::FromEmpty));
    assert_eq!(nothing.check_growth(&empty, &three), Ok(()));
    assert_eq!(nothing.check_growth(&empty, &empty), Ok(()));
    assert_eq!(something.check_growth(&empty, &three), Err(ConsistencyError::TooLong));
    let wrong = Tree { root: three.root, ..empty };
    assert_eq!(nothing.check_growth(&wrong, &three), Err(ConsistencyError::EmptyRoot));
    assert_eq!(nothing.check_growth(&empty, &wrong), Err(ConsistencyError::EmptyRoot));
    let shrinks = ConsistencyError::Shrinks { old: TreeSize(3), new: TreeSize(0) };
    assert_eq!(nothing.check_growth(&three, &empty), Err(shrinks));
    let refused = ConsistencyProof::prove(TreeSize(0), TreeSize(3), &|_| None);
    assert_eq!(refused, Err(ProveError::NoSuchGrowth { old: TreeSize(0), new: TreeSize(3) }));
}

/// The hashes that a proof needs can be fetched first, and are enough, in logs of any size.
#[test]
fn needs_no_other_hashes_than_it_says() {
    let marked = |at: Subtree| Some(flipped(Hash::new([at.level().get(); 32]), at.index() as usize));
    for size in [1, 2, 3, 255, 256, 257, 65_535, 65_536, 70_000, 1 << 40, (1 << 63) + 12_345, u64::MAX] {
        let size = TreeSize(size);
        let of_root = root(size, &marked).unwrap();
        for leaf in [0, size.0 / 3, size.0 / 2, size.0 - 1] {
            let needs = InclusionProof::subtrees(LeafIndex(leaf), size).unwrap();
            let source = |at: Subtree| needs.contains(&at).then(|| marked(at)).flatten();
            assert!(InclusionProof::prove(LeafIndex(leaf), size, &source).is_ok(), "leaf {leaf} of {size}");
            assert!(needs.iter().all(|at| at.covered_by() <= size));
        }
        for old in [1, size.0 / 3, size.0 / 2, size.0 - 1, size.0].into_iter().filter(|old| *old > 0) {
            let needs = ConsistencyProof::subtrees(TreeSize(old), size).unwrap();
            let source = |at: Subtree| needs.contains(&at).then(|| marked(at)).flatten();
            assert!(ConsistencyProof::prove(TreeSize(old), size, &source).is_ok(), "{old} to {size}");
            assert!(needs.iter().all(|at| at.covered_by() <= size));
            let missing = |at: Subtree| needs.first().filter(|first| **first != at).and_then(|_| marked(at));
            let refused = ConsistencyProof::prove(TreeSize(old), size, &missing);
            let expected = needs.first().map(|_| ()).is_some();
            assert_eq!(matches!(refused, Err(ProveError::Missing(_))), expected);
        }
        assert_ne!(of_root, Hash::ZERO);
    }
    let refused = InclusionProof::prove(LeafIndex(3), TreeSize(3), &marked).unwrap_err();
    assert_eq!(refused.to_string(), "leaf 3 is not in a tree of 3 leaves");
}

#[test]
fn sentences() {
    let inclusion = [
        InclusionError::NoSuchLeaf { leaf: LeafIndex(3), size: TreeSize(3) },
        InclusionError::TooLong,
        InclusionError::TooShort,
        InclusionError::OtherRoot,
    ];
    assert_eq!(
        inclusion.map(|error| error.to_string()),
        [
            "leaf 3 is not in a tree of 3 leaves",
            "the inclusion proof has more hashes than the tree has levels there",
            "the inclusion proof has fewer hashes than the tree has levels there",
            "the inclusion proof leads to another root than the tree's",
        ]
    );
    let consistency = [
        ConsistencyError::FromEmpty,
        ConsistencyError::Shrinks { old: TreeSize(5), new: TreeSize(4) },
        ConsistencyError::TooLong,
        ConsistencyError::TooShort,
        ConsistencyError::EmptyRoot,
        ConsistencyError::OtherOldRoot,
        ConsistencyError::OtherNewRoot,
        ConsistencyError::TwoRoots,
    ];
    assert_eq!(
        consistency.map(|error| error.to_string()),
        [
            "there is no consistency proof from the empty tree",
            "a tree of 4 leaves does not extend one of 5",
            "the consistency proof has more hashes than it needs",
            "the consistency proof has fewer hashes than it needs",
            "the root of an empty tree is not SHA-256 of nothing",
            "the consistency proof does not lead to the root of the earlier tree",
            "the consistency proof does not lead to the root of the later tree",
            "the two trees are of one size and have different roots",
        ]
    );
    let refused = ProveError::NoSuchGrowth { old: TreeSize(0), new: TreeSize(3) };
    assert_eq!(refused.to_string(), "no proof leads from a tree of 0 leaves to one of 3");
}

//! The `succeeds` lines of the checkpoints in a bundle.

use std::collections::BTreeMap;

use ledger::{Checkpoint, Tree, TreeSize};

use super::log_check::{LogCheck, ProofGrade, open, tree_words};
use crate::bundle::LogEvidence;
use crate::history::Fault;
use crate::rule::Rule;
use crate::succession::common_tree;

impl LogCheck {
    /// Compares the tree in the `succeeds` line of each checkpoint of a bundle with every other tree of the bundle: one
    /// size has one root.
    pub(super) fn successions(&mut self, logged: &LogEvidence, shown: &BTreeMap<TreeSize, (Tree, ProofGrade)>) {
        let before = logged.players.as_ref().map(|players| &players.before);
        let mut roots: BTreeMap<TreeSize, Tree> = shown.iter().map(|(size, (tree, _))| (*size, *tree)).collect();
        for tree in self.trees.iter().map(|(named, _)| named.tree).chain(before.map(|before| before.tree)) {
            roots.entry(tree.size).or_insert(tree);
        }
        let earlier = logged.trees.iter().chain(before).filter_map(|tree| tree.checkpoint.as_ref());
        for note in [&logged.checkpoint].into_iter().chain(earlier) {
            let Some(common) = open(note, logged).ok().and_then(|(checkpoint, _)| common(&checkpoint, logged).ok()?)
            else {
                continue;
            };
            let known = *roots.entry(common.size).or_insert(common);
            if known != common {
                self.faults.push(Fault {
                    rule: Rule::OneRoot,
                    entry: logged.entry,
                    text: "a succeeds line names a root that the log does not have at that size".to_owned(),
                    expected: tree_words(known),
                    found: tree_words(common),
                });
            }
        }
    }
}

/// The tree that a checkpoint says to have in common with the log before, by the names of the bundle's log keys.
pub(super) fn common(checkpoint: &Checkpoint, logged: &LogEvidence) -> Result<Option<Tree>, String> {
    let names: Vec<&str> = logged.keys.iter().map(|key| key.name().as_str()).collect();
    let before = names.iter().position(|name| *name == checkpoint.origin().as_str()).and_then(|at| at.checked_sub(1));
    common_tree(checkpoint, before.and_then(|at| names.get(at).copied()))
}

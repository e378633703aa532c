//! The `succeeds` lines of the checkpoints in a bundle.

use std::collections::BTreeMap;

use ledger::{Checkpoint, Tree, TreeSize};

use super::log_check::{LogCheck, ProofGrade, terms, tree_words};
use crate::bundle::LogEvidence;
use crate::history::Fault;
use crate::rule::Rule;
use crate::succession::successions;

impl LogCheck {
    /// Compares the trees from which the log went on under a new name with every other tree of the bundle: one size has one
    /// root.
    pub(super) fn successions(&mut self, logged: &LogEvidence, shown: &BTreeMap<TreeSize, (Tree, ProofGrade)>) {
        let Some(newest) = &self.newest else { return };
        let before = logged.players.as_ref().map(|players| players.before.tree);
        let mut roots: BTreeMap<TreeSize, Tree> = shown.iter().map(|(size, (tree, _))| (*size, *tree)).collect();
        for tree in self.trees.iter().map(|(named, _)| named.tree).chain(before) {
            roots.entry(tree.size).or_insert(tree);
        }
        for common in newest.terms.iter().map(|term| term.common) {
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

pub(super) fn prefix(checkpoint: &Checkpoint, logged: &LogEvidence) -> Result<(), String> {
    let said = successions(checkpoint, logged.keys.first().map(|key| key.name().as_str()))?;
    if terms(logged)?.starts_with(&said) {
        return Ok(());
    }
    Err("its succeeds lines are others than those of the newest checkpoint".to_owned())
}

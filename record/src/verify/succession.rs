//! The lines by which a log with a later name says where it goes on from.

use std::collections::BTreeMap;

use ledger::note::NoteText;
use ledger::{Checkpoint, Tree, TreeSize};

use super::log_check::{LogCheck, ProofGrade, open, tree_words};
use crate::bundle::LogEvidence;
use crate::history::Fault;
use crate::rule::Rule;

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
            let Some(common) = open(note, logged).ok().and_then(|(checkpoint, _)| common(&checkpoint)) else {
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

/// The `succeeds` lines of a checkpoint.
fn lines(checkpoint: &Checkpoint) -> Vec<String> {
    let lines = checkpoint.extensions().iter().map(ToString::to_string);
    lines.filter(|line| line.split(' ').next() == Some("succeeds")).collect()
}

/// The origin and the tree of a `succeeds` line; none if it is written otherwise.
fn read(line: &str) -> Option<(&str, Tree)> {
    let &[_, origin, size, root] = line.split(' ').collect::<Vec<_>>().as_slice() else { return None };
    let common = format!("{origin}\n{size}\n{root}\n").parse::<NoteText>().ok()?;
    Some((origin, Checkpoint::read(&common).ok()?.tree()))
}

/// The tree that a checkpoint of a later name says to have in common with the log before.
fn common(checkpoint: &Checkpoint) -> Option<Tree> {
    lines(checkpoint).iter().find_map(|line| read(line)).map(|(_, tree)| tree)
}

/// Checks the line by which a log with a later name says where it goes on from, by what this checkpoint itself says.
/// [`LogCheck`] compares its root with the trees of the bundle, and an audit with the whole log.
pub(super) fn check(checkpoint: &Checkpoint, logged: &LogEvidence) -> Result<(), String> {
    let name = |at: usize| logged.keys.get(at).map(|key| key.name().as_str());
    let term = (0..logged.keys.len()).find(|at| name(*at) == Some(checkpoint.origin().as_str())).unwrap_or(0);
    let lines = lines(checkpoint);
    let mut said = lines.iter();
    let (line, before) = match (said.next(), term.checked_sub(1).and_then(name), said.next()) {
        (None, None, None) => return Ok(()),
        (Some(line), Some(before), None) => (line, before),
        (_, None, _) => return Err("a log's first name succeeds none, and it has a succeeds line".to_owned()),
        (_, Some(before), _) => return Err(format!("it has not one succeeds line that names {before}")),
    };
    let Some((origin, common)) = read(line) else {
        return Err("its succeeds line is no origin, size and root".to_owned());
    };
    let tree = checkpoint.tree();
    if origin != before {
        return Err(format!("its succeeds line names {origin}, and its log was {before}"));
    }
    if common.size > tree.size {
        return Err("its succeeds line names a larger tree than its own".to_owned());
    }
    if common.size == tree.size && common != tree {
        return Err("its succeeds line names another root than its own for one size".to_owned());
    }
    if common.size.0 == 0 && common != Tree::empty() {
        return Err("its succeeds line names a root for the empty tree that it does not have".to_owned());
    }
    Ok(())
}

//! The line by which a log with a later name says where it goes on from: `succeeds <origin before> <size> <root>`.

use ledger::note::NoteText;
use ledger::{Checkpoint, Tree};

/// The tree that a checkpoint says to have in common with the log before; none for a log's first name, whose checkpoints
/// have no such line. `before` is the log's name before this one. The tree's root is for the caller to compare: a bundle has
/// some trees of the log, an audit has all.
///
/// # Errors
/// The line is missing, is there twice, or contradicts the checkpoint that has it: what is wrong, in half a sentence.
pub fn common_tree(checkpoint: &Checkpoint, before: Option<&str>) -> Result<Option<Tree>, String> {
    let lines = lines(checkpoint);
    let (line, before) = match (lines.as_slice(), before) {
        ([], None) => return Ok(None),
        ([line], Some(before)) => (line, before),
        (_, None) => return Err("a log's first name succeeds none, and it has a succeeds line".to_owned()),
        (_, Some(before)) => return Err(format!("it has not one succeeds line that names {before}")),
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
    Ok(Some(common))
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

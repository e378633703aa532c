//! The trees that the entries of a match name, and the entries that those trees must have covered.

use std::collections::BTreeMap;

use ledger::{Entry, Seq, Tree};

use crate::body::Body;

/// The trees that entries name, and the entries that they covered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeMentions {
    /// Each tree with the entry that names it, in the order of the entries. The empty tree, a beginning of every log, is
    /// left out.
    pub trees: Vec<TreeMention>,
    /// The entries that a tree must have covered before something was opened, each with that tree.
    pub covered: BTreeMap<Seq, CoveringTree>,
    /// The trees that players signed together with the opening of a share: each covers the list of the shares.
    pub opened: Vec<OpeningTree>,
}

/// A tree, and the entry that names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeMention {
    /// The entry.
    pub entry: Seq,
    /// The tree.
    pub tree: Tree,
    /// A player named it, as the last one verified; otherwise the server did, as the one that covered the seals.
    pub seen: bool,
}

/// A tree that a player signed together with the opening of its share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpeningTree {
    /// The entry with the opening.
    pub entry: Seq,
    /// The list of shares.
    pub listed: Seq,
    /// The tree.
    pub tree: Tree,
}

/// The tree that covered an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoveringTree {
    /// The tree.
    pub tree: Tree,
    /// The entry is a seat's seal; otherwise it is a list of shares of draws, or of their openings.
    pub seal: bool,
}

impl TreeMentions {
    /// The trees that these entries name. Entries that cannot be read name none.
    #[must_use]
    pub fn of(entries: &[Entry]) -> Self {
        let mut named = Self::default();
        for entry in entries {
            let mut name = |tree: Tree, seen| {
                if tree != Tree::empty() {
                    named.trees.push(TreeMention { entry: entry.seq, tree, seen });
                }
            };
            match Body::read(entry) {
                Ok(Body::Resolved(body)) => {
                    let tree = Tree::from(&body.tree);
                    let counted = [body.counted.p1, body.counted.p2].into_iter().flatten();
                    name(tree, false);
                    named.covered.extend(counted.map(|seal| (Seq(seal), CoveringTree { tree, seal: true })));
                }
                Ok(Body::ShareOpenings(body)) => {
                    let (tree, listed) = (Tree::from(&body.tree), Seq(body.listed));
                    name(tree, false);
                    let signatures = [body.signatures.p1, body.signatures.p2].into_iter().flatten();
                    let signed: Vec<Tree> = signatures.map(|signature| Tree::from(&signature.tree)).collect();
                    signed.iter().for_each(|tree| name(*tree, true));
                    named.covered.insert(listed, CoveringTree { tree, seal: false });
                    let opened = signed.into_iter().map(|tree| OpeningTree { entry: entry.seq, listed, tree });
                    named.opened.extend(opened);
                }
                Ok(Body::FixedSeed(body)) => {
                    let tree = Tree::from(&body.tree);
                    name(tree, false);
                    named.covered.insert(Seq(body.listed), CoveringTree { tree, seal: false });
                }
                Ok(Body::Sealed(body)) => {
                    body.signature.iter().for_each(|signature| name(Tree::from(&signature.tree), true));
                }
                Ok(Body::Unsealed(body)) => {
                    let signatures = body.replaced.iter().filter_map(|replaced| replaced.signature.as_ref());
                    signatures.for_each(|signature| name(Tree::from(&signature.tree), true));
                }
                _ => {}
            }
        }
        named
    }
}

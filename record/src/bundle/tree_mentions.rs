//! The trees that the entries of a match name, and the entries that those trees must have covered.

use std::collections::{BTreeMap, BTreeSet};

use ledger::{DecisionId, Entry, Moment, Seq, Tree};

use crate::body::{Body, SubmitSignature};
use crate::rule::Rule;

/// The trees that entries name, and the entries that they covered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeMentions {
    /// Each tree with the entry that names it, in the order of the entries. The empty tree, a beginning of every log, is
    /// left out.
    pub trees: Vec<TreeMention>,
    /// The entries that a tree must have covered before something was opened, each with that tree.
    pub covered: BTreeMap<Seq, CoveringTree>,
    /// The trees that players signed: each holds what the player answered.
    pub signed: Vec<SignedTree>,
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

/// A tree that a player signed together with a submission or with the opening of its share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignedTree {
    /// The entry with the signature.
    pub entry: Seq,
    /// The entry that it answers, and so had to see.
    pub answers: Answered,
    /// The tree.
    pub tree: Tree,
    /// The time at which it came, as the server says.
    pub came: Option<Moment>,
}

/// An entry that a player answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answered {
    /// The question, answered by a submission.
    Question(Seq),
    /// The list of shares, answered by the opening of one.
    Shares(Seq),
}

impl SignedTree {
    /// The entry that its player answered, with the rule that it must be in the tree, and the fault if it is not.
    pub(crate) const fn answered(&self) -> (Rule, Seq, &'static str) {
        match self.answers {
            Answered::Question(asked) => (
                Rule::SignedOverQuestion,
                asked,
                "the tree that a player signed with its submission does not hold the question",
            ),
            Answered::Shares(listed) => (
                Rule::SeedTree,
                listed,
                "the tree that a player signed with its opening does not hold the list of shares",
            ),
        }
    }
}

/// The tree that covered an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoveringTree {
    /// The tree.
    pub tree: Tree,
    /// The entry is a seat's seal; otherwise it is a question that a seat answered with a signature, a list of shares of
    /// draws, one of their openings, or a named round of the beacon.
    pub seal: bool,
}

impl TreeMentions {
    /// The trees that these entries name. Entries that cannot be read name none.
    #[must_use]
    pub fn of(entries: &[Entry]) -> Self {
        let mut named = Self::default();
        let (mut asked, mut signed) = (BTreeMap::<DecisionId, Seq>::new(), BTreeSet::<DecisionId>::new());
        for entry in entries {
            let own =
                |tree: Tree| (tree != Tree::empty()).then_some(TreeMention { entry: entry.seq, tree, seen: false });
            match Body::read(entry) {
                Ok(Body::Asked(body)) => drop(asked.insert(body.decision, entry.seq)),
                Ok(Body::Resolved(body)) => {
                    let tree = Tree::from(&body.tree);
                    let question = asked.get(&body.decision).filter(|_| signed.contains(&body.decision));
                    named.covered.extend(question.map(|asked| (*asked, CoveringTree { tree, seal: false })));
                    let counted = [body.counted.p1, body.counted.p2].into_iter().flatten();
                    named.trees.extend(own(tree));
                    named.covered.extend(counted.map(|seal| (Seq(seal), CoveringTree { tree, seal: true })));
                }
                Ok(Body::ShareOpenings(body)) => {
                    let (tree, listed) = (Tree::from(&body.tree), Seq(body.listed));
                    named.trees.extend(own(tree));
                    named.covered.insert(listed, CoveringTree { tree, seal: false });
                    let (signatures, answers) = (body.signatures, Answered::Shares(listed));
                    for (signature, came) in [(signatures.p1, body.came.p1), (signatures.p2, body.came.p2)] {
                        let Some(tree) = signature.map(|signature| Tree::from(&signature.tree)) else { continue };
                        named.mention(entry.seq, tree);
                        named.signed.push(SignedTree { entry: entry.seq, answers, tree, came });
                    }
                }
                Ok(Body::SignedRound(body)) => {
                    let tree = Tree::from(&body.tree);
                    named.trees.extend(own(tree));
                    named.covered.insert(Seq(body.named), CoveringTree { tree, seal: false });
                }
                Ok(Body::FixedSeed(body)) => {
                    let tree = Tree::from(&body.tree);
                    named.trees.extend(own(tree));
                    named.covered.insert(Seq(body.listed), CoveringTree { tree, seal: false });
                }
                Ok(Body::Sealed(body)) => {
                    if let Some(signature) = body.signature {
                        named.submitted(entry.seq, asked.get(&body.decision).copied(), &signature, body.came);
                        signed.insert(body.decision);
                    }
                }
                Ok(Body::Unsealed(body)) => {
                    for replaced in &body.replaced {
                        if let Some(signature) = &replaced.signature {
                            let asked = asked.get(&replaced.decision).copied();
                            named.submitted(entry.seq, asked, signature, replaced.came);
                        }
                    }
                }
                _ => {}
            }
        }
        named
    }

    fn submitted(&mut self, entry: Seq, question: Option<Seq>, signature: &SubmitSignature, came: Moment) {
        let tree = Tree::from(&signature.tree);
        self.mention(entry, tree);
        let answers = question.map(Answered::Question);
        self.signed.extend(answers.map(|answers| SignedTree { entry, answers, tree, came: Some(came) }));
    }

    fn mention(&mut self, entry: Seq, tree: Tree) {
        if tree != Tree::empty() {
            self.trees.push(TreeMention { entry, tree, seen: true });
        }
    }
}

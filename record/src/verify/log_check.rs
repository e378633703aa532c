//! The evidence of the log's checkpoints and proofs about a match, for findings 2 and 3.

use std::collections::BTreeMap;

use ledger::checkpoint::OpenError;
use ledger::policy::{JudgeError, Judgement, QuorumStatus};
use ledger::{Checkpoint, CosignedAt, Entry, Note, OriginLine, Policy, Seq, Tree, TreeSize, VerifierKey, leaf_hash};

use super::succession::prefix;
use super::witnessed::{Untimely, timely};
use crate::bundle::{Bundle, CoveringTree, EntryPlaces, LogEvidence, TreeMention, TreeMentions};
use crate::history::Fault;
use crate::rule::Rule;
use crate::succession::{Succession, successions};

#[derive(Clone, Debug, Default)]
pub(super) struct LogCheck {
    /// The newest checkpoint, if it is signed and covers an entry of the match.
    pub(super) newest: Option<Newest>,
    pub(super) trees: Vec<(TreeMention, ProofGrade)>,
    /// Under a policy, each tree that the log is shown to have signed, by size, with the time at which its cosignatures
    /// reached the quorum; none if they do not.
    pub(super) witnessed: BTreeMap<TreeSize, (Tree, Option<CosignedAt>)>,
    pub(super) untimely: Vec<Untimely>,
    pub(super) seals: Vec<ProofGrade>,
    pub(super) faults: Vec<Fault>,
}

#[derive(Clone, Debug)]
pub(super) struct Newest {
    pub(super) origin: OriginLine,
    pub(super) tree: Tree,
    pub(super) entry: Seq,
    pub(super) covers: bool,
    pub(super) key: VerifierKey,
    pub(super) terms: Vec<Succession>,
    pub(super) trust: Trust,
    pub(super) strangers: Vec<String>,
}

#[derive(Clone, Debug)]
pub(super) enum Trust {
    /// None: there is no policy, so the key is only a claim of the file.
    Claimed,
    Known {
        witnesses: Vec<String>,
        /// The witnesses of the policy whose keys are of a kind that is not checked here (ML-DSA), so that they never count.
        unchecked: Vec<String>,
        quorum: QuorumStatus,
        asks: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ProofGrade {
    None,
    Extended,
    /// The newest checkpoint extends it, and it was signed under a name of the log that the reader's policy does not know.
    Unknown,
    Signed,
}

impl LogCheck {
    /// Checks everything in a bundle about the log. If the chain is broken, finding 1 reports the entries from there
    /// on.
    pub(super) fn of(bundle: &Bundle, entries: &[Entry], broken: Option<Seq>, policy: Option<&Policy>) -> Self {
        let named = TreeMentions::of(entries);
        let trees: Vec<_> = named.trees.iter().map(|naming| (*naming, ProofGrade::None)).collect();
        let faults = smaller(&named).into_iter().chain(contradicting(&named)).collect();
        let mut evidence = Self { faults, trees, ..Self::default() };
        let Some(logged) = &bundle.logged else {
            evidence.seals = named.covered.values().filter(|covered| covered.seal).map(|_| ProofGrade::None).collect();
            return evidence;
        };
        let places = EntryPlaces::of(entries, Some(logged));
        evidence.newest = match newest(bundle, logged, policy, &places) {
            Ok(newest) => Some(newest),
            Err(fault) => {
                evidence.faults.push(fault);
                None
            }
        };
        let shown = evidence.trees_of(logged, policy);
        for (naming, is) in &mut evidence.trees {
            let proven = shown.get(&naming.tree.size).filter(|(tree, _)| *tree == naming.tree);
            *is = proven.map_or(ProofGrade::None, |(_, shown)| *shown);
        }
        if let Some(policy) = policy {
            evidence.judge(logged, policy, &shown, &places);
        }
        evidence.two_roots(&shown);
        evidence.successions(logged, &shown);
        evidence.missing(logged, &named);
        let proven = evidence.places(bundle, logged, &named);
        evidence.signed_before_answered(logged, &named);
        evidence.signed_after_sent(&named, &places);
        if broken.is_none() {
            evidence.superfluous(logged, &named);
        }
        if broken.is_none_or(|broken| logged.entry < broken) {
            evidence.covered(bundle, logged, proven);
        }
        evidence
    }

    /// Checks that the newest checkpoint covers the entry that the bundle names. If it does not, the entries after the
    /// last seal proven to be in the log may be of another history: each entry names the one before it.
    fn covered(&mut self, bundle: &Bundle, logged: &LogEvidence, proven: Option<Seq>) {
        let Some(newest) = &mut self.newest else { return };
        let found = match line(bundle, logged.entry)
            .map(|line| logged.inclusion.check(logged.index, leaf_hash(line), &newest.tree))
        {
            Some(Ok(())) => {
                newest.covers = true;
                return;
            }
            Some(Err(why)) => why.to_string(),
            None => format!("{} entries", bundle.lines.len()),
        };
        let expected = format!("entry {} at position {} of {}", logged.entry, logged.index, tree_words(newest.tree));
        let entry = proven.and_then(Seq::next).unwrap_or(Seq(0)).min(logged.entry);
        let text = "from here on, the entries are not shown to be those that the log signed".to_owned();
        self.faults.push(Fault { rule: Rule::InTree, entry, text, expected, found });
    }

    fn trees_of(&mut self, logged: &LogEvidence, policy: Option<&Policy>) -> BTreeMap<TreeSize, (Tree, ProofGrade)> {
        let knows = |origin: &OriginLine| {
            policy.is_none_or(|policy| {
                let mut logs = policy.logs().iter().map(|log| log.key.name().as_str());
                policy.logs().is_empty() || logs.any(|name| name == origin.as_str())
            })
        };
        let mut proven = BTreeMap::new();
        let Some(newest) = &self.newest else { return proven };
        proven.insert(newest.tree.size, (newest.tree, ProofGrade::Signed));
        let mut faults = Vec::new();
        for named in &logged.trees {
            let size = named.tree.size;
            let by = self.trees.iter().find(|(naming, _)| naming.tree.size == size);
            let by = by.map_or(newest.entry, |(naming, _)| naming.entry);
            let mut wrong = |text: &str, expected: String, found: &dyn ToString| {
                let (text, found) = (text.to_owned(), found.to_string());
                faults.push(Fault { rule: Rule::Extends, entry: by, text, expected, found });
            };
            if let Err(why) = named.consistency.check(&named.tree, &newest.tree) {
                let text = "the newest checkpoint does not extend an earlier tree";
                wrong(text, format!("a proof from {size} entries to {}", newest.tree.size), &why);
                continue;
            }
            let shown = match named.checkpoint.as_ref().map(|note| open(note, logged)) {
                None => ProofGrade::Extended,
                Some(Ok((checkpoint, _))) if checkpoint.tree() == named.tree => {
                    if knows(checkpoint.origin()) {
                        ProofGrade::Signed
                    } else {
                        ProofGrade::Unknown
                    }
                }
                Some(Ok((checkpoint, _))) => {
                    let text = "the checkpoint that came along for an earlier tree is of another tree";
                    wrong(text, tree_words(named.tree), &tree_words(checkpoint.tree()));
                    continue;
                }
                Some(Err(why)) => {
                    wrong("an earlier checkpoint is not signed by the log", keys_words(logged), &why);
                    continue;
                }
            };
            proven.insert(size, (named.tree, shown));
        }
        self.faults.extend(faults);
        proven
    }

    fn two_roots(&mut self, proven: &BTreeMap<TreeSize, (Tree, ProofGrade)>) {
        for (named, _) in &self.trees {
            if let Some((tree, _)) = proven.get(&named.tree.size).filter(|(tree, _)| *tree != named.tree) {
                let text = if named.seen {
                    "the player had seen another history of the log"
                } else {
                    "the entry names a root that the log does not have at that size"
                };
                let (expected, found) = (tree_words(*tree), tree_words(named.tree));
                self.faults.push(Fault {
                    rule: Rule::OneRoot,
                    entry: named.entry,
                    text: text.to_owned(),
                    expected,
                    found,
                });
            }
        }
    }

    /// Finds lines that the entries call for and that the file leaves out: with them, it would show more, or something
    /// else. A tree is named after it was signed, so none under the newest checkpoint is larger than that.
    fn missing(&mut self, logged: &LogEvidence, named: &TreeMentions) {
        let Some(newest) = self.newest.as_ref().map(|newest| newest.tree.size) else { return };
        let mut faults = Vec::new();
        let mut missing = |rule, entry, text: &str, expected, found: String| {
            faults.push(Fault { rule, entry, text: text.to_owned(), expected, found });
        };
        for TreeMention { entry, tree, .. } in &named.trees {
            if tree.size > newest && *entry <= logged.entry {
                let text = "the entry names a larger tree than the one that covers it";
                missing(Rule::NotLarger, *entry, text, format!("at most {newest} entries"), tree.size.to_string());
            }
            if tree.size < newest && !logged.trees.iter().any(|line| line.tree.size == tree.size) {
                let expected = format!("the line of the tree of {} entries", tree.size);
                missing(
                    Rule::TreeLine,
                    *entry,
                    "the file leaves out a tree that the entry names",
                    expected,
                    "none".to_owned(),
                );
            }
        }
        let unsigned = |size| logged.trees.iter().any(|line| line.tree.size == size && line.checkpoint.is_none());
        for TreeMention { entry, tree, seen } in &named.trees {
            if !seen && tree.size < newest && unsigned(tree.size) {
                let expected = format!("the checkpoint of {} entries", tree.size);
                let text = "the file does not show that the log had signed a tree that the server names";
                missing(Rule::NamedUnsigned, *entry, text, expected, "none".to_owned());
            }
        }
        for (entry, CoveringTree { tree, .. }) in &named.covered {
            if tree.size <= newest && !logged.seals.iter().any(|place| place.entry == *entry) {
                let expected = format!("the line of its place in the tree of {} entries", tree.size);
                missing(
                    Rule::SealLine,
                    *entry,
                    "the file leaves out the place of an entry in the log",
                    expected,
                    "none".to_owned(),
                );
            }
        }
        self.faults.append(&mut faults);
    }

    fn places(&mut self, bundle: &Bundle, logged: &LogEvidence, named: &TreeMentions) -> Option<Seq> {
        let mut proven = None;
        for (&seal, CoveringTree { tree, seal: is_seal }) in &named.covered {
            let of_tree =
                self.trees.iter().find(|(naming, _)| naming.tree == *tree).map_or(ProofGrade::None, |(_, is)| *is);
            let place = logged.seals.iter().find(|place| place.entry == seal);
            let mut shown = ProofGrade::None;
            if let (Some(place), Some(line)) = (place, line(bundle, seal)) {
                let included = place.inclusion.check(place.index, leaf_hash(line), tree).map_err(|why| why.to_string());
                let other = format!("a place in the tree of {} entries", place.size);
                match if place.size == tree.size { included } else { Err(other) } {
                    Ok(()) => {
                        shown = of_tree;
                        proven = proven.max(Some(seal).filter(|_| shown != ProofGrade::None));
                    }
                    Err(why) => self.faults.push(Fault {
                        rule: Rule::SealInTree,
                        entry: seal,
                        text: "the tree that stood before the opening does not hold this entry".to_owned(),
                        expected: format!("entry {seal} at position {} of {}", place.index, tree_words(*tree)),
                        found: why,
                    }),
                }
            }
            if *is_seal {
                self.seals.push(shown);
            }
        }
        proven
    }

    fn superfluous(&mut self, logged: &LogEvidence, named: &TreeMentions) {
        let unused = logged.seals.iter().map(|place| place.entry).filter(|entry| !named.covered.contains_key(entry));
        let unused: Vec<Seq> = unused.collect();
        for seal in unused {
            self.faults.push(Fault {
                rule: Rule::SealLine,
                entry: seal,
                text: "a place in the log is given for an entry that is not to be shown".to_owned(),
                expected: "the places of seals that counted, and of what was answered with a signature".to_owned(),
                found: format!("entry {seal}"),
            });
        }
    }
}

fn line(bundle: &Bundle, entry: Seq) -> Option<&[u8]> {
    usize::try_from(entry.0).ok().and_then(|entry| bundle.lines.get(entry)).map(Vec::as_slice)
}

fn newest(
    bundle: &Bundle,
    logged: &LogEvidence,
    policy: Option<&Policy>,
    places: &EntryPlaces<'_>,
) -> Result<Newest, Fault> {
    let entry = logged.entry;
    let fault = |rule, text: &str, expected: String, found: &dyn ToString| Fault {
        rule,
        entry,
        text: text.to_owned(),
        expected,
        found: found.to_string(),
    };
    let first = logged.keys.first().map(|key| key.name().to_string()).unwrap_or_default();
    if first != bundle.origin.as_str() {
        return Err(fault(
            Rule::LogKeys,
            "the key that came along is of another log",
            bundle.origin.to_string(),
            &first,
        ));
    }
    for (key, term) in logged.keys.iter().zip(1..).skip(1) {
        let name = format!("{first}/{term}");
        if key.name().as_str() != name {
            return Err(fault(Rule::LogKeys, "the key that came along is of another log", name, key));
        }
    }
    let unsigned = "the newest checkpoint is not signed by the log";
    let (checkpoint, key) = open(&logged.checkpoint, logged)
        .map_err(|why| fault(Rule::CheckpointSigned, unsigned, keys_words(logged), &why))?;
    let terms = terms(logged).map_err(|why| fault(Rule::CheckpointSigned, unsigned, keys_words(logged), &why))?;
    if logged.keys.iter().skip(1).ne(terms.iter().map(|term| &term.key)) {
        let keys = terms.iter().map(|term| term.key.to_string()).collect::<Vec<_>>().join(" and ");
        let text = "the keys that came along are not those of the log\u{2019}s names";
        return Err(fault(Rule::LogKeys, text, format!("behind the first, {keys}"), &keys_words(logged)));
    }
    for (term, before) in terms.iter().zip(&logged.keys) {
        term.is_named_by(before).map_err(|why| fault(Rule::CheckpointSigned, unsigned, keys_words(logged), &why))?;
    }
    let (trust, known) = match policy {
        None => (Trust::Claimed, vec![key.clone()]),
        Some(policy) => judged(policy, &logged.checkpoint, &key, places).map_err(|why| {
            fault(Rule::KnownLog, "the policy does not accept the checkpoint", "a log that it knows".to_owned(), &why)
        })?,
    };
    let strangers = logged.checkpoint.signatures().iter();
    let strangers = strangers.filter(|line| !known.iter().any(|key| key.is_named_by(line)));
    let strangers = strangers.map(|line| line.name().to_string()).collect();
    Ok(Newest {
        origin: checkpoint.origin().clone(),
        tree: checkpoint.tree(),
        entry,
        covers: false,
        key,
        terms,
        trust,
        strangers,
    })
}

fn judged(
    policy: &Policy,
    note: &Note,
    key: &VerifierKey,
    places: &EntryPlaces<'_>,
) -> Result<(Trust, Vec<VerifierKey>), JudgeError> {
    let judgement = judgement(policy, note, key)?;
    let known = judgement.cosigned.iter().map(|cosigned| cosigned.witness.key.clone()).chain([key.clone()]).collect();
    let (timely, _) = timely(&judgement, places);
    let witnesses = timely.iter().map(|cosigned| cosigned.witness.name.to_string()).collect();
    let is_met = policy.is_met_by(|witness| timely.iter().any(|cosigned| cosigned.witness == witness));
    let quorum = if is_met { QuorumStatus::Witnessed } else { QuorumStatus::NotWitnessed };
    let unchecked = policy.witnesses().iter().filter(|witness| !witness.key.can_verify());
    let unchecked = unchecked.map(|witness| witness.name.to_string()).collect();
    Ok((Trust::Known { witnesses, unchecked, quorum, asks: !policy.asks_for_nobody() }, known))
}

pub(super) fn judgement<'p>(policy: &'p Policy, note: &Note, key: &VerifierKey) -> Result<Judgement<'p>, JudgeError> {
    // A policy without logs leaves the log's key to the reader.
    match policy.logs() {
        [] => policy.judge_as_of(note, [key]),
        _ => policy.judge(note),
    }
}

pub(super) fn open(note: &Note, logged: &LogEvidence) -> Result<(Checkpoint, VerifierKey), String> {
    let words = |error: OpenError| error.to_string();
    let origin = Checkpoint::read(note.text()).map_err(|error| words(error.into()))?.origin().clone();
    let named = |key: &&VerifierKey| key.name().as_str() == origin.as_str();
    let key = logged.keys.iter().find(named).or_else(|| logged.keys.last());
    let key = key.ok_or_else(|| words(OpenError::NotSigned(ledger::note::VerifyError::NoKnownKey)))?;
    let checkpoint = Checkpoint::open(note, &OriginLine::from(key.name()), [key]).map_err(words)?;
    prefix(&checkpoint, logged)?;
    Ok((checkpoint, key.clone()))
}

pub(super) fn terms(logged: &LogEvidence) -> Result<Vec<Succession>, String> {
    let newest = Checkpoint::read(logged.checkpoint.text()).map_err(|why| why.to_string())?;
    successions(&newest, logged.keys.first().map(|key| key.name().as_str()))
}

/// Finds entries that name a smaller tree than an earlier one: a log only grows.
fn smaller(named: &TreeMentions) -> Vec<Fault> {
    let own: Vec<&TreeMention> = named.trees.iter().filter(|naming| !naming.seen).collect();
    let pairs = own.windows(2).filter_map(|pair| match pair {
        [before, after] if after.tree.size < before.tree.size => Some(Fault {
            rule: Rule::NeverSmaller,
            entry: after.entry,
            text: "the log became smaller".to_owned(),
            expected: format!("a tree of at least {} entries", before.tree.size),
            found: format!("a tree of {} entries", after.tree.size),
        }),
        _ => None,
    });
    pairs.collect()
}

/// Finds entries that name different roots for one size: there cannot be two such trees in one log.
fn contradicting(named: &TreeMentions) -> Vec<Fault> {
    let mut roots = BTreeMap::from([(TreeSize(0), Tree::empty())]);
    let mut faults = Vec::new();
    for TreeMention { entry, tree, .. } in &named.trees {
        let first = *roots.entry(tree.size).or_insert(*tree);
        if first != *tree {
            faults.push(Fault {
                rule: Rule::OneRoot,
                entry: *entry,
                text: "two roots are named for one size of the log".to_owned(),
                expected: tree_words(first),
                found: tree_words(*tree),
            });
        }
    }
    faults
}

pub(super) fn tree_words(tree: Tree) -> String {
    format!("the tree of {} entries with root {}", tree.size, tree.root)
}

fn keys_words(logged: &LogEvidence) -> String {
    let keys: Vec<String> = logged.keys.iter().map(ToString::to_string).collect();
    format!("a signature of {}", keys.join(" or "))
}

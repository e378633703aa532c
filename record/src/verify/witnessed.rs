//! The witnesses of every tree that a match names, by the reader's policy, and the steps of a match that waits for them.

use std::collections::BTreeMap;

use ledger::policy::{Judgement, WitnessCosignature};
use ledger::{CosignedAt, Moment, Policy, Seq, Tree, TreeSize};

use super::finding::{Detail, count};
use super::log_check::{LogCheck, ProofGrade, judgement, open};
use crate::bundle::{EntryPlaces, LogEvidence};
use crate::clock::seconds;
use crate::history::{Fault, History};
use crate::rule::Rule;
use crate::wait::WaitRecord;

/// A cosignature whose time cannot be.
#[derive(Clone, Debug)]
pub(super) struct Untimely {
    pub(super) witness: String,
    pub(super) size: TreeSize,
    pub(super) at: CosignedAt,
    pub(super) newest: Option<Seq>,
}

type ProvenTrees = BTreeMap<TreeSize, (Tree, ProofGrade)>;

impl LogCheck {
    pub(super) fn judge(
        &mut self,
        logged: &LogEvidence,
        policy: &Policy,
        shown: &ProvenTrees,
        places: &EntryPlaces<'_>,
    ) {
        let Some(newest) = &self.newest else { return };
        let earlier = logged.trees.iter().filter_map(|named| Some((named.tree, named.checkpoint.as_ref()?)));
        let signed = |tree: &Tree| shown.get(&tree.size) == Some(&(*tree, ProofGrade::Signed));
        let earlier = earlier.filter(|(tree, _)| signed(tree));
        for (tree, note) in earlier.chain([(newest.tree, &logged.checkpoint)]) {
            let judged = open(note, logged)
                .and_then(|(_, key)| judgement(policy, note, &key).map_err(|error| error.to_string()));
            match judged {
                Ok(judged) => {
                    let (timely, untimely) = timely(&judged, places);
                    self.witnessed.insert(tree.size, (tree, policy.reached_at(&timely)));
                    self.untimely.extend(untimely);
                }
                Err(found) => {
                    let by = self.trees.iter().find(|(naming, _)| naming.tree.size == tree.size);
                    self.faults.push(Fault {
                        rule: Rule::KnownLog,
                        entry: by.map_or(newest.entry, |(naming, _)| naming.entry),
                        text: "the policy does not accept an earlier checkpoint".to_owned(),
                        expected: "a log that it knows, and true cosignatures".to_owned(),
                        found,
                    });
                }
            }
        }
    }

    /// Each cosignature that does not count, because of its time.
    pub(super) fn untimely(&self) -> impl Iterator<Item = Detail> {
        self.untimely.iter().map(|Untimely { witness, size, at, newest }| {
            let why = match newest {
                Some(entry) => format!("before entry {entry}, which that holds"),
                None => "which is no time".to_owned(),
            };
            let of = self.trees.iter().find(|(named, _)| named.tree.size == *size).map(|(named, _)| named.entry);
            let at = Moment::try_from(*at).map_or_else(|_| at.to_string(), |at| at.to_string());
            let text = format!(
                "the cosignature of {witness} on the tree of {size} entries does not count: its time is {at}, {why}"
            );
            Detail::note(Rule::Untimely, text, of, None)
        })
    }

    pub(super) fn reached_at(&self, tree: Tree) -> Option<CosignedAt> {
        self.witnessed.get(&tree.size).filter(|(known, _)| *known == tree).and_then(|(_, reached)| *reached)
    }

    fn shows(&self, wait: &WaitRecord) -> bool {
        self.reached_at(wait.tree).is_some_and(|reached| reached <= CosignedAt::from(wait.at))
    }
}

/// The cosignatures whose times can be, and the others: one of time 0, or from before an entry that its tree holds.
pub(super) fn timely<'p>(
    judged: &Judgement<'p>,
    places: &EntryPlaces<'_>,
) -> (Vec<WitnessCosignature<'p>>, Vec<Untimely>) {
    let size = judged.checkpoint.tree().size;
    let (mut timely, mut others) = (Vec::new(), Vec::new());
    for cosigned in &judged.cosigned {
        let later = places.later_than(size, cosigned.at.seconds()).map(|entry| entry.seq);
        if cosigned.at.seconds() > 0 && later.is_none() {
            timely.push(*cosigned);
        } else {
            let witness = cosigned.witness.name.to_string();
            others.push(Untimely { witness, size, at: cosigned.at, newest: later });
        }
    }
    (timely, others)
}

pub(super) struct Waits {
    pub(super) shown: bool,
    pub(super) summary: String,
    pub(super) details: Vec<Detail>,
}

impl Waits {
    pub(super) fn of(history: &History, evidence: &LogCheck, asks: bool) -> Self {
        let waits = &history.waits;
        let mut details = Vec::new();
        let mut say = |rule, wait: &WaitRecord, text: String| {
            let round = history.steps.iter().find(|step| step.entry == wait.entry).map(|step| step.row.round);
            details.push(Detail::note(rule, text, Some(wait.entry), round));
        };
        let passed: Vec<&WaitRecord> = waits.iter().filter(|wait| !wait.witnessed).collect();
        for wait in &passed {
            let text = format!(
                "{}: opened {} s after its seals, without enough witnesses, because the limit had passed",
                wait.decision,
                seconds(wait.waited())
            );
            say(Rule::LimitPassed, wait, text);
        }
        let unshown = |wait: &&WaitRecord| wait.witnessed && asks && !evidence.shows(wait);
        let unshown: Vec<&WaitRecord> = waits.iter().filter(unshown).collect();
        for wait in &unshown {
            let text = format!(
                "{}: that the policy\u{2019}s witnesses had cosigned its tree of {} entries by then is not shown",
                wait.decision, wait.tree.size
            );
            say(Rule::NotWitnessed, wait, text);
        }
        let all = count(waits.len(), "decision", "decisions");
        let summary = match (waits.is_empty(), passed.len(), unshown.len()) {
            (true, ..) => String::new(),
            (_, 0, 0) if asks => format!(" Before each opening, of {all}, those witnesses had cosigned its tree."),
            (_, 0, 0) => format!(" Before each opening, of {all}, its tree was witnessed, as the server says."),
            (_, passed @ 1.., _) => {
                format!(" Of {all}, {passed} opened without enough witnesses: the limit had passed.")
            }
            (_, _, unshown) => format!(" Of {all}, {unshown} opened without what shows the policy\u{2019}s witnesses."),
        };
        Self { shown: passed.is_empty() && unshown.is_empty(), summary, details }
    }
}

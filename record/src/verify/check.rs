//! A check in progress: first everything that is done once, then one finding after the other.

use ledger::{Entry, Hash, Policy, Seq, chain, leaf_hash};

use super::beacon_rounds::{BeaconCheck, RoundCheck};
use super::finding::{Finding, LogProof, Report, Status, Verdict};
use super::log_check::LogCheck;
use super::vouched::PlayerCheck;
use super::{cannot_show, complete, draws, in_time, interventions, logged, rules, sealed, signed};
use crate::body::Body;
use crate::bundle::Bundle;
use crate::fold::{Unopened, fold_opened};
use crate::history::{Fault, History, StepRecord};
use crate::known_player::KnownPlayer;
use crate::private_openings::Secrets;
use crate::rule::Rule;

/// A bundle that was read, chained and folded, so that each finding can be computed when it is wanted.
#[derive(Clone, Debug)]
pub struct Check {
    first: Finding,
    broken: Option<Seq>,
    history: Result<History, Unopened>,
    evidence: LogCheck,
    players: PlayerCheck,
    beacon: BeaconCheck,
    by_policy: bool,
}

impl Check {
    /// The number of findings; they are numbered from 1.
    pub const FINDINGS: u8 = 8;

    /// Checks the chain, folds the intact part, and compares it with the log's signed checkpoints. Without a policy,
    /// the log's key is the one that the bundle claims, and cosignatures are ignored.
    #[must_use]
    pub fn of(bundle: &Bundle, policy: Option<&Policy>) -> Self {
        let checked = chain::check(bundle.match_id, &bundle.lines, Some(bundle.head));
        let (entries, broken) = match checked {
            Ok(chain) => (chain.entries, None),
            Err(broken) => (intact(bundle, broken.entry), Some(broken)),
        };
        let leaves: Vec<Hash> = bundle.lines.iter().take(entries.len()).map(|line| leaf_hash(line)).collect();
        let mut first = complete::finding(bundle, entries.len(), broken.as_ref());
        let broken = broken.map(|broken| broken.entry);
        let bodies = Body::read_all(&entries);
        let mut history = fold_opened(&bundle.origin, &entries, bodies, &leaves, &bundle.texts, &Secrets::new());
        let (mut evidence, mut players) = (LogCheck::default(), PlayerCheck::none());
        let mut beacon = BeaconCheck::default();
        match &mut history {
            Ok(history) => {
                evidence = LogCheck::of(bundle, &entries, broken, policy);
                history.faults.append(&mut evidence.faults);
                players = PlayerCheck::of(bundle, history, evidence.newest.as_ref());
                history.faults.append(&mut players.faults);
                beacon = BeaconCheck::of(history, &evidence, policy);
                history.faults.extend(beacon.faults(history));
                if broken.is_none() {
                    history.faults.extend(left_open(history));
                }
                first = first.with_faults(history);
            }
            // Nothing is there to be wrong.
            Err(_) if broken == Some(Seq(0)) => {}
            Err(why) => first = complete::unopened(first, why),
        }
        Self { first, broken, history, evidence, players, beacon, by_policy: policy.is_some() }
    }

    /// The same check, with the seats compared with players whose keys the reader knows. It is apart from the rest because
    /// names are compared by large tables, which a browser does without.
    #[must_use]
    pub fn with_players(mut self, known: &[KnownPlayer]) -> Self {
        if let Ok(history) = &mut self.history {
            self.players.compare(history, known);
            history.faults.append(&mut self.players.faults);
        }
        self
    }

    /// The host's keys after the first, as the newest checkpoint names them.
    #[must_use]
    pub fn later_host_keys(&self) -> Vec<String> {
        self.evidence.newest.iter().flat_map(|newest| &newest.terms).map(|term| term.host.to_base64()).collect()
    }

    /// The same check by somebody who knows the host keys of the log's matches.
    #[must_use]
    pub fn with_host_keys(mut self, known: &[String]) -> Self {
        if let Ok(history) = &mut self.history
            && !known.contains(&history.opened.host_key)
        {
            let (expected, found) = (known.join(" or "), history.opened.host_key.clone());
            let text = "the host key is another one than that of the log".to_owned();
            history.faults.push(Fault { rule: Rule::HostKey, entry: Seq(0), text, expected, found });
        }
        self
    }

    /// The rounds of a beacon whose signatures are to be checked, by somebody who has the curve. None in a match without a
    /// beacon, and where the reader does not know its network.
    #[must_use]
    pub fn rounds(&self) -> Vec<RoundCheck> {
        self.history.as_ref().map(|history| self.beacon.checks(history)).unwrap_or_default()
    }

    /// Takes the results of these checks, in their order. A round without one counts as not checked.
    pub fn rounds_checked(&mut self, results: &[bool]) {
        if let Ok(history) = &mut self.history {
            let faults = self.beacon.checked(history, results);
            history.faults.extend(faults);
        }
    }

    /// The same check, with the signatures of the beacon's rounds checked by this function.
    #[must_use]
    pub fn with_rounds(mut self, is_signed: impl Fn(&RoundCheck) -> bool) -> Self {
        let results: Vec<bool> = self.rounds().iter().map(is_signed).collect();
        self.rounds_checked(&results);
        self
    }

    /// The match, if its opening could be read; entries from the first broken one on are not in it.
    #[must_use]
    pub fn history(&self) -> Option<&History> {
        self.history.as_ref().ok()
    }

    /// A finding by its number; none below 1 and above [`FINDINGS`](Self::FINDINGS).
    #[must_use]
    pub fn finding(&self, number: u8) -> Option<Finding> {
        let Ok(history) = &self.history else {
            let unread = || Finding::new(number, Status::NotShown, "The match could not be read this far.");
            return match number {
                1 => Some(self.first.clone()),
                2..=Self::FINDINGS => Some(unread()),
                _ => None,
            };
        };
        Some(match number {
            1 => self.first.clone(),
            2 => logged::finding(history, &self.evidence),
            3 => sealed::finding(history, &self.evidence, &self.players),
            4 => in_time::finding(history),
            5 => draws::finding(history, &self.beacon),
            6 => rules::finding(history),
            7 => interventions::finding(history),
            8 => cannot_show::finding(history, &self.players),
            _ => return None,
        })
    }

    /// All findings, and the verdict.
    #[must_use]
    pub fn report(&self) -> Report {
        let findings: Vec<Finding> = (1..=Self::FINDINGS).filter_map(|number| self.finding(number)).collect();
        Report { verdict: self.verdict(&findings), proof: self.log_proof(&findings), findings }
    }

    /// Whether these findings show that the match is in the log.
    #[must_use]
    pub fn log_proof(&self, findings: &[Finding]) -> LogProof {
        let status = findings.iter().find(|finding| finding.number == 2).map(|finding| finding.status);
        match (status, self.by_policy) {
            (Some(Status::Holds), _) | (Some(Status::Reported), false) => LogProof::Shown,
            (_, true) => LogProof::NotByPolicy,
            (_, false) => LogProof::NotShown,
        }
    }

    /// The verdict of these findings.
    #[must_use]
    pub fn verdict(&self, findings: &[Finding]) -> Verdict {
        let history = match &self.history {
            Ok(history) => history,
            Err(why) => {
                return match (why, self.broken) {
                    (Unopened::Fault(fault), _) => Verdict::Failed { entry: fault.entry, unaffected: 0 },
                    (Unopened::Unknown(_), Some(entry)) => Verdict::Failed { entry, unaffected: 0 },
                    (Unopened::Unknown(why), None) => Verdict::CannotCheck { why: why.clone() },
                };
            }
        };
        let failed = || findings.iter().filter(|finding| finding.status == Status::Failed);
        if failed().next().is_some() {
            let wrong = failed().flat_map(|finding| &finding.details).filter(|detail| detail.wrong);
            let entry = wrong.filter_map(|detail| detail.entry).chain(self.broken).min().unwrap_or(Seq(0));
            return Verdict::Failed { entry, unaffected: unaffected(history, entry) };
        }
        if history.origin.is_practice() {
            return Verdict::Practice;
        }
        match history.closed_at {
            Some(step) => Verdict::NotYet { step },
            None => Verdict::Verified {
                grade: signed::grade(history, &self.players),
                draws: draws::grade(findings),
                interventions: history.interventions(),
                ended: history.is_ended(),
                declared: history.ruleset().declaration().is_some(),
            },
        }
    }
}

/// The faults of a whole chain that left something open: texts without a commitment, and seals that count and were not
/// opened at its end.
fn left_open(history: &History) -> Vec<Fault> {
    let stray = history.stray_texts.iter().map(|commitment| Fault {
        rule: Rule::StrayText,
        entry: Seq(0),
        text: "a text came along that no entry commits to".to_owned(),
        expected: "a commitment in an entry".to_owned(),
        found: commitment.to_string(),
    });
    let closed = history.ended.zip(history.closed_at).map(|((entry, _), step)| Fault {
        rule: Rule::AllOpen,
        entry,
        text: "at the end every seal that counts is opened".to_owned(),
        expected: format!("the openings of step {step}"),
        found: "a value that is still sealed".to_owned(),
    });
    stray.chain(closed).chain(draws::left_open(history)).collect()
}

fn intact(bundle: &Bundle, broken: Seq) -> Vec<Entry> {
    let before = bundle.lines.iter().take(usize::try_from(broken.0).unwrap_or(usize::MAX));
    before.map_while(|line| Entry::read(line).ok()).collect()
}

/// The last complete round before an entry. For a step that cannot be replayed yet, only its line gives the round.
fn unaffected(history: &History, entry: Seq) -> u32 {
    let before = history.steps.iter().filter(|step| step.entry < entry);
    let round = |step: &StepRecord| match &step.after {
        Some(_) => Some(step.row.round),
        None => step.public.split_once(". ")?.0.parse().ok(),
    };
    before.filter_map(round).max().unwrap_or(0)
}

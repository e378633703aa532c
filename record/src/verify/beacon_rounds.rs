//! The rounds of the beacon behind the host's draws, for finding 5: whether anybody could have known one when it was
//! named. A reader who does not know the network, or cannot check its signatures, learns nothing from it.

use ledger::{CosignedAt, Network, Policy, Round, RoundSignature};

use super::finding::{Detail, count};
use super::log_check::LogCheck;
use crate::beacon_round::RoundRecord;
use crate::history::{Fault, History};
use crate::rule::Rule;
use crate::seed::DrawRecord;

/// A round whose signature is to be checked, by somebody who has the curve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundCheck {
    /// The network, as the reader knows it.
    pub network: Network,
    /// The round.
    pub round: Round,
    /// The signature in the record.
    pub signature: RoundSignature,
}

#[derive(Clone, Debug, Default)]
pub(super) struct BeaconCheck {
    pub(super) network: Option<Network>,
    rounds: Vec<RoundState>,
}

#[derive(Clone, Copy, Debug, Default)]
struct RoundState {
    /// The signature is true; none where nobody checked it.
    signed: Option<bool>,
    /// A quorum of the reader's witnesses had seen its naming a second before its time.
    witnessed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RoundGrade {
    Host,
    /// The reader does not know the beacon, or did not check its signature: whoever wrote it could have chosen it.
    Unknown,
    /// That the round was named before its time rests on the host's word.
    Word,
    /// Nobody could know the round when it was named.
    Shown,
}

impl BeaconCheck {
    /// `policy` may know networks that are not in the verifier's own list.
    pub(super) fn of(history: &History, evidence: &LogCheck, policy: Option<&Policy>) -> Self {
        let Some(hash) = history.beacon() else { return Self::default() };
        let listed = Some(Network::quicknet()).filter(|quicknet| quicknet.hash == hash);
        let network = listed.or_else(|| policy?.network(&hash).cloned());
        let rounds = history.rounds.iter().map(|round| RoundState {
            signed: None,
            witnessed: network.as_ref().is_some_and(|network| {
                let reached = round.signed.as_ref().and_then(|signed| evidence.reached_at(signed.tree));
                reached.is_some_and(|reached| is_before(reached, network.second_of(round.round)))
            }),
        });
        Self { rounds: rounds.collect(), network }
    }

    pub(super) fn checks(&self, history: &History) -> Vec<RoundCheck> {
        let Some(network) = &self.network else { return Vec::new() };
        let signed = history.rounds.iter().filter_map(|round| Some((round.round, round.signed.as_ref()?.signature)));
        signed.map(|(round, signature)| RoundCheck { network: network.clone(), round, signature }).collect()
    }

    /// Takes the results, in the order of [`checks`](Self::checks), and returns the false ones as faults.
    pub(super) fn checked(&mut self, history: &History, results: &[bool]) -> Vec<Fault> {
        let mut results = results.iter().copied();
        let mut faults = Vec::new();
        for (round, state) in history.rounds.iter().zip(&mut self.rounds) {
            let (Some(signed), Some(network)) = (&round.signed, &self.network) else { continue };
            state.signed = results.next();
            if state.signed == Some(false) {
                faults.push(Fault {
                    rule: Rule::RoundSigned,
                    entry: signed.entry,
                    text: format!("the signature of round {} is not the beacon\u{2019}s", round.round),
                    expected: format!("a signature by the key of {}", network.name),
                    found: signed.signature.to_string(),
                });
            }
        }
        faults
    }

    pub(super) fn faults(&self, history: &History) -> Vec<Fault> {
        let Some(network) = &self.network else { return Vec::new() };
        let mut faults = Vec::new();
        for round in &history.rounds {
            let time = network.time_of(round.round);
            let mut wrong = |entry, text: &str, expected: String, found: &dyn ToString| {
                let (text, found) = (text.to_owned(), found.to_string());
                faults.push(Fault { rule: Rule::RoundTime, entry, text, expected, found });
            };
            if round.at >= time {
                wrong(round.entry, "a round is named before its time", format!("an entry before {time}"), &round.at);
            }
            if let Some(signed) = round.signed.as_ref().filter(|signed| signed.at < time) {
                let text = "nobody has a signature before the time of its round";
                wrong(signed.entry, text, format!("an entry from {time} on"), &signed.at);
            }
        }
        faults
    }

    pub(super) fn grade(&self, history: &History, draw: &DrawRecord) -> RoundGrade {
        let found = history.rounds.iter().zip(&self.rounds).find(|(round, _)| round.indexes.contains(&draw.index));
        match found {
            Some((round, _)) if round.waived.is_some() => RoundGrade::Host,
            Some((_, state)) if state.signed == Some(true) => {
                if state.witnessed && draw.disturbed.is_none() {
                    RoundGrade::Shown
                } else {
                    RoundGrade::Word
                }
            }
            _ => RoundGrade::Unknown,
        }
    }

    pub(super) fn summary(&self, history: &History) -> String {
        let grades: Vec<RoundGrade> = history.draws.iter().map(|draw| self.grade(history, draw)).collect();
        let of = |grade: RoundGrade| grades.iter().filter(|other| **other == grade).count();
        let name = self.network.as_ref().map_or("", |network| &network.name);
        let mut words = String::new();
        match of(RoundGrade::Shown) {
            0 => {}
            all if all == grades.len() => words.push_str(&format!(
                " Each waited for a round of the beacon {name} that was named before anybody could know it, as the policy\u{2019}s witnesses saw. So nobody could choose, whoever made the shares."
            )),
            some => words.push_str(&format!(
                " {} waited for a round of the beacon {name} that was named before anybody could know it.",
                count(some, "of them", "of them")
            )),
        }
        match of(RoundGrade::Word) {
            0 => {}
            some => words.push_str(&format!(
                " For {}, only the host says when the round was named: nothing here shows that nobody knew it before.",
                count(some, "draw", "draws")
            )),
        }
        match of(RoundGrade::Unknown) {
            0 => {}
            some => words.push_str(&format!(
                " For {}, the beacon counts as none here, so the host could have chosen: its network is not known, or its signature was not checked.",
                count(some, "draw", "draws")
            )),
        }
        match of(RoundGrade::Host) {
            0 => {}
            some => words.push_str(&format!(
                " {} by the host, without the round, after a ruling.",
                count(some, "draw was made", "draws were made")
            )),
        }
        words
    }

    pub(super) fn is_steerable(&self, history: &History) -> bool {
        history.draws.iter().any(|draw| self.grade(history, draw) != RoundGrade::Shown)
    }

    pub(super) fn details(&self, history: &History) -> Vec<Detail> {
        let mut details = Vec::new();
        let unknown = self.network.is_none() || self.rounds.iter().zip(&history.rounds).any(is_unchecked);
        if unknown {
            let text = match &self.network {
                None => "the beacon of this match is not known here, so it counts as none: a policy can name it",
                Some(_) => "the signatures of the beacon\u{2019}s rounds were not checked here, so it counts as none",
            };
            details.push(Detail::note(Rule::UnknownBeacon, text, Some(ledger::Seq(0)), None));
        }
        for (round, state) in history.rounds.iter().zip(&self.rounds) {
            if let Some(ruling) = round.waived {
                let text = format!("draws {} are made without round {}", numbers(round), round.round);
                details.push(Detail::note(Rule::WithoutRound, text, Some(ruling), None));
                continue;
            }
            let what = format!("round {} for the draws {}", round.round, numbers(round));
            let text = match (round.signed.is_some(), state.witnessed, &self.network) {
                (false, ..) => format!("{what}: not there yet"),
                (true, true, _) => format!("{what}: enough witnesses had seen its naming a second before its time"),
                (true, false, Some(_)) => {
                    format!("{what}: only the host says that it was named before its time")
                }
                (true, false, None) => format!("{what}: its time is not known here"),
            };
            details.push(Detail::note(Rule::RoundShown, text, Some(round.entry), None));
        }
        for draw in history.draws.iter().filter(|draw| draw.disturbed.is_some()) {
            let by = draw.disturbed.map(|entry| entry.to_string()).unwrap_or_default();
            let text = format!(
                "between the naming of its round and draw {}, entry {by} changed the match: who knew the round could have chosen that",
                draw.index
            );
            details.push(Detail::note(Rule::RoundShown, text, Some(draw.entry), None));
        }
        details
    }
}

fn is_unchecked((state, round): (&RoundState, &RoundRecord)) -> bool {
    round.signed.is_some() && state.signed.is_none()
}

/// A cosignature's second, and one more because witnesses count whole ones, is not after the round's.
fn is_before(reached: CosignedAt, second: u64) -> bool {
    reached.seconds().saturating_add(1) <= second
}

fn numbers(round: &RoundRecord) -> String {
    round.indexes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

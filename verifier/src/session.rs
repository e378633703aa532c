//! One bundle, from its bytes to the verdict.

use engine::Seat;
use ledger::Policy;
use record::verify::{Check, Finding, RoundCheck};
use record::words::result_sentence;
use record::{Bundle, History};

use crate::message::{MatchView, Message};
use crate::moment::MomentView;

/// A bundle that is being checked: one message after the other, and then any moment of the match.
#[derive(Debug)]
pub struct Session {
    bundle: Result<(Bundle, Check), String>,
    findings: Vec<Finding>,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Match,
    Finding(u8),
    Round(usize),
    Verdict,
    Done,
}

/// The finding that uses the replayed rounds, which are therefore sent before it.
const RULES: u8 = 6;

impl Session {
    /// Reads a bundle, checks its chain and replays it. Without a policy, `policy` is empty.
    #[must_use]
    pub fn start(bundle: &[u8], policy: &[u8]) -> Self {
        Self { bundle: checked(bundle, policy), findings: Vec::new(), stage: Stage::Match }
    }

    /// The rounds of a beacon whose signatures somebody with the curve checks, before the first message.
    #[must_use]
    pub fn rounds(&self) -> Vec<RoundCheck> {
        self.bundle.as_ref().map(|(_, check)| check.rounds()).unwrap_or_default()
    }

    /// Takes the results of these checks, in their order.
    pub fn rounds_checked(&mut self, results: &[bool]) {
        if let Ok((_, check)) = &mut self.bundle {
            check.rounds_checked(results);
        }
    }

    /// A moment of the match, by its row in the score sheet from 0; none if there is no such row.
    #[must_use]
    pub fn moment(&self, row: usize) -> Option<Message> {
        let (_, check) = self.bundle.as_ref().ok()?;
        MomentView::of(check.history()?, row).map(|moment| Message::Moment(Box::new(moment)))
    }

    fn round(check: &Check, row: usize) -> Option<Message> {
        let rows = check.history()?.rows();
        let found = rows.get(row)?;
        let replayed = found.after().is_some();
        Some(Message::Round { row, label: found.label.clone(), replayed })
    }
}

fn checked(bundle: &[u8], policy: &[u8]) -> Result<(Bundle, Check), String> {
    let policy = match policy {
        [] => None,
        _ => Some(Policy::read(policy).map_err(|error| format!("the policy cannot be read: {error}"))?),
    };
    let bundle = Bundle::read(bundle).map_err(|error| format!("this is no bundle: {error}"))?;
    let check = Check::of(&bundle, policy.as_ref());
    Ok((bundle, check))
}

impl Iterator for Session {
    type Item = Message;

    fn next(&mut self) -> Option<Message> {
        let (bundle, check) = match &self.bundle {
            Ok(both) => both,
            Err(why) if self.stage == Stage::Match => {
                self.stage = Stage::Done;
                return Some(Message::Unreadable { why: why.clone() });
            }
            Err(_) => return None,
        };
        match self.stage {
            Stage::Match => {
                self.stage = Stage::Finding(1);
                Some(Message::Match(Box::new(MatchView::of(bundle, check.history()))))
            }
            Stage::Finding(number) => {
                let finding = check.finding(number)?;
                self.stage = match number {
                    Check::FINDINGS.. => Stage::Verdict,
                    _ if number + 1 == RULES => Stage::Round(0),
                    _ => Stage::Finding(number + 1),
                };
                let message = Message::Finding((&finding).into());
                self.findings.push(finding);
                Some(message)
            }
            Stage::Round(row) => match Self::round(check, row) {
                Some(round) => {
                    self.stage = Stage::Round(row + 1);
                    Some(round)
                }
                None => {
                    self.stage = Stage::Finding(RULES);
                    self.next()
                }
            },
            Stage::Verdict => {
                self.stage = Stage::Done;
                let (verdict, proof) = (check.verdict(&self.findings), check.log_proof(&self.findings));
                Some(Message::verdict(&verdict, proof, check.history()))
            }
            Stage::Done => None,
        }
    }
}

impl MatchView {
    fn of(bundle: &Bundle, history: Option<&History>) -> Self {
        Self {
            origin: bundle.origin.to_string(),
            match_id: bundle.match_id.to_string(),
            entries: bundle.lines.len(),
            head: bundle.head.leaf.to_string(),
            names: history
                .map(|history| Seat::BOTH.map(|seat| history.name(seat).to_owned()).into())
                .unwrap_or_default(),
            ruleset: history.map(|history| history.opened.ruleset.clone()).unwrap_or_default(),
            event: history.and_then(|history| Some(history.event.as_ref()?.or("withdrawn").to_owned())),
            result: history.map(result).unwrap_or_default(),
            rows: history.map(|history| history.rows().len()).unwrap_or_default(),
            ended: history.is_some_and(History::is_ended),
        }
    }
}

fn result(history: &History) -> String {
    result_sentence(history.outcome(), history.both_names())
}

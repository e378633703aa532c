//! What the program says that it did, decision by decision, held against the model in `model/`.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};
use model::{Limits, Protocol, Step};
use serde_json::Value;

/// What happened to one decision so far.
#[derive(Default)]
struct Decision {
    steps: Vec<Step>,
    /// The seats' submissions by number, in the order in which they came.
    moves: Vec<(String, u64)>,
    acknowledged: BTreeSet<u8>,
    /// Those that are stored by this process and not acknowledged; true once they are in the journal.
    in_flight: BTreeMap<u8, bool>,
    closed: bool,
    kept: bool,
    /// The size of the tree that has its seals.
    entered: Option<u64>,
    /// The last step of signing that tree.
    signing: Option<String>,
    published: bool,
    opened: bool,
    /// The database forgets its rows at the next start.
    forgets: bool,
    /// The place among the steps behind which the database forgot nothing more.
    since: usize,
    /// It was opened, and its append was never said.
    entered_unsaid: bool,
}

impl Decision {
    /// A decision of which the database has nothing yet: it may fall back to that.
    fn begun() -> Self {
        Self { steps: vec![Step::Backup], ..Self::default() }
    }

    /// Adds what a line of the program's log says. A repetition changes nothing, and adds nothing.
    fn add(&mut self, event: &Value) -> Result<()> {
        let step = event["step"].as_str().context("a step")?;
        match step {
            "store" | "keep" | "acknowledge" => self.submission(step, event)?,
            "close" if !self.closed => {
                self.closed = true;
                self.steps.push(Step::Close(0));
            }
            "keep-close" if !self.kept => {
                self.kept = true;
                self.steps.push(Step::KeepClose(0));
            }
            "enter" => {
                self.entered = Some(event["size"].as_u64().context("a size")?);
                self.steps.push(Step::Enter(0));
            }
            "open" if self.entered.is_some() => {
                self.opened = true;
                self.steps.push(Step::Open(0));
            }
            "open" => self.entered_unsaid = true,
            _ => {}
        }
        Ok(())
    }

    fn submission(&mut self, step: &str, event: &Value) -> Result<()> {
        let seat = event["seat"].as_str().context("a seat")?.to_owned();
        let sent = (seat, event["ordinal"].as_u64().context("a number")?);
        let number = self.moves.iter().position(|one| *one == sent).unwrap_or_else(|| {
            self.moves.push(sent);
            self.moves.len() - 1
        });
        let number = u8::try_from(number)?;
        match step {
            _ if self.acknowledged.contains(&number) => {}
            // Sent again behind the opening, it is found as it was, and stored in no second place.
            "store" | "keep" if self.opened && self.steps.contains(&Step::Store(0, number)) => {}
            "store" if !self.in_flight.contains_key(&number) => {
                self.in_flight.insert(number, false);
                self.store(number);
            }
            "keep" if self.in_flight.insert(number, true) != Some(true) => self.steps.push(Step::Keep(0, number)),
            // The program was killed before it said that this is stored. It is in a signed tree since: nothing can lose it.
            "acknowledge" if self.opened && !self.steps.contains(&Step::Store(0, number)) => {}
            "acknowledge" => {
                // A process that was started since found it in both places, and says nothing of that.
                if !self.in_flight.contains_key(&number) && self.steps.contains(&Step::Keep(0, number)) && !self.opened
                {
                    self.steps.extend([Step::Store(0, number), Step::Keep(0, number)]);
                }
                self.acknowledged.insert(number);
                self.in_flight.remove(&number);
                self.steps.push(Step::Acknowledge(0, number));
            }
            _ => {}
        }
        Ok(())
    }

    /// A row that is found behind the close was there before it, and whoever stored it did not come to say so. It is found
    /// again if the process forgot it since.
    fn store(&mut self, number: u8) {
        let stored = Step::Store(0, number);
        let remembered = &self.steps[self.since..];
        let close = remembered.iter().position(|step| *step == Step::Close(0)).map(|close| self.since + close);
        if let Some(close) = close.filter(|_| !remembered.contains(&stored)) {
            self.steps.insert(close, stored);
            let forgets = |step: &Step| matches!(step, Step::Crash(_) | Step::PutBack(_));
            if !self.steps[close..].iter().any(forgets) {
                return;
            }
        }
        self.steps.push(stored);
    }

    /// Adds a step of signing, if it is of the first tree that has the seals.
    fn sign(&mut self, step: &str, size: u64) {
        if self.published || self.entered.is_none_or(|entered| size < entered) {
            return;
        }
        match (step, self.signing.as_deref()) {
            // An attempt that came to nothing begins again.
            ("compare", Some("compare")) => self.steps.extend([Step::RefuseFile(0), Step::Compare(0)]),
            ("compare", None) => self.steps.push(Step::Compare(0)),
            ("file", Some("compare")) => self.steps.push(Step::File(0)),
            // It was read in the database: the answer to its statement was lost.
            ("head" | "found", Some("file")) => self.steps.push(Step::Head(0)),
            ("publish", Some("head" | "found") | None) => {
                self.published = true;
                self.steps.push(Step::Publish(0));
            }
            _ => return,
        }
        self.signing = Some(step.to_owned());
    }

    /// The database forgets every row of a decision that has not entered, and its close. The process was killed before.
    fn forget(&mut self) {
        self.forgets = self.entered.is_none();
    }

    fn crash(&mut self) {
        self.in_flight.clear();
        self.signing = None;
        self.steps.push(Step::Crash(0));
        if std::mem::take(&mut self.forgets) {
            (self.closed, self.kept) = (false, false);
            self.steps.extend([Step::Lose, Step::Backup]);
            self.since = self.steps.len();
        }
        self.steps.push(Step::Start(0));
    }

    fn put_back(&mut self) {
        self.in_flight.retain(|_, kept| *kept);
        self.steps.push(Step::PutBack(0));
    }
}

/// Holds every decision of a program's log against the model, and gives the number of those that were played to their end.
/// Each start but the first is behind a kill.
pub(super) fn check(log: &str) -> Result<usize> {
    let mut decisions: BTreeMap<(String, String), Decision> = BTreeMap::new();
    let mut started = false;
    // The steps of the last signing: it may have begun before an append says that it is done.
    let mut signing: Vec<(String, u64)> = Vec::new();
    for line in log.lines() {
        let Ok(event) = serde_json::from_str::<Value>(line) else { continue };
        let (Some(step), size) = (event["step"].as_str(), event["size"].as_u64().unwrap_or_default()) else { continue };
        let open = decisions.values_mut().filter(|decision| !decision.opened);
        match (step, event["match_id"].as_str(), event["decision"].as_str()) {
            ("start", ..) if !std::mem::replace(&mut started, true) => {}
            ("start", ..) => {
                signing.clear();
                open.for_each(Decision::crash);
            }
            ("put-back", ..) => open.for_each(Decision::put_back),
            ("forget", ..) => open.for_each(Decision::forget),
            (_, Some(match_id), Some(decision)) => {
                let decision =
                    decisions.entry((match_id.to_owned(), decision.to_owned())).or_insert_with(Decision::begun);
                decision.add(&event)?;
                if step == "enter" {
                    signing.iter().for_each(|(step, size)| decision.sign(step, *size));
                }
            }
            (..) => {
                if step == "compare" {
                    signing.clear();
                }
                signing.push((step.to_owned(), size));
                open.for_each(|decision| decision.sign(step, size));
            }
        }
    }
    // What had entered was spared, and if its append was not said, the steps have a loss that there was not.
    decisions.retain(|_, decision| !(decision.entered_unsaid && decision.steps.contains(&Step::Lose)));
    for ((match_id, name), decision) in &decisions {
        let moves = u8::try_from(decision.moves.len())?;
        let protocol = Protocol {
            nodes: 1,
            moves,
            one_disk: true,
            limits: Limits::default(),
            early: false,
            opens: true,
            races: false,
            flaw: None,
        };
        let replayed = protocol.replay(&decision.steps);
        ensure!(replayed.is_ok(), "{match_id}, {name}: {replayed:?} in {:?}", decision.steps);
    }
    Ok(decisions.values().filter(|decision| decision.opened).count())
}

/// Lines of a program's log, of one decision.
#[cfg(test)]
fn lines(steps: &[&str]) -> Vec<String> {
    let line = |step: &&str| {
        let (step, seat) = step.split_once(' ').unwrap_or((step, ""));
        match step {
            "start" | "put-back" | "forget" => format!("{{\"step\":\"{step}\"}}"),
            "compare" | "file" | "head" | "publish" => format!("{{\"step\":\"{step}\",\"size\":9}}"),
            _ => format!(
                "{{\"step\":\"{step}\",\"match_id\":\"m\",\"decision\":\"d1\",\"seat\":\"{seat}\",\"ordinal\":0,\"size\":9}}"
            ),
        }
    };
    steps.iter().map(line).collect()
}

/// From the seals to the opening.
#[cfg(test)]
const SEALED: [&str; 6] = ["enter", "compare", "file", "head", "publish", "open"];

#[test]
fn what_is_sent_again_behind_its_opening_is_acknowledged_as_it_was() -> Result<()> {
    let before = ["start", "put-back", "store p1", "keep p1", "acknowledge p1", "store p2", "close", "keep-close"];
    // Its first answer was cut off. The second time it is found, and an answer is cut off again, before or behind the journal.
    for again in [&["store p2"][..], &["store p2", "keep p2"], &[]] {
        let trace = lines(&[&before[..], &SEALED, again, &["acknowledge p2"]].concat());
        assert_eq!(check(&trace.join("\n"))?, 1);
    }
    // A close counts what is stored, so none of it is stored first by an opening.
    let trace = lines(&[&before[..6], &SEALED, &["store p2", "acknowledge p2"]].concat());
    ensure!(check(&trace.join("\n")).is_err(), "it was never closed");
    Ok(())
}

#[test]
fn a_log_with_a_loss_is_held_against_the_model() -> Result<()> {
    let before = ["start", "put-back", "store p1", "keep p1", "acknowledge p1", "store p2", "close", "keep-close"];
    let killed = ["forget", "start", "put-back"];
    let again = ["close", "keep-close"];
    // What p2 sent was in the database alone: it is lost, and nobody has a receipt for it.
    let trace = lines(&[&before[..], &killed, &again, &SEALED].concat());
    assert_eq!(check(&trace.join("\n"))?, 1);
    // What p1 sent comes back. The decision is open again, and what p2 sends again is stored again.
    let sent = ["store p2", "keep p2", "acknowledge p2"];
    let trace = lines(&[&before[..6], &killed, &sent, &again, &SEALED].concat());
    assert_eq!(check(&trace.join("\n"))?, 1);
    // It is forgotten twice.
    let trace = lines(&[&before[..6], &killed, &sent[..2], &killed, &["acknowledge p2"], &again, &SEALED].concat());
    assert_eq!(check(&trace.join("\n"))?, 1);
    for wrong in [
        // Work before the database was compared.
        [&before[..6], &["forget", "start"], &sent, &["put-back"], &again, &SEALED].concat(),
        // A receipt for what was forgotten, and a line of it.
        [&before[..6], &killed, &sent[2..], &again, &SEALED].concat(),
        [&before[..6], &killed, &sent[1..], &again, &SEALED].concat(),
    ] {
        ensure!(check(&lines(&wrong).join("\n")).is_err(), "{wrong:?}");
    }
    Ok(())
}

#[test]
fn a_log_with_a_wrong_order_is_refused() -> Result<()> {
    let sent = ["start", "put-back", "store p1", "keep p1", "acknowledge p1", "close", "keep-close"];
    let lines = lines(&[&sent[..], &SEALED].concat());
    assert_eq!(check(&lines.join("\n"))?, 1);
    // Each of these steps waits for the one before.
    for n in 3..lines.len() {
        let mut swapped = lines.clone();
        swapped.swap(n - 1, n);
        // The close may come before the receipt was sent, and a signing may begin before the append says that it is done.
        let may = lines[n].contains("\"close\"") || lines[n].contains("\"compare\"");
        ensure!(may || check(&swapped.join("\n")).is_err(), "{} is before {}", swapped[n - 1], swapped[n]);
    }
    Ok(())
}

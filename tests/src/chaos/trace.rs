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
    /// The database forgot something meanwhile, which the model knows in another way.
    forgotten: bool,
}

impl Decision {
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
            "store" if !self.in_flight.contains_key(&number) => {
                self.in_flight.insert(number, false);
                self.store(number);
            }
            "keep" if self.in_flight.insert(number, true) != Some(true) => self.steps.push(Step::Keep(0, number)),
            // The program was killed before it said that this is stored. It is in a signed tree since: nothing can lose it.
            "acknowledge" if self.opened && !self.steps.contains(&Step::Store(0, number)) => {}
            "acknowledge" => {
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
        let close = self.steps.iter().position(|step| *step == Step::Close(0));
        if let Some(close) = close.filter(|_| !self.steps.contains(&stored)) {
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

    fn crash(&mut self) {
        self.in_flight.clear();
        self.signing = None;
        self.steps.extend([Step::Crash(0), Step::Start(0)]);
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
            ("forget", ..) => open.for_each(|decision| decision.forgotten = true),
            (_, Some(match_id), Some(decision)) => {
                let decision = decisions.entry((match_id.to_owned(), decision.to_owned())).or_default();
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
    decisions.retain(|_, decision| !decision.forgotten);
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

#[test]
fn a_log_with_a_wrong_order_is_refused() -> Result<()> {
    let of = |step: &str, more: &str| format!("{{\"step\":\"{step}\",\"match_id\":\"m\",\"decision\":\"d1\"{more}}}");
    let sent = ",\"seat\":\"p1\",\"ordinal\":0";
    let signed = |step: &str| format!("{{\"step\":\"{step}\",\"size\":9}}");
    let mut lines = vec!["{\"step\":\"start\"}".to_owned(), "{\"step\":\"put-back\"}".to_owned()];
    lines.extend(["store", "keep", "acknowledge"].map(|step| of(step, sent)));
    lines.extend(["close", "keep-close"].map(|step| of(step, ",\"size\":0")));
    lines.push(of("enter", ",\"size\":9"));
    lines.extend(["compare", "file", "head", "publish"].map(signed));
    lines.push(of("open", ",\"size\":10"));
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

//! Plays a case in a ruleset, and checks its expectations.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use engine::dmn::Replay;
use engine::{Ask, Closes, Duel, Effect, Outcome, Party, PlayedStep, Seat, Sight, To, Word};
use serde_json::Value;

use super::case::{self, Case, CaseLine};
use super::claim::Claim;
use super::wording;

/// A case that was played in all of its rulesets.
pub(crate) struct Run {
    pub(crate) case: Case,
    /// For each ruleset, true if everything held.
    pub(crate) passed: BTreeMap<String, bool>,
    /// File, line, expected, found.
    pub(crate) failures: Vec<String>,
    pub(crate) met: CaseCoverage,
}

/// The things that a case met, each with its ruleset.
#[derive(Default)]
pub(crate) struct CaseCoverage {
    /// The clauses that refused something.
    pub(crate) refusing: BTreeSet<(String, String)>,
    /// The questions that were open.
    pub(crate) asked: BTreeSet<(String, Word)>,
    /// Those of them that accept `-` as an answer.
    pub(crate) with_default: BTreeSet<(String, Word)>,
    /// The questions that were answered with `-`.
    pub(crate) defaulted: BTreeSet<(String, Word)>,
    /// Status, winner, reason.
    pub(crate) ended: BTreeSet<(String, String)>,
}

/// Every case, played once for all tests.
pub(crate) fn all() -> &'static [Run] {
    static ALL: OnceLock<Vec<Run>> = OnceLock::new();
    ALL.get_or_init(|| case::all().into_iter().map(run).collect())
}

fn run(case: Case) -> Run {
    let (mut passed, mut failures, mut met) = (BTreeMap::new(), Vec::new(), CaseCoverage::default());
    for ruleset in &case.holds {
        let text = case.text_in(ruleset);
        let before = failures.len();
        CasePlay::of(&case, ruleset, &text, &mut failures, &mut met).all();
        passed.insert(ruleset.clone(), failures.len() == before);
    }
    Run { case, passed, failures, met }
}

/// The state of a match, in the words of the cases.
pub(crate) fn result(outcome: Outcome) -> String {
    let winner = outcome.winner().map_or("", Seat::word);
    [outcome.status(), winner, outcome.reason()]
        .into_iter()
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// A question in the words of the cases, such as `p1 bet 20s at once`.
fn question(ask: &Ask) -> String {
    let who = match ask.to {
        To::Both => "both",
        To::One(seat) => seat.word(),
        To::Host => "host",
    };
    let mut text = format!("{who} {}", ask.what);
    if ask.clock_seconds > 0 {
        text += &format!(" {}s", ask.clock_seconds);
    }
    if ask.closes == Closes::FirstValid && ask.to != To::Host {
        text += " at once";
    }
    if ask.optional {
        text += " optional";
    }
    text
}

/// An effect in the words of the cases, such as `p1 steal failed 1.5.4`.
fn effect(effect: &Effect) -> String {
    let seat = effect.seat.map_or("nobody", Seat::word);
    let subject = effect.subject.to_lowercase().replace(' ', "-");
    let fate = effect.fate.word().replace(' ', "-");
    [seat, &subject, &fate, effect.rule].into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn field((party, field): &(Party, Word)) -> String {
    let who = match party {
        Party::Seat(seat) => seat.word(),
        Party::Host => "host",
    };
    format!("{who} {field}")
}

struct CasePlay<'r> {
    case: &'r Case,
    ruleset: &'r str,
    text: &'r str,
    failures: &'r mut Vec<String>,
    met: &'r mut CaseCoverage,
    /// The last step and its effects.
    last: Option<(PlayedStep, Vec<Effect>)>,
    line: usize,
}

impl<'r> CasePlay<'r> {
    fn of(
        case: &'r Case,
        ruleset: &'r str,
        text: &'r str,
        failures: &'r mut Vec<String>,
        met: &'r mut CaseCoverage,
    ) -> Self {
        Self { case, ruleset, text, failures, met, last: None, line: 0 }
    }

    fn fail(&mut self, expected: &str, found: &str) {
        let place = format!("{} line {}, in {}", self.case.file, self.line, self.ruleset);
        self.failures.push(format!("{place}\n  expected: {expected}\n  found:    {found}"));
    }

    fn all(mut self) {
        let text = self.text;
        let mut replay = match Replay::open(text) {
            Ok(replay) => replay,
            Err(errors) => return self.fail("a file that opens", &errors[0].to_string()),
        };
        for (line, said) in self.case.said(text) {
            self.line = line;
            match said {
                CaseLine::Claim(claim) => self.hold(&claim, replay.duel()),
                CaseLine::Step => {
                    let asks = self.meet(replay.duel());
                    let mut effects = Vec::new();
                    match replay.play(Some(&mut effects)) {
                        Some(Ok(played)) => {
                            assert_eq!(played.line, line, "{}: a step was not found", self.case.file);
                            self.meet_defaults(&asks, &played.played);
                            self.last = Some((played.played, effects));
                        }
                        Some(Err(errors)) => return self.fail("a step that is accepted", &errors[0].to_string()),
                        None => return self.fail("a step", "the end of the file"),
                    }
                    let outcome = replay.duel().outcome();
                    if outcome.is_over() {
                        self.met.ended.insert((self.ruleset.to_owned(), result(outcome)));
                    }
                }
            }
        }
        self.meet(replay.duel());
        if let Err(error) = replay.finish() {
            self.fail("the result in the tags", &error.to_string());
        }
    }

    fn meet(&mut self, duel: &Duel) -> Vec<Ask> {
        let asks = duel.asks();
        for ask in &asks {
            self.met.asked.insert((self.ruleset.to_owned(), ask.what.clone()));
            let nothing = match ask.to {
                To::Both => "- / -".to_owned(),
                To::One(seat) => format!("{seat}: -"),
                To::Host => continue,
            };
            // A question without a deadline need not accept a missing answer.
            if duel.clone().play(&nothing, None).is_ok() {
                self.met.with_default.insert((self.ruleset.to_owned(), ask.what.clone()));
            }
        }
        asks
    }

    fn meet_defaults(&mut self, asks: &[Ask], played: &PlayedStep) {
        let joint = played.moves.p1.is_some() && played.moves.p2.is_some();
        for (seat, sent) in played.moves.each() {
            if sent.as_deref() != Some("-") {
                continue;
            }
            let answered = asks.iter().find(|ask| match ask.to {
                To::Both => joint,
                To::One(asked) => !joint && asked == seat,
                To::Host => false,
            });
            if let Some(ask) = answered {
                self.met.defaulted.insert((self.ruleset.to_owned(), ask.what.clone()));
            }
        }
    }

    fn hold(&mut self, claim: &Claim, duel: &Duel) {
        match claim {
            Claim::State(values) => self.hold_state(&duel.state(Sight::Everything), values),
            Claim::Public(values) => self.hold_state(&duel.state(Sight::Public), values),
            Claim::Seat(seat, values) => self.hold_state(&duel.state(Sight::Seat(*seat)), values),
            Claim::Result(expected) => {
                let found = result(duel.outcome());
                self.equal(expected, &found);
            }
            Claim::Asks(expected) => {
                let found: Vec<String> = duel.asks().iter().map(question).collect();
                self.equal(&expected.join(" | "), &found.join(" | "));
            }
            Claim::Refused { rule, seat, line } => self.hold_refused(duel, Some(rule), *seat, line),
            Claim::Unread(line) => self.hold_refused(duel, None, None, line),
            Claim::Accepts(line) => {
                if let Err(refusal) = duel.clone().play(line, None) {
                    self.fail(&format!("{line} is accepted"), &refusal.to_string());
                }
            }
            Claim::RefusedTag(tag) => self.hold_refused_tag(tag.split(' ').next().unwrap_or_default(), Some(tag)),
            Claim::RefusedWithout(name) => self.hold_refused_tag(&format!("[{name}"), None),
            Claim::Reads { seat, what, sent, canonical } => match duel.read(*seat, what, sent) {
                Ok(reading) => self.equal(canonical, &reading.text),
                Err(refusal) => self.fail(canonical, &refusal.to_string()),
            },
            Claim::RefusedAnswer { rule, seat, what, sent } => match duel.read(*seat, what, sent) {
                Ok(reading) => self.fail(&format!("{sent} is refused by {rule}"), &format!("{} is read", reading.text)),
                Err(refusal) => {
                    self.equal(rule, refusal.rule.unwrap_or("no rule"));
                    self.met.refusing.extend(refusal.rule.map(|rule| (self.ruleset.to_owned(), rule.to_owned())));
                }
            },
            Claim::Finds(what) => self.hold_found(duel, what, true),
            Claim::FindsNo(what) => self.hold_found(duel, what, false),
            Claim::Line(_)
            | Claim::PublicLine(_)
            | Claim::Effect(_)
            | Claim::NoEffect(_)
            | Claim::Seals(_)
            | Claim::Opens(_) => {
                self.hold_step(claim);
            }
        }
    }

    fn equal(&mut self, expected: &str, found: &str) {
        if expected != found {
            self.fail(expected, found);
        }
    }

    fn hold_state(&mut self, state: &str, values: &[String]) {
        let state: Value = serde_json::from_str(state).unwrap();
        for claimed in values {
            let (path, expected) = claimed.split_once(' ').unwrap_or((claimed, ""));
            let Some(value) = wording::at(&state, path) else {
                self.fail(claimed, &format!("no {path} in {state}"));
                continue;
            };
            let found = wording::words(value).unwrap_or_else(|| value.to_string());
            let list: Vec<&str> = found.split(' ').filter(|word| *word != "none").collect();
            let holds = match expected.split_once(' ') {
                Some(("has", cards)) => cards.split(' ').all(|card| list.contains(&card)),
                Some(("lacks", cards)) => cards.split(' ').all(|card| !list.contains(&card)),
                Some(("of", count)) => count == list.len().to_string(),
                _ => expected == found,
            };
            if !holds {
                self.fail(claimed, &format!("{path} {found}"));
            }
        }
    }

    fn hold_refused(&mut self, duel: &Duel, rule: Option<&String>, seat: Option<Seat>, line: &str) {
        let expected = match (rule, seat) {
            (Some(rule), Some(seat)) => format!("{line} is refused by {rule}, of {}", seat.word()),
            (Some(rule), None) => format!("{line} is refused by {rule}"),
            (None, _) => format!("{line} is refused, by no clause"),
        };
        let mut tried = duel.clone();
        let refusal = match tried.play(line, None) {
            Ok(played) => return self.fail(&expected, &format!("{} is accepted", played.text)),
            Err(refusal) => refusal,
        };
        if refusal.rule != rule.map(String::as_str) || seat.is_some_and(|seat| refusal.seat != Some(seat)) {
            self.fail(&expected, &format!("{refusal} (of {:?})", refusal.seat));
        }
        if let Some(rule) = refusal.rule {
            self.met.refusing.insert((self.ruleset.to_owned(), rule.to_owned()));
        }
        let (before, after) = (duel.state(Sight::Everything), tried.state(Sight::Everything));
        if before != after {
            self.fail(&format!("nothing changes: {before}"), &after);
        }
    }

    /// The same file with this tag in its place, or without it, opens no match.
    fn hold_refused_tag(&mut self, name: &str, tag: Option<&str>) {
        let mut lines: Vec<&str> = self.text.lines().filter(|line| !line.starts_with(&format!("{name} "))).collect();
        let at = lines.iter().position(|line| line.starts_with("[P1 ")).unwrap_or_default();
        lines.splice(at..at, tag);
        if Replay::open(&lines.join("\n")).is_ok() {
            let expected =
                tag.map_or_else(|| format!("no match without {name} ...]"), |tag| format!("no match with {tag}"));
            self.fail(&expected, "it opens");
        }
    }

    fn hold_found(&mut self, duel: &Duel, what: &str, expected: bool) {
        let (seat, what) = what.split_once(' ').unwrap_or((what, ""));
        let found = duel.analyse().into_iter().find(|found| found.seat.word() == seat && found.what == what);
        match found {
            Some(found) if found.holds == expected => {}
            Some(found) => self.fail(&format!("{seat} {what}: {expected}"), &found.text),
            None => self.fail(&format!("{seat} {what}: {expected}"), "the search says nothing of it"),
        }
    }

    fn hold_step(&mut self, claim: &Claim) {
        let Some((played, effects)) = self.last.clone() else { return self.fail("a step before this", "none") };
        let effects: Vec<String> = effects.iter().map(effect).collect();
        let fields = |fields: &[(Party, Word)]| fields.iter().map(field).collect::<Vec<_>>().join(" | ");
        match claim {
            Claim::Line(expected) => self.equal(expected, &played.text),
            Claim::PublicLine(expected) => self.equal(expected, &played.public),
            Claim::Seals(expected) => self.equal(&expected.join(" | "), &fields(&played.keeps)),
            Claim::Opens(expected) => self.equal(&expected.join(" | "), &fields(&played.shows)),
            Claim::Effect(expected) if !effects.contains(expected) => self.fail(expected, &effects.join(" | ")),
            Claim::NoEffect(expected) if effects.contains(expected) => {
                self.fail(&format!("no {expected}"), &effects.join(" | "));
            }
            _ => {}
        }
    }
}

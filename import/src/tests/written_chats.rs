//! The logs that somebody wrote who had not read this crate, held against the matches that were played: what is understood of
//! them as they are pasted, what is lost without a question, and the answers that bring them to their end.
//!
//! `cargo test -p matchbook-import written -- --nocapture` prints the sums of `docs/benchmarks.md`.

use super::fixtures::{Source, State, sources};
use crate::Row;

/// Answers after which a log is given up.
const ANSWERS_MAX: usize = 120;
/// Steps that one edit may write.
const WRITTEN_MAX: usize = 8;
/// Buttons that say no move.
const SAYING_NOTHING: [&str; 4] = ["[It is talk", "[Leave", "[The moves are right", "[Line "];
/// Rounds that one edit may write.
const ROUNDS_MAX: usize = 3;
/// Logs of which nobody has found the answers yet: it only falls.
const WITHOUT_ANSWERS: usize = 17;
/// Buttons about all of a text that are tried.
const BUTTONS_MAX: usize = 16;

/// A log as it is read, beside the match that was played.
pub(super) struct Compared<'s> {
    pub(super) state: State<'s>,
    /// The steps that were played.
    pub(super) played: Vec<String>,
    /// For each of them, the place of it among those that are understood.
    pub(super) found: Vec<Option<usize>>,
}

/// The steps of a match in the notation, but for how cards were assigned in secret before it: a record of the past may leave that
/// out, and no chat tells it. With the seats changed, as where the other player was taken for the first.
pub(super) fn steps(dmn: &str, changed: bool) -> Vec<String> {
    let lines = dmn.lines().filter(|line| !line.starts_with('[') && !line.is_empty() && !line.starts_with("umpire:"));
    let lines = lines.filter(|line| !line.contains(": assign "));
    let change = |line: &str| match line.split_once(": ") {
        Some(("p1", said)) => format!("p2: {said}"),
        Some(("p2", said)) => format!("p1: {said}"),
        _ => {
            let (number, moves) =
                line.split_once(". ").map_or((String::new(), line), |(n, rest)| (format!("{n}. "), rest));
            moves.split_once(" / ").map_or_else(|| line.to_owned(), |(one, other)| format!("{number}{other} / {one}"))
        }
    };
    lines.map(even).map(|line| if changed { change(&line) } else { line }).collect()
}

fn result(dmn: &str) -> Option<&str> {
    dmn.lines().find(|line| line.starts_with("[Result "))
}

/// Where nothing valid came, somebody wrote that this was sent, and another that nothing was.
fn even(step: &str) -> String {
    step.replace(": divide none", ": -")
}

/// For each of these, which of those it is, in order, as many as can be.
fn aligned(these: &[String], those: &[String]) -> Vec<Option<usize>> {
    let width = those.len() + 1;
    let mut table = vec![0_usize; (these.len() + 1) * width];
    for one in (0..these.len()).rev() {
        for other in (0..those.len()).rev() {
            let both = if these[one] == those[other] { table[(one + 1) * width + other + 1] + 1 } else { 0 };
            table[one * width + other] = both.max(table[(one + 1) * width + other]).max(table[one * width + other + 1]);
        }
    }
    let (mut found, mut other) = (vec![None; these.len()], 0);
    for one in 0..these.len() {
        while other < those.len()
            && these[one] != those[other]
            && table[one * width + other] == table[one * width + other + 1]
        {
            other += 1;
        }
        if other < those.len() && these[one] == those[other] {
            found[one] = Some(other);
            other += 1;
        }
    }
    found
}

impl<'s> Compared<'s> {
    pub(super) fn of(state: State<'s>) -> Self {
        let understood: Vec<String> = state.reading.understood.iter().map(|(_, step)| even(step)).collect();
        let dmn = state.source.played.as_deref().unwrap();
        let [one, other] = [false, true].map(|changed| {
            let played = steps(dmn, changed);
            (aligned(&played, &understood), played)
        });
        let count = |found: &[Option<usize>]| found.iter().flatten().count();
        let (found, played) = if count(&other.0) > count(&one.0) { other } else { one };
        Self { state, played, found }
    }

    fn understood(&self) -> usize {
        self.found.iter().flatten().count()
    }

    fn misread(&self) -> usize {
        self.state.reading.understood.len() - self.understood()
    }

    /// True if it came to the end that was played, by the same steps and with the same result.
    pub(super) fn is_ended(&self) -> bool {
        let (dmn, played) = (&self.state.reading.dmn, self.state.source.played.as_deref().unwrap());
        self.state.reading.import.is_some() && steps(dmn, false) == self.played && result(dmn) == result(played)
    }

    /// Where a line is in the order of reading, which by the times of two channels, or from the bottom, is not that of the file. A
    /// line that is not read, such as the time above a message, is where the one above it is. A table is read from the top.
    pub(super) fn place(&self, line: usize) -> usize {
        let order = &self.state.reading.order;
        if order.is_empty() {
            return line;
        }
        let place = |line| order.iter().position(|read| *read == line);
        (1..=line).rev().find_map(place).map_or(0, |place| place + 1)
    }

    /// True if a row between these places asks, or all of it does.
    pub(super) fn asks(&self, from: usize, to: usize) -> bool {
        let reading = &self.state.reading;
        let mut rows = reading.rows.iter().filter(|row| row.wrong.is_some());
        !reading.problems.is_empty() || rows.any(|row| (from..=to).contains(&self.place(row.line)))
    }

    /// The line that completes a step, if it is understood.
    pub(super) fn line(&self, step: usize) -> Option<usize> {
        self.state.reading.understood.get(self.found[step]?).map(|(line, _)| *line)
    }

    fn first_question(&self) -> Option<&Row> {
        let asked = self.state.reading.rows.iter().filter(|row| row.wrong.is_some());
        asked.min_by_key(|row| self.place(row.line))
    }

    /// The places between which a step was that is not understood: those of the nearest steps before and behind it that are.
    /// Cards that were shown later are on a line that says nothing of their place.
    fn around(&self, step: usize) -> (usize, usize) {
        let place = |step: usize| self.line(step).map(|line| self.place(line));
        let behind = (step..self.found.len()).find_map(place).unwrap_or(usize::MAX);
        let before = (0..step).rev().filter_map(place).find(|before| *before <= behind).unwrap_or(0);
        (before, behind)
    }

    /// The steps that are not understood, and of which no row on them or beside them asks.
    pub(super) fn silent(&self) -> Vec<usize> {
        let missing = (0..self.found.len()).filter(|step| self.found[*step].is_none());
        missing.filter(|step| !self.asks(self.around(*step).0, self.around(*step).1)).collect()
    }

    /// More is better: what is right up to the first step that is not, all that is right, and what is not asked any more. Where
    /// players take turns, nothing behind that first step can be right.
    fn worth(&self) -> (i64, i64, i64) {
        let count = |number: usize| i64::try_from(number).unwrap();
        let begun = count(self.begun());
        let behind = count(self.state.reading.understood.len()) - begun;
        let right = count(self.understood()) - 2 * count(self.misread());
        (begun - if self.is_in_turn() { behind } else { 0 }, right, -count(self.state.reading.wrong()))
    }

    fn is_in_turn(&self) -> bool {
        ["devils-deal", "higher-lower"].iter().any(|game| self.state.reading.facts.ruleset.starts_with(game))
    }

    fn begun(&self) -> usize {
        (0..self.played.len()).take_while(|step| self.found[*step] == Some(*step)).count()
    }

    /// The lines that are read behind the first question.
    fn left(&self) -> usize {
        let place = self.first_question().map(|row| self.place(row.line));
        place.map_or(0, |place| self.state.reading.order.len().saturating_sub(place))
    }

    /// True if an answer led from one state to this one: more is right from the beginning, or the same steps are, with less to ask.
    fn is_better(&self, before: &Self) -> bool {
        let steps =
            |state: &Self| state.state.reading.understood.iter().map(|(_, step)| step.clone()).collect::<Vec<_>>();
        let is_less = || self.left() < before.left() || self.worth() > before.worth();
        let is_same = || steps(self) == steps(before) && is_less();
        self.worth().0 > before.worth().0 || is_same() || self.state.reading.import.is_some()
    }

    /// The best state that one answer leads to, and the answer: what is not known of the match, a button of the first question, or the
    /// moves that are missing there, written in its place. None where nothing leads on.
    fn next(&self) -> Option<(Self, String)> {
        let unknown = self.unknown_facts();
        if !unknown.is_empty() {
            return Some((Self::of(self.state.written(0, &unknown)), State::answer(0, &unknown)));
        }
        let row = self.first_question();
        // Where something is unknown of all of the text, any button may say it.
        let is_known = self.state.reading.problems.is_empty() && self.state.reading.strangers.is_empty();
        let mut fixes = if is_known { Vec::new() } else { self.state.fixes() };
        fixes.truncate(BUTTONS_MAX);
        fixes.extend(row.into_iter().flat_map(|row| row.fixes.clone()));
        // Somebody knows more, and writes it at once: the match that was played.
        let is_blank = |label: &str| label.starts_with("Nobody knows") || label.ends_with(" is missing here");
        let known = fixes.iter().filter(|fix| !is_blank(&fix.label));
        let pressed = known.map(|fix| (Self::of(self.state.pressed(fix)), format!("[{}]", fix.label)));
        let says_nothing = |answer: &str| SAYING_NOTHING.iter().any(|label| answer.starts_with(label));
        let leads_on = |next: &Self, answer: &str| {
            next.worth().0 > self.worth().0 || (says_nothing(answer) && next.is_better(self)) || next.is_ended()
        };
        let pressed = pressed.filter(|(next, answer)| !next.is_lost() && leads_on(next, answer));
        let pressed = pressed.max_by_key(|(next, _)| next.worth());
        if pressed.is_some() {
            return pressed;
        }
        let row = row?;
        let first = self.begun();
        let missing = &self.played[first..self.played.len().min(first + WRITTEN_MAX)];
        let still_asks = |next: &State<'_>| {
            next.reading.rows.iter().any(|next| next.source == row.source && next.wrong == row.wrong)
        };
        // Where players take turns, what follows is not read at all: as much is written as can be.
        let mut counts: Vec<usize> = (0..=missing.len()).collect();
        if self.is_in_turn() {
            counts.reverse();
        } else {
            counts.truncate(ROUNDS_MAX + 1);
        }
        let written = counts.into_iter().flat_map(|count| {
            let lines: Vec<String> = missing[..count].iter().flat_map(|step| said(step)).collect();
            let numbered: Vec<String> = missing[..count].iter().flat_map(|step| said_of_round(step)).collect();
            let second = lines.get(1..).unwrap_or_default().to_vec();
            let line = [row.source.clone()];
            let (above, below) = ([&numbered[..], &line].concat(), [&line[..], &numbered].concat());
            [lines, numbered, second, above, below].map(|now| (count, now))
        });
        let written = written
            .map(|(count, now)| (count, Self::of(self.state.written(row.line, &now)), State::answer(row.line, &now)));
        let leads_on = |next: &Self| !still_asks(&next.state) && !next.is_lost() && next.is_better(self);
        let mut written = written.filter(|(_, next, _)| leads_on(next));
        let best = if self.is_in_turn() {
            written.next()
        } else {
            let of_log = |begun: usize, count: usize| i64::try_from(begun).unwrap() - i64::try_from(count).unwrap();
            written
                .max_by_key(|(count, next, _)| (of_log(next.begun(), *count), next.worth(), std::cmp::Reverse(*count)))
        };
        best.map(|(_, next, answer)| (next, answer))
    }

    /// Tags that say what is asked of all of the match.
    fn unknown_facts(&self) -> Vec<String> {
        let (facts, played) = (&self.state.reading.facts, self.state.source.played.as_deref().unwrap());
        let tags: Vec<(&str, String)> = played.lines().map_while(crate::facts::tag).collect();
        let value = |tag: &str| tags.iter().find(|(name, _)| *name == tag).map_or("", |(_, value)| value);
        // The other player may be taken for the first.
        let changed = facts.names.p1.eq_ignore_ascii_case(value("P2"));
        let has_items = facts.items.each().iter().any(|(_, items)| !items.is_empty());
        let unknown = tags.iter().filter(|_| !self.state.reading.problems.is_empty()).filter(|(name, _)| match *name {
            "Ruleset" => facts.ruleset.is_empty(),
            "P1" => facts.names.p1.is_empty(),
            "P2" => facts.names.p2.is_empty(),
            "DMO" => facts.dmo.is_empty(),
            "P1Items" | "P2Items" => !has_items,
            _ => false,
        });
        let seat = |text: &str| text.replace("p1", "p0").replace("p2", "p1").replace("p0", "p2");
        unknown
            .map(|(name, value)| match changed {
                true => format!(
                    "[{} \"{}\"]",
                    name.replace("P1", "P0").replace("P2", "P1").replace("P0", "P2"),
                    seat(value)
                ),
                false => format!("[{name} \"{value}\"]"),
            })
            .collect()
    }

    /// True if it came to an end that was not played.
    fn is_lost(&self) -> bool {
        self.state.reading.import.is_some() && !self.is_ended()
    }
}

/// A step as whoever edits a chat writes it.
fn said(step: &str) -> Vec<String> {
    let numbered = step.split_once(". ").filter(|(number, _)| number.parse::<u32>().is_ok());
    let parts = numbered.map_or(step, |(_, said)| said);
    match parts.split_once(" / ").filter(|_| !step.starts_with("host:")) {
        Some((one, other)) => vec![format!("p1: {one}"), format!("p2: {other}")],
        None => vec![parts.to_owned()],
    }
}

/// The same with the number of its round above it.
fn said_of_round(step: &str) -> Vec<String> {
    let number = step.split_once(". ").and_then(|(number, _)| number.parse::<u32>().ok());
    number.map(|number| format!("Round {number}")).into_iter().chain(said(step)).collect()
}

pub(super) fn logs() -> Vec<Source> {
    sources().into_iter().filter(|source| source.played.is_some()).collect()
}

#[test]
fn no_step_of_a_written_chat_is_misread_or_lost_silently() {
    let (mut steps, mut understood, mut questions) = (0, 0, 0);
    for log in logs() {
        let read = Compared::of(log.open());
        let asked = read.state.reading.wrong();
        println!("{}: {} of {}, {asked} asked", log.name(), read.understood(), read.played.len());
        let silent: Vec<_> = read.silent().into_iter().map(|step| (read.around(step), &read.played[step])).collect();
        assert!(silent.is_empty() && read.misread() == 0, "{}: {silent:#?}, {} misread", log.name(), read.misread());
        (steps, understood, questions) = (steps + read.played.len(), understood + read.understood(), questions + asked);
    }
    println!("{understood} of {steps}, {questions} asked");
    assert!(steps == 929 && understood >= 376 && questions <= 191, "{understood} of {steps}, {questions} asked");
}

/// Answers what is asked until nothing is, or nothing leads on; returns the answers too.
fn brought_to_its_end(log: &Source) -> (Compared<'_>, String) {
    let (mut read, mut answers) = (Compared::of(log.open()), String::new());
    for _ in 0..ANSWERS_MAX {
        let next = if read.state.reading.import.is_none() { read.next() } else { None };
        let Some((next, answer)) = next else { break };
        answers.push_str(&answer);
        answers.push('\n');
        read = next;
    }
    (read, answers)
}

#[test]
fn the_answers_beside_a_written_chat_end_in_the_match_that_was_played() {
    let ended = |log: &Source| Compared::of(log.answered(log.open())).is_ended();
    let (logs, mut others) = (logs(), Vec::new());
    others.extend(logs.iter().filter(|log| !ended(log)).map(Source::name));
    assert!(others.len() <= WITHOUT_ANSWERS, "no answers are stored that end {others:#?}");
}

/// `ONLY=irc` looks for those of one log.
#[test]
#[ignore = "minutes: looks for the answers, and writes them"]
fn answers_to_every_written_chat_are_found() {
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut not_ended = Vec::new();
    for log in logs().iter().filter(|log| log.name().contains(&only)) {
        let (read, answers) = brought_to_its_end(log);
        println!("{}: {} answers, ended: {}", log.name(), answers.lines().count(), read.is_ended());
        if read.is_ended() {
            log.write(&answers);
        } else {
            not_ended.push(log.name());
            println!("{answers}");
        }
    }
    assert!(not_ended.is_empty(), "no answers lead to the match: {not_ended:#?}");
}

//! The logs that somebody wrote who had not read this crate, held against the matches that were played: what is understood of
//! them as they are pasted, what is lost without a question, and what it takes to bring them to their end.
//!
//! `cargo test -p matchbook-import written -- --nocapture` prints the sums of `docs/benchmarks.md`.

use std::fs;
use std::path::Path;

use super::fixtures::{SOURCE, UNDERSTOOD, given};
use crate::{Does, Facts, Fix, Form, Reading, Speakers, read};

/// In every run, a log of which more steps are not understood is only read: to bring it to its end takes minutes.
const MISSING_MAX: usize = 0;
/// Presses and edits after which a log is given up.
const ANSWERS_MAX: usize = 120;
/// Steps that one edit may write.
const WRITTEN_MAX: usize = 8;

/// A log, and the match that was played.
pub(super) struct Log {
    pub(super) name: String,
    pub(super) source: String,
    facts: Facts,
    pub(super) speakers: Speakers,
    /// Its steps, and the same with the seats changed.
    played: [Vec<String>; 2],
}

/// A log on its way to the end.
pub(super) struct State {
    pub(super) text: String,
    speakers: Speakers,
    pub(super) reading: Reading,
    /// For each played step, the place of it among those that are understood.
    pub(super) found: Vec<Option<usize>>,
    pub(super) played: Vec<String>,
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
    // Where nothing valid came, somebody wrote that this was sent, and another that nothing was.
    let lines = lines.map(|line| line.replace(": divide none", ": -"));
    lines.map(|line| if changed { change(&line) } else { line }).collect()
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

impl State {
    pub(super) fn of(log: &Log, text: String, speakers: Speakers) -> Self {
        let reading = read(&text, Form::of(&log.source), &log.facts, &speakers);
        let understood: Vec<String> =
            reading.understood.iter().map(|(_, step)| step.replace(": divide none", ": -")).collect();
        let [one, other] =
            [0, 1].map(|changed| (aligned(&log.played[changed], &understood), log.played[changed].clone()));
        let count = |found: &[Option<usize>]| found.iter().flatten().count();
        let (found, played) = if count(&other.0) > count(&one.0) { other } else { one };
        Self { text, speakers, reading, found, played }
    }

    fn understood(&self) -> usize {
        self.found.iter().flatten().count()
    }

    fn misread(&self) -> usize {
        self.reading.understood.len() - self.understood()
    }

    /// More is better: what is right, and what is not asked any more.
    fn worth(&self) -> (i64, i64) {
        let count = |number: usize| i64::try_from(number).unwrap();
        (count(self.understood()) - count(self.misread()), -count(self.reading.wrong()))
    }

    /// The lines between which a step was that is not understood: those of the nearest steps before and behind it that are.
    /// Cards that were shown later are on a line that says nothing of their place.
    fn around(&self, step: usize) -> (usize, usize) {
        let line = |at: usize| self.reading.understood.get(self.found[at]?).map(|(line, _)| *line);
        let lines: Vec<usize> = (0..self.found.len()).filter_map(line).collect();
        // Some programs show the newest on top.
        let falls = lines.first() > lines.last();
        let last = self.text.lines().count();
        let (start, end) = if falls { (last, 0) } else { (0, last) };
        let behind = (step..self.found.len()).find_map(line).unwrap_or(end);
        let is_before = |line: &usize| if falls { *line >= behind } else { *line <= behind };
        let before = (0..step).rev().filter_map(line).find(is_before).unwrap_or(start);
        (before.min(behind), before.max(behind))
    }

    /// The steps that are not understood, and of which no row on them or beside them asks.
    fn silent(&self) -> Vec<usize> {
        let asks = |(from, to): (usize, usize)| {
            let row = self.reading.rows.iter().any(|row| row.wrong.is_some() && (from..=to).contains(&row.line));
            row || !self.reading.problems.is_empty()
        };
        let missing = (0..self.found.len()).filter(|step| self.found[*step].is_none());
        missing.filter(|step| !asks(self.around(*step))).collect()
    }

    /// The same with a button pressed.
    fn pressed(&self, log: &Log, fix: &Fix) -> Self {
        let mut speakers = self.speakers.clone();
        if let Does::Name { name, who } = &fix.does {
            speakers.add(name, *who);
        }
        Self::of(log, fix.does.apply(&self.text).unwrap(), speakers)
    }

    /// The same with a line left out, and these written in its place.
    fn written(&self, log: &Log, line: usize, now: Vec<String>) -> Self {
        let mut lines: Vec<String> = self.text.lines().map(str::to_owned).collect();
        let was = format!("# {}", lines[line - 1]);
        lines.splice(line - 1..line, std::iter::once(was).chain(now));
        Self::of(log, lines.join("\n") + "\n", self.speakers.clone())
    }

    /// The next state on the way to the end, and whether a line had to be written: the best of all buttons of the first
    /// question, and of writing the steps that are missing there; none where nothing leads on.
    fn next(&self, log: &Log) -> Option<(Self, bool)> {
        let row = self.reading.rows.iter().find(|row| row.wrong.is_some())?;
        let still_asks =
            |next: &Self| next.reading.rows.iter().any(|next| next.source == row.source && next.wrong == row.wrong);
        let pressed = row.fixes.iter().map(|fix| (self.pressed(log, fix), false));
        let first = self.found.iter().position(Option::is_none);
        let steps = first.map_or(&[][..], |first| {
            let many = self.found[first..].iter().take_while(|found| found.is_none()).count();
            &self.played[first..first + many.min(WRITTEN_MAX)]
        });
        let written = (0..=steps.len()).map(|count| {
            let now = steps[..count].iter().flat_map(|step| said(step)).collect();
            (self.written(log, row.line, now), true)
        });
        let better = pressed.chain(written).filter(|(next, _)| !still_asks(next));
        better.max_by_key(|(next, written)| (next.worth(), !written))
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

pub(super) fn logs() -> Vec<Log> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
    let mut files: Vec<_> = fs::read_dir(folder.join("imports")).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let log = |file: std::path::PathBuf| {
        let text = fs::read_to_string(&file).unwrap();
        let (head, rest) = text.split_once(SOURCE).unwrap();
        let played = head.lines().find_map(|line| line.strip_prefix("match: "))?;
        let played = fs::read_to_string(folder.join("matches").join(format!("{played}.dmn"))).unwrap();
        let (facts, speakers) = given(head);
        Some(Log {
            name: file.file_stem().unwrap().to_string_lossy().into_owned(),
            source: rest.split(UNDERSTOOD).next().unwrap().to_owned(),
            facts,
            speakers,
            played: [false, true].map(|changed| steps(&played, changed)),
        })
    };
    files.into_iter().filter_map(log).collect()
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Sums {
    steps: usize,
    understood: usize,
    /// Steps that are not understood, and no row beside them asks.
    silent: usize,
    /// Steps that were understood as they were pasted, and not played.
    misread: usize,
    questions: usize,
    presses: usize,
    /// Lines that had to be written.
    edits: usize,
    /// Logs that do not end in the match that was played.
    not_ended: Vec<String>,
}

/// Reads all logs, and brings those of which at most so many steps are not understood to their end.
fn sums(missing_max: usize) -> Sums {
    let mut sums = Sums::default();
    for log in logs() {
        let mut state = State::of(&log, log.source.clone(), log.speakers.clone());
        sums.steps += state.played.len();
        sums.understood += state.understood();
        sums.misread += state.misread();
        sums.questions += state.reading.wrong();
        for step in state.silent() {
            println!("silent: {} {:?} {}", log.name, state.around(step), state.played[step]);
            sums.silent += 1;
        }
        println!("{}: {} of {}, {} asked", log.name, state.understood(), state.played.len(), state.reading.wrong());
        if state.played.len() - state.understood() > missing_max {
            continue;
        }
        for _ in 0..ANSWERS_MAX {
            let next = if state.reading.import.is_none() { state.next(&log) } else { None };
            let Some((next, written)) = next else { break };
            sums.presses += usize::from(!written);
            sums.edits += usize::from(written);
            state = next;
        }
        if state.reading.import.is_none() || steps(&state.reading.dmn, false) != state.played {
            let asked = state.reading.rows.iter().find(|row| row.wrong.is_some()).map(|row| row.source.clone());
            sums.not_ended.push(format!("{}: {:?} {asked:?}", log.name, state.reading.problems));
        }
    }
    sums
}

#[test]
fn no_step_of_a_written_chat_is_misread_or_lost_silently() {
    let sums = sums(MISSING_MAX);
    println!("{sums:?}");
    assert_eq!((sums.steps, sums.silent, sums.misread), (815, 0, 0));
    assert!(sums.understood >= 302 && sums.questions <= 169, "{sums:?}");
    assert!(sums.not_ended.is_empty(), "{:#?}", sums.not_ended);
}

#[test]
#[ignore = "minutes"]
fn every_written_chat_ends_in_the_match_that_was_played() {
    let sums = sums(usize::MAX);
    println!("{sums:#?}");
    assert!(sums.not_ended.is_empty(), "{:#?}", sums.not_ended);
}

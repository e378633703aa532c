//! The logs that somebody wrote who had not read this crate, held against the matches that were played: what is understood of
//! them as they are pasted, what is lost without a word, and what it takes to bring them to their end.
//!
//! `cargo test -p matchbook-import blind -- --nocapture` prints the table of `docs/benchmarks.md`.

use std::fs;
use std::path::Path;

use super::fixtures::{SOURCE, UNDERSTOOD, given};
use crate::{Does, Facts, Fix, Form, Reading, Row, Speakers, read};

/// A log with more questions is only read: to try all of their buttons takes minutes.
const QUESTIONS_MOST: usize = 8;
/// Presses and edits after which a log is given up.
const MOST: usize = 80;
/// Steps that one edit may write.
const WRITTEN_MOST: usize = 8;
const THREADS: usize = 4;
/// Lines on which an edit is tried.
const LINES_MOST: usize = 6;

/// A log, and the match that was played.
struct Log {
    name: String,
    source: String,
    facts: Facts,
    speakers: Speakers,
    /// Its steps, and the same with the seats changed.
    played: [Vec<String>; 2],
}

/// What became of a log, or of all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Outcome {
    steps: usize,
    /// Steps that were played, understood as they were pasted.
    understood: usize,
    /// Steps that are not understood, and no row beside them asks.
    silent: usize,
    /// Steps that were understood as they were pasted, and not played.
    misread: usize,
    questions: usize,
    clicks: usize,
    /// Lines that had to be written.
    edits: usize,
    /// Steps that were played and are not in the match that came of it, and the other way round.
    lost: usize,
    wrong: usize,
}

/// What is known of a log on its way to the end.
struct State {
    text: String,
    speakers: Speakers,
    reading: Reading,
    /// For each played step, the place of it among those that are understood.
    found: Vec<Option<usize>>,
    played: Vec<String>,
}

/// The steps of a match in the notation, but for how cards were assigned in secret before it: a record of the past may leave that
/// out, and no chat tells it. With the seats changed, as where the other player was taken for the first.
fn steps(dmn: &str, changed: bool) -> Vec<String> {
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
    fn of(log: &Log, text: String, speakers: Speakers) -> Self {
        let reading = read(&text, Form::of(&log.source), &log.facts, &speakers);
        let understood: Vec<String> =
            reading.understood.iter().map(|(_, step)| step.replace(": divide none", ": -")).collect();
        let both = [0, 1].map(|changed| (aligned(&log.played[changed], &understood), log.played[changed].clone()));
        let count = |found: &[Option<usize>]| found.iter().flatten().count();
        let [one, other] = both;
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

    /// The same with these lines written in the place of a line, or before it.
    fn written(&self, log: &Log, line: usize, now: &[String], kept: bool) -> Self {
        let mut lines: Vec<String> = self.text.lines().map(str::to_owned).collect();
        let was = lines.remove(line - 1);
        let (before, behind) = if kept { (None, Some(was)) } else { (Some(format!("# {was}")), None) };
        let now = before.into_iter().chain(now.iter().cloned()).chain(behind);
        lines.splice(line - 1..line - 1, now.collect::<Vec<_>>());
        Self::of(log, lines.join("\n") + "\n", self.speakers.clone())
    }

    /// The first question and the last: a chat may have the newest on top.
    fn asked(&self) -> Vec<&Row> {
        let wrong = || self.reading.rows.iter().filter(|row| row.wrong.is_some());
        let mut rows: Vec<_> = wrong().next().into_iter().chain(wrong().next_back()).collect();
        rows.dedup_by_key(|row| row.line);
        rows
    }

    /// Whether a step is missing around a line.
    fn missing_at(&self, line: usize) -> Option<usize> {
        let missing = (0..self.found.len()).filter(|step| self.found[*step].is_none());
        missing.into_iter().find(|step| (self.around(*step).0..=self.around(*step).1).contains(&line))
    }

    /// The next state on the way to the end, and whether a line had to be written; none where nothing leads on.
    fn next(&self, log: &Log) -> Option<(Self, bool)> {
        let (asked, mut equal) = (self.asked(), None);
        for row in &asked {
            let missing = self.missing_at(row.line);
            let still_asks =
                |next: &Self| next.reading.rows.iter().any(|next| next.source == row.source && next.wrong == row.wrong);
            let wanted: Vec<String> = missing.map_or_else(Vec::new, |step| said(&self.played[step]));
            let is_wanted = |fix: &&Fix| {
                wanted.iter().any(|said| {
                    fix.label.split_once(": ").map(|(_, now)| now) == said.split_once(": ").map(|(_, now)| now)
                })
            };
            let right = row.fixes.iter().filter(is_wanted).map(|fix| self.pressed(log, fix));
            let mut right = right.filter(|next| next.understood() >= self.understood() && !still_asks(next));
            if let Some(next) = right.next() {
                return Some((next, false));
            }
            let pressed = row.fixes.iter().map(|fix| self.pressed(log, fix));
            let Some(best) = pressed.filter(|next| !still_asks(next)).max_by_key(Self::worth) else { continue };
            let gains = best.understood() > self.understood() && best.misread() <= self.misread();
            if best.worth() > self.worth() && (gains || missing.is_none()) {
                return Some((best, false));
            }
            if best.worth() >= self.worth() {
                equal = equal.or(Some(best));
            }
        }
        self.edited(log).map(|next| (next, true)).or(equal.map(|next| (next, false)))
    }

    /// The best that can be written where no button is right: on a line that is asked about, that was misread, or that is talk
    /// with a button.
    fn edited(&self, log: &Log) -> Option<Self> {
        let matched: Vec<usize> = self.found.iter().flatten().copied().collect();
        let misread = self.reading.understood.iter().enumerate().filter(|(at, _)| !matched.contains(at));
        let misread = misread.map(|(_, (line, _))| *line);
        let talk = self.reading.rows.iter().filter(|row| row.wrong.is_none() && !row.fixes.is_empty());
        let talk = talk.filter(|row| matches!(row.kind(), "aside" | "passed")).map(|row| row.line);
        let asked = self.asked().into_iter().map(|row| row.line);
        let mut lines: Vec<(usize, usize)> = Vec::new();
        for line in asked.chain(misread).chain(talk).filter(|line| *line > 0) {
            let missing = self.missing_at(line).map(|step| (line, step));
            lines.extend(missing.filter(|found| !lines.contains(found)));
        }
        let mut best: Option<Self> = None;
        for (line, first) in lines.into_iter().take(LINES_MOST) {
            let many = self.found[first..].iter().take_while(|found| found.is_none()).count().min(WRITTEN_MOST);
            let steps = |count: usize| self.played[first..first + count].iter().flat_map(|step| said(step)).collect();
            let mut ways: Vec<Vec<String>> = (1..=many).map(steps).collect();
            // One of both may have been read right.
            ways.extend(said(&self.played[first]).into_iter().map(|one| vec![one]));
            for (now, kept) in ways.iter().flat_map(|now| [(now, false), (now, true)]) {
                let next = self.written(log, line, now, kept);
                if next.worth() > best.as_ref().map_or_else(|| self.worth(), Self::worth) {
                    best = Some(next);
                }
            }
        }
        best
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

fn logs() -> Vec<Log> {
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

/// What all logs may come to at the worst. Whoever makes it better writes it here.
const BEFORE: Outcome = Outcome {
    steps: 815,
    understood: 742,
    silent: 0,
    misread: 3,
    questions: 74,
    clicks: 43,
    edits: 11,
    lost: 0,
    wrong: 0,
};

impl Outcome {
    fn is_as_good_as(&self, before: &Self) -> bool {
        self.steps >= before.steps
            && self.understood >= before.understood
            && self.silent <= before.silent
            && self.misread <= before.misread
            && self.questions <= before.questions
            && self.clicks + self.edits <= before.clicks + before.edits
            && self.edits <= before.edits
            && self.lost <= before.lost
            && self.wrong <= before.wrong
    }

    fn of(log: &Log) -> Self {
        let mut state = State::of(log, log.source.clone(), log.speakers.clone());
        let mut outcome = Self {
            steps: state.played.len(),
            understood: state.understood(),
            silent: state.silent().len(),
            misread: state.misread(),
            questions: state.reading.wrong(),
            ..Self::default()
        };
        for step in state.silent() {
            println!("    silent: {} {:?} {}", log.name, state.around(step), state.played[step]);
        }
        if outcome.questions > QUESTIONS_MOST || std::env::var_os("QUICK").is_some() {
            return outcome;
        }
        while state.reading.import.is_none() && outcome.clicks + outcome.edits < MOST {
            let Some((next, written)) = state.next(log) else { break };
            if std::env::var_os("TRACE").is_some() {
                let rows = state.reading.rows.iter().filter(|row| row.wrong.is_some());
                println!("  {written} {:?} -> {:?}", state.worth(), next.worth());
                rows.take(2).for_each(|row| println!("      {}: {}", row.line, row.source));
            }
            if written {
                outcome.edits += 1;
            } else {
                outcome.clicks += 1;
            }
            state = next;
        }
        let ends: Vec<String> = steps(&state.reading.dmn, false);
        let found = aligned(&state.played, &ends);
        outcome.lost = found.iter().filter(|found| found.is_none()).count();
        outcome.wrong = ends.len() - found.iter().flatten().count();
        if state.reading.import.is_none() {
            println!("    not finished: {} {:?} {} wrong", log.name, state.reading.problems, state.reading.wrong());
            for row in state.reading.rows.iter().filter(|row| row.wrong.is_some()).take(3) {
                println!("        {}: {} {:?}", row.line, row.source, row.wrong.as_ref().unwrap().expected);
            }
        }
        for (step, said) in state.played.iter().enumerate().filter(|(step, _)| found[*step].is_none()) {
            println!("        missing: {} {said} {:?}", log.name, state.around(step));
        }
        outcome
    }

    fn plus(self, other: Self) -> Self {
        Self {
            steps: self.steps + other.steps,
            understood: self.understood + other.understood,
            silent: self.silent + other.silent,
            misread: self.misread + other.misread,
            questions: self.questions + other.questions,
            clicks: self.clicks + other.clicks,
            edits: self.edits + other.edits,
            lost: self.lost + other.lost,
            wrong: self.wrong + other.wrong,
        }
    }

    fn row(&self, name: &str) {
        let Self { steps, understood, silent, misread, questions, clicks, edits, lost, wrong } = self;
        println!(
            "| {name} | {steps} | {understood} | {silent} | {misread} | {questions} | {clicks} | {edits} | {lost} | {wrong} |"
        );
    }
}

#[test]
fn no_step_of_a_blind_log_is_lost_silently() {
    let only = std::env::var("LOG").unwrap_or_default();
    let logs: Vec<Log> = logs().into_iter().filter(|log| log.name.contains(&only)).collect();
    let parts = (0..THREADS).map(|part| logs.iter().skip(part).step_by(THREADS));
    let mut outcomes: Vec<(&str, Outcome)> = std::thread::scope(|scope| {
        let run = |part: Vec<&'_ Log>| part.into_iter().map(Outcome::of).collect::<Vec<_>>();
        let threads: Vec<_> = parts.map(|part| (part.clone(), scope.spawn(move || run(part.collect())))).collect();
        let outcomes =
            threads.into_iter().map(|(part, thread)| part.map(|log| log.name.as_str()).zip(thread.join().unwrap()));
        outcomes.flatten().collect()
    });
    outcomes.sort_by_key(|(log, _)| *log);
    let all = outcomes.iter().fold(Outcome::default(), |all, (_, outcome)| all.plus(*outcome));
    println!(
        "| log | steps | understood | lost silently | misread | questions | clicks | edits | lost at the end | misread at the end |"
    );
    outcomes.push(("all", all));
    for (name, outcome) in &outcomes {
        outcome.row(name);
    }
    if only.is_empty() {
        assert!(all.is_as_good_as(&BEFORE), "{all:?} is worse than {BEFORE:?}");
    }
}

//! Every match of `fixtures/verdicts`, as it is told and judged: a match to begin with, changes of somebody who holds the
//! server and its keys, and what a verifier says.
//!
//! A block `case NAME` begins with `of MATCH`, or `of MATCH: HAND`: the match as it is, or as a hand has altered it. Lines
//! with `>` play on, lines with `~` change something ([`crate::changes`]), and the others are expected.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::panic::catch_unwind;
use std::thread;

use ledger::{Head, Seq, leaf_hash};
use record::body::Body;
use record::verify::{Check, Detail, Report, Status};
use record::{Bundle, Rule};

use crate::book::Book;
use crate::changes::change;
use crate::evil_host::{EvilHost, pieces};
use crate::forger::{Seals, forged};
use crate::log::{logged, policy};
use crate::report::{broken, failing, said};
use crate::rounds;
use crate::script::{Block, FILES};

/// A bundle, and what is expected of it.
struct Case<'f> {
    bundle: Bundle,
    report: Report,
    /// The lines of the steps, as everybody reads them.
    steps: String,
    expected: Vec<&'f str>,
}

impl<'f> Case<'f> {
    /// The cases of a block: one for each match that it begins with.
    fn all(block: &'f Block) -> Vec<Self> {
        let of = block.lines[0].strip_prefix("of ").unwrap_or_else(|| panic!("{}: of a match", block.name));
        let (names, hand) = of.split_once(": ").unwrap_or((of, ""));
        names.split(" | ").map(|name| Self::of(block, name, hand)).collect()
    }

    fn of(block: &'f Block, name: &str, hand: &str) -> Self {
        let starting = |sign: char| move |line: &&String| line.starts_with(sign);
        let after = |line: &'f String| line[1..].trim_start();
        let played: Vec<&str> = block.lines.iter().filter(starting('>')).map(after).collect();
        let changes: Vec<&str> = block.lines.iter().filter(starting('~')).map(after).collect();
        let expected = block.lines.iter().skip(1).filter(|line| !line.starts_with(['>', '~'])).map(String::as_str);
        let book = Book::of(name).follows(&played);
        let mut told = pieces(&book);
        let altered = changes.iter().filter(|_| hand != "raw");
        altered.for_each(|line| change(&mut told, line));
        let by_forger = |seals| {
            let read =
                |entry: ledger::Entry| (entry.clone(), Body::read(&entry).unwrap_or_else(|error| panic!("{error}")));
            let entries: Vec<_> = told.iter().map(|piece| read(piece.entry(&book))).collect();
            forged(&book, seals, |all| all.clone_from(&entries))
        };
        let bundle = match hand {
            "" | "read" => book.bundle(),
            "kept" => by_forger(Seals::Kept),
            "remade" => by_forger(Seals::Remade),
            "logged" | "shown" => logged(&book),
            "told" => EvilHost::of(&book, true).tells(told).unwrap(),
            "told without keys" => EvilHost::of(&book, false).tells(told).unwrap(),
            "raw" => raw(&book, &changes),
            other => panic!("{other}: nobody's hand"),
        };
        let read = Bundle::read(&bundle.write()).unwrap();
        assert_eq!(read, bundle, "a bundle reads as it is written");
        // What is shown to everybody is judged by no policy.
        let policy = (hand == "logged").then(|| policy(&book));
        let check = Check::of(&read, policy.as_ref()).with_rounds(rounds::is_signed);
        let steps = check.history().map(|history| history.steps.iter().map(|step| step.public.as_str()).collect());
        let steps = steps.map_or_else(String::new, |steps: Vec<&str>| steps.join(" | "));
        Self { report: check.report(), steps, bundle, expected: expected.collect() }
    }

    /// The expectations that are not met.
    fn faults(&self) -> Vec<&'f str> {
        self.expected.iter().filter(|line| !self.meets(line)).copied().collect()
    }

    /// True if the entries or the report are as a line expects.
    fn meets(&self, line: &str) -> bool {
        let (what, text) = line.split_once(": ").unwrap_or((line, ""));
        let of_kind = |kind: &str| {
            let kind = format!("\"kind\":\"{kind}\"");
            let lines = self.bundle.lines.iter().map(|line| String::from_utf8_lossy(line));
            lines.filter(|line| line.contains(&kind)).map(|line| line.matches(text).count()).sum::<usize>()
        };
        match what.split_once(' ') {
            None if what == "steps" => self.steps == text,
            Some(("never", kind)) => of_kind(kind) == 0,
            Some(("once", kind)) if kind.parse::<u8>().is_err() => of_kind(kind) == 1,
            Some(("twice", kind)) => of_kind(kind) == 2,
            _ => meets(&self.report, line),
        }
    }
}

/// The first entry alone, with other bytes: `FROM -> TO`, in which `%09` is a byte.
fn raw(book: &Book, changes: &[&str]) -> Bundle {
    let mut line = book.lines[0].clone();
    for change in changes {
        let (from, to) = change.split_once(" -> ").unwrap_or_else(|| panic!("{change}: no change of bytes"));
        let at = line.windows(from.len()).position(|bytes| bytes == from.as_bytes()).expect(from);
        let mut parts = to.split('%');
        let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
        for part in parts {
            bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
            bytes.extend(part[2..].bytes());
        }
        line.splice(at..at + from.len(), bytes);
    }
    let head = Head { next: Seq(1), leaf: leaf_hash(&line) };
    Bundle { lines: vec![line], head, ..book.bundle() }
}

/// True if a report says what a line expects.
fn meets(report: &Report, line: &str) -> bool {
    let (what, text) = line.split_once(": ").unwrap_or((line, ""));
    let mut words = what.split(' ');
    let word = words.next().unwrap_or_default();
    let number: Option<usize> = what.rsplit(' ').next().and_then(|last| last.parse().ok());
    let finding = number.map(|number| &report.findings[number - 1]);
    let details = || finding.map(|finding| finding.details.as_slice()).unwrap_or_default();
    let wrong = |text: &str| details().iter().any(|detail| detail.wrong && detail.text.contains(text));
    let texts = |of: &dyn Fn(&&Detail) -> bool| {
        details().iter().filter(of).map(|detail| detail.text.as_str()).collect::<Vec<_>>().join(" | ")
    };
    let rules = || words.clone().map(|rule| Rule::ALL.iter().find(|known| known.to_string() == rule).unwrap());
    match word {
        // These findings fail and no other, the last of them with this text.
        "only" => {
            words.map(|number| number.parse::<u8>().unwrap()).eq(failing(report)) && (text.is_empty() || wrong(text))
        }
        "fails" => finding.is_some_and(|finding| finding.status == Status::Failed) && (text.is_empty() || wrong(text)),
        "titles" => report.findings.iter().map(|finding| finding.title).eq(text.split(" | ")),
        "good" => report.is_good(),
        "bad" => !report.is_good(),
        "verdict" => report.verdict.to_string() == text,
        "verdict-begins" => report.verdict.to_string().starts_with(text),
        "status" => finding.is_some_and(|finding| finding.status.word() == text),
        "summary" => finding.is_some_and(|finding| finding.summary.contains(text)),
        "sums-up" => finding.is_some_and(|finding| finding.summary == text),
        "no-summary" => finding.is_some_and(|finding| !finding.summary.contains(text)),
        "says" => report.is_good() && details().iter().any(|detail| detail.text.contains(text)),
        "lists" => details().iter().any(|detail| detail.text == text),
        "once" => details().iter().filter(|detail| detail.text.contains(text)).count() == 1,
        "silent" => !details().iter().any(|detail| detail.text.contains(text)),
        "wrong" => texts(&|detail| detail.wrong) == text,
        "details" => texts(&|_| true) == text,
        "breaks" => rules().all(|rule| broken(report).contains(rule)),
        "breaks-only" => rules().copied().collect::<BTreeSet<_>>() == broken(report),
        "rules" => rules().all(|rule| said(report).contains(rule)),
        "no-rules" => !rules().any(|rule| said(report).contains(rule)),
        other => panic!("{other}: nothing to expect"),
    }
}

/// The verdict, and what is wrong, or all that is said if nothing is.
fn shown(report: &Report) -> Vec<String> {
    let all = || report.findings.iter().flat_map(|finding| &finding.details);
    let told = all().filter(|detail| detail.wrong || report.is_good());
    let told = told.map(|detail| format!("{}: {}", detail.rule, detail.text));
    let sums = report
        .findings
        .iter()
        .map(|finding| format!("{} {}: {}", finding.number, finding.status.word(), finding.summary));
    [report.verdict.to_string()].into_iter().chain(told).chain(sums).collect()
}

/// A case as a bundle, and the rules that it is about.
pub(crate) struct Example {
    pub(crate) name: &'static str,
    pub(crate) bundle: Bundle,
    pub(crate) rules: String,
}

/// The cases of one file, or of all.
pub(crate) fn examples(file: Option<&str>) -> Vec<Example> {
    let files = FILES.iter().filter(|(name, _)| file.is_none_or(|file| file == *name));
    let blocks = files.flat_map(|(_, blocks)| blocks).filter(|block| block.word == "case");
    let example = |name, case: Case<'static>| {
        let rules =
            case.expected.iter().filter_map(|line| line.strip_prefix("breaks ").or(line.strip_prefix("rules ")));
        Example { name, rules: rules.collect::<Vec<_>>().join(" "), bundle: case.bundle }
    };
    blocks.flat_map(|block| Case::all(block).into_iter().map(|case| example(block.name.as_str(), case))).collect()
}

#[test]
fn every_case_is_judged_as_its_fixture_says() {
    let judge = |blocks: &'static [Block]| {
        let mut said = String::new();
        for block in blocks.iter().filter(|block| block.word == "case") {
            let Ok(cases) = catch_unwind(|| Case::all(block)) else {
                writeln!(said, "{}: cannot be told", block.name).unwrap();
                continue;
            };
            for case in cases {
                assert!(!case.expected.is_empty(), "{}: nothing is expected", block.name);
                let faults = case.faults();
                if !faults.is_empty() {
                    writeln!(said, "{}: {faults:#?}\n{}\n{:#?}", block.name, case.steps, shown(&case.report)).unwrap();
                }
            }
        }
        said
    };
    let said: Vec<String> = thread::scope(|scope| {
        let running: Vec<_> = FILES.values().map(|blocks| scope.spawn(move || judge(blocks))).collect();
        running.into_iter().map(|judged| judged.join().unwrap()).collect()
    });
    assert!(said.concat().is_empty(), "{}", said.concat());
}

//! The sources in `fixtures/imports/`: each file holds what was given beside the source, the source, what each of its lines was taken
//! for, the answers to its questions, and the match that came of it.
//!
//! An answer is a button, or lines that are written in the place of one, or above all: `[Black: score]`, `12: p1: score ⏎ p2: -`,
//! `0: [DMO "p1"]`.
//! `UPDATE=1 cargo test -p matchbook-import` rewrites the files, but for the answers.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{Does, Facts, Fix, Form, Reading, Speakers, Who, read, who_is};

const SOURCE: &str = "== source\n";
const UNDERSTOOD: &str = "== understood\n";
const ANSWERS: &str = "== answers\n";
const MATCH: &str = "== match\n";
/// Between lines that are written in the place of one.
const BREAK: &str = " ⏎ ";

/// A file.
pub(super) struct Source {
    path: PathBuf,
    head: String,
    written: String,
    answers: String,
    form: Form,
    facts: Facts,
    /// The match that was played, where somebody who had not read this crate wrote the source from it.
    pub(super) played: Option<String>,
}

/// A source on its way to its match.
pub(super) struct State<'s> {
    pub(super) source: &'s Source,
    pub(super) text: String,
    speakers: Speakers,
    pub(super) reading: Reading,
}

impl Source {
    fn read(path: PathBuf) -> Self {
        let file = fs::read_to_string(&path).unwrap();
        let (head, rest) = file.split_once(SOURCE).unwrap_or_else(|| panic!("{}: no source", path.display()));
        let (written, rest) = rest.split_once(UNDERSTOOD).unwrap_or((rest, ""));
        let answers = rest.split_once(ANSWERS).map_or("", |(_, rest)| rest.split(MATCH).next().unwrap_or_default());
        let mut facts = Facts::default();
        let mut played = None;
        for (name, value) in head.lines().filter_map(|line| line.split_once(": ")) {
            if name == "match" {
                let path = path.with_file_name("../matches").join(value).with_extension("dmn");
                played = Some(fs::read_to_string(path).unwrap());
            } else if !name.ends_with("is called") {
                assert!(facts.take(name, value), "{name}");
            }
        }
        let (head, written, answers) = (head.to_owned(), written.to_owned(), answers.to_owned());
        Self { form: Form::of(&written.replace('␍', "\r")), path, head, written, answers, facts, played }
    }

    pub(super) fn name(&self) -> String {
        self.path.file_stem().unwrap().to_string_lossy().into_owned()
    }

    pub(super) fn text(&self) -> String {
        self.written.replace('␍', "\r")
    }

    /// Reads the source as it is.
    pub(super) fn open(&self) -> State<'_> {
        self.read_as(self.text())
    }

    pub(super) fn answered<'s>(&'s self, open: State<'s>) -> State<'s> {
        self.answers.lines().fold(open, |state, answer| state.answered(answer))
    }

    /// Reads another text in its place.
    pub(super) fn read_as(&self, text: String) -> State<'_> {
        let mut speakers = Speakers::everywhere();
        for (name, value) in self.head.lines().filter_map(|line| line.split_once(" is called: ")) {
            let who = Who::ALL.into_iter().find(|who| format!("{who:?}").to_lowercase() == name);
            speakers.add(value, who.unwrap());
        }
        State::read(self, text, speakers)
    }

    /// Writes these answers into the file.
    pub(super) fn write(&self, answers: &str) {
        let answered = Self { answers: answers.to_owned(), ..Self::read(self.path.clone()) };
        fs::write(&self.path, answered.comes()).unwrap();
    }

    /// The file as it is now.
    fn comes(&self) -> String {
        let Self { head, written, answers, .. } = self;
        let open = self.open();
        let told = told(&open.reading);
        let end = self.answered(open);
        let dmn = end.reading.import.as_ref().map_or("none\n", |_| end.reading.dmn.as_str());
        let answers = if answers.is_empty() { String::new() } else { format!("{ANSWERS}{answers}") };
        format!("{head}{SOURCE}{written}{UNDERSTOOD}{told}{answers}{MATCH}{dmn}")
    }
}

impl<'s> State<'s> {
    fn read(source: &'s Source, text: String, speakers: Speakers) -> Self {
        let reading = read(&text, source.form, &source.facts, &speakers);
        let lines: Vec<&str> = text.lines().collect();
        for row in &reading.rows {
            assert_eq!(row.source.trim_start_matches('\u{feff}'), lines[row.line - 1].trim_start_matches('\u{feff}'));
        }
        Self { source, text, speakers, reading }
    }

    pub(super) fn pressed(&self, fix: &Fix) -> Self {
        let mut speakers = self.speakers.clone();
        match &fix.does {
            Does::Name { name, who } => speakers.add(name, *who),
            Does::Layout(layout) => speakers.layout = Some(layout.clone()),
            _ => {}
        }
        Self::read(self.source, fix.does.apply(&self.text).unwrap(), speakers)
    }

    /// Leaves a line out, and writes these in its place; above all lines for line 0.
    pub(super) fn written(&self, line: usize, now: &[String]) -> Self {
        let mut lines: Vec<String> = self.text.lines().map(str::to_owned).collect();
        line.checked_sub(1).into_iter().for_each(|at| lines[at].insert_str(0, "# "));
        lines.splice(line..line, now.iter().cloned());
        Self::read(self.source, lines.join("\n") + "\n", self.speakers.clone())
    }

    /// All buttons: those that say who somebody is, and those of the lines.
    pub(super) fn fixes(&self) -> Vec<Fix> {
        let Reading { strangers, facts, rows, layout, .. } = &self.reading;
        let names = strangers.iter().flat_map(|name| who_is(name, facts.names.as_ref().map(String::as_str)));
        let layout = layout.iter().flatten().cloned();
        names.chain(layout).chain(rows.iter().flat_map(|row| row.fixes.clone())).collect()
    }

    fn answered(&self, answer: &str) -> Self {
        if let Some(label) = answer.strip_prefix('[').and_then(|answer| answer.strip_suffix(']')) {
            let fixes = self.fixes();
            let fix = fixes.iter().find(|fix| fix.label == label);
            let fix = fix.unwrap_or_else(|| {
                let labels: Vec<&str> = fixes.iter().map(|fix| fix.label.as_str()).collect();
                panic!("{}: no button {answer} among {labels:#?}", self.source.name())
            });
            return self.pressed(fix);
        }
        let (line, now) = answer.split_once(':').unwrap();
        let now: Vec<String> = now.split(BREAK).map(|line| line.trim().to_owned()).collect();
        self.written(line.parse().unwrap(), if now == [""] { &[] } else { &now })
    }

    pub(super) fn answer(line: usize, now: &[String]) -> String {
        format!("{line}: {}", now.join(BREAK)).trim_end().to_owned()
    }
}

fn told(reading: &Reading) -> String {
    let mut out = String::new();
    let mut say = |line: String| writeln!(out, "{}", line.trim_end()).unwrap();
    for problem in &reading.problems {
        say(format!("problem: {problem}"));
    }
    for note in &reading.notes {
        say(format!("note: {note}"));
    }
    for presses in reading.layout.iter().filter(|_| reading.layout.len() > 1) {
        say(presses.iter().map(|fix| format!("[{}] ", fix.label)).collect());
    }
    for stranger in &reading.strangers {
        say(format!("stranger: {stranger}"));
        for fix in who_is(stranger, reading.facts.names.as_ref().map(String::as_str)) {
            say(format!("    [{}]", fix.label));
        }
    }
    for row in &reading.rows {
        let parts = [row.taken.phrase(), row.words.clone(), row.standing.clone()];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        say(format!("{}: {}", row.line, parts.join(" | ")));
        if let Some(wrong) = &row.wrong {
            say(format!("    wrong at \u{201c}{}\u{201d}: {}", wrong.found, wrong.expected));
        }
        for fix in &row.fixes {
            say(format!("    [{}]", fix.label));
        }
    }
    out
}

pub(super) fn sources() -> Vec<Source> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/imports");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(Source::read).collect()
}

#[test]
fn every_source_is_understood_as_its_file_says() {
    let mut differ = Vec::new();
    for source in sources() {
        let comes = source.comes();
        if comes != fs::read_to_string(&source.path).unwrap() {
            differ.push(source.name());
            if std::env::var_os("UPDATE").is_some() {
                fs::write(&source.path, comes).unwrap();
            }
        }
    }
    assert!(differ.is_empty(), "UPDATE=1 writes what comes now: {differ:#?}");
}

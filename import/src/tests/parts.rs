//! What each part of the reader makes of a text, as `fixtures/import-parts/` says: a file for each part, with cases that are a text
//! and, behind `=> `, what comes of it. `␍` is written for a line's end of another system.
//!
//! `UPDATE=1 cargo test -p matchbook-import` rewrites what comes.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use engine::dmn::Error;
use engine::{BySeat, Duel, Seat, Setup};

use crate::client_formats::ClientFormats;
use crate::facts_in_text::FactsInText;
use crate::layout_pattern::Header;
use crate::preview::{Row, Taken, Wrong};
use crate::sentences::{clauses, endings, sentences};
use crate::stated_score::StatedScore;
use crate::timestamps::Order;
use crate::typed_move::{Typed, Vocabulary};
use crate::{Does, Facts, Fix, Form, Reading, Speakers, TaughtLayout, Who};

const COMES: &str = "=> ";

type Part = (&'static str, fn(&str) -> String);

const PARTS: [Part; 23] = [
    ("anything", anything),
    ("clauses", clauses_of),
    ("encoding", encoding),
    ("ending", |text| format!("{:?}", endings(text).last())),
    ("export", |text| crate::transcribe(text).unwrap_or_else(none)),
    ("facts-in-text", facts_in_text),
    ("fix", fix),
    ("form", |text| Form::of(text).word().to_owned()),
    ("header", header),
    ("may-be-a-move", |text| {
        Vocabulary::of_the_game(&duel("five-card-trick/dm-colosseum-2")).may_be_in(text).to_string()
    }),
    ("messages", messages),
    ("nearest-moves", nearest_moves),
    ("nearest-word", |text| {
        let (said, words) = text.split_once('\n').unwrap();
        format!("{:?}", crate::nearest_moves::nearest_word(said, words.lines()))
    }),
    ("pasted-table", |text| {
        let lines: Vec<(usize, &str)> = text.lines().enumerate().collect();
        let said = crate::pasted_table::lines(&lines, &Speakers::everywhere());
        said.iter().map(|(at, line)| format!("{at}: {line}\n")).collect()
    }),
    ("round-number", round_number),
    ("sentences", |text| sentences(text).collect::<Vec<_>>().join("\n")),
    ("speaker", speaker),
    ("stated-score", |text| format!("{:?}", StatedScore::read(text, &black_and("White")))),
    ("tag", |text| format!("{:?}", crate::facts::tag(text))),
    ("taught-layout", taught_layout),
    ("time", time),
    ("typed-move", typed_move),
    ("wrong-place", wrong_place),
];

fn none() -> String {
    "none".to_owned()
}

fn black_and(p2: &str) -> Speakers {
    let mut speakers = Speakers::everywhere();
    speakers.add("Black", Who::P1);
    speakers.add(p2, Who::P2);
    speakers
}

fn duel(ruleset: &str) -> Duel {
    Duel::open(&Setup { ruleset: ruleset.into(), dmo: Some(Seat::P1), ..Setup::default() }).unwrap()
}

fn rows(text: &str) -> Vec<Row> {
    text.lines().enumerate().map(|(n, line)| Row::new(n + 1, line, Taken::Later, "")).collect()
}

/// Whatever is pasted is told line by line, and every button finds its line.
fn anything(text: &str) -> String {
    let (how, said) = text.split_once('\n').unwrap();
    let (kind, count) = how.split_once(' ').unwrap();
    let (before, said) = said.split_once('…').unwrap_or(("", said));
    let (said, behind) = said.split_once('…').unwrap_or((said, ""));
    let many: String = match kind {
        "lines" => (0..count.parse().unwrap()).map(|n: usize| said.replace("{n}", &n.to_string()) + "\n").collect(),
        _ => said.repeat(count.parse().unwrap()),
    };
    let names = BySeat { p1: "Black".into(), p2: "White".into() };
    let given = Facts { ruleset: "five-card-trick/dm-colosseum-2".into(), names, ..Facts::default() };
    let pasted = format!("{before}{many}{behind}").replace('␀', "\0");
    let lines: Vec<&str> = pasted.lines().collect();
    let told = Form::ALL.map(|form| {
        let reading = crate::read(&pasted, form, &given, &Speakers::everywhere());
        assert!(reading.import.is_none(), "{form:?}");
        for row in &reading.rows {
            let line = lines.get(row.line - 1).copied().unwrap_or_default().trim_start_matches('\u{feff}');
            assert_eq!(row.source.trim_start_matches('\u{feff}'), line, "{form:?}");
            assert!(row.fixes.iter().all(|fix| fix.does.apply(&pasted).is_some()), "{form:?}: {row:?}");
        }
        format!("{}: {} rows, {} wrong\n", form.word(), reading.rows.len(), reading.wrong())
    });
    told.concat()
}

fn clauses_of(text: &str) -> String {
    clauses(text, &black_and("Zoë Quill")).iter().map(|clause| format!("{} {}\n", clause.seat, clause.text)).collect()
}

fn encoding(text: &str) -> String {
    let (name, text) = text.split_once('\n').unwrap_or((text, ""));
    let units = || format!("\u{feff}{text}").encode_utf16().collect::<Vec<_>>();
    let bytes = match name {
        "utf-8" => text.as_bytes().to_vec(),
        "utf-8 with its mark" => format!("\u{feff}{text}").into_bytes(),
        "utf-16 little" => units().into_iter().flat_map(u16::to_le_bytes).collect(),
        "utf-16 big" => units().into_iter().flat_map(u16::to_be_bytes).collect(),
        hex => {
            let figures = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
            (0..hex.len()).step_by(2).map(figures).collect()
        }
    };
    match crate::text_encoding::read(bytes) {
        Ok(read) => format!("{:?}\n{}", read.text, read.read_as),
        Err(why) => format!("refused: {why}"),
    }
}

fn facts_in_text(line: &str) -> String {
    let text = format!("{line}\nAda: hi\nBo: hi");
    let (mut rows, mut facts) = (rows(&text), Facts::default());
    let mut lines: Vec<(usize, &str)> = text.lines().enumerate().collect();
    let _ = FactsInText::find(&lines).fill(&mut facts, &Speakers::everywhere(), &mut rows, &mut lines);
    format!("{} / {} | {} | {}", facts.names.p1, facts.names.p2, facts.dmo, facts.ruleset)
}

fn fix(text: &str) -> String {
    let (button, text) = text.split_once('\n').unwrap();
    let (name, number) = button.rsplit_once(' ').unwrap_or((button, ""));
    let at: usize = number.parse().unwrap_or(1);
    let line = text.lines().nth(at - 1).unwrap();
    let [above, from] = Fix::one_match(at, line);
    let does = match name {
        "leave out" => Some(Fix::ignore(at, line).does),
        "leave out the rest" => Some(Fix::ignore_rest(at, line).does),
        "read the match above" => Some(above.does),
        "read the match that begins" => Some(from.does),
        _ => Does::read(button),
    };
    let Some(does) = does else { return "no button".to_owned() };
    let code = Fix { label: String::new(), does: does.clone() }.code();
    assert_eq!(Does::read(&code).as_ref(), Some(&does), "a code is read as it is written");
    does.apply(text).unwrap_or_else(none)
}

fn header(text: &str) -> String {
    let (lines, speakers): (Vec<&str>, _) = (text.lines().collect(), black_and("White"));
    let header = ClientFormats::find(&lines, &speakers, &|_| false).header(&lines);
    header.map_or_else(none, |header| format!("{header:?}"))
}

fn messages(text: &str) -> String {
    let mut reading = Reading { rows: rows(text), ..Reading::default() };
    let lines: Vec<(usize, &str)> = text.lines().enumerate().collect();
    let all = crate::messages::messages(&lines, &Speakers::everywhere(), &|_| false, &mut reading);
    let mut out = String::new();
    for message in all {
        let words: Vec<String> = message.parts.into_iter().map(|(_, words)| words).collect();
        writeln!(out, "{}: {}", message.name, words.join(" | ")).unwrap();
    }
    reading.notes.iter().for_each(|note| writeln!(out, "note: {note}").unwrap());
    out
}

fn nearest_moves(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let [ruleset, steps @ .., said] = lines.as_slice() else { return none() };
    let mut duel = duel(ruleset);
    steps.iter().for_each(|step| drop(duel.play(step, None).unwrap()));
    let offered = crate::nearest_moves::nearest(&duel, Seat::P1.into(), said);
    let what = duel.asks().pop().unwrap().what;
    assert!(offered.iter().all(|text| duel.read(Seat::P1, &what, text).is_ok()), "the rules refuse one of {offered:?}");
    offered.join("\n")
}

fn round_number(text: &str) -> String {
    let [long, alone] = [true, false].map(|short| crate::round_numbers::read(text, short));
    if long == alone { format!("{long:?}") } else { format!("{long:?}\n{alone:?}") }
}

fn speaker(text: &str) -> String {
    let mut speakers = Speakers::everywhere();
    let mut asked = "";
    for line in text.lines() {
        match line.rsplit_once(" is ") {
            Some((name, "p1")) => speakers.add(name, Who::P1),
            Some((name, "nobody")) => speakers.add(name, Who::Nobody),
            _ => asked = line,
        }
    }
    let name = crate::speakers::is_name(asked);
    format!("{:?}\n{:?}\n{name}", speakers.who(asked), speakers.leading(asked))
}

/// The first line holds what is pressed, in turn.
fn taught_layout(text: &str) -> String {
    let (presses, text) = text.split_once('\n').unwrap();
    let (lines, mut layout) = (text.lines().enumerate().collect::<Vec<_>>(), TaughtLayout::default());
    for label in presses.split(" / ") {
        let buttons: Vec<Fix> = layout.presses(&lines).into_iter().flatten().collect();
        let labels: Vec<&str> = buttons.iter().map(|fix| fix.label.as_str()).collect();
        let pressed = buttons.iter().find(|fix| fix.label == label).unwrap_or_else(|| panic!("{label} in {labels:?}"));
        let Does::Layout(next) = &pressed.does else { panic!("{label} shows no layout") };
        layout = TaughtLayout::read(&next.code()).unwrap();
    }
    assert_eq!(layout.asks(), None);
    let (lines, pattern): (Vec<&str>, _) = (text.lines().collect(), layout.pattern().unwrap());
    let headers = (0..lines.len()).filter_map(|at| crate::layout_pattern::read(&pattern, &lines[at..]));
    headers.map(|Header { time, name, text, .. }| format!("{time:?} {name:?} {text:?}\n")).collect()
}

fn time(text: &str) -> String {
    let [day, month] = [Order::DayFirst, Order::MonthFirst].map(|order| crate::timestamps::day(text, order));
    let [bracketed, alone] = [true, false].map(|in_brackets| crate::timestamps::is_time(text, in_brackets));
    let [day, month] = [day, month].map(|day| day.unwrap_or_else(none));
    format!("{day}, {month} | {bracketed}, {alone} | {:?}", crate::timestamps::clock(text))
}

fn typed_move(text: &str) -> String {
    let (ruleset, text) = text.split_once('\n').unwrap();
    let (duel, names) = (duel(ruleset), BySeat { p1: "Black", p2: "White" });
    match crate::typed_move::read(&duel, Seat::P1, &Vocabulary::of(&duel, Seat::P1.into()), text, names) {
        Typed::Answer(answer) => answer.text,
        Typed::Several(all) => all.join("\n"),
        Typed::Refused(_) => none(),
    }
}

fn wrong_place(text: &str) -> String {
    let (place, text) = text.split_once('\n').unwrap();
    let [line, column, found] = place.split(' ').collect::<Vec<_>>().try_into().unwrap();
    let (line, column) = (line.parse().unwrap(), column.parse().unwrap());
    let error = Error { line, column, found: found.to_owned(), expected: "x".into(), sealed: false };
    let wrong = Wrong::of(text, &error);
    format!("{}[{}]{}\n{}", wrong.before, wrong.found, wrong.after, wrong.expected)
}

/// The remarks above the cases of a file, and the texts of the cases.
fn texts(file: &str) -> (&str, Vec<String>) {
    let (remarks, cases) = file.split_once("\n\n").unwrap();
    let (mut texts, mut text, mut ended) = (Vec::new(), String::new(), false);
    for line in cases.lines() {
        let comes = line.starts_with(COMES.trim_end());
        if comes && !ended {
            texts.push(std::mem::take(&mut text));
        } else if !comes && !ended {
            writeln!(text, "{line}").unwrap();
        }
        // An empty line behind what comes ends a case.
        ended = comes;
    }
    (remarks, texts)
}

#[test]
fn every_part_reads_what_its_file_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/import-parts");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), PARTS.len());
    let mut differ = Vec::new();
    for (name, part) in PARTS {
        let path = folder.join(name).with_extension("txt");
        let file = fs::read_to_string(&path).unwrap();
        let (remarks, texts) = texts(&file);
        let mut comes = format!("{remarks}\n");
        for text in texts {
            let read = part(text.strip_suffix('\n').unwrap_or(&text).replace('␍', "\r").as_str());
            write!(comes, "\n{text}").unwrap();
            let lines = if read.is_empty() { vec![""] } else { read.lines().collect() };
            lines.iter().for_each(|line| writeln!(comes, "{}", format!("{COMES}{line}").trim_end()).unwrap());
        }
        if comes != file {
            differ.push(name);
            if std::env::var_os("UPDATE").is_some() {
                fs::write(&path, comes).unwrap();
            }
        }
    }
    assert!(differ.is_empty(), "UPDATE=1 writes what comes now: {differ:#?}");
}

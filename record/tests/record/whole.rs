//! Every match of the archive, recorded round by round and imported whole.

use std::collections::BTreeSet;

use engine::{Seat, Verdict};
use record::body::Body;
use record::verify::verify;
use record::write::{self, Import, WriteContext};
use record::{Bundle, History, dmn};

use crate::book::{Book, Fixture, archive};

/// The file without the tags that a recorded match does not have.
fn without_stage(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with("[Stage ")).map(|line| format!("{line}\n")).collect()
}

/// The first match of every ruleset for every reason to end: recording all would take long.
fn one_of_each_ending() -> Vec<Fixture> {
    let mut seen = BTreeSet::new();
    // Such as `five-card-trick/dm-colosseum-2/more-chips-`.
    let ending = |name: &str| {
        let (folder, name) = name.rsplit_once('/').unwrap();
        format!("{folder}/{}", name.split(|c: char| c.is_ascii_digit()).next().unwrap())
    };
    archive().into_iter().filter(|file| seen.insert(ending(&file.name))).collect()
}

#[test]
fn matches_of_the_archive_can_be_recorded_round_by_round() {
    let mut rulings = 0;
    for file in one_of_each_ending() {
        let mut book = Book::replays(&file);
        book.ends();
        let ruled = usize::from(file.text.contains("umpire: "));
        let expected = ["verified (recorded by the umpire)", "verified with 1 ruling (recorded by the umpire)"][ruled];
        assert_eq!(book.verdict(), expected, "{}", file.name);
        assert_eq!(dmn(&book.public()), without_stage(&file.text), "{}", file.name);
        rulings += ruled;
    }
    assert!(rulings > 0);
}

#[test]
fn every_match_of_the_archive_can_be_imported() {
    for file in archive() {
        let book = Book::imported(&file.text);
        let decided = match file.text.matches("\numpire: result ").count() {
            0 => "imported",
            1 => "imported with 1 ruling",
            n => panic!("{}: {n} decisions", file.name),
        };
        assert_eq!(book.verdict(), format!("{decided}; the moves follow the rules"), "{}", file.name);
        assert_eq!(dmn(&book.public()), file.text, "{}", file.name);
    }
}

#[test]
fn every_match_of_the_past_can_be_made_void_once_and_is_ruled_on_no_further() {
    for file in archive() {
        let mut book = Book::imported(&file.text);
        let undone = |verdict| {
            move |context: &mut WriteContext<'_>, history: &History, _: &_| {
                write::rule(context, history, None, "entered twice", verdict)
            }
        };
        let was_void = file.text.contains("[Result \"void\"]");
        for verdict in [None, Some(Verdict::Undecided), Some(Verdict::Won(Seat::P1))] {
            assert!(book.writes(undone(verdict)).is_err(), "{}", file.name);
        }
        assert_eq!(book.writes(undone(Some(Verdict::Void))).is_err(), was_void, "{}", file.name);
        let history = book.public();
        assert!(history.is_ended() && history.outcome().tag() == "void", "{}", file.name);
        assert!(book.verdict().starts_with("imported with "), "{}: {}", file.name, book.verdict());
        assert!(book.writes(undone(Some(Verdict::Void))).is_err(), "{}", file.name);
    }
}

#[test]
fn a_match_of_the_past_hides_what_the_rules_hid() {
    let mut hidden = 0;
    for file in archive() {
        let history = Book::imported(&file.text).public();
        let mut duel = history.start.clone();
        for step in &history.steps {
            let played = duel.play(step.text.as_deref().unwrap(), None).unwrap();
            assert_eq!((&step.public, &step.moves), (&played.public, &played.moves), "{}", file.name);
            hidden += usize::from(played.public != played.text);
        }
    }
    assert!(hidden > 100, "{hidden}");
}

#[test]
fn a_bundle_that_is_no_bundle_says_where() {
    let file = Book::imported(&archive()[0].text).bundle().write();
    let text = String::from_utf8(file).unwrap();
    let said = |text: &str| Bundle::read(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(
        said(&text.replace("bundle/2", "bundle/3")),
        "line 1: this program reads bundle/2, and this is \"bundle/3\""
    );
    assert!(said("\n").starts_with("line 1: "), "{}", said("\n"));
    assert!(said("{}\n").starts_with("line 1: missing field"), "{}", said("{}\n"));
    let last = text.trim_end().rsplit('\n').next().unwrap();
    let twice = format!("{text}{last}\n");
    let short = &text[..text.len() - last.len() - 1];
    assert!(said(short).ends_with("lines follow the entries by the header, and 3 are here"), "{}", said(short));
    assert_eq!(said(&twice), format!("line {}: this text is here twice", twice.lines().count()));
    let other = text.replace("\"text\":", "\"txet\":");
    assert!(said(&other).contains("unknown field `txet`"), "{}", said(&other));
    assert!(verify(&Bundle::read(text.as_bytes()).unwrap()).is_good());
}

#[test]
fn a_blank_source_is_no_source() {
    let import = Import::read(&archive()[0].text).unwrap();
    let sources = |source: Option<&str>| {
        let book = Book::imported_from(&import, source);
        let bodies = book.entries().into_iter().map(|entry| Body::read(&entry).unwrap());
        bodies.filter(|body| matches!(body, Body::Imported(imported) if imported.source.is_some())).count()
    };
    assert_eq!([None, Some(""), Some(" \n\t"), Some("a paste")].map(sources), [0, 0, 0, 1]);
}

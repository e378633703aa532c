//! The sentences of the verdicts, and of the findings, word for word.

use engine::{Seat, Verdict};
use record::verify::{Report, verify};

use crate::acts::NO_ITEMS;
use crate::book::Book;

fn running() -> Book {
    let mut book = Book::opened("five-card-trick/genius-puzzler", Some(Seat::P2), NO_ITEMS);
    book.plays("score grow / score steal");
    book
}

fn hiding() -> Book {
    let mut book = running();
    book.plays("claim block:claim / grow block:steal");
    book
}

fn ended() -> Book {
    let mut book = hiding();
    book.rules("conceded", Some(Verdict::Won(Seat::P1)));
    book.ends();
    book
}

/// A match of the past in whose text the umpire decided twice, differently.
fn decided_in_the_past() -> Book {
    let head = "[DMN \"1\"]\n[Ruleset \"five-card-trick/genius-puzzler\"]\n[P1 \"Ann\"]\n[P2 \"Ben\"]\n[DMO \"p2\"]";
    let steps = "1. score grow / score steal\numpire: result p1 Ben left\numpire: result p2 It was Ann who left";
    Book::imported(&format!("{head}\n\n{steps}\n"))
}

fn corrected() -> Book {
    let mut book = ended();
    book.corrects(1, Some("score claim"), None);
    book
}

#[test]
fn every_verdict_is_one_sentence() {
    let broken = |entry: usize| {
        let mut bundle = ended().bundle();
        bundle.lines[entry][200] ^= 1;
        verify(&bundle).verdict.to_string()
    };
    let other_rules = || {
        let mut book = ended();
        let first = String::from_utf8(book.lines[0].clone()).unwrap().replace("\"rules\":2", "\"rules\":3");
        book.lines = vec![first.into_bytes()];
        book.head = ledger::Head { next: ledger::Seq(1), leaf: ledger::leaf_hash(&book.lines[0]) };
        book.verdict()
    };
    let table = [
        (running().verdict(), "so far verified (recorded by the umpire)"),
        (hiding().verdict(), "checked up to step 1: later values are sealed until the end of the match"),
        (ended().verdict(), "verified with 1 ruling (recorded by the umpire)"),
        (corrected().verdict(), "so far verified with 1 ruling and 1 correction (recorded by the umpire)"),
        (Book::imported(&crate::book::archive()[0].text).verdict(), "imported; the moves follow the rules"),
        (decided_in_the_past().verdict(), "imported with 2 rulings; the moves follow the rules"),
        (other_rules(), "cannot check: it was opened under a version of the rules that this program does not know"),
        (broken(0), "failed at entry 0"),
        (broken(9), "failed at entry 9; rounds up to 2 are not affected"),
    ];
    for (said, expected) in table {
        assert_eq!(said, expected);
    }
}

/// Number, title, status and summary of every finding.
fn sheet(report: &Report) -> String {
    let line = |finding: &record::verify::Finding| {
        format!("{} {} [{}] {}\n", finding.number, finding.title, finding.status.word(), finding.summary)
    };
    report.findings.iter().map(line).collect()
}

#[test]
fn the_findings_of_a_good_match() {
    assert_eq!(
        sheet(&ended().verified()),
        "\
1 Complete up to its last entry [holds] All 13 entries are here: numbered without a gap, and each names the one before it by its hash.
2 Logged [not shown] The match names 2 states of the public log, the last with 12 entries. This copy carries no signed checkpoint, so it does not show that they are in it.
3 Sealed before opened [holds] 4 submissions entered the record before any of them was opened, and every opening fits its seal. Grade: recorded by the umpire. The seals show that nobody changed afterwards what the umpire recorded. Only the players can confirm that they sent it.
4 In time [not shown] The umpire typed what came, so no clock of the record ran. Entries are dated from 2026-11-20T20:41:49.381204Z to 2026-11-20T20:41:59.381204Z, never backwards.
5 Draws fair [holds] Nothing was drawn.
6 Rules applied [holds] 3 steps were replayed by the rules of five-card-trick/genius-puzzler; the state after each is the one that the record names.
7 What people changed [note] 1 ruling.
8 What this cannot show [note] What no record of this kind can show:
"
    );
}

#[test]
fn a_recorded_match_says_what_only_its_players_know() {
    let eighth = ended().verified().findings.into_iter().find(|finding| finding.number == 8).unwrap();
    let said: Vec<&str> = eighth.details.iter().map(|detail| detail.text.as_str()).collect();
    for limit in [
        "that the players sent what the umpire recorded, and in time: the umpire typed it",
        "that neither player knew the other's move: it was sent outside this record",
    ] {
        assert!(said.contains(&limit), "{said:#?}");
    }
}

#[test]
fn what_people_changed_agrees_with_the_verdict() {
    let seventh = |book: Book| {
        let found = book.verified().findings.into_iter().find(|finding| finding.number == 7).unwrap();
        let details: Vec<String> = found.details.into_iter().map(|detail| detail.text).collect();
        (found.summary, details)
    };
    let (summary, details) = seventh(decided_in_the_past());
    assert_eq!(summary, "2 rulings.");
    let decided = |reason: &str| format!("in the imported text the umpire decides the result: {reason}");
    assert_eq!(details, [decided("Ben left"), decided("It was Ann who left")]);
    let (summary, _) = seventh(corrected());
    assert_eq!(summary, "1 ruling and 1 correction.");
}

#[test]
fn a_finding_that_fails_claims_nothing_else() {
    let mut bundle = ended().bundle();
    for text in bundle.texts.values_mut() {
        text.text.push('!');
    }
    let report = verify(&bundle);
    assert_eq!(report.verdict.to_string(), "failed at entry 0");
    assert!(sheet(&report).starts_with("1 Complete up to its last entry [failed] 4 things are wrong here.\n2 Logged"));
    let details = &report.findings[0].details;
    let said = details.iter().map(|detail| (detail.text.as_str(), detail.entry.map(|entry| entry.0)));
    let not_this = |field: &str| format!("the text given for \"{field}\" is not the one that was committed to");
    let expected = [("p1", 0), ("p2", 0), ("event", 0), ("text", 10)].map(|(field, entry)| (not_this(field), entry));
    assert!(said.eq(expected.iter().map(|(text, entry)| (text.as_str(), Some(*entry)))), "{details:#?}");
}

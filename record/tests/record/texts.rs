//! Names, reasons and other texts: checked while they exist, reported missing when they are withdrawn.

use engine::{BySeat, Seat, Verdict};
use record::verify::{Status, verify};
use record::{Bundle, Texts};

use crate::acts::NO_ITEMS;
use crate::book::Book;

fn book() -> Book {
    let mut book = Book::opened("three-card/simply-genius", Some(Seat::P1), NO_ITEMS);
    book.plays("grow / claim");
    book.notes("both players are late");
    book.rules("conceded", Some(Verdict::Won(Seat::P2)));
    book.ends();
    book
}

#[test]
fn withdrawn_texts_leave_the_match_verified_and_are_said() {
    let mut book = book();
    assert_eq!(book.history().both_names(), BySeat { p1: "Juniper", p2: "Okapi" });
    book.texts = Texts::new();
    let report = book.verified();
    assert_eq!(report.verdict.to_string(), "verified with 1 ruling (recorded by the umpire)");
    let said: Vec<&str> = report.findings.iter().flat_map(|f| &f.details).map(|detail| detail.text.as_str()).collect();
    assert!(
        said.contains(&"the names: their text was withdrawn, and the record keeps only its commitment"),
        "{said:?}"
    );
    assert!(said.iter().any(|text| text.starts_with("ruling (rule 1.8): Its text was withdrawn")), "{said:?}");
    let file = record::dmn(&book.public());
    assert!(file.contains("[P1 \"Player 1\"]") && file.contains("umpire: result p2 *\n"), "{file}");
}

#[test]
fn the_words_of_a_ruling_that_a_correction_keeps_can_still_be_withdrawn() {
    let mut book = Book::opened("three-card/simply-genius", Some(Seat::P1), NO_ITEMS);
    book.plays("grow / claim");
    book.rules("conceded in the thread", Some(Verdict::Won(Seat::P2)));
    book.corrects(1, Some("steal"), None);
    book.ends();
    let entries: String = book.lines.iter().map(|line| String::from_utf8_lossy(line)).collect();
    assert!(!entries.contains("thread"), "the reason stands outside the entries");
    assert_eq!(book.public().outcome().winner(), Some(Seat::P2));
    assert!(record::dmn(&book.public()).contains("umpire: result p2 conceded in the thread\n"));
    assert_eq!(book.verdict(), "verified with 1 ruling and 1 correction (recorded by the umpire)");
    // A second correction keeps it as the first one did.
    let mut again = book.clone();
    again.corrects(1, Some("claim"), None);
    assert!(record::dmn(&again.public()).contains("umpire: result p2 conceded in the thread\n"));
    book.texts = Texts::new();
    assert_eq!(book.verdict(), "verified with 1 ruling and 1 correction (recorded by the umpire)");
    again.texts = Texts::new();
    assert_eq!(again.verdict(), "so far verified with 1 ruling and 2 corrections (recorded by the umpire)");
    again.corrects(1, Some("grow"), None);
    assert_eq!(again.verdict(), "so far verified with 1 ruling and 3 corrections (recorded by the umpire)");
}

#[test]
fn any_change_of_a_text_is_found() {
    let bundle = book().bundle();
    let commitments: Vec<_> = bundle.texts.keys().copied().collect();
    for (n, commitment) in commitments.iter().enumerate() {
        let mut other = bundle.clone();
        other.texts.get_mut(commitment).unwrap().text.push('!');
        fails_at_finding_1(&other);
        // The text of one place does not fit another.
        let mut swapped = bundle.clone();
        let next = commitments[(n + 1) % commitments.len()];
        swapped.texts.insert(*commitment, bundle.texts[&next].clone());
        fails_at_finding_1(&swapped);
        // A text without a commitment.
        let mut stray = bundle.clone();
        stray.texts.insert(ledger::Commitment::new([n as u8; 32]), bundle.texts[commitment].clone());
        fails_at_finding_1(&stray);
    }
}

fn fails_at_finding_1(bundle: &Bundle) {
    let report = verify(bundle);
    assert!(!report.is_good(), "{report:#?}");
    assert_eq!(report.findings[0].status, Status::Failed);
    assert!(report.findings[1..].iter().all(|finding| finding.status != Status::Failed));
}

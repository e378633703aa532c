//! Verdicts and findings of matches that somebody altered, word for word. Those of honest ones are in
//! `fixtures/verdicts/sentences.txt`.

use record::verify::verify;

use crate::book::Book;

#[test]
fn a_broken_chain_names_its_entry_and_what_is_not_affected() {
    for (entry, sentence) in [(0, "failed at entry 0"), (9, "failed at entry 9; rounds up to 2 are not affected")] {
        let mut bundle = Book::of("three rounds of targets, ended").bundle();
        bundle.lines[entry][200] ^= 1;
        assert_eq!(verify(&bundle).verdict.to_string(), sentence);
    }
}

#[test]
fn a_finding_that_fails_claims_nothing_else() {
    let mut bundle = Book::of("three rounds of targets, ended").bundle();
    for text in bundle.texts.values_mut() {
        text.text.push('!');
    }
    let report = verify(&bundle);
    assert_eq!(report.verdict.to_string(), "failed at entry 0");
    let first = &report.findings[0];
    let said = (first.title, first.status.word(), first.summary.as_str());
    assert_eq!(said, ("Complete up to its last entry", "failed", "4 things are wrong here."));
    let details = &report.findings[0].details;
    let said = details.iter().map(|detail| (detail.text.as_str(), detail.entry.map(|entry| entry.0)));
    let not_this = |field: &str| format!("the text given for \"{field}\" is not the one that was committed to");
    let expected = [("p1", 0), ("p2", 0), ("event", 0), ("text", 10)].map(|(field, entry)| (not_this(field), entry));
    assert!(said.eq(expected.iter().map(|(text, entry)| (text.as_str(), Some(*entry)))), "{details:#?}");
}

//! The log's proof in a bundle, and the statement of a bundle that proves less.

use ledger::{Note, Policy};
use record::verify::{Check, Status, verify_by};
use record::{Bundle, LogEvidence, Rule};

use crate::book::Book;
use crate::log::{log_key, logged, policy, policy_text};

fn book() -> Book {
    Book::of("three rounds of the Puzzler")
}

/// Findings 2 and 3 of a bundle, by the policy.
fn said(book: &Book, bundle: &Bundle) -> [(Status, String); 2] {
    let read = Bundle::read(&bundle.write()).unwrap();
    assert_eq!(read, *bundle, "a bundle reads as it is written");
    let report = verify_by(&read, &policy(book));
    assert!(report.is_good(), "{report:#?}");
    [1, 2].map(|n| (report.findings[n].status, report.findings[n].summary.clone()))
}

fn without(bundle: &Bundle, change: impl Fn(&mut LogEvidence)) -> Bundle {
    let mut other = bundle.clone();
    other.logged.iter_mut().for_each(change);
    other
}

#[test]
fn the_witnesses_that_cosigned_are_named() {
    let book = book();
    let second = |bundle: &Bundle| {
        let report = verify_by(bundle, &policy(&book));
        report.findings[1].details.iter().map(|detail| detail.text.clone()).collect::<Vec<_>>()
    };
    let alone = |evidence: &mut LogEvidence| {
        evidence.checkpoint = Note::sign(evidence.checkpoint.text().clone(), &log_key(&book));
    };
    let nobody = second(&without(&logged(&book), alone));
    assert!(nobody.contains(&"cosigned by no witness that the policy knows".to_owned()), "{nobody:#?}");
}

/// A witness of C2SP's recommended kind of key, ML-DSA-44.
#[test]
fn a_witness_whose_key_cannot_be_checked_is_named() {
    let (book, name) = (book(), "pq.example".parse().unwrap());
    let id = ledger::note::KeyId::of(&name, 6, &[7; 1312]);
    // The byte 6 and 1312 times the byte 7.
    let line = format!("witness pq {name}+{id}+BgcH{}Bwc=\n", "BwcH".repeat(436));
    let text = policy_text(&book).replace("group both", &format!("{line}group both"));
    let report = verify_by(&logged(&book), &Policy::read(text.as_bytes()).unwrap());
    let said =
        "the witness pq of the policy has a key of a kind that cannot be checked here (ML-DSA), so it counts as absent";
    assert!(report.findings[1].details.iter().any(|detail| detail.text == said), "{report:#?}");
    let asked = text.replace("both all alder", "both all pq alder");
    let report = verify_by(&logged(&book), &Policy::read(asked.as_bytes()).unwrap());
    assert_eq!(report.findings[1].status, Status::NotShown);
}

#[test]
fn what_is_left_out_is_not_shown() {
    let book = book();
    let whole = logged(&book);
    let [second, third] = said(&book, &book.bundle());
    assert_eq!((second.0, third.0), (Status::NotShown, Status::NotYet));
    assert!(second.1.contains("This copy carries no signed checkpoint"), "{second:?}");

    let unsigned = verify_by(&without(&whole, |logged| logged.trees[0].checkpoint = None), &policy(&book));
    let [second, third] = [&unsigned.findings[1], &unsigned.findings[2]];
    assert_eq!(second.status, Status::Failed, "{second:?}");
    assert!(second.details.iter().any(|detail| detail.rule == Rule::NamedUnsigned && detail.wrong), "{second:?}");
    assert!(third.summary.contains("Of 5 that counted, 3 are shown"), "{third:?}");
}

#[test]
fn a_running_match_may_be_ahead_of_its_checkpoint() {
    let earlier = book();
    let mut book = earlier.clone();
    book.notes("a remark");
    let bundle = Bundle { logged: logged(&earlier).logged, ..book.bundle() };
    let [second, _] = said(&book, &bundle);
    assert_eq!(second.0, Status::NotYet);
    assert!(second.1.ends_with("1 entry after it is not yet under a checkpoint."), "{second:?}");
}

#[test]
fn a_host_key_is_compared_with_the_one_that_the_reader_knows() {
    let book = book();
    let by = |known: &str| Check::of(&logged(&book), Some(&policy(&book))).with_host_keys(&[known.to_owned()]).report();
    let known = Check::of(&book.bundle(), None).history().unwrap().opened.host_key.clone();
    assert!(by(&known).is_good());
    let report = by("dGhlIGtleSBvZiBhbm90aGVyIGhvc3Q");
    assert!(!report.is_good());
    let wrong: Vec<_> = report.findings[2].details.iter().filter(|detail| detail.wrong).collect();
    assert_eq!(wrong.len(), 1);
    assert_eq!((wrong[0].rule, wrong[0].found.as_ref()), (Rule::HostKey, Some(&known)));
}

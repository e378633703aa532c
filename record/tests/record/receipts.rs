//! A player's receipts held against the match: each has its place, and each lie of the server contradicts one.

use engine::Seat;
use ledger::{Commitment, Hash, KeyName, Receipt, Sealer, SignerKey, leaf_hash};
use record::Bundle;
use record::body::{Body, ReplacedSubmission, SeatWord, Unsealed};
use record::receipts::{EntryProof, FileMismatch, Header, Line, NotYet, ReceiptFile, ReceiptPlace};
use record::write;

use crate::book::Book;
use crate::forger::{Entries, Seals, bodies, forged};
use crate::log::logged;

/// Three rounds of a live match, ended. In the second one the first seat sent twice.
pub(crate) fn played() -> Book {
    let mut book = Book::of("three rounds unsigned");
    book.rules("conceded", Some(engine::Verdict::Won(Seat::P1)));
    book
}

pub(crate) fn ended(mut book: Book) -> Book {
    let came = book.entries().into_iter().filter_map(|entry| match Body::read(&entry) {
        Ok(Body::Sealed(sealed)) if sealed.decision.as_str() == "d3" => Some(sealed.came),
        _ => None,
    });
    let replaced = ReplacedSubmission {
        decision: "d3".parse().unwrap(),
        seat: SeatWord(Seat::P1),
        ordinal: 0,
        came: came.min().unwrap(),
        commitments: vec![Commitment::new([9; 32])],
        is_final: false,
        signature: None,
        openings: Vec::new(),
    };
    book.writes(|context, history, secrets| write::end(context, history, secrets, vec![replaced.clone()])).unwrap();
    book
}

/// The match as the server tells it: the replaced submission was the first of two.
fn told(book: &Book, change: impl Fn(&mut Entries)) -> Bundle {
    let bundle = forged(book, Seals::Kept, |entries| {
        bodies!(entries, Sealed).filter(|sealed| sealed.decision.as_str() == "d3").for_each(|sealed| {
            sealed.ordinal = u32::from(sealed.seat.0 == Seat::P1);
        });
        change(entries);
    });
    Bundle { logged: None, ..bundle }
}

/// The receipts that an honest host signed for what the first seat sent in this match.
pub(crate) fn receipts(book: &Book, bundle: &Bundle, host: u8) -> ReceiptFile {
    let key = ledger::ed25519::SecretKey::from_seed(&[11; 32]).public();
    let key = Hash::new(*key.bytes()).to_base64();
    let host = SignerKey::from_seed(KeyName::from(&book.origin), &[host; 32]);
    let mut file =
        ReceiptFile { header: Header::new(book.origin.clone(), book.match_id, Seat::P1, key), receipts: Vec::new() };
    let first = String::from_utf8(bundle.lines[0].clone()).unwrap();
    file.header.opened = Some(EntryProof { entry: first, proof: None });
    let read = |line: &Vec<u8>| Body::read(&ledger::Entry::read(line).unwrap()).unwrap();
    let asked = |decision: &ledger::DecisionId| {
        let is = |line: &&Vec<u8>| matches!(read(line), Body::Asked(asked) if asked.decision == *decision);
        leaf_hash(bundle.lines.iter().find(is).unwrap())
    };
    let mut receipt = |decision: &ledger::DecisionId, ordinal, at, commitments: &[Commitment], is_final| {
        let (match_id, seat) = (book.match_id, Sealer::P1);
        let (asked, previous) = (asked(decision), if ordinal == 0 { Hash::ZERO } else { Hash::new([1; 32]) });
        let (origin, decision, commitments) = (book.origin.clone(), decision.clone(), commitments.to_vec());
        let receipt = Receipt { origin, match_id, decision, asked, seat, ordinal, at, previous, commitments, is_final };
        let receipt = receipt.sign(&host).unwrap().text();
        file.receipts.push(Line { receipt, openings: Vec::new(), entry: None });
    };
    for line in &bundle.lines {
        match read(line) {
            Body::Sealed(body) if body.seat.0 == Seat::P1 => {
                receipt(&body.decision, body.ordinal, body.came, &body.commitments, body.is_final);
            }
            Body::Unsealed(body) => {
                body.replaced.iter().for_each(|one| {
                    receipt(&one.decision, one.ordinal, one.came, &one.commitments, one.is_final);
                });
            }
            _ => {}
        }
    }
    ReceiptFile::read(&file.write()).unwrap()
}

fn places(file: &ReceiptFile, bundle: &Bundle) -> Vec<ReceiptPlace> {
    file.find_in(bundle).unwrap().into_iter().map(|place| place.expect("signed by the host")).collect()
}

#[test]
fn every_receipt_has_its_place_in_the_match() {
    let book = ended(played());
    let bundle = told(&book, |_| ());
    let file = receipts(&book, &bundle, 11);
    let said: Vec<String> = places(&file, &bundle).iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 4);
    assert!(said[..3].iter().all(|said| said.starts_with("it counted: entry ")), "{said:?}");
    assert!(said[3].starts_with("it did not count, and entry "), "{said:?}");
    // Before the end, and before each entry, it is too early.
    let mut seen = Vec::new();
    for length in 1..=bundle.lines.len() {
        let lines = bundle.lines[..length].to_vec();
        let head = ledger::Head { next: ledger::Seq(length as u32), leaf: leaf_hash(lines.last().unwrap()) };
        for place in places(&file, &Bundle { lines, head, ..bundle.clone() }) {
            let honest = !place.is_evidence() || matches!(&place, ReceiptPlace::Missing { .. });
            assert!(honest, "{length}: {place}");
            if let ReceiptPlace::NotYet { why } = place
                && !seen.contains(&why)
            {
                seen.push(why);
            }
        }
    }
    assert_eq!(seen, [NotYet::Unasked, NotYet::Unanswered, NotYet::Running]);
}

#[test]
fn a_match_that_contradicts_a_receipt_is_evidence_against_the_server() {
    let book = ended(played());
    let whole = told(&book, |_| ());
    let file = receipts(&book, &whole, 11);
    let shown = |entries: &mut Entries, change: &dyn Fn(&mut Unsealed)| {
        bodies!(entries, Unsealed).for_each(change);
    };
    type Change<'c> = (&'c str, &'c dyn Fn(&mut Entries));
    let changes: [Change<'_>; 8] = [
        ("missing: the match ended in entry", &|entries| shown(entries, &|body| body.replaced.clear())),
        ("shows another submission of this number", &|entries| {
            shown(entries, &|body| body.replaced.iter_mut().for_each(|one| one.commitments.clear()));
        }),
        ("shows another submission of this number", &|entries| {
            shown(entries, &|body| body.replaced.iter_mut().for_each(|one| one.came = ledger::Moment::MIN));
        }),
        ("missing: the match ended in entry", &|entries| {
            shown(entries, &|body| body.replaced.iter_mut().for_each(|one| one.ordinal = 7));
        }),
        ("holds another submission of this number", &|entries| {
            bodies!(entries, Sealed).last().unwrap().came = ledger::Moment::MIN;
            bodies!(entries, Sealed).filter(|body| body.seat.0 == Seat::P1).last().unwrap().commitments.clear();
        }),
        ("counts an earlier submission", &|entries| {
            let last = bodies!(entries, Sealed).filter(|body| body.decision.as_str() == "d3");
            last.for_each(|body| body.ordinal = 0);
        }),
        ("says that the seat sent nothing", &|entries| {
            let is = |body: &Body| matches!(body, Body::Sealed(body) if body.decision.as_str() == "d3");
            entries.retain(|(_, body)| !is(body));
        }),
        ("asks something else for this decision", &|entries| {
            bodies!(entries, Asked).nth(2).unwrap().clock += 1;
        }),
    ];
    for (why, change) in changes {
        let bundle = told(&book, change);
        let places = places(&file, &bundle);
        let evidence = places.iter().filter(|place| place.is_evidence()).map(ToString::to_string);
        let evidence: Vec<String> = evidence.collect();
        assert!(evidence.iter().any(|said| said.contains(why)), "{why}: {places:?}");
        assert!(evidence.iter().all(|said| said.ends_with("evidence against the server")), "{evidence:?}");
    }
    // A whole question that the record forgot, with all that followed.
    let lines = whole.lines[..1].iter().cloned();
    let mut book = played();
    (book.lines, book.head) = (lines.collect(), ledger::Head::GENESIS);
    let mut entries = whole.lines.clone();
    entries.truncate(1);
    let mut draft = ledger::Entry::read(whole.lines.last().unwrap()).unwrap();
    draft.at = ledger::Moment::MAX;
    let later = ledger::Draft { at: draft.at, by: draft.by, kind: draft.kind, body: draft.body };
    let line = later.write(book.match_id, ledger::Seq(1), leaf_hash(&entries[0])).unwrap();
    let head = ledger::Head { next: ledger::Seq(2), leaf: line.leaf() };
    entries.push(line.into_bytes());
    let forgotten = places(&file, &Bundle { lines: entries, head, ..whole });
    assert!(forgotten.iter().all(|place| place.to_string().contains("its question is in no entry")), "{forgotten:?}");
}

#[test]
fn a_file_of_another_match_or_key_is_told_apart() {
    let book = ended(played());
    let bundle = told(&book, |_| ());
    let good = receipts(&book, &bundle, 11);
    let mut file = good.clone();
    file.header.match_id = "0197c5a4-6f1e-7000-8000-000000000002".parse().unwrap();
    assert!(matches!(file.find_in(&bundle), Err(FileMismatch::Match { .. })));
    let mut file = good.clone();
    file.header.origin = "localhost/another".parse().unwrap();
    assert!(matches!(file.find_in(&bundle), Err(FileMismatch::Match { .. })));
    let mut file = good.clone();
    file.header.opened.as_mut().unwrap().entry.push(' ');
    assert_eq!(file.find_in(&bundle), Err(FileMismatch::Opening));
    for key in [Hash::new([3; 32]).to_base64(), "zzz".to_owned()] {
        let mut file = good.clone();
        file.header.host_key = key;
        assert_eq!(file.find_in(&bundle), Err(FileMismatch::HostKey));
    }
    // Whoever has another key signs nothing for the host.
    let mut file = good.clone();
    file.receipts[1].receipt = file.receipts[1].receipt.replace("2026-", "2027-");
    file.receipts[2].receipt.clear();
    let found: Vec<bool> = file.find_in(&bundle).unwrap().iter().map(Option::is_some).collect();
    assert_eq!(found, [true, false, false, true]);
    file.header.seat = SeatWord(Seat::P2);
    assert!(file.find_in(&bundle).unwrap().iter().all(Option::is_none));
    let mut broken = logged(&book);
    broken.lines.swap(2, 3);
    assert!(matches!(good.find_in(&broken), Err(FileMismatch::Bundle(_))));
}

/// A receipt for the first seat's opening of its share.
fn opening_receipt(book: &Book, bundle: &Bundle) -> ReceiptFile {
    let host = SignerKey::from_seed(KeyName::from(&book.origin), &[11; 32]);
    let mut file = receipts(book, bundle, 11);
    let entries: Vec<ledger::Entry> = bundle.lines.iter().map(|line| ledger::Entry::read(line).unwrap()).collect();
    for (entry, line) in entries.iter().zip(&bundle.lines) {
        let Ok(Body::ShareList(list)) = Body::read(entry) else { continue };
        let at = entries.iter().find_map(|entry| match Body::read(entry) {
            Ok(Body::ShareOpenings(body)) => body.came.p1,
            _ => None,
        });
        let receipt = Receipt {
            origin: book.origin.clone(),
            match_id: book.match_id,
            decision: format!("open-{}", list.decision).parse().unwrap(),
            asked: leaf_hash(line),
            seat: Sealer::P1,
            ordinal: 0,
            at: at.unwrap_or(entry.at),
            previous: Hash::ZERO,
            commitments: list.commitments.p1.into_iter().collect(),
            is_final: false,
        };
        let receipt = receipt.sign(&host).unwrap().text();
        file.receipts = vec![Line { receipt, openings: Vec::new(), entry: None }];
    }
    file
}

#[test]
fn an_opening_that_was_received_is_listed_or_the_receipt_is_evidence() {
    let book = Book::of("opened, ended");
    let bundle = book.bundle();
    let mut file = opening_receipt(&book, &bundle);
    let listed = |entry: &ledger::Entry| matches!(Body::read(entry), Ok(Body::ShareOpenings(_)));
    let entry = book.entries().into_iter().find(listed).unwrap().seq;
    assert_eq!(places(&file, &bundle), [ReceiptPlace::Counted { entry }]);
    let placed = |line: &[u8]| EntryProof { entry: String::from_utf8(line.to_vec()).unwrap(), proof: None };
    file.receipts[0].entry = Some(placed(&bundle.lines[entry.0 as usize]));
    let nobody = ledger::Policy::read(b"quorum none\n").unwrap();
    assert_eq!(file.check(&nobody)[0].status, record::receipts::ReceiptStatus::Entered);
    file.receipts[0].entry = Some(placed(&bundle.lines[entry.0 as usize - 1]));
    assert!(matches!(file.check(&nobody)[0].status, record::receipts::ReceiptStatus::Broken { .. }));
    // The host leaves it out, or says that it came at another time.
    let told = |change: &dyn Fn(&mut record::body::ShareOpenings)| {
        let bundle = forged(&book, Seals::Kept, |entries| change(bodies!(entries, ShareOpenings).next().unwrap()));
        places(&opening_receipt(&book, &book.bundle()), &bundle).remove(0).to_string()
    };
    let out = told(&|opened| {
        opened.openings.remove(0);
        (opened.came.p1, opened.signatures.p1) = (None, None);
    });
    assert_eq!(
        out,
        format!("contradicted: entry {entry} leaves out this opening. This is evidence against the server")
    );
    let other = told(&|opened| opened.came.p1 = opened.came.p2);
    assert!(other.contains("holds another opening of the share"), "{other}");
    // Shares that were given up need no openings.
    let book = Book::of("gathered anew, ended");
    let bundle = forged(&book, Seals::Kept, |entries| {
        let first = entries.iter().position(|(_, body)| matches!(body, Body::ShareOpenings(_))).unwrap();
        entries.remove(first);
    });
    let mut file = opening_receipt(&book, &bundle);
    let first = opening_receipt(&Book::of("listed"), &Book::of("listed").bundle()).receipts;
    file.receipts = first;
    assert_eq!(places(&file, &bundle), [ReceiptPlace::NotYet { why: NotYet::GivenUp }]);
    let waits = Book::of("listed");
    let unlisted = places(&opening_receipt(&waits, &waits.bundle()), &waits.bundle());
    assert_eq!(unlisted, [ReceiptPlace::NotYet { why: NotYet::Unanswered }]);
}

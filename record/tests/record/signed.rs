//! Live matches: the sealer and the signer of each move, and the results of altered signatures.

use engine::{Seat, Verdict};
use ledger::ed25519::SecretKey;
use ledger::{Author, Commitment, DecisionId, Kind, Moment, PlayerKey, PlayerSignature, SubmitId};
use record::CommittedText;
use record::body::{Body, Closing, Mode, ReplacedOpening, ReplacedSubmission, SeatWord, SubmitSignature};
use record::verify::{Report, Status, verify, verify_by};
use record::write::{self, Clocks, NewMatch, Pace};

use crate::acts::NO_ITEMS;
use crate::book::Book;
use crate::forger::{Seals, bodies, forged};
use crate::log::{logged, policy};

const RULESET: &str = "five-card-trick/dm-colosseum-2";

/// Two rounds: the first before anybody had a key, the second signed by the first player alone.
fn half_signed() -> Book {
    let mut book = Book::live(RULESET);
    book.plays("grow / claim");
    book.registers(Seat::P1, 1).unwrap();
    book.plays("score / grow");
    book
}

fn signed() -> Book {
    let mut book = Book::live(RULESET);
    book.registers(Seat::P1, 1).unwrap();
    book.registers(Seat::P2, 2).unwrap();
    book.plays("grow / claim");
    book.plays("score / grow");
    book
}

fn finding_3(book: &Book) -> (Status, String) {
    assert_eq!(book.verified().findings[2].status, Status::NotShown, "without the log's checkpoints");
    let report = verify_by(&logged(book), &policy(book));
    let finding = &report.findings[2];
    let told: Vec<&str> = finding.details.iter().map(|detail| detail.text.as_str()).collect();
    (finding.status, told.join(" | "))
}

#[test]
fn the_verdict_has_the_weakest_grade() {
    assert_eq!(signed().verdict(), "so far verified (signed with the seats' keys)");
    assert_eq!(half_signed().verdict(), "so far verified (sealed by the server, unsigned)");
    let (status, told) = finding_3(&half_signed());
    assert_eq!(status, Status::Holds);
    assert_eq!(
        told,
        "Juniper: 1 submission signed, 1 submission sealed by the server, unsigned | \
         Juniper, round 1: sealed by the server, unsigned | Okapi: 2 submissions sealed by the server, unsigned"
    );
}

#[test]
fn where_one_player_alone_did_not_sign_it_is_said_who() {
    let mut book = Book::live(RULESET);
    book.registers(Seat::P1, 1).unwrap();
    book.plays("grow / claim");
    let (report, mut history) = (book.verified(), book.history());
    assert_eq!(report.verdict.sentence(), "so far verified (moves of {p2} sealed by the server, unsigned)");
    assert_eq!(report.verdict.to_string(), "so far verified (moves of seat 2 sealed by the server, unsigned)");
    let named = report.verdict.words(Some(&history));
    assert_eq!(named, "so far verified (moves of Okapi sealed by the server, unsigned)");
    let summary = &report.findings[2].summary;
    let graded = "Grade: moves of Okapi sealed by the server, unsigned. The server sealed what Okapi sent.";
    assert!(summary.contains(graded), "{summary}");
    // The sentence outlives the name.
    history.names[Seat::P2] = CommittedText::Withdrawn;
    let nameless = report.verdict.words(Some(&history));
    assert_eq!(nameless, "so far verified (moves of Player 2 sealed by the server, unsigned)");
}

/// Finding 3's summary and the verdict of a match in which p1 signs and p2 sends these moves, with or without a key.
fn beside_a_signer(has_key: bool, moves: [&str; 2]) -> (String, Report) {
    let mut book = Book::live(RULESET);
    book.registers(Seat::P1, 1).unwrap();
    if has_key {
        book.registers(Seat::P2, 2).unwrap();
    }
    book.plays(&format!("grow / {}", moves[0]));
    book.plays(&format!("score / {}", moves[1]));
    let report = book.verified();
    (report.findings[2].summary.clone(), report)
}

#[test]
fn a_seat_of_which_nothing_is_there_lowers_the_grade() {
    for has_key in [false, true] {
        let (summary, report) = beside_a_signer(has_key, ["-", "-"]);
        assert_eq!(
            report.verdict.to_string(),
            "so far verified (moves of seat 2 sealed by the server, unsigned)",
            "{has_key}"
        );
        let told = "No submission of Okapi is here, and that Okapi sent nothing is the server's word.";
        assert!(summary.contains(told), "{summary}");
        assert!(!summary.contains("Juniper"), "{summary}");
        assert!(report.findings[2].rules.contains(&record::Rule::SentNothing));
        let limits: Vec<&str> = report.findings[7].details.iter().map(|detail| detail.text.as_str()).collect();
        let left_out = "that a seat sent nothing where its default counted: if the server left something out, only the player's receipt shows it";
        assert!(limits.contains(&left_out), "{limits:#?}");
        assert!(!limits.iter().any(|text| text.contains("it sealed those moves itself")), "{limits:#?}");
    }
}

#[test]
fn a_seat_that_was_asked_and_ruled_out_is_one_of_which_nothing_is_there() {
    let setup =
        engine::Setup { ruleset: "higher-lower/tempo-up".to_owned(), dmo: Some(Seat::P1), ..engine::Setup::default() };
    let names = engine::BySeat { p1: "Juniper".into(), p2: "Okapi".into() };
    let pace = Pace::Live { clocks: Clocks::Off, early: false };
    let mut book = Book::open(&NewMatch { setup, names, pace, ..NewMatch::default() });
    book.registers(Seat::P1, 1).unwrap();
    book.plays("p1: colour pink");
    assert!(book.history().open.iter().any(|open| open.asked.seats == [SeatWord(Seat::P2)]));
    assert_eq!(book.verdict(), "so far verified (signed with the seats' keys)", "its answer is not due");
    book.rules("Okapi did not come", Some(Verdict::Won(Seat::P1)));
    book.ends();
    let report = book.verified();
    let lower = "verified with 1 ruling (moves of seat 2 sealed by the server, unsigned)";
    assert_eq!(report.verdict.to_string(), lower);
    let told = "No submission of Okapi is here, and that Okapi sent nothing is the server's word.";
    assert!(report.findings[2].summary.contains(told), "{}", report.findings[2].summary);
}

#[test]
fn a_seat_that_signs_keeps_its_grade_and_its_defaults_are_counted() {
    let (summary, report) = beside_a_signer(true, ["claim", "-"]);
    assert_eq!(report.verdict.to_string(), "so far verified (signed with the seats' keys)");
    let told = "The default of Okapi counted 1 time: that Okapi sent nothing then is the server's word.";
    assert!(summary.contains(told), "{summary}");
    assert!(report.findings[2].rules.contains(&record::Rule::SentNothing));
    let (summary, report) = beside_a_signer(true, ["claim", "grow"]);
    assert!(!summary.contains("sent nothing"), "{summary}");
    assert!(!report.findings[2].rules.contains(&record::Rule::SentNothing));
    // Without a key the grade was the lower one before, and the default is counted there, too.
    let (summary, report) = beside_a_signer(false, ["claim", "-"]);
    assert_eq!(report.verdict.to_string(), "so far verified (moves of seat 2 sealed by the server, unsigned)");
    assert!(summary.contains("The server sealed what Okapi sent.") && summary.contains("counted 1 time"), "{summary}");
}

#[test]
fn a_seat_keeps_its_key() {
    let mut book = signed();
    let refused = book.registers(Seat::P1, 3).unwrap_err().to_string();
    assert_eq!(refused, "this seat has a key already, and keeps it until the end of the match");
    let mut recorded = Book::opened(RULESET, None, NO_ITEMS);
    let refused = recorded.registers(Seat::P1, 1).unwrap_err().to_string();
    assert_eq!(refused, "the umpire types for both seats of this match, so no seat has a key");
}

#[test]
fn what_is_altered_in_a_signed_seal_is_found_where_it_stands() {
    let book = signed();
    let place = book.of_kind(Kind::Sealed)[0];
    type Change = fn(&mut record::body::Sealed);
    let changes: [(&str, Change); 6] = [
        ("of another key", |sealed| sealed.signature.as_mut().unwrap().signature = PlayerSignature::new([1; 64])),
        ("of another submission", |sealed| sealed.signature.as_mut().unwrap().submit = SubmitId([8; 16])),
        ("of another tree", |sealed| sealed.signature.as_mut().unwrap().tree.size += 1),
        ("of another root", |sealed| sealed.signature.as_mut().unwrap().tree.root = ledger::Hash::new([1; 32])),
        ("of another seal", |sealed| sealed.commitments[0] = Commitment::new([3; 32])),
        ("of another seat", |sealed| sealed.seat = SeatWord(Seat::P2)),
    ];
    for (name, change) in changes {
        let bundle = forged(&book, Seals::Kept, |entries| {
            let sealed = entries.iter_mut().find_map(|(_, body)| match body {
                Body::Sealed(sealed) => Some(sealed),
                _ => None,
            });
            change(sealed.unwrap());
        });
        let report = verify(&bundle);
        assert_eq!(report.findings[2].status, Status::Failed, "{name}: {}", report.verdict);
        assert!(
            report.verdict.to_string().starts_with(&format!("failed at entry {place}")),
            "{name}: {}",
            report.verdict
        );
    }
}

/// The signed match, with the first player's last answer unsigned.
pub(crate) fn dropped(book: &Book) -> Report {
    let bundle = forged(book, Seals::Kept, |entries| {
        let last = entries.iter_mut().rev().find_map(|(_, body)| match body {
            Body::Sealed(sealed) if sealed.seat == SeatWord(Seat::P1) => Some(sealed),
            _ => None,
        });
        last.unwrap().signature = None;
    });
    verify(&bundle)
}

#[test]
fn what_is_asked_of_a_seat_with_a_key_counts_by_its_signature_alone() {
    let report = dropped(&signed());
    assert_eq!(report.findings[2].status, Status::Failed, "{}", report.verdict);
    let wrong: Vec<&str> =
        report.findings[2].details.iter().filter(|detail| detail.wrong).map(|detail| detail.text.as_str()).collect();
    assert_eq!(wrong, ["p1 has a key, and only what it signs counts"]);
}

#[test]
fn a_key_that_came_while_a_question_was_open_makes_no_fault_of_its_answer() {
    // The clock says that the answer came after the key; if both came at once, that is chance.
    let mut book = Book::live(RULESET);
    book.registers(Seat::P1, 1).unwrap();
    book.plays("grow / claim");
    let report = dropped(&book);
    assert_eq!(report.verdict.to_string(), "so far verified (sealed by the server, unsigned)");
}

#[test]
fn a_key_that_the_seat_did_not_register_is_found() {
    for change in ["by", "twice"] {
        let bundle = forged(&signed(), Seals::Kept, |entries| {
            let at = entries.iter().position(|(entry, _)| entry.kind == Kind::Key).unwrap();
            match change {
                "by" => entries[at].0.by = Author::Server,
                _ => entries[at + 1] = entries[at].clone(),
            }
        });
        assert_eq!(verify(&bundle).findings[2].status, Status::Failed, "{change}");
    }
}

#[test]
fn what_the_umpire_types_for_a_seat_with_a_key_is_a_ruling() {
    let bundle = forged(&signed(), Seals::Kept, |entries| {
        // In the last round, since every later question names the seals before it, and so do the signatures of its
        // answers.
        let last = entries.iter_mut().rev().find_map(|(entry, body)| match body {
            Body::Sealed(sealed) if sealed.seat == SeatWord(Seat::P1) => Some((entry, sealed)),
            _ => None,
        });
        let (entry, sealed) = last.unwrap();
        entry.by = "umpire:k3x9".parse().unwrap();
        sealed.signature = None;
    });
    let report = verify(&bundle);
    assert_eq!(
        report.verdict.to_string(),
        "so far verified with 1 move typed without its signature (recorded by the umpire)"
    );
    let people = &report.findings[6];
    assert_eq!(people.summary, "1 move typed without its signature.");
    assert_eq!(people.details[0].text, "Juniper has a key, and the umpire typed this without its signature");
}

#[test]
fn clocks_run_in_live_matches_alone() {
    let asked = |pace: Pace| {
        let setup = engine::Setup { ruleset: RULESET.to_owned(), ..engine::Setup::default() };
        let names = engine::BySeat { p1: "Juniper".into(), p2: "Okapi".into() };
        let book = Book::open(&NewMatch { setup, names, pace, ..NewMatch::default() });
        let history = book.history();
        let open = &history.open[0];
        let seconds = |due: Moment| (due.micros() - open.at.micros()) / 1_000_000;
        (history.opened.mode, open.asked.closes, open.asked.deadline.map(seconds), i64::from(open.asked.clock))
    };
    let (mode, closes, due, _) = asked(Pace::Recorded);
    assert_eq!((mode, closes, due), (Mode::Recorded, Closing::Umpire, None));
    let (mode, closes, due, _) = asked(Pace::Live { clocks: Clocks::Off, early: false });
    assert_eq!((mode, closes, due), (Mode::Live, Closing::Umpire, None));
    // Nobody has a link when a match opens, so its first clock always waits for the umpire.
    for clocks in [Clocks::Posted, Clocks::AtOnce] {
        let (mode, closes, due, clock) = asked(Pace::Live { clocks, early: false });
        assert_eq!((mode, closes, due, clock), (Mode::Live, Closing::Deadline, None, 60));
    }
}

/// Whatever takes a question away brings the keys that waited for that: what was signed for it is shown at the end, and would
/// fail the match for ever without its key.
#[test]
#[expect(clippy::too_many_lines, reason = "one row for each act, and what each brings")]
fn a_key_that_waits_enters_with_whatever_takes_the_question_away() {
    type Act = fn(&mut Book);
    let acts: [(&str, Act, &[Kind]); 4] = [
        ("a result", |book| book.rules("no show", Some(Verdict::Won(Seat::P1))), &[Kind::Ruled, Kind::Key, Kind::Key]),
        ("a strike", |book| book.strikes(1, "misheard"), &[Kind::Struck, Kind::Key, Kind::Key, Kind::Asked]),
        (
            "typing",
            |book| {
                book.writes(|context, history, _| write::go_on_recorded(context, history, None, "no line")).unwrap();
            },
            &[Kind::Ruled, Kind::Key, Kind::Key, Kind::Asked],
        ),
        (
            "nobody's answer",
            |book| {
                let decision = book.seals("round", &[(Seat::P1, "-"), (Seat::P2, "-")]);
                book.resolves(&decision);
            },
            &[Kind::Key, Kind::Key, Kind::Resolved, Kind::Asked],
        ),
    ];
    for (what, act, kinds) in acts {
        let mut book = Book::live(RULESET);
        book.plays("grow / claim");
        for (seat, seed) in [(Seat::P1, 1), (Seat::P2, 2)] {
            let secret = SecretKey::from_seed(&[seed; 32]);
            let key = PlayerKey::new(secret.public().bytes()).unwrap();
            book.waiting[seat] =
                Some(write::WaitingKey { new: write::NewKey { seat, key, vouching: None }, others: Vec::new() });
            book.signers[seat] = Some(secret);
        }
        let (history, before) = (book.history(), book.lines.len());
        let open = &history.open[0];
        let sent = book.submission(&history, open, Seat::P1, "steal").unwrap();
        act(&mut book);
        let entered: Vec<Kind> = book.entries()[before..].iter().map(|entry| entry.kind).collect();
        assert_eq!(entered, kinds, "{what}");
        if what == "nobody's answer" {
            // Of a seat whose default counted nothing is there to show.
            continue;
        }
        if !book.history().outcome().is_over() {
            book.rules("conceded", Some(Verdict::Won(Seat::P1)));
        }
        // Of another key of the seat nothing is in the record, and neither is its signature.
        for signature in
            [sent.signature, sent.signature.map(|other| SubmitSignature { submit: SubmitId([9; 16]), ..other })]
        {
            let replaced = ReplacedSubmission {
                decision: open.asked.decision.clone(),
                seat: SeatWord(Seat::P1),
                ordinal: 0,
                came: sent.came,
                commitments: sent.commitments.clone(),
                is_final: false,
                signature,
                openings: Vec::new(),
            };
            let mut book = book.clone();
            book.writes(|context, history, secrets| write::end(context, history, secrets, vec![replaced.clone()]))
                .unwrap();
            let report = book.verified();
            assert!(report.is_good(), "{what}: {report:#?}");
            let shown = book.public().replaced[0].1.signature;
            assert_eq!(shown.is_some(), signature == sent.signature, "{what}");
        }
    }
}

#[test]
fn what_did_not_count_is_shown_at_the_end() {
    let mut book = signed();
    let history = book.history();
    let decision_open: DecisionId = history.open[0].asked.decision.clone();
    let prepared = {
        let (mut sent, open) = (None, decision_open.clone());
        book.writes(|context, history, _| {
            sent = write::prepare(context, history, &open, Seat::P1, "steal")?;
            Ok(write::NewEntries::default())
        })
        .unwrap();
        sent.unwrap()
    };
    let replaced = ReplacedSubmission {
        decision: decision_open,
        seat: SeatWord(Seat::P1),
        ordinal: 0,
        came: history.last_at,
        commitments: prepared.commitments.clone(),
        is_final: false,
        signature: None,
        openings: prepared
            .secrets
            .iter()
            .map(|(field, secret)| ReplacedOpening {
                field: field.clone(),
                key: secret.key.to_hex(),
                value: secret.value.clone(),
            })
            .collect(),
    };
    book.rules("conceded", Some(Verdict::Won(Seat::P1)));
    book.writes(|context, history, secrets| write::end(context, history, secrets, vec![replaced.clone()])).unwrap();
    assert_eq!(book.verdict(), "verified with 1 ruling (signed with the seats' keys)");
    assert_eq!(book.public().replaced.len(), 1);

    let changes: [fn(&mut ReplacedSubmission); 7] = [
        // A signature by another key.
        |one| {
            let tree = record::body::Tree { size: 0, root: ledger::Tree::empty().root };
            let signature = PlayerSignature::new([1; 64]);
            one.signature = Some(SubmitSignature { submit: SubmitId([7; 16]), tree, signature });
        },
        // A decision whose first submission from the seat counted: none came before it.
        |one| one.decision = "d1".parse().unwrap(),
        |one| one.openings[0].value = "grow".to_owned(),
        |one| one.commitments[0] = Commitment::new([9; 32]),
        |one| one.commitments.clear(),
        |one| one.decision = "d9".parse().unwrap(),
        |one| one.seat = SeatWord(Seat::P2),
    ];
    for (n, change) in changes.into_iter().enumerate() {
        let bundle = forged(&book, Seals::Kept, |entries| {
            let shown = entries.iter_mut().find_map(|(_, body)| match body {
                Body::Unsealed(body) => body.replaced.first_mut(),
                _ => None,
            });
            change(shown.unwrap());
        });
        assert_eq!(verify(&bundle).findings[2].status, Status::Failed, "change {n}");
    }
}

#[test]
fn what_did_not_count_came_before_what_did_and_is_shown_once() {
    let mut book = Book::live(RULESET);
    book.plays("grow / claim");
    book.rules("conceded", Some(Verdict::Won(Seat::P1)));
    let history = book.history();
    let replaced = |ordinal: u32, seal: u8| ReplacedSubmission {
        decision: "d1".parse().unwrap(),
        seat: SeatWord(Seat::P1),
        ordinal,
        came: history.opened_at,
        commitments: vec![Commitment::new([seal; 32])],
        is_final: false,
        signature: None,
        openings: Vec::new(),
    };
    let faults = |shown: Vec<ReplacedSubmission>, counted: u32| {
        let mut book = book.clone();
        book.writes(|context, history, secrets| write::end(context, history, secrets, shown.clone())).unwrap();
        let bundle = forged(&book, Seals::Kept, |entries| {
            let mut ended = history.last_at;
            for (entry, body) in entries {
                match body {
                    Body::Sealed(sealed) => sealed.ordinal = counted,
                    Body::Ended(_) => ended = entry.at,
                    // Its date is after everything in it.
                    Body::Unsealed(_) => entry.at = ended,
                    _ => {}
                }
            }
        });
        let report = verify(&bundle);
        let wrong = report.findings.iter().flat_map(|finding| &finding.details).filter(|detail| detail.wrong);
        wrong.map(|detail| detail.text.clone()).collect::<Vec<_>>()
    };
    // The next question names the seals before it, and nothing is sealed after it, so only their numbers are altered.
    assert_eq!(faults(vec![replaced(0, 1), replaced(1, 2)], 2), Vec::<String>::new());
    let after = "submission 2 of p1 for d1 did not count, so it came before the one that did";
    assert_eq!(faults(vec![replaced(2, 1)], 2), [after]);
    assert_eq!(faults(vec![replaced(1, 1), replaced(1, 2)], 2), ["submission 1 of p1 for d1 is shown once"]);
    let late = ReplacedSubmission { came: "2099-01-01T00:00:00.000000Z".parse().unwrap(), ..replaced(0, 1) };
    let why = ["before the one that counted", "before it entered the record"];
    assert_eq!(faults(vec![late], 2), why.map(|why| format!("submission 0 of p1 for d1 came {why}")));
    let early = ReplacedSubmission { came: "1999-01-01T00:00:00.000000Z".parse().unwrap(), ..replaced(0, 1) };
    assert_eq!(faults(vec![early], 2), ["submission 0 of p1 for d1 came after its question"]);
}

#[test]
fn an_end_comes_once_and_opens_what_is_secret_after_it() {
    let mut book = signed();
    book.rules("conceded", Some(Verdict::Won(Seat::P1)));
    book.ends();
    for (finding, change) in [(6, "twice"), (3, "late")] {
        let bundle = forged(&book, Seals::Kept, |entries| {
            let at = entries.iter().position(|(entry, _)| entry.kind == Kind::Ended).unwrap();
            let mut unsealed = entries[at].clone();
            unsealed.0.kind = Kind::Unsealed;
            unsealed.1 = Body::Unsealed(record::body::Unsealed::default());
            let added = if change == "twice" { entries[at].clone() } else { unsealed };
            entries.insert(at, added);
        });
        assert_eq!(verify(&bundle).findings[finding - 1].status, Status::Failed, "{change}");
    }
}

#[test]
fn the_server_seals_for_nobody() {
    let mut book = Book::live(RULESET);
    book.plays("grow / claim");
    let bundle = forged(&book, Seals::Kept, |entries| {
        let sealed = entries.iter_mut().find(|(entry, _)| entry.kind == Kind::Sealed).unwrap();
        sealed.0.by = Author::Server;
    });
    assert_eq!(verify(&bundle).findings[2].status, Status::Failed);
}

#[test]
fn a_live_match_says_by_which_clock_it_was_in_time() {
    let said = |book: &Book| {
        let finding = &book.verified().findings[3];
        (finding.status, finding.summary.split(" Entries are dated").next().unwrap_or_default().to_owned())
    };
    let came = "By the server's clock, what counted came before it entered the record.";
    let closed = format!("The umpire closed the questions, so there were no deadlines. {came}");
    assert_eq!(said(&signed()), (Status::NotShown, closed.clone()));
    let typed = format!("{closed} 1 move was typed by the umpire. Only the umpire says when it came.");
    let bundle = forged(&signed(), Seals::Kept, |entries| {
        let last = entries.iter_mut().rev().find(|(entry, _)| entry.kind == Kind::Sealed).unwrap();
        last.0.by = "umpire:k3x9".parse().unwrap();
    });
    assert!(verify(&bundle).findings[3].summary.starts_with(&typed), "{:?}", verify(&bundle).findings[3]);
    let clocked = forged(&signed(), Seals::Kept, |entries| {
        let Body::Opened(opened) = &mut entries[0].1 else { panic!("a match is opened first") };
        (opened.clocks, opened.starts) = (Some(true), Some(record::body::ClockStart::Posted));
        bodies!(entries, Asked).for_each(|asked| asked.closes = Closing::Deadline);
    });
    let what = "By the server's clock, what counted came before its deadline and before it entered the record.";
    assert!(verify(&clocked).findings[3].summary.starts_with(what), "{:?}", verify(&clocked).findings[3]);
}

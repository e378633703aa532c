//! Live matches: the keys of seats, and what is shown at the end. What a verifier says of signatures is in
//! `fixtures/verdicts/signatures.txt`.

use engine::{Seat, Verdict};
use ledger::ed25519::SecretKey;
use ledger::{Kind, Moment, PlayerKey, SubmitId};
use record::CommittedText;
use record::body::{Closing, Mode, ReplacedSubmission, SeatWord, SubmitSignature};
use record::write;

use crate::book::Book;

#[test]
fn where_one_player_alone_did_not_sign_it_is_said_who() {
    let book = Book::of("one key");
    let (report, mut history) = (book.verified(), book.history());
    assert_eq!(report.verdict.sentence(), "so far verified (moves of {p2} sealed by the server, unsigned)");
    let named = report.verdict.words(Some(&history));
    assert_eq!(named, "so far verified (moves of Okapi sealed by the server, unsigned)");
    // The sentence outlives the name.
    history.names[Seat::P2] = CommittedText::Withdrawn;
    let nameless = report.verdict.words(Some(&history));
    assert_eq!(nameless, "so far verified (moves of Player 2 sealed by the server, unsigned)");
}

#[test]
fn a_seat_keeps_its_key() {
    for (name, words) in [
        ("signed", "this seat has a key already, and keeps it until the end of the match"),
        ("colosseum", "the umpire types for both seats of this match, so no seat has a key"),
    ] {
        assert_eq!(Book::of(name).registers(Seat::P1, 3).unwrap_err().to_string(), words);
    }
}

#[test]
fn clocks_run_in_live_matches_alone() {
    let asked = |name: &str| {
        let history = Book::of(name).history();
        let open = &history.open[0];
        let seconds = |due: Moment| (due.micros() - open.at.micros()) / 1_000_000;
        (history.opened.mode, open.asked.closes, open.asked.deadline.map(seconds), i64::from(open.asked.clock))
    };
    // Nobody has a link when a match opens, so its first clock always waits for the umpire.
    for (name, mode, closes) in [
        ("recorded", Mode::Recorded, Closing::Umpire),
        ("live", Mode::Live, Closing::Umpire),
        ("clocked", Mode::Live, Closing::Deadline),
        ("at once, waiting", Mode::Live, Closing::Deadline),
    ] {
        assert_eq!(asked(name), (mode, closes, None, 60), "{name}");
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
        let mut book = Book::of("live");
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

//! Attacks of somebody who wrote a verifier from docs/record-format.md alone, each with the number under which it was
//! tried, the verdict that it gets, and a rule that says why. `fixtures/attacks` has the files, with the reader's policy
//! beside them; `UPDATE=1 cargo test -p matchbook-record attacks` writes them again. What fails or is said in
//! `fixtures/evil-host.txt` is not repeated here.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use engine::{BySeat, Seat, Setup};
use ledger::{Author, Kind, Moment, Note, Policy};
use record::body::{Body, Key, SeatWord};
use record::verify::Check;
use record::write::{Clocks, NewMatch, Pace};
use record::{Bundle, Rule};
use serde_json::json;

use crate::book::{Book, archive};
use crate::evil_host::{EvilHost, Piece, pieces};
use crate::examples::{broken, said};
use crate::forger::{Seals, bodies, forged};
use crate::forgery::puzzler;
use crate::log::{LATER, cosigned_at, logged, policy_text, witnesses};
use crate::matrix;
use crate::players::{key, registered};
use crate::rounds;
use crate::waits::{self, unsigned, with_notes};

const ROUNDS: &str = "five-card-trick/dm-colosseum-2";
const YEARS: i64 = 75 * 365 * 86_400;

struct Attack {
    name: &'static str,
    bundle: Bundle,
    policy: Option<String>,
    /// The beginning of the verdict.
    verdict: &'static str,
    /// A rule that is broken, or that says something.
    rule: Rule,
}

/// The match as its host tells it, who plays both seats: with these changes.
fn told(book: &Book, change: impl Fn(&mut Vec<Piece>)) -> Bundle {
    let mut all = pieces(book);
    change(&mut all);
    EvilHost::of(book, true).tells(all).unwrap()
}

/// All entries, so many seconds later.
fn later(seconds: i64) -> impl Fn(&mut Vec<Piece>) {
    move |all| {
        for piece in all {
            let later = |at: Moment| Moment::from_micros(at.micros() + seconds * 1_000_000).unwrap();
            piece.at = later(piece.at);
            if let Some(came) = piece.body["came"].as_str().map(|came| later(came.parse().unwrap())) {
                piece.body["came"] = json!(came);
            }
        }
    }
}

/// The notes of all trees, the newest included.
pub(crate) fn notes(mut bundle: Bundle, change: impl Fn(Note) -> Note) -> Bundle {
    let logged = bundle.logged.as_mut().unwrap();
    logged.checkpoint = change(unsigned(&logged.checkpoint));
    for named in &mut logged.trees {
        named.checkpoint = named.checkpoint.as_ref().map(|note| change(unsigned(note)));
    }
    bundle
}

/// Attacks on the times of witnesses and answers.
fn times() -> Vec<Attack> {
    let (signed, waits) = (matrix::signed_ended(), waits::witnessed());
    let at = |seconds| move |note: Note| cosigned_at(note, seconds);
    let resolved = waits.history().waits[0].at.micros().unsigned_abs() / 1_000_000;
    let by = |name, bundle, of: &Book, rule| Attack {
        name,
        bundle,
        policy: Some(policy_text(of)),
        verdict: "not shown to satisfy the policy; otherwise verified",
        rule,
    };
    let half = notes(logged(&waits), |mut note| {
        note.add(witnesses()[0].cosign(note.text(), ledger::CosignedAt::from_seconds(resolved).unwrap())).unwrap();
        note
    });
    let days_before = with_notes(&waits, |note| cosigned_at(unsigned(note), resolved - 86_400));
    let beacon = crate::seeds::ended(rounds::published());
    vec![
        by("04 all entries years after the cosignatures", told(&signed, later(YEARS)), &signed, Rule::Untimely),
        by(
            "05 all entries years after the cosignatures, in a match that waits",
            notes(told(&waits, later(YEARS)), at(LATER)),
            &waits,
            Rule::Untimely,
        ),
        by(
            "07 all entries years before the cosignatures, in a match that waits",
            notes(logged(&waits), at(LATER)),
            &waits,
            Rule::NotWitnessed,
        ),
        by("08 cosignatures of time 0, in a match that waits", notes(logged(&waits), at(0)), &waits, Rule::Untimely),
        by(
            "09 cosigned one second late",
            with_notes(&waits, |note| cosigned_at(unsigned(note), resolved + 1)),
            &waits,
            Rule::NotWitnessed,
        ),
        by("10 half a quorum", half, &waits, Rule::NotWitnessed),
        by("11 a tree cosigned days before the one before it", days_before, &waits, Rule::Untimely),
        Attack {
            verdict: "verified with 1 ruling (recorded by the umpire)",
            ..by(
                "137 a beacon, with cosignatures of time 0",
                with_notes(&beacon, |note| cosigned_at(unsigned(note), 0)),
                &beacon,
                Rule::Untimely,
            )
        },
        Attack {
            name: "13 an answer whose signed tree holds an entry from after it came",
            bundle: sent_before(),
            policy: None,
            verdict: "failed",
            rule: Rule::SignedAfterSent,
        },
    ]
}

/// A match in which something was remarked a minute before an answer came, which is then dated before that.
fn sent_before() -> Bundle {
    let mut book = Book::live(ROUNDS);
    book.registers(Seat::P1, 1).unwrap();
    book.registers(Seat::P2, 2).unwrap();
    book.plays("grow / claim");
    // The remark and the answer lie side by side in the log.
    while book.leaves.len() % 3 != 1 {
        book.logs(ledger::leaf_hash(b"another match"));
    }
    book.passes(60);
    book.notes("the players are here");
    book.plays("score / grow");
    let asked =
        book.entries().into_iter().rfind(|entry| entry.kind == Kind::Asked && entry.body.contains("d2")).unwrap();
    told(&book, |all| {
        let answers = all.iter_mut().filter(|piece| piece.kind == Kind::Sealed && piece.body["decision"] == "d2");
        answers.for_each(|piece| piece.body["came"] = json!(asked.at));
    })
}

/// Attacks on keys and players.
fn keys() -> Vec<Attack> {
    let fails = |name, bundle, rule| Attack { name, bundle, policy: None, verdict: "failed", rule };
    // The secrets of these players and seats are the same bytes.
    let of_player = |player: u8, seat: u8| {
        let mut book = Book::new();
        book.registers_player(player);
        let mut book = book.opens_live(ROUNDS);
        book.vouches(Seat::P1, 9, 0);
        book.registers(Seat::P2, seat).unwrap();
        logged(&book.played())
    };
    let of_log = {
        let mut book = Book::live(ROUNDS);
        book.registers(Seat::P1, 3).unwrap();
        logged(&book.played())
    };
    let signed = matrix::signed_ended();
    let of_host = told(&signed, |all| {
        let key = all.iter().find(|piece| piece.kind == Kind::Key).unwrap().body["key"].clone();
        all[0].body["host_key"] = key;
    });
    let late = {
        let mut book = Book::new();
        book.passes(YEARS);
        book.registers_player(0x51);
        book.passes(-YEARS);
        let mut book = book.opens_live(ROUNDS);
        book.vouches(Seat::P1, 9, 0);
        logged(&book.played())
    };
    let imported = forged(&Book::imported(&archive()[0].text), Seals::Kept, |entries| {
        let mut entry = entries[1].0.clone();
        (entry.by, entry.kind) = (Author::P1, Kind::Key);
        entries.insert(1, (entry, Body::Key(Key { seat: SeatWord(Seat::P1), key: key(0x51, 0), player: None })));
    });
    vec![
        fails("33 a chain of a player dated years after the match", late, Rule::Vouching),
        fails("35 a seat's key that is the other player's own", of_player(0, 0), Rule::PlayerTwice),
        fails("37 a seat's key that is the other player's next", of_player(1, 1), Rule::PlayerTwice),
        fails("38 a seat's key that is the log's", of_log, Rule::KeyShared),
        fails("39 a seat's key that is the host's", of_host, Rule::KeyShared),
        fails("115 a seat's key in an imported match", imported, Rule::KeyOnce),
    ]
}

/// A match of players of these names.
pub(crate) fn named(p1: &str, p2: &str) -> Bundle {
    let setup = Setup { ruleset: ROUNDS.to_owned(), ..Setup::default() };
    let pace = Pace::Live { clocks: Clocks::Off, early: false };
    let names = BySeat { p1: p1.into(), p2: p2.into() };
    logged(&Book::open(&NewMatch { setup, names, pace, ..NewMatch::default() }).played())
}

/// What holds, and of which something is to be said.
fn said_of() -> Vec<Attack> {
    let says = |name, bundle, verdict, rule| Attack { name, bundle, policy: None, verdict, rule };
    let so_far = "so far verified (signed with the seats' keys)";
    let escrow = "verified with 1 ruling (sealed by the server, unsigned)";
    let signed = matrix::signed_ended();
    let mut corrected = signed.clone();
    corrected.corrects(1, Some("score"), None);
    corrected.ends();
    let rules = |rules| {
        forged(&puzzler(), Seals::Kept, |entries| {
            bodies!(entries, Opened).next().unwrap().rules = rules;
        })
    };
    let day = forged(&puzzler(), Seals::Kept, |entries| {
        bodies!(entries, Opened).next().unwrap().date = Some("2026-13-45".to_owned());
    });
    let cut = told(&signed, |all| drop(all.drain(8..)));
    vec![
        says("17 one name in both seats", named("Juniper", "Juniper"), escrow, Rule::NamesAlike),
        says("18 names that look alike", named("Okapi", "0kарi"), escrow, Rule::NamesAlike),
        says("25 a day that no calendar has", day, "failed", Rule::Body),
        says("46 a match of rules 1", rules(1), "cannot check", Rule::Unread),
        says(
            "152 a signed move of the winner corrected after the end",
            logged(&corrected),
            "verified with 1 ruling",
            Rule::WeakerSeal,
        ),
        says("160 a match that was cut off", cut, so_far, Rule::Runs),
        says("160 a match that still runs", logged(&matrix::signed()), so_far, Rule::Runs),
        says(
            "registered players",
            logged(&registered()),
            "verified with 1 ruling (signed by registered players)",
            Rule::TrustedPage,
        ),
    ]
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../fixtures/attacks")
}

#[test]
fn each_attack_gets_the_verdict_that_its_proof_is_worth() {
    let update = std::env::var_os("UPDATE").is_some();
    if update {
        drop(fs::remove_dir_all(folder()));
        fs::create_dir_all(folder()).unwrap();
    }
    let mut index = BTreeMap::new();
    for Attack { name, bundle, policy, verdict, rule } in times().into_iter().chain(keys()).chain(said_of()) {
        let read = Bundle::read(&bundle.write()).unwrap();
        let judged = policy.as_ref().map(|text| Policy::read(text.as_bytes()).unwrap());
        let check = Check::of(&read, judged.as_ref()).with_rounds(rounds::is_signed);
        let report = check.report();
        let words = report.words(check.history());
        assert!(words.starts_with(verdict), "{name}: {words}\n{report:#?}");
        assert!(broken(&report).contains(&rule) || said(&report).contains(&rule), "{name}: {report:#?}");
        let file = name.replace(' ', "-").replace(['\'', ','], "");
        index.insert(file.clone(), format!("{file}: {words} [{rule}]\n"));
        let path = |ending: &str| folder().join(format!("{file}.{ending}"));
        if update {
            fs::write(path("bundle"), bundle.write()).unwrap();
            if let Some(policy) = &policy {
                fs::write(path("policy"), policy).unwrap();
            }
        }
        let kept = (fs::read(path("bundle")).unwrap_or_default(), fs::read_to_string(path("policy")).ok());
        assert!(kept == (bundle.write(), policy), "{name}: UPDATE=1 writes the file again");
    }
    let index: String = index.into_values().collect();
    if update {
        fs::write(folder().join("index.txt"), &index).unwrap();
    }
    assert_eq!(fs::read_to_string(folder().join("index.txt")).unwrap_or_default(), index);
}

/// A correction that leaves a seat's move as it was takes nothing from that seat.
#[test]
fn a_correction_lowers_the_grade_of_the_seat_that_it_changes() {
    let corrected = |moves: &[&str]| {
        let mut book = matrix::signed_ended();
        moves.iter().for_each(|p1| book.corrects(1, Some(p1), None));
        book.ends();
        book.verdict()
    };
    assert!(corrected(&["score"]).ends_with("(recorded by the umpire)"), "{}", corrected(&["score"]));
    // What was corrected back is what the player signed.
    let back = corrected(&["score", "grow"]);
    assert!(back.ends_with("(signed with the seats' keys)"), "{back}");
}

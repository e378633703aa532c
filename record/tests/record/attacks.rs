//! Attacks of somebody who wrote a verifier from docs/record-format.md alone, each with the number under which it was
//! tried, the verdict that it gets, and a rule that says why. `fixtures/attacks` has the files, with the reader's policy
//! beside them; `UPDATE=1 cargo test -p matchbook-record attacks` writes them again. What fails or is said in
//! `fixtures/evil-host.txt` is not repeated here.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use engine::{BySeat, Seat};
use ledger::{Author, Kind, Moment, Note, Policy};
use record::body::{Body, Key, SeatWord};
use record::verify::{Check, Report};
use record::write::NewMatch;
use record::{Bundle, Rule};
use serde_json::json;

use crate::book::{Book, new_match};
use crate::cases::{Example, examples};
use crate::evil_host::{EvilHost, Piece, pieces};
use crate::forger::{Seals, forged};
use crate::log::{LATER, cosigned_at, logged, policy_text, witnesses};
use crate::players::key;
use crate::report::{broken, said};
use crate::rounds;
use crate::script::FILES;
use crate::terms::begun_again;
use crate::waits::{unsigned, with_notes};

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

fn attack(name: &'static str, bundle: Bundle, verdict: &'static str, rule: Rule) -> Attack {
    Attack { name, bundle, policy: None, verdict, rule }
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
    let (signed, waits) = (Book::of("four rounds, ended"), Book::of("waiting, ended"));
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
    ]
}

/// A match in which something was remarked a minute before an answer came, which is then dated before that.
fn sent_before(name: &str) -> Bundle {
    let mut book = Book::of(name);
    // The remark and the answer lie side by side in the log.
    while book.leaves.len() % 3 != 1 {
        book.logs(ledger::leaf_hash(b"another match"));
    }
    book.passes(60);
    book.notes("the players are here");
    book.plays("score / grow");
    told(&book, |all| {
        let asked = all.iter().rfind(|piece| piece.kind == Kind::Asked && piece.body["decision"] == "d2").unwrap().at;
        let answers = all.iter_mut().filter(|piece| piece.kind == Kind::Sealed && piece.body["decision"] == "d2");
        answers.for_each(|piece| piece.body["came"] = json!(asked));
    })
}

/// Answers that came after an entry which their signed trees hold.
fn answers() -> Vec<Attack> {
    let fails = |name, of| attack(name, sent_before(of), "failed", Rule::SignedAfterSent);
    vec![
        fails("13 an answer whose signed tree holds an entry from after it came", "one round signed"),
        fails("13b a late answer dated before its deadline", "one round signed, and a clock"),
    ]
}

/// Attacks on keys.
fn keys() -> Vec<Attack> {
    let imported = forged(&Book::of("imported"), Seals::Kept, |entries| {
        let mut entry = entries[1].0.clone();
        (entry.by, entry.kind) = (Author::P1, Kind::Key);
        entries.insert(1, (entry, Body::Key(Key { seat: SeatWord(Seat::P1), key: key(0x51, 0), player: None })));
    });
    let empty = begun_again(&Book::of("colosseum"));
    vec![
        attack("115 a seat's key in an imported match", imported, "failed", Rule::KeyOnce),
        attack("43d a succession from the empty tree", empty, "verified with 1 ruling", Rule::Newest),
    ]
}

/// A match of players of these names.
pub(crate) fn named(p1: &str, p2: &str) -> Bundle {
    let names = BySeat { p1: p1.into(), p2: p2.into() };
    logged(&Book::open(&NewMatch { names, ..new_match(&format!("live {ROUNDS}")) }).played())
}

/// Words that a page or a terminal could take for its own.
fn texts() -> Vec<Attack> {
    let altered = |from: &str, to: &str| {
        let mut bundle = logged(&Book::of("colosseum"));
        bundle.texts.values_mut().for_each(|text| text.text = text.text.replace(from, to));
        bundle
    };
    let long: &str = &"x".repeat(60_000);
    let escrow = "verified with 1 ruling (sealed by the server, unsigned)";
    vec![
        attack("14 a name with a line break", altered("Juniper", "Jun\niper"), "failed", Rule::TextOpens),
        attack("17 one name in both seats", named("Juniper", "Juniper"), escrow, Rule::NamesAlike),
        attack("18 names that look alike", named("Okapi", "0kарi"), escrow, Rule::NamesAlike),
        attack("15 names with escapes of a terminal", named("\u{1b}[31mJuniper", "Okapi"), escrow, Rule::SecondChain),
        attack("16 names that run from right to left", named("\u{202e}repinuJ", "Okapi"), escrow, Rule::SecondChain),
        attack("24 a reason with a line break", altered("conceded", "con\nceded"), "failed", Rule::TextOpens),
        attack("26 a name of 60000 letters", named(long, "Okapi"), escrow, Rule::SecondChain),
    ]
}

/// Practice that is dressed as a match of the record.
fn practices() -> Vec<Attack> {
    let origin = Book::new().origin;
    let mut practice = Book::new();
    practice.origin = origin.practice().unwrap();
    let practice = practice.opens_live(ROUNDS);
    let mut signed = practice.clone();
    signed.registers(Seat::P1, 1).unwrap();
    let (signed, practice) = (signed.played(), practice.played());
    let renamed = Bundle { origin, ..practice.bundle() };
    vec![
        attack("145 practice under the name of the record", renamed, "failed", Rule::Opening),
        attack("146 practice with the proof of a log", logged(&practice), "practice", Rule::ServerHeld),
        attack("147 practice signed over a tree", signed.bundle(), "practice", Rule::ServerHeld),
        attack("148 practice", practice.bundle(), "practice", Rule::ServerHeld),
    ]
}

/// A match that was cut off.
fn cut() -> Attack {
    let bundle = told(&Book::of("four rounds, ended"), |all| drop(all.drain(8..)));
    attack("160 a match that was cut off", bundle, "so far verified (signed with the seats' keys)", Rule::Runs)
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../fixtures/attacks")
}

/// The words of the verdict, and the report.
fn judged(bundle: &Bundle, policy: Option<&String>) -> (String, Report) {
    let read = Bundle::read(&bundle.write()).unwrap();
    let policy = policy.map(|text| Policy::read(text.as_bytes()).unwrap());
    let check = Check::of(&read, policy.as_ref()).with_rounds(rounds::is_signed);
    (check.report().words(check.history()).replace('\n', "\\n"), check.report())
}

#[test]
fn each_attack_gets_the_verdict_that_its_proof_is_worth() {
    let mut files = Vec::new();
    for Attack { name, bundle, policy, verdict, rule } in
        times().into_iter().chain(answers()).chain(keys()).chain(texts()).chain(practices()).chain([cut()])
    {
        let (words, report) = judged(&bundle, policy.as_ref());
        assert!(words.starts_with(verdict), "{name}: {words}\n{report:#?}");
        assert!(broken(&report).contains(&rule) || said(&report).contains(&rule), "{name}: {report:#?}");
        files.push((name, bundle, policy, format!("{words} [{rule}]")));
    }
    // What these get stands beside them.
    for Example { name, bundle, rules } in examples(Some("attacks")) {
        let (words, _) = judged(&bundle, None);
        files.push((name, bundle, None, format!("{words} [{rules}]")));
    }
    let update = std::env::var_os("UPDATE").is_some();
    let mut index = BTreeMap::new();
    for (name, bundle, policy, words) in files {
        let file = name.replace(' ', "-").replace(['\'', ','], "");
        let path = |ending: &str| folder().join(format!("{file}.{ending}"));
        if update {
            fs::write(path("bundle"), bundle.write()).unwrap();
            policy.iter().for_each(|policy| fs::write(path("policy"), policy).unwrap());
        }
        let kept = (fs::read(path("bundle")).unwrap_or_default(), fs::read_to_string(path("policy")).ok());
        assert!(kept == (bundle.write(), policy), "{name}: UPDATE=1 writes the file again");
        index.insert(file.clone(), format!("{file}: {words}\n"));
    }
    let index: String = index.into_values().collect();
    if update {
        fs::write(folder().join("index.txt"), &index).unwrap();
    }
    assert_eq!(fs::read_to_string(folder().join("index.txt")).unwrap_or_default(), index);
}

/// The numbers that were tried and told: the others have no name.
const NUMBERS: [RangeInclusive<u32>; 12] = [
    1..=11,
    13..=35,
    37..=39,
    43..=43,
    46..=84,
    87..=111,
    113..=120,
    130..=137,
    140..=141,
    143..=148,
    152..=152,
    160..=160,
];

#[test]
fn each_number_of_the_attacks_is_shown_by_something() {
    let project = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |path: &str| fs::read_to_string(project.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let (told, mut shown) = (read("fixtures/evil-host.txt"), BTreeSet::new());
    for line in read("fixtures/attacks/numbers.txt").lines().filter(|line| !line.starts_with('#')) {
        let (number, by) = line.split_once(": ").unwrap();
        let (what, name) = by.split_once(' ').unwrap();
        let is_there = match what {
            "bundle" => folder().join(format!("{name}.bundle")).exists() && name.starts_with(&format!("{number}-")),
            "case" => FILES.values().flatten().any(|block| block.word == "case" && block.name == name),
            "evil-host" => told.lines().any(|line| line.starts_with(&format!("{name}: fails "))),
            "test" => {
                let (file, name) = name.split_once(' ').unwrap();
                read(file).contains(&format!("fn {name}()"))
            }
            _ => false,
        };
        assert!(is_there, "{line}");
        shown.insert(number.trim_end_matches(|sign: char| sign.is_alphabetic()).parse::<u32>().unwrap());
    }
    assert!(shown.iter().copied().eq(NUMBERS.into_iter().flatten()), "{shown:?}");
}

/// A correction that leaves a seat's move as it was takes nothing from that seat.
#[test]
fn a_correction_lowers_the_grade_of_the_seat_that_it_changes() {
    let corrected = |moves: &[&str]| {
        let mut book = Book::of("four rounds, ended");
        moves.iter().for_each(|p1| book.corrects(1, Some(p1), None));
        book.ends();
        book.verdict()
    };
    assert!(corrected(&["score"]).ends_with("(recorded by the umpire)"), "{}", corrected(&["score"]));
    // What was corrected back is what the player signed.
    let back = corrected(&["score", "grow"]);
    assert!(back.ends_with("(signed with the seats' keys)"), "{back}");
}

//! What verification says of every alteration that an evil host can make: a finding fails, or something else is said, or
//! nothing is, for a reason. `fixtures/evil-host.txt` has all of it, one alteration a line with the rules that it breaks;
//! `UPDATE=1 cargo test -p matchbook-record evil` writes it again.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread;

use ledger::Policy;
use record::verify::{Check, Report, Status, Verdict};
use record::{Bundle, KnownPlayer};

use crate::alterations::{self, Alteration};
use crate::book::Book;
use crate::evil_host::{EvilHost, Piece, pieces};
use crate::examples::Examples;
use crate::log::log_key;
use crate::report::broken;
use crate::{player_lies, players, receipts, rounds, seeds};

/// A match, and whether the host plays its players.
struct Case {
    name: &'static str,
    book: Book,
    plays: bool,
    /// True if only the entries about shares are altered: another match has all else.
    shares_only: bool,
}

fn matches() -> Vec<Case> {
    let told = |name, plays, book| Case { name, book, plays, shares_only: false };
    let shared = |name, plays, book| Case { name, book, plays, shares_only: true };
    vec![
        // The first, so that what is taken from another match is as it was before.
        told("early", true, Book::of("closed early, ended")),
        told("waiting", false, Book::of("waiting, ended")),
        told("recorded", false, Book::of("corrected and ruled")),
        told("signed", false, Book::of("four rounds, ended")),
        told("invented", true, Book::of("four rounds, ended")),
        told("replaced", false, receipts::ended(receipts::played())),
        told("drawn", false, Book::of("a drawn deal, ended")),
        shared("opened", false, Book::of("opened, ended")),
        shared("unopened", false, Book::of("opened by one, ended")),
        shared("started anew", false, Book::of("gathered anew, ended")),
        shared("shares invented", true, Book::of("opened, ended")),
        told("eventful", false, Book::of("eventful")),
        told("imported", false, Book::of("imported")),
        told("registered", true, players::registered()),
        shared("beacon", false, seeds::ended(rounds::published())),
    ]
}

/// The true match. Of what was replaced in it, the one that counted came second.
fn honest(told: &Case) -> Vec<Piece> {
    let mut pieces = pieces(&told.book);
    if told.name == "replaced" {
        let second = |piece: &&mut Piece| piece.body["decision"] == "d3" && piece.body["seat"] == "p1";
        pieces.iter_mut().filter(second).for_each(|piece| piece.body["ordinal"] = 1.into());
    }
    pieces
}

/// Why nothing is said of an alteration. The first one that an alteration's name begins with is its reason; one that
/// begins with a space may stand anywhere in the name.
const SILENT: &[(&str, &str)] = &[
    ("asked entry dropped", "a question that nobody answered leaves nothing behind"),
    ("sealed entry moved", "the seals of one close have no order"),
    ("asked entry moved", ORDER),
    ("handed entry moved", ORDER),
    ("key entry moved", ORDER),
    ("objected entry moved", ORDER),
    ("ruled entry moved", ORDER),
    ("struck entry moved", ORDER),
    // Authors.
    ("asked by", AUTHOR),
    ("resolved by", AUTHOR),
    ("ended by", AUTHOR),
    ("unsealed by", AUTHOR),
    ("imported by", AUTHOR),
    ("opened by", AUTHOR),
    // The opening.
    ("opened.date", UNUSED),
    ("opened.program", UNUSED),
    ("opened.dmo", UNUSED),
    ("opened.event", WORD),
    ("imported.source", WORD),
    ("opened.host_key", "receipts and an audit of the log show it, and no bundle does"),
    ("opened.names", "who sits in which seat is the host's word"),
    // Times, numbers, keys.
    (" at a minute", CLOCK),
    ("sealed.came", CLOCK),
    ("drawn-openings.came", CLOCK),
    ("sealed.ordinal", RECEIPT),
    ("sealed.signature", "the host plays the seat: whoever has the key signs what it likes"),
    ("resolved.tree", "the host names any tree of its log that covers the seals"),
    ("drawn-seed.tree", "the host names any tree of its log that covers the openings"),
    ("drawn-signature.tree", "the host names any tree of its log that covers the naming of the round"),
    ("resolved.openings[].key", KEY),
    ("unsealed.openings[].key", KEY),
    ("drawn-openings.openings[].key", KEY),
    ("resolved.openings in another order", LIST),
    ("unsealed.openings in another order", LIST),
    ("struck.steps[].seals in another order", LIST),
    ("unsealed entry dropped", RECEIPT),
    ("unsealed.replaced", RECEIPT),
    ("player revoked before the opening, and the file leaves it out", AUDIT),
    ("player chain entry 0 time", CLOCK),
    ("player chain entry 1 time", CLOCK),
    ("noted", "a remark changes nothing, and nobody signs it"),
];

const AUDIT: &str = "finding 8 says it of every vouching: an audit of the log with this file shows it";
const ORDER: &str = "nothing between the two tells their order";
const AUTHOR: &str = "which umpire it was, or the server, is the server's word";
const UNUSED: &str = "this game does not rest on it";
const WORD: &str = "a word that may be withdrawn, and that nothing else names";
const CLOCK: &str = "it is the server's clock";
const RECEIPT: &str = "a player's receipt shows it, and nothing else does";
const KEY: &str = "any key seals as well as another";
const LIST: &str = "the order of this list means nothing";

fn check(book: &Book, bundle: &Bundle) -> Report {
    check_for(book, bundle, &[])
}

/// The report for a reader who knows these players.
fn check_for(book: &Book, bundle: &Bundle, known: &[KnownPlayer]) -> Report {
    let policy = format!("log {}\nquorum none\n", log_key(book).verifier());
    let read = Bundle::read(&bundle.write()).unwrap();
    assert_eq!(read, *bundle);
    let policy = Policy::read(policy.as_bytes()).unwrap();
    Check::of(&read, Some(&policy)).with_players(known).with_rounds(rounds::is_signed).report()
}

/// Everything that a report says, sentence by sentence, each with its finding. The checkpoint is always another one, and
/// from when to when entries are dated says nothing of them.
fn sentences(report: &Report) -> Vec<(u8, String)> {
    let of = |finding: &record::verify::Finding| {
        let details = finding.details.iter().map(|detail| detail.text.clone());
        details.chain([finding.summary.clone()]).map(|said| (finding.number, undated(&said))).collect::<Vec<_>>()
    };
    let all = report.findings.iter().flat_map(of);
    all.filter(|(_, said)| !said.starts_with("checkpoint of ")).collect()
}

fn undated(said: &str) -> String {
    said.split("Entries are dated").next().unwrap_or_default().to_owned()
}

/// A sentence without the numbers of entries, which others have when entries come or go.
fn without_places(said: &str) -> String {
    let mut after_entry = false;
    let words = said.split(' ').map(|word| {
        let place = std::mem::replace(&mut after_entry, matches!(word, "entry" | "Entry"));
        if place { word.trim_matches(|c: char| c.is_ascii_digit()) } else { word }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The answer to an altered match, beside the true one.
fn answer(honest: &Report, name: &str, moves_entries: bool, report: &Report) -> String {
    match &report.verdict {
        Verdict::Failed { .. } => {
            let broken: Vec<String> = broken(report).iter().map(ToString::to_string).collect();
            return format!("fails {}", broken.join(" "));
        }
        Verdict::CannotCheck { .. } => return "cannot be checked".to_owned(),
        verdict if *verdict != honest.verdict => return format!("says in the verdict: {verdict}"),
        _ => {}
    }
    let known = sentences(honest);
    let is_known = |(finding, said): &(u8, String)| {
        let places = |said: &str| if moves_entries { without_places(said) } else { said.to_owned() };
        // That there are so many entries, and that they are in the log, is always said.
        let always = moves_entries && *finding <= 2;
        always || known.iter().any(|(of, other)| of == finding && places(other) == places(said))
    };
    let new = sentences(report).into_iter().find(|said| !is_known(said));
    if let Some((finding, said)) = new {
        return format!("says in {finding}: {said}");
    }
    match SILENT.iter().find(|(path, _)| name.starts_with(path) || path.starts_with(' ') && name.contains(path)) {
        Some((_, why)) => format!("harmless: {why}"),
        None => "UNEXPLAINED".to_owned(),
    }
}

/// The answers for one match, in the order of its entries, and an example for each rule that plays a part in one.
fn answers(told: &Case, others: &[&[Piece]], examples: &mut Examples) -> Vec<(String, String)> {
    let (host, true_pieces) = (EvilHost::of(&told.book, told.plays), honest(told));
    let honest = host.tells(true_pieces.clone()).unwrap();
    let report = check(&told.book, &honest);
    assert!(report.is_good() && report.findings[1].status == Status::Holds, "{}: {report:#?}", told.name);
    examples.add(told.name, &honest);
    let mut found: Vec<(String, String)> = Vec::new();
    let kinds = [
        "drawn-share",
        "drawn-openings",
        "drawn-seed",
        "drawn-round",
        "drawn-signature",
        "ruled",
        "key",
        "opened.beacon",
    ];
    for Alteration { name, pieces, moves_entries } in alterations::of(&true_pieces, others) {
        if told.shares_only && !kinds.iter().any(|kind| name.starts_with(kind)) {
            continue;
        }
        let Some(bundle) = host.tells(pieces).filter(|bundle| *bundle != honest) else { continue };
        let answer = answer(&report, &name, moves_entries, &check(&told.book, &bundle));
        let name = format!("{} {name}", told.name);
        examples.add(&name, &bundle);
        found.push((name, answer));
    }
    if !told.book.players.is_empty() {
        for player_lies::Lie { name, bundle, knows } in player_lies::of(&told.book, &true_pieces) {
            let bundle = bundle.unwrap_or_else(|| panic!("{name} cannot be told"));
            let known = if knows { players::known_to_readers() } else { Vec::new() };
            let answer = answer(&report, &name, false, &check_for(&told.book, &bundle, &known));
            let name = format!("{} {name}", told.name);
            examples.add(&name, &bundle);
            found.push((name, answer));
        }
    }
    found
}

#[test]
fn every_alteration_by_an_evil_host_fails_or_is_said_or_has_a_reason() {
    let matches = matches();
    let all: Vec<Vec<Piece>> = matches.iter().map(honest).collect();
    let found: Vec<(Vec<(String, String)>, Examples)> = thread::scope(|scope| {
        let each = |(n, told): (usize, Case)| {
            let others = all.iter().enumerate().filter(move |(m, _)| *m != n).map(|(_, of)| &of[..]);
            let others: Vec<&[Piece]> = others.collect();
            scope.spawn(move || {
                let mut examples = Examples::default();
                (answers(&told, &others, &mut examples), examples)
            })
        };
        let running: Vec<_> = matches.into_iter().enumerate().map(each).collect();
        running.into_iter().map(|answers| answers.join().unwrap()).collect()
    });
    let (found, examples): (Vec<_>, Vec<Examples>) = found.into_iter().unzip();
    let found: Vec<(String, String)> = found.into_iter().flatten().collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, answer) in &found {
        *counts.entry(answer.split([' ', ':']).next().unwrap()).or_default() += 1;
    }
    println!("{} alterations: {counts:?}", found.len());
    let text: String = found.iter().map(|(name, answer)| format!("{name}: {answer}\n")).collect();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/evil-host.txt");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&file, &text).unwrap();
        examples.into_iter().fold(Examples::of_tests(), Examples::with).or_cases().write();
    }
    let unexplained: Vec<&String> =
        found.iter().filter(|(_, answer)| answer == "UNEXPLAINED").map(|(name, _)| name).collect();
    assert!(
        unexplained.is_empty(),
        "{} alterations are neither found nor explained: {unexplained:#?}",
        unexplained.len()
    );
    assert!(found.len() >= 400);
    let kept = fs::read_to_string(&file).unwrap_or_default();
    let changed = found.iter().zip(kept.lines()).find(|((name, answer), kept)| format!("{name}: {answer}") != *kept);
    assert_eq!(changed, None, "UPDATE=1 cargo test -p matchbook-record evil writes the file again");
    assert_eq!(found.len(), kept.lines().count(), "UPDATE=1 cargo test -p matchbook-record evil writes the file again");
}

//! A bundle for each numbered rule: one that breaks it, or one of which it makes a verifier say something. They are in
//! `fixtures/rules`, for whoever writes another verifier; `UPDATE=1 cargo test -p matchbook-record evil` writes them again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use engine::{Seat, SplitMix64};
use ledger::{Author, Commitment, Kind, LeafIndex, Moment, Policy, SignerKey};
use record::body::{AdmittedAnswer, Body, RulingEffect, SeatWord};
use record::verify::{Check, Report, verify_by};
use record::{Bundle, Duty, KnownPlayer, LogEvidence, Rule};

use crate::acts::{NO_ITEMS, id};
use crate::attacks::{named, notes};
use crate::book::Book;
use crate::finals;
use crate::forger::{Seals, bodies, forged};
use crate::forgery::puzzler;
use crate::links::linked;
use crate::log::{cosigned_at, logged, policy_text};
use crate::outages::away;
use crate::players;
use crate::rounds;
use crate::seeds::{BOARDS, plays, seeded};
use crate::shares::LINES;
use crate::terms::under;
use crate::waits::{self, passed, waiting};

/// The best bundle for each rule: one that breaks few others, and is short.
#[derive(Default)]
pub(crate) struct Examples(BTreeMap<Rule, Example>);

struct Example {
    /// How many other rules it breaks, and how long it is.
    cost: (usize, usize),
    name: String,
    bundle: Vec<u8>,
}

/// The report without a policy, as somebody has it who can check a beacon's rounds.
fn verify(bundle: &Bundle) -> Report {
    Check::of(bundle, None).with_rounds(rounds::is_signed).report()
}

/// The rules that a report finds broken, each once, in their order.
pub(crate) fn broken(report: &Report) -> BTreeSet<Rule> {
    let details = report.findings.iter().flat_map(|finding| &finding.details);
    details.filter(|detail| detail.wrong).map(|detail| detail.rule).collect()
}

/// The rules of which a report says something without failing.
pub(crate) fn said(report: &Report) -> BTreeSet<Rule> {
    let details = report.findings.iter().flat_map(|finding| &finding.details);
    let of_summaries = report.findings.iter().flat_map(|finding| &finding.rules).copied();
    details.filter(|detail| !detail.wrong).map(|detail| detail.rule).chain(of_summaries).collect()
}

impl Examples {
    /// Considers a bundle as it is checked without a policy.
    pub(crate) fn add(&mut self, name: &str, bundle: &Bundle) {
        let report = verify(bundle);
        let broken = broken(&report);
        let of = if broken.is_empty() { said(&report) } else { broken.clone() };
        if of.is_empty() {
            return;
        }
        let written = bundle.write();
        for rule in of {
            let cost = (broken.len(), written.len());
            if self.0.get(&rule).is_none_or(|known| cost < known.cost) {
                self.0.insert(rule, Example { cost, name: name.to_owned(), bundle: written.clone() });
            }
        }
    }

    /// The better ones of both.
    pub(crate) fn with(mut self, other: Self) -> Self {
        for (rule, example) in other.0 {
            if self.0.get(&rule).is_none_or(|known| example.cost < known.cost) {
                self.0.insert(rule, example);
            }
        }
        self
    }

    /// Matches and alterations that the evil host does not have.
    pub(crate) fn of_tests() -> Self {
        let mut examples = Self::default();
        for (name, bundle) in unlogged().into_iter().chain(logs()).chain(beacon()) {
            examples.add(name, &bundle);
        }
        examples
    }

    pub(crate) fn write(&self) {
        let folder = folder();
        drop(fs::remove_dir_all(&folder));
        fs::create_dir_all(&folder).unwrap();
        let mut index = BTreeMap::new();
        for (rule, example) in &self.0 {
            fs::write(folder.join(format!("{rule}.bundle")), &example.bundle).unwrap();
            index.insert(*rule, example.name.clone());
        }
        for ByReader { rule, name, bundle, file, text } in by_reader() {
            fs::write(folder.join(format!("{rule}.bundle")), bundle.write()).unwrap();
            fs::write(folder.join(format!("{rule}.{file}")), text).unwrap();
            index.insert(rule, format!("{name}, with {rule}.{file}"));
        }
        let index: String = index.into_iter().map(|(rule, name)| format!("{rule}: {name}\n")).collect();
        fs::write(folder.join("index.txt"), index).unwrap();
    }
}

/// A bundle for a rule that only a policy, or a file of players whom the reader knows, can show.
struct ByReader {
    rule: Rule,
    name: &'static str,
    bundle: Bundle,
    /// The ending of the file beside it: `policy` or `players`.
    file: &'static str,
    text: String,
}

fn by_reader() -> Vec<ByReader> {
    let (book, players) = (puzzler(), players::registered());
    let mut waits = waiting();
    waits.plays("grow / claim");
    let alone = waits::with_notes(&waits, waits::unsigned);
    let elsewhere = SignerKey::from_seed("elsewhere.example/log".parse().unwrap(), &[3; 32]).verifier().clone();
    let policy = |rule, name, bundle, text| ByReader { rule, name, bundle, file: "policy", text };
    vec![
        policy(
            Rule::KnownLog,
            "a log that the reader does not know",
            logged(&book),
            format!("log {elsewhere}\nquorum none\n"),
        ),
        policy(Rule::Witnesses, "cosigned by both witnesses", logged(&book), policy_text(&book)),
        policy(Rule::NotWitnessed, "a tree that nobody cosigned", alone, policy_text(&waits)),
        policy(
            Rule::Untimely,
            "cosignatures of time 0",
            notes(logged(&waits), |note| cosigned_at(note, 0)),
            policy_text(&waits),
        ),
        ByReader {
            rule: Rule::KnownPlayer,
            name: "a player whose key is another one",
            bundle: logged(&players),
            file: "players",
            text: format!("Juniper={}\n", players::key(0x52, 0)),
        },
    ]
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../fixtures/rules")
}

const ROUNDS: &str = "five-card-trick/dm-colosseum-2";

/// Draws of a beacon: a round that a ruling does without, and what only a forger does.
fn beacon() -> Vec<(&'static str, Bundle)> {
    let book = rounds::published();
    let without = forged(&book, Seals::Kept, |entries| {
        entries.retain(|(_, body)| !matches!(body, Body::SignedRound(_)));
    });
    let no_draws = forged(&puzzler(), Seals::Kept, |entries| {
        bodies!(entries, Opened).next().unwrap().beacon = Some(ledger::Network::quicknet().hash);
    });
    let waived = forged(&rounds::waived(), Seals::Kept, |entries| {
        entries.retain(|(_, body)| !matches!(body, Body::NamedRound(_)));
    });
    vec![
        ("a draw without its round", without),
        ("a beacon that nobody knows", rounds::unknown().bundle()),
        ("a beacon where nothing is drawn", no_draws),
        ("a ruling that goes on without a round", rounds::waived().bundle()),
        ("a ruling that goes on without a round where none was named", waived),
    ]
}

/// Matches without the proof of a log.
fn unlogged() -> Vec<(&'static str, Bundle)> {
    let mut other_text = puzzler().bundle();
    other_text.texts.values_mut().next().unwrap().text.push('!');
    let mut hiding = Book::opened("five-card-trick/genius-puzzler", Some(Seat::P2), NO_ITEMS);
    hiding.plays("score block:claim / grow block:steal");
    let other_line = forged(&hiding, Seals::Kept, |entries| {
        let line = &mut bodies!(entries, Resolved).next().unwrap().dmn;
        *line = line.replacen("score", "claim", 1);
    });
    let mut ruled = Book::opened(ROUNDS, None, NO_ITEMS);
    ruled.rules("the round stands", None);
    let answers_nothing = forged(&ruled, Seals::Kept, |entries| {
        bodies!(entries, Ruled).next().unwrap().does = Some(RulingEffect::Answers(0));
    });
    let mut typed_in = Book::opened("devils-deal/blooming-genius", Some(Seat::P1), NO_ITEMS);
    typed_in.draws("deal B4 R1 R8 R9 G5 | B2 R6 B3 G2 G7");
    let mut cards = seeded(BOARDS);
    plays(&mut cards, &mut SplitMix64(5), 12);
    let first = cards.history().steps[0].text.clone().unwrap();
    cards.corrects_line(1, &first);
    let other_cards = forged(&cards, Seals::Kept, |entries| {
        let struck = bodies!(entries, Struck).next().unwrap();
        let instead = struck.steps.iter_mut().find(|step| step.dmn.starts_with("host:")).unwrap();
        instead.seals[0].commitment = Some(Commitment::new([9; 32]));
    });
    let mut listed = Book::host_draws("devils-deal/blooming-genius");
    listed.lists(LINES);
    let listed_again = forged(&listed, Seals::Kept, |entries| {
        let (entry, mut body) = entries.last().unwrap().clone();
        let Body::ShareList(list) = &mut body else { panic!("no list of shares") };
        list.ordinal = 1;
        entries.push((entry, body));
    });
    let mut told = clocks();
    told.extend(seats());
    let mut opened_early = waiting();
    let decision = opened_early.seals("round", &[(Seat::P1, "score"), (Seat::P2, "grow")]);
    opened_early.resolves_by(&decision, false);
    told.extend([
        ("a step without its witnesses, after the limit", passed().bundle()),
        ("a step without its witnesses, before the limit", opened_early.bundle()),
        ("a text that was altered", other_text),
        ("names that look alike", named("Okapi", "0kарi")),
        ("a line that its openings do not give", other_line),
        ("an answer to an objection that nobody made", answers_nothing),
        ("a draw that was typed in", typed_in.bundle()),
        ("a draw whose cards a correction changes", other_cards),
        ("a second list of shares by the host", listed_again),
    ]);
    told
}

/// Live matches without the proof of a log: their links, their keys, and who sent nothing.
fn seats() -> Vec<(&'static str, Bundle)> {
    let linked = linked();
    let in_the_seats_name = forged(&linked, Seals::Kept, |entries| {
        let at = entries.iter().position(|(entry, _)| entry.kind == Kind::Linked).unwrap();
        entries[at].0.by = Author::P1;
    });
    let out_of_order = forged(&linked, Seals::Kept, |entries| bodies!(entries, Linked).last().unwrap().link = 7);
    let mut amid = Book::live(ROUNDS);
    amid.registers(Seat::P1, 1).unwrap();
    amid.notes("the players are here");
    let mut silent = Book::live(ROUNDS);
    silent.registers(Seat::P1, 1).unwrap();
    silent.plays("grow / -");
    let other = forged(&amid, Seals::Kept, |entries| {
        bodies!(entries, Opened).next().unwrap().rules = 3;
        entries.truncate(1);
    });
    vec![
        ("a seat that sent nothing, as the server says", silent.bundle()),
        ("other rules", other),
        ("links to a seat, made and followed", linked.bundle()),
        ("a link made by a seat", in_the_seats_name),
        ("a link before those before it", out_of_order),
        ("a key amid a question", amid.bundle()),
    ]
}

/// Matches in which clocks ran.
fn clocks() -> Vec<(&'static str, Bundle)> {
    let plays = |seconds, line: &str| {
        let mut book = Book::running(ROUNDS);
        book.passes(seconds);
        book.plays(line);
        book
    };
    let mut given = Book::running(ROUNDS);
    given.passes(50);
    given.gives("d1", 30, "the picture came late").unwrap();
    given.passes(12);
    given.plays("grow / claim");
    let mut made_up = away(&[(50.0, 100.0)]);
    made_up.plays("grow / claim");
    let too_much = forged(&made_up, Seals::Kept, |entries| {
        let given = bodies!(entries, Extended).next().unwrap();
        given.outage.as_mut().unwrap().from = given.deadline;
    });
    let late = plays(3660, "grow / claim");
    let typed = forged(&late, Seals::Remade, |entries| {
        for (entry, body) in entries {
            let Body::Sealed(sealed) = body else { continue };
            (sealed.came, entry.by) = (entry.at, "umpire:k3x9".parse().unwrap());
        }
    });
    let held = forged(&late, Seals::Remade, |entries| {
        let began = entries.iter().find(|(entry, _)| entry.kind == Kind::Resumed).unwrap().0.at;
        let came = Moment::from_micros(began.micros() + 1_000_000).unwrap();
        bodies!(entries, Sealed).for_each(|sealed| sealed.came = came);
    });
    let mut book = Book::running(ROUNDS);
    let decision = book.seals("round", &[(Seat::P1, "grow"), (Seat::P2, "claim")]);
    book.rules("lost on its way", None);
    book.resolves(&decision);
    let admitted = forged(&book, Seals::Remade, |entries| {
        let admitted = AdmittedAnswer { decision: id("d1"), seat: SeatWord(Seat::P2) };
        bodies!(entries, Ruled).next().unwrap().does = Some(RulingEffect::Admits(admitted));
    });
    let mut overdue = Book::live(ROUNDS);
    overdue.plays("grow / claim");
    let overdue = forged(&overdue, Seals::Remade, |entries| {
        bodies!(entries, Asked).next().unwrap().deadline = Some("2026-01-01T00:00:00.000000Z".parse().unwrap());
        entries.iter_mut().filter(|(entry, _)| entry.kind == Kind::Sealed).for_each(|(entry, body)| {
            let Body::Sealed(sealed) = body else { return };
            entry.by = if sealed.seat.0 == Seat::P1 { Author::P1 } else { Author::P2 };
        });
    });
    vec![
        ("an answer in time that was given", given.bundle()),
        ("time for an outage", made_up.bundle()),
        ("time for an outage that took none", too_much),
        ("answers that were typed late", typed),
        ("answers that entered late", held),
        ("a question that was closed early", plays(9, "- / -").bundle()),
        ("a question that closed early, as all moves were final", finals::closed_early().bundle()),
        ("a question that the server closed early, with one final answer", finals::closed_too_early().bundle()),
        ("a final answer where no question may close early", finals::marked()),
        ("a match without clocks that may close early", finals::without_clocks()),
        ("an answer that was admitted after it was sealed", admitted),
        ("answers after their deadline", overdue),
    ]
}

/// Matches with the proof of a log.
fn logs() -> Vec<(&'static str, Bundle)> {
    let book = puzzler();
    let change = |change: &dyn Fn(&mut LogEvidence)| {
        let mut bundle = logged(&book);
        change(bundle.logged.as_mut().unwrap());
        bundle
    };
    let mut later = book.clone();
    later.notes("a remark");
    let other_key = SignerKey::from_seed("elsewhere.example/log".parse().unwrap(), &[3; 32]).verifier().clone();
    vec![
        ("the key of another log", change(&|logged| logged.keys = vec![other_key.clone()])),
        ("a later name that says nothing of the one before", under(&book, 2, "")),
        ("an entry at another place", change(&|logged| logged.index = LeafIndex(0))),
        ("a tree without its proof", change(&|logged| logged.trees[0].consistency.path.clear())),
        ("a tree that only a player named, without its checkpoint", seen_unsigned()),
        ("a tree that the server named, without its checkpoint", change(&|logged| logged.trees[0].checkpoint = None)),
        ("without a checkpoint", book.bundle()),
        ("a remark after the checkpoint", Bundle { logged: logged(&book).logged, ..later.bundle() }),
    ]
}

/// A match of two registered players without the checkpoint of a tree that none but a player names.
fn seen_unsigned() -> Bundle {
    let whole = logged(&players::registered());
    let trees = whole.logged.as_ref().unwrap().trees.len();
    let mut without = (0..trees).map(|n| {
        let mut bundle = whole.clone();
        bundle.logged.as_mut().unwrap().trees[n].checkpoint = None;
        bundle
    });
    without.find(|bundle| verify(bundle).is_good()).unwrap()
}

/// The report on the bundle of a rule, by the policy or the players that stand beside it.
fn report_of(rule: Rule) -> Option<Report> {
    let beside = |ending: &str| fs::read(folder().join(format!("{rule}.{ending}"))).ok();
    let bundle = Bundle::read(&beside("bundle")?).unwrap();
    let policy = beside("policy").map(|text| Policy::read(&text).unwrap());
    let players = beside("players").map(|text| KnownPlayer::read_all(&String::from_utf8(text).unwrap()).unwrap());
    let check = Check::of(&bundle, policy.as_ref()).with_players(&players.unwrap_or_default());
    Some(check.with_rounds(rounds::is_signed).report())
}

#[test]
fn each_rule_has_a_bundle_that_breaks_it_or_of_which_it_says_something() {
    let mut missing = Vec::new();
    for rule in Rule::ALL {
        let Some(report) = report_of(*rule) else {
            missing.push(format!("{rule} {rule:?}"));
            continue;
        };
        match rule.duty() {
            Duty::Fail => assert!(broken(&report).contains(rule), "{rule}: {report:#?}"),
            Duty::Say => assert!(said(&report).contains(rule), "{rule}: {report:#?}"),
        }
    }
    assert!(missing.is_empty(), "no bundle shows {missing:#?}");
    let listed = fs::read_to_string(folder().join("index.txt")).unwrap();
    let listed = listed.lines().map(|line| line.split(':').next().unwrap().to_owned());
    assert!(listed.eq(Rule::ALL.iter().map(ToString::to_string)), "index.txt names each rule once, in their order");
}

#[test]
fn a_policy_knows_the_log_or_the_match_fails() {
    let bundle = Bundle::read(&fs::read(folder().join("2.16.bundle")).unwrap()).unwrap();
    let key = bundle.logged.as_ref().unwrap().keys[0].clone();
    let elsewhere = SignerKey::from_seed("elsewhere.example/log".parse().unwrap(), &[3; 32]).verifier().clone();
    let by = |key| Policy::read(format!("log {key}\nquorum none\n").as_bytes()).unwrap();
    assert!(said(&verify_by(&bundle, &by(key))).contains(&Rule::Witnesses));
    assert!(broken(&verify_by(&bundle, &by(elsewhere))).contains(&Rule::KnownLog));
}

#[test]
fn the_docs_list_each_rule_as_it_is_here() {
    let docs = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/record-format.md");
    let docs = fs::read_to_string(docs).unwrap();
    let written = docs.lines().filter(|line| line.contains(" **fail**: ") || line.contains(" *say*: "));
    let due = Rule::ALL.iter().map(|rule| {
        let duty = if rule.duty() == Duty::Fail { "**fail**" } else { "*say*" };
        format!("- {rule} {duty}: {}", rule.sentence())
    });
    assert_eq!(written.collect::<Vec<_>>(), due.collect::<Vec<_>>());
}

/// Whoever leaves out what contradicts a match gets no verdict that reads as if it had been there.
#[test]
fn a_file_without_its_log_is_not_called_verified() {
    for rule in ["2.5", "2.8", "3.22", "3.28"] {
        let mut bundle = Bundle::read(&fs::read(folder().join(format!("{rule}.bundle"))).unwrap()).unwrap();
        assert!(!Check::of(&bundle, None).report().is_good(), "{rule}");
        bundle.logged = None;
        let report = Check::of(&bundle, None).report();
        let said = report.words(None);
        assert!(said.starts_with("not shown to be in the log; otherwise "), "{rule}: {said}");
        assert!(!report.is_accepted(), "{rule}");
    }
    // A checkpoint of entries before.
    let report = report_of(Rule::AfterCheckpoint).unwrap();
    assert!(report.words(None).starts_with("not shown to be in the log; otherwise verified"), "{report:#?}");
    let whole = Check::of(&logged(&puzzler()), None).report();
    assert!(whole.is_accepted() && whole.words(None).starts_with("verified"), "{whole:#?}");
}

/// A verdict speaks for the weakest draw as well as for the weakest seat.
#[test]
fn draws_that_somebody_could_choose_are_part_of_the_verdict() {
    let bundle = Bundle::read(&fs::read(folder().join("5.31.bundle")).unwrap()).unwrap();
    let report = Check::of(&bundle, None).report();
    let said = report.verdict.to_string();
    assert_eq!(said, "verified with 1 ruling (signed with the seats' keys; the host could have chosen the draws)");
}

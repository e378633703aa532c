//! A bundle for each numbered rule: one that breaks it, or one of which it makes a verifier say something. They are in
//! `fixtures/rules`, for whoever writes another verifier; `UPDATE=1 cargo test -p matchbook-record evil` writes them again.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use ledger::{LeafIndex, Policy, SignerKey};
use record::verify::{Check, Report, verify_by};
use record::{Bundle, Duty, KnownPlayer, LogEvidence, Rule};

use crate::attacks::{named, notes};
use crate::book::Book;
use crate::cases::examples;
use crate::log::{cosigned_at, logged, policy_text};
use crate::players;
use crate::report::{broken, said};
use crate::rounds;
use crate::terms::under;
use crate::waits;

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
        logs().iter().for_each(|(name, bundle)| examples.add(name, bundle));
        examples
    }

    /// The cases of `fixtures/verdicts`, for the rules that nothing else shows, or that they break without so many others.
    pub(crate) fn or_cases(mut self) -> Self {
        let mut cases = Self::default();
        examples(None).iter().for_each(|case| cases.add(case.name, &case.bundle));
        for (rule, example) in cases.0 {
            if self.0.get(&rule).is_none_or(|known| example.cost.0 < known.cost.0) {
                self.0.insert(rule, example);
            }
        }
        self
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
    let (book, players) = (Book::of("puzzler"), players::registered());
    let waits = Book::of("waiting, a round played");
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

/// Matches with the proof of a log.
fn logs() -> Vec<(&'static str, Bundle)> {
    let book = Book::of("puzzler");
    let mut other_text = logged(&book);
    other_text.texts.values_mut().next().unwrap().text.push('!');
    let change = |change: &dyn Fn(&mut LogEvidence)| {
        let mut bundle = logged(&book);
        change(bundle.logged.as_mut().unwrap());
        bundle
    };
    let mut later = book.clone();
    later.notes("a remark");
    let other_key = SignerKey::from_seed("elsewhere.example/log".parse().unwrap(), &[3; 32]).verifier().clone();
    vec![
        ("a text that was altered", other_text),
        ("names that look alike", named("Okapi", "0kарi")),
        ("the key of another log", change(&|logged| logged.keys = vec![other_key.clone()])),
        ("a later name that says nothing of the one before", under(&book, 2, "")),
        ("an entry at another place", change(&|logged| logged.index = LeafIndex(0))),
        ("a tree without its proof", change(&|logged| logged.trees[0].consistency.path.clear())),
        ("a tree that only a player named, without its checkpoint", seen_unsigned()),
        ("a tree that the server named, without its checkpoint", change(&|logged| logged.trees[0].checkpoint = None)),
        ("without a checkpoint", book.bundle()),
        ("a declared game", logged(&Book::of("colours"))),
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
    let whole = Check::of(&logged(&Book::of("puzzler")), None).report();
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

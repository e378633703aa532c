//! A log that goes on under later names, each with a key of its own: one policy verifies every match of its life.

use ledger::ed25519::{PublicKey, SecretKey};
use ledger::{
    Checkpoint, Hash, InclusionProof, KeyName, LeafIndex, Note, Policy, SignerKey, TlogProof, Tree, TreeSize,
};
use record::receipts::{EntryProof, ReceiptFile, ReceiptStatus};
use record::succession::Succession;
use record::verify::{Report, Status, verify, verify_by};
use record::{Bundle, Rule};

use crate::book::Book;
use crate::forger::{among_others, caught};
use crate::log::{cosigned, log_key, logged, policy_text};

/// The key of a term of the log, from 1.
fn term_key(book: &Book, term: u8) -> SignerKey {
    let name = format!("{}/{term}", book.origin);
    if term == 1 { log_key(book) } else { SignerKey::from_seed(name.parse::<KeyName>().unwrap(), &[30 + term; 32]) }
}

fn host_key(term: u8) -> PublicKey {
    SecretKey::from_seed(&[10 + term; 32]).public()
}

/// The line of the term after this one, named by its key.
fn line(book: &Book, term: u8, common: Tree, last: Tree) -> Succession {
    let before = term_key(book, term);
    let key = term_key(book, term + 1).verifier().clone();
    let host = Hash::new(*host_key(term + 1).bytes());
    let name = before.verifier().name().to_string();
    Succession { before: name, common, key, host, last, named: None }.named_by(&before)
}

fn lines(lines: &[Succession]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// A checkpoint of a term, with these lines.
fn note(book: &Book, term: u8, tree: Tree, lines: &str) -> Note {
    let key = term_key(book, term);
    let text = format!("{}\n{}\n{}\n{lines}", key.verifier().name(), tree.size, tree.root.to_base64());
    Note::sign(text.parse().unwrap(), &key)
}

fn newest(bundle: &Bundle) -> Tree {
    Checkpoint::read(bundle.logged.as_ref().unwrap().checkpoint.text()).unwrap().tree()
}

/// The trees that the entries of a match name, smallest first, and the newest.
fn trees(book: &Book) -> Vec<Tree> {
    let whole = logged(book);
    let named = whole.logged.as_ref().unwrap().trees.iter().map(|named| named.tree);
    named.chain([newest(&whole)]).collect()
}

/// The same file under a later name of the log, with these lines in its newest checkpoint.
pub(crate) fn under(book: &Book, term: u8, lines: &str) -> Bundle {
    let mut bundle = logged(book);
    let tree = newest(&bundle);
    let evidence = bundle.logged.as_mut().unwrap();
    evidence.checkpoint = cosigned(note(book, term, tree, lines));
    evidence.keys = (1..=term).map(|term| term_key(book, term).verifier().clone()).collect();
    bundle
}

/// The same where each earlier tree that is not in the one before was signed in its term.
fn later(book: &Book, all: &[Succession]) -> Bundle {
    let mut bundle = under(book, all.len() as u8 + 1, &lines(all));
    for named in &mut bundle.logged.as_mut().unwrap().trees {
        let terms = all.iter().take_while(|line| line.common.size < named.tree.size).count();
        named.checkpoint = Some(note(book, terms as u8 + 1, named.tree, &lines(&all[..terms])));
    }
    bundle
}

/// The same under a second name that nothing is said to stand before, by somebody who has no key of the log.
pub(crate) fn begun_again(book: &Book) -> Bundle {
    let first = Tree::empty();
    let line = Succession { named: None, ..line(book, 1, first, first) };
    under(book, 2, &lines(&[line]))
}

/// A policy with these terms, and the witnesses of the log.
fn knows(book: &Book, all: &[Succession]) -> Policy {
    let mut text = String::new();
    for (term, line) in (1..).zip(all) {
        let Tree { size, root } = line.last;
        text +=
            &format!("log {}\nended {} {size} {}\n", term_key(book, term).verifier(), line.before, root.to_base64());
    }
    let own = policy_text(book);
    let (_, witnesses) = own.split_once('\n').unwrap();
    text += &format!("log {}\n{witnesses}", term_key(book, all.len() as u8 + 1).verifier());
    Policy::read(text.as_bytes()).unwrap()
}

fn second(report: &Report) -> (Status, &str) {
    (report.findings[1].status, report.findings[1].summary.as_str())
}

#[test]
fn one_policy_verifies_old_copies_and_new_downloads_of_a_log_with_several_keys() {
    let book = Book::of("puzzler");
    let trees = trees(&book);
    let [first, then, .., last] = trees[..] else { panic!("{trees:?}") };
    let all = [line(&book, 1, first, first), line(&book, 2, then, then)];
    let policy = knows(&book, &all);
    // Copies from before each succession end with the tree of that time; here the first term signed all.
    let long = [line(&book, 1, last, last)];
    for (what, bundle, policy) in [
        ("a copy from before", logged(&book), &knows(&book, &long)),
        ("a download behind one succession", later(&book, &all[..1]), &knows(&book, &all[..1])),
        ("trees of three terms", later(&book, &all), &policy),
        ("a change of keys, and nothing since", later(&book, &long), &knows(&book, &long)),
    ] {
        let report = verify_by(&bundle, policy);
        assert!(report.is_accepted(), "{what}: {report:#?}");
        assert_eq!(second(&report).0, Status::Holds, "{what}");
        assert!(!second(&report).1.contains("lost") && !second(&report).1.contains("did not name"), "{what}");
    }
    let read = Bundle::read(&later(&book, &all).write()).unwrap();
    let details = &verify_by(&read, &policy).findings[1].details;
    let said = format!("the log goes on as {}/3 from {} entries, which its key before named", book.origin, then.size);
    assert!(details.iter().any(|detail| detail.rule == Rule::Newest && detail.text == said), "{details:#?}");

    // Who knows the last name alone is not shown what was signed under the others; nothing is wrong with it.
    let last_alone =
        policy_text(&book).replace(&log_key(&book).verifier().to_string(), &term_key(&book, 3).verifier().to_string());
    let report = verify_by(&later(&book, &all), &Policy::read(last_alone.as_bytes()).unwrap());
    assert!(report.is_good() && second(&report).0 == Status::NotShown, "{report:#?}");

    // Whoever has a key of before signs nothing new with it.
    let report = verify_by(&logged(&book), &policy);
    let wrong = report.findings[1].details.iter().find(|detail| detail.wrong && detail.rule == Rule::KnownLog).unwrap();
    assert!(wrong.found.as_ref().unwrap().contains("ended with"), "{wrong:?}");
}

#[test]
fn a_successor_that_the_key_before_did_not_name_is_said_and_a_false_one_fails() {
    let book = Book::of("puzzler");
    let trees = trees(&book);
    let honest = line(&book, 1, trees[0], trees[0]);
    let lost = Succession { named: None, ..honest.clone() };
    let bundle = later(&book, std::slice::from_ref(&lost));
    for report in [verify(&bundle), verify_by(&bundle, &knows(&book, std::slice::from_ref(&lost)))] {
        assert!(report.is_good(), "{report:#?}");
        let said = format!(" It goes on as {}/2 under a key that its key before did not name: ", book.origin);
        assert!(second(&report).1.contains(&said), "{report:#?}");
    }
    // From the empty tree, by somebody who has no key of the log.
    let report = verify(&begun_again(&book));
    assert!(second(&report).1.contains("did not name"), "{report:#?}");
    let policy = Policy::read(policy_text(&book).as_bytes()).unwrap();
    let report = verify_by(&begun_again(&book), &policy);
    assert_eq!(second(&report).0, Status::Failed, "its key is one that the policy does not know");

    let thief = SignerKey::from_seed(log_key(&book).verifier().name().clone(), &[99; 32]);
    let false_one = lost.named_by(&thief);
    among_others(&later(&book, &[false_one]), 2, "the newest checkpoint is not signed by the log");
    for changed in [
        Succession { common: trees[1], last: trees[1], ..honest.clone() },
        Succession { host: Hash::new([7; 32]), ..honest.clone() },
        Succession { last: trees[1], ..honest },
    ] {
        among_others(&under(&book, 2, &lines(&[changed])), 2, "the newest checkpoint is not signed by the log");
    }

    // What was signed and is lost is said, whoever says it.
    let longer = Tree { size: TreeSize(trees[0].size.0 + 5), root: Hash::new([8; 32]) };
    let report = verify(&later(&book, &[line(&book, 1, trees[0], longer)]));
    assert!(report.is_good() && second(&report).1.contains("the last 5 entries are lost"), "{report:#?}");
}

#[test]
fn a_later_name_says_where_it_goes_on_from() {
    let book = Book::of("puzzler");
    let (origin, trees) = (&book.origin, trees(&book));
    let size = trees.last().unwrap().size;
    let other_root = "a succeeds line names a root that the log does not have at that size";
    for tree in &trees {
        assert!(verify(&later(&book, &[line(&book, 1, *tree, *tree)])).is_good());
        let other = Tree { root: Hash::new([5; 32]), ..*tree };
        if tree.size < size {
            caught(&under(&book, 2, &lines(&[line(&book, 1, other, other)])), 2, other_root);
        }
    }
    let with = |tree: Tree| line(&book, 1, tree, tree);
    let good = with(trees[0]).to_string();
    let root = Hash::new([5; 32]);
    let same_key = Succession { key: log_key(&book).verifier().clone(), ..with(trees[0]) };
    for (line, why) in [
        (String::new(), "it has not one succeeds line for each name of"),
        (format!("{good}\n{good}\n"), "it has not one succeeds line for each name of"),
        (format!("{good} \n"), "is not written as it should be"),
        (format!("succeeds {origin} 3 {}\n", root.to_base64()), "is not written as it should be"),
        (
            format!("{}\n", good.replacen(origin.as_str(), "elsewhere.example/log", 1)),
            "its succeeds line names elsewhere",
        ),
        (format!("{same_key}\n"), "its succeeds line has a key of"),
        (format!("{}\n", with(Tree { size: TreeSize(size.0 + 1), root })), "names a larger tree"),
        (format!("{}\n", with(Tree { size, root })), "names two roots for one size"),
        (format!("{}\n", with(Tree { size: TreeSize(0), root })), "names a root for the empty tree"),
        (format!("{}\n", Succession { last: Tree { root, ..trees[0] }, ..with(trees[0]) }), "two roots for one size"),
        (format!("{}\n", line(&book, 1, trees[1], trees[0])), "names a larger tree"),
    ] {
        let report = verify(&under(&book, 2, &line));
        assert_eq!(second(&report).0, Status::Failed, "{line}: {report:#?}");
        let found = report.findings[1].details.iter().filter_map(|detail| detail.found.as_deref());
        assert!(found.into_iter().any(|found| found.contains(why)), "{line}: {report:#?}");
    }
    // An earlier checkpoint of the later name says the same.
    let mut bundle = later(&book, &[with(trees[0])]);
    let evidence = bundle.logged.as_mut().unwrap();
    evidence.trees[1].checkpoint = Some(note(&book, 2, trees[1], &lines(&[with(Tree::empty())])));
    among_others(&bundle, 2, "an earlier checkpoint is not signed by the log");
    // The keys of the file are those of the lines, and each is another one.
    let mut bundle = later(&book, &[with(trees[0])]);
    bundle.logged.as_mut().unwrap().keys[1] = term_key(&book, 1).verifier().clone();
    among_others(&bundle, 2, "the key that came along is of another log");
    // The first name has no such line.
    let mut first = logged(&book);
    let evidence = first.logged.as_mut().unwrap();
    evidence.checkpoint = cosigned(note(&book, 1, *trees.last().unwrap(), &format!("{good}\n")));
    among_others(&first, 2, "the newest checkpoint is not signed by the log");
}

#[test]
fn receipts_of_a_later_host_key_hold_where_the_log_names_it() {
    let book = crate::receipts::ended(crate::receipts::played());
    let tree = *trees(&book).last().unwrap();
    let bundle = later(&book, &[line(&book, 1, tree, tree)]);
    let evidence = bundle.logged.as_ref().unwrap();
    let first = crate::receipts::receipts(&book, &bundle, 11);
    // The host's key was lost in the middle of the match: what came before is under the one that the match names.
    let mut file = crate::receipts::receipts(&book, &bundle, 12);
    file.receipts[0] = first.receipts[0].clone();
    let leaf = LeafIndex(book.places[0].0);
    let hashes = inclusion(&book, leaf);
    let proof = TlogProof { extra: None, leaf, inclusion: hashes, checkpoint: evidence.checkpoint.clone() }.to_string();
    let opening = file.header.opened.as_ref().unwrap().entry.clone();
    file.header.log = evidence.keys.last().cloned();
    let nobody = Policy::read(b"quorum none\n").unwrap();
    let broken = |file: &ReceiptFile, policy: &Policy| {
        file.check(policy).iter().filter(|one| matches!(one.status, ReceiptStatus::Broken { .. })).count()
    };
    let all = file.receipts.len();
    assert_eq!(broken(&file, &nobody), all - 1, "nothing shows the later key");
    file.header.opened = Some(EntryProof { entry: opening, proof: Some(proof) });
    assert_eq!(broken(&file, &nobody), 0, "{:#?}", file.check(&nobody));
    assert_eq!(broken(&file, &knows(&book, &[line(&book, 1, tree, tree)])), 0);
    let places = file.find_in(&bundle).unwrap();
    assert!(places.iter().all(Option::is_some), "{places:?}");
    let stranger = crate::receipts::receipts(&book, &bundle, 13);
    assert!(stranger.find_in(&bundle).unwrap().iter().all(Option::is_none));
}

/// The inclusion proof of an entry in the newest tree.
fn inclusion(book: &Book, index: LeafIndex) -> InclusionProof {
    InclusionProof::prove(index, TreeSize(book.leaves.len() as u64), &|subtree| {
        crate::log::hash_of(&book.leaves, subtree)
    })
    .unwrap()
}

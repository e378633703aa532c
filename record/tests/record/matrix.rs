//! The tamper matrix: a match in a log with signed checkpoints and two witnesses, altered in every way that is open to
//! a holder of the file, of the server, or of all keys but the log's. Each alteration is found and named; an unaltered
//! match raises no alarm.

use std::collections::BTreeMap;

use ledger::{Checkpoint, Hash, KeyName, LeafIndex, Note, PlayerSignature, Seq, SignerKey, Tree, TreeSize};
use record::body::Body;
use record::verify::{Check, Report, Status, Verdict, verify, verify_by};
use record::{Bundle, LogEvidence};

use crate::book::{Book, archive};
use crate::forger::{Entries, Seals, bodies, forged};
use crate::log::{cosigned, log_key, logged, policy, witnesses};

type Change<'c> = &'c dyn Fn(&mut Entries);

/// The result of a tampering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Detection {
    /// The file does not read: the line is named.
    Line,
    /// A finding fails, and an entry is named.
    Entry,
    /// Nothing false is shown, but finding 2 or 3 no longer holds: some proof was removed.
    Less,
}

/// One match, and the results of its alterations.
struct Matrix<'b> {
    book: &'b Book,
    whole: Bundle,
    good: Check,
    found: BTreeMap<Detection, usize>,
}

impl<'b> Matrix<'b> {
    fn of(book: &'b Book) -> Self {
        let whole = logged(book);
        let good = Check::of(&whole, Some(&policy(book)));
        let report = good.report();
        assert!(report.is_good(), "{report:#?}");
        assert_eq!(report.findings[1].status, Status::Holds, "{report:#?}");
        Self { book, whole, good, found: BTreeMap::new() }
    }

    /// Checks that an altered file is found.
    fn file(&mut self, name: &str, file: &[u8]) -> Detection {
        let found = match Bundle::read(file) {
            Err(error) => {
                assert!(error.line > 0 && !error.why.is_empty(), "{name}");
                Detection::Line
            }
            Ok(bundle) => {
                assert_ne!(bundle, self.whole, "{name}: nothing was altered");
                self.judged(name, &verify_by(&bundle, &policy(self.book)))
            }
        };
        *self.found.entry(found).or_default() += 1;
        found
    }

    /// Checks that an altered bundle is found.
    fn bundle(&mut self, name: &str, bundle: &Bundle) -> Detection {
        self.file(name, &bundle.write())
    }

    /// Checks that an altered bundle is found, and that this is the first entry at fault.
    fn names(&mut self, name: &str, bundle: &Bundle, entry: u32, finding: u8) {
        assert_eq!(self.bundle(name, bundle), Detection::Entry, "{name}");
        let report = verify_by(bundle, &policy(self.book));
        let Verdict::Failed { entry: named, .. } = report.verdict else { panic!("{name}: {report:#?}") };
        assert_eq!(named, Seq(entry), "{name}: {report:#?}");
        let status = report.findings[usize::from(finding) - 1].status;
        assert_eq!(status, Status::Failed, "{name}: finding {finding}: {report:#?}");
    }

    fn judged(&self, name: &str, report: &Report) -> Detection {
        let Verdict::Failed { entry, unaffected } = report.verdict else {
            let less = report.findings[1..3]
                .iter()
                .zip(&self.good.report().findings[1..3])
                .any(|(now, before)| now.status != before.status || now.summary != before.summary);
            assert!(less, "{name} goes unnoticed: {report:#?}");
            return Detection::Less;
        };
        let wrong = report.findings.iter().filter(|finding| finding.status == Status::Failed);
        let named =
            wrong.flat_map(|finding| &finding.details).any(|detail| detail.wrong && detail.entry == Some(entry));
        assert!(named, "{name}: no finding names entry {entry}: {report:#?}");
        // The unaffected rounds were complete before, and contain nothing altered.
        let good = self.good.history().unwrap();
        let struck = good.strikes.iter().flat_map(|strike| &strike.struck);
        let before = good
            .steps
            .iter()
            .chain(struck)
            .filter(|step| step.entry < entry)
            .map(|step| step.row.round)
            .max()
            .unwrap_or(0);
        assert!(unaffected <= before, "{name}: rounds up to {unaffected} before entry {entry}: {report:#?}");
        Detection::Entry
    }

    fn evidence(&mut self, name: &str, change: impl Fn(&mut LogEvidence)) -> Detection {
        let mut other = self.whole.clone();
        other.logged.iter_mut().for_each(change);
        self.bundle(name, &other)
    }

    fn count(&self) -> usize {
        self.found.values().sum()
    }
}

/// Flips one bit in every third byte of the log's proof, and in every thirteenth byte of the rest; `tamper` tests every
/// byte.
fn bytes(matrix: &mut Matrix<'_>) {
    let file = matrix.whole.write();
    let log = file.windows(14).position(|window| window == br#"{"checkpoint":"#.as_slice()).unwrap();
    for at in (0..file.len() - 1).filter(|at| at % if *at >= log { 3 } else { 13 } == 0) {
        let mut other = file.clone();
        other[at] ^= 1 << (at % 7);
        matrix.file(&format!("byte {at}"), &other);
    }
    for cut in (0..file.len() - 1).step_by(97) {
        matrix.file(&format!("cut off after {cut} bytes"), &file[..cut]);
    }
}

/// Deletes, doubles and swaps lines of the file.
fn lines(matrix: &mut Matrix<'_>) {
    let file = matrix.whole.write();
    let lines: Vec<&[u8]> = file.split_inclusive(|byte| *byte == b'\n').collect();
    for n in 0..lines.len() {
        let without = [&lines[..n], &lines[n + 1..]].concat().concat();
        matrix.file(&format!("line {} deleted", n + 1), &without);
        let twice = [&lines[..=n], &lines[n..]].concat().concat();
        matrix.file(&format!("line {} doubled", n + 1), &twice);
    }
    let texts = 1 + matrix.whole.lines.len();
    for n in 0..texts - 1 {
        let mut swapped = lines.clone();
        swapped.swap(n, n + 1);
        matrix.file(&format!("lines {} and {} swapped", n + 1, n + 2), &swapped.concat());
    }
}

/// Alters entries, remakes the chain and gives another head: the log still shows it.
fn entries(matrix: &mut Matrix<'_>) {
    let book = matrix.book;
    let count = matrix.whole.lines.len() as u32;
    let logged = matrix.whole.logged.clone();
    let mut forge = |name: &str, change: Change<'_>| {
        let bundle = Bundle { logged: logged.clone(), ..forged(book, Seals::Kept, change) };
        let found = matrix.bundle(name, &bundle);
        // Entries added only at the end are not covered by a checkpoint yet, and finding 2 says so.
        let added = bundle.lines.len() > count as usize && bundle.lines[..count as usize] == matrix.whole.lines;
        assert!(added || found == Detection::Entry, "{name}: {found:?}");
    };
    for n in 0..count as usize {
        forge(&format!("entry {n} backdated, the chain made again"), &|entries| {
            for (entry, _) in &mut entries[..=n] {
                entry.at = ledger::Moment::from_micros(entry.at.micros() - 1).unwrap();
            }
        });
        if n > 0 {
            forge(&format!("entry {n} dropped, the chain made again"), &|entries| drop(entries.remove(n)));
            forge(&format!("entry {n} doubled, the chain made again"), &|entries| {
                entries.insert(n, entries[n].clone());
            });
        }
    }
    for n in 1..count as usize - 1 {
        forge(&format!("entries {n} and {} swapped, the chain made again", n + 1), &|entries| entries.swap(n, n + 1));
    }
    forge("a remark added at the end", &|entries| {
        let last = entries.last().unwrap().clone();
        entries.push(last);
    });
    for n in 0..count as usize {
        let line = String::from_utf8(matrix.whole.lines[n].clone()).unwrap();
        let mut replaced = |name: &str, from: &str, to: &str| {
            let mut other = matrix.whole.clone();
            other.lines[n] = line.replacen(from, to, 1).into_bytes();
            assert_ne!(other.lines[n], line.as_bytes(), "{name}");
            matrix.names(&format!("entry {n} {name}"), &other, n as u32, 1);
        };
        replaced("renumbered", &format!("\"seq\":{n},"), &format!("\"seq\":{},", n + 1));
        replaced("of another match", "0197c5a4", "0197c5a5");
        replaced("by somebody else", "\"by\":\"", "\"by\":\"umpire:q");
        replaced("dated otherwise", "\"at\":\"2026", "\"at\":\"2025");
    }
}

/// Alters moves, seals, openings and digests, and fits everything else to them, but cannot sign as the log.
fn values(matrix: &mut Matrix<'_>) {
    let book = matrix.book;
    let logged = matrix.whole.logged.clone();
    let mut forge = |name: &str, seals: Seals, change: Change<'_>| {
        let bundle = Bundle { logged: logged.clone(), ..forged(book, seals, change) };
        assert_eq!(matrix.bundle(name, &bundle), Detection::Entry, "{name}");
    };
    let seals = book.of_kind(ledger::Kind::Sealed).len();
    let steps = book.of_kind(ledger::Kind::Resolved).len();
    for n in 0..seals {
        forge(&format!("seal {n} replaced after the fact"), Seals::Kept, &|entries| {
            let sealed = bodies!(entries, Sealed).nth(n).unwrap();
            sealed.commitments[0] = Hash::ZERO.to_string().parse().unwrap();
        });
    }
    for n in 0..steps {
        forge(&format!("the digest of step {n} altered"), Seals::Kept, &|entries| {
            bodies!(entries, Resolved).nth(n).unwrap().digest = Hash::ZERO;
        });
        forge(&format!("an opening of step {n} altered"), Seals::Kept, &|entries| {
            bodies!(entries, Resolved).nth(n).unwrap().openings[0].key = "00".repeat(32);
        });
        forge(&format!("a move of step {n} altered, with its seal"), Seals::Remade, &|entries| {
            let body = bodies!(entries, Resolved).nth(n).unwrap();
            let opening = body.openings.iter_mut().find(|opening| opening.value != "-").unwrap();
            opening.value = if opening.value == "grow" { "score".into() } else { "grow".into() };
        });
        forge(&format!("another tree named in step {n}"), Seals::Kept, &|entries| {
            bodies!(entries, Resolved).nth(n).unwrap().tree.root = Hash::ZERO;
        });
        forge(&format!("a smaller tree named in step {n}"), Seals::Kept, &|entries| {
            bodies!(entries, Resolved).nth(n).unwrap().tree.size = 1;
        });
        forge(&format!("which seals counted in step {n}"), Seals::Kept, &|entries| {
            bodies!(entries, Resolved).nth(n).unwrap().counted.p1 = None;
        });
    }
}

/// Alters the host's draws, their keys and shares, and remakes the chain.
fn draws(matrix: &mut Matrix<'_>) {
    let book = matrix.book;
    let logged = matrix.whole.logged.clone();
    let drawn = book.entries().into_iter().filter(|entry| matches!(Body::read(entry), Ok(Body::Drawn(_)))).count();
    assert!(drawn > 1, "a match with draws");
    let mut forge = |name: &str, change: Change<'_>| {
        // With the log's evidence against it, and without: a draw proves itself.
        for logged in [logged.clone(), None] {
            let bundle = Bundle { logged, ..forged(book, Seals::Remade, change) };
            assert_eq!(matrix.bundle(name, &bundle), Detection::Entry, "{name}");
        }
    };
    for n in 0..drawn {
        forge(&format!("draw {n} re-rolled: a card exchanged"), &|entries| {
            let body = bodies!(entries, Drawn).nth(n).unwrap();
            if body.dmn.contains('?') {
                body.seals.swap(0, 1);
            } else {
                let number = body.dmn.pop().and_then(|last| last.to_digit(10)).expect("the number of a card");
                body.dmn.push_str(&(number % 9 + 1).to_string());
            }
        });
        forge(&format!("draw {n} re-rolled: another key"), &|entries| {
            bodies!(entries, Drawn).nth(n).unwrap().key.as_mut().unwrap().index += 1;
        });
        forge(&format!("draw {n} said to be typed in"), &|entries| {
            let body = bodies!(entries, Drawn).nth(n).unwrap();
            (body.key, body.source) = (None, record::body::DrawSource::Umpire);
        });
        forge(&format!("draw {n} counted otherwise"), &|entries| bodies!(entries, Drawn).nth(n).unwrap().ordinal += 1);
    }
    forge("the root of the keys altered", &|entries| bodies!(entries, FixedSeed).next().unwrap().root = Hash::ZERO);
    forge("a player's share opened otherwise", &|entries| {
        bodies!(entries, ShareOpenings).next().unwrap().openings[0].value = "another line".into();
    });
    forge("a player's share left out", &|entries| {
        bodies!(entries, ShareList).next().unwrap().sealed.p2 = None;
        _ = bodies!(entries, ShareOpenings).next().unwrap().openings.pop();
    });
    forge("the host's share opened otherwise", &|entries| {
        let value = "11".repeat(32);
        for opening in bodies!(entries, Unsealed).flat_map(|body| &mut body.openings) {
            if opening.field.as_str() == "share" {
                opening.value = value.clone();
            }
        }
    });
    forge("the host's share never opened", &|entries| {
        for body in bodies!(entries, Unsealed) {
            body.openings.retain(|opening| opening.field.as_str() != "share");
        }
    });
}

fn signatures(matrix: &mut Matrix<'_>) {
    let book = matrix.book;
    let logged = matrix.whole.logged.clone();
    for n in 0..book.of_kind(ledger::Kind::Sealed).len() {
        let mut forge = |name: &str, change: &dyn Fn(&mut record::body::SubmitSignature)| {
            let bundle = forged(book, Seals::Kept, |entries| {
                change(bodies!(entries, Sealed).nth(n).unwrap().signature.as_mut().unwrap());
            });
            let bundle = Bundle { logged: logged.clone(), ..bundle };
            assert_eq!(matrix.bundle(&format!("signature {n}: {name}"), &bundle), Detection::Entry);
        };
        forge("zeros", &|signature| signature.signature = PlayerSignature::new([0; 64]));
        forge("another submit id", &|signature| signature.submit = ledger::SubmitId([9; 16]));
        forge("another tree seen", &|signature| signature.tree.root = Hash::ZERO);
    }
}

/// Alters, drops, exchanges and re-signs checkpoints, cosignatures and proofs.
fn log(matrix: &mut Matrix<'_>) {
    let book = matrix.book;
    let last = matrix.whole.lines.len() as u32 - 1;
    let newest = Checkpoint::read(matrix.whole.logged.as_ref().unwrap().checkpoint.text()).unwrap().tree();
    let stranger = |seed: u8| SignerKey::from_seed(KeyName::from(&book.origin), &[seed; 32]);
    let signed = |tree: Tree, key: &SignerKey| cosigned(Checkpoint::new(&book.origin, tree).sign(key));
    let mut evidence = |name: &str, entry: bool, change: &dyn Fn(&mut LogEvidence)| {
        let found = matrix.evidence(name, change);
        assert!(!entry || found == Detection::Entry, "{name}: {found:?}");
    };
    evidence("the checkpoint signed by another key", true, &|log| log.checkpoint = signed(newest, &stranger(9)));
    evidence("the key exchanged as well", true, &|log| {
        log.checkpoint = signed(newest, &stranger(9));
        log.keys = vec![stranger(9).verifier().clone()];
    });
    evidence("a second key slipped in", true, &|log| log.keys.push(stranger(9).verifier().clone()));
    let public = ledger::ed25519::SecretKey::from_seed(&[3; 32]).public();
    for name in ["localhost/matchbook-ffffffff", "2", "/1", "/3", "/2/2"] {
        let whole = if name.starts_with('l') { name.to_owned() } else { format!("{}{name}", book.origin) };
        let key = ledger::VerifierKey::ed25519(whole.parse().unwrap(), public);
        evidence(&format!("the log's key under the name {name}"), true, &|log| log.keys.push(key.clone()));
    }
    let other = Tree { root: Hash::ZERO, ..newest };
    evidence("another root, signed by the log", true, &|log| log.checkpoint = signed(other, &log_key(book)));
    let larger = Tree { size: TreeSize(newest.size.0 + 1), ..newest };
    evidence("another size, signed by the log", true, &|log| log.checkpoint = signed(larger, &log_key(book)));
    evidence("the checkpoint of another log", true, &|log| {
        let origin: ledger::Origin = "localhost/matchbook-ffffffff".parse().unwrap();
        log.checkpoint = cosigned(Checkpoint::new(&origin, newest).sign(&log_key(book)));
    });
    evidence("a cosignature moved from another checkpoint", true, &|log| {
        let [alder, _] = witnesses();
        let elsewhere = Checkpoint::new(&book.origin, other).to_text();
        let line = alder.cosign(&elsewhere, ledger::CosignedAt::from_seconds(1_795_300_000).unwrap());
        let note = Note::sign(log.checkpoint.text().clone(), &log_key(book));
        log.checkpoint = note;
        log.checkpoint.add(line).unwrap();
    });
    evidence("the cosignatures dropped", false, &|log| {
        log.checkpoint = Note::sign(log.checkpoint.text().clone(), &log_key(book));
    });
    evidence("another place of the last entry", true, &|log| log.index = LeafIndex(log.index.0 - 1));
    evidence("the proof of another entry", false, &|log| log.entry = Seq(last - 1));
}

/// Alters the proofs of the newest checkpoint and of the earlier trees.
fn proofs(matrix: &mut Matrix<'_>) {
    let book = matrix.book;
    let stranger = SignerKey::from_seed(KeyName::from(&book.origin), &[9; 32]);
    let signed = |tree: Tree, key: &SignerKey| cosigned(Checkpoint::new(&book.origin, tree).sign(key));
    for at in 0..matrix.whole.logged.as_ref().unwrap().inclusion.path.len() {
        let mut with = |name: &str, change: &dyn Fn(&mut LogEvidence)| {
            let found = matrix.evidence(&format!("hash {at} of the inclusion proof {name}"), change);
            assert_eq!(found, Detection::Entry);
        };
        with("altered", &|log| log.inclusion.path[at] = Hash::ZERO);
        with("dropped", &|log| _ = log.inclusion.path.remove(at));
        with("doubled", &|log| log.inclusion.path.insert(at, log.inclusion.path[at]));
    }
    for n in 0..matrix.whole.logged.as_ref().unwrap().trees.len() {
        let mut with = |name: &str, entry: bool, change: &dyn Fn(&mut LogEvidence)| {
            let found = matrix.evidence(&format!("tree {n}: {name}"), change);
            assert!(!entry || found == Detection::Entry, "tree {n}: {name}: {found:?}");
        };
        with("left out", true, &|log| drop(log.trees.remove(n)));
        with("without its checkpoint", false, &|log| log.trees[n].checkpoint = None);
        with("its checkpoint signed by another key", true, &|log| {
            log.trees[n].checkpoint = Some(signed(log.trees[n].tree, &stranger));
        });
        with("the newest checkpoint in its place", true, &|log| log.trees[n].checkpoint = Some(log.checkpoint.clone()));
        with("another root", true, &|log| log.trees[n].tree.root = Hash::ZERO);
        with("another root, signed by the log", true, &|log| {
            log.trees[n].tree.root = Hash::ZERO;
            log.trees[n].checkpoint = Some(signed(log.trees[n].tree, &log_key(book)));
        });
        with("its proof altered", true, &|log| log.trees[n].consistency.path[0] = Hash::ZERO);
        with("its proof cut short", true, &|log| _ = log.trees[n].consistency.path.pop());
        with("its proof longer", true, &|log| log.trees[n].consistency.path.push(Hash::ZERO));
    }
}

/// Alters the proofs of the seals.
fn places(matrix: &mut Matrix<'_>) {
    for n in 0..matrix.whole.logged.as_ref().unwrap().seals.len() {
        let entry = matrix.whole.logged.as_ref().unwrap().seals[n].entry.0;
        let mut with = |name: &str, change: &dyn Fn(&mut LogEvidence)| {
            let mut other = matrix.whole.clone();
            other.logged.iter_mut().for_each(change);
            matrix.names(&format!("seal {n}: {name}"), &other, entry, 3);
        };
        with("another place", &|log| log.seals[n].index = LeafIndex(log.seals[n].index.0 - 1));
        with("another tree", &|log| log.seals[n].size = TreeSize(log.seals[n].size.0 - 1));
        with("its proof altered", &|log| log.seals[n].inclusion.path[0] = Hash::ZERO);
        with("its proof cut short", &|log| _ = log.seals[n].inclusion.path.pop());
        with("its proof longer", &|log| log.seals[n].inclusion.path.push(Hash::ZERO));
        matrix.evidence(&format!("seal {n} left out"), |log| drop(log.seals.remove(n)));
    }
}

#[test]
fn every_tampering_is_found_and_nothing_untouched_raises_an_alarm() {
    let [recorded, signed, drawn] = ["corrected and ruled", "four rounds", "a drawn deal, ended"].map(Book::of);
    let mut found: BTreeMap<Detection, usize> = BTreeMap::new();
    let mut all = 0;
    for book in [&recorded, &signed] {
        let mut matrix = Matrix::of(book);
        bytes(&mut matrix);
        lines(&mut matrix);
        entries(&mut matrix);
        values(&mut matrix);
        log(&mut matrix);
        proofs(&mut matrix);
        places(&mut matrix);
        if book.of_kind(ledger::Kind::Key).len() == 2 {
            signatures(&mut matrix);
        }
        all += matrix.count();
        for (kind, many) in matrix.found {
            *found.entry(kind).or_default() += many;
        }
    }
    let eventful = Book::of("eventful");
    for (book, attack) in [(&drawn, draws as fn(&mut Matrix<'_>)), (&eventful, entries)] {
        let mut matrix = Matrix::of(book);
        attack(&mut matrix);
        all += matrix.count();
        for (kind, many) in matrix.found {
            *found.entry(kind).or_default() += many;
        }
    }
    let mut untouched = 4;
    for file in archive() {
        let book = Book::imported(&file.text);
        assert!(verify(&book.bundle()).is_good(), "{}", file.name);
        let report = verify_by(&logged(&book), &policy(&book));
        assert!(report.is_good() && report.findings[1].status == Status::Holds, "{}: {report:#?}", file.name);
        untouched += 2;
    }
    println!(
        "{all} tamperings, all found: {} name an entry, {} a line of the file, {} show less than before; {untouched} untouched bundles, none alarmed",
        found[&Detection::Entry],
        found[&Detection::Line],
        found[&Detection::Less]
    );
}

//! Bytes and lines of a bundle changed without care: the chain shows it, and names the entry.

use ledger::Seq;
use record::verify::{Status, Verdict as Found, verify};
use record::{Bundle, verify::Report};

use crate::book::Book;
use crate::log::logged;

fn fails_at(report: &Report, entry: usize, why: &str) {
    let found = match report.verdict {
        Found::Failed { entry, .. } => Some(entry),
        _ => None,
    };
    assert_eq!(found, Some(Seq(entry as u32)), "{why}: {report:#?}");
    assert_eq!(report.findings[0].status, Status::Failed, "{why}");
}

#[test]
fn a_flipped_bit_in_any_byte_of_any_entry_is_found_in_that_entry() {
    let bundle = Book::of("corrected and ruled").bundle();
    let mut flipped = 0;
    for entry in 0..bundle.lines.len() {
        for byte in 0..bundle.lines[entry].len() {
            let mut other = bundle.clone();
            other.lines[entry][byte] ^= 1 << ((byte + entry) % 8);
            fails_at(&verify(&other), entry, &format!("byte {byte} of entry {entry}"));
            flipped += 1;
        }
    }
    println!("{flipped} bytes of {} entries flipped and found", bundle.lines.len());
    assert!(flipped > 5_000);
}

#[test]
fn a_flipped_bit_in_header_texts_or_line_breaks_is_found() {
    let bundle = Book::of("corrected and ruled").bundle();
    let file = bundle.write();
    let header = file.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let texts = header + bundle.lines.iter().map(|line| line.len() + 1).sum::<usize>();
    let good = verify(&Bundle::read(&file).unwrap()).verdict;
    assert_eq!(good.to_string(), "verified with 1 ruling and 1 correction (recorded by the umpire)");
    let (mut unreadable, mut failed) = (0, 0);
    for byte in (0..file.len() - 1).filter(|byte| *byte < header || *byte >= texts || file[*byte] == b'\n') {
        let mut other = file.clone();
        other[byte] ^= 1 << (byte % 8);
        match Bundle::read(&other).map(|bundle| verify(&bundle)) {
            Err(_) => unreadable += 1,
            Ok(report) => {
                assert!(!report.is_good(), "byte {byte}: {:?}", String::from_utf8_lossy(&other[..byte + 1]));
                failed += 1;
            }
        }
    }
    println!("{} bytes around the entries flipped: {unreadable} unreadable, {failed} failed", unreadable + failed);
}

#[test]
fn entries_deleted_swapped_duplicated_cut_off_and_added_are_found() {
    let bundle = Book::of("corrected and ruled").bundle();
    let count = bundle.lines.len();
    let mut done = 0;
    let mut with = |change: &dyn Fn(&mut Vec<Vec<u8>>), entry: usize, why: &str| {
        let mut other = bundle.clone();
        change(&mut other.lines);
        fails_at(&verify(&other), entry, why);
        done += 1;
    };
    for n in 0..count {
        with(&|lines| drop(lines.remove(n)), n, &format!("entry {n} deleted"));
        with(&|lines| lines.insert(n, lines[n].clone()), n + 1, &format!("entry {n} there twice"));
        with(&|lines| lines.truncate(n), n, &format!("cut off before entry {n}"));
        let half = bundle.lines[n].len() / 2;
        with(&|lines| lines[n].truncate(half), n, &format!("entry {n} cut short"));
        with(&|lines| lines[n].push(b' '), n, &format!("a space after entry {n}"));
        with(&|lines| lines[n].clear(), n, &format!("entry {n} emptied"));
        for m in n + 1..count {
            with(&|lines| lines.swap(n, m), n, &format!("entries {n} and {m} swapped"));
        }
    }
    with(&|lines| lines.push(b"{}".to_vec()), count, "a line too many");
    println!("{done} bundles with lines deleted, swapped, duplicated or cut off, all found");
}

#[test]
fn an_entry_of_another_match_is_found() {
    let (bundle, mut other) = (Book::of("corrected and ruled").bundle(), Book::of("corrected and ruled"));
    other.match_id = "0197c5a4-6f1e-7000-8000-000000000002".parse().unwrap();
    let mut mixed = bundle.clone();
    let theirs = String::from_utf8(bundle.lines[3].clone()).unwrap().replace("000000000001", "000000000002");
    mixed.lines[3] = theirs.into_bytes();
    fails_at(&verify(&mixed), 3, "an entry of another match");
    let mut renamed = bundle.clone();
    renamed.match_id = other.match_id;
    fails_at(&verify(&renamed), 0, "the header names another match");
    let mut moved = bundle;
    moved.origin = "localhost/matchbook-ffffffff".parse().unwrap();
    let report = verify(&moved);
    assert!(!report.is_good());
    assert_eq!(report.findings[2].status, Status::Failed, "no seal of another log opens here");
}

#[test]
fn each_way_to_write_a_file_is_read_or_refused_by_its_line() {
    let bundle = logged(&Book::of("corrected and ruled"));
    let text = String::from_utf8(bundle.write()).unwrap();
    let (entries, texts) = (1 + bundle.lines.len(), bundle.texts.len());
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let turned: Vec<&str> = lines[entries..entries + texts].iter().rev().copied().collect();
    let turned = [&lines[..entries], &turned, &lines[entries + texts..]].concat().concat();
    let (start, rest) = text.split_once("\\n\\n\u{2014} ").unwrap();
    let (signature, rest) = rest.split_once("\\n").unwrap();
    let signature = format!("\u{2014} {signature}\\n");
    let signed = |times: usize| format!("{start}\\n\\n{}{rest}", signature.repeat(times));
    assert_eq!(signed(1), text);
    for (what, other, line) in [
        ("texts in another order", turned, entries + 2),
        ("a byte order mark", format!("\u{feff}{text}"), 1),
        ("no last line break", text.trim_end().to_owned(), lines.len()),
        ("more than 100 signatures", signed(101), entries + texts + 1),
    ] {
        let Err(error) = Bundle::read(other.as_bytes()) else { panic!("{what}: it reads") };
        assert_eq!(error.line, line, "{what}: {error}");
    }
    let returns = text.replace('\n', "\r\n");
    fails_at(&verify(&Bundle::read(returns.as_bytes()).unwrap()), 0, "carriage returns");
}

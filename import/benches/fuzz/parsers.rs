//! The parsers of what strangers hand in, each with valid inputs from `fixtures/`, and the laws for what they accept.

use std::fs;
use std::path::{Path, PathBuf};

use import::{Facts, Form, Speakers, letters};
use ledger::policy::Policy;
use ledger::tile::{TileIndex, TileLevel, TileWidth};
use ledger::{Checkpoint, Entry, EntryBundle, Moment, Note, SignedReceipt, Tile, TileId, TilePath, TlogProof};
use record::body::Body;
use record::verify::Check;
use record::write::Import;
use record::{Bundle, dmn};
use serde_json::Value;

/// A policy with groups and addresses, which the witnessed one has not.
const POLICY: &str = "\
log arche2025h1.staging.ct.transparency.dev+ba2f06c0+AU0vHmlGCS/PdN8b2OaGmKprLI8HKM+dJ472xgFYh15f https://log.example/
witness smartit witness1.smartit.nu/witness1+a48c820f+BPSFWg9G6KPiO7QPryYO5Xq4oYJJ+kAvLKLSimDhoxMO https://a.example/w
witness remora remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2
group one any smartit remora
group two all one
quorum two
";

/// A parser under test.
pub(crate) struct Parser {
    pub(crate) name: &'static str,
    /// Valid inputs.
    pub(crate) inputs: Vec<Vec<u8>>,
    /// Reads an input; true if it is accepted. It panics if what is accepted breaks a law.
    pub(crate) accepts: fn(&[u8]) -> bool,
    /// True if a case takes a hundred times as long as those of the others.
    pub(crate) whole: bool,
}

/// All of them.
pub(crate) fn parsers() -> Vec<Parser> {
    // The rules' examples hold every kind of entry, of matches that are sound and of those that are not.
    let (notations, examples) = (files("matches", "dmn"), files("rules", "bundle"));
    let bundles = [vec![file("vectors/by-hand.bundle")], examples].concat();
    let entries: Vec<Vec<u8>> = bundles.iter().flat_map(|bundle| lines_of(bundle)).collect();
    let tiles = files("vectors/tessera-log/tile/0", "");
    let leaves = files("vectors/tessera-log/tile/entries", "");
    let paths = ["tile/0/000.p/5", "tile/7/x001/x234/067", "tile/entries/x001/000.p/255"];
    let notes: Vec<Vec<u8>> = (0..16).map(|n| file(&format!("vectors/tessera-log/checkpoint.{n}"))).collect();
    let notes = [notes, vec![file("vectors/witnessed/arche2025h1.note")]].concat();
    let parser = |name, inputs, accepts| Parser { name, inputs, accepts, whole: false };
    vec![
        parser("entry", entries.clone(), entry),
        parser("body", entries, body),
        parser("note", notes.clone(), note),
        parser("checkpoint", notes, checkpoint),
        parser("proof", vectors("c2sp.org/tlog-proof@v1\n"), proof),
        parser("policy", vec![file("vectors/witnessed/policy"), POLICY.into()], policy),
        parser("tile", tiles, tile),
        parser("leaves", leaves, entry_bundle),
        parser("path", paths.map(|path| path.as_bytes().to_vec()).into(), tile_path),
        parser("receipt", vectors("matchbook/receipt/1\n"), receipt),
        parser("dmn", notations, notation),
        Parser { name: "import", inputs: sources(), accepts: pasted, whole: true },
        Parser { name: "bundle", inputs: bundles, accepts: bundle, whole: true },
    ]
}

fn entry(bytes: &[u8]) -> bool {
    Entry::read(bytes).is_ok_and(|entry| {
        assert_eq!(entry.at.to_string().parse::<Moment>().as_ref(), Ok(&entry.at), "a time reads as it is written");
        true
    })
}

fn body(bytes: &[u8]) -> bool {
    Entry::read(bytes).is_ok_and(|entry| {
        let read = Body::read(&entry);
        assert_eq!(read.is_ok(), Body::read_all(&[entry]).iter().all(Result::is_ok), "alone and among others");
        read.is_ok()
    })
}

fn note(bytes: &[u8]) -> bool {
    Note::read(bytes).is_ok_and(|note| {
        assert_eq!(note.to_string().as_bytes(), bytes, "a note has one notation");
        true
    })
}

fn checkpoint(bytes: &[u8]) -> bool {
    let Ok(note) = Note::read(bytes) else { return false };
    Checkpoint::read(note.text()).is_ok_and(|checkpoint| {
        assert_eq!(checkpoint.to_text().as_str(), note.text().as_str(), "a checkpoint has one notation");
        true
    })
}

fn proof(bytes: &[u8]) -> bool {
    TlogProof::read(bytes).is_ok()
}

fn policy(bytes: &[u8]) -> bool {
    Policy::read(bytes).is_ok_and(|policy| {
        let _ = (policy.logs().len(), policy.witnesses().len());
        true
    })
}

fn tile(bytes: &[u8]) -> bool {
    let width = TileWidth::new((bytes.len() / 32) as u16);
    width.is_some_and(|width| {
        let id = TileId { level: TileLevel::LEAVES, index: TileIndex(0), width };
        Tile::read(id, bytes).is_ok_and(|tile| {
            assert_eq!(tile.to_bytes(), bytes, "a tile has one notation");
            true
        })
    })
}

fn entry_bundle(bytes: &[u8]) -> bool {
    // The width is in the address: every one may be asked for.
    let width = TileWidth::new(bytes.first().map_or(1, |first| u16::from(*first % 16) + 1));
    width.is_some_and(|width| {
        EntryBundle::read(width, bytes).is_ok_and(|bundle| {
            assert_eq!(bundle.to_bytes(), bytes, "a bundle of entries has one notation");
            true
        })
    })
}

fn tile_path(bytes: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(bytes) else { return false };
    text.parse::<TilePath>().is_ok_and(|path| {
        assert_eq!(path.to_string(), text, "a path has one notation");
        true
    })
}

fn receipt(bytes: &[u8]) -> bool {
    SignedReceipt::read(bytes).is_ok()
}

fn notation(bytes: &[u8]) -> bool {
    Import::read(&String::from_utf8_lossy(bytes)).is_ok()
}

fn pasted(bytes: &[u8]) -> bool {
    let Ok(text) = letters::read(bytes.to_vec()) else { return false };
    let reading = import::read(&text.text, Form::of(&text.text), &Facts::default(), &Speakers::everywhere());
    // A notation has rows for its tags too, also where they are missing.
    assert!(reading.rows.len() <= text.text.lines().count() + 32, "not many more rows than lines");
    reading.problems.is_empty() && reading.rows.iter().all(|row| row.wrong.is_none())
}

fn bundle(bytes: &[u8]) -> bool {
    let Ok(bundle) = Bundle::read(bytes) else { return false };
    let written = bundle.write();
    assert_eq!(Bundle::read(&written).map(|again| again.write()), Ok(written), "written twice is written once");
    let check = Check::of(&bundle, None).with_rounds(|_| true);
    let report = check.report();
    let policy = Policy::read(POLICY.as_bytes()).unwrap();
    assert!(!Check::of(&bundle, Some(&policy)).report().is_accepted(), "a policy of other logs is satisfied");
    if let Some(history) = check.history() {
        let _ = dmn(history);
    }
    report.is_good()
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

fn file(name: &str) -> Vec<u8> {
    fs::read(fixtures().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The outputs among the vectors of hashes that begin like this.
fn vectors(begins: &str) -> Vec<Vec<u8>> {
    let all: Value = serde_json::from_slice(&file("vectors/hashes.json")).unwrap();
    let all = all["vectors"].as_array().unwrap();
    let outputs = all.iter().filter_map(|vector| vector["output"].as_str());
    outputs.filter(|output| output.starts_with(begins)).map(|output| output.as_bytes().to_vec()).collect()
}

/// The files with this ending below a folder of the fixtures, all with an empty one.
fn files(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let (mut folders, mut paths) = (vec![fixtures().join(folder)], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { paths.push(path) }
        }
    }
    paths.retain(|path| ending.is_empty() || path.extension().is_some_and(|end| end == ending));
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// Longer sources are left to the tests of what is understood: a chat is held against the rules line by line.
const SOURCE_MAX_BYTES: usize = 4_000;

/// The sources of `fixtures/imports/`, without what was given beside them.
fn sources() -> Vec<Vec<u8>> {
    let source = |text: Vec<u8>| {
        let text = String::from_utf8(text).unwrap();
        let source = text.split("== source\n").nth(1).unwrap_or_default();
        source.split("== understood\n").next().unwrap_or_default().as_bytes().to_vec()
    };
    files("imports", "txt").into_iter().map(source).filter(|source| source.len() <= SOURCE_MAX_BYTES).collect()
}

fn lines_of(file: &[u8]) -> Vec<Vec<u8>> {
    file.split(|byte| *byte == b'\n').filter(|line| Entry::read(line).is_ok()).map(<[u8]>::to_vec).collect()
}

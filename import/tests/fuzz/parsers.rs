//! The parsers of what strangers hand in, each with valid inputs from `fixtures/`, and the laws for what they accept.

use std::fs;
use std::path::{Path, PathBuf};

use import::{Facts, Form, Speakers, text_encoding};
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
    let sources = sources();
    let parser = |name, inputs, accepts: fn(&[u8]) -> bool| Parser { name, inputs, accepts, whole: false };
    vec![
        parser("entry", entries.clone(), entry),
        parser("body", entries, body),
        parser("note", notes.clone(), note),
        parser("checkpoint", notes, checkpoint),
        parser("proof", vectors("c2sp.org/tlog-proof@v1\n"), |bytes| TlogProof::read(bytes).is_ok()),
        parser("policy", vec![file("vectors/witnessed/policy"), POLICY.into()], policy),
        parser("tile", tiles, tile),
        parser("leaves", leaves, entry_bundle),
        parser("path", paths.map(|path| path.as_bytes().to_vec()).into(), tile_path),
        parser("receipt", vectors("matchbook/receipt/1\n"), |bytes| SignedReceipt::read(bytes).is_ok()),
        parser("dmn", notations, |bytes| Import::read(&String::from_utf8_lossy(bytes)).is_ok()),
        parser("letters", encoded(&sources), lettered),
        parser("form", pieces(&sources), form),
        Parser { name: "import", inputs: [sources, long()].concat(), accepts: pasted, whole: true },
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

/// What has one notation is accepted as it is written.
fn written_once(written: Option<impl AsRef<[u8]>>, bytes: &[u8]) -> bool {
    written.inspect(|written| assert_eq!(written.as_ref(), bytes, "it has one notation")).is_some()
}

fn note(bytes: &[u8]) -> bool {
    written_once(Note::read(bytes).ok().map(|note| note.to_string()), bytes)
}

fn checkpoint(bytes: &[u8]) -> bool {
    let Ok(note) = Note::read(bytes) else { return false };
    let checkpoint = Checkpoint::read(note.text()).ok();
    written_once(checkpoint.map(|checkpoint| checkpoint.to_text().as_str().to_owned()), note.text().as_str().as_bytes())
}

fn policy(bytes: &[u8]) -> bool {
    Policy::read(bytes).is_ok_and(|policy| {
        let _ = (policy.logs().len(), policy.witnesses().len());
        true
    })
}

fn tile(bytes: &[u8]) -> bool {
    let width = TileWidth::new((bytes.len() / 32) as u16);
    let id = width.map(|width| TileId { level: TileLevel::LEAVES, index: TileIndex(0), width });
    written_once(id.and_then(|id| Tile::read(id, bytes).ok()).map(|tile| tile.to_bytes()), bytes)
}

fn entry_bundle(bytes: &[u8]) -> bool {
    // The width is in the address: every one may be asked for.
    let width = TileWidth::new(bytes.first().map_or(1, |first| u16::from(*first % 16) + 1));
    let bundle = width.and_then(|width| EntryBundle::read(width, bytes).ok());
    written_once(bundle.map(|bundle| bundle.to_bytes()), bytes)
}

fn tile_path(bytes: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(bytes) else { return false };
    written_once(text.parse::<TilePath>().ok().map(|path| path.to_string()), bytes)
}

fn lettered(bytes: &[u8]) -> bool {
    text_encoding::read(bytes.to_vec()).is_ok_and(|read| {
        let again = text_encoding::read(read.text.clone().into_bytes()).expect("a text is one");
        // A mark at the beginning of the text itself is taken for that of a file.
        assert_eq!(again.text, read.text.strip_prefix('\u{feff}').unwrap_or(&read.text), "a text is read as it is");
        assert!(again.read_as.is_empty() && read.text.len() <= 3 * bytes.len(), "no sign is longer than three bytes");
        true
    })
}

fn form(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let form = Form::of(&text);
    assert_eq!(Form::of(&text.replace('\n', "\r\n")), form, "the ends of lines say nothing");
    form != Form::Chat
}

fn pasted(bytes: &[u8]) -> bool {
    let Ok(text) = text_encoding::read(bytes.to_vec()) else { return false };
    let reading = import::read(&text.text, Form::of(&text.text), &Facts::default(), &Speakers::everywhere());
    // A notation has rows for its tags too, also where they are missing.
    assert!(reading.rows.len() <= text.text.lines().count() + 32, "not many more rows than lines");
    for fix in reading.rows.iter().flat_map(|row| &row.fixes) {
        assert!(fix.does.apply(&text.text).is_some(), "a button finds its line");
    }
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

/// The sources of `fixtures/imports/`, below what was given beside them, as tags.
fn sources() -> Vec<Vec<u8>> {
    let source = |text: Vec<u8>| {
        let text = String::from_utf8(text).unwrap().replace('␍', "\r");
        let (head, rest) = text.split_once("== source\n").unwrap();
        let given = head.lines().filter_map(|line| line.split_once(": "));
        let given = given.filter(|(name, value)| Facts::default().take(name, value));
        let tags: String = given.map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
        (tags + rest.split("== understood\n").next().unwrap_or_default()).into_bytes()
    };
    files("imports", "txt").into_iter().map(source).filter(|source| source.len() <= SOURCE_MAX_BYTES).collect()
}

/// Chats of hundreds of lines.
fn long() -> Vec<Vec<u8>> {
    let tags = "[Ruleset \"five-card-trick/dm-colosseum-2\"]\n[P1 \"Ada\"]\n[P2 \"Bo\"]\n[DMO \"p1\"]\n";
    let talk = "[20:41] Ada: I would score next\n[20:42] Bo: gg\n[20:43] GM: Round 1: Ada score, Bo steal\n";
    [tags.to_owned() + &talk.repeat(100), tags.to_owned() + &"Ada: -\nBo: score\n".repeat(200)]
        .map(String::into_bytes)
        .into()
}

/// Lines in a row of a source.
const PIECE_LINES: usize = 6;

/// The sources cut into pieces of a few lines, and some as they are.
fn pieces(sources: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let whole = sources.iter().step_by(40).cloned();
    let lines =
        |source: &Vec<u8>| source.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    let cut = sources
        .iter()
        .flat_map(|source| lines(source).chunks(PIECE_LINES).map(<[Vec<u8>]>::concat).collect::<Vec<_>>());
    whole.chain(cut).collect()
}

/// The sources in all encodings that are read.
fn encoded(sources: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let texts = sources.iter().map(|source| String::from_utf8_lossy(source)).step_by(5);
    let all = texts.flat_map(|text| {
        let units = || format!("\u{feff}{text}").encode_utf16().collect::<Vec<u16>>();
        let western = || text.chars().map(|letter| u8::try_from(letter).unwrap_or(0x80)).collect::<Vec<u8>>();
        [
            text.as_bytes().to_vec(),
            units().into_iter().flat_map(u16::to_le_bytes).collect(),
            units().into_iter().flat_map(u16::to_be_bytes).collect(),
            western(),
        ]
    });
    all.collect()
}

fn lines_of(file: &[u8]) -> Vec<Vec<u8>> {
    file.split(|byte| *byte == b'\n').filter(|line| Entry::read(line).is_ok()).map(<[u8]>::to_vec).collect()
}

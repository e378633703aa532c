//! Texts that each format refuses, and the sentence that says why: `fixtures/formats/refused.txt`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::fs;
use std::path::Path;
use std::str::FromStr;

use crate::note::NoteText;
use crate::{
    AddCheckpoint, Author, Checkpoint, DecisionId, Draft, Entry, Field, Hash, Head, Kind, MatchId, Moment, Note,
    Origin, OriginLine, PlayerKey, PlayerSignature, Policy, SealKey, Sealer, Share, SignerKey, SubmitId, TilePath,
    TlogProof, UmpireId, VerifierKey, json,
};

/// The refusal of a text by a format; none if it is accepted.
type Refuse = fn(&str) -> Option<String>;

const FORMATS: [(&str, Refuse); 29] = [
    ("kind", parse::<Kind>),
    ("author", parse::<Author>),
    ("match id", parse::<MatchId>),
    ("moment", parse::<Moment>),
    ("decision", parse::<DecisionId>),
    ("umpire", parse::<UmpireId>),
    ("origin", parse::<Origin>),
    ("field", parse::<Field>),
    ("hash in hex", parse::<Hash>),
    ("hash in base64", |text| said(Hash::from_base64(text))),
    ("sealer", parse::<Sealer>),
    ("key of a seal", |text| said(SealKey::from_hex(text))),
    ("share", |text| said(Share::from_hex(text))),
    ("submit id", parse::<SubmitId>),
    ("player's key", parse::<PlayerKey>),
    ("player's signature", parse::<PlayerSignature>),
    ("object of JSON", |text| said(json::object_end(text, 0))),
    ("entry", |text| said(Entry::read(text.as_bytes()))),
    ("body of a draft", |text| said(draft(text).write(MatchId(uuid::Uuid::nil()), Head::GENESIS.next, Hash::ZERO))),
    ("path of a tile", parse::<TilePath>),
    ("text of a note", parse::<NoteText>),
    ("note", parse::<Note>),
    ("verifier key", parse::<VerifierKey>),
    ("private key", |text| said(SignerKey::read(text))),
    ("checkpoint", |text| match text.parse() {
        Ok(note) => said(Checkpoint::read(&note)),
        Err(error) => Some(error.to_string()),
    }),
    ("origin line of a checkpoint", parse::<OriginLine>),
    ("proof for one leaf", |text| said(TlogProof::read(text.as_bytes()))),
    ("request to a witness", |text| said(AddCheckpoint::read(text.as_bytes()))),
    ("policy", |text| said(Policy::read(text.as_bytes()))),
];

fn said<T>(read: Result<T, impl Display>) -> Option<String> {
    read.err().map(|error| error.to_string())
}

fn parse<T: FromStr<Err: Display>>(text: &str) -> Option<String> {
    said(text.parse::<T>())
}

fn draft(body: &str) -> Draft {
    Draft { at: Moment::MIN, by: Author::Server, kind: Kind::Noted, body: body.to_owned() }
}

/// The text of a case: a JSON string, or two of them with an arrow between, a change of the format's `text`.
fn text_of(case: &str, names: &BTreeMap<&str, String>) -> String {
    let text = |json: &str| -> String {
        let text = serde_json::from_str(json).unwrap_or_else(|error| panic!("{json}: {error}"));
        names.iter().fold(text, |text: String, (name, value)| text.replace(&format!("{{{name}}}"), value))
    };
    let Some((from, to)) = case.split_once(" -> ") else { return text(case) };
    let (whole, from) = (&names["text"], text(from));
    assert_eq!(whole.matches(&from).count(), 1, "{case}");
    whole.replace(&from, &text(to))
}

#[test]
fn every_text_is_refused_in_the_words_of_its_line() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/formats/refused.txt");
    let file = fs::read_to_string(&path).unwrap();
    let (mut names, mut refuse, mut tried) = (BTreeMap::new(), None, BTreeSet::new());
    let mut now = String::new();
    for line in file.lines() {
        if let Some(title) = line.strip_prefix("# ") {
            refuse = FORMATS.iter().find(|(name, _)| *name == title);
            assert!(refuse.is_some(), "no format is called {title}");
            names.clear();
        }
        let Some(((case, _), (name, refuse))) = line.split_once(" ! ").zip(refuse) else {
            if let Some((name, value)) = line.split_once(" = ") {
                names.insert(name, serde_json::from_str(value).unwrap());
            }
            now += &format!("{line}\n");
            continue;
        };
        let refusal = refuse(&text_of(case, &names)).unwrap_or_else(|| panic!("{name}: {case} is accepted"));
        now += &format!("{case} ! {refusal}\n");
        tried.insert(*name);
    }
    assert_eq!(tried.len(), FORMATS.len(), "every format refuses something");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(path, now).unwrap();
    } else {
        let other: Vec<_> = now.lines().zip(file.lines()).filter(|(now, file)| now != file).collect();
        assert!(other.is_empty(), "what comes now, and what the file has: {other:#?}");
    }
}

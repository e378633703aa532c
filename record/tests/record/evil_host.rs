//! A host that holds the server and all its keys, and tells a match otherwise. What it changes in one place it makes fit
//! everywhere else: numbers, words, seals, chain, trees, checkpoints and proofs. It never has the keys of players, unless
//! it plays them itself.

use std::collections::BTreeMap;

use engine::Seat;
use ledger::{
    Author, Commitment, DecisionId, Draft, Entry, Field, Frontier, Hash, Head, Kind, LeafIndex, Moment, OpenMessage,
    SealKey, SealMessage, Sealer, Seq, SubmitId, SubmitMessage, TreeSize, leaf_hash,
};
use record::text::TextPlace;
use record::{Bundle, Texts};
use serde_json::{Value, json};

use crate::book::{Book, Player};
use crate::log::proven_with;

/// An entry as the host tells it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    pub(crate) at: Moment,
    pub(crate) by: Author,
    pub(crate) kind: Kind,
    pub(crate) body: Value,
    /// The body as it was written, with its keys in their order.
    written: String,
    /// Its number in the true match.
    pub(crate) old: u32,
    /// Its seals stay as they are told.
    pub(crate) keeps_seals: bool,
}

impl Piece {
    /// The entry, before its chain is made.
    pub(crate) fn entry(&self, book: &Book) -> Entry {
        let same = serde_json::from_str::<Value>(&self.written).unwrap() == self.body;
        let body = if same { self.written.clone() } else { self.body.to_string() };
        let (match_id, seq, prev) = (book.match_id, Seq(self.old), Hash::ZERO);
        Entry { match_id, seq, prev, at: self.at, by: self.by.clone(), kind: self.kind, body }
    }
}

/// The host of a match.
pub(crate) struct EvilHost<'b> {
    book: &'b Book,
    /// It made the players' keys, and signs for them.
    plays: bool,
    /// The sizes of the true log by its roots.
    roots: BTreeMap<Hash, u64>,
}

/// The log and the match while they are told.
#[derive(Default)]
struct FakeLog {
    lines: Vec<Vec<u8>>,
    texts: Texts,
    /// The leaves, each with its place in the true log.
    leaves: Vec<(Hash, u64)>,
    places: Vec<LeafIndex>,
    asked: BTreeMap<String, (Hash, Vec<Field>)>,
}

/// The true match.
pub(crate) fn pieces(book: &Book) -> Vec<Piece> {
    let piece = |entry: Entry| Piece {
        at: entry.at,
        by: entry.by,
        kind: entry.kind,
        body: serde_json::from_str(&entry.body).unwrap(),
        written: entry.body,
        old: entry.seq.0,
        keeps_seals: false,
    };
    book.entries().into_iter().map(piece).collect()
}

impl<'b> EvilHost<'b> {
    pub(crate) fn of(book: &'b Book, plays: bool) -> Self {
        let mut frontier = Frontier::new();
        let mut roots = BTreeMap::from([(frontier.root(), 0)]);
        for leaf in &book.leaves {
            frontier.push(*leaf);
            roots.insert(frontier.root(), frontier.size().0);
        }
        Self { book, plays, roots }
    }

    /// The match as the host tells it; none if no log could hold these entries.
    pub(crate) fn tells(&self, pieces: Vec<Piece>) -> Option<Bundle> {
        self.tells_of(&self.book.players, pieces)
    }

    /// The same in a log that has these chains of players, each entry in the place of a true one.
    pub(crate) fn tells_of(&self, players: &[Player], mut pieces: Vec<Piece>) -> Option<Bundle> {
        let chains = players.iter().flat_map(|player| player.places.iter().zip(&player.lines));
        let chains: BTreeMap<u64, Hash> = chains.map(|(place, line)| (place.0, leaf_hash(line))).collect();
        let other_leaf = |place: u64| chains.get(&place).copied().unwrap_or(self.book.leaves[place as usize]);
        let numbers: BTreeMap<u64, u64> =
            pieces.iter().enumerate().rev().map(|(n, piece)| (piece.old.into(), n as u64)).collect();
        if pieces.iter().enumerate().any(|(n, piece)| piece.old != n as u32) {
            pieces.iter_mut().for_each(|piece| renumber(&mut piece.body, &numbers));
        }
        let openings = pieces.iter().flat_map(|piece| openings(&piece.body)).collect();
        let (mut told, mut head, mut cursor) = (FakeLog::default(), Head::GENESIS, 0);
        for mut piece in pieces {
            let place = self.book.places[piece.old as usize].0;
            for other in cursor..place {
                told.leaves.push((other_leaf(other), other));
            }
            cursor = cursor.max(place + 1);
            self.words(&mut piece, head.next, &mut told);
            self.trees(&mut piece.body, &told);
            self.seals(&mut piece, head.next, &told, &openings);
            repeats(&mut piece, &told);
            self.signs_openings(&mut piece.body, &told);
            let body = piece.entry(self.book).body;
            let draft = Draft { at: piece.at, by: piece.by, kind: piece.kind, body };
            let line = draft.write(self.book.match_id, head.next, head.leaf).ok()?;
            head = Head { next: head.next.next()?, leaf: line.leaf() };
            if piece.kind == Kind::Asked
                && let Some(decision) = piece.body["decision"].as_str()
            {
                let fields = serde_json::from_value(piece.body["fields"].clone()).unwrap_or_default();
                told.asked.entry(decision.to_owned()).or_insert((line.leaf(), fields));
            }
            told.places.push(LeafIndex(told.leaves.len() as u64));
            told.leaves.push((line.leaf(), place));
            told.lines.push(line.into_bytes());
        }
        let bundle = Bundle { lines: told.lines, head, texts: told.texts, ..self.book.bundle() };
        let leaves: Vec<Hash> = told.leaves.iter().map(|(leaf, _)| *leaf).collect();
        (!bundle.lines.is_empty()).then(|| proven_with(self.book, players, bundle, &leaves, &told.places))
    }

    /// Commits to the words of an entry again, for its new number.
    fn words(&self, piece: &mut Piece, seq: Seq, told: &mut FakeLog) {
        for (place, field) in words(piece) {
            let Some(word) = piece.body.pointer_mut(&place) else { continue };
            let commitment = word.as_str().and_then(|word| word.parse::<Commitment>().ok());
            let Some(text) = commitment.and_then(|commitment| self.book.texts.get(&commitment)) else { continue };
            let at = TextPlace { origin: &self.book.origin, match_id: self.book.match_id, seq };
            let Ok(commitment) = field.parse().map_err(drop).and_then(|field| at.commit(&field, text).map_err(drop))
            else {
                continue;
            };
            *word = json!(commitment);
            told.texts.insert(commitment, text.clone());
        }
    }

    /// Gives each tree of the true log, by its root, its place and root in the told one.
    fn trees(&self, body: &mut Value, told: &FakeLog) {
        if let Some(tree) = body.get_mut("tree") {
            self.tree(tree, told);
        }
        for place in ["/signature/tree", "/signatures/p1/tree", "/signatures/p2/tree"] {
            if let Some(tree) = body.pointer_mut(place).filter(|_| self.plays) {
                self.tree(tree, told);
            }
        }
    }

    fn tree(&self, tree: &mut Value, told: &FakeLog) {
        let root = tree["root"].as_str().and_then(|root| root.parse::<Hash>().ok());
        let (Some(was), Some(size)) = (root.and_then(|root| self.roots.get(&root)), tree["size"].as_u64()) else {
            return;
        };
        // A size that was altered gets the root that fits it.
        let size = match size == *was {
            true => told.leaves.iter().filter(|(_, place)| *place < size).count() as u64,
            false => size,
        };
        if let Some(leaves) = usize::try_from(size).ok().and_then(|size| told.leaves.get(..size)) {
            let root = leaves.iter().map(|(leaf, _)| *leaf).collect::<Frontier>().root();
            *tree = json!({ "size": size, "root": root });
        }
    }

    /// Seals again what is opened somewhere, with the key and the value of its opening.
    fn seals(&self, piece: &mut Piece, seq: Seq, told: &FakeLog, openings: &Openings) {
        if piece.keeps_seals {
            return;
        }
        match piece.kind {
            Kind::Sealed => {
                self.submission(&mut piece.body, told, &|n, fields| {
                    openings.get(&(seq.0.into(), fields.get(n)?.to_string())).cloned()
                });
            }
            Kind::Unsealed => {
                for one in piece.body.get_mut("replaced").and_then(Value::as_array_mut).into_iter().flatten() {
                    let own = one["openings"].clone();
                    self.submission(one, told, &|n, fields| {
                        let is = |opening: &&Value| opening["field"].as_str() == fields.get(n).map(Field::as_str);
                        let opening = own.as_array()?.iter().find(is)?;
                        Some((opening["key"].as_str()?.to_owned(), opening["value"].as_str()?.to_owned()))
                    });
                }
            }
            Kind::Drawn => {
                let decision = format!("drawn-{}", seq.0);
                for seal in piece.body.get_mut("seals").and_then(Value::as_array_mut).into_iter().flatten() {
                    self.unasked(seal, &decision, "field", seq, openings);
                }
            }
            Kind::Struck => {
                let decision = format!("struck-{}", seq.0);
                let steps = piece.body.get_mut("steps").and_then(Value::as_array_mut).into_iter().flatten();
                for seal in steps.filter_map(|step| step.get_mut("seals")?.as_array_mut()).flatten() {
                    if seal["entry"].as_u64() == Some(seq.0.into()) {
                        self.unasked(seal, &decision, "name", seq, openings);
                    }
                }
            }
            _ => {}
        }
    }

    /// A submission's commitments, and its signature where the host plays the seat.
    fn submission(&self, body: &mut Value, told: &FakeLog, opening: &FindOpening<'_>) -> Option<()> {
        let decision: DecisionId = body["decision"].as_str()?.parse().ok()?;
        let seat = body["seat"].as_str()?.parse::<Seat>().ok()?;
        let sealer = if seat == Seat::P1 { Sealer::P1 } else { Sealer::P2 };
        let (asked, fields) = told.asked.get(decision.as_str())?;
        for (n, commitment) in body.get_mut("commitments")?.as_array_mut()?.iter_mut().enumerate() {
            let Some((key, value)) = opening(n, fields) else { continue };
            let remade = self.seal(&decision, sealer, fields.get(n)?, *asked, &key, &value);
            if let Some(remade) = remade {
                *commitment = json!(remade);
            }
        }
        let secret = self.book.signers[seat].as_ref().filter(|_| self.plays)?;
        let commitments: Vec<Commitment> = serde_json::from_value(body["commitments"].clone()).ok()?;
        let is_final = body["final"] == true;
        let signature = body.get_mut("signature")?;
        let submit: SubmitId = serde_json::from_value(signature["submit"].clone()).ok()?;
        let seen = (TreeSize(signature["tree"]["size"].as_u64()?), signature["tree"]["root"].as_str()?.parse().ok()?);
        let message = SubmitMessage {
            origin: &self.book.origin,
            match_id: self.book.match_id,
            decision: &decision,
            seat: sealer,
            commitments: &commitments,
            submit,
            asked: *asked,
            seen,
            is_final,
        };
        signature["signature"] = json!(message.sign(secret));
        Some(())
    }

    /// Signs the openings of shares for the seats that the host plays, over the list as it is told.
    fn signs_openings(&self, body: &mut Value, told: &FakeLog) -> Option<()> {
        if !self.plays || body["purpose"] != "openings" {
            return None;
        }
        let listed = usize::try_from(body["listed"].as_u64()?).ok()?;
        let line = told.lines.get(listed)?;
        let list: Value = serde_json::from_slice(line).ok()?;
        for (seat, sealer) in [(Seat::P1, Sealer::P1), (Seat::P2, Sealer::P2)] {
            let sealed = &list["body"]["sealed"][seat.word()];
            let opening = body["openings"].as_array()?.iter().find(|opening| opening["entry"] == *sealed);
            let value = opening.and_then(|opening| opening["value"].as_str()).unwrap_or_default().to_owned();
            let signature = body.pointer_mut(&format!("/signatures/{seat}")).filter(|signature| signature.is_object());
            let (Some(signature), Some(secret)) = (signature, &self.book.signers[seat]) else { continue };
            let tree = &signature["tree"];
            let (Some(size), Some(root)) = (tree["size"].as_u64(), tree["root"].as_str()) else { continue };
            let (Ok(decision), Ok(root)) = (list["body"]["decision"].as_str()?.parse(), root.parse()) else { continue };
            let message = OpenMessage {
                origin: &self.book.origin,
                match_id: self.book.match_id,
                decision: &decision,
                seat: sealer,
                listed: leaf_hash(line),
                value: &value,
                seen: (TreeSize(size), root),
            };
            signature["signature"] = json!(message.sign(secret));
        }
        Some(())
    }

    /// A seal of the host's own, or of a correction.
    fn unasked(&self, seal: &mut Value, decision: &str, name: &str, seq: Seq, openings: &Openings) -> Option<()> {
        let field = seal[name].as_str()?.to_owned();
        let (key, value) = openings.get(&(seq.0.into(), field.clone()))?;
        let sealer = match seal.get("seat").and_then(Value::as_str) {
            Some("p1") => Sealer::P1,
            Some("p2") => Sealer::P2,
            _ => Sealer::Host,
        };
        let remade = self.seal(&decision.parse().ok()?, sealer, &field.parse().ok()?, Hash::ZERO, key, value)?;
        *seal.get_mut("commitment")? = json!(remade);
        Some(())
    }

    fn seal(
        &self,
        decision: &DecisionId,
        seat: Sealer,
        field: &Field,
        asked: Hash,
        key: &str,
        value: &str,
    ) -> Option<Commitment> {
        let (origin, match_id) = (&self.book.origin, self.book.match_id);
        let message = SealMessage { origin, match_id, decision, seat, field, asked, value };
        message.seal(&SealKey::from_hex(key).ok()?).ok()
    }
}

/// Repeats in a list of shares what the seats sealed, as it is told.
fn repeats(piece: &mut Piece, told: &FakeLog) {
    if piece.keeps_seals || piece.body["purpose"] != "shares" || !piece.body["commitments"].is_object() {
        return;
    }
    for seat in ["p1", "p2"] {
        let sealed = piece.body["sealed"][seat].as_u64().and_then(|sealed| usize::try_from(sealed).ok());
        let line = sealed.and_then(|sealed| told.lines.get(sealed));
        let entry: Option<Value> = line.and_then(|line| serde_json::from_slice(line).ok());
        let commitment = entry.and_then(|entry| entry.pointer("/body/commitments/0").cloned());
        let place = piece.body["commitments"].get_mut(seat).filter(|place| place.is_string());
        if let (Some(commitment), Some(place)) = (commitment, place) {
            *place = commitment;
        }
    }
}

/// Finds the key and value that open a submission's n-th commitment, given the fields that were asked.
type FindOpening<'a> = dyn Fn(usize, &[Field]) -> Option<(String, String)> + 'a;

/// The key and value of each opening, by entry and field.
type Openings = BTreeMap<(u64, String), (String, String)>;

fn openings(body: &Value) -> Vec<((u64, String), (String, String))> {
    let list = body.get("openings").and_then(Value::as_array).into_iter().flatten();
    let opening = |opening: &Value| {
        let text = |name: &str| opening[name].as_str().map(str::to_owned);
        Some(((opening["entry"].as_u64()?, text("field")?), (text("key")?, text("value")?)))
    };
    list.filter_map(opening).collect()
}

/// The places of the commitments to words in a body, each with its field.
fn words(piece: &Piece) -> Vec<(String, String)> {
    let own = |pairs: &[(&str, &str)]| {
        pairs.iter().map(|(place, field)| ((*place).to_owned(), (*field).to_owned())).collect::<Vec<_>>()
    };
    match piece.kind {
        Kind::Opened => {
            let tags = piece.body["tags"].as_array().map_or(0, Vec::len);
            let tags = (0..tags).map(|n| (format!("/tags/{n}"), format!("tag-{n}")));
            let names = own(&[("/names/p1", "p1"), ("/names/p2", "p2"), ("/event", "event")]);
            let game = piece.body["game"]["words"].as_array().map_or(0, Vec::len);
            let game = (0..game).map(|n| (format!("/game/words/{n}"), format!("game-{n}")));
            names.into_iter().chain(tags).chain(game).collect()
        }
        Kind::Ruled | Kind::Noted | Kind::Objected => own(&[("/text", "text")]),
        Kind::Announced => {
            let words = piece.body["words"].as_array().map_or(0, Vec::len);
            (0..words).map(|n| (format!("/words/{n}"), format!("text-{n}"))).collect()
        }
        Kind::Key => own(&[("/player", "player")]),
        Kind::Struck | Kind::Handed | Kind::Paused | Kind::Extended => own(&[("/reason", "reason")]),
        Kind::Imported => {
            let steps = piece.body["reasons"].as_object().into_iter().flat_map(serde_json::Map::keys);
            let reasons = steps.map(|step| (format!("/reasons/{step}"), format!("reason-{step}")));
            own(&[("/source", "source")]).into_iter().chain(reasons).collect()
        }
        _ => Vec::new(),
    }
}

/// Gives every entry that a body names its new number.
fn renumber(value: &mut Value, numbers: &BTreeMap<u64, u64>) {
    let new = |value: &mut Value| {
        if let Some(number) = value.as_u64().and_then(|old| numbers.get(&old)) {
            *value = json!(number);
        }
    };
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                match (name.as_str(), inner.as_object_mut()) {
                    ("counted" | "sealed", Some(seats)) => seats.values_mut().for_each(new),
                    ("entry" | "listed" | "host" | "answers" | "named", None) => new(inner),
                    _ => renumber(inner, numbers),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| renumber(item, numbers)),
        _ => {}
    }
}

//! Every alteration of a match that an evil host could tell, by name: each value of a body of each kind, in every class
//! that applies to it, and the entries themselves.

use ledger::{Author, Kind, Moment};
use serde_json::{Map, Value, json};

use crate::evil_host::Piece;

/// An altered match.
pub(crate) struct Alteration {
    /// The kind of the entry, the path of the value, and the class.
    pub(crate) name: String,
    pub(crate) pieces: Vec<Piece>,
    /// Entries are left out, added or moved, so that others have other numbers.
    pub(crate) moves_entries: bool,
}

/// The kind of an entry; the entries before a host's draws by their purpose.
pub(crate) fn label(piece: &Piece) -> String {
    let purpose = piece.body["purpose"]
        .as_str()
        .filter(|purpose| ["share", "shares", "openings", "seed", "keys", "round", "signature"].contains(purpose));
    match purpose {
        Some(purpose) => format!("{}-{purpose}", piece.kind),
        None => piece.kind.to_string(),
    }
}

/// All alterations of a match. `others` are matches whose values may be put in.
pub(crate) fn of(pieces: &[Piece], others: &[&[Piece]]) -> Vec<Alteration> {
    let mut all = Vec::new();
    for (n, piece) in pieces.iter().enumerate() {
        // The last of its kind: the fewest entries hang on it.
        let kind = label(piece);
        if pieces.iter().skip(n + 1).any(|later| label(later) == kind) {
            continue;
        }
        let mut add = |what: &str, moves_entries, change: &dyn Fn(&mut Vec<Piece>)| {
            let mut altered = pieces.to_vec();
            change(&mut altered);
            all.push(Alteration { name: format!("{kind}{what}"), pieces: altered, moves_entries });
        };
        entry(pieces, n, &mut add);
        let donors = |of: &[Piece]| -> Vec<Value> {
            let same = of.iter().filter(|other| label(other) == kind && other.body != piece.body);
            same.map(|other| other.body.clone()).collect()
        };
        let own = donors(pieces);
        let foreign: Vec<Value> = others.iter().flat_map(|other| donors(other)).collect();
        for place in places(&piece.body, 1) {
            let value = piece.body.pointer(&place).unwrap_or(&Value::Null);
            let mut classes = classes(value);
            for (class, donors) in [("another's", &own), ("from another match", &foreign)] {
                let donor = donors.iter().rev().filter_map(|donor| donor.pointer(&place)).find(|donor| *donor != value);
                classes.extend(donor.map(|donor| (class, donor.clone())));
            }
            let shown = shown(&place);
            for (class, altered) in classes {
                add(&format!("{shown} {class}"), false, &|pieces| {
                    pieces[n].keeps_seals = shown.contains("commitment");
                    put(&mut pieces[n].body, &place, altered.clone());
                });
            }
            if !place.is_empty() {
                add(&format!("{shown} dropped"), false, &|pieces| {
                    pieces[n].keeps_seals = shown.contains("commitment");
                    drop_at(&mut pieces[n].body, &place);
                });
            }
        }
    }
    all
}

/// Adds an alteration, with its name, and true if entries come, go or move.
type Add<'a> = dyn FnMut(&str, bool, &dyn Fn(&mut Vec<Piece>)) + 'a;

/// Alterations of an entry as a whole.
fn entry(pieces: &[Piece], n: usize, add: &mut Add<'_>) {
    add(" entry dropped", true, &|pieces| drop(pieces.remove(n)));
    add(" entry duplicated", true, &|pieces| pieces.insert(n, pieces[n].clone()));
    if n > 0 {
        add(" entry moved earlier", true, &|pieces| swapped(pieces, n - 1));
    }
    if n + 1 < pieces.len() {
        add(" entry moved later", true, &|pieces| swapped(pieces, n));
    }
    let by = |time: Moment, micros: i64| Moment::from_micros(time.micros() + micros).unwrap();
    for (class, micros) in [("a minute earlier", -60_000_000), ("a minute later", 60_000_000)] {
        add(&format!(" at {class}"), false, &|pieces| pieces[n].at = by(pieces[n].at, micros));
        // The entries around it move with it, so that no time goes backwards.
        add(&format!(" at {class}, with all around it"), false, &|pieces| {
            let at = by(pieces[n].at, micros);
            pieces[..n].iter_mut().for_each(|piece| piece.at = piece.at.min(at));
            pieces[n..].iter_mut().for_each(|piece| piece.at = piece.at.max(at));
            pieces[n].at = at;
        });
    }
    let authors = ["p1", "p2", "host", "server", "umpire:other"];
    for author in authors.map(|author| author.parse::<Author>().unwrap()) {
        if author != pieces[n].by {
            add(&format!(" by {author}"), false, &|pieces| pieces[n].by = author.clone());
        }
    }
    for kind in [Kind::Noted, Kind::Resolved, Kind::Ended] {
        if kind != pieces[n].kind {
            add(&format!(" said to be {kind}"), false, &|pieces| pieces[n].kind = kind);
        }
    }
}

/// Exchanges two neighbours, which keep their order of times.
fn swapped(pieces: &mut [Piece], n: usize) {
    let times = [pieces[n].at, pieces[n + 1].at];
    pieces.swap(n, n + 1);
    [pieces[n].at, pieces[n + 1].at] = times;
}

/// The paths of all values in a body; of a list, those in its first items, as many as are said.
pub(crate) fn places(body: &Value, items: usize) -> Vec<String> {
    let mut all = Vec::new();
    let mut open = vec![(String::new(), body)];
    while let Some((place, value)) = open.pop() {
        let mut within: Vec<(String, &Value)> = match value {
            Value::Object(fields) => fields.iter().map(|(name, value)| (format!("{place}/{name}"), value)).collect(),
            Value::Array(list) => {
                list.iter().take(items).enumerate().map(|(n, value)| (format!("{place}/{n}"), value)).collect()
            }
            _ => Vec::new(),
        };
        within.reverse();
        open.append(&mut within);
        all.push(place);
    }
    all
}

/// A place as it is told: `.openings[].key`.
pub(crate) fn shown(place: &str) -> String {
    let names = place.split('/').skip(1);
    names.map(|name| if name.parse::<usize>().is_ok() { "[]".to_owned() } else { format!(".{name}") }).collect()
}

/// What can be put in the place of a value, with the name of the class.
pub(crate) fn classes(value: &Value) -> Vec<(&'static str, Value)> {
    let mut all = match value {
        Value::Null => vec![("filled in", json!("p1")), ("filled with a number", json!(1))],
        Value::Bool(is) => vec![("turned round", json!(!is)), ("of a wrong type", json!(is.to_string()))],
        Value::Number(number) => {
            let number = number.as_u64().unwrap();
            let less = number.checked_sub(1).map(|less| ("one less", json!(less)));
            let most = ("larger than any", json!((1_u64 << 53) - 1));
            let zero = (number > 1).then_some(("zero", json!(0)));
            let all = [("one more", json!(number + 1)), most, ("of a wrong type", json!(number.to_string()))];
            all.into_iter().chain(less).chain(zero).collect()
        }
        Value::String(text) => strings(text),
        Value::Array(items) => {
            let mut all = vec![("of a wrong type", json!({}))];
            if let Some(first) = items.first() {
                let twice = [std::slice::from_ref(first), items].concat();
                all.extend([("emptied", json!([])), ("with an item twice", json!(twice))]);
            }
            if items.len() > 1 && items[0] != items[items.len() - 1] {
                let mut turned = items.clone();
                turned.reverse();
                all.push(("in another order", Value::Array(turned)));
            }
            all
        }
        Value::Object(fields) => objects(fields),
    };
    if !value.is_null() {
        all.push(("null", Value::Null));
    }
    all
}

fn objects(fields: &Map<String, Value>) -> Vec<(&'static str, Value)> {
    let mut more = fields.clone();
    more.insert("more".to_owned(), json!(1));
    let mut all =
        vec![("emptied", json!({})), ("of a wrong type", json!([])), ("with a key too many", Value::Object(more))];
    if let (2, Some(p1), Some(p2)) = (fields.len(), fields.get("p1"), fields.get("p2"))
        && p1 != p2
    {
        all.push(("with its seats swapped", json!({ "p1": p2, "p2": p1 })));
    }
    all
}

fn strings(text: &str) -> Vec<(&'static str, Value)> {
    const WORDS: [&[&str]; 4] = [
        &["live", "recorded", "imported"],
        &["umpire", "deadline", "first-valid", "all-in", "host"],
        &["p1", "p2", "undecided", "void"],
        &["conceded", "more-chips", "dmo", "called-off"],
    ];
    let mut all = vec![("emptied", json!("")), ("of a wrong type", json!(1))];
    let number = text.strip_prefix('d').and_then(|number| number.parse::<u32>().ok());
    if let Some(words) = WORDS.iter().find(|words| words.contains(&text)) {
        let said = ["another word", "a third word", "a fourth word", "a fifth word"];
        let others = words.iter().filter(|word| **word != text);
        all.extend(said.into_iter().zip(others).map(|(class, word)| (class, json!(word))));
    } else if let Ok(moment) = text.parse::<Moment>() {
        let by = |micros: i64| json!(Moment::from_micros(moment.micros() + micros).unwrap());
        let classes = [("a minute earlier", -60_000_000), ("a moment earlier", -1), ("a moment later", 1)];
        all.extend(
            classes.into_iter().chain([("a minute later", 60_000_000)]).map(|(class, micros)| (class, by(micros))),
        );
    } else if let Some(number) = number {
        all.extend([("one more", json!(format!("d{}", number + 1)))]);
        all.extend(number.checked_sub(1).map(|less| ("one less", json!(format!("d{less}")))));
    } else if text.len() >= 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        all.push(("altered", json!(text.chars().rev().collect::<String>())));
    } else if text.len() >= 44 && text.ends_with('=') {
        let first = if text.starts_with('A') { 'B' } else { 'A' };
        all.push(("altered", json!(format!("{first}{}", &text[1..]))));
    } else {
        all.push(("with a letter more", json!(format!("{text}x"))));
    }
    all
}

pub(crate) fn put(body: &mut Value, place: &str, altered: Value) {
    if let Some(value) = body.pointer_mut(place) {
        *value = altered;
    }
}

pub(crate) fn drop_at(body: &mut Value, place: &str) {
    let (parent, name) = place.rsplit_once('/').unwrap();
    match body.pointer_mut(parent) {
        Some(Value::Object(fields)) => drop(fields.remove(name)),
        Some(Value::Array(items)) => drop(items.remove(name.parse().unwrap())),
        _ => {}
    }
}

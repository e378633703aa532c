//! What an evil host could tell of registered players: another player, another key, a vouching from elsewhere, a key that
//! was revoked or came too late, one player in both seats, and each value of a chain.

use engine::Seat;
use ledger::{Entry, Hash, LeafIndex, Moment, VouchRequest, leaf_hash};
use record::body::SeatWord;
use record::{Bundle, Vouching};
use serde_json::Value;

use crate::book::{Book, Player};
use crate::evil_host::{EvilHost, Piece};
use crate::players::key;

/// A place of the log before the opening, with a leaf of others that the host may exchange.
const BEFORE: LeafIndex = LeafIndex(4);

/// A lie, and whether the reader knows the players' keys.
pub(crate) struct Lie {
    pub(crate) name: String,
    pub(crate) bundle: Option<Bundle>,
    pub(crate) knows: bool,
}

/// The lies about a match in which the first two players of a log vouch for the seats.
pub(crate) fn of(book: &Book, pieces: &[Piece]) -> Vec<Lie> {
    let mut all = Vec::new();
    let mut add = |name: &str, knows, bundle| all.push(Lie { name: format!("player {name}"), bundle, knows });
    let (p1, p2) = (&book.players[0], &book.players[1]);
    let (right, other) = (book.request(Seat::P1, 1), book.request(Seat::P2, 2));
    let says = |vouching: Vouching| told(&vouching_in(book, Seat::P1, Some(vouching)), &book.players, pieces);

    let mut made = Player::new(&book.origin, 0x66);
    enters(book, &mut made, BEFORE);
    let impostor = vouching_in(book, Seat::P1, Some(made.vouches(&book.origin, right, 0)));
    let players = [&book.players[..], &[made]].concat();
    let bundle = told(&impostor, &players, pieces);
    add("another, whom the host made", false, bundle.clone());
    add("another, whom the host made, to a reader who knows the true one", true, bundle);
    add("another, who vouches with the true one's signature", false, {
        says(Vouching { player: p2.id, ..p1.vouches(&book.origin, right, 0) })
    });

    add("with the next key", false, says(p1.vouches(&book.origin, right, 1)));
    add("with a key of somebody else", false, says(Vouching { player: p1.id, ..p2.vouches(&book.origin, right, 1) }));
    let old = vouching_in(book, Seat::P2, Some(p2.vouches(&book.origin, other, 0)));
    add("with the key before", false, told(&old, &book.players, pieces));

    let moved = |request| says(p1.vouches(&book.origin, request, 0));
    add("vouching for another match", false, moved(VouchRequest { match_id: p2.id.chain(), ..right }));
    add("vouching for another opening", false, moved(VouchRequest { opened: Hash::new([7; 32]), ..right }));
    add("vouching for the other seat", false, moved(VouchRequest { seat: SeatWord(Seat::P2).sealer(), ..right }));
    add("vouching for another session key", false, moved(VouchRequest { session: key(9, 9), ..right }));
    add("vouching in the other seat", false, says(p2.vouches(&book.origin, other, 1)));
    add("vouching withdrawn", false, told(&vouching_in(book, Seat::P1, None), &book.players, pieces));
    add("in both seats", false, {
        let both = vouching_in(book, Seat::P2, Some(p1.vouches(&book.origin, other, 0)));
        told(&both, &book.players[..1], pieces)
    });

    let mut ended = book.clone();
    let body = p1.end(&book.origin, 0);
    append(&mut ended.players[0], &body, BEFORE);
    add("revoked before the opening", false, told(book, &ended.players, pieces));
    add("revoked before the opening, and the file leaves it out", false, {
        let hidden = somebody(book, ended.players[0].lines[1].clone(), BEFORE);
        told(book, &[&book.players[..], &[hidden]].concat(), pieces)
    });
    let after = (book.places[0].0 + 1..).map(LeafIndex).find(|place| !book.places.contains(place)).unwrap();
    let mut late = book.clone();
    late.players[0].places[0] = after;
    late.players.push(somebody(book, b"another entry".to_vec(), p1.places[0]));
    add("registered after the opening", false, told(book, &late.players, pieces));
    add("whose chain is left out", false, told(book, &book.players[1..], pieces));

    for (n, line) in p2.lines.iter().enumerate() {
        for (value, altered) in altered(line) {
            let mut other = book.clone();
            replace(&mut other.players[1], n, &altered);
            add(&format!("chain entry {n} {value} altered"), false, told(book, &other.players, pieces));
        }
    }
    all
}

fn told(book: &Book, players: &[Player], pieces: &[Piece]) -> Option<Bundle> {
    EvilHost::of(book, true).tells_of(players, pieces.to_vec())
}

/// The match with another vouching behind the commitment in a seat's key, or without one.
fn vouching_in(book: &Book, seat: Seat, vouching: Option<Vouching>) -> Book {
    let mut other = book.clone();
    let player = book.players[usize::from(seat == Seat::P2)].id.to_string();
    let (commitment, _) = book.texts.iter().find(|(_, text)| text.text.starts_with(&player)).unwrap();
    match vouching {
        Some(vouching) => other.texts.get_mut(commitment).unwrap().text = vouching.to_string(),
        None => drop(other.texts.remove(commitment)),
    }
    other
}

/// A line in the log that no file shows.
fn somebody(book: &Book, line: Vec<u8>, place: LeafIndex) -> Player {
    Player { lines: vec![line], places: vec![place], ..Player::new(&book.origin, 0x67) }
}

/// Registers a player at a place of the log.
fn enters(book: &Book, player: &mut Player, place: LeafIndex) {
    let body = player.next_key(&book.origin);
    append(player, &body, place);
}

fn append(player: &mut Player, body: &record::body::Body, place: LeafIndex) {
    let at = "2026-11-20T20:00:00.000000Z".parse().unwrap();
    let last = player.lines.last().map(|line| Entry::read(line).unwrap());
    let at = last.as_ref().map_or(at, |last| last.at);
    let entry = Entry {
        match_id: player.id.chain(),
        seq: last.map_or(ledger::Seq(0), |last| last.seq.next().unwrap()),
        prev: player.lines.last().map_or(Hash::ZERO, |line| leaf_hash(line)),
        at,
        by: ledger::Author::Server,
        kind: body.kind(),
        body: body.write(),
    };
    player.lines.push(entry.write());
    player.places.push(place);
}

/// An entry with each of its values altered, by name.
fn altered(line: &[u8]) -> Vec<(String, Entry)> {
    let entry = Entry::read(line).unwrap();
    let body: Value = serde_json::from_str(&entry.body).unwrap();
    let mut all = Vec::new();
    for (name, value) in body.as_object().unwrap() {
        let text = value.as_str().unwrap();
        // Another letter of the alphabet that hex and base64 share.
        let letter = if text.starts_with('a') { "b" } else { "a" };
        let body = entry.body.replacen(text, &format!("{letter}{}", &text[1..]), 1);
        all.push((name.clone(), Entry { body, ..entry.clone() }));
    }
    let earlier = Moment::from_micros(entry.at.micros() - 60_000_000).unwrap();
    all.push(("time".to_owned(), Entry { at: earlier, ..entry.clone() }));
    all.push(("author".to_owned(), Entry { by: "p1".parse().unwrap(), ..entry }));
    all
}

/// Puts another entry in the place of one, and makes what follows fit.
fn replace(player: &mut Player, n: usize, entry: &Entry) {
    player.lines[n] = entry.write();
    for later in n + 1..player.lines.len() {
        let prev = leaf_hash(&player.lines[later - 1]);
        player.lines[later] = Entry { prev, ..Entry::read(&player.lines[later]).unwrap() }.write();
    }
}

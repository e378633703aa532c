//! Registered players: their chains in the log of a [`Book`], and what a verifier says of those who vouch.

use engine::Seat;
use ledger::ed25519::SecretKey;
use ledger::{
    ChainAct, ChainMessage, Entry, Head, NextKeyHash, Origin, PlayerId, PlayerKey, PlayerSignature, Seq, VouchMessage,
    VouchRequest, leaf_hash,
};
use record::audit::ShownChain;
use record::body::{Body, PlayerKeyEntry, RevokedChain, SeatWord};
use record::verify::{Report, Status, verify_players};
use record::write::{self, WriteContext, WriteError};
use record::{Bundle, KnownPlayer, PlayerChain, PlayerFault, Vouching};

use crate::book::{Book, Player};
use crate::log::{logged, policy};
use crate::report::{told, wrong};

/// The n-th key of the player of a seed.
fn secret(seed: u8, n: u8) -> SecretKey {
    let mut bytes = [seed; 32];
    bytes[0] = n;
    SecretKey::from_seed(&bytes)
}

pub(crate) fn key(seed: u8, n: u8) -> PlayerKey {
    PlayerKey::from(&secret(seed, n))
}

pub(crate) fn next(seed: u8, n: u8) -> NextKeyHash {
    NextKeyHash::of(&key(seed, n + 1))
}

impl Player {
    /// A player who is in no log yet.
    pub(crate) fn new(origin: &Origin, seed: u8) -> Self {
        Self { id: PlayerId::of(origin, &key(seed, 0)), seed, keys: 0, lines: Vec::new(), places: Vec::new() }
    }

    pub(crate) fn sign(&self, origin: &Origin, act: ChainAct, n: u8) -> PlayerSignature {
        ChainMessage { origin, player: self.id, act }.sign(&secret(self.seed, n))
    }

    /// The entry of the next key.
    pub(crate) fn next_key(&self, origin: &Origin) -> Body {
        let n = self.keys;
        let (key, next) = (key(self.seed, n), next(self.seed, n));
        let act = if n == 0 { ChainAct::Register { key, next } } else { ChainAct::Rotate { key, next } };
        let entry = PlayerKeyEntry { key, next, signature: self.sign(origin, act, n) };
        if n == 0 { Body::Registered(entry) } else { Body::Rotated(entry) }
    }

    /// The end of the chain, signed by its n-th key.
    pub(crate) fn end(&self, origin: &Origin, n: u8) -> Body {
        let signature = self.sign(origin, ChainAct::Revoke { key: key(self.seed, self.keys - 1) }, n);
        Body::Revoked(RevokedChain { key: key(self.seed, n), signature })
    }

    /// Vouches, with its n-th key.
    pub(crate) fn vouches(&self, origin: &Origin, request: VouchRequest, n: u8) -> Vouching {
        let signature = VouchMessage { origin, request, player: self.id }.sign(&secret(self.seed, n));
        Vouching { player: self.id, signature }
    }

    /// The number of its present key, from 0.
    pub(crate) fn present(&self) -> u8 {
        self.keys - 1
    }

    fn chain(&self, origin: &Origin) -> Option<PlayerChain> {
        (!self.lines.is_empty()).then(|| PlayerChain::read(origin, self.id, &self.lines).unwrap())
    }
}

impl Book {
    /// A player registers, and has the place in [`Book::players`].
    pub(crate) fn registers_player(&mut self, seed: u8) -> usize {
        self.players.push(Player::new(&self.origin, seed));
        let player = self.players.len() - 1;
        self.rotates(player);
        player
    }

    /// A player enters the next key.
    pub(crate) fn rotates(&mut self, player: usize) {
        let body = self.players[player].next_key(&self.origin);
        self.enters(player, &body).unwrap();
        self.players[player].keys += 1;
    }

    /// A player revokes the chain, with the present key or the next.
    pub(crate) fn revokes(&mut self, player: usize, n: u8) {
        let body = self.players[player].end(&self.origin, n);
        self.enters(player, &body).unwrap();
    }

    pub(crate) fn enters(&mut self, player: usize, body: &Body) -> Result<(), WriteError> {
        let of = self.players[player].clone();
        let chain = of.chain(&self.origin);
        let (origin, at) = (self.origin.clone(), self.next_time());
        let mut entropy = || [0; 32];
        let (by, match_id, waiting) = (ledger::Author::Server, of.id.chain(), &write::NO_KEYS);
        let context = WriteContext { origin: &origin, match_id, by, at, waiting, entropy: &mut entropy };
        let written = write::player(&context, chain.as_ref(), body)?;
        let head = chain.map_or(Head::GENESIS, |chain| chain.head);
        let line = written.drafts[0].write(of.id.chain(), head.next, head.leaf).unwrap();
        let place = self.logs(line.leaf());
        self.players[player].lines.push(line.into_bytes());
        self.players[player].places.push(place);
        Ok(())
    }

    /// What a registered player signs for a seat's key.
    pub(crate) fn request(&self, seat: Seat, session: u8) -> VouchRequest {
        VouchRequest {
            match_id: self.match_id,
            seat: SeatWord(seat).sealer(),
            opened: leaf_hash(&self.lines[0]),
            session: PlayerKey::from(&SecretKey::from_seed(&[session; 32])),
        }
    }

    /// A seat registers a key, and a player vouches for it with the present key.
    pub(crate) fn vouches(&mut self, seat: Seat, session: u8, player: usize) {
        let of = &self.players[player];
        let vouching = of.vouches(&self.origin, self.request(seat, session), of.present());
        self.registers_vouched(seat, session, Some(vouching)).unwrap();
    }

    /// Plays a live match to its end, whoever vouched.
    pub(crate) fn played(mut self) -> Self {
        for line in ["grow / claim", "score / grow"] {
            self.plays(line);
        }
        self.rules("conceded", Some(engine::Verdict::Won(Seat::P1)));
        self.ends();
        self
    }
}

/// A log in which two players are registered, one of them with a second key.
fn two_players() -> Book {
    Book::of("two players")
}

/// A live match of two registered players.
pub(crate) fn registered() -> Book {
    Book::of("registered")
}

/// The players of [`registered`], as somebody knows them who has their first keys.
pub(crate) fn known_to_readers() -> Vec<KnownPlayer> {
    known(&format!("Juniper={}\nOkapi={}\n", key(0x51, 0), key(0x52, 0)))
}

pub(crate) fn known(text: &str) -> Vec<KnownPlayer> {
    KnownPlayer::read_all(text).unwrap()
}

/// The report on a bundle, after it was written and read.
pub(crate) fn report(book: &Book, bundle: &Bundle, players: &[KnownPlayer]) -> Report {
    let read = Bundle::read(&bundle.write()).unwrap();
    assert_eq!(read, *bundle, "a bundle reads as it is written");
    verify_players(&read, Some(&policy(book)), players)
}

#[test]
fn registered_players_vouch_for_their_keys() {
    let book = registered();
    let report = report(&book, &logged(&book), &[]);
    assert_eq!(report.verdict.to_string(), "verified with 1 ruling (signed by registered players)");
    assert_eq!(report.findings[2].status, Status::Holds);
    let (ada, bo) = (book.players[0].id, book.players[1].id);
    let three = told(&report, 3);
    for (name, id, number, key) in [("Juniper", ada, 1, key(0x51, 0)), ("Okapi", bo, 2, key(0x52, 1))] {
        let sentence =
            format!("{name}: the registered player {id} vouched for this key with key {number} of its chain, {key},");
        assert!(three.contains(&sentence), "{three}");
    }
    assert!(
        three.contains("Whoever signed in the host's page, or vouched for a key that it showed, trusted that page"),
        "{three}"
    );
    let eight = told(&report, 8);
    assert!(eight.contains("only an audit of the whole log shows one"), "{eight}");
    assert!(!eight.contains("the host could have made the keys itself"), "{eight}");
}

#[test]
fn without_its_vouching_a_seat_is_signed_and_no_more() {
    // A vouching that was withdrawn: its chain does not come along either.
    let mut book = registered();
    let vouched =
        book.texts.clone().into_iter().find(|(_, text)| text.text.starts_with(&book.players[0].id.to_string()));
    book.texts.remove(&vouched.unwrap().0);
    let found = report(&book, &logged(&book), &[]);
    assert_eq!(found.verdict.to_string(), "verified with 1 ruling (signed with the seats' keys)");
    assert!(told(&found, 3).contains("Juniper: this copy does not say who vouched for this key, or it was withdrawn"));
    assert!(!logged(&book).write().windows(36).any(|text| text == book.players[0].id.to_string().as_bytes()));

    // Without a checkpoint nothing shows the chain.
    let book = registered();
    let found = verify_players(&book.bundle(), None, &[]);
    assert_eq!(found.verdict.to_string(), "verified with 1 ruling (signed with the seats' keys)");
    assert!(told(&found, 3).contains("Without a checkpoint, this copy does not show the player’s chain"));
}

#[test]
fn who_knows_a_key_that_came_later_knows_the_player() {
    let book = Book::of("chains that went on");
    let juniper = format!("juniper={}", key(0x51, 1));
    assert!(told(&report(&book, &logged(&book), &known(&juniper)), 3).contains("is the player whose key you know"));
}

#[test]
fn a_vouching_that_does_not_hold_fails() {
    let opened = |book: Book| book.opens_live("five-card-trick/dm-colosseum-2");
    let with = |mut book: Book, vouching: Vouching| {
        book.registers_vouched(Seat::P1, 1, Some(vouching)).unwrap();
        let book = book.played();
        wrong(&report(&book, &logged(&book), &[]), 3).join(" | ")
    };
    let last = "the vouching is not signed by the last key that the player had before the match was opened, for this match, seat and key";

    let book = opened(two_players());
    let (origin, right) = (book.origin.clone(), book.request(Seat::P1, 1));
    for (what, player, request, n, why) in [
        ("as it should be", 0, right, 0, ""),
        ("the next key", 0, right, 1, last),
        ("a key of somebody else", 1, right, 0, last),
        ("another seat", 0, VouchRequest { seat: SeatWord(Seat::P2).sealer(), ..right }, 0, last),
        ("another key of the seat", 0, VouchRequest { session: key(0x77, 0), ..right }, 0, last),
        ("another opening", 0, VouchRequest { opened: ledger::Hash::ZERO, ..right }, 0, last),
        ("another match", 0, VouchRequest { match_id: book.players[0].id.chain(), ..right }, 0, last),
    ] {
        assert_eq!(with(book.clone(), book.players[player].vouches(&origin, request, n)), why, "{what}");
    }
    let stranger = Vouching { player: book.players[0].id, ..book.players[1].vouches(&origin, right, 1) };
    assert_eq!(with(book, stranger), last);

    // A key that was revoked before the opening.
    let mut book = two_players();
    book.revokes(0, 0);
    let book = opened(book);
    let vouching = book.players[0].vouches(&origin, book.request(Seat::P1, 1), 0);
    assert_eq!(with(book, vouching), "the player's keys were revoked before the match was opened");

    // A player who registers after it.
    let mut book = opened(two_players());
    let late = book.registers_player(0x53);
    let vouching = book.players[late].vouches(&origin, book.request(Seat::P1, 1), 0);
    let late = "the player's key is not under a checkpoint from before the match was opened";
    assert_eq!(with(book, vouching), late);
}

#[test]
fn one_player_cannot_have_both_seats() {
    // Nor one with two chains that share a key.
    let mut book = Book::new();
    book.registers_player(0x51);
    let twin = Player::new(&book.origin, 0x54);
    book.players.push(twin.clone());
    let (first, shared) = (key(0x54, 0), NextKeyHash::of(&key(0x51, 0)));
    let signature = twin.sign(&book.origin, ChainAct::Register { key: first, next: shared }, 0);
    book.enters(1, &Body::Registered(PlayerKeyEntry { key: first, next: shared, signature })).unwrap();
    let act = ChainAct::Rotate { key: key(0x51, 0), next: next(0x51, 0) };
    let signature = ChainMessage { origin: &book.origin, player: twin.id, act }.sign(&secret(0x51, 0));
    let entry = PlayerKeyEntry { key: key(0x51, 0), next: next(0x51, 0), signature };
    book.enters(1, &Body::Rotated(entry)).unwrap();
    let mut book = book.opens_live("five-card-trick/dm-colosseum-2");
    book.vouches(Seat::P1, 1, 0);
    let message = VouchMessage { origin: &book.origin, request: book.request(Seat::P2, 2), player: twin.id };
    let vouching = Vouching { player: twin.id, signature: message.sign(&secret(0x51, 0)) };
    book.registers_vouched(Seat::P2, 2, Some(vouching)).unwrap();
    assert_eq!(wrong(&report(&book, &logged(&book), &[]), 3), ["one key is in the chains of both players"]);
}

#[test]
fn the_players_whom_a_reader_knows() {
    let book = registered();
    let bundle = logged(&book);
    let checked = |text: &str, asked: bool| {
        let mut players = known(text);
        players.iter_mut().for_each(|player| player.asked = asked);
        report(&book, &bundle, &players)
    };
    let right = format!("Juniper={}\nOkapi={}\nSomebody else={}\n", key(0x51, 0), key(0x52, 0), key(0x53, 0));
    let good = checked(&right, false);
    assert!(good.is_good() && told(&good, 3).contains("Okapi is the player whose key you know"), "{}", told(&good, 3));
    let swapped = checked(&format!("Juniper={}", key(0x52, 1)), false);
    assert_eq!(wrong(&swapped, 3), ["Juniper is not shown to be the player whose key you know"]);
    // The next key stands in no chain, although the chain commits to it.
    assert!(!checked(&format!("Juniper={}", key(0x51, 1)), false).is_good());
    // Of two players of one name either may have played.
    assert!(checked(&format!("Juniper={}\njuniper={}", key(0x53, 0), key(0x51, 0)), false).is_good());
    assert_eq!(wrong(&checked(&right, true), 3), ["no seat has the name that you ask for"]);

    let unvouched = Book::of("four rounds");
    let found = report(&unvouched, &logged(&unvouched), &known(&right));
    assert_eq!(wrong(&found, 3).len(), 2, "a live match in which nobody vouched");
    let typed = Book::of("corrected and ruled");
    let found = report(&typed, &logged(&typed), &known(&right));
    assert!(found.is_good() && told(&found, 3).contains("nothing shows who played"), "{}", told(&found, 3));
    let asked: Vec<KnownPlayer> = known(&format!("Juniper={}", key(0x51, 0)))
        .into_iter()
        .map(|known| KnownPlayer { asked: true, ..known })
        .collect();
    assert!(!report(&typed, &logged(&typed), &asked).is_good());
}

#[test]
fn a_file_without_what_a_vouching_calls_for_fails() {
    let book = registered();
    let whole = logged(&book);
    let without = |change: &dyn Fn(&mut Bundle)| {
        let mut bundle = whole.clone();
        change(&mut bundle);
        wrong(&report(&book, &bundle, &[]), 3).join(" | ")
    };
    let players = |bundle: &mut Bundle, change: &dyn Fn(&mut record::PlayerEvidence)| {
        change(bundle.logged.as_mut().unwrap().players.as_mut().unwrap());
    };
    let left_out = "the file leaves out the chain of the player who vouches";
    assert_eq!(without(&|bundle| bundle.logged.as_mut().unwrap().players = None), format!("{left_out} | {left_out}"));
    let ada = book.players[0].id;
    let gone = without(&|bundle| players(bundle, &|came| came.entries.retain(|entry| entry.player != ada)));
    assert_eq!(gone, left_out);
    let unsigned = "the tree from before the opening was signed by the log";
    let none = without(&|bundle| players(bundle, &|came| came.before.checkpoint = None));
    assert_eq!(none, format!("{unsigned} | {unsigned}"));
    let moved = without(&|bundle| players(bundle, &|came| came.opened.0 += 1));
    assert!(moved.starts_with("the opening is not in the log where the file says"), "{moved}");
    let later = without(&|bundle| {
        let newest = bundle.logged.as_ref().unwrap().checkpoint.clone();
        let size = ledger::Checkpoint::read(newest.text()).unwrap().tree();
        players(bundle, &|came| came.before.tree = size);
    });
    assert!(later.starts_with("the tree that came along for the players is no older than the opening"), "{later}");
    let altered = without(&|bundle| {
        players(bundle, &|came| {
            let text = String::from_utf8(came.entries[0].bytes.clone()).unwrap();
            came.entries[0].bytes = text.replacen("\"at\":\"2026", "\"at\":\"2025", 1).into_bytes();
        });
    });
    assert!(altered.contains("an entry of a player's chain is not in the log where the file says"), "{altered}");
    // A chain that nobody vouches with.
    let stray = without(&|bundle| {
        let texts = bundle.texts.clone();
        let vouching = texts.iter().find(|(_, text)| text.text.starts_with(&ada.to_string())).unwrap().0;
        bundle.texts.remove(vouching);
    });
    assert_eq!(stray, "the chain of a player came along who vouches for no key here");
}

#[test]
fn chains_are_checked_entry_by_entry() {
    let origin: Origin = Book::new().origin;
    let mut book = two_players();
    let refused = |book: &mut Book, player: usize, body: &Body| match book.enters(player, body) {
        Err(WriteError::Player(fault)) => fault,
        other => panic!("{other:?}"),
    };
    let ada = book.players[0].clone();
    let right = ada.next_key(&origin);
    let Body::Rotated(entry) = right else { panic!() };
    let rotated = |entry: PlayerKeyEntry| Body::Rotated(entry);
    // The third key instead of the second.
    let third = PlayerKeyEntry { key: key(0x51, 2), ..entry };
    assert_eq!(refused(&mut book, 0, &rotated(third)), PlayerFault::NotCommitted);
    let unsigned = PlayerKeyEntry {
        signature: ada.sign(&origin, ChainAct::Rotate { key: entry.key, next: entry.next }, 0),
        ..entry
    };
    assert_eq!(refused(&mut book, 0, &rotated(unsigned)), PlayerFault::NotSigned);
    let other_next = PlayerKeyEntry { next: next(0x51, 5), ..entry };
    assert_eq!(refused(&mut book, 0, &rotated(other_next)), PlayerFault::NotSigned);
    for again in [NextKeyHash::of(&key(0x51, 0)), NextKeyHash::of(&key(0x51, 1))] {
        let signature = ada.sign(&origin, ChainAct::Rotate { key: entry.key, next: again }, 1);
        let repeated = PlayerKeyEntry { next: again, signature, ..entry };
        assert_eq!(refused(&mut book, 0, &rotated(repeated)), PlayerFault::Repeated);
    }
    assert_eq!(refused(&mut book, 0, &Player { keys: 0, ..ada.clone() }.next_key(&origin)), PlayerFault::AnotherKind);
    assert_eq!(refused(&mut book, 0, &ada.end(&origin, 2)), PlayerFault::NotCommitted);
    let Body::Revoked(end) = ada.end(&origin, 1) else { panic!() };
    let foreign = Body::Revoked(RevokedChain { key: key(0x51, 0), ..end });
    assert_eq!(refused(&mut book, 0, &foreign), PlayerFault::NotSigned);
    // The next key may end the chain, and nothing follows.
    book.revokes(0, 1);
    assert_eq!(refused(&mut book, 0, &rotated(entry)), PlayerFault::Revoked);
    let chain = PlayerChain::read(&origin, ada.id, &book.players[0].lines).unwrap();
    assert_eq!((chain.keys.len(), chain.revoked.map(|(entry, _)| entry), chain.present()), (1, Some(Seq(1)), None));

    // A first entry under an id that is not its own, or that is no first entry.
    let id = book.players[1].id;
    book.players.push(Player { id, lines: Vec::new(), ..Player::new(&origin, 0x55) });
    let first = Player { id, ..Player::new(&origin, 0x55) }.next_key(&origin);
    let theirs = PlayerId::of(&origin, &key(0x55, 0));
    assert_eq!(refused(&mut book, 2, &first), PlayerFault::AnotherId(theirs));
    assert_eq!(refused(&mut book, 2, &rotated(entry)), PlayerFault::AnotherKind);
}

#[test]
fn lines_that_are_no_chain() {
    let book = two_players();
    let (origin, player) = (book.origin.clone(), &book.players[1]);
    let read = |lines: &[Vec<u8>]| PlayerChain::read(&origin, player.id, lines).unwrap_err().to_string();
    let none: &[Vec<u8>] = &[];
    assert_eq!(read(none), "entry 0 of the player's chain: the chain has no entries");
    assert!(read(&player.lines[1..]).contains("the line in its place says that it is entry 1"));
    let entry = Entry::read(&player.lines[0]).unwrap();
    let written = |entry: Entry| vec![entry.write()];
    let by = Entry { by: "umpire:k3x9".parse().unwrap(), ..entry.clone() };
    assert!(read(&written(by)).contains("the server enters what a player has signed, and this is by umpire:k3x9"));
    let body = Entry { body: "{}".to_owned(), ..entry.clone() };
    assert!(read(&written(body)).contains("its body does not read"));
    let kind = Entry { kind: ledger::Kind::Opened, ..entry };
    assert!(read(&written(kind)).contains("entry 0 of the player's chain: its body does not read"));
    let elsewhere = PlayerChain::read(&"elsewhere.example/log".parse().unwrap(), player.id, &player.lines).unwrap_err();
    assert!(matches!(elsewhere.why, PlayerFault::AnotherId(_)), "{elsewhere}");
    // A match is no chain, and a chain is no match.
    let live = Book::of("live");
    let no_chain = PlayerChain::read(&origin, PlayerId::of_chain(live.match_id), &live.lines).unwrap_err();
    assert!(matches!(no_chain.why, PlayerFault::Author(_)), "{no_chain}");
}

#[test]
fn a_chain_takes_no_more_than_it_should() {
    let mut book = Book::new();
    let player = book.registers_player(0x51);
    for _ in 1..200 {
        book.rotates(player);
    }
    let body = book.players[player].next_key(&book.origin);
    assert!(matches!(book.enters(player, &body), Err(WriteError::Player(PlayerFault::TooLong))));
    book.revokes(player, 199);
}

#[test]
fn an_audit_shows_what_a_bundle_leaves_out_of_a_chain() {
    let mut book = two_players();
    let ada = book.players[0].clone();
    book.revokes(0, 0);
    let ended = book.players[0].places.clone();
    // The bundle has the chain without its end: alone it shows nothing.
    book.players[0].lines = ada.lines;
    let mut book = book.opens_live("five-card-trick/dm-colosseum-2");
    book.vouches(Seat::P1, 1, 0);
    book.vouches(Seat::P2, 2, 1);
    let book = book.played();
    let bundle = logged(&book);
    assert_eq!(wrong(&report(&book, &bundle, &[]), 3), [""; 0]);
    let shown = ShownChain::of(&Bundle::read(&bundle.write()).unwrap());
    let of = |id| shown.iter().find(|shown| shown.player == id).unwrap();
    let (ada, bo) = (&book.players[0], &book.players[1]);
    let fault = of(ada.id).fault(&ended).unwrap();
    assert_eq!((fault.index, fault.match_id), (ended[1], Some(ada.id.chain())));
    assert!(fault.text.contains(&book.match_id.to_string()), "{}", fault.text);
    assert_eq!(of(bo.id).fault(&bo.places), None);
    // What came after the opening, a bundle may not have yet.
    let later = [bo.places.clone(), vec![*book.places.last().unwrap()]].concat();
    assert_eq!(of(bo.id).fault(&later), None);
}

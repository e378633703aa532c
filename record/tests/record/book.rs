//! A match in a log of its own, in memory: the server's work around `record`, without a database or a clock.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use engine::dmn::Replay;
use engine::dmn::quotes::split_outside_quotes;
use engine::{BySeat, Seat, Setup, Verdict};
use ledger::ed25519::SecretKey;
use ledger::{
    Author, Commitment, DecisionId, Entry, Field, Frontier, Hash, Head, LeafIndex, MatchId, Moment, Network,
    OpenMessage, Origin, PlayerId, PlayerKey, Round, RoundSignature, Seq, SubmitId, SubmitMessage, TreeSize,
};
use record::body::{DrawSource, OpenSignature, ReplacedSubmission, SeatWord, SubmitSignature, Tree};
use record::verify::{Report, verify};
use record::write::{
    self, Amendment, Clocks, Cover, Import, NewEntries, NewKey, NewMatch, Pace, Seal, ShareOpening, WaitingKeys,
    WriteContext, WriteError,
};
use record::{Bundle, History, HostAct, OpenDecision, Secret, Secrets, Texts, Vouching, fold};

/// A match, everything written for it, and everything stored outside the record.
#[derive(Clone)]
pub(crate) struct Book {
    pub(crate) origin: Origin,
    pub(crate) match_id: MatchId,
    pub(crate) lines: Vec<Vec<u8>>,
    pub(crate) head: Head,
    pub(crate) texts: Texts,
    pub(crate) secrets: Secrets,
    kept: Vec<(Commitment, Field, Secret)>,
    frontier: Frontier,
    /// The whole log: this match's entries, and others between them.
    pub(crate) leaves: Vec<Hash>,
    /// The places of this match's entries in it.
    pub(crate) places: Vec<LeafIndex>,
    now: i64,
    /// The time of the last entry.
    at: Moment,
    keys: u64,
    /// The registered players of the log.
    pub(crate) players: Vec<Player>,
    /// The players' keys, if they have any.
    pub(crate) signers: BySeat<Option<SecretKey>>,
    /// The keys that wait while a question is open.
    pub(crate) waiting: WaitingKeys,
    /// The shares that the players keep, since they sign.
    pub(crate) shares: BySeat<Option<Secret>>,
    /// The seats that call their answers final.
    pub(crate) finals: BySeat<bool>,
    /// What did not count, as it is shown at the end.
    pub(crate) replaced: Vec<ReplacedSubmission>,
    /// The match as the umpire saw it last, by the number of entries.
    seen: RefCell<Option<(usize, History)>>,
}

/// A registered player, with everything that only the player has.
#[derive(Clone)]
pub(crate) struct Player {
    pub(crate) id: PlayerId,
    pub(crate) seed: u8,
    /// The number of keys that were entered.
    pub(crate) keys: u8,
    pub(crate) lines: Vec<Vec<u8>>,
    /// The places of the lines in the log.
    pub(crate) places: Vec<LeafIndex>,
}

/// The key by which the host signs receipts.
fn host_key() -> String {
    PlayerKey::new(SecretKey::from_seed(&[11; 32]).public().bytes()).unwrap().to_string()
}

/// The opening that the words ask for: `live five-card-trick/dm-colosseum-2 dmo p2 at-once`.
pub(crate) fn new_match(words: &str) -> NewMatch {
    let mut words = words.split(' ');
    let (mode, ruleset) = (words.next().unwrap(), words.next().unwrap());
    let names = BySeat { p1: "Juniper".into(), p2: "Okapi".into() };
    let setup = Setup { ruleset: ruleset.to_owned(), ..Setup::default() };
    let (mut clocks, mut early) = (Clocks::Off, false);
    let mut new = NewMatch { setup, names, ..NewMatch::default() };
    while let Some(word) = words.next() {
        match word {
            "dmo" => new.setup.dmo = Some(words.next().unwrap().parse().unwrap()),
            "of" => new.event = Some("Lantern Cup".into()),
            "day" => new.date = Some(words.next().unwrap().into()),
            "posted" => clocks = Clocks::Posted,
            "at-once" => clocks = Clocks::AtOnce,
            "early" => early = true,
            "looks" => new.looks = true,
            "draws" => new.draws = Some(DrawSource::Host),
            "waits" => new.wait = Some(words.next().unwrap().parse().unwrap()),
            other => panic!("{other}: nothing of an opening"),
        }
    }
    new.pace = if mode == "live" { Pace::Live { clocks, early } } else { Pace::Recorded };
    new
}

impl Book {
    pub(crate) fn new() -> Self {
        Self {
            origin: "localhost/matchbook-0123abcd".parse().unwrap(),
            match_id: "0197c5a4-6f1e-7000-8000-000000000001".parse().unwrap(),
            lines: Vec::new(),
            head: Head::GENESIS,
            texts: Texts::new(),
            secrets: Secrets::new(),
            kept: Vec::new(),
            frontier: Frontier::new(),
            leaves: Vec::new(),
            places: Vec::new(),
            now: 1_795_207_308_381_204,
            at: Moment::MIN,
            keys: 0,
            players: Vec::new(),
            signers: BySeat { p1: None, p2: None },
            waiting: WaitingKeys::default(),
            shares: BySeat { p1: None, p2: None },
            finals: BySeat::default(),
            replaced: Vec::new(),
            seen: RefCell::new(None),
        }
    }

    /// A recorded match, opened.
    pub(crate) fn opened(ruleset: &str, dmo: Option<Seat>, items: BySeat<&[&str]>) -> Self {
        let mut new = new_match(&format!("recorded {ruleset} of day 2026-11-20"));
        new.setup.dmo = dmo;
        new.setup.items = items.map(|items| items.iter().map(ToString::to_string).collect());
        Self::open(&new)
    }

    pub(crate) fn open(new: &NewMatch) -> Self {
        let mut book = Self::new();
        book.begins(new);
        book
    }

    pub(crate) fn begins(&mut self, new: &NewMatch) {
        let new = &NewMatch { host_key: host_key(), ..new.clone() };
        let written = self.with_context(|context| write::open(context, new)).unwrap();
        self.append(written);
    }

    /// A match whose players submit by themselves, without clocks, in a log that has entries already.
    pub(crate) fn opens_live(mut self, ruleset: &str) -> Self {
        self.begins(&new_match(&format!("live {ruleset}")));
        self
    }

    /// A seat makes a key and registers it.
    pub(crate) fn registers(&mut self, seat: Seat, seed: u8) -> Result<(), WriteError> {
        self.registers_vouched(seat, seed, None)
    }

    /// A seat makes a key and registers it, with the registered player who vouches for it.
    pub(crate) fn registers_vouched(
        &mut self,
        seat: Seat,
        seed: u8,
        vouching: Option<Vouching>,
    ) -> Result<(), WriteError> {
        let secret = SecretKey::from_seed(&[seed; 32]);
        let key = PlayerKey::new(secret.public().bytes()).unwrap();
        self.writes(|context, history, _| {
            write::register(
                &mut WriteContext { by: by(seat), entropy: &mut *context.entropy, ..*context },
                history,
                NewKey { seat, key, vouching },
                0,
            )
        })?;
        self.signers[seat] = Some(secret);
        Ok(())
    }

    /// A match of the past, imported.
    pub(crate) fn imported(text: &str) -> Self {
        Self::imported_from(&Import::read(text).unwrap(), Some("a paste"))
    }

    pub(crate) fn imported_from(import: &Import, source: Option<&str>) -> Self {
        let mut book = Self::new();
        let written = book.with_context(|context| write::import(context, import, source, &host_key())).unwrap();
        book.append(written);
        book
    }

    fn with_context<T>(&mut self, work: impl FnOnce(&mut WriteContext<'_>) -> T) -> T {
        let at = self.next_time();
        let (origin, keys) = (self.origin.clone(), &mut self.keys);
        let mut entropy = || {
            *keys += 1;
            let mut key = [7; 32];
            key[..8].copy_from_slice(&keys.to_be_bytes());
            key
        };
        let by: Author = "umpire:k3x9".parse().unwrap();
        let (match_id, waiting) = (self.match_id, &self.waiting);
        work(&mut WriteContext { origin: &origin, match_id, by, at, waiting, entropy: &mut entropy })
    }

    fn append(&mut self, written: NewEntries) {
        self.texts.extend(written.texts);
        self.kept.extend(written.secrets);
        for mut draft in written.drafts {
            // The writer never dates an entry before its predecessor.
            draft.at = draft.at.max(self.at);
            self.at = draft.at;
            let line = draft.write(self.match_id, self.head.next, self.head.leaf).unwrap();
            let text = String::from_utf8(line.bytes().to_vec()).unwrap();
            for (commitment, field, secret) in &self.kept {
                // A list of shares repeats what stands in other entries.
                if !text.contains("\"purpose\":\"shares\"") && text.contains(&format!("\"{commitment}\"")) {
                    self.secrets.insert((self.head.next, field.clone()), secret.clone());
                }
            }
            let place = self.logs(line.leaf());
            self.places.push(place);
            self.head = Head { next: self.head.next.next().unwrap(), leaf: line.leaf() };
            self.lines.push(line.into_bytes());
        }
    }

    /// Appends a leaf to the log, behind others: more is played at the same time.
    pub(crate) fn logs(&mut self, leaf: Hash) -> LeafIndex {
        let others = (0..self.leaves.len() % 3).map(|n| ledger::leaf_hash(&[self.leaves.len() as u8, n as u8]));
        let others: Vec<Hash> = others.collect();
        let place = LeafIndex((self.leaves.len() + others.len()) as u64);
        for leaf in others.into_iter().chain([leaf]) {
            self.frontier.push(leaf);
            self.leaves.push(leaf);
        }
        place
    }

    /// The time of the next entry.
    pub(crate) fn next_time(&mut self) -> Moment {
        self.now += 1_000_000;
        Moment::from_micros(self.now).unwrap()
    }

    /// Lets seconds pass.
    pub(crate) fn passes(&mut self, seconds: i64) {
        self.now += seconds * 1_000_000;
    }

    /// An act of the umpire, and its append.
    pub(crate) fn writes(
        &mut self,
        work: impl FnOnce(&mut WriteContext<'_>, &History, &Secrets) -> Result<NewEntries, WriteError>,
    ) -> Result<(), WriteError> {
        let (history, secrets) = (self.history(), self.secrets.clone());
        let written = self.with_context(|context| work(context, &history, &secrets))?;
        self.append(written);
        Ok(())
    }

    /// Plays a step: the moves of both seats, or of the one that is asked, sealed and resolved; or the host's draw.
    pub(crate) fn plays(&mut self, line: &str) {
        if let Some(draw) = line.strip_prefix("host: ") {
            return self.draws(draw);
        }
        if let Some(said) = line.strip_prefix("umpire: ") {
            return self.says(said);
        }
        let round = line.split_once(". ").filter(|(round, _)| round.bytes().all(|byte| byte.is_ascii_digit()));
        let line = round.map_or(line, |(_, moves)| moves);
        let moves = match (line.strip_prefix("p1: "), line.strip_prefix("p2: ")) {
            (Some(sent), _) => vec![(Seat::P1, sent)],
            (_, Some(sent)) => vec![(Seat::P2, sent)],
            _ => {
                let moves: Vec<&str> = split_outside_quotes(line, b'/').map(|(_, sent)| sent.trim()).collect();
                vec![(Seat::P1, moves[0]), (Seat::P2, moves[1])]
            }
        };
        let history = self.history();
        let answers = |open: &&OpenDecision| {
            let reads = |(seat, text): &(Seat, &str)| history.duel().read(*seat, &open.asked.what, text).is_ok();
            open.asked.seats.iter().map(|seat| seat.0).eq(moves.iter().map(|(seat, _)| *seat))
                && moves.iter().all(reads)
        };
        let open = history.open.iter().find(answers);
        let what = open.unwrap_or_else(|| panic!("nothing asks for {line}")).asked.what.clone();
        let decision = self.seals(&what, &moves);
        self.resolves(&decision);
    }

    pub(crate) fn says(&mut self, text: &str) {
        let said = self.writes(|context, history, secrets| write::announce(context, history, text, secrets));
        said.unwrap_or_else(|error| panic!("{text}: {error}"));
    }

    pub(crate) fn draws(&mut self, text: &str) {
        let drawn = self.writes(|context, history, secrets| write::draw(context, history, text, secrets));
        drawn.unwrap_or_else(|error| panic!("{text}: {error}"));
    }

    /// A match in which the host draws, opened. Its share is sealed, and nobody was asked yet.
    pub(crate) fn host_draws(ruleset: &str) -> Self {
        Self::open(&new_match(&format!("recorded {ruleset} dmo p1 draws")))
    }

    /// The same with a beacon, opened at this time in microseconds.
    pub(crate) fn draws_with(ruleset: &str, network: &Network, now: i64) -> Self {
        let new = new_match(&format!("recorded {ruleset} dmo p1 draws"));
        let mut book = Self { now, ..Self::new() };
        book.begins(&NewMatch { beacon: Some(network.hash), ..new });
        book
    }

    /// Names the round for the next draws, with five seconds to go.
    pub(crate) fn names_round(&mut self, network: &Network) -> Round {
        let lead = Duration::from_secs(5);
        self.writes(|context, history, secrets| write::name_round(context, history, secrets, network, lead)).unwrap();
        self.history().awaited_round().unwrap().round
    }

    /// Enters a round's signature, at its time or later.
    pub(crate) fn signs_round(&mut self, network: &Network, round: Round, signature: RoundSignature) {
        self.now = self.now.max(network.time_of(round).micros());
        let tree = Tree::from(self.frontier.tree());
        self.writes(|context, history, _| write::sign_round(context, history, round, signature, tree)).unwrap();
    }

    /// Asks the seats for their shares, and lists those that came.
    pub(crate) fn lists(&mut self, shares: BySeat<&str>) {
        self.writes(|context, history, _| write::ask_shares(context, history)).unwrap();
        let history = self.history();
        let open = history.open.iter().find(|open| open.asked.what == "share").unwrap();
        let decision = open.asked.decision.clone();
        let mut seals = Vec::new();
        for (seat, line) in shares.each() {
            seals.extend(self.submission(&history, open, seat, line));
        }
        self.writes(|context, history, _| write::list_shares(context, history, &decision, &seals)).unwrap();
    }

    /// The opening of a kept share, signed over the list that the match has now.
    pub(crate) fn opening(&mut self, seat: Seat) -> ShareOpening {
        let history = self.history();
        let (list, tree) = (history.awaited_openings().unwrap(), Tree::from(self.frontier.tree()));
        let came = self.with_context(|context| context.at);
        let secret = self.shares[seat].clone().unwrap();
        let sealed = history.seals.iter().find(|seal| Some(seal.entry) == list.sealed[seat]).unwrap();
        let message = OpenMessage {
            origin: &self.origin,
            match_id: self.match_id,
            decision: &sealed.decision,
            seat: SeatWord(seat).sealer(),
            listed: list.leaf,
            value: &secret.value,
            seen: (TreeSize(tree.size), tree.root),
        };
        let signature = self.signers[seat].as_ref().map(|key| OpenSignature { tree, signature: message.sign(key) });
        ShareOpening { seat, came, secret, signature }
    }

    /// These seats open their shares, and the openings are listed.
    pub(crate) fn opens(&mut self, seats: &[Seat]) -> Result<(), WriteError> {
        let opened: Vec<ShareOpening> = seats.iter().map(|seat| self.opening(*seat)).collect();
        let history = self.history();
        opened.iter().try_for_each(|opening| write::receive_opening(&history, opening))?;
        self.lists_openings(&opened)
    }

    pub(crate) fn lists_openings(&mut self, opened: &[ShareOpening]) -> Result<(), WriteError> {
        let tree = Tree::from(self.frontier.tree());
        self.writes(|context, history, secrets| write::list_openings(context, history, secrets, opened, tree))
    }

    /// Fixes the seed; the openings are listed first if nobody did.
    pub(crate) fn seeds(&mut self) {
        if self.history().host_act() == Some(HostAct::ListOpenings) {
            let list = self.history().awaited_openings().unwrap().clone();
            let kept = |seat: &Seat| list.sealed[*seat].is_some() && self.shares[*seat].is_some();
            let seats: Vec<Seat> = Seat::BOTH.into_iter().filter(kept).collect();
            self.opens(&seats).unwrap();
        }
        let tree = Tree::from(self.frontier.tree());
        self.writes(|context, history, secrets| write::seed(context, history, secrets, tree)).unwrap();
    }

    /// Makes the due draw.
    pub(crate) fn draws_by_key(&mut self) {
        self.writes(write::draw_by_key).unwrap();
    }

    /// Enters the seals of a decision without resolving it.
    pub(crate) fn seals(&mut self, what: &str, moves: &[(Seat, &str)]) -> DecisionId {
        let history = self.history();
        let seats: Vec<Seat> = moves.iter().map(|(seat, _)| *seat).collect();
        let asks = |open: &&OpenDecision| open.asked.seats.iter().map(|seat| seat.0).eq(seats.iter().copied());
        let open = history.open.iter().find(|open| open.asked.what == what && asks(open));
        let decision = open.unwrap_or_else(|| panic!("no {what} is asked")).asked.decision.clone();
        let mut seals = Vec::new();
        for (seat, text) in moves {
            seals.extend(self.submission(&history, open.unwrap(), *seat, text));
        }
        let written = self.with_context(|context| write::seal(context, &history, &decision, &seals)).unwrap();
        self.append(written);
        decision
    }

    /// A seat's submission, signed where it has a key; nothing for `-`. Whoever signs keeps its share.
    pub(crate) fn submission(
        &mut self,
        history: &History,
        open: &OpenDecision,
        seat: Seat,
        text: &str,
    ) -> Option<Seal> {
        let decision = &open.asked.decision;
        let prepared = self.with_context(|context| {
            let at = context.at;
            write::prepare(context, history, decision, seat, text).map(|sent| (sent, at))
        });
        let (sent, came) = prepared.unwrap_or_else(|error| panic!("{text}: {error}"));
        let sent = sent?;
        let (commitments, signs) = (sent.commitments, self.signers[seat].is_some());
        if signs && open.asked.what == "share" {
            write::receive_kept(history, decision, seat, &commitments).unwrap();
            self.shares[seat] = sent.secrets.into_iter().next().map(|(_, secret)| secret);
        } else {
            let secrets = commitments.iter().zip(sent.secrets);
            self.kept.extend(secrets.map(|(commitment, (field, secret))| (*commitment, field, secret)));
        }
        let is_final = self.finals[seat];
        let signature = self.signers[seat].as_ref().map(|secret| {
            let (submit, tree) = (SubmitId([7; 16]), Tree::from(self.frontier.tree()));
            let message = SubmitMessage {
                origin: &self.origin,
                match_id: self.match_id,
                decision,
                seat: SeatWord(seat).sealer(),
                commitments: &commitments,
                submit,
                asked: open.leaf,
                seen: (TreeSize(tree.size), tree.root),
                is_final,
            };
            SubmitSignature { submit, tree, signature: message.sign(secret) }
        });
        let sent_by = history.is_live().then(|| by(seat));
        Some(Seal { seat, ordinal: 0, came, commitments, sent_by, is_final, signature })
    }

    /// The tree of the whole log.
    pub(crate) fn tree(&self) -> ledger::Tree {
        self.frontier.tree()
    }

    pub(crate) fn resolves(&mut self, decision: &DecisionId) {
        self.resolves_by(decision, true);
    }

    /// Resolves a decision, in a match that waits with or without its witnesses.
    pub(crate) fn resolves_by(&mut self, decision: &DecisionId, witnessed: bool) {
        let cover = Cover { tree: Tree::from(self.frontier.tree()), witnessed };
        self.writes(|context, history, secrets| write::resolve(context, history, decision, secrets, cover)).unwrap();
    }

    pub(crate) fn rules(&mut self, text: &str, verdict: Option<Verdict>) {
        self.writes(|context, history, _| write::rule(context, history, Some("1.8"), text, verdict)).unwrap();
    }

    pub(crate) fn notes(&mut self, text: &str) {
        self.writes(|context, history, _| write::note(context, history, text)).unwrap();
    }

    /// A player objects to a step.
    pub(crate) fn objects(&mut self, seat: Seat, step: u32, text: &str) -> Result<(), WriteError> {
        self.writes(|context, history, _| {
            context.by = by(seat);
            write::object(context, history, seat, step, text)
        })
    }

    pub(crate) fn strikes(&mut self, from: u32, reason: &str) {
        self.writes(|context, history, secrets| {
            write::strike(context, history, &write::plan_strike(history, from)?, reason, secrets)
        })
        .unwrap();
    }

    pub(crate) fn corrects(&mut self, step: u32, p1: Option<&str>, p2: Option<&str>) {
        self.amends(step, Amendment { moves: BySeat { p1, p2 }, ..Amendment::default() });
    }

    pub(crate) fn corrects_line(&mut self, step: u32, line: &str) {
        let joint = line.split_once(". ").map_or(line, |(_, moves)| moves);
        let joint: Vec<&str> = split_outside_quotes(joint, b'/').map(|(_, sent)| sent.trim()).collect();
        let moves = match joint.as_slice() {
            [p1, p2] => BySeat { p1: Some(*p1), p2: Some(*p2) },
            _ => BySeat { p1: line.strip_prefix("p1: "), p2: line.strip_prefix("p2: ") },
        };
        self.amends(step, Amendment { moves, draw: line.strip_prefix("host: "), said: line.strip_prefix("umpire: ") });
    }

    fn amends(&mut self, step: u32, amended: Amendment<'_>) {
        self.writes(|context, history, secrets| {
            let plan = write::plan_correction(history, step, amended)?;
            write::strike(context, history, &plan, "mistyped", secrets)
        })
        .unwrap();
    }

    /// The entries as one text.
    pub(crate) fn said(&self) -> String {
        self.lines.iter().map(|line| String::from_utf8_lossy(line) + "\n").collect()
    }

    pub(crate) fn ends(&mut self) {
        let replaced = std::mem::take(&mut self.replaced);
        self.writes(|context, history, secrets| write::end(context, history, secrets, replaced)).unwrap();
    }

    /// Plays a whole file, line by line, as an umpire would; not its end.
    pub(crate) fn replays(file: &Fixture) -> Self {
        let mut replay = Replay::open(&file.text).unwrap();
        let tags = replay.tags().clone();
        let (names, setup, event, date) = (tags.names, tags.setup, tags.event, tags.date);
        let mut book = Self::open(&NewMatch { setup, names, event, date, ..NewMatch::default() });
        while let Some(line) = replay.play(None) {
            let text = line.unwrap().played.text;
            match text.strip_prefix("umpire: result ") {
                Some(ruling) => {
                    let (word, reason) = ruling.split_once(' ').unwrap();
                    book.rules(reason, verdict(word));
                }
                None => book.plays(&text),
            }
        }
        book
    }

    pub(crate) fn entries(&self) -> Vec<Entry> {
        self.lines.iter().map(|line| Entry::read(line).unwrap()).collect()
    }

    /// The match as the umpire sees it.
    pub(crate) fn history(&self) -> History {
        let mut seen = self.seen.borrow_mut();
        let last = seen.take().filter(|(entries, _)| *entries == self.lines.len());
        let (entries, history) = last.unwrap_or_else(|| (self.lines.len(), self.folded(&self.secrets)));
        seen.insert((entries, history)).1.clone()
    }

    /// Whoever keeps the secrets loses them.
    pub(crate) fn loses_secrets(&mut self) {
        (self.secrets, self.kept) = (Secrets::new(), Vec::new());
        *self.seen.borrow_mut() = None;
    }

    /// The match as everybody sees it.
    pub(crate) fn public(&self) -> History {
        self.folded(&Secrets::new())
    }

    fn folded(&self, secrets: &Secrets) -> History {
        let leaves: Vec<Hash> = self.lines.iter().map(|line| ledger::leaf_hash(line)).collect();
        fold(&self.origin, &self.entries(), &leaves, &self.texts, secrets).unwrap()
    }

    pub(crate) fn bundle(&self) -> Bundle {
        let (origin, match_id) = (self.origin.clone(), self.match_id);
        Bundle { origin, match_id, lines: self.lines.clone(), head: self.head, texts: self.texts.clone(), logged: None }
    }

    /// The report of a verification of the match as a file.
    pub(crate) fn verified(&self) -> Report {
        let bundle = self.bundle();
        let read = Bundle::read(&bundle.write()).unwrap();
        assert_eq!(read, bundle, "a bundle reads as it is written");
        verify(&read)
    }

    pub(crate) fn verdict(&self) -> String {
        self.verified().verdict.to_string()
    }

    pub(crate) fn of_kind(&self, kind: ledger::Kind) -> Vec<Seq> {
        self.entries().iter().filter(|entry| entry.kind == kind).map(|entry| entry.seq).collect()
    }
}

fn by(seat: Seat) -> Author {
    match seat {
        Seat::P1 => Author::P1,
        Seat::P2 => Author::P2,
    }
}

fn verdict(word: &str) -> Option<Verdict> {
    Some(match word {
        "undecided" => Verdict::Undecided,
        "void" => Verdict::Void,
        seat => Verdict::Won(seat.parse().unwrap()),
    })
}

/// A match of the archive.
pub(crate) struct Fixture {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// Every match of the archive, in the order of their names.
pub(crate) fn archive() -> Vec<Fixture> {
    fixtures("matches")
}

/// Every match of a declared game.
pub(crate) fn shelf() -> Vec<Fixture> {
    fixtures("declared").into_iter().filter(|file| file.name.ends_with(".dmn")).collect()
}

fn fixtures(folder: &str) -> Vec<Fixture> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures").join(folder);
    let below = root.clone();
    let (mut folders, mut paths) = (vec![root], Vec::<PathBuf>::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { paths.push(path) }
        }
    }
    paths.sort();
    assert!(!paths.is_empty(), "the archive is empty");
    let name = |path: &Path| path.strip_prefix(&below).unwrap().display().to_string();
    let fixture = |path: PathBuf| Fixture { name: name(&path), text: fs::read_to_string(path).unwrap() };
    paths.into_iter().map(fixture).collect()
}

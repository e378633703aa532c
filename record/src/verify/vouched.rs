//! The registered players who vouch for the seats' keys, for finding 3: their chains, and where these stand in the log.

use engine::{BySeat, Seat};
use ledger::{CosignedAt, InclusionProof, LeafIndex, Moment, PlayerId, PlayerKey, Seq, Tree, VouchRequest, leaf_hash};

use super::finding::Detail;
use super::log_check::{Newest, open, tree_words};
use crate::body::{Mode, SeatWord};
use crate::bundle::{Bundle, LogEvidence, PlayerEvidence};
use crate::history::{Fault, History};
use crate::known_player::KnownPlayer;
use crate::player_chain::PlayerChain;
use crate::rule::Rule;
use crate::vouching::{SeatVouching, VouchFault, VouchPlaces, Vouching};

#[derive(Clone, Debug)]
pub(super) struct PlayerCheck {
    pub(super) seats: BySeat<SeatProof>,
    pub(super) faults: Vec<Fault>,
    notes: Vec<Detail>,
}

#[derive(Clone, Debug)]
pub(super) enum SeatProof {
    /// Nobody vouched for it, or there is no key.
    None,
    /// Somebody vouched, and that was withdrawn or is not part of this copy.
    Withdrawn,
    NotShown,
    Wrong,
    Vouched(Box<VouchedKey>),
}

#[derive(Clone, Debug)]
pub(super) struct VouchedKey {
    chain: PlayerChain,
    then: PlayerChain,
    key: PlayerKey,
    number: usize,
}

struct Wrong {
    text: String,
    expected: String,
    found: String,
}

fn wrong(text: &str, expected: &dyn ToString, found: &dyn ToString) -> Wrong {
    Wrong { text: text.to_owned(), expected: expected.to_string(), found: found.to_string() }
}

fn vouch_fault(fault: VouchFault, players: &PlayerEvidence) -> Wrong {
    let text = fault.to_string();
    match fault {
        VouchFault::NotBefore { at } => {
            let (size, opened) = (players.before.tree.size, players.opened);
            let expected = format!("a place before {size}, the last checkpoint before the opening at {opened}");
            wrong(&text, &expected, &format!("position {at}"))
        }
        VouchFault::Revoked { entry } => wrong(&text, &"a key that counts", &format!("entry {entry} of the chain")),
        VouchFault::NotSigned { present, other } => {
            let by = |key: &PlayerKey| format!("a signature by {key}");
            wrong(&text, &by(&present), &other.map_or_else(|| "another signature".to_owned(), |other| by(&other)))
        }
    }
}

impl PlayerCheck {
    pub(super) const fn none() -> Self {
        Self { seats: BySeat { p1: SeatProof::None, p2: SeatProof::None }, faults: Vec::new(), notes: Vec::new() }
    }

    pub(super) fn of(bundle: &Bundle, history: &History, newest: Option<&Newest>) -> Self {
        let mut check = Self::none();
        for seat in Seat::BOTH {
            check.seats[seat] = check.seat(bundle, history, newest, seat);
        }
        check.unneeded(bundle, history);
        check.shared_key(history);
        check.of_others(bundle, history);
        check
    }

    fn fault(&mut self, rule: Rule, entry: Seq, Wrong { text, expected, found }: Wrong) {
        self.faults.push(Fault { rule, entry, text, expected, found });
    }

    fn seat(&mut self, bundle: &Bundle, history: &History, newest: Option<&Newest>, seat: Seat) -> SeatProof {
        let Some(key) = history.keys[seat] else { return SeatProof::None };
        let vouching = match key.vouching {
            SeatVouching::None => return SeatProof::None,
            SeatVouching::Withdrawn => return SeatProof::Withdrawn,
            SeatVouching::Given(vouching) => vouching,
        };
        let (Some(logged), Some(newest)) = (&bundle.logged, newest) else { return SeatProof::NotShown };
        let request = VouchRequest {
            match_id: history.match_id,
            seat: SeatWord(seat).sealer(),
            opened: history.opened_leaf,
            session: key.key,
        };
        let chains = Chains { bundle, logged, newest: newest.tree, opened_at: history.opened_at };
        match chains.vouched(&vouching, request) {
            Ok(vouched) => SeatProof::Vouched(Box::new(vouched)),
            Err(why) => {
                self.fault(Rule::Vouching, key.entry, why);
                SeatProof::Wrong
            }
        }
    }

    fn unneeded(&mut self, bundle: &Bundle, history: &History) {
        let given = |player| {
            Seat::BOTH.into_iter().any(|seat| history.keys[seat].is_some_and(|key| key.vouching.is_by(player)))
        };
        let came = bundle.logged.iter().filter_map(|logged| logged.players.as_ref()).flat_map(|came| &came.entries);
        if let Some(other) = came.map(|entry| entry.player).find(|player| !given(*player)) {
            let text = "the chain of a player came along who vouches for no key here";
            self.fault(Rule::Vouching, Seq(0), wrong(text, &"the chains of those who vouch", &other));
        }
    }

    fn shared_key(&mut self, history: &History) {
        let BySeat { p1: SeatProof::Vouched(p1), p2: SeatProof::Vouched(p2) } = &self.seats else { return };
        let shared = p1.chain.keys.iter().find(|key| p2.chain.has(&key.key));
        if let Some(shared) = shared.filter(|_| p1.chain.player != p2.chain.player).map(|key| key.key) {
            let entry = history.keys.p2.map_or(Seq(0), |key| key.entry);
            self.fault(
                Rule::PlayerTwice,
                entry,
                wrong("one key is in the chains of both players", &"keys of their own", &shared),
            );
        }
    }

    /// A seat's key that is the log's, or that was a registered player's before the match was opened: that one's present
    /// key, an earlier one or the next.
    fn of_others(&mut self, bundle: &Bundle, history: &History) {
        let keys = Seat::BOTH.into_iter().filter_map(|seat| history.keys[seat]);
        for key in keys {
            let of_log = bundle.logged.iter().flat_map(|logged| &logged.keys);
            if let Some(log) = of_log.into_iter().find(|log| log.public() == key.key.bytes()) {
                let text = "a seat has a key of its own, and this is the log's";
                self.fault(Rule::KeyShared, key.entry, wrong(text, &"another key", log));
            }
            let of_player = self.seats.each().into_iter().find_map(|(_, proof)| match proof {
                SeatProof::Vouched(vouched) if vouched.then.commits_to(&key.key) => Some(vouched.chain.player),
                _ => None,
            });
            if let Some(player) = of_player {
                let text = "a seat has a key of its own, and this is a registered player's";
                self.fault(Rule::PlayerTwice, key.entry, wrong(text, &"another key", &player));
            }
        }
    }

    pub(super) fn compare(&mut self, history: &History, known: &[KnownPlayer]) {
        for seat in Seat::BOTH {
            let Some(name) = history.names[seat].text() else { continue };
            let of: Vec<&KnownPlayer> = known.iter().filter(|known| known.is_called(name)).collect();
            let Some(first) = of.first() else { continue };
            let entry = history.keys[seat].map_or(Seq(0), |key| key.entry);
            let (found, is_known) = match &self.seats[seat] {
                SeatProof::Vouched(vouched) => {
                    (vouched.chain.player.to_string(), of.iter().any(|known| vouched.chain.has(&known.key)))
                }
                _ => ("no registered player whose chain this copy shows".to_owned(), false),
            };
            let typed = history.opened.mode != Mode::Live && !of.iter().any(|known| known.asked);
            if is_known {
                let text = format!("{name} is the player whose key you know");
                self.notes.push(Detail::note(Rule::Vouched, text, Some(entry), None));
            } else if typed {
                let text = format!("you know a key of {name}, and this match has no keys: nothing shows who played");
                self.notes.push(Detail::note(Rule::Vouched, text, None, None));
            } else {
                let text = format!("{name} is not shown to be the player whose key you know");
                self.fault(
                    Rule::KnownPlayer,
                    entry,
                    wrong(&text, &format!("a chain with the key {}", first.key), &found),
                );
            }
        }
        let called = |known: &&KnownPlayer| {
            Seat::BOTH.into_iter().filter_map(|seat| history.names[seat].text()).any(|name| known.is_called(name))
        };
        for absent in known.iter().filter(|known| known.asked && !called(known)) {
            self.fault(
                Rule::KnownPlayer,
                Seq(0),
                wrong("no seat has the name that you ask for", &absent.name, &history.bout()),
            );
        }
    }

    pub(super) fn both(&self) -> bool {
        self.seats.each().iter().all(|(_, proof)| matches!(proof, SeatProof::Vouched(_)))
    }

    pub(super) fn details(&self, history: &History) -> Vec<Detail> {
        let of = |(seat, proof): (Seat, &SeatProof)| {
            let said = match proof {
                SeatProof::None | SeatProof::Wrong => return None,
                SeatProof::Withdrawn => {
                    "this copy does not say who vouched for this key, or it was withdrawn: the host could have made the key".to_owned()
                }
                SeatProof::NotShown => {
                    "a registered player vouched for this key. Without a checkpoint, this copy does not show the player’s chain".to_owned()
                }
                SeatProof::Vouched(vouched) => vouched.phrase(),
            };
            let entry = history.keys[seat].map(|key| key.entry);
            Some(Detail::note(Rule::Vouched, format!("{}: {said}", history.name(seat)), entry, None))
        };
        let seats = self.seats.each();
        seats.into_iter().filter_map(of).chain(self.notes.iter().cloned()).collect()
    }
}

impl VouchedKey {
    fn phrase(&self) -> String {
        let since = match (self.chain.revoked, self.chain.keys.len() > self.number) {
            (Some(_), _) => " Its keys were revoked since.",
            (None, true) => " It has another key since.",
            (None, false) => "",
        };
        format!(
            "the registered player {} vouched for this key with key {} of its chain, {}, which a checkpoint covered before the match was opened.{since}",
            self.chain.player, self.number, self.key
        )
    }
}

struct Chains<'a> {
    bundle: &'a Bundle,
    logged: &'a LogEvidence,
    newest: Tree,
    opened_at: Moment,
}

impl Chains<'_> {
    fn vouched(&self, vouching: &Vouching, request: VouchRequest) -> Result<VouchedKey, Wrong> {
        let player = vouching.player;
        let left_out = || wrong("the file leaves out the chain of the player who vouches", &player, &"none");
        let players = self.logged.players.as_ref().ok_or_else(left_out)?;
        self.opening(players)?;
        let (chain, places) = self.chain(players, player)?.ok_or_else(left_out)?;
        let opened_at = CosignedAt::from(self.opened_at).seconds();
        let latest = opened_at.saturating_add(CosignedAt::TOLERANCE_SECONDS);
        let places = VouchPlaces { chain: &places, opened: players.opened, before: players.before.tree.size };
        let (present, number) = vouching
            .key_of(&self.bundle.origin, &chain, places, request)
            .map_err(|fault| vouch_fault(fault, players))?;
        let then = places.then(&chain);
        if let Some(late) = then.keys.iter().find(|key| CosignedAt::from(key.at).seconds() > latest) {
            let text = "an entry of the player's chain is before the opening in the log, and dated after it";
            return Err(wrong(text, &format!("at most {}", self.opened_at), &late.at));
        }
        Ok(VouchedKey { key: present.key, number, then, chain })
    }

    /// Checks the place of the match's opening, and the tree from before it.
    fn opening(&self, players: &PlayerEvidence) -> Result<(), Wrong> {
        let first = self.bundle.lines.first().map(Vec::as_slice).unwrap_or_default();
        self.in_tree(&players.inclusion, players.opened, first, &self.newest, "the opening")?;
        let before = &players.before;
        if before.tree.size.covers(players.opened) {
            let text = "the tree that came along for the players is no older than the opening of the match";
            return Err(wrong(text, &format!("at most {} entries", players.opened), &before.tree.size));
        }
        before.consistency.check(&before.tree, &self.newest).map_err(|why| {
            let text = "the newest checkpoint does not extend the tree from before the opening";
            wrong(text, &tree_words(before.tree), &why)
        })?;
        let signed = "the tree from before the opening was signed by the log";
        let note = before.checkpoint.as_ref().ok_or_else(|| wrong(signed, &"its checkpoint", &"none"))?;
        match open(note, self.logged) {
            Ok((checkpoint, _)) if checkpoint.tree() == before.tree => Ok(()),
            Ok((checkpoint, _)) => Err(wrong(signed, &tree_words(before.tree), &tree_words(checkpoint.tree()))),
            Err(why) => Err(wrong(signed, &tree_words(before.tree), &why)),
        }
    }

    /// A player's chain and the places of its entries, each proven to be in the log; none if it did not come along.
    fn chain(
        &self,
        players: &PlayerEvidence,
        player: PlayerId,
    ) -> Result<Option<(PlayerChain, Vec<LeafIndex>)>, Wrong> {
        let entries = players.entries.iter().filter(|entry| entry.player == player);
        let (mut lines, mut places) = (Vec::new(), Vec::new());
        for entry in entries {
            let trees = [players.before.tree, self.newest];
            let tree = trees.into_iter().find(|tree| tree.size == entry.size).ok_or_else(|| {
                let text = "an entry of a player's chain is proven in the tree before the opening, or in the newest";
                wrong(text, &tree_words(self.newest), &format!("a tree of {} entries", entry.size))
            })?;
            self.in_tree(&entry.inclusion, entry.index, &entry.bytes, &tree, "an entry of a player's chain")?;
            lines.push(entry.bytes.as_slice());
            places.push(entry.index);
        }
        if lines.is_empty() {
            return Ok(None);
        }
        let chain = PlayerChain::read(&self.bundle.origin, player, &lines)
            .map_err(|broken| wrong(&broken.to_string(), &"a player's chain", &player))?;
        Ok(Some((chain, places)))
    }

    fn in_tree(
        &self,
        proof: &InclusionProof,
        index: LeafIndex,
        line: &[u8],
        tree: &Tree,
        what: &str,
    ) -> Result<(), Wrong> {
        proof.check(index, leaf_hash(line), tree).map_err(|why| {
            let text = format!("{what} is not in the log where the file says");
            wrong(&text, &format!("position {index} of {}", tree_words(*tree)), &why)
        })
    }
}

//! A registered player's chain: its keys in their order, and its end.
//!
//! It has no name of a person. Every key but the first was committed to by the one before it, so the order is the
//! player's, whatever the host does.

use ledger::{
    Author, ChainAct, ChainMessage, Head, Moment, NextKeyHash, Origin, PlayerId, PlayerKey, PlayerSignature, Seq, chain,
};

use crate::body::{Body, PlayerKeyEntry, RevokedChain};

/// The most entries of a chain that are written. A player with more starts a new one.
pub const PLAYER_ENTRIES_MAX: u32 = 200;

/// A player's chain without a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerChain {
    /// The log's name.
    pub origin: Origin,
    /// The player.
    pub player: PlayerId,
    /// The keys, in order. There is always a first.
    pub keys: Vec<ChainKey>,
    /// The entry that ended the chain, and its time.
    pub revoked: Option<(Seq, Moment)>,
    /// The place of the next entry.
    pub head: Head,
    /// The clock of the last entry.
    pub last_at: Moment,
}

/// A key of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainKey {
    /// The entry.
    pub entry: Seq,
    /// The time of that entry.
    pub at: Moment,
    /// The key.
    pub key: PlayerKey,
    /// The commitment to the key after it.
    pub next: NextKeyHash,
}

/// A fault of a player's chain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("entry {entry} of the player's chain: {why}")]
pub struct BrokenPlayerChain {
    /// The entry.
    pub entry: Seq,
    /// The fault.
    pub why: PlayerFault,
}

/// The reason why an entry is none of this player's chain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayerFault {
    /// The entries are no chain.
    #[error("{0}")]
    Chain(chain::ChainFault),
    /// There is no entry.
    #[error("the chain has no entries")]
    Empty,
    /// The body does not read.
    #[error("its body does not read: {0}")]
    Unreadable(String),
    /// It is of a match.
    #[error("a player's chain begins with a registered key, and only rotated and revoked follow")]
    AnotherKind,
    /// It is not by the server.
    #[error("the server enters what a player has signed, and this is by {0}")]
    Author(Author),
    /// The id is not that of the first key.
    #[error("the id of this first key is {0}")]
    AnotherId(PlayerId),
    /// The signature does not hold.
    #[error("it is not signed by its key")]
    NotSigned,
    /// The key is not the one that was committed to.
    #[error("its key is not the one to which the key before it committed")]
    NotCommitted,
    /// The key was in the chain before, or is its own next one.
    #[error("a key is in a chain once, and is not its own next one")]
    Repeated,
    /// The chain ended.
    #[error("the chain was revoked, and nothing follows")]
    Revoked,
    /// The chain is too long to go on.
    #[error("this chain has 200 entries and takes no more: start a new one")]
    TooLong,
}

impl PlayerChain {
    /// Reads and checks the lines of a chain.
    pub fn read<L: AsRef<[u8]>>(origin: &Origin, player: PlayerId, lines: &[L]) -> Result<Self, BrokenPlayerChain> {
        let at = |entry, why| BrokenPlayerChain { entry, why };
        let checked = chain::check(player.chain(), lines, None);
        let checked = checked.map_err(|broken| at(broken.entry, PlayerFault::Chain(broken.fault)))?;
        let mut chain: Option<Self> = None;
        for entry in &checked.entries {
            let fault = |why| at(entry.seq, why);
            if entry.by != Author::Server {
                return Err(fault(PlayerFault::Author(entry.by.clone())));
            }
            let body = Body::read(entry).map_err(|why| fault(PlayerFault::Unreadable(why)))?;
            match &mut chain {
                None => chain = Some(Self::first(origin, player, entry.at, &body).map_err(fault)?),
                Some(chain) => chain.follow(entry.at, &body).map_err(fault)?,
            }
        }
        let chain = chain.ok_or_else(|| at(Seq(0), PlayerFault::Empty))?;
        Ok(Self { head: checked.head, ..chain })
    }

    /// The chain of one entry. Its head has no hash yet.
    pub(crate) fn first(origin: &Origin, player: PlayerId, at: Moment, body: &Body) -> Result<Self, PlayerFault> {
        let Body::Registered(PlayerKeyEntry { key, next, signature }) = body else {
            return Err(PlayerFault::AnotherKind);
        };
        let id = PlayerId::of(origin, key);
        if id != player {
            return Err(PlayerFault::AnotherId(id));
        }
        let first = ChainKey { entry: Seq(0), at, key: *key, next: *next };
        let head = Head { next: Seq(1), ..Head::GENESIS };
        let chain = Self { origin: origin.clone(), player, keys: vec![first], revoked: None, head, last_at: at };
        chain.signed(ChainAct::Register { key: *key, next: *next }, key, signature)?;
        chain.not_again(key, next, &[])?;
        Ok(chain)
    }

    /// Adds an entry. The head keeps the hash that it had.
    pub(crate) fn follow(&mut self, at: Moment, body: &Body) -> Result<(), PlayerFault> {
        if self.revoked.is_some() {
            return Err(PlayerFault::Revoked);
        }
        let present = *self.keys.last().ok_or(PlayerFault::Empty)?;
        let entry = self.head.next;
        match body {
            Body::Rotated(PlayerKeyEntry { key, next, signature }) => {
                if NextKeyHash::of(key) != present.next {
                    return Err(PlayerFault::NotCommitted);
                }
                self.signed(ChainAct::Rotate { key: *key, next: *next }, key, signature)?;
                self.not_again(key, next, &self.keys)?;
                self.keys.push(ChainKey { entry, at, key: *key, next: *next });
            }
            Body::Revoked(RevokedChain { key, signature }) => {
                if *key != present.key && NextKeyHash::of(key) != present.next {
                    return Err(PlayerFault::NotCommitted);
                }
                self.signed(ChainAct::Revoke { key: present.key }, key, signature)?;
                self.revoked = Some((entry, at));
            }
            _ => return Err(PlayerFault::AnotherKind),
        }
        self.head.next = entry.next().ok_or(PlayerFault::TooLong)?;
        self.last_at = at;
        Ok(())
    }

    /// The key that counts now; none once the chain is revoked.
    #[must_use]
    pub fn present(&self) -> Option<&ChainKey> {
        if self.revoked.is_some() { None } else { self.keys.last() }
    }

    /// True if this key ever stood in it.
    #[must_use]
    pub fn has(&self, key: &PlayerKey) -> bool {
        self.keys.iter().any(|known| known.key == *key)
    }

    /// True if this key ever stood in it, or is one to which a key of it committed.
    #[must_use]
    pub fn commits_to(&self, key: &PlayerKey) -> bool {
        let next = NextKeyHash::of(key);
        self.keys.iter().any(|known| known.key == *key || known.next == next)
    }

    #[must_use]
    pub(crate) fn before(&self, end: Seq) -> Self {
        let mut earlier = self.clone();
        earlier.keys.retain(|key| key.entry < end);
        earlier.revoked = self.revoked.filter(|(entry, _)| *entry < end);
        earlier
    }

    fn signed(&self, act: ChainAct, key: &PlayerKey, signature: &PlayerSignature) -> Result<(), PlayerFault> {
        let message = ChainMessage { origin: &self.origin, player: self.player, act };
        message.check(key, signature).map_err(|_| PlayerFault::NotSigned)
    }

    /// Checks that neither the key nor the next one was there before: an old signature would fit again.
    fn not_again(&self, key: &PlayerKey, next: &NextKeyHash, earlier: &[ChainKey]) -> Result<(), PlayerFault> {
        let known = |hash: &NextKeyHash| earlier.iter().any(|known| NextKeyHash::of(&known.key) == *hash);
        let again = earlier.iter().any(|known| known.key == *key) || known(next) || NextKeyHash::of(key) == *next;
        if again { Err(PlayerFault::Repeated) } else { Ok(()) }
    }
}

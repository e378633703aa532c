//! The alarms of a monitor, each in one line.

use std::fmt;

use engine::Seat;
use ledger::{Hash, LeafIndex, MatchId, Moment, OriginLine, PlayerId, Seq, Tree, TreeSize, VerifierKey};

/// Something that the reader of a monitor must know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Alarm {
    /// A signed checkpoint does not extend the one that was kept.
    Fork {
        /// The kept tree.
        kept: Tree,
        /// The tree of the checkpoint.
        signed: Tree,
        /// The contradiction, in half a sentence.
        why: String,
    },
    /// The checkpoint is smaller than the kept one, and the same log.
    Smaller {
        /// The kept size.
        kept: TreeSize,
        /// The size of the checkpoint.
        signed: TreeSize,
    },
    /// The log goes on under a new name without entries that were kept.
    Lost {
        /// Its new name.
        name: OriginLine,
        /// The size from which it goes on.
        common: TreeSize,
        /// The kept size.
        kept: TreeSize,
    },
    /// The log goes on under a key that its key before did not name: that is said to be lost.
    Unnamed {
        /// The key.
        key: VerifierKey,
        /// The name before.
        before: String,
    },
    /// The checkpoint of a later name does not say where it goes on from.
    Succession {
        /// The reason.
        why: String,
    },
    /// The checkpoint does not satisfy the policy.
    Policy {
        /// The reason.
        why: String,
    },
    /// The newest tree is older than the limit.
    Late {
        /// Its size.
        size: TreeSize,
        /// Its time.
        since: Moment,
        /// The clock by which it is known.
        clock: &'static str,
    },
    /// A tile does not have the hashes of its entries.
    Tile {
        /// Its level.
        level: u8,
        /// Its index in the level.
        index: u64,
    },
    /// A line of the log is no entry.
    Entry {
        /// Its place.
        index: LeafIndex,
        /// The reason.
        why: String,
    },
    /// Two chains have one match id.
    SecondChain {
        /// The match.
        match_id: MatchId,
        /// The place of the first entry of each.
        places: [LeafIndex; 2],
    },
    /// An entry does not follow from the one before it.
    Chain {
        /// The match.
        match_id: MatchId,
        /// The entry.
        entry: Seq,
        /// The contradiction.
        why: String,
    },
    /// An entry names a tree that the log never had.
    Root {
        /// The match.
        match_id: MatchId,
        /// The entry.
        entry: Seq,
        /// The tree that it names.
        named: Tree,
        /// The log's own root at that size; none where it had no such tree then.
        found: Option<Hash>,
    },
    /// A match names another host key than the ones before it.
    HostKey {
        /// The match.
        match_id: MatchId,
        /// Its key.
        key: String,
        /// The log's first.
        first: String,
    },
    /// A key that is watched was registered for a seat.
    Key {
        /// Whose key it is.
        name: String,
        /// The match.
        match_id: MatchId,
        /// The entry.
        entry: Seq,
        /// The seat.
        seat: Seat,
    },
    /// A key that is watched is a registered player's from here on.
    PlayerKey {
        /// Whose key it is.
        name: String,
        /// The player.
        player: PlayerId,
        /// The entry of the player's chain.
        entry: Seq,
    },
    /// A key that is watched revoked a registered player's chain.
    PlayerRevoked {
        /// Whose key it is.
        name: String,
        /// The player.
        player: PlayerId,
        /// The entry of the player's chain.
        entry: Seq,
    },
    /// A match was opened and has not ended.
    Stale {
        /// The match.
        match_id: MatchId,
        /// The time since when it runs.
        since: Moment,
        /// True if its draws were fixed: the host knows what it would draw.
        seeded: bool,
    },
    /// More was found than is said.
    More {
        /// The number.
        count: usize,
    },
}

impl fmt::Display for Alarm {
    #[expect(clippy::too_many_lines, reason = "one sentence for each kind")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fork { kept, signed, why } => {
                let [kept, signed] = [kept, signed].map(tree_words);
                write!(f, "fork: the checkpoint of {signed} does not extend the kept one of {kept}: {why}")
            }
            Self::Smaller { kept, signed } => {
                write!(f, "smaller: the checkpoint has {signed} entries, and the kept one has {kept}")
            }
            Self::Lost { name, common, kept } => write!(
                f,
                "lost: the log goes on as {name} from {common} entries, and {kept} were signed before. It is read again \
                 from the start"
            ),
            Self::Succession { why } => {
                write!(f, "name: the checkpoint does not say where the log goes on from: {why}")
            }
            Self::Unnamed { key, before } => write!(
                f,
                "name: the log goes on with {key}, which the key of {before} did not name, because it was lost or stolen. \
                 Ask the operator whether it is so"
            ),
            Self::Policy { why } => write!(f, "policy: the checkpoint does not satisfy it: {why}"),
            Self::Late { size, since, clock } => {
                write!(f, "late: the newest tree has {size} entries and is of {since}, {clock}")
            }
            Self::Tile { level, index } => {
                write!(f, "tile: tile {index} of level {level} does not hold the hashes of its entries")
            }
            Self::Entry { index, why } => write!(f, "entry: position {index} holds no entry: {why}"),
            Self::SecondChain { match_id, places: [first, second] } => {
                write!(f, "second chain: match {match_id} begins at position {first}, and again at position {second}")
            }
            Self::Chain { match_id, entry, why } => write!(f, "chain: match {match_id}, entry {entry}: {why}"),
            Self::Root { match_id, entry, named, found } => {
                write!(f, "root: match {match_id}, entry {entry} names a tree of {}, and the log ", tree_words(named))?;
                f.write_str(
                    &found.map_or_else(|| "was smaller then".to_owned(), |found| format!("has {}", found.to_base64())),
                )
            }
            Self::HostKey { match_id, key, first } => {
                write!(f, "host key: match {match_id} names {key:?}, and this log's first match names {first:?}")
            }
            Self::Key { name, match_id, entry, seat } => {
                write!(f, "key: the key of {name} was registered for {seat} in match {match_id}, entry {entry}")
            }
            Self::PlayerKey { name, player, entry } => {
                write!(f, "key: the key of {name} is a key of player {player}, entry {entry} of the chain")
            }
            Self::PlayerRevoked { name, player, entry } => {
                write!(f, "key: the key of {name} revoked player {player}, entry {entry} of the chain")
            }
            Self::Stale { match_id, since, seeded: false } => {
                write!(f, "stale: match {match_id} was opened on {since}, and has not ended")
            }
            Self::Stale { match_id, since, seeded: true } => write!(
                f,
                "seeded: match {match_id} was opened on {since}, its draws were fixed, and it has not ended: the host \
                 knew what it would draw"
            ),
            Self::More { count } => write!(f, "more: {count} further things were found and are not said one by one"),
        }
    }
}

fn tree_words(tree: &Tree) -> String {
    format!("{} entries with root {}", tree.size, tree.root.to_base64())
}

//! The alarms of a monitor, each in one line.

use std::fmt;

use engine::Seat;
use ledger::{Hash, LeafIndex, MatchId, Moment, OriginLine, PlayerId, Seq, Tree, TreeSize, VerifierKey};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Alarm {
    Fork {
        kept: Tree,
        signed: Tree,
        why: String,
    },
    Smaller {
        kept: TreeSize,
        signed: TreeSize,
    },
    Lost {
        name: OriginLine,
        common: TreeSize,
        kept: TreeSize,
    },
    Unnamed {
        key: VerifierKey,
        before: String,
    },
    Succession {
        why: String,
    },
    Policy {
        why: String,
    },
    Late {
        size: TreeSize,
        since: Moment,
        clock: &'static str,
    },
    Tile {
        level: u8,
        index: u64,
    },
    Entry {
        index: LeafIndex,
        why: String,
    },
    SecondChain {
        match_id: MatchId,
        /// The place of the first entry of each.
        places: [LeafIndex; 2],
    },
    Chain {
        match_id: MatchId,
        entry: Seq,
        why: String,
    },
    Root {
        match_id: MatchId,
        entry: Seq,
        named: Tree,
        found: Option<Hash>,
    },
    HostKey {
        match_id: MatchId,
        key: String,
        first: String,
    },
    Key {
        name: String,
        match_id: MatchId,
        entry: Seq,
        seat: Seat,
    },
    PlayerKey {
        name: String,
        player: PlayerId,
        entry: Seq,
    },
    PlayerRevoked {
        name: String,
        player: PlayerId,
        entry: Seq,
    },
    Stale {
        match_id: MatchId,
        since: Moment,
        /// True if its draws were fixed: the host knows what it would draw.
        seeded: bool,
    },
    More {
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

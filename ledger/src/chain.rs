//! The chain of a match: every entry names the leaf hash of the one before it.
//!
//! The chain alone proves nothing about its last entry, and whoever can rewrite an entry can rewrite all entries after
//! it. The proof is the log's tree over the last entry. This module only finds the place at which lines disagree.

use thiserror::Error;

use crate::entry::{Entry, EntryError};
use crate::hash::Hash;
use crate::id::{MatchId, Seq};
use crate::leaf::leaf_hash;
use crate::moment::Moment;

/// The end of a match's chain, from which the next entry takes its place and its predecessor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Head {
    /// The place of the next entry, which is also the number of entries so far.
    pub next: Seq,
    /// The leaf hash of the last entry, [`Hash::ZERO`] before the first.
    pub leaf: Hash,
}

/// A chain without a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// The entries, in order.
    pub entries: Vec<Entry>,
    /// The place for the next one.
    pub head: Head,
}

/// An error in a chain, with its place. Displayed as `entry 7: ...`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("entry {entry}: {fault}")]
pub struct BrokenChain {
    /// The entry at fault, by its place among the lines.
    pub entry: Seq,
    /// The fault.
    pub fault: ChainFault,
}

/// A fault of an entry, as far as the lines of its match show it. Every comparison names both sides.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ChainFault {
    /// Not an entry at all.
    #[error("{0}")]
    Unreadable(EntryError),
    /// It belongs to another match.
    #[error("it belongs to match {found}")]
    AnotherMatch {
        /// The match it names.
        found: MatchId,
    },
    /// Another entry is in its place: one is missing, moved, repeated, or its number was altered.
    #[error("the line in its place says that it is entry {found}")]
    OutOfPlace {
        /// The place it names.
        found: Seq,
    },
    /// It is missing although the head covers it.
    #[error("it is missing; the head covers {covered} entries")]
    Missing {
        /// The number of entries there should be.
        covered: Seq,
    },
    /// It exists although the head does not cover it.
    #[error("it is not covered by the head, which covers {covered} entries")]
    NotCovered {
        /// The number of entries there should be.
        covered: Seq,
    },
    /// Its hash is not the one that its successor, or the head, names. Its neighbours are otherwise consistent.
    #[error("it was altered: its leaf hash is {found}, and what follows names {expected}")]
    Altered {
        /// The hash that was named.
        expected: Hash,
        /// The hash of its bytes.
        found: Hash,
    },
    /// It names a predecessor that does not exist, and its successor does not know it either.
    #[error("it was altered: it names {found} as its predecessor, whose leaf hash is {expected}")]
    WrongPredecessor {
        /// The hash of the entry before it, zeros before the first.
        expected: Hash,
        /// The hash that it names.
        found: Hash,
    },
    /// The next entry disagrees with it and is the last, so nothing shows which of the two was altered.
    #[error("it or the entry after it was altered: its leaf hash is {found}, and the next entry names {expected}")]
    ThisOrNext {
        /// The hash that the next entry names.
        expected: Hash,
        /// The hash of its bytes.
        found: Hash,
    },
    /// Its clock is behind the previous entry's.
    #[error("it is dated {found}, before the previous entry's {previous}")]
    Backwards {
        /// The previous entry's clock.
        previous: Moment,
        /// Its own.
        found: Moment,
    },
}

impl Head {
    /// The head of a match without entries.
    pub const GENESIS: Self = Self { next: Seq(0), leaf: Hash::ZERO };
}

/// Checks that the lines are the match's whole chain: readable, of this match, numbered from 0 without gaps, each
/// naming the one before it, time never decreasing, and ending at `head`, if that is known from elsewhere.
///
/// # Errors
/// [`BrokenChain`] names the first entry at fault. A change of any byte of one entry is located exactly. Without a
/// `head`, a change in the last entry may go unseen or be [`ChainFault::ThisOrNext`].
pub fn check<L: AsRef<[u8]>>(match_id: MatchId, lines: &[L], head: Option<Head>) -> Result<Chain, BrokenChain> {
    let mut entries = Vec::with_capacity(lines.len());
    for (seq, line) in (0..).map(Seq).zip(lines) {
        entries.push(in_place(match_id, seq, line.as_ref()).map_err(|fault| BrokenChain { entry: seq, fault })?);
    }
    let end = Seq(u32::try_from(entries.len()).unwrap_or(u32::MAX));
    if let Some(Head { next: covered, .. }) = head {
        if end < covered {
            return Err(BrokenChain { entry: end, fault: ChainFault::Missing { covered } });
        }
        if end > covered {
            return Err(BrokenChain { entry: covered, fault: ChainFault::NotCovered { covered } });
        }
    }
    let leaf = linked(&entries, lines, head)?;
    for (seq, pair) in (1..).map(Seq).zip(entries.windows(2)) {
        if let [previous, entry] = pair
            && entry.at < previous.at
        {
            let fault = ChainFault::Backwards { previous: previous.at, found: entry.at };
            return Err(BrokenChain { entry: seq, fault });
        }
    }
    Ok(Chain { entries, head: Head { next: end, leaf } })
}

fn in_place(match_id: MatchId, seq: Seq, line: &[u8]) -> Result<Entry, ChainFault> {
    let entry = Entry::read(line).map_err(ChainFault::Unreadable)?;
    if entry.match_id != match_id {
        return Err(ChainFault::AnotherMatch { found: entry.match_id });
    }
    if entry.seq != seq {
        return Err(ChainFault::OutOfPlace { found: entry.seq });
    }
    Ok(entry)
}

#[derive(Clone, Copy)]
struct Link {
    named: Hash,
    found: Hash,
}

impl Link {
    fn holds(self) -> bool {
        self.named == self.found
    }
}

/// Checks the links and returns the leaf hash of the last entry.
///
/// Link n joins entry n - 1 to entry n, link 0 the first entry to nothing, and the last link the last entry to the
/// head. A change of an entry's `prev` breaks the links on both its sides, any other change only the link after it. So
/// if link n is the first broken one, entry n was altered if link n + 1 is broken too, else entry n - 1.
fn linked<L: AsRef<[u8]>>(entries: &[Entry], lines: &[L], head: Option<Head>) -> Result<Hash, BrokenChain> {
    let mut leaf = Hash::ZERO;
    let mut links = Vec::with_capacity(entries.len() + 1);
    for (entry, line) in entries.iter().zip(lines) {
        links.push(Link { named: entry.prev, found: leaf });
        leaf = leaf_hash(line.as_ref());
    }
    if let Some(head) = head {
        links.push(Link { named: head.leaf, found: leaf });
    }
    let Some((at, link)) = links.iter().enumerate().find(|(_, link)| !link.holds()) else {
        return Ok(leaf);
    };
    let Link { named, found } = *link;
    let itself = ChainFault::WrongPredecessor { expected: found, found: named };
    let before = ChainFault::Altered { expected: named, found };
    let (at, fault) = match (at.checked_sub(1), links.get(at + 1)) {
        // No entry before the first one could have been altered.
        (None, _) => (at, itself),
        (Some(_), Some(after)) if !after.holds() => (at, itself),
        (Some(previous), Some(_)) => (previous, before),
        (Some(previous), None) if at == entries.len() => (previous, before),
        (Some(previous), None) => (previous, ChainFault::ThisOrNext { expected: named, found }),
    };
    Err(BrokenChain { entry: Seq(u32::try_from(at).unwrap_or(u32::MAX)), fault })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::author::Author;
    use crate::entry::Draft;
    use crate::kind::Kind;

    fn match_id() -> MatchId {
        "0197c5a4-6f1e-7000-8000-000000000001".parse().unwrap()
    }

    fn draft(n: u32) -> Draft {
        let at = Moment::from_micros(1_795_207_308_381_204 + i64::from(n)).unwrap();
        Draft { at, by: Author::Server, kind: Kind::Noted, body: format!("{{\"n\":{n}}}") }
    }

    /// Entries written one after the other, and the head after them.
    fn chain(drafts: impl IntoIterator<Item = Draft>) -> (Vec<Vec<u8>>, Head) {
        let mut head = Head::GENESIS;
        let mut lines = Vec::new();
        for draft in drafts {
            let line = draft.write(match_id(), head.next, head.leaf).unwrap();
            head = Head { next: head.next.next().unwrap(), leaf: line.leaf() };
            lines.push(line.into_bytes());
        }
        (lines, head)
    }

    fn said(lines: &[Vec<u8>], head: Option<Head>) -> String {
        check(match_id(), lines, head).unwrap_err().to_string()
    }

    fn replace(line: &mut Vec<u8>, from: &str, to: &str) {
        let text = str::from_utf8(line).unwrap();
        assert!(text.contains(from), "{text}");
        *line = text.replace(from, to).into_bytes();
    }

    #[test]
    fn an_untouched_chain() {
        let (lines, head) = chain((0..9).map(draft));
        for known in [None, Some(head)] {
            let chain = check(match_id(), &lines, known).unwrap();
            assert_eq!((chain.entries.len(), chain.head), (9, head));
        }
        let empty = check::<&[u8]>(match_id(), &[], Some(Head::GENESIS)).unwrap();
        assert_eq!(empty.head, Head::GENESIS);
    }

    #[test]
    fn one_altered_byte_names_its_entry() {
        let (lines, head) = chain((0..4).map(draft));
        for altered in 0..lines.len() {
            for at in 0..lines[altered].len() {
                for bit in 0..8 {
                    let mut lines = lines.clone();
                    lines[altered][at] ^= 1 << bit;
                    let broken = check(match_id(), &lines, Some(head)).unwrap_err();
                    assert_eq!(broken.entry, Seq(altered as u32), "bit {bit} of byte {at}: {broken}");
                }
            }
        }
    }

    #[test]
    fn lines_missing_moved_or_added() {
        let (lines, head) = chain((0..5).map(draft));
        let mut missing = lines.clone();
        missing.remove(2);
        assert_eq!(said(&missing, Some(head)), "entry 2: the line in its place says that it is entry 3");
        assert_eq!(said(&lines[..3], Some(head)), "entry 3: it is missing; the head covers 5 entries");
        let fewer = Some(Head { next: Seq(3), ..head });
        assert_eq!(said(&lines, fewer), "entry 3: it is not covered by the head, which covers 3 entries");
        let mut moved = lines.clone();
        moved.swap(1, 2);
        assert_eq!(said(&moved, None), "entry 1: the line in its place says that it is entry 2");
        let mut other = lines;
        replace(&mut other[3], "8000-000000000001", "8000-000000000002");
        assert_eq!(said(&other, None), "entry 3: it belongs to match 0197c5a4-6f1e-7000-8000-000000000002");
    }

    #[test]
    fn what_broken_links_tell() {
        let (lines, head) = chain((0..4).map(draft));
        let leaf = |n: usize| leaf_hash(&lines[n]);
        let zeros = Hash::ZERO;

        let mut body = lines.clone();
        replace(&mut body[1], "{\"n\":1}", "{\"n\":7}");
        let (was, is) = (leaf(1), leaf_hash(&body[1]));
        let altered = format!("entry 1: it was altered: its leaf hash is {is}, and what follows names {was}");
        assert_eq!(said(&body, None), altered);

        let mut prev = lines.clone();
        replace(&mut prev[2], &was.to_string(), &zeros.to_string());
        assert_eq!(
            said(&prev, None),
            format!("entry 2: it was altered: it names {zeros} as its predecessor, whose leaf hash is {was}")
        );

        // Without a head, the last link leaves two entries; with a head, exactly one.
        let mut last = lines.clone();
        replace(&mut last[3], &leaf(2).to_string(), &zeros.to_string());
        let either = format!(
            "entry 2: it or the entry after it was altered: its leaf hash is {}, and the next entry names {zeros}",
            leaf(2)
        );
        assert_eq!(said(&last, None), either);
        assert!(said(&last, Some(head)).starts_with("entry 3: it was altered: it names"));
    }

    #[test]
    fn time_never_runs_backwards() {
        let (lines, head) = chain([draft(5), draft(5), draft(4)]);
        let backwards = concat!(
            "entry 2: it is dated 2026-11-20T20:41:48.381208Z, ",
            "before the previous entry's 2026-11-20T20:41:48.381209Z"
        );
        assert_eq!(said(&lines, Some(head)), backwards);
    }
}

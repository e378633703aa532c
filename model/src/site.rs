//! The state of a site: its database, its nodes with what is on their disks, and what people were told.

use std::collections::{BTreeMap, BTreeSet};

use crate::step::Limits;

pub type Move = u8;

/// The moves that both players call final, where a round may close early.
pub(crate) const BOTH_FINAL: [Move; 2] = [0, 1];
/// The first player's next one, which takes the mark back.
pub(crate) const TAKEN_BACK: Move = 2;

/// The seals of one decision, as one entry of the log. If the database loses it, it is composed again, with other times: then it
/// is another one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entry {
    pub seals: BTreeSet<Move>,
    /// The number of times that the database had fallen back when it was composed.
    pub fallbacks: u8,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Database {
    /// The submissions before the close.
    pub rows: BTreeSet<Move>,
    /// Those that counted when the decision was closed.
    pub closed: Option<BTreeSet<Move>>,
    /// True if it was closed because both players had called their moves final.
    pub closed_early: bool,
    pub entries: Vec<Entry>,
    pub head: Vec<Entry>,
    /// True once it is noted that a journal has what the entry does not have: every page says so.
    pub missing: bool,
    /// Keys of requests that are in flight, where a crash forgets to free them.
    pub busy: BTreeSet<Move>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Line {
    Submission(Move),
    Closed(BTreeSet<Move>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// It is committed, and the node does not know: the answer was lost, and it tries again.
    Unanswered,
    Stored,
    Kept,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Node {
    pub runs: bool,
    pub settled: bool,
    /// True if the log or the journal contradicts the database: nothing is accepted, and every page says so.
    pub stopped: bool,
    /// True once it saw that both players' last moves are final.
    pub sees_final: bool,
    pub work: BTreeMap<Move, Stage>,
    /// Seals that it is about to append, and the position that it read for them.
    pub entering: Option<(usize, Entry)>,
    /// A tree that is being signed, and how far: 1 compared, 2 in the file, 3 the head moved.
    pub signing: Option<(u8, Vec<Entry>)>,
    pub journal: BTreeSet<Line>,
    /// The checkpoint file on its disk.
    pub file: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    pub database: Database,
    pub backup: Option<Database>,
    /// What the standby has while nobody waits for it; none if it has everything.
    pub standby: Option<Database>,
    pub nodes: Vec<Node>,
    /// Moves for which a player has a receipt.
    pub acknowledged: BTreeSet<Move>,
    /// Moves of which a player was told that they came too late.
    pub late: BTreeSet<Move>,
    /// Trees that were published under the log's key.
    pub published: BTreeSet<Vec<Entry>>,
    /// True once the seals were opened.
    pub opened: bool,
    /// The losses so far: of commits that were on the standby, too.
    pub losses: u8,
    /// The promotions so far.
    pub promotions: u8,
    /// The faults that may still happen.
    pub left: Limits,
}

impl Site {
    /// True if somebody will say that something is wrong: it is noted, or a node stopped, or has not looked yet.
    #[must_use]
    pub fn is_said(&self) -> bool {
        self.database.missing || self.nodes.iter().any(|node| node.stopped || !node.settled)
    }

    /// True if no two published trees contradict each other.
    #[must_use]
    pub fn has_one_history(&self) -> bool {
        let trees: Vec<_> = self.published.iter().collect();
        trees.iter().all(|one| trees.iter().all(|other| one.starts_with(other) || other.starts_with(one)))
    }

    /// True if every receipt counts in what was published, or somebody will say that it does not.
    #[must_use]
    pub fn keeps_receipts(&self) -> bool {
        let counts = |tree: &Vec<Entry>| tree.first().is_none_or(|entry| self.acknowledged.is_subset(&entry.seals));
        self.published.iter().all(counts) || self.is_said()
    }

    /// True if nothing was opened that was not published before.
    #[must_use]
    pub fn opens_what_is_published(&self) -> bool {
        !self.opened || self.published.iter().any(|tree| !tree.is_empty())
    }

    /// True if nothing closed early although somebody had taken the mark back.
    #[must_use]
    pub fn closes_early_by_both(&self) -> bool {
        let counted = self.database.closed.as_ref();
        !self.database.closed_early || counted.is_some_and(|counted| *counted == BTreeSet::from(BOTH_FINAL))
    }

    /// True if nothing counts of which a player was told that it came too late.
    #[must_use]
    pub fn counts_nothing_late(&self) -> bool {
        let Database { closed, entries, .. } = &self.database;
        closed.iter().chain(entries.iter().map(|entry| &entry.seals)).all(|counted| self.late.is_disjoint(counted))
    }

    /// True if everything still works, unless the database lost what its standby had, too.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        self.losses > 0 || (!self.database.missing && !self.nodes.iter().any(|node| node.stopped))
    }

    /// True if every move that is not acknowledged yet can be sent again.
    #[must_use]
    pub fn locks_nobody_out(&self) -> bool {
        let in_flight = |sent: &Move| self.nodes.iter().any(|node| node.work.contains_key(sent));
        self.database.busy.iter().all(|sent| in_flight(sent) || self.acknowledged.contains(sent))
    }
}

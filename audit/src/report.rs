//! The findings of an audit.

use std::collections::BTreeMap;
use std::fmt;

use ledger::{Hash, Origin, TreeSize};
use record::audit::{AuditCheck, AuditFault};

const KEPT: usize = 200;

/// The findings of an audit. Displayed as the lines that `matchbook audit` prints.
#[derive(Clone, Debug)]
pub struct Report {
    pub origin: Origin,
    pub size: TreeSize,
    pub root: Hash,
    pub matches: u64,
    pub players: u64,
    pub checkpoints: u64,
    pub tiles: u64,
    pub counts: BTreeMap<AuditCheck, u64>,
    pub flaws: Vec<AuditFault>,
    pub unchecked: Vec<String>,
    /// Why nobody here knows what was signed last, if that should be known.
    pub last_unknown: Option<String>,
}

impl Report {
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.last_unknown.is_none() && self.counts.values().all(|count| *count == 0)
    }

    pub(super) fn add(&mut self, flaw: AuditFault) {
        *self.counts.entry(flaw.check).or_default() += 1;
        if self.flaws.len() < KEPT {
            self.flaws.push(flaw);
        }
    }
}

const CHECKS: [(AuditCheck, &str, &str); 7] = [
    (AuditCheck::Entries, "entries", "every line is an entry, under its own hash, and none is left out"),
    (AuditCheck::Numbers, "numbers", "every match has each of its numbers once, in the order of the log"),
    (AuditCheck::Chains, "chains", "every entry names the one before it"),
    (AuditCheck::Rules, "rules", "every match follows its rules, and what was opened opens its seal"),
    (AuditCheck::Words, "words", "the words beside the log are those that its entries commit to"),
    (AuditCheck::Tree, "tree", "the tree over all entries is the one that was signed"),
    (AuditCheck::Lists, "lists", "they show of every ended match what its entries say"),
];

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let players = match self.players {
            0 => String::new(),
            1 => " and 1 registered player".to_owned(),
            more => format!(" and {more} registered players"),
        };
        writeln!(f, "log {}: {} entries of {} matches{players}", self.origin, self.size, self.matches)?;
        writeln!(f, "root {}", self.root.to_base64())?;
        writeln!(f, "compared with {} signed checkpoints and {} tiles\n", self.checkpoints, self.tiles)?;
        for (check, word, holds) in CHECKS {
            match self.counts.get(&check) {
                // A site serves neither words nor lists.
                None => {}
                Some(0) => writeln!(f, "{word:<8} holds: {holds}")?,
                Some(count) => {
                    writeln!(f, "{word:<8} FAILS {count} {}", if *count == 1 { "time" } else { "times" })?;
                    for flaw in self.flaws.iter().filter(|flaw| flaw.check == check) {
                        let of = flaw.match_id.map(|id| format!(", match {id}")).unwrap_or_default();
                        let seq = flaw.seq.map(|seq| format!(", entry {seq}")).unwrap_or_default();
                        match flaw.match_id.filter(|_| check == AuditCheck::Lists) {
                            Some(match_id) => writeln!(f, "  - match {match_id}: {}", flaw.text)?,
                            None => writeln!(f, "  - position {}{of}{seq}: {}", flaw.index, flaw.text)?,
                        }
                    }
                }
            }
        }
        for unchecked in &self.unchecked {
            writeln!(f, "not checked: {unchecked}")?;
        }
        if let Some(unknown) = &self.last_unknown {
            writeln!(f, "not checked: {unknown}")?;
        }
        let has_flaws = self.counts.values().any(|count| *count > 0);
        let only_lists = self.counts.iter().all(|(check, count)| *count == 0 || *check == AuditCheck::Lists);
        let verdict = match (has_flaws, only_lists) {
            (false, _) if self.last_unknown.is_some() => {
                "what is here is whole; whether something is missing is not known"
            }
            (false, _) => "nothing is wrong",
            (true, true) => "the log is what was signed; the lists show something else",
            (true, false) => "this log is not what it says it is",
        };
        write!(f, "\n{verdict}")
    }
}

//! The pass through the log: every line is hashed into the tree, compared with the claims about it, and assigned to its
//! match.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Mutex;
use std::sync::PoisonError;

use ledger::{Entry, Frontier, Hash, LeafIndex, MatchId, Origin, Seq, Tree, TreeSize, leaf_hash};
use record::Text;
use record::audit::{AuditCheck, AuditFault, LoggedEntry, MatchAudit, ShownChain, audit, unreadable};
use record::succession::Succession;
use store::archive::list_rows::ListRow;

use super::match_sorter::{MatchSorter, Piece, SortedMatch};
use super::report::Report;
use super::source::{BesidePage, Line, Page, SignedTree};
use super::tile_builder::{Tile, TileBuilder};
use super::tree_file::TreeWriter;
use app::archive::fault_in_list;

pub(super) struct NamedTree {
    pub(super) what: &'static str,
    pub(super) tree: Tree,
}

pub(super) struct LogPass {
    report: Report,
    sorter: MatchSorter,
    frontier: Frontier,
    tiles: TileBuilder,
    tree: TreeWriter,
    next: LeafIndex,
    derived: LeafIndex,
    /// True if an entry is missing, so that no tree can be computed from here on.
    gap: bool,
}

impl LogPass {
    pub(super) fn new(origin: Origin, size: TreeSize, scratch: &Path) -> io::Result<Self> {
        let report = Report {
            origin,
            size: TreeSize(0),
            root: Frontier::new().root(),
            matches: 0,
            players: 0,
            checkpoints: 0,
            tiles: 0,
            counts: [AuditCheck::Entries, AuditCheck::Numbers, AuditCheck::Chains, AuditCheck::Rules, AuditCheck::Tree]
                .map(|check| (check, 0))
                .into(),
            flaws: Vec::new(),
            unchecked: Vec::new(),
            last_unknown: None,
        };
        Ok(Self {
            report,
            sorter: MatchSorter::new(scratch, size.0)?,
            frontier: Frontier::new(),
            tiles: TileBuilder::default(),
            tree: TreeWriter::new(scratch)?,
            next: LeafIndex(0),
            derived: LeafIndex(0),
            gap: false,
        })
    }

    pub(super) fn page(&mut self, page: Page) -> io::Result<()> {
        let mut signed = page.signed.into_iter().peekable();
        let mut full = Vec::new();
        while let Some(tree) = signed.next_if(|tree| tree.size <= self.frontier.size()) {
            self.compare(&tree);
        }
        for line in page.lines {
            full.extend(self.line(line)?);
            while let Some(tree) = signed.next_if(|tree| tree.size <= self.frontier.size()) {
                self.compare(&tree);
            }
        }
        for tree in signed {
            let text = format!("{} covers {} entries, and the log has {}", tree.what, tree.size, self.frontier.size());
            self.tree_flaw(tree.size.next_leaf(), text);
        }
        for tile in page.tiles {
            self.tile(&tile, &full);
        }
        self.report.unchecked.extend(page.unchecked);
        Ok(())
    }

    pub(super) fn beside(&mut self, page: BesidePage) -> io::Result<()> {
        match page {
            BesidePage::Texts(texts) => {
                self.report.counts.entry(AuditCheck::Words).or_default();
                for (match_id, store::Text { commitment, key, text }) in texts {
                    self.sorter.put(match_id, &Piece::Text(commitment, Text { key, text }))?;
                }
            }
            BesidePage::Rows { rows, derived } => {
                self.derived = derived;
                self.report.counts.entry(AuditCheck::Lists).or_default();
                for row in rows {
                    self.sorter.put(MatchId(row.match_id), &Piece::Row(row))?;
                }
            }
        }
        Ok(())
    }

    fn line(&mut self, line: Line) -> io::Result<Vec<Tile>> {
        let Line { index, bytes, row } = line;
        let nowhere = |text: String| AuditFault { match_id: None, seq: None, index, check: AuditCheck::Entries, text };
        if index != self.next {
            self.report.add(nowhere(format!("position {} comes next in the log", self.next)));
            self.gap = true;
        }
        self.next = LeafIndex(index.0.saturating_add(1));
        let leaf = leaf_hash(&bytes);
        self.frontier.push(leaf);
        self.tree.push(leaf)?;
        let full = self.tiles.push(leaf);
        if let Some(row) = row.filter(|row| row.leaf != leaf) {
            let text = format!("its bytes were altered: they hash to {leaf}, and it is kept under {}", row.leaf);
            let (match_id, seq) = (Some(row.match_id), Some(row.seq));
            self.report.add(AuditFault { match_id, seq, ..nowhere(text) });
        }
        let Some((match_id, seq)) = place(&bytes) else {
            // Parsed only for the reason. An entry that parses after all has no match in the only valid place.
            let why = Entry::read(&bytes).err();
            let flaw =
                why.map_or_else(|| nowhere("its match cannot be told".to_owned()), |why| unreadable(index, None, &why));
            self.report.add(flaw);
            return Ok(full);
        };
        if let Some(row) = row.filter(|row| (row.match_id, row.seq) != (match_id, seq)) {
            let text = format!("it is kept as entry {} of match {}", row.seq, row.match_id);
            self.report.add(AuditFault { match_id: Some(match_id), seq: Some(seq), ..nowhere(text) });
        }
        self.sorter.put(match_id, &Piece::Entry(LoggedEntry { index, leaf, bytes }))?;
        Ok(full)
    }

    fn compare(&mut self, tree: &SignedTree) {
        if self.gap {
            return;
        }
        self.report.checkpoints += u64::from(tree.signed);
        if tree.size != self.frontier.size() {
            self.tree_flaw(tree.size.next_leaf(), format!("{} comes out of order", tree.what));
        } else if tree.root != self.frontier.root() {
            let (what, size, named) = (&tree.what, tree.size, tree.root);
            let found = self.frontier.root();
            let text = format!("{what} of {size} entries names the root {named}, and the entries give {found}");
            self.tree_flaw(LeafIndex(size.0.saturating_sub(1)), text);
        }
        if let Err(why) = &tree.signature {
            self.tree_flaw(LeafIndex(tree.size.0.saturating_sub(1)), format!("{}: {why}", tree.what));
        }
    }

    fn tile(&mut self, claimed: &Tile, full: &[Tile]) {
        if self.gap {
            return;
        }
        self.report.tiles += 1;
        let same = |tile: &&Tile| (tile.level, tile.index) == (claimed.level, claimed.index);
        let made = full.iter().find(same).or_else(|| self.tiles.partial().find(same));
        if made.is_none_or(|made| made.hashes != claimed.hashes) {
            let (level, index) = (claimed.level, claimed.index);
            let covers = 256_u64.saturating_pow(u32::from(level) + 1);
            let text = format!("tile {index} of level {level} does not hold the hashes of its entries");
            self.tree_flaw(LeafIndex(index.saturating_mul(covers)), text);
        }
    }

    fn tree_flaw(&mut self, index: LeafIndex, text: String) {
        self.report.add(AuditFault { match_id: None, seq: None, index, check: AuditCheck::Tree, text });
    }

    pub(super) fn finish(
        self,
        named: &[NamedTree],
        chains: &[ShownChain],
        successions: &[Succession],
    ) -> io::Result<Report> {
        let Self { mut report, sorter, frontier, tree, gap, derived, .. } = self;
        let tree = tree.finish()?;
        let roots = |size| ledger::proof::root(size, &|subtree| tree.hash_of(subtree)).ok();
        // Behind a gap no root is known: the gap is the flaw, and not what entries and checkpoints name.
        let named = if gap { &[] } else { named };
        named.iter().filter_map(|named| fault_of_named(named, &roots)).for_each(|flaw| report.add(flaw));
        report.checkpoints += named.len() as u64;
        let host_keys = Mutex::new(BTreeMap::new());
        (report.size, report.root) = (frontier.size(), frontier.root());
        if gap {
            report.unchecked.push("the tree, from the first missing entry on".to_owned());
        }
        let origin = report.origin.clone();
        let found = Mutex::new(report);
        // Only a few matches wait, so that memory is bounded by the current share and not by the log.
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let (sender, receiver) = std::sync::mpsc::sync_channel::<(MatchId, SortedMatch)>(cores * 4);
        let receiver = Mutex::new(receiver);
        std::thread::scope(|scope| {
            for _ in 0..cores {
                scope.spawn(|| {
                    loop {
                        let next = receiver.lock().unwrap_or_else(PoisonError::into_inner).recv();
                        let Ok((match_id, sorted)) = next else { break };
                        let known = u64::from(!sorted.placed.is_empty());
                        let MatchAudit { faults, host_key, is_player, .. } =
                            checked(&origin, match_id, sorted, derived, chains, &roots);
                        if let Some((index, key)) = host_key {
                            let mut keys = host_keys.lock().unwrap_or_else(PoisonError::into_inner);
                            let first = keys.entry(key).or_insert((index, match_id));
                            *first = (index, match_id).min(*first);
                        }
                        let mut report = found.lock().unwrap_or_else(PoisonError::into_inner);
                        *(if is_player { &mut report.players } else { &mut report.matches }) += known;
                        let shown = |flaw: &AuditFault| !gap || flaw.check != AuditCheck::Tree;
                        faults.into_iter().filter(shown).for_each(|flaw| report.add(flaw));
                    }
                });
            }
            // The receivers stay open until the sender is closed.
            let each = sorter.each(&mut |match_id, sorted| drop(sender.send((match_id, sorted))));
            drop(sender);
            each
        })?;
        let mut report = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let keys = host_keys.into_inner().unwrap_or_else(PoisonError::into_inner);
        other_host_keys(keys, successions).for_each(|flaw| report.add(flaw));
        report.flaws.sort_by_key(|flaw| (flaw.check, flaw.index));
        Ok(report)
    }
}

fn fault_of_named(named: &NamedTree, roots: &impl Fn(TreeSize) -> Option<Hash>) -> Option<AuditFault> {
    let NamedTree { what, tree: Tree { size, root } } = named;
    let found = roots(*size);
    if found == Some(*root) {
        return None;
    }
    let found = found.map_or("has no such tree".to_owned(), |root| format!("gives {root}"));
    let text = format!("{what} of {size} entries names the root {root}, and the log {found}");
    let index = LeafIndex(size.0.saturating_sub(1));
    Some(AuditFault { match_id: None, seq: None, index, check: AuditCheck::Tree, text })
}

const NO_ENTRY: &str = "the lists have this match, and the log has no entry of it";

fn list_fault(match_id: MatchId, text: String) -> AuditFault {
    AuditFault { match_id: Some(match_id), seq: None, index: LeafIndex(0), check: AuditCheck::Lists, text }
}

fn fault_in_lists(match_id: MatchId, row: Option<&ListRow>, due: usize, audited: &MatchAudit) -> Option<AuditFault> {
    let history = audited.history.as_ref().filter(|_| audited.faults.is_empty())?;
    Some(list_fault(match_id, fault_in_list(row, history, due)?))
}

fn checked(
    origin: &Origin,
    match_id: MatchId,
    sorted: SortedMatch,
    derived: LeafIndex,
    chains: &[ShownChain],
    roots: &dyn Fn(TreeSize) -> Option<Hash>,
) -> MatchAudit {
    let SortedMatch { placed, texts, row } = sorted;
    if placed.is_empty() {
        let faults = row.iter().map(|_| list_fault(match_id, NO_ENTRY.to_owned())).collect();
        return MatchAudit { faults, ..MatchAudit::default() };
    }
    let places: Vec<LeafIndex> = placed.iter().map(|placed| placed.index).collect();
    let shown = chains.iter().filter(|shown| shown.player.chain() == match_id);
    let due = placed.iter().filter(|placed| placed.index < derived).count();
    let left_out: Vec<AuditFault> = shown.filter_map(|shown| shown.fault(&places)).collect();
    let mut audited = audit(origin, match_id, placed, &texts, roots);
    let listed = fault_in_lists(match_id, row.as_ref(), due, &audited);
    audited.faults.extend(left_out.into_iter().chain(listed));
    audited
}

/// A term of a log has one host key, which signs its receipts: the first match with each other one. A match that a node opened
/// before it knew of a new term still has the key of before.
fn other_host_keys(
    mut keys: BTreeMap<String, (LeafIndex, MatchId)>,
    successions: &[Succession],
) -> impl Iterator<Item = AuditFault> {
    for line in successions {
        let (key, from) = (line.host.to_base64(), line.common.size);
        if keys.get(&key).is_some_and(|(index, _)| !from.covers(*index)) {
            keys.remove(&key);
        }
    }
    let first = keys.values().min().copied();
    keys.into_iter().filter(move |(_, place)| Some(*place) != first).map(|(key, (index, match_id))| AuditFault {
        match_id: Some(match_id),
        seq: Some(Seq(0)),
        index,
        check: AuditCheck::Rules,
        text: format!("its host key is {key}, and earlier matches of this log have another"),
    })
}

/// The match and number at the beginning of an entry. The rest of it is parsed with its match.
fn place(bytes: &[u8]) -> Option<(MatchId, Seq)> {
    let rest = bytes.strip_prefix(br#"{"v":1,"match":""#)?;
    let (match_id, rest) = rest.split_at_checked(36)?;
    let rest = rest.strip_prefix(br#"","seq":"#)?;
    let digits = rest.split(|byte| *byte == b',').next()?;
    Some((str::from_utf8(match_id).ok()?.parse().ok()?, Seq(str::from_utf8(digits).ok()?.parse().ok()?)))
}

#[derive(Clone, Copy, Debug)]
pub(super) struct RowClaims {
    pub(super) match_id: MatchId,
    pub(super) seq: Seq,
    pub(super) leaf: Hash,
}

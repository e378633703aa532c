//! The audit of one match, or of one player's chain, from a whole log: only its entries and their places in the log.
//!
//! It checks what the log alone must prove: one entry for each number, in the log's order, chained, and folding without
//! a contradiction. A bundle shows more ([`verify`](crate::verify)), but about one match only.

use ledger::{Entry, EntryError, Hash, Head, LeafIndex, MatchId, Origin, PlayerId, Seq, Tree, TreeSize, chain};

use crate::bundle::{Bundle, EntryPlaces, TreeMention, TreeMentions};
use crate::fold::fold;
use crate::history::History;
use crate::player_chain::PlayerChain;
use crate::private_openings::Secrets;
use crate::rule::Rule;
use crate::text::Texts;

/// An entry and its place in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedEntry {
    /// Its place in the log.
    pub index: LeafIndex,
    /// Its leaf hash, computed from the bytes.
    pub leaf: Hash,
    /// The entry, byte for byte.
    pub bytes: Vec<u8>,
}

/// A fault of an entry of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditFault {
    /// Its match, if that could be read.
    pub match_id: Option<MatchId>,
    /// Its number in the match, if that could be read.
    pub seq: Option<Seq>,
    /// Its place in the log.
    pub index: LeafIndex,
    /// The check that it failed.
    pub check: AuditCheck,
    /// The fault, in a sentence.
    pub text: String,
}

/// The checks of an audit, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AuditCheck {
    /// Every line is an entry, with the place and the hash that the log states.
    Entries,
    /// Every match has each number once, in the order of the log.
    Numbers,
    /// Every entry names the leaf hash of the one before it, and no clock goes backwards.
    Chains,
    /// The entries of every match follow the rules, with their seals and openings.
    Rules,
    /// The words stored beside the log are those that the entries commit to.
    Words,
    /// The tree over the entries is the one that was signed.
    Tree,
    /// The lists show of every ended match what its entries say.
    Lists,
}

/// A player's chain as a bundle shows it: its entries from before the opening of the bundle's match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShownChain {
    /// The player.
    pub player: PlayerId,
    /// The match of the bundle.
    pub match_id: MatchId,
    /// The place of its first entry, as the bundle has it.
    pub opened: LeafIndex,
    /// The number of the chain's entries before that place.
    pub entries: usize,
}

impl ShownChain {
    /// The chains that a bundle shows. That they are what it says, a check of the bundle shows.
    #[must_use]
    pub fn of(bundle: &Bundle) -> Vec<Self> {
        let Some(players) = bundle.logged.as_ref().and_then(|logged| logged.players.as_ref()) else {
            return Vec::new();
        };
        let mut shown: Vec<Self> = Vec::new();
        for entry in &players.entries {
            let known = shown.last_mut().filter(|last| last.player == entry.player);
            let older = usize::from(entry.index < players.opened);
            match known {
                Some(last) => last.entries += older,
                None => shown.push(Self {
                    player: entry.player,
                    match_id: bundle.match_id,
                    opened: players.opened,
                    entries: older,
                }),
            }
        }
        shown
    }

    /// The fault, if the log has more entries of the chain before the opening: such as its end.
    #[must_use]
    pub fn fault(&self, places: &[LeafIndex]) -> Option<AuditFault> {
        let left_out = places.iter().filter(|place| **place < self.opened).nth(self.entries)?;
        Some(AuditFault {
            match_id: Some(self.player.chain()),
            seq: None,
            index: *left_out,
            check: AuditCheck::Rules,
            text: format!(
                "the bundle of match {} leaves out this entry of the player's chain, from before its opening",
                self.match_id
            ),
        })
    }
}

/// The audit of one match.
#[derive(Clone, Debug, Default)]
pub struct MatchAudit {
    /// Its faults.
    pub faults: Vec<AuditFault>,
    /// The host key of its opening, with the place of that in the log; none if it could not be read.
    pub host_key: Option<(LeafIndex, String)>,
    /// It is no match, but the chain of a registered player.
    pub is_player: bool,
    /// The match, as its entries tell it.
    pub history: Option<Box<History>>,
}

/// Audits one match, or the chain of one player. The entries may come in any order. `texts` are the words
/// that are stored beside them; withdrawn ones may be missing. `roots` gives the log's own root at a size; none where it is
/// not known.
#[must_use]
pub fn audit(
    origin: &Origin,
    match_id: MatchId,
    placed: Vec<LoggedEntry>,
    texts: &Texts,
    roots: &dyn Fn(TreeSize) -> Option<Hash>,
) -> MatchAudit {
    let (places, entries) = match chained(match_id, placed) {
        Ok(read) => read,
        Err(faults) => return MatchAudit { faults, ..MatchAudit::default() },
    };
    let fault = |check, entry: Seq, text: String| {
        let at = places.get(usize::try_from(entry.0).ok()?)?;
        Some(AuditFault { match_id: Some(match_id), seq: Some(entry), index: at.index, check, text })
    };
    let named = TreeMentions::of(&entries);
    let trees = wrong_trees(&named, &places, roots).into_iter().map(|(entry, text)| (AuditCheck::Tree, entry, text));
    let known = places.iter().zip(&entries).map(|(placed, entry)| (entry.seq, placed.index));
    let known = EntryPlaces::new(&entries, known.collect());
    let later = named.signed.iter().filter_map(|signed| Some((signed.entry, known.after_sent(signed)?)));
    let later = later.map(|(entry, newest)| {
        (
            AuditCheck::Rules,
            entry,
            format!("the tree that a player signed holds entry {}, dated after it came", newest.seq),
        )
    });
    let covered = uncovered(&named, &places).into_iter().map(|(entry, text)| (AuditCheck::Rules, entry, text));
    let mut faults: Vec<AuditFault> =
        trees.chain(covered).chain(later).filter_map(|(check, entry, text)| fault(check, entry, text)).collect();
    if entries.first().is_some_and(|first| first.kind.is_of_player()) {
        let lines: Vec<&[u8]> = places.iter().map(|placed| placed.bytes.as_slice()).collect();
        let broken = PlayerChain::read(origin, PlayerId::of_chain(match_id), &lines).err();
        faults.extend(broken.and_then(|broken| fault(AuditCheck::Rules, broken.entry, broken.why.to_string())));
        return MatchAudit { faults, is_player: true, ..MatchAudit::default() };
    }
    let leaves: Vec<Hash> = places.iter().map(|placed| placed.leaf).collect();
    match fold(origin, &entries, &leaves, texts, &Secrets::new()) {
        Ok(history) => {
            faults.extend(history.faults.iter().filter_map(|found| {
                let check = if found.rule == Rule::TextOpens { AuditCheck::Words } else { AuditCheck::Rules };
                let text = format!("{} (expected {}, found {})", found.text, found.expected, found.found);
                fault(check, found.entry, text)
            }));
            let host_key = places.first().map(|first| (first.index, history.opened.host_key.clone()));
            MatchAudit { faults, host_key, is_player: false, history: Some(Box::new(history)) }
        }
        Err(why) => {
            faults.extend(fault(AuditCheck::Rules, Seq(0), why));
            MatchAudit { faults, ..MatchAudit::default() }
        }
    }
}

fn place_of(places: &[LoggedEntry], entry: Seq) -> Option<LeafIndex> {
    places.get(usize::try_from(entry.0).ok()?).map(|placed| placed.index)
}

/// Entries that name a tree that the log did not have before them.
fn wrong_trees(
    named: &TreeMentions,
    places: &[LoggedEntry],
    roots: &dyn Fn(TreeSize) -> Option<Hash>,
) -> Vec<(Seq, String)> {
    let wrong = named.trees.iter().filter_map(|TreeMention { entry, tree, .. }| {
        // The tree was there before the entry that names it.
        let due = roots(tree.size).filter(|_| place_of(places, *entry).is_some_and(|at| tree.size.0 <= at.0));
        if due == Some(tree.root) {
            return None;
        }
        let due = due.map_or("no such tree before it".to_owned(), |root| root.to_string());
        let named = format!("it names a tree of {} entries with root {}", tree.size, tree.root);
        Some((*entry, format!("{named}, and the log has {due}")))
    });
    wrong.collect()
}

/// Entries that a tree must have covered, and did not: what a player answered with a signature, and what stood before an
/// opening. A bundle proves the same with the places that it gives.
fn uncovered(named: &TreeMentions, places: &[LoggedEntry]) -> Vec<(Seq, String)> {
    let outside = |tree: &Tree, entry: Seq| {
        let at = place_of(places, entry).filter(|at| !tree.size.covers(*at))?;
        Some(format!("(expected a tree of more than {at} entries, found {})", tree.size))
    };
    let signed = named.signed.iter().filter_map(|signed| {
        let (_, answered, text) = signed.answered();
        Some((signed.entry, format!("{text} {}", outside(&signed.tree, answered)?)))
    });
    let covered = named.covered.iter().filter_map(|(entry, covered)| {
        let text = "the tree that stood before the opening does not hold this entry";
        Some((*entry, format!("{text} {}", outside(&covered.tree, *entry)?)))
    });
    signed.chain(covered).collect()
}

/// The entries in their order, with their places, if each has its number and names the one before it.
fn chained(match_id: MatchId, mut placed: Vec<LoggedEntry>) -> Result<(Vec<LoggedEntry>, Vec<Entry>), Vec<AuditFault>> {
    let mut faults = Vec::new();
    let fault = |check, at: &LoggedEntry, seq, text: String| AuditFault {
        match_id: Some(match_id),
        seq,
        index: at.index,
        check,
        text,
    };
    placed.sort_unstable_by_key(|placed| placed.index);
    let mut read: Vec<(LoggedEntry, Entry)> = Vec::with_capacity(placed.len());
    for placed in placed {
        match Entry::read(&placed.bytes) {
            Ok(entry) => read.push((placed, entry)),
            Err(error) => faults.push(unreadable(placed.index, Some(match_id), &error)),
        }
    }
    let mut expected = Seq(0);
    for (placed, entry) in &read {
        let seq = entry.seq;
        if seq != expected {
            let first = read.iter().find(|(other, entry)| entry.seq == seq && other.index < placed.index);
            let text = match first {
                Some((first, _)) => format!("entry {seq} is in the log twice: at position {} as well", first.index),
                None if seq > expected => format!("entry {seq} is where the match's entry {expected} belongs"),
                None => format!("entry {seq} comes after later entries of its match"),
            };
            faults.push(fault(AuditCheck::Numbers, placed, Some(seq), text));
        }
        expected = expected.max(Seq(seq.0.saturating_add(1)));
    }
    if !faults.is_empty() {
        // Later checks would only report again that something is missing or repeated.
        return Err(faults);
    }
    if let Some(at) = unlinked(&read) {
        let lines: Vec<&[u8]> = read.iter().map(|(placed, _)| placed.bytes.as_slice()).collect();
        let head = read.last().map(|(last, _)| Head { next: expected, leaf: last.leaf });
        let named = chain::check(match_id, &lines, head).err();
        let (seq, text) = named.map_or_else(
            || (Seq(0), "it does not follow from the entry before it".to_owned()),
            |chain::BrokenChain { entry, fault }| (entry, fault.to_string()),
        );
        let placed = read.iter().find(|(_, entry)| entry.seq == seq).map_or(at, |(placed, _)| placed);
        faults.push(fault(AuditCheck::Chains, placed, Some(seq), text));
        return Err(faults);
    }
    Ok(read.into_iter().unzip())
}

/// A line of the log that is not an entry.
#[must_use]
pub fn unreadable(index: LeafIndex, match_id: Option<MatchId>, error: &EntryError) -> AuditFault {
    AuditFault { match_id, seq: None, index, check: AuditCheck::Entries, text: format!("this is no entry: {error}") }
}

fn unlinked(read: &[(LoggedEntry, Entry)]) -> Option<&LoggedEntry> {
    let mut leaf = Hash::ZERO;
    let mut at = None;
    for (placed, entry) in read {
        if entry.prev != leaf || at.is_some_and(|at| entry.at < at) {
            return Some(placed);
        }
        leaf = placed.leaf;
        at = Some(entry.at);
    }
    None
}

//! The log of a [`Book`], as its server would sign and prove it.

use ledger::policy::Policy;
use ledger::{
    Checkpoint, ConsistencyProof, CosignedAt, CosignerKey, Entry, Hash, InclusionProof, KeyName, LeafIndex, Note,
    PlayerId, Seq, SignerKey, Subtree, Tree, TreeSize, node_hash,
};
use record::{Bundle, ChainEntry, LogEvidence, PlayerEvidence, SealProof, TreeMentions, TreeProof, Vouching};

use crate::book::{Book, Player};

pub(crate) fn log_key(book: &Book) -> SignerKey {
    SignerKey::from_seed(KeyName::from(&book.origin), &[3; 32])
}

pub(crate) fn witnesses() -> [CosignerKey; 2] {
    ["alder.example", "birch.example"]
        .map(|name| CosignerKey::from_seed(name.parse().unwrap(), &[name.as_bytes()[0]; 32]))
}

/// A policy that knows the log, and requires both witnesses.
pub(crate) fn policy(book: &Book) -> Policy {
    Policy::read(policy_text(book).as_bytes()).unwrap()
}

/// The same as it is written.
pub(crate) fn policy_text(book: &Book) -> String {
    let [alder, birch] = witnesses();
    format!(
        "log {}\nwitness alder {}\nwitness birch {}\ngroup both all alder birch\nquorum both\n",
        log_key(book).verifier(),
        alder.verifier(),
        birch.verifier()
    )
}

/// The hash of a perfect subtree, by definition.
pub(crate) fn hash_of(leaves: &[Hash], subtree: Subtree) -> Option<Hash> {
    match subtree.halves() {
        None => leaves.get(subtree.first_leaf().0 as usize).copied(),
        Some((left, right)) => Some(node_hash(&hash_of(leaves, left)?, &hash_of(leaves, right)?)),
    }
}

fn checkpoint(book: &Book, tree: Tree) -> Note {
    Checkpoint::new(&book.origin, tree).sign(&log_key(book))
}

/// A time after every [`Book`] of its own time.
pub(crate) const LATER: u64 = 1_795_300_000;

/// The same with the cosignatures of both witnesses.
pub(crate) fn cosigned(note: Note) -> Note {
    cosigned_at(note, LATER)
}

/// The same, with their time in seconds.
pub(crate) fn cosigned_at(mut note: Note, seconds: u64) -> Note {
    for witness in witnesses() {
        let line = witness.cosign(note.text(), CosignedAt::from_seconds(seconds).unwrap());
        note.add(line).unwrap();
    }
    note
}

/// The match as its server would export it, with the full proof of the log.
pub(crate) fn logged(book: &Book) -> Bundle {
    proven(book, book.bundle(), &book.leaves, &book.places)
}

/// The chains of the players who vouch in a bundle, in a log of these leaves in which the match was opened at this place.
fn players(
    book: &Book,
    chains: &[Player],
    bundle: &Bundle,
    leaves: &[Hash],
    opened: LeafIndex,
) -> Option<PlayerEvidence> {
    let source = |subtree: Subtree| hash_of(leaves, subtree);
    let newest = TreeSize(leaves.len() as u64);
    let vouchings = bundle.texts.values().filter_map(|text| text.text.parse::<Vouching>().ok());
    let mut ids: Vec<PlayerId> = vouchings.map(|vouching| vouching.player).collect();
    ids.sort_unstable();
    ids.dedup();
    let before = TreeSize(opened.0);
    let of = ids.iter().filter_map(|id| chains.iter().find(|player| player.id == *id));
    let entries = of.flat_map(|player| player.lines.iter().map(|line| (player.id, line.clone())));
    let entries = entries.filter_map(|(player, bytes)| {
        let leaf = ledger::leaf_hash(&bytes);
        // Whoever names a chain that is in no log has no proof.
        let index = LeafIndex(leaves.iter().position(|known| *known == leaf)? as u64);
        let size = if before.covers(index) { before } else { newest };
        let inclusion = InclusionProof::prove(index, size, &source).ok()?;
        Some(ChainEntry { player, bytes, index, size, inclusion })
    });
    let entries: Vec<ChainEntry> = entries.collect();
    let tree = Tree { size: before, root: ledger::proof::root(before, &source).ok()? };
    let before = TreeProof {
        tree,
        checkpoint: Some(checkpoint(book, tree)),
        consistency: ConsistencyProof::prove(before, newest, &source).ok()?,
    };
    let inclusion = InclusionProof::prove(opened, newest, &source).ok()?;
    (!entries.is_empty()).then_some(PlayerEvidence { opened, inclusion, before, entries })
}

/// A bundle with the full proof of a log of these leaves, which has its entries at these places.
pub(crate) fn proven(book: &Book, bundle: Bundle, leaves: &[Hash], places: &[LeafIndex]) -> Bundle {
    proven_with(book, &book.players, bundle, leaves, places)
}

/// The same in a log with these chains of players.
pub(crate) fn proven_with(
    book: &Book,
    chains: &[Player],
    bundle: Bundle,
    leaves: &[Hash],
    places: &[LeafIndex],
) -> Bundle {
    let source = |subtree: Subtree| hash_of(leaves, subtree);
    let tree = |size: u64| {
        let mut frontier = ledger::Frontier::new();
        frontier.extend(leaves[..size as usize].iter().copied());
        frontier.tree()
    };
    let newest = tree(leaves.len() as u64);
    let prove = |index: LeafIndex, size: TreeSize| InclusionProof::prove(index, size, &source).ok();
    let last = Seq(bundle.head.next.0 - 1);
    let entries: Vec<Entry> = bundle.lines.iter().map(|line| Entry::read(line).unwrap()).collect();
    let named = TreeMentions::of(&entries);
    let mut trees: Vec<TreeSize> = named.trees.iter().map(|naming| naming.tree.size).collect();
    trees.sort_unstable();
    trees.dedup();
    // Whoever names a tree that is not there, or an entry outside it, has no proof.
    let seals = named.covered.iter().filter_map(|(entry, covered)| {
        let (index, size) = (*places.get(entry.0 as usize)?, covered.tree.size);
        Some(SealProof { entry: *entry, index, size, inclusion: prove(index, size)? })
    });
    // Where the match waits, its witnesses were there before each opening, and after what their tree holds.
    let waits = entries.first().is_some_and(|opened| opened.body.contains("\"wait\":"));
    let seconds = |tree: Tree| {
        let held = entries.iter().zip(places).take_while(|(_, place)| tree.size.covers(**place));
        held.last().map_or(0, |(entry, _)| CosignedAt::from(entry.at).seconds())
    };
    let signed = |tree: Tree| match (waits, checkpoint(book, tree)) {
        (true, note) => cosigned_at(note, seconds(tree)),
        (false, note) => note,
    };
    let trees = trees.into_iter().filter(|size| *size < newest.size && size.0 > 0).map(|size| TreeProof {
        tree: tree(size.0),
        checkpoint: Some(signed(tree(size.0))),
        consistency: ConsistencyProof::prove(size, newest.size, &source).unwrap(),
    });
    let logged = LogEvidence {
        keys: vec![log_key(book).verifier().clone()],
        checkpoint: cosigned(checkpoint(book, newest)),
        entry: last,
        index: places[last.0 as usize],
        inclusion: prove(places[last.0 as usize], newest.size).unwrap(),
        trees: trees.collect(),
        seals: seals.collect(),
        players: players(book, chains, &bundle, leaves, places[0]),
    };
    Bundle { logged: Some(logged), ..bundle }
}

//! What the bundles of one call say together: a log has one history, one host key and one key under each name, and a
//! match has one chain. Each bundle may fit together, and be evidence against the host beside another.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;

use ledger::{KeyName, LeafIndex, MatchId, Origin, Tree, TreeSize, leaf_hash};
use record::Bundle;

#[derive(Default)]
pub(super) struct Comparison {
    facts: BTreeMap<(Origin, Fact), Stated>,
    chains: BTreeMap<(Origin, MatchId), LongestChain>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fact {
    HostKey,
    Key(KeyName),
    Root(TreeSize),
    Leaf(LeafIndex),
}

struct Stated {
    value: String,
    place: String,
}

struct LongestChain {
    lines: Vec<Vec<u8>>,
    place: String,
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HostKey => f.write_str("host key"),
            Self::Key(name) => write!(f, "key of the name {name}"),
            Self::Root(size) => write!(f, "root of {size} entries"),
            Self::Leaf(index) => write!(f, "entry at position {index}"),
        }
    }
}

impl Comparison {
    /// Takes a bundle, and says how it contradicts those before it. What a bundle that fails says of the log proves nothing.
    pub(super) fn contradictions(
        &mut self,
        place: &str,
        bundle: Bundle,
        host_key: Option<String>,
        holds: bool,
    ) -> Vec<String> {
        let mut found = Vec::new();
        let host = host_key.map(|key| (Fact::HostKey, key));
        for (fact, value) in host.into_iter().chain(holds.then(|| logged(&bundle)).into_iter().flatten()) {
            let law = match fact {
                Fact::HostKey => "a log has one host key",
                Fact::Key(_) => "a log has one key under each name",
                Fact::Root(_) | Fact::Leaf(_) => "a log has one history",
            };
            let of = fact.to_string();
            let stated = self.facts.entry((bundle.origin.clone(), fact));
            let Stated { value: known, place: first } =
                stated.or_insert_with(|| Stated { value: value.clone(), place: place.to_owned() });
            // One of a kind says enough.
            if *known != value && !found.iter().any(|said: &String| said.ends_with(law)) {
                found.push(format!("its {of} is {value}, and that of {first} is {known}: {law}"));
            }
        }
        match self.chains.entry((bundle.origin, bundle.match_id)) {
            Entry::Vacant(new) => _ = new.insert(LongestChain { lines: bundle.lines, place: place.to_owned() }),
            Entry::Occupied(mut other) => {
                let LongestChain { lines, place: first } = other.get();
                if !lines.iter().zip(&bundle.lines).all(|(one, other)| one == other) {
                    found.push(format!("its entries differ from those of {first}: a match has one chain"));
                } else if bundle.lines.len() > lines.len() {
                    other.insert(LongestChain { lines: bundle.lines, place: place.to_owned() });
                }
            }
        }
        found
    }
}

fn logged(bundle: &Bundle) -> Vec<(Fact, String)> {
    let Some(logged) = &bundle.logged else { return Vec::new() };
    let root = |tree: Tree| (Fact::Root(tree.size), tree.root.to_string());
    let leaf = |index, line: &[u8]| (Fact::Leaf(index), leaf_hash(line).to_string());
    let places = logged.seals.iter().map(|seal| (seal.entry, seal.index)).chain([(logged.entry, logged.index)]);
    let line = |entry: ledger::Seq| bundle.lines.get(usize::try_from(entry.0).ok()?);
    let mut facts: Vec<(Fact, String)> =
        logged.keys.iter().map(|key| (Fact::Key(key.name().clone()), key.to_string())).collect();
    facts.extend(places.filter_map(|(entry, index)| Some(leaf(index, line(entry)?))));
    facts.extend(ledger::Checkpoint::read(logged.checkpoint.text()).map(|newest| root(newest.tree())));
    facts.extend(logged.trees.iter().map(|named| root(named.tree)));
    if let Some(players) = &logged.players {
        facts.push(root(players.before.tree));
        facts.extend(bundle.lines.first().map(|line| leaf(players.opened, line)));
        facts.extend(players.entries.iter().map(|entry| leaf(entry.index, &entry.bytes)));
    }
    facts
}

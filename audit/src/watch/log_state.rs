//! The matches of a log, as a monitor keeps them: the head of each chain, and its end.

use std::collections::BTreeMap;

use ledger::{Entry, Hash, LeafIndex, MatchId, Moment, PlayerId, PlayerKey, Seq, TreeSize, leaf_hash};
use record::TreeMentions;
use record::body::{Body, PlayerKeyEntry, RevokedChain};
use serde::{Deserialize, Serialize};

use super::alarm::Alarm;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchedKey {
    pub name: String,
    pub key: PlayerKey,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LogState {
    pub(super) matches: BTreeMap<MatchId, MatchState>,
    pub(super) host_keys: Vec<String>,
    /// The host's keys of later terms, each with the place from which a match may name it, as the checkpoint says.
    pub(super) later_host_keys: Vec<(TreeSize, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MatchState {
    /// The place of its first entry.
    first: u64,
    /// The number of its entries.
    next: u32,
    leaf: Hash,
    at: Moment,
    runs: Option<Moment>,
    seeded: bool,
    /// It is no match, but the chain of a registered player, which never ends.
    #[serde(default)]
    player: bool,
}

impl LogState {
    pub(super) fn entry(
        &mut self,
        index: LeafIndex,
        bytes: &[u8],
        roots: &dyn Fn(TreeSize) -> Option<Hash>,
        keys: &[WatchedKey],
    ) -> Vec<Alarm> {
        let entry = match Entry::read(bytes) {
            Ok(entry) => entry,
            Err(why) => return vec![Alarm::Entry { index, why: why.to_string() }],
        };
        let mut alarms: Vec<Alarm> = self.follows(index, &entry, leaf_hash(bytes)).into_iter().collect();
        let (match_id, seq) = (entry.match_id, entry.seq);
        for named in TreeMentions::of(std::slice::from_ref(&entry)).trees {
            let found = roots(named.tree.size).filter(|_| named.tree.size.0 <= index.0);
            if found != Some(named.tree.root) {
                alarms.push(Alarm::Root { match_id, entry: seq, named: named.tree, found });
            }
        }
        match Body::read(&entry) {
            Ok(Body::Opened(body)) if !self.host_keys.contains(&body.host_key) => {
                let named = |(from, key): &(TreeSize, String)| *key == body.host_key && !from.covers(index);
                let is_later = self.later_host_keys.iter().any(named);
                if let Some(first) = self.host_keys.first().filter(|_| !is_later) {
                    alarms.push(Alarm::HostKey { match_id, key: body.host_key.clone(), first: first.clone() });
                }
                self.host_keys.push(body.host_key);
            }
            Ok(Body::Key(body)) => {
                let seat = body.seat.0;
                alarms.extend(names(keys, body.key).map(|name| Alarm::Key { name, match_id, entry: seq, seat }));
            }
            Ok(Body::Registered(PlayerKeyEntry { key, .. }) | Body::Rotated(PlayerKeyEntry { key, .. })) => {
                let player = PlayerId::of_chain(match_id);
                alarms.extend(names(keys, key).map(|name| Alarm::PlayerKey { name, player, entry: seq }));
            }
            Ok(Body::Revoked(RevokedChain { key, .. })) => {
                let player = PlayerId::of_chain(match_id);
                alarms.extend(names(keys, key).map(|name| Alarm::PlayerRevoked { name, player, entry: seq }));
            }
            Ok(body) => self.lives(&entry, &body),
            Err(why) => {
                alarms.push(Alarm::Chain { match_id, entry: seq, why: format!("its body does not read: {why}") });
            }
        }
        alarms
    }

    pub(super) fn match_count(&self) -> usize {
        self.matches.values().filter(|state| !state.player).count()
    }

    fn follows(&mut self, index: LeafIndex, entry: &Entry, leaf: Hash) -> Option<Alarm> {
        let (match_id, seq) = (entry.match_id, entry.seq);
        let next = seq.0.saturating_add(1);
        let player = entry.kind.is_of_player();
        let runs = (!player).then_some(entry.at);
        let opened = MatchState { first: index.0, next, leaf, at: entry.at, runs, seeded: false, player };
        let chain = |why: String| Some(Alarm::Chain { match_id, entry: seq, why });
        let Some(state) = self.matches.get_mut(&match_id) else {
            self.matches.insert(match_id, opened);
            if seq == Seq(0) && entry.prev == Hash::ZERO {
                return None;
            }
            return chain("the match begins with it".to_owned());
        };
        if seq == Seq(0) {
            return Some(Alarm::SecondChain { match_id, places: [LeafIndex(state.first), index] });
        }
        let why = if seq.0 != state.next {
            format!("entry {} comes next", state.next)
        } else if entry.prev != state.leaf {
            "it does not name the entry before it".to_owned()
        } else if entry.at < state.at {
            "it is dated before the entry before it".to_owned()
        } else {
            (state.next, state.leaf, state.at) = (next, leaf, entry.at);
            return None;
        };
        chain(why)
    }

    fn lives(&mut self, entry: &Entry, body: &Body) {
        let Some(state) = self.matches.get_mut(&entry.match_id) else { return };
        match body {
            Body::Ended(_) => (state.runs, state.seeded) = (None, false),
            // Once the shares are open, the host knows what it would draw.
            Body::ShareOpenings(_) | Body::FixedSeed(_) => state.seeded = true,
            Body::Asked(_) | Body::Drawn(_) | Body::HostShare(_) | Body::Resolved(_) | Body::Announced(_) => {
                state.runs = state.runs.or(Some(entry.at));
            }
            _ => {}
        }
    }

    pub(super) fn stale(&self, before: Moment) -> impl Iterator<Item = Alarm> {
        self.matches.iter().filter_map(move |(match_id, state)| {
            let since = state.runs.filter(|since| *since < before)?;
            Some(Alarm::Stale { match_id: *match_id, since, seeded: state.seeded })
        })
    }
}

fn names(keys: &[WatchedKey], key: PlayerKey) -> impl Iterator<Item = String> + '_ {
    keys.iter().filter(move |watched| watched.key == key).map(|watched| watched.name.clone())
}

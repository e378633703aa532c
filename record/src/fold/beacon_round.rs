//! Rounds of the beacon. Whether a signature is true and a round in time, finding 5 checks, for a reader who knows the
//! network.

use ledger::{Author, DrawIndex, Entry, Tree};

use super::Fold;
use crate::beacon_round::{RoundEntry, RoundRecord};
use crate::body::{Body, NamedRound, SignedRound};
use crate::rule::Rule;

impl Fold<'_> {
    pub(super) fn opened_beacon(&mut self, first: &Entry) {
        let Some(network) = self.history.opened.beacon else { return };
        if !self.history.host_draws() {
            let what = "a match names a beacon where the host draws";
            self.fault(Rule::BeaconStated, first.seq, what, &"no beacon", &network);
        }
    }

    /// Notes an entry that changes what the draws of a named round are drawn from: a step, a strike, a seed. Draws of the
    /// round itself do not, because nobody chooses them.
    pub(super) fn disturbs_rounds(&mut self, entry: &Entry, body: &Body) {
        let own = match body {
            Body::Drawn(drawn) => drawn.key.as_ref().map(|key| DrawIndex(key.index)),
            Body::Resolved(_) | Body::Announced(_) | Body::Struck(_) | Body::HostShare(_) | Body::FixedSeed(_) => None,
            Body::Ruled(ruled) if ruled.result.is_some() => None,
            _ => return,
        };
        for round in &mut self.history.rounds {
            if !own.is_some_and(|index| round.indexes.contains(&index)) {
                round.disturbed.get_or_insert(entry.seq);
            }
        }
    }

    pub(super) fn named_round(&mut self, entry: &Entry, body: &NamedRound) {
        self.by_host(entry);
        let count = self.history.rounds.len();
        if body.ordinal as usize != count {
            let what = "named rounds are counted without gaps";
            self.fault(Rule::RoundNamed, entry.seq, what, &count, &body.ordinal);
        }
        if self.history.beacon().is_none() {
            let what = "rounds are named in a match with a beacon";
            self.fault(Rule::RoundNamed, entry.seq, what, &"a beacon", &"none");
        }
        if body.indexes.is_empty() || !body.indexes.is_sorted_by(|before, after| before < after) {
            let found = format!("{:?}", body.indexes);
            let what = "it names draws, in the order of their numbers";
            self.fault(Rule::RoundNamed, entry.seq, what, &"ascending numbers", &found);
        }
        let indexes: Vec<DrawIndex> = body.indexes.iter().copied().map(DrawIndex).collect();
        for index in &indexes {
            if self.history.round_of(*index).is_some() {
                let what = "a draw has one round, for ever";
                self.fault(Rule::RoundNamed, entry.seq, what, &"a draw without a round", index);
            }
            if !self.has_root(*index) {
                let what = "the root over the key of a draw is published before its round is named";
                self.fault(Rule::RoundNamed, entry.seq, what, &"a root", &format!("draw {index}"));
            }
        }
        self.history.rounds.push(RoundRecord {
            entry: entry.seq,
            at: entry.at,
            indexes,
            round: body.round,
            signed: None,
            waived: None,
            disturbed: None,
        });
    }

    fn has_root(&self, index: DrawIndex) -> bool {
        let seed = self.history.seed_of(index).and_then(|at| self.history.seeds.get(at)?.fixed.as_ref());
        seed.is_some_and(|fixed| fixed.roots.get(index.batch() as usize).is_some())
    }

    pub(super) fn signed_round(&mut self, entry: &Entry, body: &SignedRound) {
        self.by_host(entry);
        self.history.trees.push((entry.seq, body.tree));
        let count = self.history.rounds.iter().filter(|round| round.signed.is_some()).count();
        if body.ordinal as usize != count {
            let what = "signatures of rounds are counted without gaps";
            self.fault(Rule::RoundEntered, entry.seq, what, &count, &body.ordinal);
        }
        let named = self.history.rounds.iter().find(|round| round.entry.0 == body.named);
        let Some((named, first)) = named.map(|round| (round.entry, round.signed.is_none() && round.waived.is_none()))
        else {
            let what = "a round is named before its signature is entered";
            return self.fault(Rule::RoundEntered, entry.seq, what, &"a named round", &body.named);
        };
        if !first {
            let what = "the signature of a round is entered once, and never after a ruling goes on without it";
            return self.fault(Rule::RoundEntered, entry.seq, what, &"a round that draws wait for", &named);
        }
        let tree = Tree::from(&body.tree);
        if tree.size.0 <= u64::from(named.0) {
            let (due, what) =
                (format!("more than {named} leaves"), "the tree of a signature covers the naming of its round");
            self.fault(Rule::RoundEntered, entry.seq, what, &due, &tree.size);
        }
        let signed = RoundEntry { entry: entry.seq, at: entry.at, signature: body.signature, tree };
        if let Some(round) = self.history.rounds.iter_mut().find(|round| round.entry == named) {
            round.signed = Some(signed);
        }
    }

    pub(super) fn waives_round(&mut self, entry: &Entry) {
        let awaited = self.history.rounds.iter_mut().rfind(|round| round.signed.is_none() && round.waived.is_none());
        if let Some(round) = awaited {
            round.waived = Some(entry.seq);
            return;
        }
        let what = "a ruling goes on without a round where draws wait for one";
        self.fault(Rule::RoundWaived, entry.seq, what, &"a named round without its signature", &"none");
    }

    pub(super) fn follows_round(&mut self, entry: &Entry, index: DrawIndex) {
        if self.history.beacon().is_none() || entry.by != Author::Host {
            return;
        }
        let round = self.history.round_of(index);
        if !round.is_some_and(|round| round.signed.is_some() || round.waived.is_some()) {
            let found = if round.is_some() { "a named round without one" } else { "no round" };
            let what = format!("draw {index} comes after the signature of its round");
            self.fault(Rule::DrawnByRound, entry.seq, &what, &"its signature", &found);
        }
    }
}

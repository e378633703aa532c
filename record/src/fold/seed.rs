//! The basis of the host's draws: shares sealed, listed and opened, and roots of keys. They are checked against one
//! another, and, once the host's own share is open, all of them are computed again.

use engine::{BySeat, Party, Seat};
use ledger::{Author, DrawIndex, DrawKey, Entry, Hash, Seq, Share};

use super::Fold;
use crate::body::{FixedSeed, HostShare, KeyBatch, OpenedKey, Opening, ShareList};
use crate::rule::Rule;
use crate::seed::{DrawRecord, FixedSeedRecord, SeedRecord, ShareListRecord, field};
use crate::share::SHARE;

impl Fold<'_> {
    pub(super) fn by_host(&mut self, entry: &Entry) {
        if entry.by != Author::Host {
            self.fault(Rule::HostEnters, entry.seq, "the host enters its own draws", &Author::Host, &entry.by);
        }
    }

    pub(super) fn host_share(&mut self, entry: &Entry, leaf: Hash, body: &HostShare) {
        self.by_host(entry);
        if !self.history.host_draws() {
            self.fault(Rule::HostShare, entry.seq, "this match draws nothing here", &"no share", &body.purpose);
        }
        if body.ordinal as usize != self.history.seeds.len() {
            let due = self.history.seeds.len();
            self.fault(Rule::SeedCounted, entry.seq, "the host's shares are counted without gaps", &due, &body.ordinal);
        }
        // A host who could abandon a seed that nobody knows could choose among seeds.
        if self.history.seeds.last().is_some_and(|last| !self.history.is_share_open(last)) {
            let what = "the host seals another share once the one before is open";
            self.fault(Rule::HostShare, entry.seq, what, &"the opening of its last share", &"a new share");
        }
        let fields: Vec<_> = body.seals.iter().map(|seal| seal.field.clone()).collect();
        if !fields.iter().map(ledger::Field::as_str).eq([SHARE]) {
            self.fault(Rule::HostShare, entry.seq, "it seals one share", &SHARE, &fields.len());
        }
        let commitments = body.seals.iter().map(|seal| seal.commitment).collect();
        self.unasked(entry, Party::Host, fields, commitments);
        let (share, salt) = (entry.seq, leaf);
        self.history.seeds.push(SeedRecord { share, salt, asked: None, lists: Vec::new(), fixed: None });
    }

    pub(super) fn share_list(&mut self, entry: &Entry, body: &ShareList) {
        let before: usize = self.history.seeds.iter().map(|seed| seed.lists.len()).sum();
        if body.ordinal as usize != before {
            self.fault(
                Rule::SeedCounted,
                entry.seq,
                "lists of shares are counted without gaps",
                &before,
                &body.ordinal,
            );
        }
        let Some(seed) = self.history.seeds.last().filter(|seed| seed.fixed.is_none()).cloned() else {
            return self.fault(
                Rule::ShareList,
                entry.seq,
                "it lists shares while they are gathered",
                &"a sealed share",
                &"none",
            );
        };
        if body.host != seed.share.0 {
            self.fault(Rule::ShareList, entry.seq, "it lists the host's share", &seed.share, &body.host);
        }
        if seed.asked.as_ref() != Some(&body.decision) {
            let due = seed.asked.as_ref().map_or_else(String::new, ToString::to_string);
            self.fault(Rule::ShareList, entry.seq, "it lists what the seats were asked for last", &due, &body.decision);
        }
        let sealed = BySeat::from(body.sealed).map(|listed| listed.map(Seq));
        let first = seed.lists.is_empty();
        for seat in Seat::BOTH {
            let there =
                self.history.seals.iter().find(|seal| {
                    seal.asked.is_some() && seal.decision == body.decision && seal.whose == Party::Seat(seat)
                });
            let there = there.map(|seal| seal.entry);
            let dropped = !first && sealed[seat].is_none();
            if sealed[seat] != there && !dropped {
                let [due, found] =
                    [there, sealed[seat]].map(|seq| seq.map_or("none".to_owned(), |seq| seq.to_string()));
                let what = format!("it lists the share that {seat} sealed");
                self.fault(Rule::ShareList, entry.seq, &what, &due, &found);
            }
        }
        match (first, &entry.by) {
            (true, _) => self.by_host(entry),
            (false, Author::Umpire(_)) => {}
            (false, by) => {
                let by = by.clone();
                self.fault(
                    Rule::SecondList,
                    entry.seq,
                    "an umpire decides that a share does not count",
                    &"an umpire",
                    &by,
                );
            }
        }
        self.history.open.retain(|open| open.asked.decision != body.decision);
        if let Some(seed) = self.history.seeds.last_mut() {
            seed.lists.push(ShareListRecord { entry: entry.seq, sealed });
        }
    }

    pub(super) fn fixed_seed(&mut self, entry: &Entry, body: &FixedSeed) {
        self.by_host(entry);
        for opening in &body.openings {
            self.opening(entry.seq, opening);
        }
        self.history.trees.push((entry.seq, body.tree));
        let fixed = self.history.seeds.iter().filter(|seed| seed.fixed.is_some()).count();
        if body.ordinal as usize != fixed {
            self.fault(Rule::SeedCounted, entry.seq, "seeds are counted without gaps", &fixed, &body.ordinal);
        }
        let seed = self.history.seeds.last().filter(|seed| seed.fixed.is_none());
        let Some(list) = seed.and_then(|seed| seed.lists.last()).cloned() else {
            return self.fault(
                Rule::SeedOpens,
                entry.seq,
                "shares are listed before they are opened",
                &"a list",
                &"none",
            );
        };
        if body.listed != list.entry.0 {
            self.fault(Rule::SeedOpens, entry.seq, "it opens what was listed last", &list.entry, &body.listed);
        }
        if body.tree.size <= u64::from(list.entry.0) {
            let due = format!("more than {} leaves", list.entry);
            self.fault(Rule::SeedTree, entry.seq, "the tree that it names covers the list", &due, &body.tree.size);
        }
        let given = BySeat::from_fn(|seat| self.given(entry.seq, seat, list.sealed[seat], &body.openings));
        let listed = list.sealed.each().iter().filter(|(_, sealed)| sealed.is_some()).count();
        if body.openings.len() != listed {
            self.fault(
                Rule::SeedOpens,
                entry.seq,
                "it opens the listed shares and nothing else",
                &listed,
                &body.openings.len(),
            );
        }
        let roots = vec![body.root];
        if let Some(seed) = self.history.seeds.last_mut() {
            seed.fixed = Some(FixedSeedRecord { entry: entry.seq, given, roots });
        }
    }

    /// A seat's listed share, opened.
    fn given(&mut self, entry: Seq, seat: Seat, sealed: Option<Seq>, openings: &[Opening]) -> Option<Share> {
        let sealed = sealed?;
        let opening = openings.iter().find(|opening| opening.entry == sealed.0 && opening.field.as_str() == SHARE);
        let Some(opening) = opening else {
            let what = format!("it opens the share of {seat}");
            self.fault(Rule::SeedOpens, entry, &what, &format!("the opening of entry {sealed}"), &"none");
            return None;
        };
        let share = Share::from_hex(&opening.value);
        if let Err(error) = &share {
            let what = format!("what {seat} sealed is a share");
            self.fault(Rule::IsShare, entry, &what, error, &opening.value);
        }
        share.ok()
    }

    pub(super) fn key_batch(&mut self, entry: &Entry, body: &KeyBatch) {
        self.by_host(entry);
        let Some(fixed) = self.history.seeds.last_mut().and_then(|seed| seed.fixed.as_mut()) else {
            return self.fault(Rule::SeedCounted, entry.seq, "keys follow from a seed", &"a seed", &"none");
        };
        let due = fixed.roots.len();
        fixed.roots.push(body.root);
        if body.ordinal as usize != due {
            self.fault(Rule::SeedCounted, entry.seq, "the roots of keys are counted without gaps", &due, &body.ordinal);
        }
    }

    /// Checks that a key is the one of its number under the root, and returns it.
    pub(super) fn under_root(
        &mut self,
        entry: Seq,
        seed: usize,
        index: DrawIndex,
        key: &str,
        path: &ledger::KeyPath,
    ) -> Option<DrawKey> {
        let root = self.history.seeds.get(seed).and_then(|seed| seed.fixed.as_ref());
        let root = root.and_then(|fixed| fixed.roots.get(index.batch() as usize)).copied();
        let Some(root) = root else {
            self.fault(
                Rule::UnderRoot,
                entry,
                "the root over the key is published before the draw",
                &"a root",
                &"none",
            );
            return None;
        };
        let checked = DrawKey::from_hex(key).and_then(|key| key.check(index, path, &root).map(|()| key));
        match checked {
            Ok(key) => Some(key),
            Err(why) => {
                let what = format!("the key of draw {index} is the one under the root");
                self.fault(Rule::UnderRoot, entry, &what, &root, &why);
                None
            }
        }
    }

    pub(super) fn opened_keys(&mut self, entry: &Entry, keys: &[OpenedKey]) {
        for opened in keys {
            let draw = self.history.draws.iter().position(|draw| draw.entry.0 == opened.entry && draw.hidden);
            let Some(draw) = draw else {
                self.fault(
                    Rule::DrawKey,
                    entry.seq,
                    "it opens the key of a hidden draw",
                    &"a hidden draw",
                    &opened.entry,
                );
                continue;
            };
            let Some(DrawRecord { seed, index, .. }) = self.history.draws.get(draw).cloned() else { continue };
            let key = self.under_root(entry.seq, seed, index, &opened.key, &opened.path);
            if let Some(draw) = self.history.draws.get_mut(draw) {
                draw.key = key;
            }
        }
    }

    /// Computes everything again for each seed whose shares are all public.
    pub(super) fn recompute(&mut self) {
        for at in 0..self.history.seeds.len() {
            let Some(record) = self.history.seeds.get(at).filter(|seed| self.history.is_share_open(seed)).cloned()
            else {
                continue;
            };
            let Some(host) = field().and_then(|field| self.known.get(&(record.share, field))) else { continue };
            let Ok(host) = Share::from_hex(host) else {
                let found = host.clone();
                self.fault(Rule::IsShare, record.share, "what the host sealed is a share", &ledger::ShareError, &found);
                continue;
            };
            let Some(fixed) = &record.fixed else { continue };
            let seed = fixed.seed(&record.salt, &host);
            for (batch, root) in (0..).zip(&fixed.roots) {
                let worked_out = seed.tree(batch).root();
                if worked_out != *root {
                    let what = "the root stands for the keys that follow from the shares";
                    self.fault(Rule::FromShares, fixed.entry, what, &worked_out, root);
                }
            }
            let other = |draw: &&DrawRecord| {
                draw.seed == at && draw.key.as_ref().is_some_and(|key| !key.is(&seed.key(draw.index)))
            };
            let others: Vec<(Seq, DrawIndex)> =
                self.history.draws.iter().filter(other).map(|draw| (draw.entry, draw.index)).collect();
            for (entry, index) in others {
                let what = format!("the key of draw {index} follows from the shares");
                self.fault(Rule::FromShares, entry, &what, &"the key of the seed", &"another key");
            }
        }
    }
}

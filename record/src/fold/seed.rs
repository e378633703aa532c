//! The basis of the host's draws: seeds of shares, and roots of keys. They are checked against one another, and, once
//! the host's own share is open, all of them are computed again.

use engine::BySeat;
use ledger::{Author, DrawIndex, DrawKey, Entry, Seq, Share};

use super::Fold;
use crate::body::{FixedSeed, KeyBatch, OpenedKey};
use crate::rule::Rule;
use crate::seed::{DrawRecord, FixedSeedRecord, field};

impl Fold<'_> {
    pub(super) fn by_host(&mut self, entry: &Entry) {
        if entry.by != Author::Host {
            self.fault(Rule::HostEnters, entry.seq, "the host enters its own draws", &Author::Host, &entry.by);
        }
    }

    pub(super) fn fixed_seed(&mut self, entry: &Entry, body: &FixedSeed) {
        self.by_host(entry);
        self.history.trees.push((entry.seq, body.tree));
        let fixed = self.history.seeds.iter().filter(|seed| seed.fixed.is_some()).count();
        if body.ordinal as usize != fixed {
            self.fault(Rule::SeedCounted, entry.seq, "seeds are counted without gaps", &fixed, &body.ordinal);
        }
        let Some(given) = self.given_shares(entry, body) else { return };
        let roots = vec![body.root];
        if let Some(seed) = self.history.seeds.last_mut() {
            seed.fixed = Some(FixedSeedRecord { entry: entry.seq, given, roots });
        }
    }

    fn given_shares(&mut self, entry: &Entry, body: &FixedSeed) -> Option<BySeat<Option<Share>>> {
        let seed = self.history.seeds.last().filter(|seed| seed.fixed.is_none() && seed.given_up.is_none());
        let Some(opened) = seed.and_then(|seed| seed.opened.clone()) else {
            let what = "shares are open before keys follow from them";
            self.fault(Rule::SeedOpens, entry.seq, what, &"a list of openings", &"none");
            return None;
        };
        if body.listed != opened.entry.0 {
            self.fault(Rule::SeedOpens, entry.seq, "it opens what was listed last", &opened.entry, &body.listed);
        }
        self.covers(entry.seq, opened.entry, body.tree);
        if !body.openings.is_empty() {
            let found = format!("{} openings", body.openings.len());
            self.fault(Rule::SeedOpens, entry.seq, "the shares are open already", &"no opening", &found);
        }
        Some(opened.given)
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
                    let what = "the root covers the keys that follow from the shares";
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

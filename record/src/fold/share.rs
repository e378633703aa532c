//! Shares of coming draws: the host's, sealed; the seats', listed; and the listed ones opened, once the
//! list was in a tree that everybody could check. So nobody, the host included, knows all shares before all are fixed.

use engine::{BySeat, Party, Seat};
use ledger::{Commitment, Entry, Hash, OpenMessage, Seq, Share, TreeSize};

use super::Fold;
use crate::body::{HostShare, OpenSignature, Opening, SeatWord, ShareList, ShareOpenings, Tree};
use crate::rule::Rule;
use crate::seal::SealRecord;
use crate::seed::{SeedRecord, ShareListRecord, ShareOpeningsRecord};
use crate::share::SHARE;

impl Fold<'_> {
    pub(super) fn host_share(&mut self, entry: &Entry, leaf: Hash, body: &HostShare) {
        self.by_host(entry);
        if !self.history.host_draws() {
            self.fault(Rule::HostShare, entry.seq, "this match draws nothing here", &"no share", &body.purpose);
        }
        if body.ordinal as usize != self.history.seeds.len() {
            let due = self.history.seeds.len();
            self.fault(Rule::SeedCounted, entry.seq, "the host's shares are counted without gaps", &due, &body.ordinal);
        }
        let begun = self.history.new_shares.take();
        if begun.is_none() && !self.history.seeds.is_empty() {
            let what = "new shares are gathered by a ruling";
            self.fault(Rule::GatheredAnew, entry.seq, what, &"a ruling that begins them", &"none");
        }
        self.opens_last_share(entry, &body.openings);
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
        self.history.seeds.push(SeedRecord {
            share,
            salt,
            asked: None,
            list: None,
            opened: None,
            fixed: None,
            begun,
            given_up: None,
        });
    }

    fn opens_last_share(&mut self, entry: &Entry, openings: &[Opening]) {
        for opening in openings {
            let last = self.history.seeds.last().map(|seed| seed.share.0);
            if last != Some(opening.entry) {
                let due = last.map_or_else(|| "none".to_owned(), |last| format!("entry {last}"));
                let found = format!("entry {}", opening.entry);
                self.fault(
                    Rule::GivesUpOpen,
                    entry.seq,
                    "it opens the host's share before it and nothing else",
                    &due,
                    &found,
                );
            }
            self.opening(entry.seq, opening);
        }
    }

    pub(super) fn share_list(&mut self, entry: &Entry, leaf: Hash, body: &ShareList) {
        let before = self.history.seeds.iter().filter(|seed| seed.list.is_some()).count();
        if body.ordinal as usize != before {
            let what = "lists of shares are counted without gaps";
            self.fault(Rule::SeedCounted, entry.seq, what, &before, &body.ordinal);
        }
        let seed = self.history.seeds.last().filter(|seed| seed.fixed.is_none() && seed.given_up.is_none());
        let Some(seed) = seed.cloned() else {
            let what = "it lists shares while they are gathered";
            return self.fault(Rule::ShareList, entry.seq, what, &"a sealed share", &"none");
        };
        if body.host != seed.share.0 {
            self.fault(Rule::ShareList, entry.seq, "it lists the host's share", &seed.share, &body.host);
        }
        if seed.asked.as_ref() != Some(&body.decision) {
            let due = seed.asked.as_ref().map_or_else(String::new, ToString::to_string);
            self.fault(Rule::ShareList, entry.seq, "it lists what the seats were asked for last", &due, &body.decision);
        }
        self.by_host(entry);
        let sealed = BySeat::from(body.sealed).map(|listed| listed.map(Seq));
        for seat in Seat::BOTH {
            let there = self.sealed_share(body, seat).map(|seal| seal.entry);
            if sealed[seat] != there {
                let [due, found] =
                    [there, sealed[seat]].map(|seq| seq.map_or("none".to_owned(), |seq| seq.to_string()));
                let what = format!("it lists the share that {seat} sealed");
                self.fault(Rule::ShareList, entry.seq, &what, &due, &found);
            }
        }
        self.listed_commitments(entry, body);
        self.history.open.retain(|open| open.asked.decision != body.decision);
        if seed.list.is_some() {
            let what = "one list of shares is made for each share of the host's";
            return self.fault(Rule::OneList, entry.seq, what, &"no other list", &"a second list");
        }
        if let Some(seed) = self.history.seeds.last_mut() {
            seed.list = Some(ShareListRecord { entry: entry.seq, leaf, at: entry.at, sealed });
        }
    }

    fn sealed_share(&self, body: &ShareList, seat: Seat) -> Option<&SealRecord> {
        self.history
            .seals
            .iter()
            .find(|seal| seal.asked.is_some() && seal.decision == body.decision && seal.whose == Party::Seat(seat))
    }

    fn listed_commitments(&mut self, entry: &Entry, body: &ShareList) {
        let listed = BySeat::from(body.commitments);
        for seat in Seat::BOTH {
            let due = self.sealed_share(body, seat).and_then(|seal| seal.commitments.first()).copied();
            if listed[seat] != due {
                let [due, found] = [due, listed[seat]].map(|commitment| words(commitment.as_ref()));
                let what = format!("it lists the commitment that {seat} sealed");
                self.fault(Rule::ListCommits, entry.seq, &what, &due, &found);
            }
        }
    }

    pub(super) fn share_openings(&mut self, entry: &Entry, body: &ShareOpenings) {
        self.by_host(entry);
        for opening in &body.openings {
            self.opening(entry.seq, opening);
        }
        self.history.trees.push((entry.seq, body.tree));
        let before = self.history.seeds.iter().filter(|seed| seed.opened.is_some()).count();
        if body.ordinal as usize != before {
            let what = "lists of openings are counted without gaps";
            self.fault(Rule::SeedCounted, entry.seq, what, &before, &body.ordinal);
        }
        let seed = self.history.seeds.last().filter(|seed| seed.fixed.is_none() && seed.given_up.is_none());
        let Some(list) = seed.and_then(|seed| seed.list.clone()) else {
            let what = "shares are listed before they are opened";
            return self.fault(Rule::SeedOpens, entry.seq, what, &"a list", &"none");
        };
        if seed.is_some_and(|seed| seed.opened.is_some()) {
            let what = "one list of openings is made for each list of shares";
            self.fault(Rule::OneOpening, entry.seq, what, &"no other list", &"a second list");
        }
        if body.listed != list.entry.0 {
            self.fault(Rule::SeedOpens, entry.seq, "it opens what was listed last", &list.entry, &body.listed);
        }
        self.covers(entry.seq, list.entry, body.tree);
        let mut opened = ShareOpeningsRecord {
            entry: entry.seq,
            given: BySeat::default(),
            came: body.came.into(),
            signed: BySeat::default(),
        };
        for seat in Seat::BOTH {
            self.opening_came(entry, &list, seat, body);
            let Some(sealed) = list.sealed[seat] else { continue };
            if !body.openings.iter().any(|opening| opening.entry == sealed.0) {
                continue;
            }
            let given = self.given(entry.seq, seat, sealed, &body.openings);
            let value = given.as_ref().map(Share::to_hex);
            let signature = BySeat::from(body.signatures)[seat];
            opened.signed[seat] = signature
                .zip(value)
                .is_some_and(|(signature, value)| self.opening_signature(entry, &list, seat, &value, &signature));
            opened.given[seat] = given;
        }
        self.opens_listed(entry, &list, body);
        if let Some(seed) = self.history.seeds.last_mut() {
            seed.opened = Some(opened);
        }
    }

    fn opens_listed(&mut self, entry: &Entry, list: &ShareListRecord, body: &ShareOpenings) {
        let in_order: Vec<u32> =
            list.sealed.each().iter().filter_map(|(_, sealed)| sealed.map(|sealed| sealed.0)).collect();
        let mut due = in_order.iter();
        if !body.openings.iter().all(|opening| due.any(|entry| *entry == opening.entry)) {
            let what = "it opens listed shares and nothing else, in the order of the seats";
            let due = in_order.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            let found: Vec<String> = body.openings.iter().map(|opening| opening.entry.to_string()).collect();
            self.fault(Rule::OpensListed, entry.seq, what, &due, &found.join(" "));
        }
    }

    /// Checks the time of a seat's opening, and that a share is left out only once its time was up.
    fn opening_came(&mut self, entry: &Entry, list: &ShareListRecord, seat: Seat, body: &ShareOpenings) {
        let (came, signature) = (BySeat::from(body.came)[seat], BySeat::from(body.signatures)[seat]);
        let there =
            list.sealed[seat].is_some_and(|sealed| body.openings.iter().any(|opening| opening.entry == sealed.0));
        if !there && (came.is_some() || signature.is_some()) || came.is_none() && signature.is_some() {
            let what = format!("what is said of an opening of {seat} belongs to one that came");
            self.fault(
                Rule::OpeningWhole,
                entry.seq,
                &what,
                &"an opening, and when it came",
                &"neither or one of them",
            );
        }
        let deadline = list.deadline();
        if list.sealed[seat].is_some() && !there && entry.at <= deadline {
            let what = format!("the share of {seat} is waited for until its time is up");
            self.fault(Rule::OpeningInTime, entry.seq, &what, &format!("after {deadline}"), &entry.at);
        }
        let Some(came) = came else { return };
        if came < list.at {
            self.fault(
                Rule::OpeningInTime,
                entry.seq,
                "an opening comes after the list of the shares",
                &list.at,
                &came,
            );
        }
        if came > deadline {
            self.fault(Rule::OpeningInTime, entry.seq, "an opening comes before its time is up", &deadline, &came);
        }
        if came > entry.at {
            self.fault(Rule::OpeningInTime, entry.seq, "it came before it entered the record", &entry.at, &came);
        }
    }

    fn opening_signature(
        &mut self,
        entry: &Entry,
        list: &ShareListRecord,
        seat: Seat,
        value: &str,
        signature: &OpenSignature,
    ) -> bool {
        let sealed = self.history.seals.iter().find(|seal| Some(seal.entry) == list.sealed[seat]);
        let Some((key, decision)) = self.history.keys[seat].zip(sealed.map(|seal| seal.decision.clone())) else {
            self.fault(
                Rule::OpeningSigned,
                entry.seq,
                "a signature is by the seat's key",
                &"a key of the seat",
                &"none",
            );
            return false;
        };
        self.covers(entry.seq, list.entry, signature.tree);
        let message = OpenMessage {
            origin: &self.history.origin,
            match_id: self.history.match_id,
            decision: &decision,
            seat: SeatWord(seat).sealer(),
            listed: list.leaf,
            value,
            seen: (TreeSize(signature.tree.size), signature.tree.root),
        };
        let checked = message.check(&key.key, &signature.signature);
        if let Err(why) = checked {
            let expected = format!("a signature by the key of entry {}", key.entry);
            self.fault(Rule::OpeningSigned, entry.seq, &why.to_string(), &expected, &signature.signature);
        }
        checked.is_ok()
    }

    pub(super) fn covers(&mut self, entry: Seq, list: Seq, tree: Tree) {
        if tree.size <= u64::from(list.0) {
            let due = format!("more than {list} leaves");
            self.fault(Rule::SeedTree, entry, "the tree that it names covers the list", &due, &tree.size);
        }
    }

    fn given(&mut self, entry: Seq, seat: Seat, sealed: Seq, openings: &[Opening]) -> Option<Share> {
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
}

fn words(commitment: Option<&Commitment>) -> String {
    commitment.map_or_else(|| "none".to_owned(), ToString::to_string)
}

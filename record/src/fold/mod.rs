//! Folds the entries of a match to its history.
//!
//! The fold reports faults and goes on as far as it can; it never fails. A broken invariant is a [`Fault`] with a
//! place, both for the page and for the verification.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use engine::BySeat;
use ledger::{Commitment, DecisionId, Entry, Field, Hash, Head, Kind, Moment, Origin, PlayerKey, Sealer, Seq};

use crate::body::{Body, Opened, OpenedKey, Opening};
use crate::history::{Fault, History, Remark};
use crate::private_openings::Secrets;
use crate::rule::Rule;
use crate::text::{CommittedText, TextPlace, Texts};

mod all_final;
mod announced;
mod ask;
mod author;
mod beacon_round;
mod clock;
mod draw;
mod early_close;
mod end;
mod import;
mod incremental;
mod link;
mod objection;
mod open;
mod replaced;
mod ruling;
mod seal;
mod seed;
mod share;
mod signed;
mod step;
mod strike;
mod wait;

use open::opening;

pub use incremental::IncrementalFold;

pub(crate) use open::Unopened;
pub(crate) use strike::{REASON_ELSEWHERE, decision_line, withheld};

/// Folds a chain. `secrets` are the caller's openings, beside those in the entries; `texts` are the texts that still
/// exist.
pub fn fold(
    origin: &Origin,
    entries: &[Entry],
    leaves: &[Hash],
    texts: &Texts,
    secrets: &Secrets,
) -> Result<History, String> {
    fold_read(origin, entries, Body::read_all(entries), leaves, texts, secrets)
}

/// Folds a chain whose bodies are already read ([`Body::read_all`]), like [`fold`].
pub fn fold_read(
    origin: &Origin,
    entries: &[Entry],
    bodies: Vec<Result<Body, String>>,
    leaves: &[Hash],
    texts: &Texts,
    secrets: &Secrets,
) -> Result<History, String> {
    fold_opened(origin, entries, bodies, leaves, texts, secrets).map_err(Unopened::into_sentence)
}

pub(crate) fn fold_opened(
    origin: &Origin,
    entries: &[Entry],
    bodies: Vec<Result<Body, String>>,
    leaves: &[Hash],
    texts: &Texts,
    secrets: &Secrets,
) -> Result<History, Unopened> {
    let mut bodies = bodies.into_iter();
    let (first, opened) = opening(entries.first(), bodies.next())?;
    let mut fold = Fold::open(origin, first, opened, texts, secrets)?;
    fold.ended_at = entries.iter().rev().find(|entry| entry.kind == Kind::Ended).map(|entry| entry.seq);
    fold.learn(bodies.as_slice().iter().flatten());
    if let Some(leaf) = leaves.first() {
        fold.stands_at(first, *leaf);
    }
    for ((entry, leaf), body) in entries.iter().zip(leaves).skip(1).zip(bodies) {
        fold.entry(entry, *leaf, body);
        fold.stands_at(entry, *leaf);
    }
    fold.recompute();
    let mut history = fold.history;
    history.stray_texts = fold.stray.into_iter().collect();
    Ok(history)
}

struct Fold<'a> {
    history: History,
    texts: &'a Texts,
    /// Every known opening, by the commitment's place.
    known: BTreeMap<(Seq, Field), String>,
    later_keys: BTreeMap<Seq, OpenedKey>,
    secrets: &'a Secrets,
    stray: BTreeSet<Commitment>,
    commitments: HashSet<Commitment>,
    /// The number of the submission that counted, by decision and seat.
    ordinals: BTreeMap<(DecisionId, Sealer), u32>,
    /// A question may wait for the umpire although clocks start at once: nothing has been played since the match was
    /// opened, or set back.
    awaits: bool,
    /// A key that entered while a question was open: what comes next shows that its time was up.
    key_amid: Option<Seq>,
    defaulted: BTreeSet<(DecisionId, Sealer)>,
    /// The last end of the match, with which every text that was sealed before it opened.
    ended_at: Option<Seq>,
}

impl<'a> Fold<'a> {
    fn open(
        origin: &Origin,
        first: &Entry,
        opened: Opened,
        texts: &'a Texts,
        secrets: &'a Secrets,
    ) -> Result<Self, Unopened> {
        let words = open::game_words(origin, first, &opened, texts);
        let (setup, start) = open::start(&opened, &words)?;
        let history = History::new(origin, first, opened, setup, start);
        let mut fold = Self {
            history,
            texts,
            known: BTreeMap::new(),
            later_keys: BTreeMap::new(),
            secrets,
            stray: texts.keys().copied().collect(),
            commitments: HashSet::new(),
            ordinals: BTreeMap::new(),
            defaulted: BTreeSet::new(),
            key_amid: None,
            awaits: true,
            ended_at: None,
        };
        fold.check_author(first);
        fold.opened_clocks(first);
        fold.opened_eyes(first);
        fold.opened_wait(first);
        fold.opened_early(first);
        fold.opened_beacon(first);
        // Every receipt of the match hangs on it.
        if let Err(why) = fold.history.opened.host_key.parse::<PlayerKey>() {
            let found = fold.history.opened.host_key.clone();
            fold.fault(Rule::HostKey, first.seq, &format!("the host's key: {why}"), &"an Ed25519 public key", &found);
        }
        let (names, event) = (fold.history.opened.names, fold.history.opened.event);
        fold.history.names =
            BySeat { p1: fold.word(first.seq, "p1", names.p1), p2: fold.word(first.seq, "p2", names.p2) };
        fold.history.event = event.map(|event| fold.word(first.seq, "event", event));
        fold.game_words(first, &words);
        let tags = fold.history.opened.tags.clone();
        fold.history.tags =
            tags.into_iter().enumerate().map(|(n, tag)| fold.word(first.seq, &format!("tag-{n}"), tag)).collect();
        Ok(fold)
    }

    fn learn<'b>(&mut self, bodies: impl Iterator<Item = &'b Body>) {
        for (place, secret) in self.secrets {
            self.known.insert(place.clone(), secret.value.clone());
        }
        for body in bodies {
            for Opening { entry, field, value, .. } in body.openings() {
                self.known.insert((Seq(*entry), field.clone()), value.clone());
            }
            if let Body::Unsealed(body) = body {
                for opened in &body.keys {
                    self.later_keys.entry(Seq(opened.entry)).or_insert_with(|| opened.clone());
                }
            }
        }
    }

    fn fault(&mut self, rule: Rule, entry: Seq, text: &str, expected: &dyn ToString, found: &dyn ToString) {
        let (expected, found) = (expected.to_string(), found.to_string());
        self.history.faults.push(Fault { rule, entry, text: text.to_owned(), expected, found });
    }

    fn word(&mut self, entry: Seq, field: &str, commitment: Commitment) -> CommittedText {
        let Ok(field) = field.parse::<Field>() else { return CommittedText::Withdrawn };
        let Some(text) = self.texts.get(&commitment) else { return CommittedText::Withdrawn };
        self.stray.remove(&commitment);
        let place = TextPlace { origin: &self.history.origin, match_id: self.history.match_id, seq: entry };
        match place.check(&field, text, &commitment) {
            Ok(()) => CommittedText::Text(text.text.clone()),
            Err(_) => {
                let what = format!("the text given for \"{field}\" is not the one that was committed to");
                self.fault(Rule::TextOpens, entry, &what, &"the text behind the commitment", &text.text);
                CommittedText::Withdrawn
            }
        }
    }

    fn entry(&mut self, entry: &Entry, leaf: Hash, body: Result<Body, String>) {
        let body = match body {
            Ok(body) => body,
            Err(why) => {
                return self.fault(Rule::Body, entry.seq, "its body does not read", &"a body of its kind", &why);
            }
        };
        self.check_author(entry);
        self.keys_are_not_amid(&body);
        self.disturbs_rounds(entry, &body);
        // The step that was awaited has come.
        self.awaits &= !matches!(body, Body::Resolved(_) | Body::Announced(_) | Body::Drawn(_) | Body::FixedSeed(_));
        match body {
            Body::Opened(_) => {
                self.fault(Rule::OpensOnce, entry.seq, "a match opens once", &"another kind", &Kind::Opened);
            }
            Body::Key(body) => self.key(entry, &body),
            Body::Linked(body) => self.linked(entry, body),
            Body::Asked(body) => self.asked(entry, leaf, body),
            Body::Sealed(body) => self.sealed(entry, body),
            Body::Resolved(body) => self.resolved(entry, body),
            Body::Announced(body) => self.announced(entry, body),
            Body::Drawn(body) => self.drawn(entry, body),
            Body::HostShare(body) => self.host_share(entry, leaf, &body),
            Body::ShareList(body) => self.share_list(entry, leaf, &body),
            Body::ShareOpenings(body) => self.share_openings(entry, &body),
            Body::FixedSeed(body) => self.fixed_seed(entry, &body),
            Body::KeyBatch(body) => self.key_batch(entry, &body),
            Body::NamedRound(body) => self.named_round(entry, &body),
            Body::SignedRound(body) => self.signed_round(entry, &body),
            Body::Paused(body) => self.paused(entry, &body),
            Body::Resumed(body) => self.resumed(entry, &body),
            Body::Extended(body) => self.extended(entry, &body),
            Body::Ruled(body) => self.ruled(entry, &body),
            Body::Handed(body) => self.handed(entry, body),
            Body::Noted(body) => {
                let text = self.word(entry.seq, "text", body.text);
                self.remark(entry, Remark { ruling: false, ..remark(entry, text) });
            }
            Body::Objected(body) => self.objected(entry, &body),
            Body::Struck(body) => {
                self.awaits = true;
                self.struck(entry, &body);
            }
            Body::Ended(body) => self.ended(entry, &body),
            Body::Unsealed(body) => self.unsealed(entry, body),
            Body::Imported(body) => self.imported(entry, body),
            Body::Registered(_) | Body::Rotated(_) | Body::Revoked(_) => {
                let what = "a player's key belongs in the player's chain, and not in a match";
                self.fault(Rule::Body, entry.seq, what, &"an entry of a match", &entry.kind);
            }
        }
    }

    fn stands_at(&mut self, entry: &Entry, leaf: Hash) {
        let head = Head { next: Seq(entry.seq.0.saturating_add(1)), leaf };
        self.history.is_chained &= (entry.seq, entry.prev) == (self.history.head.next, self.history.head.leaf);
        if self.history.head == Head::GENESIS {
            self.history.opened_leaf = leaf;
        }
        if !matches!(entry.kind, Kind::Key | Kind::Linked) {
            self.history.quiet_heads.clear();
        }
        self.history.quiet_heads.push(head);
        self.history.head = head;
        self.history.last_at = entry.at;
    }

    fn remark(&mut self, _: &Entry, remark: Remark) {
        let after_step = u32::try_from(self.history.steps.len()).unwrap_or(u32::MAX);
        self.history.remarks.push(Remark { after_step, ..remark });
    }
}

fn remark(entry: &Entry, text: CommittedText) -> Remark {
    let (by, at): (_, Moment) = (entry.by.clone(), entry.at);
    Remark {
        entry: entry.seq,
        by,
        at,
        text,
        rule: None,
        ruling: false,
        objects: None,
        result: None,
        does: None,
        after_step: 0,
    }
}

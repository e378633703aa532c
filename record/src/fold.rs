//! Folds the entries of a match to its history.
//!
//! The fold reports what it finds wrong and goes on as far as it can; it never fails. A broken invariant is a
//! [`Fault`] with a place, for the page as for the verification.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use engine::{Ask, BySeat, Decision, Duel, Effect, Opens, Outcome, Row, Seat, Setup, To, Verdict};
use ledger::{Commitment, DecisionId, Entry, Field, Hash, Kind, Moment, Origin, SealKey, SealMessage, Seq};

use crate::body::{Asked, Body, Decided, Imported, Instead, Opened, Opening, Resolved, Ruled, Sealed, Seated, Struck};
use crate::digest::state_digest;
use crate::history::{
    Correction, Fault, History, OpenDecision, Remark, SealRecord, SealUse, StepRecord, StepSource, Strike,
};
use crate::secret::{Secret, Secrets};
use crate::word::{Said, Texts, WordPlace};

/// The reason that stands in an imported match's steps, where the text is a commitment of its own.
pub(crate) const REASON_ELSEWHERE: &str = "*";

/// Folds a chain. `secrets` are openings that the caller holds beside those in the entries; `texts` the words that
/// still exist.
///
/// # Errors
/// A sentence, where the first entry does not open a match that this program knows.
pub fn fold(
    origin: &Origin,
    entries: &[Entry],
    leaves: &[Hash],
    texts: &Texts,
    secrets: &Secrets,
) -> Result<History, String> {
    let first = entries.first().ok_or("the match has no entries")?;
    let opened = match Body::read(first)? {
        Body::Opened(opened) => opened,
        _ => return Err("the first entry does not open a match".to_owned()),
    };
    let mut fold = Fold::open(origin, first, opened, texts, secrets)?;
    fold.learn(entries);
    for (entry, leaf) in entries.iter().zip(leaves).skip(1) {
        fold.entry(entry, *leaf);
    }
    let mut history = fold.history;
    history.stray_texts = fold.stray.into_iter().collect();
    if let (Some(last), Some(leaf)) = (entries.last(), leaves.last()) {
        history.last_at = last.at;
        history.head = ledger::Head { next: Seq(last.seq.0.saturating_add(1)), leaf: *leaf };
    }
    Ok(history)
}

struct Fold<'a> {
    history: History,
    texts: &'a Texts,
    /// Every opening that is known, by the commitment's place.
    known: BTreeMap<(Seq, Field), String>,
    secrets: &'a Secrets,
    /// The texts that no commitment has asked for yet.
    stray: BTreeSet<Commitment>,
    /// The commitments so far: an identical one is refused.
    commitments: HashSet<Commitment>,
    /// Seals that `struck` entries hold, by entry and name.
    resealed: BTreeMap<(Seq, Field), (Seated, Commitment)>,
}

/// What a step's line says and what stands behind it.
struct Line {
    /// As the entry gives it.
    public: String,
    /// With everything that is known filled in; none where something is still closed.
    full: Option<String>,
    seals: Vec<SealUse>,
    digest: Hash,
    source: StepSource,
}

impl<'a> Fold<'a> {
    fn open(
        origin: &Origin,
        first: &Entry,
        opened: Opened,
        texts: &'a Texts,
        secrets: &'a Secrets,
    ) -> Result<Self, String> {
        let ruleset = engine::ruleset(&opened.ruleset).map_err(|error| error.to_string())?;
        let ours: BTreeMap<String, String> =
            ruleset.options().into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        if opened.rules != crate::write::RULES_VERSION || opened.options != ours {
            return Err("it was opened under a version of the rules that this program does not know".to_owned());
        }
        let setup = Setup {
            ruleset: opened.ruleset.clone(),
            options: Vec::new(),
            dmo: opened.dmo.map(|seat| seat.0),
            items: opened.items.clone().into(),
        };
        let start = ruleset.open(&setup).map_err(|error| error.to_string())?;
        let history = History {
            origin: origin.clone(),
            match_id: first.match_id,
            umpire: first.by.clone(),
            opened_at: first.at,
            setup,
            names: BySeat { p1: Said::Withdrawn, p2: Said::Withdrawn },
            event: None,
            tags: Vec::new(),
            start,
            steps: Vec::new(),
            strikes: Vec::new(),
            remarks: Vec::new(),
            open: Vec::new(),
            seals: Vec::new(),
            decisions: 0,
            source: None,
            ended: None,
            head: ledger::Head::GENESIS,
            last_at: first.at,
            faults: Vec::new(),
            closed_at: None,
            trees: Vec::new(),
            stray_texts: Vec::new(),
            opened,
        };
        let mut fold = Self {
            history,
            texts,
            known: BTreeMap::new(),
            secrets,
            stray: texts.keys().copied().collect(),
            commitments: HashSet::new(),
            resealed: BTreeMap::new(),
        };
        let (names, event) = (fold.history.opened.names, fold.history.opened.event);
        fold.history.names =
            BySeat { p1: fold.word(first.seq, "p1", names.p1), p2: fold.word(first.seq, "p2", names.p2) };
        fold.history.event = event.map(|event| fold.word(first.seq, "event", event));
        let tags = fold.history.opened.tags.clone();
        fold.history.tags =
            tags.into_iter().enumerate().map(|(n, tag)| fold.word(first.seq, &format!("tag-{n}"), tag)).collect();
        Ok(fold)
    }

    /// Gathers every opening, wherever it stands: what a step needs may be opened by a later entry.
    fn learn(&mut self, entries: &[Entry]) {
        for (place, secret) in self.secrets {
            self.known.insert(place.clone(), secret.value.clone());
        }
        for (place, secret) in crate::secret::openings(entries) {
            self.known.insert(place, secret.value);
        }
    }

    fn fault(&mut self, finding: u8, entry: Seq, text: &str, expected: &dyn ToString, found: &dyn ToString) {
        let (expected, found) = (expected.to_string(), found.to_string());
        self.history.faults.push(Fault { finding, entry, text: text.to_owned(), expected, found });
    }

    /// Checks a commitment to a text, and gives the text while it exists.
    fn word(&mut self, entry: Seq, field: &str, commitment: Commitment) -> Said {
        let Ok(field) = field.parse::<Field>() else { return Said::Withdrawn };
        let Some(text) = self.texts.get(&commitment) else { return Said::Withdrawn };
        self.stray.remove(&commitment);
        let place = WordPlace { origin: &self.history.origin, match_id: self.history.match_id, seq: entry };
        match place.check(&field, text, &commitment) {
            Ok(()) => Said::Text(text.text.clone()),
            Err(_) => {
                let what = format!("the text given for \"{field}\" is not the one that was committed to");
                self.fault(1, entry, &what, &"the text behind the commitment", &text.text);
                Said::Withdrawn
            }
        }
    }

    fn entry(&mut self, entry: &Entry, leaf: Hash) {
        let body = match Body::read(entry) {
            Ok(body) => body,
            Err(why) => return self.fault(1, entry.seq, "its body does not read", &"a body of its kind", &why),
        };
        match body {
            Body::Opened(_) => self.fault(1, entry.seq, "a match opens once", &"another kind", &Kind::Opened),
            Body::Asked(body) => self.asked(entry, leaf, body),
            Body::Sealed(body) => self.sealed(entry, body),
            Body::Resolved(body) => self.resolved(entry, body),
            Body::Ruled(body) => self.ruled(entry, &body),
            Body::Noted(body) => {
                let text = self.word(entry.seq, "text", body.text);
                self.remark(entry, Remark { ruling: false, ..remark(entry, text) });
            }
            Body::Struck(body) => self.struck(entry, &body),
            Body::Ended(body) => {
                self.history.ended = Some((entry.seq, entry.at));
                self.history.open.clear();
                let outcome = self.history.outcome();
                let ours = (outcome.tag(), outcome.reason(), self.history.steps.len());
                let theirs = (body.result.as_str(), body.reason.as_str(), body.steps as usize);
                if self.history.closed_at.is_none() && ours != theirs {
                    self.fault(
                        6,
                        entry.seq,
                        "the result differs from the replay",
                        &format!("{ours:?}"),
                        &format!("{theirs:?}"),
                    );
                }
            }
            Body::Unsealed(body) => {
                for opening in &body.openings {
                    self.opening(entry.seq, opening);
                }
            }
            Body::Imported(body) => self.imported(entry, body),
            Body::Other(_) => {}
        }
    }

    fn remark(&mut self, _: &Entry, remark: Remark) {
        let after_step = u32::try_from(self.history.steps.len()).unwrap_or(u32::MAX);
        self.history.remarks.push(Remark { after_step, ..remark });
    }

    fn asked(&mut self, entry: &Entry, leaf: Hash, asked: Asked) {
        self.history.decisions += 1;
        let id = format!("d{}", self.history.decisions);
        if asked.decision.as_str() != id {
            self.fault(1, entry.seq, "decisions are numbered without gaps", &id, &asked.decision);
        }
        self.asks(entry, &asked);
        self.history.open.push(OpenDecision { asked, entry: entry.seq, leaf, at: entry.at, sealed: Vec::new() });
    }

    /// Holds a question against those that the state puts.
    fn asks(&mut self, entry: &Entry, asked: &Asked) {
        let (fields, seats) = (words(asked.fields.iter()), words(asked.seats.iter().map(|seat| seat.0)));
        let found = format!("{} of {seats}: {fields}", asked.what);
        let due: Vec<String> = self.history.duel().asks().iter().map(question).collect();
        if self.history.closed_at.is_none() && !due.contains(&found) {
            self.fault(6, entry.seq, "it asks what the rules ask", &due.join("; "), &found);
        }
    }

    fn sealed(&mut self, entry: &Entry, sealed: Sealed) {
        let Some(open) = self.history.open.iter_mut().find(|open| open.asked.decision == sealed.decision) else {
            let decision = sealed.decision;
            return self.fault(
                3,
                entry.seq,
                "it seals for a decision that is not open",
                &"an open decision",
                &decision,
            );
        };
        let (asked, leaf, fields) = (open.entry, open.leaf, open.asked.fields.clone());
        let (deadline, due) = (open.asked.deadline, sealed.commitments.len());
        let is_asked = open.asked.seats.contains(&sealed.seat);
        let again = open.sealed.iter().any(|(_, other)| other.seat == sealed.seat);
        open.sealed.push((entry.seq, sealed.clone()));
        if !is_asked {
            self.fault(
                3,
                entry.seq,
                "it seals for a seat that was not asked",
                &"a seat that was asked",
                &sealed.seat.0,
            );
        }
        if again {
            let seat = sealed.seat.0;
            self.fault(3, entry.seq, "a seat's counting seals enter once for a decision", &"no other seal", &seat);
        }
        if due != fields.len() {
            self.fault(3, entry.seq, "it holds a seal for every field that was asked", &fields.len(), &due);
        }
        if sealed.came > entry.at {
            self.fault(4, entry.seq, "it came before it entered the record", &entry.at, &sealed.came);
        }
        if let Some(deadline) = deadline.filter(|deadline| sealed.came > *deadline) {
            self.fault(4, entry.seq, "it came after the deadline", &deadline, &sealed.came);
        }
        for commitment in &sealed.commitments {
            if !self.commitments.insert(*commitment) {
                self.fault(3, entry.seq, "the same seal stands twice in the match", &"a seal of its own", &commitment);
            }
        }
        let opened_by = vec![None; fields.len()];
        let (by, at) = (entry.by.clone(), entry.at);
        self.history.seals.push(SealRecord { entry: entry.seq, by, at, sealed, asked, leaf, fields, opened_by });
    }

    /// Checks one opening against its commitment, before its value means anything.
    fn opening(&mut self, entry: Seq, opening: &Opening) {
        let place = Seq(opening.entry);
        let Ok(key) = SealKey::from_hex(&opening.key) else {
            return self.fault(3, entry, "an opening has a key of 64 hex digits", &"a key", &"another text");
        };
        let (origin, match_id) = (self.history.origin.clone(), self.history.match_id);
        let check = |decision: &DecisionId, seat: Seated, asked: Hash, commitment: &Commitment| {
            let (seat, field, value) = (seat.sealer(), &opening.field, opening.value.as_str());
            SealMessage { origin: &origin, match_id, decision, seat, field, asked, value }.open(&key, commitment)
        };
        let opened = if let Some(seal) = self.history.seals.iter_mut().find(|seal| seal.entry == place) {
            let at = seal.fields.iter().position(|field| *field == opening.field);
            let commitment = at.and_then(|at| seal.sealed.commitments.get(at).copied());
            if let Some(opened_by) = at.and_then(|at| seal.opened_by.get_mut(at)) {
                *opened_by = Some(entry);
            }
            commitment
                .map(|commitment| (check(&seal.sealed.decision, seal.sealed.seat, seal.leaf, &commitment), commitment))
        } else {
            let held = self.resealed.get(&(place, opening.field.clone())).copied();
            held.and_then(|(seat, commitment)| {
                let decision = format!("struck-{}", place.0).parse().ok()?;
                Some((check(&decision, seat, Hash::ZERO, &commitment), commitment))
            })
        };
        match opened {
            None => {
                let place = format!("entry {}, {}", place.0, opening.field);
                self.fault(3, entry, "it opens a seal that is not there", &"a seal", &place);
            }
            Some((Err(_), commitment)) => {
                let what = format!("the opening of entry {}, {}, does not open its seal", place.0, opening.field);
                self.fault(3, entry, &what, &commitment, &format!("another seal, for \"{}\"", opening.value));
            }
            Some((Ok(()), _)) => {}
        }
    }

    fn resolved(&mut self, entry: &Entry, body: Resolved) {
        for opening in &body.openings {
            self.opening(entry.seq, opening);
        }
        self.history.trees.push((entry.seq, body.tree));
        let Some(at) = self.history.open.iter().position(|open| open.asked.decision == body.decision) else {
            return self.fault(
                6,
                entry.seq,
                "it resolves a decision that is not open",
                &"an open decision",
                &body.decision,
            );
        };
        let open = self.history.open.remove(at);
        // A window that the next round's line closes is a decision without an answer.
        self.history.open.retain(|other| other.entry > open.entry);
        if body.step != self.history.next_step() {
            self.fault(6, entry.seq, "steps are numbered without gaps", &self.history.next_step(), &body.step);
        }
        let mut seals = Vec::new();
        let mut moves = BySeat { p1: None, p2: None };
        let mut whole = true;
        let counted = BySeat::from(body.counted);
        let hideable = self.hideable(&open.asked.what);
        for seat in Seat::BOTH {
            if !open.asked.seats.contains(&Seated(seat)) {
                continue;
            }
            let Some(counted) = counted[seat] else {
                if let Some((sealed, _)) = open.sealed.iter().find(|(_, sealed)| sealed.seat.0 == seat) {
                    let what = format!("{seat} sealed, and its default is said to have applied");
                    self.fault(3, entry.seq, &what, &format!("entry {sealed}"), &"nothing that counts");
                }
                moves[seat] = Some("-".to_owned());
                continue;
            };
            if body.tree.size <= u64::from(counted) {
                let what = format!("the tree that it names covers the seal of {seat}");
                self.fault(3, entry.seq, &what, &format!("more than {counted} leaves"), &body.tree.size);
            }
            if !open.sealed.iter().any(|(place, sealed)| place.0 == counted && sealed.seat.0 == seat) {
                let what = format!("what counts for {seat} is a seal of this decision");
                self.fault(3, entry.seq, &what, &"a seal of this seat", &format!("entry {counted}"));
            }
            let mut values = Vec::new();
            for field in &open.asked.fields {
                let place = (Seq(counted), field.clone());
                let opened = body.openings.iter().any(|opening| opening.entry == counted && opening.field == *field);
                if !opened && !hideable.contains(&field.as_str()) {
                    let what = format!("it opens the {field} of {seat}, which the step shows");
                    self.fault(3, entry.seq, &what, &"its opening", &"none");
                }
                let value = self.known.get(&place).cloned();
                whole &= value.is_some();
                values.push(value.unwrap_or_else(|| "?".to_owned()));
                seals.push(SealUse { seat, field: field.clone(), entry: place.0, name: field.clone() });
            }
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            moves[seat] = Some(self.history.duel().join(&values));
        }
        let full = whole.then(|| self.history.duel().line(&moves));
        if full.is_none() || self.history.closed_at.is_some() {
            self.shows(entry, &moves, &body.dmn);
        }
        let source = StepSource::Decision(body.decision);
        self.play(entry, Line { public: body.dmn, full, seals, digest: body.digest, source });
    }

    /// Holds a line that cannot be replayed yet against what its openings give. A value that is known from elsewhere
    /// may still stand in it as `?`.
    fn shows(&mut self, entry: &Entry, moves: &BySeat<Option<String>>, dmn: &str) {
        let given = self.history.duel().line(moves);
        let moves_of = |line: &str| line.split_once(". ").map_or(line, |(_, moves)| moves).to_owned();
        let (given, said) = (moves_of(&given), moves_of(dmn));
        let agree = |(given, said): (&str, &str)| {
            given == said || said.split_once('?').is_some_and(|(before, _)| given.starts_with(before))
        };
        if given.split(' ').any(|word| word == "?") {
            // A whole move without its opening is a fault of its own.
            return;
        }
        let words = (given.split(' ').count(), said.split(' ').count());
        if words.0 != words.1 || !given.split(' ').zip(said.split(' ')).all(agree) {
            self.fault(6, entry.seq, "the step is not what the openings give", &given, &said);
        }
    }

    /// The fields of a question that may stay closed after the step.
    fn hideable(&self, what: &str) -> Vec<&'static str> {
        let fields = self.history.duel().asks().into_iter().filter(|ask| ask.what == what).flat_map(|ask| ask.fields);
        fields.filter(|field| field.opens == Opens::WhenItActs).map(|field| field.name).collect()
    }

    /// Plays a step, and holds what the record says of it against what the rules make of it.
    fn play(&mut self, entry: &Entry, line: Line) {
        let number = self.history.next_step();
        let mut record = StepRecord {
            number,
            entry: entry.seq,
            at: entry.at,
            source: line.source,
            text: None,
            public: line.public,
            moves: BySeat { p1: None, p2: None },
            keeps: Vec::new(),
            row: Row { round: number, begins: true },
            effects: Vec::new(),
            after: None,
            digest: line.digest,
            seals: line.seals,
        };
        if line.full.is_none() && self.history.closed_at.is_none() {
            self.history.closed_at = Some(number);
        }
        let before = self.history.before(number).cloned();
        if let (Some(full), Some(mut duel), None) = (line.full, before, self.history.closed_at) {
            let mut effects: Vec<Effect> = Vec::new();
            match duel.play(&full, Some(&mut effects)) {
                Ok(played) => {
                    let digest = state_digest(&duel);
                    // A match of the past hides nothing: its steps stand there in full.
                    let expected = if record.source == StepSource::Import { &played.text } else { &played.public };
                    if *expected != record.public {
                        let what = "the step is not what the openings give";
                        self.fault(6, entry.seq, what, expected, &record.public);
                    }
                    if digest != record.digest {
                        self.fault(6, entry.seq, "the state's digest differs from the replay", &digest, &record.digest);
                    }
                    record = StepRecord {
                        text: Some(played.text),
                        moves: played.moves,
                        keeps: played.keeps,
                        row: played.row,
                        effects,
                        after: Some(duel),
                        ..record
                    };
                }
                Err(refusal) => self.fault(6, entry.seq, "the rules refuse the step", &refusal.sentence(), &full),
            }
        }
        self.history.steps.push(record);
    }

    fn ruled(&mut self, entry: &Entry, body: &Ruled) {
        let text = self.word(entry.seq, "text", body.text);
        let reason = text.or(REASON_ELSEWHERE).to_owned();
        let result = body.result.as_ref().and_then(|decided| self.decided(entry, decided, &reason));
        self.remark(entry, Remark { rule: body.rule.clone(), result, ruling: true, ..remark(entry, text) });
    }

    fn decided(&mut self, entry: &Entry, decided: &Decided, reason: &str) -> Option<Outcome> {
        let Some(verdict) = verdict(&decided.verdict) else {
            self.fault(1, entry.seq, "a ruling decides for p1, p2, undecided or void", &"a verdict", &decided.verdict);
            return None;
        };
        if decided.step != self.history.next_step() {
            self.fault(6, entry.seq, "steps are numbered without gaps", &self.history.next_step(), &decided.step);
        }
        self.history.open.clear();
        let line = decision_line(verdict, reason);
        let (full, digest) = (Some(line.clone()), decided.digest);
        self.play(entry, Line { public: line, full, seals: Vec::new(), digest, source: StepSource::Ruling });
        Some(self.history.outcome())
    }

    fn struck(&mut self, entry: &Entry, body: &Struck) {
        let reason = self.word(entry.seq, "reason", body.reason);
        for instead in &body.steps {
            for seal in &instead.seals {
                if let Some(commitment) = seal.commitment {
                    self.resealed.insert((entry.seq, seal.name.clone()), (seal.seat, commitment));
                    if !self.commitments.insert(commitment) {
                        self.fault(
                            3,
                            entry.seq,
                            "the same seal stands twice in the match",
                            &"a seal of its own",
                            &commitment,
                        );
                    }
                }
            }
        }
        for opening in &body.openings {
            self.opening(entry.seq, opening);
        }
        let keep = usize::try_from(body.from).unwrap_or(usize::MAX).saturating_sub(1);
        if body.from == 0 || keep >= self.history.steps.len() {
            return self.fault(
                7,
                entry.seq,
                "it strikes a step that is not there",
                &self.history.steps.len(),
                &body.from,
            );
        }
        let struck = self.history.steps.split_off(keep);
        self.history.open.clear();
        self.history.ended = None;
        if self.history.closed_at.is_some_and(|closed| closed >= body.from) {
            self.history.closed_at = None;
        }
        if !body.steps.is_empty() && body.steps.len() != struck.len() {
            let what = "a correction keeps every later step";
            self.fault(7, entry.seq, what, &struck.len(), &body.steps.len());
        }
        for (n, instead) in body.steps.iter().enumerate() {
            self.instead(entry, instead, n == 0);
            let now = self.history.steps.last().and_then(|step| step.text.clone());
            let was = struck.get(n).and_then(|step| step.text.clone());
            if let (Some(was), Some(now)) = (was, now)
                && n > 0
                && was != now
            {
                let what = format!("step {} is kept as it was sent", body.from as usize + n);
                self.fault(7, entry.seq, &what, &was, &now);
            }
        }
        let correction = if body.steps.is_empty() { Correction::None } else { Correction::First };
        let (by, at, from) = (entry.by.clone(), entry.at, body.from);
        self.history.strikes.push(Strike { entry: entry.seq, by, at, from, reason, struck, correction });
    }

    fn instead(&mut self, entry: &Entry, instead: &Instead, changed: bool) {
        let mut full = Some(instead.dmn.clone());
        let mut seals = Vec::new();
        for seal in &instead.seals {
            let place = (Seq(seal.entry), seal.name.clone());
            // The sealed values of a line stand in it in the order of the seats.
            full = full.zip(self.known.get(&place)).map(|(line, value)| fill(&line, seal.seat.0, value));
            seals.push(SealUse { seat: seal.seat.0, field: seal.field.clone(), entry: place.0, name: place.1 });
        }
        let (public, digest) = (instead.dmn.clone(), instead.digest);
        self.play(entry, Line { public, full, seals, digest, source: StepSource::Correction { changed } });
    }

    fn imported(&mut self, entry: &Entry, body: Imported) {
        self.history.source = body.source.map(|source| self.word(entry.seq, "source", source));
        let mut reasons = BTreeMap::new();
        for (step, commitment) in &body.reasons {
            let said = self.word(entry.seq, &format!("reason-{step}"), *commitment);
            reasons.insert(*step, said.or(REASON_ELSEWHERE).to_owned());
        }
        let count = body.dmn.len();
        for (n, dmn) in body.dmn.into_iter().enumerate() {
            let number = self.history.next_step();
            let full = match reasons.get(&number) {
                Some(reason) => {
                    dmn.strip_suffix(REASON_ELSEWHERE).map_or(dmn.clone(), |line| format!("{line}{reason}"))
                }
                None => dmn,
            };
            // Only the last state has a digest of its own; the others are given by the steps.
            let digest = if n + 1 == count { body.digest } else { self.digest_after(&full) };
            let line =
                Line { public: full.clone(), full: Some(full), seals: Vec::new(), digest, source: StepSource::Import };
            self.play(entry, line);
        }
    }

    fn digest_after(&self, line: &str) -> Hash {
        let mut duel: Duel = self.history.duel().clone();
        match duel.play(line, None) {
            Ok(_) => state_digest(&duel),
            Err(_) => Hash::ZERO,
        }
    }
}

/// A question as a fault names it.
fn question(ask: &Ask) -> String {
    let seats = match ask.to {
        To::Both => words(Seat::BOTH.iter()),
        To::One(seat) => seat.to_string(),
        To::Host => String::new(),
    };
    format!("{} of {seats}: {}", ask.what, words(ask.fields.iter().map(|field| field.name)))
}

fn words(list: impl Iterator<Item = impl ToString>) -> String {
    list.map(|word| word.to_string()).collect::<Vec<_>>().join(" ")
}

fn remark(entry: &Entry, text: Said) -> Remark {
    let (by, at): (_, Moment) = (entry.by.clone(), entry.at);
    Remark { entry: entry.seq, by, at, text, rule: None, ruling: false, result: None, after_step: 0 }
}

/// The verdict of a word.
pub(crate) fn verdict(word: &str) -> Option<Verdict> {
    match word {
        "p1" => Some(Verdict::Won(Seat::P1)),
        "p2" => Some(Verdict::Won(Seat::P2)),
        "undecided" => Some(Verdict::Undecided),
        "void" => Some(Verdict::Void),
        _ => None,
    }
}

/// The line of an umpire's decision. A reason that the notation cannot hold stands outside it.
pub(crate) fn decision_line(verdict: Verdict, reason: &str) -> String {
    let elsewhere = Decision { verdict, reason: REASON_ELSEWHERE.to_owned() };
    Decision::new(verdict, reason).unwrap_or(elsewhere).to_string()
}

/// Puts a value in the place of the `?` in a seat's part of a line.
fn fill(line: &str, seat: Seat, value: &str) -> String {
    match (line.split_once('/'), seat) {
        (Some((p1, p2)), Seat::P1) => format!("{}/{p2}", p1.replacen('?', value, 1)),
        (Some((p1, p2)), Seat::P2) => format!("{p1}/{}", p2.replacen('?', value, 1)),
        (None, _) => line.replacen('?', value, 1),
    }
}

impl Secret {
    /// The opening that makes it public.
    #[must_use]
    pub fn opening(&self, entry: Seq, field: Field) -> Opening {
        Opening { entry: entry.0, field, key: self.key.to_hex(), value: self.value.clone() }
    }
}

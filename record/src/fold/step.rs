//! Steps: the record's lines, checked against the rules.

use engine::dmn::quotes::{split_outside_quotes, withhold};
use engine::games::declared::{OpensTo, Question};
use engine::{BySeat, Effect, Opens, Party, Place, Row, Seat, Word};
use ledger::{Entry, Hash, Seq};

use super::Fold;
use super::strike::withheld;
use crate::body::{Resolved, SeatWord};
use crate::decision::OpenDecision;
use crate::digest::state_digest;
use crate::history::{StepRecord, StepSource};
use crate::rule::Rule;
use crate::seal::SealUse;
use crate::share::SHARE;

/// True if a line was played as it is written, except that an answer in the place of `-` is the default.
fn is_spelled(full: &str, played: &str) -> bool {
    let is_default = |part: &str| part.split([' ', ':']).rfind(|word| !word.is_empty()) == Some("-");
    let parts = |line| split_outside_quotes(line, b'/').map(|(_, part)| part);
    parts(full).count() == parts(played).count()
        && parts(full).zip(parts(played)).all(|(full, played)| full == played || is_default(full))
}

pub(super) struct Line {
    pub(super) what: String,
    pub(super) public: String,
    /// The line with all known values; none while a value in it is still closed.
    pub(super) full: Option<String>,
    pub(super) seals: Vec<SealUse>,
    pub(super) digest: Hash,
    pub(super) source: StepSource,
}

struct Part {
    sent: String,
    whole: bool,
    seals: Vec<SealUse>,
}

impl Fold<'_> {
    pub(super) fn resolved(&mut self, entry: &Entry, body: Resolved) {
        for opening in &body.openings {
            self.opening(entry.seq, opening);
        }
        self.history.trees.push((entry.seq, body.tree));
        let Some(at) = self.history.open.iter().position(|open| open.asked.decision == body.decision) else {
            let what = "it resolves a decision that is not open";
            return self.fault(Rule::StepNumber, entry.seq, what, &"an open decision", &body.decision);
        };
        if self.history.open.get(at).is_some_and(|open| open.asked.what == SHARE) {
            let what = "shares are listed and then opened by the host";
            return self.fault(Rule::SharesAsked, entry.seq, what, &"a list of the shares", &"a step");
        }
        self.waited(entry, &body);
        self.is_without_texts(entry.seq, &body.dmn);
        let open = self.history.open.remove(at);
        let asks = self.history.duel().asks();
        if body.step != self.history.next_step() {
            self.fault(
                Rule::StepNumber,
                entry.seq,
                "steps are numbered without gaps",
                &self.history.next_step(),
                &body.step,
            );
        }
        self.early_close(entry, &open, &BySeat::from(body.counted));
        self.closed_by_finals(entry, &open);
        let hideable = self.hideable(&open.asked.what);
        let parts = BySeat::from_fn(|seat| self.part(entry.seq, &body, &open, seat, &hideable));
        let whole = parts.each().iter().all(|(_, part)| part.as_ref().is_none_or(|part| part.whole));
        let mut seals = Vec::new();
        let moves = parts.map(|part| {
            part.map(|part| {
                seals.extend(part.seals);
                part.sent
            })
        });
        let full = whole.then(|| self.history.duel().line(&moves));
        if full.is_none() || self.history.closed_at.is_some() {
            self.shows(entry, &moves, &body.dmn);
        }
        let source = StepSource::Decision(body.decision);
        let answered = open.to();
        let what = open.asked.what;
        self.play(entry, Line { what: what.clone(), public: body.dmn, full, seals, digest: body.digest, source });
        for seal in BySeat::from(body.counted).each().into_iter().filter_map(|(_, seal)| *seal) {
            self.open_texts(entry.seq, Some(Seq(seal)), &hideable);
        }
        self.acted(entry.seq, &hideable);
        if let Some(to) = answered {
            self.close(&asks, (&what, to));
        }
    }

    fn part(
        &mut self,
        entry: Seq,
        body: &Resolved,
        open: &OpenDecision,
        seat: Seat,
        hideable: &[Word],
    ) -> Option<Part> {
        let counted = BySeat::from(body.counted)[seat];
        if !open.asked.seats.contains(&SeatWord(seat)) {
            if let Some(counted) = counted {
                let what = format!("{seat} was not asked, and nothing of it counts");
                self.fault(Rule::Counted, entry, &what, &"none", &format!("entry {counted}"));
            }
            return None;
        }
        let Some(counted) = counted else {
            if let Some((sealed, _)) = open.sealed.iter().find(|(_, sealed)| sealed.seat.0 == seat) {
                let what = format!("{seat} sealed, and its default is said to have applied");
                self.fault(Rule::Defaulted, entry, &what, &format!("entry {sealed}"), &"nothing that counts");
            }
            return Some(Part { sent: "-".to_owned(), whole: true, seals: Vec::new() });
        };
        if body.tree.size <= u64::from(counted) {
            let what = format!("the tree that it names covers the seal of {seat}");
            self.fault(Rule::TreeCovers, entry, &what, &format!("more than {counted} leaves"), &body.tree.size);
        }
        if !open.sealed.iter().any(|(place, sealed)| place.0 == counted && sealed.seat.0 == seat) {
            let what = format!("what counts for {seat} is a seal of this decision");
            self.fault(Rule::Counted, entry, &what, &"a seal of this seat", &format!("entry {counted}"));
        }
        let (mut values, mut seals) = (Vec::new(), Vec::new());
        for field in &open.asked.fields {
            let opened = body.openings.iter().any(|opening| opening.entry == counted && opening.field == *field);
            let is_text = self.history.ruleset().is_text(field.as_str());
            if !opened && !is_text && !hideable.iter().any(|name| *name == field.as_str()) {
                let what = format!("it opens the {field} of {seat}, which the step shows");
                self.fault(Rule::StepOpens, entry, &what, &"its opening", &"none");
            }
            let hidden = hideable.iter().any(|name| *name == field.as_str());
            values.push(self.value(seat.into(), Seq(counted), field, hidden));
            seals.push(SealUse { whose: seat.into(), field: field.clone(), entry: Seq(counted), name: field.clone() });
        }
        let whole = values.iter().all(Option::is_some);
        let values: Vec<&str> = values.iter().map(|value| value.as_deref().unwrap_or("?")).collect();
        Some(Part { sent: self.history.duel().join(&open.asked.what, &values), whole, seals })
    }

    /// Checks a line that cannot be replayed yet against the values of its openings. A value that is known from
    /// elsewhere may still be `?` in it.
    fn shows(&mut self, entry: &Entry, moves: &BySeat<Option<String>>, dmn: &str) {
        let given = self.history.duel().line(moves);
        let moves_of = |line: &str| line.split_once(". ").map_or(line, |(_, moves)| moves).to_owned();
        let (given, said) = (moves_of(&withhold(&given)), moves_of(dmn));
        let agree = |(given, said): (&str, &str)| {
            given == said || said.split_once('?').is_some_and(|(before, _)| given.starts_with(before))
        };
        let defaults = self.history.ruleset().declaration().is_some() && given.split(' ').any(|word| word == "-");
        if defaults || given.split(' ').any(|word| word == "?") {
            // A whole move without its opening is a separate fault, and a declared default is known by its state.
            return;
        }
        let words = (given.split(' ').count(), said.split(' ').count());
        if words.0 != words.1 || !given.split(' ').zip(said.split(' ')).all(agree) {
            self.fault(Rule::StepLine, entry.seq, "the step is not what the openings give", &given, &said);
        }
    }

    fn acted(&mut self, entry: Seq, hideable: &[Word]) {
        let Some(step) = self.history.steps.last().filter(|step| step.after.is_some()) else { return };
        let kept = |seal: &SealUse| {
            step.keeps.iter().any(|(whose, name)| *whose == seal.whose && *name == seal.field.as_str())
        };
        let shown =
            step.seals.iter().filter(|seal| hideable.iter().any(|name| *name == seal.field.as_str()) && !kept(seal));
        let closed = shown.filter(|seal| !self.history.is_open(seal.entry, &seal.name));
        let closed: Vec<String> = closed.map(|seal| format!("the {} of {}", seal.field, seal.whose)).collect();
        for which in closed {
            self.fault(
                Rule::StepOpens,
                entry,
                &format!("it opens {which}, which the step shows"),
                &"its opening",
                &"none",
            );
        }
    }

    fn hideable(&self, what: &str) -> Vec<Word> {
        // A declared question has its fields from the declaration, whatever of the state is known.
        if let Some(game) = self.history.ruleset().declaration() {
            let question = game.asks.iter().find(|ask| ask.name == what && ask.opens == OpensTo::Umpire);
            return question.map(Question::fields).unwrap_or_default().into_iter().map(Word::from).collect();
        }
        let asks = self.history.duel().asks();
        let fields = asks.iter().filter(|ask| ask.what == what).flat_map(|ask| &*ask.fields);
        fields.filter(|field| field.opens == Opens::WhenItActs).map(|field| field.name.clone()).collect()
    }

    pub(super) fn play(&mut self, entry: &Entry, line: Line) {
        let number = self.history.next_step();
        let mut record = StepRecord {
            number,
            entry: entry.seq,
            at: entry.at,
            source: line.source,
            what: line.what,
            text: None,
            public: line.public,
            moves: BySeat { p1: None, p2: None },
            keeps: Vec::new(),
            row: Row { round: number, place: Place::Round },
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
                    // A match of the past is in its entry in full, and is checked in full.
                    let expected = if record.source == StepSource::Import { &played.text } else { &played.public };
                    let what = "the step is not what the openings give";
                    let withheld = withheld(expected) == record.public;
                    if *expected != record.public && !withheld {
                        self.fault(Rule::Canonical, entry.seq, what, expected, &record.public);
                    } else if !record.seals.is_empty() && !is_spelled(&full, &played.text) {
                        // Each seal contains exactly its own value, as written in the line.
                        self.fault(Rule::Canonical, entry.seq, what, &played.text, &full);
                    }
                    self.hides(entry.seq, &record, &played.keeps);
                    if digest != record.digest {
                        let what = "the state's digest differs from the replay";
                        self.fault(Rule::Digest, entry.seq, what, &digest, &record.digest);
                    }
                    self.shown(entry.seq, &played.shows);
                    // For viewers without all of its values, the line in every match is the public one.
                    let of_rules = withheld || record.source == StepSource::Import;
                    record = StepRecord {
                        text: Some(played.text),
                        public: if of_rules { played.public } else { record.public },
                        moves: played.moves,
                        keeps: played.keeps,
                        row: played.row,
                        effects,
                        after: Some(duel),
                        ..record
                    };
                }
                Err(refusal) => {
                    self.fault(Rule::Accepted, entry.seq, "the rules refuse the step", &refusal.sentence(), &full);
                }
            }
        }
        self.history.steps.push(record);
    }

    fn hides(&mut self, entry: Seq, step: &StepRecord, keeps: &[(Party, Word)]) {
        if !matches!(step.source, StepSource::Drawn { .. } | StepSource::Correction { .. }) {
            return;
        }
        for whose in [Seat::P1.into(), Seat::P2.into(), Party::Host] {
            let of = keeps.iter().filter(|(party, _)| *party == whose).map(|(_, name)| &**name);
            let sealed = step.seals.iter().filter(|seal| seal.whose == whose).map(|seal| seal.field.as_str());
            if !of.clone().eq(sealed.clone()) {
                let what = "it holds a seal for every value that its line hides, under its name, in the line's order";
                let [of, sealed] = [of.collect::<Vec<_>>(), sealed.collect()].map(|names| names.join(" "));
                self.fault(Rule::Hides, entry, what, &of, &sealed);
            }
        }
    }

    fn shown(&mut self, entry: Seq, shows: &[(Party, Word)]) {
        for (whose, field) in shows {
            let seal = self.history.last_seal(*whose, field);
            let closed = seal.filter(|seal| !self.history.is_open(seal.entry, &seal.name));
            if let Some(place) = closed.map(|seal| seal.entry) {
                let what = format!("it opens the {field} of {whose}, sealed in entry {place}, which the step shows");
                self.fault(Rule::StepOpens, entry, &what, &"its opening", &"none");
            }
        }
    }
}

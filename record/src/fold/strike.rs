//! Changes by people: steps that no longer count, and their replacements.

use engine::dmn::quotes::{WITHHELD, split_outside_quotes, texts_or_signs, withhold};
use engine::{Duel, Party, ResultRuling, Seat, Verdict};
use ledger::{Entry, Seq};

use super::Fold;
use super::step::Line;
use crate::body::{CorrectedSeal, CorrectedStep, Struck};
use crate::history::{Correction, StepRecord, StepSource, Strike};
use crate::rule::Rule;
use crate::seal::SealUse;

/// The reason in the steps of an imported match whose text is a separate commitment.
pub(crate) const REASON_ELSEWHERE: &str = "*";

impl Fold<'_> {
    pub(super) fn struck(&mut self, entry: &Entry, body: &Struck) {
        let reason = self.word(entry.seq, "reason", body.reason);
        for seal in body.steps.iter().flat_map(|instead| &instead.seals) {
            if let Some(commitment) = seal.commitment {
                self.unasked(entry, seal.seat.0, vec![seal.name.clone()], vec![commitment]);
            }
        }
        for opening in &body.openings {
            self.opening(entry.seq, opening);
        }
        let keep = usize::try_from(body.from).unwrap_or(usize::MAX).saturating_sub(1);
        if body.from == 0 || keep >= self.history.steps.len() {
            return self.fault(
                Rule::StrikeThere,
                entry.seq,
                "it strikes a step that is not there",
                &self.history.steps.len(),
                &body.from,
            );
        }
        let struck = self.history.steps.split_off(keep);
        let kept = keep.saturating_add(body.steps.len());
        self.history.drawn.retain(|step, _| *step as usize <= kept);
        self.struck_from(entry, body.from, !body.steps.is_empty());
        self.history.open.clear();
        self.history.ended = None;
        if self.history.closed_at.is_some_and(|closed| closed >= body.from) {
            self.history.closed_at = None;
        }
        if !body.steps.is_empty() && body.steps.len() != struck.len() {
            let what = "a correction keeps every later step";
            self.fault(Rule::Corrects, entry.seq, what, &struck.len(), &body.steps.len());
        }
        for (n, instead) in body.steps.iter().enumerate() {
            let before = n.checked_sub(1).and_then(|before| struck.get(before)?.after.as_ref());
            match struck.get(n) {
                Some(was) => self.in_place_of(entry, (was, before), instead, n == 0),
                None => self.instead(entry, instead, None, String::new(), n == 0),
            }
        }
        let correction = if body.steps.is_empty() { Correction::None } else { Correction::First };
        let (by, at, from) = (entry.by.clone(), entry.at, body.from);
        self.history.strikes.push(Strike { entry: entry.seq, by, at, from, reason, struck, correction });
    }

    /// A step of a correction. All but the first say what they said, and where nothing came, what the rules make of that.
    fn in_place_of(
        &mut self,
        entry: &Entry,
        (was, before): (&StepRecord, Option<&Duel>),
        instead: &CorrectedStep,
        changed: bool,
    ) {
        // The words of a kept decision stay as they were.
        let kept = (withheld(&was.public) == instead.dmn && instead.words.is_none()).then(|| was.public.clone());
        let due = was.text.as_deref().filter(|_| !changed).map(|line| {
            let played = self.history.duel().clone().play(line, None);
            played.map_or_else(|_| line.to_owned(), |played| played.text)
        });
        self.kept_draw(entry, (was, before), instead);
        self.kept_question(entry, was);
        self.instead(entry, instead, kept, was.what.clone(), changed);
        let now = self.history.steps.last().and_then(|step| step.text.clone());
        if let Some((due, now)) = due.zip(now).filter(|(due, now)| !is_same(due, now)) {
            let what = format!("step {} is kept as it was sent", was.number);
            self.fault(Rule::Corrects, entry.seq, &what, &due, &now);
        }
    }

    /// A draw of the host's is kept with its line and its seals, and where it is drawn from the same as before.
    fn kept_draw(&mut self, entry: &Entry, (was, before): (&StepRecord, Option<&Duel>), instead: &CorrectedStep) {
        if !self.history.is_host_drawn(was) {
            return;
        }
        let same = |(seal, was): (&CorrectedSeal, &SealUse)| {
            seal.commitment.is_none() && (Seq(seal.entry), &seal.name) == (was.entry, &was.name)
        };
        let seals = instead.seals.len() == was.seals.len() && instead.seals.iter().zip(&was.seals).all(same);
        let moved = before.filter(|_| self.history.closed_at.is_none());
        let moved = moved.is_some_and(|before| before.draw_basis() != self.history.duel().draw_basis());
        if instead.dmn != was.public || !seals || moved {
            let what = "a draw of the host's is struck and made again, and never corrected";
            self.fault(Rule::DrawCorrected, entry.seq, what, &was.public, &instead.dmn);
        }
    }

    /// The umpire of a declared game says what is asked, and no correction of that makes an answer one to another question.
    fn kept_question(&mut self, entry: &Entry, was: &StepRecord) {
        if self.history.closed_at.is_none() && !self.history.asks_as(was, self.history.duel()) {
            let what = format!("step {} answers what it answered before", was.number);
            let asked = self.history.duel().asks().iter().map(|ask| ask.what.to_string()).collect::<Vec<_>>().join(" ");
            self.fault(Rule::Corrects, entry.seq, &what, &was.what, &asked);
        }
    }

    fn instead(&mut self, entry: &Entry, instead: &CorrectedStep, kept: Option<String>, what: String, changed: bool) {
        let words = instead.words.as_deref().unwrap_or_default();
        let number = self.history.next_step();
        let public = kept.unwrap_or_else(|| self.said(entry.seq, &format!("text-{number}"), &instead.dmn, words));
        let mut full = Some(public.clone());
        let mut seals = Vec::new();
        for seal in &instead.seals {
            let place = (Seq(seal.entry), seal.name.clone());
            // The sealed values of a line are in the order of the seats.
            let value = self.value(seal.seat.0, place.0, &place.1, true);
            full = full.zip(value).map(|(line, value)| fill(&line, seal.seat.0, &value));
            seals.push(SealUse { whose: seal.seat.0, field: seal.field.clone(), entry: place.0, name: place.1 });
        }
        let (digest, source) = (instead.digest, StepSource::Correction { changed });
        self.play(entry, Line { what, public, full, seals, digest, source });
    }
}

/// The line of an umpire's ruling. A reason that the notation cannot express is stored outside it.
pub(crate) fn decision_line(verdict: Verdict, reason: &str) -> String {
    let elsewhere = ResultRuling { verdict, reason: REASON_ELSEWHERE.to_owned() };
    ResultRuling::new(verdict, reason).unwrap_or(elsewhere).to_string()
}

/// A line as an entry has it: the reason of a ruling and the texts of a declared game are elsewhere.
pub(crate) fn withheld(line: &str) -> String {
    let decided = line.strip_prefix("umpire: result ").and_then(|decided| decided.split_once(' '));
    decided.map_or_else(|| withhold(line), |(word, _)| format!("umpire: result {word} {REASON_ELSEWHERE}"))
}

/// True if lines say the same, as far as their texts are known.
fn is_same(was: &str, now: &str) -> bool {
    let mut texts = texts_or_signs(was).zip(texts_or_signs(now));
    withheld(was) == withheld(now) && texts.all(|(was, now)| was == now || [was, now].contains(&WITHHELD))
}

fn fill(line: &str, whose: Party, value: &str) -> String {
    let second = split_outside_quotes(line, b'/').nth(1).map_or(0, |(at, _)| at);
    let (p1, p2) = line.split_at_checked(second).unwrap_or(("", line));
    match whose {
        Party::Seat(Seat::P1) if second > 0 => format!("{}{p2}", fill_first(p1, value)),
        _ => format!("{p1}{}", fill_first(p2, value)),
    }
}

/// The line with a value in the place of its first `?` outside texts.
fn fill_first(line: &str, value: &str) -> String {
    match split_outside_quotes(line, b'?').nth(1) {
        Some((after, _)) => {
            let (before, rest) = (line.get(..after - 1).unwrap_or_default(), line.get(after..).unwrap_or_default());
            format!("{before}{value}{rest}")
        }
        None => line.to_owned(),
    }
}

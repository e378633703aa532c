//! The umpire's word, and the texts of lines. A text is never in an entry: a line has `*` for it.

use engine::Party;
use engine::dmn::quotes::{is_text, say, withhold};
use ledger::{Commitment, Entry, Field, SealMessage, Seq};

use super::Fold;
use super::step::Line;
use crate::body::{Announced, PartyWord};
use crate::history::StepSource;
use crate::rule::Rule;
use crate::seal::SealRecord;

impl Fold<'_> {
    pub(super) fn announced(&mut self, entry: &Entry, body: Announced) {
        for opening in &body.openings {
            self.opening(entry.seq, opening);
        }
        if body.step != self.history.next_step() {
            let (due, what) = (self.history.next_step(), "steps are numbered without gaps");
            self.fault(Rule::StepNumber, entry.seq, what, &due, &body.step);
        }
        if self.history.awaits_first_seed() {
            let what = "the umpire speaks once the players' shares are fixed";
            self.fault(Rule::SharesAsked, entry.seq, what, &"a seed", &"none");
        }
        if !body.dmn.starts_with("umpire: says ") {
            let what = "what is announced is the umpire's word";
            return self.fault(Rule::StepLine, entry.seq, what, &"umpire: says", &body.dmn);
        }
        let words: Vec<_> = body.words.into_iter().map(Some).collect();
        let line = self.said(entry.seq, "text", &body.dmn, &words);
        let (full, digest, source) = (Some(line.clone()), body.digest, StepSource::Announced);
        self.play(entry, Line { what: String::new(), public: line, full, seals: Vec::new(), digest, source });
    }

    /// The line with its texts, as far as they exist. `words` has one for each `*`; none for a text that was gone before.
    pub(super) fn said(&mut self, entry: Seq, field: &str, dmn: &str, words: &[Option<Commitment>]) -> String {
        self.is_without_texts(entry, dmn);
        let texts = words.iter().enumerate().map(|(n, commitment)| {
            let text = self.word(entry, &format!("{field}-{n}"), (*commitment)?);
            self.one_text(entry, text.text()?)
        });
        let texts: Vec<Option<String>> = texts.collect();
        let places = dmn.matches('*').count();
        if places != texts.len() {
            let what = "it has a text for each * of its line";
            self.fault(Rule::Canonical, entry, what, &places, &texts.len());
        }
        say(dmn, texts.iter().map(Option::as_deref))
    }

    pub(super) fn is_without_texts(&mut self, entry: Seq, dmn: &str) {
        if withhold(dmn) != dmn {
            let what = "a text is no part of an entry: its line has * for it";
            self.fault(Rule::Canonical, entry, what, &withhold(dmn), &dmn);
        }
    }

    /// A text in its quotes; what else somebody committed to would change the line.
    pub(super) fn one_text(&mut self, entry: Seq, text: &str) -> Option<String> {
        if is_text(text) {
            return Some(text.to_owned());
        }
        self.fault(Rule::TextOpens, entry, "a text of a line is one in quotes", &"a text in quotes", &text);
        None
    }

    /// The value of a seal as far as it is known here. An answer that is a text opens as a text, and may be withdrawn.
    pub(super) fn value(&mut self, whose: Party, entry: Seq, name: &Field, hidden: bool) -> Option<String> {
        let known = self.known.get(&(entry, name.clone())).cloned();
        let seal = self.history.seals.iter().find(|seal| seal.entry == entry && seal.fields.contains(name));
        let seal = seal.filter(|seal| seal.whose == whose && self.history.seals_text(seal, name));
        let Some(seal) = seal.cloned() else { return known };
        let is_open = !hidden || self.ended_at.is_some_and(|ended| ended > entry);
        match self.sealed_text(&seal, name) {
            Some(text) => Some(text),
            None if is_open => Some(engine::dmn::quotes::WITHHELD.to_owned()),
            None => known,
        }
    }

    /// The text behind a seal, if it is there and opens it.
    fn sealed_text(&mut self, seal: &SealRecord, name: &Field) -> Option<String> {
        let commitment = seal.commitments.get(seal.fields.iter().position(|field| field == name)?)?;
        let text = self.texts.get(commitment)?;
        self.stray.remove(commitment);
        let (origin, match_id, decision) = (&self.history.origin, self.history.match_id, &seal.decision);
        let (seat, value, asked) = (PartyWord(seal.whose).sealer(), text.text.as_str(), seal.leaf);
        let message = SealMessage { origin, match_id, decision, seat, field: name, asked, value };
        if message.open(&text.key, commitment).is_ok() {
            return self.one_text(seal.entry, value);
        }
        let what = format!("the text given for {name} is not the one that was sealed");
        self.fault(Rule::TextOpens, seal.entry, &what, &"the text behind the seal", &value);
        None
    }

    /// Texts count as open from here on: those of one entry, or at the end of the match all of them. One that no step
    /// counted is checked then.
    pub(super) fn open_texts(&mut self, by: Seq, of: Option<Seq>, hidden: &[engine::Word]) {
        for at in 0..self.history.seals.len() {
            let Some(seal) = self.history.seals.get(at).filter(|seal| of.is_none_or(|of| seal.entry == of)) else {
                continue;
            };
            let is_shown = |field: &Field| !hidden.iter().any(|hidden| *hidden == field.as_str());
            let texts: Vec<bool> =
                seal.fields.iter().map(|field| is_shown(field) && self.history.seals_text(seal, field)).collect();
            let left = seal.fields.iter().zip(&seal.commitments).zip(&texts);
            let left = left.filter(|((_, commitment), is_text)| **is_text && self.stray.contains(commitment));
            let (left, seal): (Vec<Field>, _) = (left.map(|((field, _), _)| field.clone()).collect(), seal.clone());
            for field in left {
                self.sealed_text(&seal, &field);
            }
            let opened = self.history.seals.get_mut(at).into_iter().flat_map(|seal| &mut seal.opened_by);
            for (opened, _) in opened.zip(texts).filter(|(opened, is_text)| *is_text && opened.is_none()) {
                *opened = Some(by);
            }
        }
    }
}

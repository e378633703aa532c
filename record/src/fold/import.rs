//! Matches of the past.

use std::collections::BTreeMap;

use engine::Duel;
use engine::dmn::quotes::say;
use ledger::{Commitment, Entry, Hash};

use super::Fold;
use super::step::Line;
use super::strike::REASON_ELSEWHERE;
use crate::body::Imported;
use crate::digest::state_digest;
use crate::history::StepSource;
use crate::rule::Rule;

impl Fold<'_> {
    pub(super) fn imported(&mut self, entry: &Entry, body: Imported) {
        self.history.source = body.source.map(|source| self.word(entry.seq, "source", source));
        let mut reasons = BTreeMap::new();
        for (step, commitment) in &body.reasons {
            let said = self.word(entry.seq, &format!("reason-{step}"), *commitment);
            reasons.insert(*step, said.or(REASON_ELSEWHERE).to_owned());
        }
        let count = body.dmn.len();
        let mut words = body.words.iter().copied().enumerate();
        for (n, dmn) in body.dmn.into_iter().enumerate() {
            let number = self.history.next_step();
            let full = match reasons.get(&number) {
                Some(reason) => {
                    dmn.strip_suffix(REASON_ELSEWHERE).map_or(dmn.clone(), |line| format!("{line}{reason}"))
                }
                None => self.texts_of_the_past(entry, &dmn, &mut words),
            };
            // Only the last state has a digest of its own; the others follow from the steps.
            let digest = if n + 1 == count { body.digest } else { self.digest_after(&full) };
            let line = Line {
                what: String::new(),
                // As in the entry at first; after it is played, the public line.
                public: full.clone(),
                full: Some(full),
                seals: Vec::new(),
                digest,
                source: StepSource::Import,
            };
            self.play(entry, line);
        }
        let left = words.count();
        if left > 0 {
            let (due, what) = (body.words.len() - left, "it has a text for each * of its lines");
            self.fault(Rule::Canonical, entry.seq, what, &due, &body.words.len());
        }
    }

    /// A line of a match of the past with its texts, which are in the order of all its lines.
    fn texts_of_the_past(
        &mut self,
        entry: &Entry,
        dmn: &str,
        words: &mut impl Iterator<Item = (usize, Option<Commitment>)>,
    ) -> String {
        self.is_without_texts(entry.seq, dmn);
        let places = dmn.matches(REASON_ELSEWHERE).count();
        let words: Vec<_> = words.take(places).collect();
        if words.len() != places {
            let what = "it has a text for each * of its lines";
            self.fault(Rule::Canonical, entry.seq, what, &places, &words.len());
        }
        let texts = words.into_iter().map(|(n, commitment)| {
            let text = self.word(entry.seq, &format!("text-{n}"), commitment?);
            self.one_text(entry.seq, text.text()?)
        });
        let texts: Vec<Option<String>> = texts.collect();
        say(dmn, texts.iter().map(Option::as_deref))
    }

    fn digest_after(&self, line: &str) -> Hash {
        let mut duel: Duel = self.history.duel().clone();
        match duel.play(line, None) {
            Ok(_) => state_digest(&duel),
            Err(_) => Hash::ZERO,
        }
    }
}

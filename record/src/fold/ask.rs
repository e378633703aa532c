//! The check of questions against those of the state.

use engine::{Ask, Seat, To};
use ledger::{Entry, Hash};

use super::Fold;
use crate::body::Asked;
use crate::decision::{OpenDecision, Question};
use crate::rule::Rule;
use crate::share::{self, SHARE};

impl Fold<'_> {
    pub(super) fn asked(&mut self, entry: &Entry, leaf: Hash, asked: Asked) {
        self.history.decisions += 1;
        let id = format!("d{}", self.history.decisions);
        if asked.decision.as_str() != id {
            self.fault(Rule::Decisions, entry.seq, "decisions are numbered without gaps", &id, &asked.decision);
        }
        self.asks(entry, &asked);
        let same = |open: &&OpenDecision| open.asked.what == asked.what && open.asked.seats == asked.seats;
        if let Some(open) = self.history.open.iter().find(same) {
            let expected = format!("an answer to {}", open.asked.decision);
            self.fault(
                Rule::AskedOnce,
                entry.seq,
                "a question is asked again only once it is closed",
                &expected,
                &asked.decision,
            );
        }
        let question = Question {
            entry: entry.seq,
            leaf,
            at: entry.at,
            seats: asked.seats.iter().map(|seat| seat.0).collect(),
            fields: asked.fields.clone(),
            closes: asked.closes,
        };
        self.history.questions.insert(asked.decision.clone(), question);
        if asked.what == SHARE
            && let Some(seed) = self.history.seeds.last_mut()
        {
            seed.asked = Some(asked.decision.clone());
        }
        self.history.open.push(OpenDecision { asked, entry: entry.seq, leaf, at: entry.at, sealed: Vec::new() });
        self.clocked(entry);
    }

    fn asks(&mut self, entry: &Entry, asked: &Asked) {
        let (fields, seats) = (words(asked.fields.iter()), words(asked.seats.iter().map(|seat| seat.0)));
        let found = format!("{} of {seats}: {fields}", asked.what);
        let asks = self.due();
        let due: Vec<String> = asks.iter().map(question).collect();
        let ask = asks.iter().zip(&due).find(|(_, due)| **due == found).map(|(ask, _)| ask);
        // If the state depends on sealed values, the question is checked when they open.
        if let Some(ask) = ask.filter(|_| asked.what == SHARE || self.history.closed_at.is_none()) {
            self.paced(entry, asked, ask);
        }
        if asked.what == SHARE && !due.contains(&found) {
            return self.fault(
                Rule::SharesAsked,
                entry.seq,
                "shares are asked for once the host's is sealed",
                &due.join("; "),
                &found,
            );
        }
        if self.history.closed_at.is_none() && !due.contains(&found) {
            self.fault(Rule::AskedDue, entry.seq, "it asks what the rules ask", &due.join("; "), &found);
        }
    }
}

impl Fold<'_> {
    fn due(&self) -> Vec<Ask> {
        let history = &self.history;
        let gathered = history
            .seeds
            .last()
            .is_none_or(|seed| seed.fixed.is_some() || seed.given_up.is_some() || seed.list.is_some());
        let game = history.duel().asks().into_iter().filter(|_| !history.awaits_first_seed());
        game.chain((!gathered).then(share::ask)).collect()
    }
}

fn question(ask: &Ask) -> String {
    let seats = match ask.to {
        To::Both => words(Seat::BOTH.iter()),
        To::One(seat) => seat.to_string(),
        To::Host => String::new(),
    };
    format!("{} of {seats}: {}", ask.what, words(ask.fields.iter().map(|field| &field.name)))
}

fn words(list: impl Iterator<Item = impl ToString>) -> String {
    list.map(|word| word.to_string()).collect::<Vec<_>>().join(" ")
}

//! A match that is put together from what was written of it: who says what, in which order, until it is over.

use engine::{BySeat, Duel, Party, Refusal, Seat, SetupError, To, name_seats};

use super::facts::Facts;
use super::wording::{Vocabulary, candidates};
use crate::page::{capital, standing};

/// A match as far as it was heard.
#[derive(Clone, Debug)]
pub(super) struct Hearing {
    duel: Duel,
    steps: Vec<String>,
    /// What one seat sent while the other's is awaited, and its line.
    waiting: BySeat<Option<(String, usize)>>,
    names: BySeat<String>,
}

/// What became of something that was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// It waits for the other seat; its words, and the line that it takes the place of.
    Half(String, Option<usize>),
    /// It completed a step: its words.
    Step(String),
}

impl Hearing {
    /// Opens the match of these facts.
    pub(super) fn open(facts: &Facts) -> Result<Self, SetupError> {
        let duel = Duel::open(&facts.setup())?;
        let name = |seat: Seat| {
            let name = &facts.names[seat];
            if name.is_empty() { seat.word().to_owned() } else { name.clone() }
        };
        Ok(Self { duel, steps: Vec::new(), waiting: BySeat::default(), names: BySeat::from_fn(name) })
    }

    /// The match as it stands.
    pub(super) const fn duel(&self) -> &Duel {
        &self.duel
    }

    /// Somebody is known by this name from here on.
    pub(super) fn call(&mut self, seat: Seat, name: &str) {
        name.clone_into(&mut self.names[seat]);
    }

    /// The steps so far, canonically.
    pub(super) fn steps(&self) -> &[String] {
        &self.steps
    }

    /// How the match stands, on one line.
    pub(super) fn standing(&self) -> String {
        standing(&self.duel)
    }

    /// The players' names.
    pub(super) const fn names(&self) -> BySeat<&str> {
        BySeat { p1: self.names.p1.as_str(), p2: self.names.p2.as_str() }
    }

    /// The seat whose part of a step is missing while the other's is there, and the line of that one.
    pub(super) const fn missing(&self) -> Option<(Seat, usize)> {
        match (&self.waiting.p1, &self.waiting.p2) {
            (Some((_, line)), None) => Some((Seat::P2, *line)),
            (None, Some((_, line))) => Some((Seat::P1, *line)),
            _ => None,
        }
    }

    /// Whether this party is asked for anything.
    pub(super) fn is_asked(&self, party: Party) -> bool {
        self.duel.asks().iter().any(|ask| is_asked(ask.to, party))
    }

    /// What this party could say now.
    pub(super) fn vocabulary(&self, party: Party) -> Vocabulary {
        Vocabulary::of(&self.duel, party)
    }

    /// A seat's move, as somebody wrote it on a line.
    pub(super) fn seat(&mut self, seat: Seat, text: &str, line: usize) -> Result<Heard, Refusal> {
        let (party, mut refused) = (Party::Seat(seat), None);
        let candidates = candidates(&self.vocabulary(party), text);
        // The last question carries the game on; the others may be answered instead.
        for ask in self.duel.asks().iter().rev().filter(|ask| is_asked(ask.to, party)) {
            for candidate in &candidates {
                match self.duel.read(seat, ask.what, candidate) {
                    Ok(reading) => {
                        let words = self.words(&reading.words);
                        return match ask.to {
                            To::Both => self.joint(seat, reading.text, words, line),
                            _ => self.play(&format!("{seat}: {}", reading.text)),
                        };
                    }
                    Err(refusal) => {
                        // A rule says more than a word that does not read.
                        let better = |kept: &Refusal| kept.rule.is_none() && refusal.rule.is_some();
                        if refused.as_ref().is_none_or(better) {
                            refused = Some(refusal);
                        }
                    }
                }
            }
        }
        Err(refused.unwrap_or_else(|| self.not_asked(seat)))
    }

    /// What the host drew.
    pub(super) fn host(&mut self, text: &str) -> Result<Heard, Refusal> {
        let mut refused = None;
        for candidate in candidates(&self.vocabulary(Party::Host), text) {
            match self.play(&format!("host: {candidate}")) {
                Ok(heard) => return Ok(heard),
                Err(refusal) => refused = refused.or(Some(refusal)),
            }
        }
        Err(refused.unwrap_or_else(|| refusal(text, "expected what the host drew")))
    }

    /// A line of the notation.
    pub(super) fn play(&mut self, line: &str) -> Result<Heard, Refusal> {
        let played = self.duel.play(line, None)?;
        let words = played.text.clone();
        self.steps.push(played.text);
        if !self.duel.asks().iter().any(|ask| ask.to == To::Both) {
            self.waiting = BySeat::default();
        }
        Ok(Heard::Step(words))
    }

    fn joint(&mut self, seat: Seat, text: String, words: String, line: usize) -> Result<Heard, Refusal> {
        let before = self.waiting[seat].replace((text, line)).map(|(_, line)| line);
        let (BySeat { p1: Some(p1), p2: Some(p2) }, None) = (self.waiting.clone(), before) else {
            return Ok(Heard::Half(words, before));
        };
        let moves = BySeat { p1: Some(p1.0), p2: Some(p2.0) };
        let heard = self.play(&self.duel.line(&moves));
        match heard {
            Ok(_) => self.waiting = BySeat::default(),
            Err(_) => self.waiting[seat] = None,
        }
        heard
    }

    fn words(&self, words: &str) -> String {
        capital(&name_seats(words, self.names()))
    }

    fn not_asked(&self, seat: Seat) -> Refusal {
        let name = self.names()[seat];
        let waits = self.duel.asks().last().map(|ask| name_seats(&ask.prompt, self.names()));
        let expected = match waits {
            Some(prompt) => format!("{name} is not asked now; the match waits for this: {prompt}"),
            None => "the match is over; only the umpire may still decide (umpire: result ...)".to_owned(),
        };
        refusal("", &expected)
    }
}

const fn is_asked(to: To, party: Party) -> bool {
    match (to, party) {
        (To::Both, Party::Seat(_)) | (To::Host, Party::Host) => true,
        (To::One(turn), Party::Seat(seat)) => matches!((turn, seat), (Seat::P1, Seat::P1) | (Seat::P2, Seat::P2)),
        _ => false,
    }
}

/// A refusal of a whole text.
pub(super) fn refusal(found: &str, expected: &str) -> Refusal {
    Refusal { seat: None, at: 0, found: found.to_owned(), expected: expected.to_owned(), rule: None, sealed: false }
}

//! What is told a second time: a line that speaks of moves which are known, or contradicts them.

use engine::{BySeat, Seat};

use super::clause::{Clause, How, clauses};
use super::hearing::Hearing;
use super::past::{Past, Sent};
use super::reader::Reader;
use super::report::{Moves, Told, words_of};
use super::row::Taken;
use super::sense::{self, Sense};
use super::vocabulary::stems;
use super::wording::{self, is_in};

/// Steps before a line of which it may tell otherwise.
const OTHERWISE_MOST: usize = 16;

impl Reader<'_> {
    /// Whether a line without a round speaks of the last step, rather than of the next.
    pub(super) fn is_of_the_last(&mut self, at: usize, words: &str, clauses: &[Clause], told: &Told) -> bool {
        let counts_rounds = self.hearing.duel().coming_round().is_some();
        if told.doubt.is_some() && !counts_rounds && self.tells_otherwise(at, clauses) {
            return true;
        }
        // The part of one waits for the other's.
        let waits = told.seats().next().is_some() && self.hearing.missing().is_some();
        let own = self.hearing.past().last().is_some_and(|last| {
            let own = |seat: Seat| last.sent[seat].as_ref().is_some_and(|sent| !sent.told);
            clauses.iter().all(|clause| own(clause.seat))
        });
        let one = clauses.iter().all(|clause| clauses.first().is_some_and(|first| first.seat == clause.seat));
        let part = one || told.beside;
        if !waits && own && part && clauses.iter().all(|clause| !clause.is_silence()) && self.agrees(at, words) {
            return true;
        }
        if !waits && own && self.told_of(at, clauses, None) {
            return true;
        }
        let reads = told.doubt.is_none() && told.seats().next().is_some();
        (!reads || told.beside) && !waits && self.agrees(at, words)
    }

    /// Whether a line only speaks of what was done last: each word of the game in it was said then.
    pub(super) fn agrees(&mut self, at: usize, words: &str) -> bool {
        let lower = words.to_lowercase();
        let parts = || wording::words(&lower);
        let codes: Vec<&str> = parts().filter(|word| self.hearing.is_code(word)).collect();
        let mut said = parts().filter(|word| self.hearing.is_game_word(word)).peekable();
        // A sum of who holds what names cards of any step.
        let sums_up = codes.len() > 1 && codes.iter().all(|code| self.hearing.was_named(&code.replace("10", "t")));
        // Whoever did not choose to go second goes first.
        let order = |word: &str| {
            let is = |word: &str| word == "first" || word == "second";
            (is(word) || stems(word).any(|stem| is(&stem)))
                && ["first", "second"].iter().any(|word| self.hearing.was_said(word))
        };
        let agrees = sums_up || said.peek().is_some() && said.all(|word| self.hearing.was_said(word) || order(word));
        let agrees = agrees && (sums_up || self.is_of_each(words));
        if agrees && let Some(row) = self.row(at) {
            (row.taken, row.words) = (Taken::LeftOut, "Speaks of the moves above".to_owned());
            row.offer_ignore();
        }
        agrees
    }

    /// Whether each player who is named with a word of the game made such a move.
    pub(super) fn is_of_each(&self, words: &str) -> bool {
        let Some((How::Named, told)) = clauses(words, &self.speakers) else { return true };
        let said = |clause: &Clause| {
            let lower = clause.words.to_lowercase();
            let parts: Vec<&str> = wording::words(&lower).collect();
            let order = |word: &&str| is_in("first second start starts begin begins goes", word);
            let mut words =
                parts.iter().enumerate().filter(|(_, word)| self.hearing.is_game_word(word) && !order(word));
            words.all(|(at, word)| {
                let next = parts.iter().skip(at + 1).find(|next| **next != "to");
                // Of a move of both, the number is what came of it.
                let number = next.filter(|next| !self.hearing.is_joint() && next.parse::<u32>().is_ok());
                self.hearing.has_said(clause.seat, word, number.copied())
            })
        };
        words.contains('?') || sense::is_doubted(&self.hearing, words) || told.iter().all(said)
    }

    /// Holds moves that are told of a round that was played, or of the last step, against what is known of it.
    pub(super) fn told_of(&mut self, at: usize, clauses: &[Clause], round: Option<u32>) -> bool {
        let past = self.hearing.past();
        let of: Vec<&Past> = match round {
            Some(round) => past.iter().filter(|past| past.round == Some(round)).collect(),
            None => past.last().into_iter().collect(),
        };
        let then = |past: &Past, clause: &Clause| match sense::of_clause(&self.hearing, past.before(), clause) {
            Sense::Move { text, .. } => Some(text),
            _ => None,
        };
        let sent = |past: &Past, clause: &Clause| past.sent[clause.seat].as_ref().map(|sent| sent.text.clone());
        let same = clauses.iter().all(|clause| {
            of.iter().any(|past| sent(past, clause).is_some_and(|sent| then(past, clause) == Some(sent)))
        });
        let joint = of.iter().any(|past| past.is_joint());
        let perhaps_new = round.is_none();
        let now = if perhaps_new {
            Some(self.told(clauses)).filter(|told| told.doubt.is_none() && told.seats().next().is_some())
        } else {
            None
        };
        // What reads as the answer to another question is one.
        let another = |clause: &Clause| {
            self.hearing.is_asked(clause.seat.into())
                && of
                    .iter()
                    .all(|past| Hearing::asked(past.before(), clause.seat) != self.hearing.question(clause.seat))
        };
        if now.is_some() && !joint && clauses.iter().any(another) {
            return false;
        }
        if same && !of.is_empty() && (joint || now.is_none()) {
            let Some(row) = self.row(at) else { return true };
            let words = round.map_or_else(|| "Told again".to_owned(), |round| format!("Round {round}, told again"));
            (row.taken, row.words) = (Taken::LeftOut, words);
            return true;
        }
        // Only a step that reads then can contradict what was sent then.
        let Some(past) = of.iter().rev().find(|past| clauses.iter().all(|clause| sent(past, clause).is_some())) else {
            return false;
        };
        let was = past.sent.clone();
        let mut moves = Moves::default();
        for clause in clauses {
            let Some(text) = then(past, clause) else { return false };
            moves[clause.seat] = Some(text);
        }
        // "Ada steals 3" says what came of it.
        let counts =
            |clause: &Clause| !clause.marked && clause.words.split(' ').any(|word| word.parse::<u32>().is_ok());
        if clauses.iter().all(counts) && self.agrees(at, &words_of(clauses)) {
            return true;
        }
        let new = now.map(|now| self.lines_of(&now.moves));
        self.contradicts(at, &was, &moves, None, new);
        true
    }

    /// Where the game counts no rounds: a line that tells a move again, and what followed it otherwise: "Ada's 6H went to the
    /// middle". It is asked which one counts.
    fn tells_otherwise(&mut self, at: usize, clauses: &[Clause]) -> bool {
        let Some((sent, moves)) = clauses.iter().find_map(|clause| self.otherwise(clause)) else { return false };
        self.contradicts(at, &sent, &moves, None, None);
        true
    }

    /// What was sent behind the move that a clause tells again, and what the clause says of it, where that differs.
    fn otherwise(&self, clause: &Clause) -> Option<(BySeat<Option<Sent>>, Moves)> {
        let past = self.hearing.past();
        let reads = |past: &Past, words: &str| {
            let clause = Clause { words: words.to_owned(), ..clause.clone() };
            match sense::of_clause(&self.hearing, past.before(), &clause) {
                Sense::Move { text, rest, .. } => Some((text, rest)),
                _ => None,
            }
        };
        let sent = |past: &Past| past.sent[clause.seat].as_ref().map(|sent| sent.text.clone());
        let behind = |past: &Past| {
            let (text, rest) = reads(past, &clause.words)?;
            (sent(past)? == text && !rest.is_empty()).then_some(rest)
        };
        let mut last = past.iter().enumerate().rev().take(OTHERWISE_MOST);
        let (place, rest) = last.find_map(|(place, past)| Some((place, behind(past)?)))?;
        let next = past.iter().skip(place + 1).find(|past| past.sent[clause.seat].is_some())?;
        let (text, _) = reads(next, &rest)?;
        let mut moves = Moves::default();
        let differs = sent(next)? != text;
        moves[clause.seat] = Some(text);
        differs.then(|| (next.sent.clone(), moves))
    }
}

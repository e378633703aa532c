//! A line that tells several moves one after the other, as a host sums up: "Ada raises 5, Bo raises to 10, Ada calls", "Ada turned
//! c3; east lower; stopped", "Ada refills and gets ...". Each part has to be legal where it stands, or none of it counts.

use engine::{Party, Seat};

use super::clause::Clause;
use super::clean::clean;
use super::drawing::drawn;
use super::hearing::{Heard, Hearing};
use super::reader::{Reader, sentences};
use super::sense::{self, Sense};
use super::wording;

/// A part of such a line.
enum Act {
    Move(Seat, String),
    Draw(String),
}

/// What parts moves of one player.
const BETWEEN: [&str; 8] = ["; ", ". ", "! ", ", then ", ", and ", " and then ", ", ", " and "];
/// Moves of one line; more is another thing.
const MOST: usize = 24;

impl Reader<'_> {
    /// Takes all moves of a line that tells more than one, or also `one` with other words; false where one of them does not read.
    pub(super) fn tells_in_turn(&mut self, at: usize, clauses: &[Clause], one: bool) -> bool {
        let Some(acts) = self.acts(clauses, true).filter(|acts| acts.len() > usize::from(!one)) else { return false };
        self.acts_in_turn(at, &acts, true);
        self.is_told_twice(at);
        self.rounds.told = true;
        true
    }

    /// The same of a player who says several: "I start. And yes, refill".
    pub(super) fn says_in_turn(&mut self, seat: Seat, at: usize, words: &str) -> bool {
        let clause = Clause { seat, words: words.to_owned(), marked: false, cut: false };
        // One sentence of several may be a move, where the others say nothing of the game.
        let one = |acts: &Vec<Act>| {
            let [Act::Move(_, text)] = acts.as_slice() else { return acts.len() > 1 };
            let is = |said: &str| self.hearing.answer(self.hearing.duel(), seat, said).as_ref() == Some(text);
            sentences(words).count() > 1 && sentences(words).any(is)
        };
        let Some(acts) = self.acts(&[clause], false).filter(one) else { return false };
        self.acts_in_turn(at, &acts, false);
        true
    }

    /// Asks about a line that stands twice, one below the other: it may have been told twice, or played twice.
    fn is_told_twice(&mut self, at: usize) {
        let bare = |source: &str| clean(source).trim_start_matches(['>', ' ']).to_lowercase();
        let Some(before) = at.checked_sub(1).and_then(|before| self.rows.get(before)) else { return };
        let (line, twice) =
            (before.line, self.rows.get(at).is_some_and(|row| bare(&row.source) == bare(&before.source)));
        let Some(row) = self.row(at).filter(|row| twice && row.wrong.is_none()) else { return };
        row.asks(&format!("line {line} says the same: did the host repeat it, or was it played twice?"));
        row.fixes.clear();
        row.offer_ignore();
        row.offer("It was played twice", vec![format!("{} (again)", row.source)]);
    }

    fn acts_in_turn(&mut self, at: usize, acts: &[Act], told: bool) {
        let line = self.line(at);
        for act in acts {
            let heard: Option<Heard> = match act {
                Act::Move(seat, text) if !told => self.hearing.seat(*seat, text, line).ok(),
                Act::Move(seat, text) => self.hearing.told(*seat, text, line).ok(),
                Act::Draw(cards) => self.hearing.draws(&[(None, cards.clone())]).ok(),
            };
            if let Some(heard) = heard {
                self.heard(&[at], heard);
            }
        }
        self.goes_on();
    }

    /// The moves of a line, in order; none where something of the game in it is none.
    fn acts(&self, clauses: &[Clause], told: bool) -> Option<Vec<Act>> {
        let (mut trial, mut acts) = (self.hearing.trial(), Vec::new());
        for clause in clauses {
            let mut rest = clause.words.as_str();
            while !rest.trim().is_empty() {
                if acts.len() == MOST {
                    return None;
                }
                rest = self.act(&mut trial, (clause, told), rest, &mut acts)?;
            }
        }
        Some(acts)
    }

    /// The next move in what is told of a seat, and what stands behind it; none where it has a word of the game and reads as
    /// nothing.
    fn act<'t>(
        &self,
        trial: &mut Hearing,
        (clause, told): (&Clause, bool),
        rest: &'t str,
        acts: &mut Vec<Act>,
    ) -> Option<&'t str> {
        if trial.is_asked(Party::Host) {
            let sentence = rest.split(". ").next().unwrap_or(rest);
            let cards =
                drawn(sentence, &self.speakers).into_iter().map(|(_, cards)| cards).collect::<Vec<_>>().join(" ");
            if !cards.is_empty() && trial.draws(&[(None, cards.clone())]).is_ok() {
                acts.push(Act::Draw(cards));
                return rest.get(sentence.len()..);
            }
        }
        if trial.is_asked(clause.seat.into()) {
            // The longest part that is a move: piles have commas between them.
            let lower = rest.to_ascii_lowercase();
            let ends =
                BETWEEN.iter().flat_map(|mark| lower.match_indices(mark)).map(|(at, mark)| (at, at + mark.len()));
            let mut ends: Vec<(usize, usize)> = ends.chain([(rest.len(), rest.len())]).collect();
            ends.sort_unstable_by_key(|(end, _)| std::cmp::Reverse(*end));
            for (end, behind) in ends {
                let bare = without_result(rest.get(..end)?).trim();
                let part = if told {
                    Clause::of(clause.seat, bare)
                } else {
                    Clause { words: bare.to_owned(), ..clause.clone() }
                };
                let text = self.in_groups(trial, &part).or_else(|| one_move(trial, &part, told));
                let Some(text) = text else { continue };
                if trial.told(clause.seat, &text, 0).is_ok() {
                    acts.push(Act::Move(clause.seat, text));
                    return rest.get(behind..);
                }
            }
        }
        let (part, behind) = BETWEEN
            .iter()
            .filter_map(|mark| rest.to_ascii_lowercase().find(mark).map(|at| (at, at + mark.len())))
            .min()
            .unwrap_or((rest.len(), rest.len()));
        let free = !trial.is_of_the_game(rest.get(..part)?);
        free.then(|| rest.get(behind..)).flatten()
    }
}

/// A part that is a move and says nothing else of the game.
fn one_move(trial: &Hearing, part: &Clause, told: bool) -> Option<String> {
    let said = match told {
        true => sense::of_clause(trial, trial.duel(), part),
        false => sense::of_player(trial, trial.duel(), part.seat, &part.words),
    };
    match said {
        Sense::Move { text, rest, .. } if rest.is_empty() || part.is_silence() => Some(text),
        _ => None,
    }
}

/// A move without what came of it: "c3 (D7)", "east lower: C4".
fn without_result(part: &str) -> &str {
    let codes = |text: &str| {
        let mut words = wording::words(text).peekable();
        let code = |word: &str| word.len() < 4 && word.contains(|letter: char| letter.is_ascii_digit());
        words.peek().is_some()
            && words.all(|word| code(word) || ["wrong", "right", "correct", "yes", "no"].contains(&word))
    };
    [" (", ": "]
        .iter()
        .find_map(|mark| part.split_once(mark).filter(|(_, behind)| codes(behind)))
        .map_or(part, |(said, _)| said)
}

//! The answers that are legal now: a check, the choices, and one at random.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::holdings::{refuse, take};
use super::{Answer, Asked, Count, Declaration, Draw, Drawn, Due, Face, Holdings, Limit, Part, Question, Quote, Value};
use crate::{Refusal, Seat, Stream};

/// The longest list of numbers that is offered as choices.
const NUMBERS_MAX: u32 = 50;

impl Holdings {
    /// Checks that a seat may answer this now.
    ///
    /// # Errors
    /// The value that is too large, or the card that the seat does not have.
    pub fn check(&self, game: &Declaration, question: &Question, seat: Seat, answer: &Answer) -> Result<(), Refusal> {
        let Answer::Given(values) = answer else {
            return match self.default(game, question, seat) {
                Some(default) => Err(refuse("-", format!("expected {}", default.write(question, game, &[])))),
                None => Ok(()),
            };
        };
        for (part, value) in question.parts.iter().zip(values) {
            match (part, value) {
                (Part::Number(_, most), Value::Number(number)) if *number > self.limit(game, *most, seat) => {
                    let why = format!("expected at most {}", self.tell_limit(game, *most, seat));
                    return Err(refuse(&number.to_string(), why));
                }
                (Part::Cards { from, .. }, Value::Cards(faces)) => {
                    let mut hand = self.hand(game.place(*from, seat)).to_vec();
                    if let Some(face) = faces.iter().find(|face| take(&mut hand, **face).is_none()) {
                        let why = format!("expected a card of {}", from.name(&game.hands));
                        return Err(refuse(game.face(*face), why));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The declared answer of a seat that sends none, if it is legal now.
    #[must_use]
    pub fn default(&self, game: &Declaration, question: &Question, seat: Seat) -> Option<Answer> {
        question.default.clone().filter(|default| self.check(game, question, seat, default).is_ok())
    }

    pub(super) fn limit(&self, game: &Declaration, limit: Limit, seat: Seat) -> i32 {
        match limit {
            Limit::Fixed(most) => most,
            Limit::Counter(counter) => self.counter(game, counter, seat),
        }
    }

    /// The limit with its name, if it is a counter.
    fn tell_limit(&self, game: &Declaration, limit: Limit, seat: Seat) -> String {
        let value = self.limit(game, limit, seat);
        match limit {
            Limit::Fixed(_) => value.to_string(),
            Limit::Counter(counter) => format!("{value}, which is {}", counter.name(&game.counters)),
        }
    }

    /// Checks that a question can be put: each seat has an answer, and the deck has the cards of its draw behind those
    /// that are due.
    pub(super) fn check_asked(&self, game: &Declaration, asked: Asked, due: &[Due]) -> Result<(), Refusal> {
        let Some(question) = asked.question(game) else { return Ok(()) };
        for seat in Seat::BOTH.into_iter().filter(|seat| asked.asks(*seat)) {
            for part in &question.parts {
                let why = match part {
                    Part::Number(least, most) if self.limit(game, *most, seat) < *least => {
                        format!("at least {least}, and at most {}", self.tell_limit(game, *most, seat))
                    }
                    Part::Cards { count, from, .. } => {
                        let place = game.place(*from, seat);
                        let coming = due.iter().filter(|due| due.to == Some(place));
                        let coming: usize = coming.map(|due| usize::from(due.draw.count)).sum();
                        if self.hand(place).len() + coming >= usize::from(count.least) {
                            continue;
                        }
                        format!("{} cards are asked, and {} has fewer", count.least, from.name(&game.hands))
                    }
                    _ => continue,
                };
                return Err(refuse(&question.name, format!("{seat} has no answer: {why}")));
            }
        }
        self.check_due(game, due, question.draw)
    }

    /// The words from which a seat chooses its answer to a part; empty for a text, or for very many numbers.
    #[must_use]
    pub fn choices(&self, game: &Declaration, part: &Part, seat: Seat) -> Vec<String> {
        match part {
            Part::Pick(_, words) | Part::Order(words) => words.clone(),
            Part::Number(least, most) => {
                let most = self.limit(game, *most, seat);
                let few = most.checked_sub(*least).is_some_and(|more| more.unsigned_abs() < NUMBERS_MAX);
                if few { (*least..=most).map(|number| number.to_string()).collect() } else { Vec::new() }
            }
            Part::Text(_) => Vec::new(),
            Part::Cards { from, .. } => {
                let hand = self.hand(game.place(*from, seat));
                hand.iter().map(|card| game.face(card.face).into()).collect()
            }
            Part::Cell(board) => {
                let cells = board.of(&game.boards).into_iter().flat_map(|board| board.cells());
                cells.map(|cell| cell.to_string()).collect()
            }
            Part::YesNo => ["yes", "no"].map(String::from).into(),
        }
    }

    /// A legal answer, drawn from the stream.
    pub fn sample(&self, game: &Declaration, question: &Question, seat: Seat, stream: &mut impl Stream) -> Answer {
        let parts = question.parts.iter();
        Answer::Given(parts.map(|part| self.sample_part(game, part, seat, stream)).collect())
    }

    fn sample_part(&self, game: &Declaration, part: &Part, seat: Seat, stream: &mut impl Stream) -> Value {
        match part {
            Part::Pick(_, words) | Part::Order(words) => {
                let mut places: Vec<u8> = (0..).take(words.len()).collect();
                stream.shuffle(&mut places);
                if let Part::Pick(Count { least, most }, _) = part {
                    places.truncate(between(usize::from(*least), usize::from(*most), stream));
                    places.sort_unstable();
                }
                Value::Words(places)
            }
            Part::Cards { count, from, .. } => {
                let hand = self.hand(game.place(*from, seat));
                let mut faces: Vec<Face> = hand.iter().map(|card| card.face).collect();
                stream.shuffle(&mut faces);
                faces.truncate(between(usize::from(count.least), faces.len().min(usize::from(count.most)), stream));
                Value::Cards(faces)
            }
            Part::Number(least, most) => {
                let more = i64::from(self.limit(game, *most, seat)) - i64::from(*least);
                let more = stream.below(u64::try_from(more).unwrap_or(0) + 1);
                Value::Number(least.saturating_add(i32::try_from(more).unwrap_or(0)))
            }
            Part::Text(most) => {
                let length = between(1, usize::from(*most).min(12), stream);
                Value::Text(Quote::Said("ab;/\"\\ (#)c".chars().cycle().take(length).collect()))
            }
            Part::Cell(board) => {
                let cells: Vec<_> = board.of(&game.boards).into_iter().flat_map(|board| board.cells()).collect();
                Value::Cell(cells.get(between(0, cells.len().saturating_sub(1), stream)).copied().unwrap_or_default())
            }
            Part::YesNo => Value::Yes(stream.below(2) == 0),
        }
    }

    /// A draw as the rules say, from the stream.
    pub(super) fn sample_draw(&self, game: &Declaration, draw: Draw, stream: &mut impl Stream) -> Drawn {
        let dice = draw.set.of(&game.sets).map(|set| set.items.as_slice()).unwrap_or_default();
        let mut deck: Vec<Face> = self.deck(draw.set).iter().map(|card| card.face).collect();
        let mut one = || {
            let from = if deck.is_empty() { dice } else { deck.as_slice() };
            let at = between(0, from.len().saturating_sub(1), stream);
            let face = from.get(at).copied();
            if !deck.is_empty() {
                deck.remove(at);
            }
            face
        };
        Drawn { set: draw.set, faces: (0..draw.count).filter_map(|_| one()).collect() }
    }
}

/// A number from the least to the most, each equally likely.
fn between(least: usize, most: usize, stream: &mut impl Stream) -> usize {
    let more = stream.below(most.saturating_sub(least) as u64 + 1);
    least + usize::try_from(more).unwrap_or(0)
}

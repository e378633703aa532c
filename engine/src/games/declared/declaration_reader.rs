//! Reads the lines of a declaration, kind by kind, so that a line may name what a later one declares.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::item_list;
use super::keyword::is_reserved;
use super::scanner::Scanner;
use super::{
    Asked, Board, CardSet, Counter, CounterId, Declaration, Face, Fault, Hand, Holdings, Owner, Question, SetKind,
};
use crate::Refusal;

const LINES_MAX: usize = 64;
const BYTES_MAX: usize = 8_000;
const ROUNDS_MAX: i32 = 1_000;
/// The number of cards and faces that a match has to hold.
pub(super) const FACES_MAX: usize = 1_000;

/// The kinds of lines, in the order in which they are read and written.
const KINDS: [&str; 12] =
    ["title", "source", "counter", "dice", "deck", "hand", "board", "ask", "rounds", "first", "score", "label"];

/// A line, its number from 1, and the words behind its kind.
struct Line<'t> {
    number: usize,
    kind: &'static str,
    words: Scanner<'t>,
}

struct Reader {
    game: Declaration,
    /// What is declared, each name with its line.
    names: Vec<(String, usize)>,
    faces: usize,
}

impl Declaration {
    /// Reads a declaration, one thing a line. Empty lines mean nothing.
    ///
    /// # Errors
    /// The first line that does not read, or that could trap a match.
    pub fn read<'t>(lines: impl IntoIterator<Item = &'t str>) -> Result<Self, Fault> {
        let (lines, last) = split(lines)?;
        let mut reader = Reader { game: Self::EMPTY, names: Vec::new(), faces: 0 };
        for kind in KINDS {
            // Dice and decks are one kind, in the order of their lines.
            let same = |line: &&Line<'_>| match kind {
                "deck" => false,
                "dice" => ["dice", "deck"].contains(&line.kind),
                _ => line.kind == kind,
            };
            for line in lines.iter().filter(same) {
                reader.line(line).map_err(|refusal| Fault { line: line.number, refusal })?;
            }
            if kind == "board" && !lines.iter().any(|line| line.kind == "ask") {
                let why = "expected a question, such as ask answer both yes-no: without one nobody can play";
                return Err(Fault { line: last, refusal: Refusal::of_text(0, "", why) });
            }
            if kind == "score" && !lines.iter().any(|line| line.kind == kind) {
                reader.game.score = reader.game.usual_score();
            }
        }
        Ok(reader.game)
    }
}

/// The lines by kind, and the number of the last.
fn split<'t>(text: impl IntoIterator<Item = &'t str>) -> Result<(Vec<Line<'t>>, usize), Fault> {
    let (mut lines, mut bytes, mut last) = (Vec::new(), 0, 1);
    for (number, text) in (1..).zip(text) {
        let mut words = Scanner::new(text);
        let fault = |refusal| Fault { line: number, refusal };
        last = number;
        bytes += text.len() + 1;
        if bytes > BYTES_MAX || lines.len() == LINES_MAX {
            let why = format!("expected at most {LINES_MAX} lines and {BYTES_MAX} bytes in all");
            return Err(fault(words.refuse(why)));
        }
        if words.is_done() {
            continue;
        }
        let kind = words.one_of(&KINDS.map(|kind| (kind, kind))).map_err(fault)?;
        lines.push(Line { number, kind, words });
    }
    Ok((lines, last))
}

impl Reader {
    fn line(&mut self, line: &Line<'_>) -> Result<(), Refusal> {
        let (mut words, number) = (line.words.clone(), line.number);
        match line.kind {
            "title" | "source" | "rounds" | "first" | "score" => {
                self.take_name(&words, line.kind.into(), number)?;
                self.single(line.kind, &mut words)?;
                words.end("the end")
            }
            "label" => self.game.read_label_line(&mut words),
            kind => {
                let at_name = words.clone();
                let name = self.name(&mut words, number)?;
                let after = self.thing(kind, name.clone(), &mut words)?;
                let asked = self.game.asks.last().filter(|ask| kind == "ask" && ask.parts.len() > 1);
                for field in asked.map(Question::fields).unwrap_or_default() {
                    self.take_name(&at_name, field, number)?;
                }
                if words.is_done() {
                    return Ok(());
                }
                if !words.peek().text.starts_with('"') {
                    return words.end(&format!("{after}a label in quotes, or the end"));
                }
                self.game.read_label(name, &mut words)
            }
        }
    }

    fn single(&mut self, kind: &'static str, words: &mut Scanner<'_>) -> Result<(), Refusal> {
        match kind {
            "title" => self.game.read_title(words)?,
            "source" => self.game.read_source(words)?,
            "rounds" => self.game.rounds = Some(words.number(1..=ROUNDS_MAX)?.unsigned_abs()),
            "first" => {
                let first = Asked::read(words, &self.game)?;
                Holdings::new(&self.game).check_asked(&self.game, first, &[])?;
                self.game.first = Some(first);
            }
            _ => {
                let token = words.peek();
                if !words.take("none") {
                    let score = CounterId::read(words, &self.game.counters)?;
                    if !self.game.is_each(score) {
                        return Err(token.refuse("expected a counter that each seat has, or none"));
                    }
                    self.game.score = Some(score);
                }
            }
        }
        Ok(())
    }

    /// Reads a declared thing, and gives what could still follow.
    fn thing(&mut self, kind: &'static str, name: String, words: &mut Scanner<'_>) -> Result<&'static str, Refusal> {
        match kind {
            "counter" => {
                self.game.counters.push(Counter::read(name, words)?);
                Ok("from MIN, to MAX, ")
            }
            "dice" | "deck" => {
                let kind = if kind == "dice" { SetKind::Dice } else { SetKind::Deck };
                let items = self.faces(words)?;
                self.game.sets.push(CardSet { name, kind, items });
                Ok("")
            }
            "hand" => {
                let owner = Owner::read(words)?;
                let hidden = words.take("hidden");
                let of = if words.take("of") { self.faces(words)? } else { Vec::new() };
                self.game.hands.push(Hand { name, owner, hidden, of });
                Ok("hidden, of (CARD...), ")
            }
            "board" => {
                self.game.boards.push(Board::read(name, words)?);
                Ok("")
            }
            _ => {
                self.game.asks.push(Question::read(name, words, &self.game)?);
                Ok("clock S, bank S, default (ANSWER), opens umpire or then draw NAME N in this order, ")
            }
        }
    }

    fn name(&mut self, words: &mut Scanner<'_>, line: usize) -> Result<String, Refusal> {
        let at_name = words.clone();
        let name = words.name()?.text;
        if is_reserved(name) {
            return Err(at_name.refuse("expected another name: this word has a meaning of its own"));
        }
        self.take_name(&at_name, name.into(), line).map(|()| name.into())
    }

    fn take_name(&mut self, words: &Scanner<'_>, name: String, line: usize) -> Result<(), Refusal> {
        match self.names.iter().find(|(taken, _)| *taken == name) {
            Some((_, other)) => Err(words.refuse(format!("line {other} declares {name} already"))),
            None => {
                self.names.push((name, line));
                Ok(())
            }
        }
    }

    fn faces(&mut self, words: &mut Scanner<'_>) -> Result<Vec<Face>, Refusal> {
        let token = words.peek();
        let items = item_list::read(words)?;
        self.faces += items.len();
        if self.faces > FACES_MAX {
            return Err(token.refuse(format!("expected at most {FACES_MAX} cards and faces in the whole game")));
        }
        Ok(items.into_iter().map(|item| self.game.add_face(item)).collect())
    }
}

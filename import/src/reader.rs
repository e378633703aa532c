//! The one pass over a chat. Each line is understood, or it is talk, or it is asked about: nothing is passed over.
//!
//! A line says something of the match (a tag, a round, a score, a result), or moves: of whoever speaks, or of the players whom
//! it names. The engine decides what reads. A line that is asked about does not end the reading: the likeliest of its buttons
//! is taken for granted below it, so that everything that is wrong is seen at once.

use std::collections::HashSet;

use engine::{BySeat, Party, Refusal, Seat};

use super::drawing::boards;
use super::fix::Who;
use super::hearing::{Heard, Hearing};
use super::hidden::Targets;
use super::message::{Item, Message};
use super::rounds::Rounds;
use super::row::{Reading, Row, Taken};
use super::score::Score;
use super::sense::{self, Sense};
use super::speaker::Speakers;
use super::statement::Statement;
use super::timeline::Place;

/// A match as it comes out of a chat, message by message.
pub(super) struct Reader<'r> {
    pub(super) hearing: Hearing,
    pub(super) speakers: Speakers,
    pub(super) rows: &'r mut Vec<Row>,
    pub(super) strangers: &'r mut Vec<String>,
    /// The players, as far as they are known.
    pub(super) names: &'r mut BySeat<String>,
    /// What is stated beside the moves: the row, who said it, and after which steps.
    pub(super) statements: Vec<(usize, String, Statement, Place)>,
    pub(super) rounds: Rounds,
    pub(super) last_line: usize,
    /// The row of the last message: a row of a table says more than one.
    row_before: Option<usize>,
    /// Those of whom nobody knows who they are, as they are looked up.
    pub(super) met: HashSet<String>,
    /// What is said of a seat's next question, before that is asked, with its row and whether somebody else tells it.
    pub(super) later: BySeat<Option<Later>>,
    pub(super) answered: &'static str,
    /// Rows of each player that may be a move, each with how many statements came before: talk, as soon as that player sends
    /// one.
    pub(super) doubts: BySeat<Vec<(usize, usize)>>,
    /// What the host said of a draw that takes more than one line.
    pub(super) draws: Vec<(usize, Vec<Drawn>)>,
    pub(super) targets: Targets,
    /// Lines of an answer in groups of cards that is not whole yet.
    pub(super) groups: Vec<(usize, String)>,
    /// Draws that were shown whole, wherever they stand: the host may have shown them only afterwards.
    pub(super) boards: Vec<(Vec<usize>, String)>,
    /// The row from which on nothing can be read: another match begins there, or too much is missing before it.
    pub(super) ends_at: Option<usize>,
    /// Rounds that were struck and played again, as they were.
    pub(super) struck: Vec<String>,
}

/// Cards that are drawn, of a seat or of nobody's.
pub(super) type Drawn = (Option<Seat>, String);

/// What was said of a question that is not asked yet.
#[derive(Clone, Debug)]
pub(super) struct Later {
    at: usize,
    words: String,
    /// Whether somebody else than the player told it.
    told: bool,
    /// The question that was answered before it.
    behind: &'static str,
}

impl<'r> Reader<'r> {
    pub(super) fn new(hearing: Hearing, speakers: Speakers, reading: &'r mut Reading) -> Self {
        Self {
            hearing,
            speakers,
            rows: &mut reading.rows,
            strangers: &mut reading.strangers,
            names: &mut reading.facts.names,
            statements: Vec::new(),
            rounds: Rounds::default(),
            last_line: 0,
            row_before: None,
            met: HashSet::new(),
            later: BySeat::default(),
            answered: "",
            doubts: BySeat::default(),
            draws: Vec::new(),
            groups: Vec::new(),
            targets: Targets::default(),
            ends_at: None,
            boards: Vec::new(),
            struck: Vec::new(),
        }
    }
}

impl Reader<'_> {
    /// Takes what comes, in order. It ends where both players are met: all of it is read again then.
    pub(super) fn takes(&mut self, items: &[Item]) {
        if self.hearing.host_draws {
            self.boards = boards(items, &self.speakers);
        }
        self.find_targets(items);
        let are_known = |names: &BySeat<String>| names.each().iter().all(|(_, name)| !name.is_empty());
        let known = are_known(self.names);
        for (n, item) in items.iter().enumerate() {
            if (!known && are_known(self.names)) || self.ends_at.is_some() {
                return;
            }
            self.looks_for_shown(items.get(n..).unwrap_or_default());
            match item {
                Item::Round(at, named) => {
                    let next = items.get(n + 1).and_then(|next| match next {
                        Item::Message(message) => Some(message),
                        Item::Round(..) => None,
                    });
                    self.heading(*at, *named, next);
                }
                Item::Message(message) => {
                    self.message(message);
                    self.rounds.head = None;
                }
            }
        }
        self.groups_end();
        for seat in Seat::BOTH {
            if let Some(later) = self.later[seat].take() {
                self.is_unplayed(seat, &later);
            }
        }
        for at in std::mem::take(&mut self.draws).iter().map(|(at, _)| *at) {
            self.is_no_draw(at);
        }
    }

    fn message(&mut self, message: &Message) {
        self.rounds.asides = message.asides.iter().copied().collect();
        if self.is_perhaps_anothers(message) {
            return;
        }
        let last = self.row_before;
        let row = |n: usize| message.parts.get(n).map(|(row, _)| *row);
        let is_cell = |(n, (at, _)): &(usize, &(usize, String))| n.checked_sub(1).map_or(last, row) == Some(*at);
        self.row_before = message.parts.last().map(|(at, _)| *at).or(last);
        let (cells, parts): (Vec<_>, Vec<_>) = message.parts.iter().enumerate().partition(is_cell);
        let before = self.hearing.steps().len();
        if cells.is_empty() {
            self.says(message);
        } else {
            let parts = parts.into_iter().map(|(_, part)| part.clone()).collect();
            self.says(&Message { parts, ..message.clone() });
        }
        for (n, (at, words)) in cells {
            // Whose words a note is begins it.
            let by = Some(&message.name).filter(|name| n == 0 && !name.is_empty());
            let words = by.map_or_else(|| words.clone(), |name| format!("{name}: {words}"));
            self.cell(*at, &words, before);
        }
        self.offers_moves(message);
        for (at, round) in &message.asides {
            self.aside(*at, *round);
        }
    }

    fn says(&mut self, message: &Message) {
        match self.speakers.who(&message.name) {
            Some(Who::Nobody) => {}
            Some(Who::Host) => self.report(message),
            Some(who) => {
                let Some(seat) = who.seat() else { return };
                // Somebody of whom only another name is known is called by that.
                if self.names[seat].is_empty() && !Speakers::everywhere().knows(&message.name) {
                    self.names[seat].clone_from(&message.name);
                    self.hearing.call(seat, &message.name);
                }
                self.player(seat, message);
            }
            None => self.stranger(message),
        }
    }

    pub(super) fn row(&mut self, at: usize) -> Option<&mut Row> {
        self.rows.get_mut(at)
    }

    pub(super) fn line(&self, at: usize) -> usize {
        self.rows.get(at).map_or(0, |row| row.line)
    }

    /// Plays a seat's move of these rows, and what was said of its next question.
    pub(super) fn plays(&mut self, seat: Seat, text: &str, rows: &[usize], told: bool) -> Result<(), Refusal> {
        let line = rows.first().map_or(0, |at| self.line(*at));
        if let Some(later) = self.later[seat].take() {
            self.is_unplayed(seat, &later);
        }
        self.answered = self.hearing.question(seat);
        let joint = !self.is_alone(seat);
        let heard = if told { self.hearing.told(seat, text, line) } else { self.hearing.seat(seat, text, line) }?;
        self.heard(rows, heard);
        // A player who sends a move meant nothing by what was no move before. Where one is asked alone, what others tell may
        // be of another question.
        for (at, from) in if told && !joint { Vec::new() } else { std::mem::take(&mut self.doubts[seat]) } {
            if let Some(row) = self.row(at).filter(|row| row.wrong.is_some()) {
                (row.wrong, row.taken) = (None, Taken::Passed);
                // If it was a move after all, what was stated since is of another state.
                let since = self.statements.split_off(from.min(self.statements.len()));
                let results = since.into_iter().filter(|(.., statement, _)| matches!(statement, Statement::Result(_)));
                self.statements.extend(results);
            }
        }
        self.goes_on();
        Ok(())
    }

    /// Plays what was said of questions that are asked now, and what the host showed later.
    pub(super) fn goes_on(&mut self) {
        while self.hearing.is_asked(Party::Host) {
            let shown =
                self.boards.iter().position(|(_, drawn)| self.hearing.trial().draws(&[(None, drawn.clone())]).is_ok());
            let Some((rows, drawn)) = shown.map(|at| self.boards.remove(at)) else { break };
            let Ok(heard) = self.hearing.draws(&[(None, drawn)]) else { break };
            self.heard(&rows, heard);
        }
        for seat in [Seat::P1, Seat::P2, Seat::P1] {
            let asked = self.hearing.is_asked(seat.into()) && self.hearing.waiting(seat).is_none();
            let Some(later) = self.later[seat].take_if(|_| asked) else { continue };
            let Later { at, words, told, behind } = &later;
            // Of both together, nothing is said of two rounds at once.
            let next = self.hearing.question(seat);
            let other = !self.hearing.is_asked(seat.other().into()) || *behind != next;
            let played = match sense::of_player(&self.hearing, self.hearing.duel(), seat, words) {
                Sense::Move { text, rest, .. } if other => {
                    let line = self.line(*at);
                    let heard =
                        if *told { self.hearing.told(seat, &text, line) } else { self.hearing.seat(seat, &text, line) };
                    heard.map(|heard| (heard, rest)).ok()
                }
                _ => None,
            };
            match played {
                Some((heard, rest)) => {
                    self.heard(&[*at], heard);
                    if !rest.is_empty() {
                        self.later[seat] = Some(Later { at: *at, words: rest, told: *told, behind: next });
                    }
                }
                None => self.is_unplayed(seat, &later),
            }
        }
    }

    /// More of the game stood behind a move.
    pub(super) fn follows(&mut self, seat: Seat, at: usize, rest: String, told: bool) {
        let behind = self.answered;
        self.later[seat] = Some(Later { at, words: rest, told, behind });
        self.goes_on();
    }

    /// What was said behind a move was never asked for.
    pub(super) fn is_unplayed(&mut self, seat: Seat, later: &Later) {
        let name = self.hearing.names()[seat].to_owned();
        let words = &later.words;
        let head = self.rounds.headed.get(&self.line(later.at)).map(|round| format!("Round {round}"));
        let last = self.hearing.waiting(seat).or_else(|| self.hearing.past().last()?.sent[seat].as_ref()).cloned();
        let Some(row) = self.rows.get_mut(later.at).filter(|row| row.wrong.is_none()) else { return };
        row.asks(&format!("\u{201c}{words}\u{201d} behind {name}\u{2019}s move is not understood"));
        if let Some(sent) = last.filter(|sent| sent.line == row.line && !later.told) {
            let now = head.into_iter().chain([format!("{name}: {}", sent.text)]).collect();
            row.offer(format!("{name}: {}, and nothing else", sent.text), now);
        }
        row.offer_ignore();
    }

    /// What is neither a move nor talk: scores and results, whoever states them.
    pub(super) fn notes(&mut self, at: usize, words: &str) -> bool {
        let all: Vec<Statement> =
            sentences(words).filter_map(|sentence| Statement::of_all(sentence, &self.speakers)).collect();
        let noted = !all.is_empty();
        for statement in all {
            if matches!(statement, Statement::Score(_))
                && let Some(row) = self.row(at).filter(|row| row.taken == Taken::Later)
            {
                (row.taken, row.words) = (Taken::LeftOut, Score::UNCOMPARED.to_owned());
            }
            self.keeps(at, "", statement, self.hearing.steps().len());
        }
        noted
    }

    /// Scores, and a result, that sentences behind moves state. A result there is one of the match where that is over.
    pub(super) fn notes_behind(&mut self, at: usize, words: &str) -> bool {
        let over = self.hearing.duel().outcome().is_over();
        let mut noted = false;
        for sentence in sentences(words) {
            let kept = match Statement::of_all(sentence, &self.speakers) {
                Some(Statement::Result(_)) => over,
                Some(_) => true,
                None => false,
            };
            noted |= kept && self.notes(at, sentence);
        }
        noted
    }

    /// Keeps a statement, to be held against the match when that is read. So many steps came before its line.
    pub(super) fn keeps(&mut self, at: usize, by: &str, statement: Statement, before: usize) {
        let place = Place { before, with: self.hearing.steps().len() };
        self.statements.push((at, by.to_owned(), statement, place));
    }

    /// Marks the rows of what was heard. A row that holds more than one move says all of them.
    pub(super) fn heard(&mut self, rows: &[usize], heard: Heard) {
        let standing = self.hearing.standing();
        let Some((first, others)) = rows.split_first() else { return };
        let first_line = self.line(*first);
        for at in others {
            if let Some(row) = self.rows.get_mut(*at) {
                row.taken = Taken::With(first_line);
            }
        }
        if let Heard::Half(_, Some(before)) = &heard
            && *before != first_line
            && let Ok(at) = self.rows.binary_search_by_key(before, |row| row.line)
            && let Some(row) = self.rows.get_mut(at).filter(|row| row.wrong.is_none())
        {
            (row.taken, row.words) = (Taken::Passed, format!("Replaced on line {first_line}"));
            row.offer_ignore();
        }
        let Some(row) = self.rows.get_mut(*first) else { return };
        let (taken, words) = match heard {
            Heard::Half(words, _) => (Taken::Half, words),
            Heard::Step(words) => (Taken::Step, words),
        };
        // A step of both says each part of it.
        if row.taken == Taken::Step || (row.taken == Taken::Half && taken == Taken::Half) {
            row.words = format!("{}; {words}", row.words);
        } else {
            row.words = words;
        }
        row.taken = taken;
        if taken == Taken::Step {
            row.standing = standing;
            self.hearing.lines.last_mut().into_iter().for_each(|line| *line = first_line);
            self.last_line = first_line;
            self.rounds.fresh = false;
        }
    }
}

pub(super) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(". ").flat_map(|part| part.split_inclusive("! "))
}

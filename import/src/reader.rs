//! The one pass over a chat. Each line is understood, or it is talk, or it is asked about: nothing is passed over.
//!
//! A line says something of the match (a tag, a round, a score, a result), or moves: of whoever speaks, or of the players whom
//! it names. The engine decides what reads. A line that is asked about does not end the reading: the likeliest of its buttons
//! is taken for granted below it, so that everything that is wrong is seen at once.

use std::collections::HashSet;

use engine::{BySeat, Party, Refusal, Seat};

use super::clause::{How, clauses};
use super::drawing::boards;
use super::fix::{Fix, Who};
use super::hearing::{Heard, Hearing};
use super::hidden::Targets;
use super::message::{Item, Message};
use super::rounds::Rounds;
use super::row::{Reading, Row, Taken};
use super::score::Score;
use super::sense::{self, Sense};
use super::speaker::Speakers;
use super::stated::Stated;

/// A match as it comes out of a chat, message by message.
pub(super) struct Reader<'r> {
    pub(super) hearing: Hearing,
    pub(super) speakers: Speakers,
    pub(super) rows: &'r mut Vec<Row>,
    pub(super) strangers: &'r mut Vec<String>,
    /// The players, as far as they are known.
    pub(super) names: &'r mut BySeat<String>,
    /// Results that somebody stated: the row, what, and after how many steps.
    pub(super) stated: Vec<(usize, Stated, usize)>,
    pub(super) rounds: Rounds,
    /// The line of the last step.
    pub(super) last_line: usize,
    /// Those of whom nobody knows who they are, as they are looked up.
    pub(super) met: HashSet<String>,
    /// What is said of a seat's next question, before that is asked, with its row and whether somebody else tells it.
    pub(super) later: BySeat<Option<Later>>,
    /// The question that was answered last.
    pub(super) answered: &'static str,
    /// Rows of each player that may be a move: talk, as soon as that player sends one.
    pub(super) doubts: BySeat<Vec<usize>>,
    /// What the host said of a draw that takes more than one line.
    pub(super) draws: Vec<(usize, Vec<Drawn>)>,
    /// Targets that are told in a list of their own.
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
    /// A reader of a match that begins.
    pub(super) fn new(hearing: Hearing, speakers: Speakers, reading: &'r mut Reading) -> Self {
        Self {
            hearing,
            speakers,
            rows: &mut reading.rows,
            strangers: &mut reading.strangers,
            names: &mut reading.facts.names,
            stated: Vec::new(),
            rounds: Rounds::default(),
            last_line: 0,
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
        for at in std::mem::take(&mut self.draws).iter().map(|(at, _)| *at) {
            self.is_no_draw(at);
        }
    }

    fn message(&mut self, message: &Message) {
        self.rounds.asides = message.asides.iter().copied().collect();
        if self.is_perhaps_anothers(message) {
            return;
        }
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
        for (at, round) in &message.asides {
            self.aside(*at, *round);
        }
    }

    pub(super) fn row(&mut self, at: usize) -> Option<&mut Row> {
        self.rows.get_mut(at)
    }

    pub(super) fn line(&self, at: usize) -> usize {
        self.rows.get(at).map_or(0, |row| row.line)
    }

    /// Steps that somebody played.
    pub(super) fn steps(&self) -> usize {
        self.hearing.steps().iter().filter(|step| !step.starts_with("umpire:")).count()
    }

    /// A player speaks.
    pub(super) fn player(&mut self, seat: Seat, message: &Message) {
        if message.timed {
            self.rounds.again = BySeat::default();
        }
        let message = &Message { parts: self.takes_groups(seat, &message.parts, false), ..message.clone() };
        if self.is_told_already(seat, message) || self.takes_lines_together(seat, message) {
            return;
        }
        for (at, words) in &message.parts {
            self.player_line(seat, message, *at, words);
        }
    }

    /// All lines of a message are one move, or all of them that sound like one, where nothing of the game is in the rest.
    fn takes_lines_together(&mut self, seat: Seat, message: &Message) -> bool {
        if message.parts.len() < 2
            || self.rounds.again[seat]
            || message.parts.iter().any(|(_, words)| sense::is_correction(words))
        {
            return false;
        }
        let (sounding, rest): (Vec<_>, Vec<_>) =
            message.parts.iter().partition(|(_, words)| self.hearing.sounds(seat, words));
        let some = if rest.iter().any(|(_, words)| self.hearing.is_of_the_game(words)) { Vec::new() } else { sounding };
        for parts in [message.parts.iter().collect(), some] {
            let joined = parts.iter().map(|(_, words)| words.as_str()).collect::<Vec<_>>().join(" ");
            let rows: Vec<usize> = parts.iter().map(|(at, _)| *at).collect();
            let reads = !rows.is_empty() && self.hearing.reads(seat, &joined);
            if reads && self.plays(seat, &joined, &rows, false).is_ok() {
                return true;
            }
        }
        false
    }

    /// One line of a player.
    fn player_line(&mut self, seat: Seat, message: &Message, at: usize, words: &str) {
        if self.rounds.again[seat] && self.again(seat, at, words) {
            return;
        }
        if let Some(begun) = sense::cut(&self.hearing, words) {
            self.is_cut(seat, at, begun);
            return;
        }
        if self.says_same(seat, at, words) {
            return;
        }
        if sense::is_correction(words) && sense::is_of_the_game(&self.hearing, words) {
            self.corrects(seat, at, words);
            return;
        }
        let mut said = sense::of_player(&self.hearing, self.hearing.duel(), seat, words);
        if let Some((How::Named, told)) = clauses(words, &self.speakers)
            && told.iter().any(|clause| clause.seat != seat)
        {
            // Both on one line: "Black: Score / White: Steal".
            let both = format!("{}: {words}", self.hearing.names()[seat]);
            let parted = [" / ", " | ", "; ", " vs "].iter().any(|between| words.contains(between));
            let parted = parted || self.tells_of_both(&both);
            if parted && self.tells(at, &both, true) {
                return;
            }
            // What a player says of another is no move.
            if said == Sense::Doubt {
                said = Sense::Remark;
            }
        }
        // A line of a copy without times may be told by nobody, below its heading.
        let unsure = message.carried && !message.timed && self.rounds.head.is_some();
        if unsure && !matches!(said, Sense::Move { .. }) && self.tells(at, words, false) {
            return;
        }
        match said {
            Sense::Move { text, rest, .. } => {
                if let Err(refusal) = self.plays(seat, &text, &[at], false) {
                    self.doubt(seat, at, words, &refusal);
                } else if !rest.is_empty() {
                    self.follows(seat, at, rest, false);
                }
            }
            _ if self.notes(at, words) => {}
            Sense::Doubt => {
                let refusal = self.refusal(seat, words);
                self.doubt(seat, at, words, &refusal);
            }
            Sense::Remark => self.remark(Some(seat), at, words),
            // A short word may be the answer to a question that is asked of this player alone: "me", "no".
            Sense::Talk if words.split_whitespace().count() < 4 && self.is_asked_alone(seat) => {
                // Of words on offer, one may be said shortly; of cards, "no" would mean none.
                let offered = !self.hearing.vocabulary(seat.into()).choices.is_empty() && !words.contains('?');
                match self.hearing.answer(self.hearing.duel(), seat, words).filter(|_| offered) {
                    Some(text) => {
                        let _ = self.plays(seat, &text, &[at], false);
                    }
                    None => self.remark(Some(seat), at, words),
                }
            }
            Sense::Talk => {}
        }
    }

    /// Why a text is no move of a seat now.
    fn refusal(&self, seat: Seat, words: &str) -> Refusal {
        let mut trial = self.hearing.trial();
        let refused = trial.seat(seat, words, 0).err();
        refused.unwrap_or_else(|| {
            super::hearing::refusal(words, &format!("is this a move of {}?", self.hearing.names()[seat]))
        })
    }

    /// Plays a seat's move of these rows, and what was said of its next question.
    pub(super) fn plays(&mut self, seat: Seat, text: &str, rows: &[usize], told: bool) -> Result<(), Refusal> {
        let line = rows.first().map_or(0, |at| self.line(*at));
        if let Some(later) = self.later[seat].take() {
            self.is_unplayed(seat, &later);
        }
        self.answered = self.hearing.question(seat);
        let heard = if told { self.hearing.told(seat, text, line) } else { self.hearing.seat(seat, text, line) }?;
        self.heard(rows, heard);
        for at in std::mem::take(&mut self.doubts[seat]) {
            if let Some(row) = self.row(at).filter(|row| row.wrong.is_some()) {
                (row.wrong, row.taken) = (None, Taken::Passed);
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
        let (taken, said) = (row.taken, std::mem::take(&mut row.words));
        row.refuse(&format!("\u{201c}{words}\u{201d} behind {name}\u{2019}s move is not understood"));
        (row.taken, row.words) = (taken, said);
        let source = row.source.clone();
        if let Some(sent) = last.filter(|sent| sent.line == row.line && !later.told) {
            let now = head.into_iter().chain([format!("{name}: {}", sent.text)]).collect();
            row.fixes.push(Fix::line(format!("{name}: {}, and nothing else", sent.text), row.line, &source, now));
        }
        row.fixes.push(Fix::ignore(row.line, &source));
    }

    /// What is neither a move nor talk: scores and results, which are held against the match.
    pub(super) fn notes(&mut self, at: usize, words: &str) -> bool {
        let mut noted = false;
        for sentence in sentences(words) {
            if let Some(stated) = Stated::read(sentence, &self.speakers) {
                self.stated.push((at, stated, self.steps()));
                noted = true;
            } else if let Some(score) = Score::read(sentence, &self.speakers) {
                self.compares(at, score);
                noted = true;
            }
        }
        noted
    }

    /// Holds a score against the match.
    pub(super) fn compares(&mut self, at: usize, score: Score) {
        // What is wrong above may be what makes the difference.
        let against = match self.rows.iter().any(|row| row.wrong.is_some()) {
            true => Ok("A score: it is compared once all above is right".to_owned()),
            false => score.against(&self.hearing),
        };
        let Some(row) = self.row(at) else { return };
        match against {
            // A row of a table holds moves as well.
            Ok(_) if row.taken != Taken::Later => {}
            Ok(words) => (row.taken, row.words) = (Taken::LeftOut, words),
            Err(why) => {
                let (taken, said) = (row.taken, std::mem::take(&mut row.words));
                row.refuse(&why);
                if taken == Taken::Step {
                    (row.taken, row.words) = (taken, said);
                }
                let source = row.source.clone();
                row.fixes.push(Fix::ignore(row.line, &source));
            }
        }
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
        }
        let Some(row) = self.row(*first) else { return };
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
            self.last_line = first_line;
            self.rounds.fresh = false;
        }
    }
}

/// The sentences of a text.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(". ").flat_map(|part| part.split_inclusive("! "))
}

//! The table of a match: its state, which nothing but a step changes. A refused step leaves it as it was.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::holdings::refuse;
use super::{Announcement, Answer, Asked, Declaration, Drawn, Due, Holdings, Question, Then};
use crate::{Refusal, Seat, Stream, Verdict};

/// A match of a declared game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    game: Arc<Declaration>,
    held: Holdings,
    phase: Phase,
    /// The question that was put last.
    last: Option<Asked>,
    /// The draws of the host that are still to come, in order.
    due: Vec<Due>,
    round: u32,
    said: u32,
}

/// The party whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// A question is open.
    Asked(Asked),
    /// The host draws; then this question is put, or the umpire speaks.
    Drawing(Option<Asked>),
    /// The umpire speaks.
    Umpire,
    /// The match has ended.
    Over(Verdict),
}

impl Phase {
    /// The notation's word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Asked(_) => "asked",
            Self::Drawing(_) => "drawing",
            Self::Umpire => "umpire",
            Self::Over(_) => "over",
        }
    }
}

impl Table {
    /// The table before the first step.
    #[must_use]
    pub fn new(game: Arc<Declaration>) -> Self {
        let phase = game.first.map_or(Phase::Umpire, Phase::Asked);
        Self { held: Holdings::new(&game), phase, last: game.first, due: Vec::new(), round: 0, said: 0, game }
    }

    /// The declaration.
    #[must_use]
    pub fn game(&self) -> &Declaration {
        &self.game
    }

    /// Counters, decks, hands and boards.
    #[must_use]
    pub const fn holdings(&self) -> &Holdings {
        &self.held
    }

    /// The party whose turn it is.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The number of questions to both that have been answered.
    #[must_use]
    pub const fn round(&self) -> u32 {
        self.round
    }

    /// The number of sentences that the umpire said.
    #[must_use]
    pub const fn said(&self) -> u32 {
        self.said
    }

    /// The question that is open.
    #[must_use]
    pub const fn asked(&self) -> Option<Asked> {
        if let Phase::Asked(asked) = self.phase { Some(asked) } else { None }
    }

    /// The next draw of the host.
    #[must_use]
    pub fn due(&self) -> Option<Due> {
        self.due.first().copied()
    }

    /// The question that is open to a seat.
    fn question(&self, seat: Seat, found: &str) -> Result<&Question, Refusal> {
        let asked = self.asked().filter(|asked| asked.asks(seat));
        asked.and_then(|asked| asked.question(&self.game)).ok_or_else(|| self.refuse_turn(found))
    }

    /// Reads a seat's answer to the open question. Where nothing came (`-`) it is the declared default, if that is legal.
    ///
    /// # Errors
    /// No question to this seat is open, or the word that fits no answer.
    pub fn read(&self, seat: Seat, text: &str) -> Result<Answer, Refusal> {
        let question = self.question(seat, text)?;
        match Answer::read(text, question, &self.game)? {
            Answer::Missing => Ok(self.held.default(&self.game, question, seat).unwrap_or(Answer::Missing)),
            answer => Ok(answer),
        }
    }

    /// Checks that a seat may answer this now.
    ///
    /// # Errors
    /// No question to this seat is open, or the value that is not legal.
    pub fn check(&self, seat: Seat, answer: &Answer) -> Result<(), Refusal> {
        let question = self.question(seat, "")?;
        self.held.check(&self.game, question, seat, answer).map_err(|refusal| refusal.of(seat))
    }

    /// A legal answer to the open question, if it asks this seat.
    pub fn sample(&self, seat: Seat, stream: &mut impl Stream) -> Option<Answer> {
        let question = self.question(seat, "").ok()?;
        Some(self.held.sample(&self.game, question, seat, stream))
    }

    /// The next draw of the host, as the rules say.
    pub fn sample_draw(&self, stream: &mut impl Stream) -> Option<Drawn> {
        self.due().map(|due| self.held.sample_draw(&self.game, due.draw, stream))
    }

    /// Takes the answers to the open question, one of each seat that it asks, p1 first.
    ///
    /// # Errors
    /// No such question is open, or an answer is not legal.
    pub fn answer(&mut self, answers: &[(Seat, &Answer)]) -> Result<(), Refusal> {
        let Some(asked) = self.asked() else { return Err(self.refuse_turn("")) };
        if !Seat::BOTH.iter().filter(|seat| asked.asks(**seat)).eq(answers.iter().map(|(seat, _)| seat)) {
            return Err(self.refuse_turn(""));
        }
        answers.iter().try_for_each(|(seat, answer)| self.check(*seat, answer))?;
        let Some(question) = asked.question(&self.game) else { return Ok(()) };
        for (seat, answer) in answers {
            self.held.answer(&self.game, question, *seat, answer);
        }
        self.due.extend(question.draw.map(|draw| Due { draw, to: None }));
        self.round = self.round.saturating_add(u32::from(asked.seat.is_none()));
        self.go_on(None);
        Ok(())
    }

    /// Takes what the host drew.
    ///
    /// # Errors
    /// No such draw is due, or a card is not left in its deck.
    pub fn draw(&mut self, drawn: &Drawn) -> Result<(), Refusal> {
        let Phase::Drawing(then) = self.phase else { return Err(self.refuse_turn("")) };
        let Some(due) = self.due() else { return Err(self.refuse_turn("")) };
        let mut held = self.held.clone();
        held.draw(&self.game, due, drawn)?;
        self.held = held;
        self.due.remove(0);
        self.go_on(then);
        Ok(())
    }

    /// Takes what the umpire says.
    ///
    /// # Errors
    /// It is not the umpire's turn, or the part that does not fit.
    pub fn announce(&mut self, announcement: &Announcement) -> Result<(), Refusal> {
        if self.phase != Phase::Umpire {
            return Err(self.refuse_turn(""));
        }
        let (mut held, mut due) = (self.held.clone(), Vec::new());
        for act in &announcement.acts {
            held.act(&self.game, act, &mut due)?;
        }
        held.check_due(&self.game, &due, None)?;
        let asked = match &announcement.then {
            Then::More | Then::Over(..) => None,
            Then::Next(asked) => Some(*asked),
            Then::Again => {
                Some(self.last.ok_or_else(|| refuse("again", "expected next and a question: nothing has been asked"))?)
            }
        };
        if let Some(asked) = asked {
            held.check_asked(&self.game, asked, &due)?;
        }
        if let Then::Over(verdict, _) = announcement.then {
            if !due.is_empty() {
                return Err(refuse("over", "nothing can be drawn after the end"));
            }
            self.phase = Phase::Over(verdict);
        } else {
            self.due = due;
            self.last = asked.or(self.last);
            self.go_on(asked);
        }
        self.held = held;
        self.said = self.said.saturating_add(u32::try_from(announcement.sentences().count()).unwrap_or(u32::MAX));
        Ok(())
    }

    /// Ends the match by a ruling: nothing is asked or drawn any more.
    pub fn close(&mut self, verdict: Verdict) {
        self.due.clear();
        self.phase = Phase::Over(verdict);
    }

    /// The host draws what is due; then the question is put, or the umpire speaks.
    fn go_on(&mut self, then: Option<Asked>) {
        self.phase = match then {
            _ if !self.due.is_empty() => Phase::Drawing(then),
            Some(asked) => Phase::Asked(asked),
            None => Phase::Umpire,
        };
    }

    /// Refuses a step that is not due.
    fn refuse_turn(&self, found: &str) -> Refusal {
        let due = match self.phase {
            Phase::Asked(asked) => alloc::format!("expected the answer to {}", asked.words(&self.game)),
            Phase::Drawing(_) => {
                let draw = self.due().map(|due| due.draw.written(&self.game)).unwrap_or_default();
                alloc::format!("expected the host's draw: {draw}")
            }
            Phase::Umpire => "expected the umpire's word: umpire: says and what became of it".into(),
            Phase::Over(_) => "the match is over".into(),
        };
        refuse(found, due)
    }
}

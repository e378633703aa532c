//! A game under an umpire.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::dmn::form::{self, Body};
use crate::game::{Game, Object};
use crate::step::Step;
use crate::{
    Ask, BySeat, DynGame, Effect, EffectLog, Ending, Figure, Form, Insight, Outcome, Panel, Party, Place, PlayedStep,
    Readback, Reason, Refusal, Row, Seat, Setup, Sight, Stream, To, Word,
};

/// False in the module for browsers, which checks and shows matches: nobody answers there, so what offers, tries or searches
/// answers would only make it larger.
pub(crate) const OFFERS: bool = cfg!(not(target_arch = "wasm32"));

/// A game under an umpire: the game's own steps, and decisions on the result.
#[derive(Clone, Debug, PartialEq)]
pub struct GameMatch<G: Game> {
    game: G,
    ruled: Option<Ending>,
}

impl<G: Game> GameMatch<G> {
    /// The match before its first step.
    #[must_use]
    pub fn start(rules: &G::Rules, setup: &Setup) -> Self {
        Self { game: G::start(rules, setup), ruled: None }
    }

    /// The game's state.
    #[must_use]
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// The outcome; an umpire's ruling outranks the game's.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.ruled.map_or_else(|| self.game.outcome(), Outcome::Over)
    }

    /// Reads a line of the notation.
    ///
    /// # Errors
    /// Text that does not read, with its byte offset.
    pub fn read_step(&self, line: &str) -> Result<Step<G::Move, G::Draw>, Refusal> {
        Ok(match form::read(line)?.body {
            Body::Both { p1, p2 } => {
                Step::Both(BySeat { p1: self.read_joint(Seat::P1, p1)?, p2: self.read_joint(Seat::P2, p2)? })
            }
            Body::One { seat, sent } => Step::One(
                seat,
                self.game.read_single(seat, sent.text).map_err(|refusal| refusal.shifted(sent.at).of(seat))?,
            ),
            Body::Host(draw) => Step::Host(self.game.read_draw(draw.text).map_err(|refusal| refusal.shifted(draw.at))?),
            Body::Says(said) => Step::Says(self.game.read_said(said.text).map_err(|refusal| refusal.shifted(said.at))?),
            Body::Umpire(decision) => Step::Umpire(decision),
        })
    }

    fn read_joint(&self, seat: Seat, part: form::Part<'_>) -> Result<G::Move, Refusal> {
        self.game.read_joint(seat, part.text).map_err(|refusal| refusal.shifted(part.at).of(seat))
    }

    /// Takes one step.
    ///
    /// # Errors
    /// The rule that refuses it; the match is then unchanged.
    pub fn play_step(&mut self, step: &Step<G::Move, G::Draw>, log: &mut impl EffectLog) -> Result<(), Refusal> {
        if let Step::Umpire(decision) = step {
            let ending = Ending { verdict: decision.verdict, reason: Reason::UMPIRE };
            self.ruled = Some(ending);
            self.game.close(ending);
            log.note(|| decision.effect());
            return Ok(());
        }
        if self.outcome().is_over() {
            return Err(Refusal::of_text(
                0,
                "",
                "the match is over; only the umpire may still decide (umpire: result ...)",
            ));
        }
        self.game.play(step, log)
    }

    fn written(&self, sent: &G::Move) -> String {
        let mut out = String::new();
        self.game.write_move(sent, &[], &mut out);
        out
    }

    fn row(&self, step: &Step<G::Move, G::Draw>) -> Row {
        match step {
            Step::Umpire(_) => Row { round: self.game.coming_round().map_or(0, |round| round - 1), place: Place::Same },
            step => self.game.row(step),
        }
    }

    fn moves(&self, step: &Step<G::Move, G::Draw>, hidden: &[(Party, Word)]) -> BySeat<Option<String>> {
        BySeat::from_fn(|seat| {
            let sent = match step {
                Step::Both(sent) => &sent[seat],
                Step::One(asked, sent) if *asked == seat => sent,
                _ => return None,
            };
            let mut out = String::new();
            self.game.write_move(sent, &of(seat.into(), hidden), &mut out);
            Some(out)
        })
    }

    fn write_step(&self, step: &Step<G::Move, G::Draw>, hidden: &[(Party, Word)]) -> String {
        let mut out = String::with_capacity(48);
        match step {
            Step::Both(sent) => {
                if let Some(round) = self.game.coming_round() {
                    crate::json::number(&mut out, round);
                    out.push_str(". ");
                }
                self.game.write_move(&sent.p1, &of(Seat::P1.into(), hidden), &mut out);
                out.push_str(" / ");
                self.game.write_move(&sent.p2, &of(Seat::P2.into(), hidden), &mut out);
            }
            Step::One(seat, sent) => {
                out.push_str(seat.word());
                out.push_str(": ");
                self.game.write_move(sent, &of((*seat).into(), hidden), &mut out);
            }
            Step::Host(draw) => {
                out.push_str("host: ");
                self.game.write_draw(draw, &of(Party::Host, hidden), &mut out);
            }
            Step::Says(said) => {
                out.push_str("umpire: ");
                out.push_str(said);
            }
            Step::Umpire(decision) => out.push_str(&decision.to_string()),
        }
        out
    }

    fn read_answer(&self, seat: Seat, what: &str, text: &str) -> Result<G::Move, Refusal> {
        let joint = self.game.asks().iter().any(|ask| ask.what == what && ask.to == To::Both);
        let sent = if joint { self.game.read_joint(seat, text) } else { self.game.read_single(seat, text) }?;
        self.game.check_texts(text).map_err(|refusal| refusal.of(seat))?;
        self.game.check(seat, &sent).map_err(|refusal| refusal.of(seat).within(text, 0))?;
        if joint {
            return Ok(sent);
        }
        // A move of one seat alone is played at once, so the rules can refuse it here.
        let step = Step::One(seat, sent);
        self.clone().play_step(&step, &mut ()).map_err(|refusal| refusal.of(seat).within(text, 0))?;
        match step {
            Step::One(_, sent) => Ok(sent),
            _ => Err(Refusal::of_text(0, text, "expected what one seat sends")),
        }
    }

    fn read_drawn(&self, text: &str) -> Result<G::Draw, Refusal> {
        let draw = self.game.read_draw(text)?;
        let step = Step::Host(draw);
        self.clone().play_step(&step, &mut ()).map_err(|refusal| refusal.within(text, 0))?;
        match step {
            Step::Host(draw) => Ok(draw),
            _ => Err(Refusal::of_text(0, text, "expected what the host drew")),
        }
    }
}

fn of(party: Party, fields: &[(Party, Word)]) -> Vec<&str> {
    fields.iter().filter(|(whose, _)| *whose == party).map(|(_, name)| &**name).collect()
}

impl<G: Game> DynGame for GameMatch<G> {
    fn play(&mut self, line: &str, mut effects: Option<&mut Vec<Effect>>) -> Result<PlayedStep, Refusal> {
        let shape = form::read(line)?;
        if let (Some(number), Some(round)) = (&shape.number, self.game.coming_round())
            && number.value != round
            && !self.outcome().is_over()
        {
            return Err(Refusal::of_text(number.at, number.text, alloc::format!("round {round} comes now")));
        }
        if let (Some(number), None) = (&shape.number, self.game.coming_round()) {
            return Err(Refusal::of_text(number.at, number.text, "rounds are not numbered in this game"));
        }
        let step = self.read_step(line)?;
        let keeps = self.game.keeps(&step);
        let played = PlayedStep {
            text: self.write_step(&step, &[]),
            public: self.write_step(&step, &keeps),
            moves: self.moves(&step, &keeps),
            row: self.row(&step),
            shows: self.game.shows(&step),
            keeps,
        };
        // A rule refuses a part that reads well. The place of the error is the start of that part.
        self.play_step(&step, &mut effects).map_err(|refusal| {
            let (at, part) = shape.place(refusal.seat);
            refusal.within(part, at)
        })?;
        Ok(played)
    }

    fn spell(&self, line: &str) -> Result<(), Refusal> {
        match form::read(line)?.body {
            Body::One { seat, sent } => {
                self.game.spell_single(seat, sent.text).map_err(|refusal| refusal.shifted(sent.at).of(seat))
            }
            Body::Host(draw) => self.game.spell_draw(draw.text).map_err(|refusal| refusal.shifted(draw.at)),
            Body::Both { p1, p2 } => {
                let spell = |seat: Seat, part: form::Part<'_>| {
                    self.game.spell_joint(seat, part.text).map_err(|refusal| refusal.shifted(part.at).of(seat))
                };
                spell(Seat::P1, p1).and_then(|()| spell(Seat::P2, p2))
            }
            Body::Says(_) | Body::Umpire(_) => self.read_step(line).map(|_| ()),
        }
    }

    fn read(&self, party: Party, what: &str, text: &str) -> Result<Readback, Refusal> {
        let mut canonical = String::new();
        let Party::Seat(seat) = party else {
            let draw = self.read_drawn(text)?;
            self.game.write_draw(&draw, &[], &mut canonical);
            return Ok(Readback { text: canonical, words: self.game.describe_draw(&draw), notes: Vec::new() });
        };
        let sent = self.read_answer(seat, what, text)?;
        self.game.write_move(&sent, &[], &mut canonical);
        let notes = if OFFERS { self.game.forewarn(seat, &sent) } else { Vec::new() };
        Ok(Readback { text: canonical, words: self.game.describe(&sent), notes })
    }

    fn read_said(&self, text: &str) -> Result<String, Refusal> {
        let said = self.game.read_said(text)?;
        self.game.check_texts(text)?;
        let step = Step::Says(said);
        self.clone().play_step(&step, &mut ()).map_err(|refusal| refusal.within(text, 0))?;
        match step {
            Step::Says(said) => Ok(said),
            _ => Err(Refusal::of_text(0, text, "expected what the umpire says")),
        }
    }

    fn split(&self, party: Party, what: &str, text: &str) -> Result<Vec<(Word, String)>, Refusal> {
        Ok(match party {
            Party::Seat(seat) => self.game.split(&self.read_answer(seat, what, text)?),
            Party::Host => self.game.split_draw(&self.read_drawn(text)?),
        })
    }

    fn join(&self, what: &str, values: &[&str]) -> String {
        self.game.join(what, values)
    }

    fn sample(&self, seat: Seat, what: &str, mut stream: &mut dyn Stream) -> Option<String> {
        let sent = if OFFERS { self.game.sample(seat, what, &mut stream)? } else { return None };
        Some(self.written(&sent))
    }

    fn fill(&self, seat: Seat, what: &str, mut stream: &mut dyn Stream) -> Option<String> {
        let sent = if OFFERS { self.game.fill(seat, what, &mut stream)? } else { return None };
        Some(self.written(&sent))
    }

    fn draw(&self, mut stream: &mut dyn Stream) -> Option<String> {
        let draw = self.game.draw(&mut stream)?;
        let mut out = String::new();
        self.game.write_draw(&draw, &[], &mut out);
        Some(out)
    }

    fn draw_basis(&self) -> Option<String> {
        self.game.draw_basis()
    }

    fn analyse(&self) -> Vec<Insight> {
        if OFFERS { self.game.analyse() } else { Vec::new() }
    }

    fn judged(&self) -> bool {
        OFFERS && self.game.judged()
    }

    fn kind(&self, sent: &str) -> String {
        G::kind(sent)
    }

    fn score(&self) -> Option<BySeat<i32>> {
        self.game.score()
    }

    fn asks(&self) -> Vec<Ask> {
        if self.outcome().is_over() { Vec::new() } else { self.game.asks() }
    }

    fn form(&self, party: Party, what: &str) -> Option<Form> {
        if OFFERS { self.game.form(party, what) } else { None }
    }

    fn coming_round(&self) -> Option<u32> {
        self.game.coming_round()
    }

    fn outcome(&self) -> Outcome {
        Self::outcome(self)
    }

    fn state(&self, sight: Sight) -> String {
        let mut out = String::with_capacity(320);
        let mut object = Object::open(&mut out);
        self.game.write_state(sight, &mut object);
        object.close();
        out
    }

    fn figures(&self) -> Vec<Figure> {
        self.game.figures()
    }

    fn panels(&self, sight: Sight) -> Vec<Panel> {
        self.game.panels(sight)
    }

    fn copy(&self) -> Box<dyn DynGame> {
        Box::new(self.clone())
    }
}

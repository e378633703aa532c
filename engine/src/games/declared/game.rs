//! The table as a game: its questions, draws and words in the engine's contract.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{Announcement, Answer, Asked, Audience, Declaration, Drawn, Due, OpensTo, Phase, Question, Table};
use super::{sentences, view};
use crate::dmn::quotes;
use crate::game::{Game, Object};
use crate::game_match::OFFERS;
use crate::step::Step;
use crate::{
    Ask, Bank, BySeat, Clause, Closes, EffectLog, Ending, Field, Figure, Form, Opens, Outcome, Panel, Party, Place,
    Purpose, Reason, Refusal, Row, RulesetCard, RulesetEntry, Seat, Setup, Shared, Sight, Stream, To, Unit, Word,
};

/// The id of the ruleset that every declared game has.
pub const DECLARED: &str = "declared/1";

/// The word for every draw of the host's, whatever is drawn.
const DRAW: &str = "draw";
/// Draws are numbered by their place in the match.
const DRAWS: &[Purpose] = &[Purpose { word: Word::Static(DRAW), first: 0, every: 1 }];
/// The reason of every end: the umpire said so.
pub const ANNOUNCED: Reason = Reason { word: "announced", phrase: "the umpire's word" };

/// The ruleset of one declared game.
#[must_use]
pub fn ruleset(game: Arc<Declaration>) -> RulesetEntry<Table> {
    let title = game.title.clone().map_or(Word::Static("Another game"), Word::from);
    let card = RulesetCard {
        id: DECLARED,
        title,
        hosting: "declared by its umpire",
        designer: "",
        source: game.source.clone().map_or(Word::Static(""), Word::from),
        parent: None,
        about: "Its umpire declared what is asked, counted and drawn, and says what becomes of each answer.",
        needs_dmo: false,
        items: &[],
    };
    RulesetEntry { card, rules: game }
}

/// The name of the field of a hidden card.
fn sealed_card(number: u32) -> Word {
    format!("card-{number}").into()
}

impl Table {
    fn asked_of(&self, seat: Seat) -> Option<&Question> {
        self.asked().filter(|asked| asked.asks(seat))?.question(self.game())
    }

    fn ask(&self, asked: Asked) -> Option<Ask> {
        let question = asked.question(self.game())?;
        let opens = if question.opens == OpensTo::Umpire { Opens::WhenItActs } else { Opens::WithStep };
        let fields: Vec<Field> = question.fields().into_iter().map(|name| Field { name: name.into(), opens }).collect();
        let default = question.default.as_ref().map(|default| default.write(question, self.game(), &[]));
        Some(Ask {
            to: asked.seat.map_or(To::Both, To::One),
            what: question.name.clone().into(),
            prompt: if OFFERS { self.game().prompt(question) } else { String::new() },
            fields: Shared::Counted(fields.into()),
            clock_seconds: question.clock.unwrap_or(0),
            default: default.map_or(Word::Static("no answer"), Word::from),
            closes: if question.to == Audience::Both { Closes::AtDeadline } else { Closes::FirstValid },
            optional: false,
        })
    }

    fn ask_draw(&self, due: Due) -> Ask {
        let seals = self.holdings().next_seals(self.game(), due);
        let field = |number| Field { name: sealed_card(number), opens: Opens::WhenItActs };
        Ask {
            to: To::Host,
            what: Word::Static(DRAW),
            prompt: format!("Draw {}", self.game().tell_draw(due.draw)),
            fields: Shared::Counted(seals.map(field).collect::<Vec<_>>().into()),
            clock_seconds: 0,
            default: Word::Static("nothing"),
            closes: Closes::AtDeadline,
            optional: false,
        }
    }

    fn hidden_cards(&self) -> impl Iterator<Item = Word> {
        let seals = self.due().map(|due| self.holdings().next_seals(self.game(), due));
        seals.unwrap_or_default().map(sealed_card)
    }
}

impl Game for Table {
    type Rules = Arc<Declaration>;
    type Move = Answer;
    type Draw = Drawn;
    const ENDINGS: &'static [Reason] = &[ANNOUNCED];

    fn draws(rules: &Self::Rules) -> &[Purpose] {
        if rules.sets.is_empty() { &[] } else { DRAWS }
    }

    fn bank(rules: &Self::Rules) -> Option<Bank> {
        let seconds = rules.bank()?;
        let questions = rules.asks.iter().filter(|ask| ask.bank.is_some()).map(|ask| ask.name.clone().into());
        let questions: Vec<Word> = questions.collect();
        Some(Bank { extensions: 1, seconds, reserve: true, questions: Shared::Counted(questions.into()) })
    }

    fn clauses(rules: &Self::Rules) -> Vec<Clause> {
        sentences::clauses(rules)
    }

    fn is_text(rules: &Self::Rules, field: &str) -> bool {
        rules.asks.iter().any(|ask| ask.is_text(field))
    }

    fn declaration(rules: &Self::Rules) -> Option<&Arc<Declaration>> {
        Some(rules)
    }

    fn start(rules: &Self::Rules, _: &Setup) -> Self {
        Self::new(Arc::clone(rules))
    }

    fn asks(&self) -> Vec<Ask> {
        match self.phase() {
            Phase::Asked(asked) => self.ask(asked).into_iter().collect(),
            Phase::Drawing(_) => self.due().map(|due| self.ask_draw(due)).into_iter().collect(),
            Phase::Umpire | Phase::Over(_) => Vec::new(),
        }
    }

    fn form(&self, party: Party, what: &str) -> Option<Form> {
        view::form(self, party, what)
    }

    fn coming_round(&self) -> Option<u32> {
        Some(self.round().saturating_add(1))
    }

    fn read_joint(&self, seat: Seat, text: &str) -> Result<Answer, Refusal> {
        self.read(seat, text)
    }

    fn read_single(&self, seat: Seat, text: &str) -> Result<Answer, Refusal> {
        self.read(seat, text)
    }

    fn read_draw(&self, text: &str) -> Result<Drawn, Refusal> {
        Drawn::read(text, self.game())
    }

    fn read_said(&self, text: &str) -> Result<String, Refusal> {
        Announcement::read(text, self.game()).map(|said| said.write(self.game(), false))
    }

    fn spell_joint(&self, seat: Seat, text: &str) -> Result<(), Refusal> {
        self.spell_single(seat, text)
    }

    fn spell_single(&self, _: Seat, text: &str) -> Result<(), Refusal> {
        let mut refused = None;
        for question in &self.game().asks {
            match Answer::read(text, question, self.game()) {
                Ok(_) => return Ok(()),
                Err(refusal) => refused = refused.or(Some(refusal)),
            }
        }
        refused.map_or(Ok(()), Err)
    }

    fn write_move(&self, sent: &Answer, hidden: &[&str], out: &mut String) {
        let question = self.asked().and_then(|asked| asked.question(self.game()));
        out.push_str(&question.map_or_else(|| "-".into(), |question| sent.write(question, self.game(), hidden)));
    }

    fn write_draw(&self, draw: &Drawn, hidden: &[&str], out: &mut String) {
        out.push_str(&draw.write(self.game(), !hidden.is_empty()));
    }

    fn check(&self, seat: Seat, sent: &Answer) -> Result<(), Refusal> {
        Self::check(self, seat, sent)
    }

    fn check_texts(&self, text: &str) -> Result<(), Refusal> {
        let withheld = quotes::split_outside_quotes(text, b'*').nth(1);
        withheld.map_or(Ok(()), |(at, _)| Err(Refusal::of_text(at - 1, "*", "expected the text itself, in quotes")))
    }

    fn describe(&self, sent: &Answer) -> String {
        let values = self.split(sent).into_iter().map(|(_, value)| value).collect::<Vec<_>>().join(", ");
        if values.is_empty() { "no answer".into() } else { values }
    }

    fn describe_draw(&self, draw: &Drawn) -> String {
        draw.write(self.game(), false)
    }

    fn split(&self, sent: &Answer) -> Vec<(Word, String)> {
        let Some(question) = self.asked().and_then(|asked| asked.question(self.game())) else { return Vec::new() };
        let fields = question.fields().into_iter().map(Word::from);
        fields.zip(sent.values(question, self.game())).collect()
    }

    fn split_draw(&self, draw: &Drawn) -> Vec<(Word, String)> {
        let faces = draw.faces.iter().map(|face| self.game().face(*face).into());
        self.hidden_cards().zip(faces).collect()
    }

    fn join(&self, _: &str, values: &[&str]) -> String {
        values.join("; ")
    }

    fn keeps(&self, step: &Step<Answer, Drawn>) -> Vec<(Party, Word)> {
        let fields = |seat: Seat, sent: &Answer| {
            let question = self.asked_of(seat).filter(|question| question.opens == OpensTo::Umpire);
            let question = question.filter(|_| *sent != Answer::Missing);
            let fields = question.map(Question::fields).unwrap_or_default().into_iter();
            fields.map(move |field| (Party::Seat(seat), Word::from(field)))
        };
        match step {
            Step::Both(sent) => sent.each().into_iter().flat_map(|(seat, sent)| fields(seat, sent)).collect(),
            Step::One(seat, sent) => fields(*seat, sent).collect(),
            Step::Host(_) => self.hidden_cards().map(|card| (Party::Host, card)).collect(),
            Step::Says(_) | Step::Umpire(_) => Vec::new(),
        }
    }

    fn shows(&self, step: &Step<Answer, Drawn>) -> Vec<(Party, Word)> {
        let named = |seat: Seat, sent: &Answer| {
            let question = self.asked_of(seat).filter(|question| question.opens == OpensTo::All);
            question.map(|question| self.holdings().named(self.game(), question, seat, sent)).unwrap_or_default()
        };
        let named = match step {
            Step::Both(sent) => sent.each().into_iter().flat_map(|(seat, sent)| named(seat, sent)).collect(),
            Step::One(seat, sent) => named(*seat, sent),
            Step::Says(text) => Announcement::read(text, self.game())
                .map(|said| self.holdings().named_by(self.game(), &said.acts))
                .unwrap_or_default(),
            Step::Host(_) | Step::Umpire(_) => Vec::new(),
        };
        named.into_iter().map(|number| (Party::Host, sealed_card(number))).collect()
    }

    fn sample(&self, seat: Seat, what: &str, stream: &mut impl Stream) -> Option<Answer> {
        self.asked_of(seat).filter(|question| question.name == what)?;
        Self::sample(self, seat, stream)
    }

    fn draw(&self, stream: &mut impl Stream) -> Option<Drawn> {
        self.sample_draw(stream)
    }

    fn draw_basis(&self) -> Option<String> {
        self.due().map(|due| self.holdings().draw_basis(self.game(), due))
    }

    fn score(&self) -> Option<BySeat<i32>> {
        let score = self.game().score?;
        Some(BySeat::from_fn(|seat| self.holdings().counter(self.game(), score, seat)))
    }

    fn score_unit(rules: &Self::Rules) -> Unit {
        let name = rules.score.map_or("points", |score| rules.label(score.name(&rules.counters)));
        let word = Word::from(String::from(name));
        Unit { one: word.clone(), many: word }
    }

    fn kind(sent: &str) -> String {
        quotes::withhold(sent)
    }

    fn kind_words(_: &Self::Rules, kind: &str) -> String {
        kind.into()
    }

    fn row(&self, step: &Step<Answer, Drawn>) -> Row {
        match step {
            Step::Both(_) => Row { round: self.round().saturating_add(1), place: Place::Round },
            Step::One(..) => Row { round: self.round(), place: Place::Part },
            Step::Host(_) | Step::Says(_) | Step::Umpire(_) => Row { round: self.round(), place: Place::Same },
        }
    }

    fn play(&mut self, step: &Step<Answer, Drawn>, log: &mut impl EffectLog) -> Result<(), Refusal> {
        match step {
            Step::Both(sent) => {
                let asked = self.asked();
                self.answer(&sent.each())?;
                sent.each().into_iter().for_each(|(seat, sent)| self.note_answer(asked, seat, sent, log));
            }
            Step::One(seat, sent) => {
                let asked = self.asked();
                self.answer(&[(*seat, sent)])?;
                self.note_answer(asked, *seat, sent, log);
            }
            Step::Host(drawn) => {
                let due = self.due();
                Self::draw(self, drawn)?;
                if let Some(due) = due {
                    self.note_draw(due, drawn, log);
                }
            }
            Step::Says(text) => {
                let said = Announcement::read(text, self.game())?;
                let before = self.clone();
                self.announce(&said)?;
                self.note_word(&before, &said, log);
            }
            Step::Umpire(_) => {}
        }
        Ok(())
    }

    fn close(&mut self, ending: Ending) {
        Self::close(self, ending.verdict);
    }

    fn outcome(&self) -> Outcome {
        match self.phase() {
            Phase::Over(verdict) => Outcome::Over(Ending { verdict, reason: ANNOUNCED }),
            Phase::Asked(_) | Phase::Drawing(_) | Phase::Umpire => Outcome::Running,
        }
    }

    fn write_state(&self, sight: Sight, object: &mut Object<'_>) {
        Self::write_state(self, sight, object);
    }

    fn figures(&self) -> Vec<Figure> {
        view::figures(self)
    }

    fn panels(&self, sight: Sight) -> Vec<Panel> {
        view::panels(self, sight)
    }
}

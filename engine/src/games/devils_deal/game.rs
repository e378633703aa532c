//! Devil's Deal as an implementation of [`Game`].

use alloc::string::String;
use alloc::vec::Vec;

use super::ask::what;
use super::betting::Betting;
use super::moves::{FIRST, SECOND};
use super::rules::{CHOICES, Rules};
use super::state::{CHIPS, Private};
use super::{DevilsDeal, Draw, Move, Phase, ask, clauses, form, notation, readback, sample, state, state_object, view};
use crate::game::{Game, Object};
use crate::step::Step;
use crate::{
    Ask, BySeat, CardFace, Clause, EffectLog, Ending, Figure, Form, Outcome, Panel, Party, Place, Purpose, Reason,
    Refusal, Row, Seat, Setup, Sight, Stream, Unit, Word,
};

const DRAWS: &[Purpose] = &[
    Purpose { word: Word::Static(what::DEAL), first: 0, every: 0 },
    Purpose { word: Word::Static(what::OFFER), first: 1, every: 2 },
    Purpose { word: Word::Static(what::COMMUNITY), first: 2, every: 2 },
];

impl Game for DevilsDeal {
    type Draw = Draw;
    const IN_THREE_LINES: &'static [&'static str] = &[
        "Poker with hands of three cards: two of your pool, and one for both.",
        "The pool runs dry. A refill costs chips, and is divided into piles of equal sum.",
        "Who has no chips left, loses.",
    ];
    const ENDINGS: &'static [Reason] = state::ENDINGS;
    type Move = Move;
    type Rules = Rules;

    fn draws(_: &Rules) -> &[Purpose] {
        DRAWS
    }

    fn options(rules: &Rules) -> Vec<(&'static str, &'static str)> {
        rules.options().to_vec()
    }

    fn choices(_: &Rules) -> &'static [(&'static str, &'static [&'static str])] {
        CHOICES
    }

    fn choose(_: &Rules, option: &str, value: &str) -> Option<Rules> {
        Rules::choose(option, value)
    }

    fn clauses(rules: &Rules) -> Vec<Clause> {
        clauses::of(rules)
    }

    fn start(rules: &Rules, setup: &Setup) -> Self {
        // The card requires a DMO.
        let dmo = setup.dmo.unwrap_or(Seat::P1);
        Self {
            rules: *rules,
            dmo,
            phase: Phase::Deal,
            round: 0,
            begun: false,
            starter: None,
            refiller: dmo,
            chips: BySeat { p1: CHIPS, p2: CHIPS },
            pools: BySeat::default(),
            public_pools: BySeat::default(),
            offer: None,
            community: None,
            private: None,
            pot: 0,
            betting: Betting::default(),
            outcome: Outcome::Running,
        }
    }

    fn asks(&self) -> Vec<Ask> {
        ask::of(self).into_iter().collect()
    }

    fn form(&self, party: Party, what: &str) -> Option<Form> {
        form::of(self, party, what)
    }

    fn coming_round(&self) -> Option<u32> {
        None
    }

    fn read_joint(&self, _: Seat, text: &str) -> Result<Move, Refusal> {
        notation::joint(text)
    }

    fn read_single(&self, _: Seat, text: &str) -> Result<Move, Refusal> {
        notation::single(self.phase, text)
    }

    fn read_draw(&self, text: &str) -> Result<Draw, Refusal> {
        notation::draw(self.phase, text)
    }

    fn spell_single(&self, _: Seat, text: &str) -> Result<(), Refusal> {
        notation::spell(self.phase, text)
    }

    fn spell_draw(&self, text: &str) -> Result<(), Refusal> {
        notation::spell_draw(self.phase, text)
    }

    fn write_move(&self, sent: &Move, hidden: &[&str], out: &mut String) {
        sent.write(hidden, out);
    }

    fn write_draw(&self, draw: &Draw, _: &[&str], out: &mut String) {
        draw.write(out);
    }

    fn check(&self, seat: Seat, sent: &Move) -> Result<(), Refusal> {
        if self.turn() != Some(seat) && self.phase != Phase::Private {
            return Err(self.out_of_place(Some(seat)));
        }
        match (self.phase, sent) {
            (_, Move::Missing)
            | (Phase::Start, Move::Start(_))
            | (Phase::Refill, Move::Refill | Move::Stand)
            | (Phase::Take, Move::Take(None))
            | (Phase::Bet, Move::Fold) => Ok(()),
            (Phase::Divide, Move::Divide(division)) => self.check_division(seat, division),
            (Phase::Discard, Move::Discard(cards)) => self.check_discards(seat, cards),
            (Phase::Take, Move::Take(Some(card))) => self.check_take(seat, *card),
            (Phase::Private, Move::Private(first, second)) => self.check_private(seat, *first, *second),
            (Phase::Bet, Move::Raise(total)) => self.check_raise(seat, *total),
            (Phase::Bet, Move::Call) => self.check_call(seat),
            _ => Err(self.out_of_place(Some(seat))),
        }
    }

    /// The action without cards and amounts. Only taking no card is a kind of its own.
    fn kind(sent: &str) -> String {
        match sent.split_once(' ') {
            None => sent.into(),
            Some(("start", _) | (_, "none")) => sent.into(),
            Some((word @ ("raise" | "divide" | "take" | "discard"), _)) => word.into(),
            Some(_) => "two cards".into(),
        }
    }

    fn subject_kind(subject: &str) -> &str {
        subject.split_once(' ').filter(|(first, _)| *first == "Take").map_or(subject, |(first, _)| first)
    }

    fn card_of(word: &str) -> Option<CardFace> {
        view::card_of(word)
    }

    fn kind_words(_: &Rules, kind: &str) -> String {
        readback::kind(kind).into()
    }

    fn describe(&self, sent: &Move) -> String {
        readback::describe(self, sent)
    }

    fn forewarn(&self, seat: Seat, sent: &Move) -> Vec<String> {
        readback::forewarn(self, seat, sent)
    }

    fn describe_draw(&self, draw: &Draw) -> String {
        readback::describe_draw(draw)
    }

    fn split(&self, sent: &Move) -> Vec<(Word, String)> {
        let field = |hidden: &[&str]| {
            let mut text = String::new();
            sent.write(hidden, &mut text);
            text
        };
        match (self.phase, sent) {
            (_, Move::Private(first, second)) => {
                alloc::vec![(FIRST.into(), first.word().into()), (SECOND.into(), second.word().into())]
            }
            (Phase::Private, _) => alloc::vec![(FIRST.into(), field(&[])), (SECOND.into(), field(&[]))],
            _ => alloc::vec![(ask::MOVE.into(), field(&[]))],
        }
    }

    fn join(&self, _: &str, values: &[&str]) -> String {
        match values {
            [] | ["-", "-"] => "-".into(),
            values => values.join(" "),
        }
    }

    fn keeps(&self, step: &Step<Move, Draw>) -> Vec<(Party, Word)> {
        let Step::Both(sent) = step else { return Vec::new() };
        if self.private_shows_at_once() {
            return Vec::new();
        }
        let named = sent.each().into_iter().filter(|(_, sent)| matches!(sent, Move::Private(..)));
        named.flat_map(|(seat, _)| [(seat.into(), FIRST.into()), (seat.into(), SECOND.into())]).collect()
    }

    fn shows(&self, step: &Step<Move, Draw>) -> Vec<(Party, Word)> {
        let (Step::One(_, Move::Call), Some(private)) = (step, &self.private) else { return Vec::new() };
        let fields = self.fields_shown_by_call();
        let named = |(seat, private): (Seat, &Private)| private.named.then_some(Party::Seat(seat));
        fields
            .iter()
            .flat_map(|field| private.each().into_iter().filter_map(named).map(|seat| (seat, Word::from(*field))))
            .collect()
    }

    fn sample(&self, seat: Seat, what: &str, stream: &mut impl Stream) -> Option<Move> {
        sample::answer(self, seat, what, stream)
    }

    fn draw(&self, stream: &mut impl Stream) -> Option<Draw> {
        sample::draw(self, stream)
    }

    fn score(&self) -> Option<BySeat<i32>> {
        Some(self.chips.map(i32::from))
    }

    fn score_unit(_: &Rules) -> Unit {
        Unit::CHIPS
    }

    fn row(&self, step: &Step<Move, Draw>) -> Row {
        let place = match (self.phase, step) {
            (_, Step::Umpire(_)) | (Phase::Start, _) => Place::Same,
            _ if !self.begun => Place::Round,
            (Phase::Community, _) => Place::Part,
            (Phase::Private, _) if self.rules.draws_first() => Place::Part,
            (Phase::Bet, _) if self.betting.is_fresh() => Place::Part,
            _ => Place::Same,
        };
        let before = matches!(self.phase, Phase::Deal | Phase::Start);
        Row { round: if before { 0 } else { u32::from(self.round) + 1 }, place }
    }

    fn play(&mut self, step: &Step<Move, Draw>, log: &mut impl EffectLog) -> Result<(), Refusal> {
        match step {
            Step::One(seat, sent) => self.play_single(*seat, sent, log),
            Step::Both(sent) => self.play_private(sent, log),
            Step::Host(draw) => self.play_draw(draw, log),
            Step::Says(_) | Step::Umpire(_) => Ok(()),
        }
    }

    fn close(&mut self, ending: Ending) {
        self.outcome = Outcome::Over(ending);
        self.clear();
        self.phase = Phase::Over;
    }

    fn outcome(&self) -> Outcome {
        self.outcome
    }

    fn write_state(&self, sight: Sight, object: &mut Object<'_>) {
        state_object::write(self, sight, object);
    }

    fn figures(&self) -> Vec<Figure> {
        view::figures(self)
    }

    fn panels(&self, sight: Sight) -> Vec<Panel> {
        view::panels(self, sight)
    }
}

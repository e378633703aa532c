//! Thwart 13 as an implementation of [`Game`].

use alloc::string::String;
use alloc::vec::Vec;

use super::card::Card;
use super::hands::{HandPlace, Hands};
use super::rules::Rules;
use super::state::{ENDINGS, EQUAL_HANDS, MORE_HANDS, Phase, Thwart};
use super::submission::{self, Move};
use super::{clauses, sample, sentences, set_completion, view};
use crate::game::{Game, Object};
use crate::step::{NoDraw, Step};
use crate::{
    Ask, BySeat, CardFace, Clause, EffectLog, Ending, Figure, Form, Insight, Outcome, Panel, Party, Place, Reason,
    Refusal, Row, Seat, Setup, Sight, Stream, Unit, json,
};

impl Game for Thwart {
    type Draw = NoDraw;
    type Move = Move;
    type Rules = Rules;

    const IN_THREE_LINES: &'static [&'static str] = &[
        "Each round both of you take a card of one deck, hidden, at once.",
        "Lay 13 cards into three poker hands: front, middle and back.",
        "Challenge an opponent whose hands cannot be completed any more.",
    ];
    const ENDINGS: &'static [Reason] = ENDINGS;

    fn options(rules: &Rules) -> Vec<(&'static str, &'static str)> {
        rules.options().to_vec()
    }

    fn clauses(rules: &Rules) -> Vec<Clause> {
        clauses::of(rules)
    }

    fn start(rules: &Rules, _: &Setup) -> Self {
        Self::new(rules)
    }

    fn asks(&self) -> Vec<Ask> {
        view::asks(self)
    }

    fn form(&self, party: Party, what: &str) -> Option<Form> {
        view::form(self, party.seat()?, what)
    }

    fn coming_round(&self) -> Option<u32> {
        None
    }

    fn read_joint(&self, _: Seat, text: &str) -> Result<Move, Refusal> {
        submission::read_joint(text)
    }

    fn read_single(&self, _: Seat, text: &str) -> Result<Move, Refusal> {
        submission::read_single(text)
    }

    fn write_move(&self, sent: &Move, _: &[&str], out: &mut String) {
        submission::write(sent, out);
    }

    /// An answer to a challenge that is not a valid set is refused here, while it can still be corrected. Once it is
    /// played, it loses.
    fn check(&self, seat: Seat, sent: &Move) -> Result<(), Refusal> {
        match (self.phase, sent) {
            (Phase::Select, Move::Challenge) => Ok(()),
            (Phase::Select, sent) => self.check_selection(seat, sent),
            (Phase::Action, sent) => self.check_action(seat, sent),
            (Phase::Answer(asked), Move::Missing) if asked == seat => Ok(()),
            (Phase::Answer(asked), Move::Hands(answer)) if asked == seat => self.check_answer(seat, answer),
            (Phase::Answer(_) | Phase::Over, _) => Err(self.misplaced(Some(seat))),
        }
    }

    fn kind(sent: &str) -> String {
        if sent.starts_with("hands ") { "hands".into() } else { sent.into() }
    }

    fn subject_kind(subject: &str) -> &str {
        // A card is named in words, such as "ten of hearts".
        if subject.contains(" of ") { "Select" } else { subject }
    }

    fn card_of(word: &str) -> Option<CardFace> {
        view::card_of(word)
    }

    fn kind_words(_: &Rules, kind: &str) -> String {
        sentences::kind(kind)
    }

    fn describe(&self, sent: &Move) -> String {
        sentences::describe(sent)
    }

    fn forewarn(&self, seat: Seat, sent: &Move) -> Vec<String> {
        sentences::forewarn(self, seat, sent)
    }

    fn sample(&self, seat: Seat, what: &str, stream: &mut impl Stream) -> Option<Move> {
        sample::of(self, seat, what, stream)
    }

    fn analyse(&self) -> Vec<Insight> {
        let found = |seat: Seat| {
            let hands = &self.hands[seat];
            // A picked card can still be claimed, but only by its own seat.
            let found = set_completion::complete(hands, self.available.with(self.picked[seat].into_iter().collect()));
            let mut witness = String::new();
            if let Some(found) = &found {
                submission::write_groups(HandPlace::ALL.map(|place| found.at(place).iter()), &mut witness);
            }
            Insight {
                seat,
                what: "valid-set",
                holds: found.is_some(),
                witness,
                groups: found.as_ref().map(|found| view::groups(found, hands.cards())).unwrap_or_default(),
                text: sentences::insight(seat, found.as_ref(), hands.are_full()),
            }
        };
        Seat::BOTH.map(found).into()
    }

    fn judged(&self) -> bool {
        matches!(self.phase, Phase::Answer(_))
    }

    /// Hands are compared only in the endings that they decide.
    fn score(&self) -> Option<BySeat<i32>> {
        let by_hands = |ending: &Ending| [MORE_HANDS, EQUAL_HANDS].contains(&ending.reason);
        match self.outcome {
            Outcome::Over(ending) if by_hands(&ending) => Some(self.hands_won()),
            _ => None,
        }
    }

    fn score_unit(_: &Rules) -> Unit {
        Unit { one: "hand".into(), many: "hands".into() }
    }

    fn lead_unit(_: &Rules) -> Unit {
        Unit { one: "claimed card".into(), many: "claimed cards".into() }
    }

    fn row(&self, _: &Step<Move, NoDraw>) -> Row {
        let coming = self.round.saturating_add(1);
        match self.phase {
            Phase::Select => Row { round: coming, place: Place::Round },
            _ => Row { round: coming, place: Place::Part },
        }
    }

    fn play(&mut self, step: &Step<Move, NoDraw>, log: &mut impl EffectLog) -> Result<(), Refusal> {
        match (self.phase, step) {
            (_, Step::Host(draw)) => match *draw {},
            (_, Step::Says(_) | Step::Umpire(_)) => Ok(()),
            (Phase::Select, Step::Both(sent)) => self.play_selection(sent, log),
            (Phase::Select, Step::One(seat, sent)) => self.play_challenge(*seat, sent, log),
            (Phase::Action, Step::Both(sent)) if self.alone().is_none() => {
                self.play_action(&sent.as_ref().map(Some), log)
            }
            (Phase::Action, Step::One(seat, sent)) if self.alone() == Some(*seat) => {
                self.play_action(&BySeat::from_fn(|own| (own == *seat).then_some(sent)), log)
            }
            (Phase::Answer(asked), Step::One(seat, sent)) if asked == *seat => self.play_answer(*seat, sent, log),
            (_, Step::One(seat, _)) => Err(self.misplaced(Some(*seat))),
            (_, Step::Both(_)) => Err(self.misplaced(None)),
        }
    }

    fn close(&mut self, ending: Ending) {
        self.phase = Phase::Over;
        self.picked = BySeat::default();
        self.outcome = Outcome::Over(ending);
    }

    fn outcome(&self) -> Outcome {
        self.outcome
    }

    fn write_state(&self, _: Sight, object: &mut Object<'_>) {
        object.word("phase", Some(self.phase.word()));
        object.number("round", self.round);
        json::words(object.key("available"), self.available.iter().map(Card::word));
        object.by_seat("hands", &self.hands, write_hands);
        object.by_seat("picked", &self.picked, |out, card| json::word_or_null(out, card.map(Card::word)));
        object.number("passes", self.passes);
    }

    fn figures(&self) -> Vec<Figure> {
        view::figures(self)
    }

    fn panels(&self, _: Sight) -> Vec<Panel> {
        view::panels(self)
    }
}

fn write_hands(out: &mut String, hands: &Hands) {
    let mut object = Object::open(out);
    for place in HandPlace::ALL {
        json::words(object.key(place.word()), hands.at(place).iter().map(Card::word));
    }
    object.close();
}

//! Five-Card Trick as an implementation of [`Game`].

use alloc::string::String;
use alloc::vec::Vec;

use super::clauses;
use super::rules::Rules;
use super::state::ENDINGS;
use super::{Action, FiveCardTrick, Item, Move, Target, sentences, submission, view};
use crate::game::{Game, Object};
use crate::step::{NoDraw, Step};
use crate::{
    Ask, BySeat, Clause, EffectLog, Ending, Figure, Form, Outcome, Panel, Party, Place, Reason, Refusal, Row, Seat,
    Setup, Sight, Stream, Unit, Word, json,
};

const TRIES: u8 = 64;

impl Game for FiveCardTrick {
    type Draw = NoDraw;
    type Move = Move;
    type Rules = Rules;

    const IN_THREE_LINES: &'static [&'static str] = &[
        "Each round both of you play up to two of five actions, hidden, at once.",
        "Grow fills the pot, Claim takes it, Steal takes the other's Claim, Block bars an action.",
        "An action turns a light on; all five on bring a chip. Most chips win.",
    ];
    const ENDINGS: &'static [Reason] = ENDINGS;

    fn options(rules: &Rules) -> Vec<(&'static str, &'static str)> {
        rules.options().to_vec()
    }

    fn clauses(rules: &Rules) -> Vec<Clause> {
        clauses::of(rules)
    }

    fn start(rules: &Rules, setup: &Setup) -> Self {
        Self::new(rules, setup)
    }

    fn asks(&self) -> Vec<Ask> {
        view::asks(self)
    }

    fn form(&self, party: Party, what: &str) -> Option<Form> {
        let seat = party.seat()?;
        view::form(self, seat, what)
    }

    fn coming_round(&self) -> Option<u32> {
        Some(u32::from(self.round) + 1)
    }

    fn read_joint(&self, _: Seat, text: &str) -> Result<Move, Refusal> {
        submission::read(&self.rules, text)
    }

    fn read_single(&self, _: Seat, text: &str) -> Result<Move, Refusal> {
        if self.rules.has_items() {
            return submission::read_window(text);
        }
        let why = "both seats are asked together: write both moves with / between them";
        Err(Refusal::of_text(0, text, why))
    }

    fn write_move(&self, sent: &Move, hidden: &[&str], out: &mut String) {
        submission::write(&self.rules, sent, hidden.contains(&"target"), out);
    }

    fn check(&self, seat: Seat, sent: &Move) -> Result<(), Refusal> {
        match sent {
            Move::Missing => Ok(()),
            Move::Submission(sent) => self.check_submission(seat, sent),
            Move::UseClaimPriority | Move::Decline => self.check_window(seat),
        }
    }

    fn kind(sent: &str) -> String {
        let words: Vec<&str> = sent.split(' ').map(|word| word.split(':').next().unwrap_or(word)).collect();
        words.join(" ")
    }

    fn kind_words(rules: &Rules, kind: &str) -> String {
        sentences::kind(rules, kind)
    }

    fn describe(&self, sent: &Move) -> String {
        sentences::describe(&self.rules, sent)
    }

    fn forewarn(&self, seat: Seat, sent: &Move) -> Vec<String> {
        sentences::forewarn(self, seat, sent)
    }

    fn split(&self, sent: &Move) -> Vec<(Word, String)> {
        let mut whole = String::new();
        if !self.rules.seals_targets() {
            submission::write(&self.rules, sent, false, &mut whole);
            return alloc::vec![("move".into(), whole)];
        }
        let (mut bare, mut target) = (*sent, String::from("-"));
        if let Move::Submission(sent) = &mut bare
            && let Target::Action(action) = core::mem::take(&mut sent.target)
        {
            target = self.rules.word(action).into();
        }
        submission::write(&self.rules, &bare, false, &mut whole);
        alloc::vec![("move".into(), whole), ("target".into(), target)]
    }

    fn join(&self, _: &str, values: &[&str]) -> String {
        let block = self.rules.word(Action::Block);
        match values {
            [sent, target] if *target != "-" => {
                let words = sent
                    .split(' ')
                    .map(|word| if word == block { alloc::format!("{block}:{target}") } else { word.into() });
                words.collect::<Vec<_>>().join(" ")
            }
            [sent, ..] => (*sent).into(),
            [] => "-".into(),
        }
    }

    fn keeps(&self, step: &Step<Move, NoDraw>) -> Vec<(Party, Word)> {
        let Step::Both(sent) = step else { return Vec::new() };
        if !self.rules.seals_targets() {
            return Vec::new();
        }
        let resolution = self.resolve(sent);
        let kept = |seat: &Seat| {
            Self::submission(&sent[*seat]).is_some_and(|sent| sent.target != Target::None)
                && !resolution.live(*seat, Action::Block)
        };
        Seat::BOTH.into_iter().filter(kept).map(|seat| (seat.into(), "target".into())).collect()
    }

    fn sample(&self, seat: Seat, what: &str, stream: &mut impl Stream) -> Option<Move> {
        match what {
            "claim-priority" if self.window == Some(seat) => {
                Some(if stream.below(2) == 0 { Move::UseClaimPriority } else { Move::Decline })
            }
            "round" if self.asks().iter().any(|ask| ask.what == what) => {
                let mut some = (0..TRIES).map(|_| Move::Submission(submission::sample(&self.rules, stream)));
                // If the limits leave hardly any submission, nothing is sent.
                Some(some.find(|sent| self.check(seat, sent).is_ok()).unwrap_or(Move::Missing))
            }
            _ => None,
        }
    }

    fn score(&self) -> Option<BySeat<i32>> {
        Some(self.chips.map(i32::from))
    }

    fn score_unit(rules: &Rules) -> Unit {
        rules.chips_unit()
    }

    fn row(&self, step: &Step<Move, NoDraw>) -> Row {
        let joint = matches!(step, Step::Both(_));
        let place = if joint { Place::Round } else { Place::Same };
        Row { round: u32::from(self.round) + u32::from(joint), place }
    }

    fn play(&mut self, step: &Step<Move, NoDraw>, log: &mut impl EffectLog) -> Result<(), Refusal> {
        match step {
            Step::Both(sent) => self.play_round(sent, log),
            Step::One(seat, sent) => self.play_window(*seat, sent, log),
            Step::Host(draw) => match *draw {},
            Step::Says(_) | Step::Umpire(_) => Ok(()),
        }
    }

    fn close(&mut self, ending: Ending) {
        self.window = None;
        self.outcome = Outcome::Over(ending);
    }

    fn outcome(&self) -> Outcome {
        self.outcome
    }

    fn write_state(&self, _: Sight, object: &mut Object<'_>) {
        let word = |action| self.rules.word(action);
        object.number("round", u32::from(self.round));
        object.number("pot", u32::from(self.pot));
        object.by_seat("chips", &self.chips, |out, chips| json::number(out, u32::from(*chips)));
        object.by_seat("lights", &self.lights, |out, lights| json::words(out, lights.kinds().map(word)));
        object.by_seat("blocked", &self.blocked, |out, blocked| json::word_or_null(out, blocked.map(word)));
        object.by_seat("counted", &self.counted, |out, counted| json::words(out, counted.each().map(word)));
        if self.rules.has_items() {
            object.by_seat("items", &self.items, |out, held| {
                json::words(out, Item::ALL.into_iter().filter(|item| held.has(*item)).map(Item::word));
            });
            object.word("window", self.window.map(Seat::word));
        }
    }

    fn figures(&self) -> Vec<Figure> {
        view::figures(self)
    }

    fn panels(&self, _: Sight) -> Vec<Panel> {
        view::panels(self)
    }
}

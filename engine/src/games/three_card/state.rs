//! A match of Three-Card Trick, and its steps.

use alloc::string::String;
use alloc::vec::Vec;

use super::clauses::{self, number};
use super::{Action, Move, Set, sentences, submission, view};
use crate::Word;
use crate::game::{Game, Object};
use crate::ruleset::{Ruleset, RulesetCard, RulesetEntry};
use crate::step::{NoDraw, Step};
use crate::{
    Ask, BySeat, Clause, EffectLog, Ending, Figure, Form, Outcome, Panel, Party, Place, Reason, Refusal, Row, Seat,
    Setup, Sight, Stream, Unit, json,
};

/// The options. There is one hosting, so there are none yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules;

/// The rulesets of this game.
pub static RULESETS: &[&dyn Ruleset] = &[&SIMPLY_GENIUS];

static SIMPLY_GENIUS: RulesetEntry<ThreeCard> = RulesetEntry {
    card: RulesetCard {
        id: "three-card/simply-genius",
        title: Word::Static("Three-Card Trick"),
        hosting: "Simply Genius",
        designer: "e_is_cool, after Zero",
        source: Word::Static("rule post 001; its own title is lost, and this one is ours"),
        parent: None,
        about: "Grow, Claim, Steal, up to two a round; a lone action cannot be blocked; 20 rounds, 5 more on a tie, then the DMO.",
        needs_dmo: true,
        items: &[],
    },
    rules: Rules,
};

pub(super) const MORE_CHIPS: Reason = Reason { word: "more-chips", phrase: "more chips" };
const DMO: Reason = Reason { word: "dmo", phrase: "tied at the end, and the DMO wins a tie" };

const ROUNDS: u16 = 20;
const LAST_ROUND: u16 = 25;
pub(super) const CLOCK_SECONDS: u32 = 60;

/// A match of Three-Card Trick. Copying it allocates nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThreeCard {
    dmo: Option<Seat>,
    pub(super) round: u16,
    pub(super) pot: u16,
    pub(super) chips: BySeat<u16>,
    pub(super) lights: BySeat<Set>,
    pub(super) counted: BySeat<Set>,
    outcome: Outcome,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Resolution {
    pub(super) live: BySeat<Set>,
    pub(super) pot: u16,
    pub(super) claimed: BySeat<u16>,
    pub(super) stolen: BySeat<u16>,
}

impl Resolution {
    /// The pot after this seat's Grow: the first seat's comes before the second's.
    pub(super) fn pot_after_grow(&self, before: &ThreeCard, seat: Seat) -> u16 {
        let grew = |grower: &Seat| *grower <= seat && self.live[*grower].has(Action::Grow);
        Seat::BOTH.into_iter().filter(grew).fold(before.coming_pot(), |pot, _| pot + 1)
    }
}

impl ThreeCard {
    pub(super) const fn coming_pot(&self) -> u16 {
        if self.pot == 0 { 1 } else { self.pot }
    }

    pub(super) fn resolve(&self, sent: &BySeat<Move>) -> Resolution {
        let live = BySeat::from_fn(|seat| {
            let (own, other) = (sent[seat].set(), sent[seat.other()].set());
            let mut live = Set::default();
            own.each().filter(|action| own.count() == 1 || !other.has(*action)).for_each(|action| live.add(action));
            live
        });
        let grown = Seat::BOTH.into_iter().filter(|seat| live[*seat].has(Action::Grow)).count();
        let pot = self.coming_pot() + if grown == 2 { 2 } else { u16::from(grown == 1) };
        let claims = |seat: Seat| live[seat].has(Action::Claim);
        let share = if claims(Seat::P1) && claims(Seat::P2) { pot / 2 } else { pot };
        let claimed = BySeat::from_fn(|seat| if claims(seat) { share } else { 0 });
        let stolen = BySeat::from_fn(|seat| if live[seat].has(Action::Steal) { claimed[seat.other()] } else { 0 });
        Resolution { live, pot, claimed, stolen }
    }

    fn examine(&mut self, log: &mut impl EffectLog) {
        if self.round != ROUNDS && self.round != LAST_ROUND {
            return;
        }
        let BySeat { p1, p2 } = self.chips;
        self.outcome = match p1.cmp(&p2) {
            core::cmp::Ordering::Greater => Outcome::won(Seat::P1, MORE_CHIPS),
            core::cmp::Ordering::Less => Outcome::won(Seat::P2, MORE_CHIPS),
            core::cmp::Ordering::Equal if self.round == LAST_ROUND => {
                // The card requires a DMO.
                self.dmo.map_or(Outcome::Running, |dmo| Outcome::won(dmo, DMO))
            }
            core::cmp::Ordering::Equal => return log.note(sentences::extended),
        };
        log.note(|| sentences::ended(self.outcome));
    }
}

impl Game for ThreeCard {
    type Draw = NoDraw;
    type Move = Move;
    type Rules = Rules;

    const IN_THREE_LINES: &'static [&'static str] = &[
        "Each round both of you play up to two of three actions, hidden, at once.",
        "Grow fills the pot, Claim takes it, Steal takes what the other's Claim takes.",
        "The most chips win.",
    ];
    const ENDINGS: &'static [Reason] = &[MORE_CHIPS, DMO];

    fn clauses(_: &Rules) -> Vec<Clause> {
        clauses::all()
    }

    fn start(_: &Rules, setup: &Setup) -> Self {
        Self {
            dmo: setup.dmo,
            round: 0,
            pot: 0,
            chips: BySeat::default(),
            lights: BySeat::default(),
            counted: BySeat::default(),
            outcome: Outcome::Running,
        }
    }

    fn asks(&self) -> Vec<Ask> {
        view::asks(self)
    }

    fn form(&self, party: Party, what: &str) -> Option<Form> {
        let seat = party.seat()?;
        (what == "round").then(|| view::form(self, seat))
    }

    fn coming_round(&self) -> Option<u32> {
        Some(u32::from(self.round) + 1)
    }

    fn read_joint(&self, _: Seat, text: &str) -> Result<Move, Refusal> {
        submission::read(text)
    }

    fn read_single(&self, _: Seat, text: &str) -> Result<Move, Refusal> {
        let why = "both seats are asked together: write both moves with / between them";
        Err(Refusal::of_text(0, text, why))
    }

    fn write_move(&self, sent: &Move, _: &[&str], out: &mut String) {
        submission::write(*sent, out);
    }

    fn check(&self, seat: Seat, sent: &Move) -> Result<(), Refusal> {
        let Move::Set(set) = sent else { return Ok(()) };
        if *set != Set::default() && *set == self.counted[seat] {
            return Err(Refusal::by_rule(Some(seat), number::SAME_SET, sentences::same_set(*set)));
        }
        Ok(())
    }

    fn kind_words(_: &Rules, kind: &str) -> String {
        submission::read(kind).map_or_else(|_| kind.into(), sentences::describe)
    }

    fn describe(&self, sent: &Move) -> String {
        sentences::describe(*sent)
    }

    fn sample(&self, seat: Seat, what: &str, stream: &mut impl Stream) -> Option<Move> {
        if what != "round" || self.outcome.is_over() {
            return None;
        }
        loop {
            let sent = submission::sample(stream);
            if self.check(seat, &sent).is_ok() {
                return Some(sent);
            }
        }
    }

    fn score(&self) -> Option<BySeat<i32>> {
        Some(self.chips.map(i32::from))
    }

    fn score_unit(_: &Rules) -> Unit {
        Unit::CHIPS
    }

    fn row(&self, _: &Step<Move, NoDraw>) -> Row {
        Row { round: u32::from(self.round) + 1, place: Place::Round }
    }

    fn play(&mut self, step: &Step<Move, NoDraw>, log: &mut impl EffectLog) -> Result<(), Refusal> {
        let sent = match step {
            Step::Both(sent) => sent,
            Step::Host(draw) => match *draw {},
            Step::One(seat, _) => {
                let why = "both seats are asked together: write both moves with / between them";
                return Err(Refusal::by_rule(Some(*seat), number::CHOOSING, why));
            }
            Step::Says(_) | Step::Umpire(_) => return Ok(()),
        };
        for (seat, sent) in sent.each() {
            self.check(seat, sent)?;
        }
        let resolution = self.resolve(sent);
        sentences::fates(self, sent, &resolution, log);
        self.pot = resolution.pot;
        for seat in Seat::BOTH {
            self.pot -= resolution.claimed[seat];
            self.chips[seat] += resolution.claimed[seat] + resolution.stolen[seat];
            self.chips[seat] -= resolution.stolen[seat.other()];
            resolution.live[seat].each().for_each(|action| self.lights[seat].add(action));
            if self.lights[seat].is_full() {
                self.lights[seat] = Set::default();
                self.chips[seat] += 1;
                log.note(|| sentences::all_lit(seat));
            }
            self.counted[seat] = sent[seat].set();
        }
        self.round += 1;
        self.examine(log);
        if self.pot == 0 && !self.outcome.is_over() {
            log.note(sentences::refilled);
        }
        Ok(())
    }

    fn close(&mut self, ending: Ending) {
        self.outcome = Outcome::Over(ending);
    }

    fn outcome(&self) -> Outcome {
        self.outcome
    }

    fn write_state(&self, _: Sight, object: &mut Object<'_>) {
        object.number("round", u32::from(self.round));
        object.number("pot", u32::from(self.pot));
        object.by_seat("chips", &self.chips, |out, chips| json::number(out, u32::from(*chips)));
        object.by_seat("lights", &self.lights, |out, set| json::words(out, set.each().map(Action::word)));
        object.by_seat("counted", &self.counted, |out, set| json::words(out, set.each().map(Action::word)));
    }

    fn figures(&self) -> Vec<Figure> {
        view::figures(self)
    }

    fn panels(&self, _: Sight) -> Vec<Panel> {
        view::panels(self)
    }
}

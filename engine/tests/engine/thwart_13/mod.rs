//! Thwart 13 as a referee would try it, and its search against an independent one.

mod answers;
mod endings;
mod examples;
mod naive;
mod notation;
mod positions;
mod rounds;
mod solver;
mod typed;
mod whole;

use engine::{Duel, Effect, PlayedStep, Refusal, Seat, Setup, Sight};
use serde_json::Value;

const COLOSSEUM: &str = "thwart-13/dm-colosseum-2";
const LEGENDS: &str = "thwart-13/legends-untold";

#[derive(Clone, Debug)]
struct Table {
    duel: Duel,
    effects: Vec<Effect>,
}

impl Table {
    fn of(ruleset: &str) -> Self {
        let duel = Duel::open(&Setup { ruleset: ruleset.into(), ..Setup::default() }).unwrap();
        Self { duel, effects: Vec::new() }
    }

    /// Plays lines that must be accepted; the effects are those of the last one.
    fn play(mut self, lines: &[&str]) -> Self {
        for line in lines {
            self.effects.clear();
            self.duel.play(line, Some(&mut self.effects)).unwrap_or_else(|refusal| panic!("{line}: {refusal}"));
        }
        self
    }

    /// `seat` selects and claims one card a round, while the other seat passes.
    fn claims(mut self, seat: Seat, hand: &str, cards: &str) -> Self {
        for card in cards.split(' ') {
            let select = if seat == Seat::P1 { format!("{card} / pass") } else { format!("pass / {card}") };
            self = self.play(&[&select, &format!("{seat}: {hand}")]);
        }
        self
    }

    fn refused(&self, line: &str) -> Refusal {
        let mut after = self.duel.clone();
        let refusal = after.play(line, None).unwrap_err();
        assert_eq!(format!("{after:?}"), format!("{:?}", self.duel), "{line}");
        refusal
    }

    fn accepted(&self, line: &str) -> PlayedStep {
        self.duel.clone().play(line, None).unwrap_or_else(|refusal| panic!("{line}: {refusal}"))
    }

    fn state(&self) -> Value {
        serde_json::from_str(&self.duel.state(Sight::Public)).unwrap()
    }

    /// `won p1 more-hands`, `undecided both-invalid`, `running`.
    fn outcome(&self) -> String {
        let outcome = self.duel.outcome();
        let winner = outcome.winner().map(Seat::word);
        let parts = [Some(outcome.status()), winner, Some(outcome.reason())];
        parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// Every effect of the last line: seat, fate, rule.
    fn fates(&self) -> Vec<String> {
        let seat = |effect: &Effect| effect.seat.map_or("nobody", Seat::word);
        self.effects.iter().map(|effect| format!("{} {} {}", seat(effect), effect.fate.word(), effect.rule)).collect()
    }
}

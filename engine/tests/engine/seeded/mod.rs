//! Whole matches played at random, using only the game's own questions, samples and draws. The same seed plays the same
//! match everywhere.

pub(crate) mod typed;

use engine::{Ask, BySeat, Duel, Ruleset, Seat, Setup, SplitMix64, Stream, To};

/// One answer in this many is not sent.
const MISSED: u64 = 40;

/// Random numbers of a seed.
pub(crate) const fn numbers(seed: u64) -> SplitMix64 {
    SplitMix64(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// A match that is played at random.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub(crate) setup: Setup,
    pub(crate) duel: Duel,
    pub(crate) chance: SplitMix64,
    /// An optional question is answered once in this many times.
    rarely: u64,
}

impl Game {
    /// A match before its first step, with a random setup: the DMO, the items of the seats, and each option that a
    /// match may set.
    pub(crate) fn new(ruleset: &dyn Ruleset, seed: u64) -> Self {
        let (card, mut chance) = (ruleset.card(), numbers(seed));
        let dmo = if chance.below(2) == 0 { Seat::P1 } else { Seat::P2 };
        let mut items: BySeat<Vec<String>> = BySeat::default();
        for item in card.items {
            match chance.below(5) {
                0 | 1 => items.p1.push((*item).to_owned()),
                2 | 3 => items.p2.push((*item).to_owned()),
                _ => {}
            }
        }
        let mut options = Vec::new();
        for (name, values) in ruleset.choices() {
            if let Some(value) = values.get(chance.below(values.len() as u64 + 1) as usize) {
                options.push(((*name).to_owned(), (*value).to_owned()));
            }
        }
        let setup = Setup { ruleset: card.id.to_owned(), options, dmo: Some(dmo), items, declared: None };
        let duel = Duel::open(&setup).unwrap();
        let rarely = [2, 10, 60][chance.below(3) as usize];
        Self { setup, duel, chance, rarely }
    }

    /// A legal line: an answer to an open question, mostly to the one that moves the game on.
    pub(crate) fn line(&mut self) -> String {
        let asks = self.duel.asks();
        let (last, others) = asks.split_last().expect("a running match asks something");
        let ask = others.iter().find(|_| self.chance.below(self.rarely) == 0).unwrap_or(last);
        match ask.to {
            To::Both => {
                let moves = BySeat::from_fn(|seat| Some(self.answer(seat, ask)));
                self.duel.line(&moves)
            }
            To::One(seat) => format!("{seat}: {}", self.answer(seat, ask)),
            To::Host => format!("host: {}", self.duel.draw(&mut self.chance).expect("the host is asked to draw")),
        }
    }

    fn answer(&mut self, seat: Seat, ask: &Ask) -> String {
        if self.chance.below(MISSED) == 0 && self.can_miss(seat, ask) {
            return "-".to_owned();
        }
        let sent = self.duel.sample(seat, &ask.what, &mut self.chance);
        sent.unwrap_or_else(|| panic!("{seat} is asked {} and has no answer", ask.what))
    }

    /// True if a missing answer is accepted. An optional question may refuse it.
    fn can_miss(&self, seat: Seat, ask: &Ask) -> bool {
        !ask.optional || self.duel.clone().play(&format!("{seat}: -"), None).is_ok()
    }
}

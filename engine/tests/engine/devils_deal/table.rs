//! A match that is played line by line.

use engine::{Duel, Effect, Refusal, Seat, Setup, Sight};
use serde_json::Value;

pub(crate) const RULESET: &str = "devils-deal/blooming-genius";

pub(crate) struct Table {
    pub(crate) duel: Duel,
    /// The effects of the last step.
    pub(crate) effects: Vec<Effect>,
    pub(crate) played: Option<engine::PlayedStep>,
}

pub(crate) fn setup(dmo: Seat) -> Setup {
    Setup { ruleset: RULESET.into(), dmo: Some(dmo), ..Setup::default() }
}

impl Table {
    /// A match with p1 as the DMO.
    pub(crate) fn new() -> Self {
        Self::of(&setup(Seat::P1))
    }

    /// The same, with the community card before the refills.
    pub(crate) fn community_first() -> Self {
        Self::of(&Setup { options: vec![("community".into(), "before-refill".into())], ..setup(Seat::P1) })
    }

    pub(crate) fn of(setup: &Setup) -> Self {
        Self { duel: Duel::open(setup).unwrap(), effects: Vec::new(), played: None }
    }

    /// Plays lines that must all be accepted.
    pub(crate) fn play(mut self, lines: &str) -> Self {
        for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
            self.effects.clear();
            let played = self.duel.play(line, Some(&mut self.effects));
            self.played = Some(played.unwrap_or_else(|refusal| panic!("{line}: {refusal}")));
        }
        self
    }

    /// The refusal of a line, which must change nothing.
    pub(crate) fn refusal(&mut self, line: &str) -> Refusal {
        let before = self.everything();
        let refusal = match self.duel.play(line, None) {
            Ok(played) => panic!("{line} was accepted as {}", played.text),
            Err(refusal) => refusal,
        };
        assert_eq!(self.everything(), before, "{line}");
        refusal
    }

    /// The sentence of the refusal.
    pub(crate) fn refused(&mut self, line: &str) -> String {
        self.refusal(line).sentence()
    }

    pub(crate) fn everything(&self) -> String {
        self.duel.state(Sight::Everything)
    }

    pub(crate) fn state(&self, sight: Sight) -> Value {
        serde_json::from_str(&self.duel.state(sight)).unwrap()
    }

    /// One value of the state, as its text.
    pub(crate) fn get(&self, path: &str) -> String {
        self.seen(Sight::Everything, path)
    }

    pub(crate) fn seen(&self, sight: Sight, path: &str) -> String {
        let state = self.state(sight);
        let value = path.split('.').fold(&state, |value, key| &value[key]);
        value.as_str().map_or_else(|| value.to_string().replace('"', ""), str::to_owned)
    }

    /// The phase and the seat asked, as `bet p1`.
    pub(crate) fn asked(&self) -> String {
        format!("{} {}", self.get("phase"), self.get("turn"))
    }

    /// Both seats' chips, as `25 30`.
    pub(crate) fn chips(&self) -> String {
        format!("{} {}", self.get("chips.p1"), self.get("chips.p2"))
    }

    pub(crate) fn result(&self) -> String {
        format!("{} {}", self.duel.outcome().tag(), self.duel.outcome().reason())
    }

    /// The effects of the last step, each with its rule.
    pub(crate) fn told(&self) -> String {
        self.effects.iter().map(|effect| format!("{} ({})\n", effect.text, effect.rule)).collect()
    }
}

/// Both pools, and p1 starts.
pub(crate) const DEALT: &str = "host: deal R2 G5 B1 B7 G9 | R1 G2 B3 R8 R9
    p1: start p1";

/// A match before its first community card.
pub(crate) fn at_community() -> Table {
    Table::new().play(DEALT).play("p1: stand\n p2: stand")
}

/// A match in the bets of its first round: p1 plays these cards, p2 those.
pub(crate) fn betting(community: &str, private: &str) -> Table {
    at_community().play(&format!("host: community {community}\n {private}"))
}

/// A match in its first refill, with the rule post's offer.
pub(crate) fn dividing() -> Table {
    Table::new().play(DEALT).play("p1: refill\n host: offer G5 B3 R3 R7 B6 G1 G2 G8 B5 R2 B9 G6")
}

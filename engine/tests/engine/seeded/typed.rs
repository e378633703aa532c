//! The games with their types, for measurements without text. A new game is one line here.

use engine::game::Game;
use engine::games::devils_deal::{self, DevilsDeal};
use engine::games::five_card_trick::{self as five, FiveCardTrick};
use engine::games::higher_lower::{self, HigherLower};
use engine::games::three_card::{self, ThreeCard};
use engine::games::thwart_13::{self as thwart, Thwart};
use engine::step::Step;
use engine::{GameMatch, ruleset, rulesets};

use crate::seeded;

/// An action on every ruleset.
pub(crate) trait Visit {
    fn visit<G: Game>(&mut self, id: &'static str, rules: &G::Rules);
}

/// Calls it for every ruleset of the registry.
pub(crate) fn every(visit: &mut impl Visit) {
    let mut seen = Vec::new();
    for entry in [
        &five::ZEROS_GAUNTLET,
        &five::ZEROS_GAUNTLET_FINAL,
        &five::DM_COLOSSEUM_2,
        &five::LEGENDS_UNTOLD,
        &five::GENIUS_PUZZLER,
    ] {
        visit.visit::<FiveCardTrick>(entry.card.id, &entry.rules);
        seen.push(entry.card.id);
    }
    visit.visit::<ThreeCard>("three-card/simply-genius", &three_card::Rules);
    seen.push("three-card/simply-genius");
    for entry in [&thwart::DM_COLOSSEUM_2, &thwart::LEGENDS_UNTOLD] {
        visit.visit::<Thwart>(entry.card.id, &entry.rules);
        seen.push(entry.card.id);
    }
    visit.visit::<DevilsDeal>(devils_deal::BLOOMING_GENIUS.card.id, &devils_deal::BLOOMING_GENIUS.rules);
    seen.push(devils_deal::BLOOMING_GENIUS.card.id);
    visit.visit::<HigherLower>("higher-lower/tempo-up", &higher_lower::Rules);
    seen.push("higher-lower/tempo-up");
    assert_eq!(seen, rulesets().map(|ruleset| ruleset.card().id).collect::<Vec<_>>());
}

pub(crate) type Typed<G> = Step<<G as Game>::Move, <G as Game>::Draw>;

pub(crate) struct RandomMatch<G: Game> {
    /// The match at its end.
    pub(crate) game: seeded::Game,
    /// The rules, with the options of the match.
    pub(crate) rules: G::Rules,
    /// Its steps as text, and typed.
    pub(crate) steps: Vec<(String, Typed<G>)>,
}

impl<G: Game> RandomMatch<G> {
    pub(crate) fn new(id: &str, rules: &G::Rules, seed: u64) -> Self {
        let mut game = seeded::Game::new(ruleset(id).unwrap(), seed);
        let options = &game.setup.options;
        let rules = options.iter().fold(rules.clone(), |rules, (name, value)| G::choose(&rules, name, value).unwrap());
        let mut playing = GameMatch::<G>::start(&rules, &game.setup);
        let mut steps = Vec::new();
        while !game.duel.outcome().is_over() {
            let line = game.line();
            let text = game.duel.play(&line, None).unwrap().text;
            let step = playing.read_step(&line).unwrap();
            playing.play_step(&step, &mut ()).unwrap();
            steps.push((text, step));
        }
        Self { game, rules, steps }
    }
}

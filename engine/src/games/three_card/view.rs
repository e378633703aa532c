//! The questions of the state, and its panels for a page. Only the moves are secret in this game.

use alloc::format;
use alloc::vec::Vec;

use super::clauses::number;
use super::state::CLOCK_SECONDS;
use super::{Action, Set, ThreeCard, sentences};
use crate::game::Game;
use crate::{Ask, Choice, Closes, Field, Figure, Form, Lamp, Opens, Panel, Refusal, Seat, To, Word};

const WHOLE: &[Field] = &[Field { name: Word::Static("move"), opens: Opens::WithStep }];

pub(super) fn asks(game: &ThreeCard) -> Vec<Ask> {
    if game.outcome().is_over() {
        return Vec::new();
    }
    alloc::vec![Ask {
        to: To::Both,
        what: "round".into(),
        prompt: format!("Round {}: up to two actions", game.round + 1),
        fields: WHOLE.into(),
        clock_seconds: CLOCK_SECONDS,
        default: "nothing is played".into(),
        closes: Closes::AtDeadline,
        optional: false,
    }]
}

pub(super) fn form(game: &ThreeCard, seat: Seat) -> Form {
    let last = game.counted[seat];
    // A set of two is barred only as a pair. A single word is barred only if it was all of the last set.
    let barred = |action: Action| {
        (last.count() == 1 && last.has(action)).then(|| {
            let why = sentences::same_set(last);
            Refusal::by_rule(Some(seat), number::SAME_SET, why)
        })
    };
    let hint = |action| match action {
        Action::Grow => "pot +1",
        Action::Claim => "takes the pot",
        Action::Steal => "takes their Claim",
    };
    let choice =
        |action: Action| Choice { barred: barred(action), ..Choice::new(action.word(), action.name(), hint(action)) };
    let choices = Action::ALL.map(choice);
    Form::Words { choices: choices.to_vec(), least: 0, most: 2 }
}

pub(super) fn figures(game: &ThreeCard) -> Vec<Figure> {
    // While players choose, the pot is what a Claim would take.
    let pot = if game.outcome().is_over() { game.pot } else { game.coming_pot() };
    let mut figures =
        alloc::vec![Figure { name: "pot".into(), label: "Pot".into(), seat: None, value: i32::from(pot) }];
    for (seat, chips) in game.chips.each() {
        figures.push(Figure {
            name: "chips".into(),
            label: "Chips".into(),
            seat: Some(seat),
            value: i32::from(*chips),
        });
    }
    figures
}

pub(super) fn panels(game: &ThreeCard) -> Vec<Panel> {
    let lamps = |lit: &Set| {
        let letters = |action| match action {
            Action::Grow => "G",
            Action::Claim => "C",
            Action::Steal => "S",
        };
        Action::ALL.map(|action| Lamp { name: action.name(), letters: letters(action), lit: lit.has(action) }).to_vec()
    };
    game.lights
        .each()
        .map(|(seat, lit)| Panel::Lamps { title: "Lamps".into(), seat, lamps: lamps(lit) })
        .into_iter()
        .collect()
}

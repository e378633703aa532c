//! The questions of the state, and its panels for a page. Only the submissions are secret in this game.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::clauses::number;
use super::rules::Rules;
use super::{Action, FiveCardTrick, Item, sentences};
use crate::game::Game;
use crate::{Ask, Choice, Closes, Field, Figure, Form, Lamp, Opens, Panel, Refusal, Seat, To, Word};

const WHOLE: &[Field] = &[Field { name: Word::Static("move"), opens: Opens::WithStep }];
const WITH_TARGET: &[Field] = &[
    Field { name: Word::Static("move"), opens: Opens::WithStep },
    Field { name: Word::Static("target"), opens: Opens::WhenItActs },
];

pub(super) fn asks(game: &FiveCardTrick) -> Vec<Ask> {
    let mut asks = Vec::new();
    if game.outcome().is_over() {
        return asks;
    }
    let rules = &game.rules;
    if let Some(seat) = game.window {
        asks.push(Ask {
            to: To::One(seat),
            what: "claim-priority".into(),
            prompt: format!("Claim Priority: take the pot of {}, or decline", sentences::chips(rules, game.pot)),
            fields: WHOLE.into(),
            clock_seconds: rules.clock_seconds(),
            default: "declined; the item is kept".into(),
            closes: Closes::FirstValid,
            optional: !game.waits_for_window(),
        });
    }
    if !game.waits_for_window() {
        let due = if rules.picks().0 == 2 { "two actions" } else { "up to two actions" };
        asks.push(Ask {
            to: To::Both,
            what: "round".into(),
            prompt: format!("Round {}: {due}", game.round + 1),
            fields: if rules.seals_targets() { WITH_TARGET } else { WHOLE }.into(),
            clock_seconds: rules.clock_seconds(),
            default: if rules.replays() {
                "nothing is played; if both miss, the round is replayed"
            } else {
                "nothing is played"
            }
            .into(),
            closes: Closes::AtDeadline,
            optional: false,
        });
    }
    asks
}

pub(super) fn form(game: &FiveCardTrick, seat: Seat, what: &str) -> Option<Form> {
    match what {
        "round" => Some(round_form(game, seat)),
        "claim-priority" if game.window == Some(seat) => {
            let take = format!("take the pot of {}; the item is spent", sentences::chips(&game.rules, game.pot));
            let choices = alloc::vec![
                Choice::new("use claim-priority", "Use Claim Priority", take),
                Choice::new("decline", "Decline", "keep the item for another round"),
            ];
            Some(Form::Words { choices, least: 1, most: 1 })
        }
        _ => None,
    }
}

fn round_form(game: &FiveCardTrick, seat: Seat) -> Form {
    let rules = &game.rules;
    let (least, most) = rules.picks();
    let targets: Vec<_> = Action::ALL.map(|action| (rules.word(action), rules.name(action))).to_vec();
    let mut choices: Vec<Choice> = Action::ALL
        .into_iter()
        .map(|action| Choice {
            copies: if rules.doubles() { 2 } else { 1 },
            targets: if action == Action::Block { targets.clone() } else { Vec::new() },
            barred: barred(game, seat, action),
            ..Choice::new(rules.word(action), rules.name(action), hint(rules, action))
        })
        .collect();
    let overload = game.items[seat].has(Item::Overload);
    for (item, word, hint) in [
        (Item::Overload, "+overload", "three actions this round, at most two alike"),
        (Item::LimitReset, "+limit-reset", "earlier rounds limit nothing this round"),
    ] {
        if game.items[seat].has(item) {
            choices.push(Choice::new(word, item.name(), hint));
        }
    }
    Form::Words { choices, least, most: most + u8::from(overload) }
}

fn hint(rules: &Rules, action: Action) -> String {
    match action {
        Action::Score => format!("+1 {}", rules.chip()),
        Action::Grow => "pot +1".into(),
        Action::Claim => "takes the pot".into(),
        Action::Steal => "takes their Claim".into(),
        Action::Block => "bars one action".into(),
    }
}

fn barred(game: &FiveCardTrick, seat: Seat, action: Action) -> Option<Refusal> {
    let (history, name) = (&game.history[seat], game.rules.name(action));
    let refuse = |rule, why| Some(Refusal::by_rule(Some(seat), rule, why));
    if game.rules.doubles() && history.doubled(action) {
        refuse(number::DOUBLE_BAN, format!("{name} was doubled in the last round"))
    } else if history.third_in_a_row(action) {
        refuse(number::THIRD_IN_A_ROW, format!("{name} is out: it counted in both of the last two rounds"))
    } else if game.blocked[seat] == Some(action) {
        refuse(number::BLOCKING, format!("{name} is blocked: it does not act in this round"))
    } else {
        None
    }
}

pub(super) fn figures(game: &FiveCardTrick) -> Vec<Figure> {
    let mut figures =
        alloc::vec![Figure { name: "pot".into(), label: "Pot".into(), seat: None, value: i32::from(game.pot) }];
    for (seat, chips) in game.chips.each() {
        let label = game.rules.chips_title();
        figures.push(Figure { name: "chips".into(), label: label.into(), seat: Some(seat), value: i32::from(*chips) });
    }
    figures
}

pub(super) fn panels(game: &FiveCardTrick) -> Vec<Panel> {
    let rules = &game.rules;
    let mut panels = Vec::new();
    for (seat, lights) in game.lights.each() {
        let lamp = |action| Lamp { name: rules.name(action), letters: rules.letters(action), lit: lights.has(action) };
        panels.push(Panel::Lamps { title: rules.light().1.into(), seat, lamps: Action::ALL.map(lamp).to_vec() });
    }
    for (seat, blocked) in game.blocked.each() {
        // After the end no round is left for it.
        if let Some(action) = blocked.filter(|_| !game.outcome.is_over()) {
            let text = format!("{} does not act for {} in round {}.", rules.name(action), seat.name(), game.round + 1);
            panels.push(Panel::Notice { title: "Blocked".into(), seat: Some(seat), text });
        }
    }
    for (seat, held) in game.items.each() {
        let names: Vec<&str> = Item::ALL.into_iter().filter(|item| held.has(*item)).map(Item::name).collect();
        if !names.is_empty() {
            panels.push(Panel::Notice { title: "Items".into(), seat: Some(seat), text: names.join(", ") });
        }
    }
    if let Some(seat) = game.window {
        let text = format!("{} may use Claim Priority now.", seat.name());
        panels.push(Panel::Notice { title: "Claim Priority".into(), seat: Some(seat), text });
    }
    panels
}

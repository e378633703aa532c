//! The things that a game cannot create or lose: chips and cards. Each game has a check here, on its visible state.

use std::collections::{BTreeMap, BTreeSet};

use engine::{Duel, Effect, Fate, Sight};
use proptest::prelude::*;
use serde_json::Value;

use super::{Moment, law, play};

#[test]
fn chips_and_cards_are_conserved() {
    law(|game| {
        let ruleset = game.setup.ruleset.clone();
        let mut placed = Vec::new();
        play(game, |moment, _| match ruleset.split('/').next().unwrap() {
            "five-card-trick" | "three-card" => chips_of_tricks(moment),
            "thwart-13" => cards_of_thwart(moment),
            "devils-deal" => chips_of_the_deal(moment),
            "higher-lower" => cards_on_boards(moment, &mut placed),
            other => panic!("what does {other} conserve?"),
        })?;
        Ok(())
    });
}

fn figure(duel: &Duel, name: &str) -> i32 {
    duel.view(Sight::Public).figures.iter().filter(|figure| figure.name == name).map(|figure| figure.value).sum()
}

/// Chips come only from Score, from Grow, from lights and into an empty pot; none is ever removed.
fn chips_of_tricks(moment: &Moment) -> Result<(), TestCaseError> {
    let gained = |effect: &Effect| {
        let (acted, event) = (effect.fate == Fate::Resolved, effect.fate == Fate::Event);
        let source = match effect.rule {
            "1.5.1" | "1.5.2" | "2.4.1" => acted,
            "1.6" | "2.2" | "2.5" => event,
            // Claim Priority takes all of the pot, and one chip is added to it.
            "1.7.4" => acted,
            _ => false,
        };
        i32::from(source)
    };
    let all = |duel: &Duel| figure(duel, "chips") + figure(duel, "pot");
    let gains: i32 = moment.effects.iter().map(gained).sum();
    prop_assert_eq!(all(&moment.before) + gains, all(&moment.after), "{}: {:#?}", moment.line, moment.effects);
    Ok(())
}

fn state(duel: &Duel) -> Value {
    serde_json::from_str(&duel.state(Sight::Everything)).unwrap()
}

fn words(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(|word| word.as_str().unwrap().to_owned()).collect()
}

const HANDS: [(&str, usize); 3] = [("front", 3), ("middle", 5), ("back", 5)];

/// A card of the deck is in one place or is gone. A card that has been in a hand or is gone never moves again.
fn cards_of_thwart(moment: &Moment) -> Result<(), TestCaseError> {
    let (before, after) = (state(&moment.before), state(&moment.after));
    let lying = |state: &Value| {
        let mut all = words(&state["available"]);
        for seat in ["p1", "p2"] {
            all.extend(state["picked"][seat].as_str().map(str::to_owned));
            all.extend(HANDS.iter().flat_map(|(hand, _)| words(&state["hands"][seat][hand])));
        }
        all
    };
    let (was, now) = (lying(&before), lying(&after));
    let (set, earlier): (BTreeSet<_>, BTreeSet<_>) = (now.iter().collect(), was.iter().collect());
    prop_assert_eq!(set.len(), now.len(), "a card lies twice: {}", after);
    prop_assert!(set.is_subset(&earlier), "a card comes back: {after}");
    prop_assert!(now.len() + 2 >= was.len(), "more than two cards go with one step: {after}");
    for seat in ["p1", "p2"] {
        for (hand, most) in HANDS {
            let (was, now) = (words(&before["hands"][seat][hand]), words(&after["hands"][seat][hand]));
            prop_assert!(now.starts_with(&was) && now.len() <= most, "{seat}, {hand}: {was:?}, {now:?}");
        }
    }
    let (was, now) = (words(&before["available"]), words(&after["available"]));
    prop_assert!(now.iter().all(|card| was.contains(card)));
    if before["phase"] == "action" {
        prop_assert_eq!(was, now, "nothing goes in the action");
    }
    Ok(())
}

/// Of 60 chips, five go with each refill and one with each ante; after a tie the one comes back. No pool is too large.
fn chips_of_the_deal(moment: &Moment) -> Result<(), TestCaseError> {
    let (before, after) = (state(&moment.before), state(&moment.after));
    let number = |value: &Value| value.as_i64().unwrap();
    let all = |state: &Value| number(&state["chips"]["p1"]) + number(&state["chips"]["p2"]) + number(&state["pot"]);
    let gone = all(&before) - all(&after);
    let refilled = before["phase"] == "refill" && after["phase"] != "refill" && moment.line.contains("refill");
    let expected: &[i64] = match before["phase"].as_str().unwrap() {
        "refill" if refilled || after["phase"] == "offer" => &[5],
        // If nobody can bet, the round ends at once, and a tie gives back the one chip.
        "private" => &[0, 1],
        "bet" => &[0, -1],
        _ => &[0],
    };
    prop_assert!(expected.contains(&gone), "{gone} chips go with {}: {after}", moment.line);
    prop_assert!(all(&after) <= 60);
    let phase = after["phase"].as_str().unwrap();
    for seat in ["p1", "p2"] {
        let pool = words(&after["pools"][seat]).len();
        let most = if ["discard", "over"].contains(&phase) { 20 } else { 10 };
        prop_assert!(pool <= most, "{pool} cards in a pool after {}: {after}", moment.line);
    }
    Ok(())
}

/// Every card of a seat's colour is on one cell, a grey one on one cell or none. Points are right predictions, and no
/// more cards turn than exist.
fn cards_on_boards(moment: &Moment, placed: &mut Vec<String>) -> Result<(), TestCaseError> {
    let after = state(&moment.after);
    if let Some(said) = moment.played.text.strip_prefix("host: place ") {
        placed.extend(said.split(' ').skip(1).map(str::to_owned));
    }
    if after["phase"] == "board" {
        prop_assert_eq!(placed.len(), 125);
        let mut often: BTreeMap<&str, usize> = BTreeMap::new();
        placed.iter().for_each(|card| *often.entry(card).or_default() += 1);
        prop_assert_eq!(often.len(), 50, "{:?}", often);
        prop_assert!(often.values().all(|often| (2..=3).contains(often)), "{often:?}");
    }
    let number = |value: &Value| value.as_u64().unwrap();
    let up = after["up"].as_array().unwrap().len();
    let points = number(&after["points"]["p1"]) + number(&after["points"]["p2"]);
    prop_assert!(up <= 25 && points <= up as u64 && number(&after["turned"]) <= 8, "{after}");
    prop_assert!(number(&after["wins"]["p1"]) <= 3 && number(&after["wins"]["p2"]) <= 3);
    prop_assert!(moment.before.outcome().is_over() || number(&after["wins"]["p1"]) + number(&after["wins"]["p2"]) <= 5);
    Ok(())
}

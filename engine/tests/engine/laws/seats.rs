//! The seats are alike: a match with its seats swapped is the same match, with everything swapped.

use engine::{BySeat, Duel, Effect, Fate, Outcome, Seat, Setup, Sight, Word};
use proptest::prelude::*;
use serde_json::{Map, Value};

use super::notation::said;
use super::{law, play};

/// A line with the seats swapped.
fn turned_line(line: &str) -> String {
    let other = |word: &str| match word {
        "p1" => "p2".to_owned(),
        "p2" => "p1".to_owned(),
        word => word.to_owned(),
    };
    let words = |text: &str| text.split(' ').map(other).collect::<Vec<_>>().join(" ");
    let said = said(line);
    if let [(_, p1), (_, p2)] = said.as_slice() {
        let number = line.split_once(". ").map_or(String::new(), |(number, _)| format!("{number}. "));
        return format!("{number}{} / {}", words(p2), words(p1));
    }
    // A deal is p1's cards, then p2's.
    if let Some(dealt) = line.strip_prefix("host: deal ") {
        let (p1, p2) = dealt.split_once(" | ").unwrap();
        return format!("host: deal {p2} | {p1}");
    }
    let (who, said) = line.split_once(": ").unwrap();
    format!("{}: {}", other(who), words(said))
}

/// A state with the seats swapped.
fn turned(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut out = Map::new();
            for (key, value) in members {
                let key = match key.as_str() {
                    "p1" => "p2",
                    "p2" => "p1",
                    key => key,
                };
                out.insert(key.to_owned(), turned(value));
            }
            Value::Object(out)
        }
        Value::Array(items) => items.iter().map(turned).collect(),
        Value::String(word) if word == "p1" => "p2".into(),
        Value::String(word) if word == "p2" => "p1".into(),
        other => other.clone(),
    }
}

fn state(duel: &Duel, sight: Sight) -> Value {
    serde_json::from_str(&duel.state(sight)).unwrap()
}

fn turned_sight(sight: Sight) -> Sight {
    match sight {
        Sight::Seat(seat) => Sight::Seat(seat.other()),
        sight => sight,
    }
}

pub(crate) const SIGHTS: [Sight; 4] = [Sight::Public, Sight::Seat(Seat::P1), Sight::Seat(Seat::P2), Sight::Everything];

/// The fates of an effect list, with seat and rule, unordered.
fn fates(effects: &[Effect], turn: bool) -> Vec<(Option<Seat>, Fate, &'static str)> {
    let seat = |effect: &Effect| effect.seat.map(|seat| if turn { seat.other() } else { seat });
    let mut all: Vec<_> = effects.iter().map(|effect| (seat(effect), effect.fate, effect.rule)).collect();
    all.sort_by_key(|fate| format!("{fate:?}"));
    all
}

fn figures(duel: &Duel, sight: Sight, turn: bool) -> Vec<(Word, Option<Seat>, i32)> {
    let seat = |seat: Option<Seat>| seat.map(|seat| if turn { seat.other() } else { seat });
    let figures = duel.view(sight).figures.into_iter();
    let mut all: Vec<_> = figures.map(|figure| (figure.name, seat(figure.seat), figure.value)).collect();
    all.sort();
    all
}

#[test]
fn the_seats_are_alike() {
    law(|game| {
        let BySeat { p1, p2 } = game.setup.items.clone();
        let dmo = game.setup.dmo.map(Seat::other);
        let setup = Setup { dmo, items: BySeat { p1: p2, p2: p1 }, ..game.setup.clone() };
        let mut other = Duel::open(&setup).unwrap();
        play(game, |moment, _| {
            let line = turned_line(&moment.played.text);
            let mut effects = Vec::new();
            let played = other.play(&line, Some(&mut effects));
            let played = played.map_err(|refusal| TestCaseError::fail(format!("{line}: {refusal}")))?;
            prop_assert_eq!(&played.text, &line);
            prop_assert_eq!(&turned_line(&played.public), &moment.played.public);
            prop_assert_eq!(played.row, moment.played.row);
            prop_assert_eq!(fates(&effects, true), fates(&moment.effects, false), "{}", line);
            for sight in SIGHTS {
                prop_assert_eq!(turned(&state(&other, turned_sight(sight))), state(&moment.after, sight), "{}", line);
                prop_assert_eq!(figures(&other, turned_sight(sight), true), figures(&moment.after, sight, false));
            }
            let (here, there): (Outcome, Outcome) = (moment.after.outcome(), other.outcome());
            prop_assert_eq!(here.reason(), there.reason());
            prop_assert_eq!(here.winner().map(Seat::other), there.winner());
            Ok(())
        })?;
        Ok(())
    });
}

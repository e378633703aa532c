//! Secrets do not leak: two matches that differ only in a secret look the same to everybody else, until the secret
//! opens.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use engine::{Duel, Effect, Opens, Party, PlayedStep, Seat, Sight, SplitMix64, Stream, Word};
use proptest::prelude::*;

use super::notation::{answered, said};
use super::{Moment, law, play};

/// The number of matches with another secret that run beside the played one.
const BESIDE: usize = 3;

type Sealed = (Party, Word);

/// A match in which one party holds other secrets.
struct Other {
    duel: Duel,
    owner: Party,
    /// The fields that are closed and have another value there.
    differ: BTreeSet<Sealed>,
}

/// The values of a step's fields.
fn values(before: &Duel, text: &str) -> BTreeMap<Sealed, String> {
    let what = answered(before, text).what;
    let of = |(party, text): (Party, &str)| {
        let values = before.split(party, &what, text).unwrap();
        values.into_iter().map(move |(name, value)| ((party, name), value))
    };
    said(text).into_iter().flat_map(of).collect()
}

/// The viewers who must see no difference.
fn observers(owner: Party) -> Vec<Sight> {
    let seats = Seat::BOTH.into_iter().filter(|seat| Party::Seat(*seat) != owner).map(Sight::Seat);
    std::iter::once(Sight::Public).chain(seats).collect()
}

/// The line with other values in some of the fields that a party keeps; none if chance finds no legal one.
fn otherwise(moment: &Moment, owner: Party, chance: &mut SplitMix64) -> Option<String> {
    let (before, text) = (&moment.before, moment.played.text.as_str());
    let ask = answered(before, text);
    let own = said(text).into_iter().find(|(party, _)| *party == owner)?.1;
    let kept: Vec<&str> =
        moment.played.keeps.iter().filter(|(party, _)| *party == owner).map(|(_, name)| &**name).collect();
    let values = before.split(owner, &ask.what, own).ok()?;
    for attempt in 0..40 {
        let mut changed = values.clone();
        let places: Vec<usize> = (0..values.len()).filter(|at| kept.contains(&&*values[*at].0)).collect();
        let any = |chance: &mut SplitMix64| places[chance.below(places.len() as u64) as usize];
        if attempt % 2 == 0 {
            // Two of its values change places.
            let (one, two) = (any(chance), any(chance));
            changed[one].1 = values[two].1.clone();
            changed[two].1 = values[one].1.clone();
        } else {
            let drawn = match owner {
                Party::Seat(seat) => before.sample(seat, &ask.what, chance)?,
                Party::Host => before.draw(chance)?,
            };
            let drawn = before.split(owner, &ask.what, &drawn).ok()?;
            // A part of another answer, or all of it.
            let all = chance.below(2) == 0;
            for at in places {
                if (all || chance.below(2) == 0) && drawn[at].1 != "-" {
                    changed[at].1 = drawn[at].1.clone();
                }
            }
        }
        let texts: Vec<&str> = changed.iter().map(|(_, value)| value.as_str()).collect();
        let joined = before.join(&ask.what, &texts);
        let line = text.replacen(own, &joined, 1);
        // If both seats' moves are alike, the first of them is not always the owner's.
        let line = if owner == Party::Seat(Seat::P2) && text.contains(" / ") {
            format!("{} / {joined}", text.split_once(" / ")?.0)
        } else {
            line
        };
        if joined == own {
            continue;
        }
        let mut after = before.clone();
        if after.play(&line, None).is_ok_and(|played| played.public == moment.played.public) {
            return Some(line);
        }
    }
    None
}

/// Compares the views that others have of two matches.
fn alike(moment: &Moment, other: &Duel, owner: Party, seen: (&PlayedStep, &[Effect])) -> Result<(), TestCaseError> {
    let (played, effects) = seen;
    let line = &moment.played.text;
    prop_assert_eq!(&played.public, &moment.played.public);
    prop_assert_eq!(&played.moves, &moment.played.moves, "{}", line);
    prop_assert_eq!(&played.keeps, &moment.played.keeps, "{}", line);
    prop_assert_eq!(&played.shows, &moment.played.shows, "{}", line);
    prop_assert_eq!(played.row, moment.played.row);
    prop_assert_eq!(effects, &moment.effects, "{}", line);
    prop_assert_eq!(other.outcome(), moment.after.outcome());
    prop_assert_eq!(other.asks(), moment.after.asks(), "{}", line);
    for sight in observers(owner) {
        prop_assert_eq!(other.state(sight), moment.after.state(sight), "{:?} after {}", sight, line);
        prop_assert_eq!(other.view(sight), moment.after.view(sight), "{:?} after {}", sight, line);
        if let Sight::Seat(seat) = sight {
            for ask in other.asks() {
                let (there, here) = (other.form(seat, &ask.what), moment.after.form(seat, &ask.what));
                prop_assert_eq!(there, here, "{} after {}", ask.what, line);
            }
        }
    }
    Ok(())
}

/// True if the rules may reveal something of a secret with this step, beyond the fields that it opens: in Devil's Deal
/// a seat that folds pays for a high card that it does not show (4.7.2). A seat that pays nothing in both matches
/// reveals nothing.
fn may_tell(moment: &Moment) -> bool {
    let text = &moment.played.text;
    moment.effects.iter().any(|effect| effect.rule.starts_with("4.7"))
        && (text.ends_with("fold") || text.ends_with('-'))
}

/// Plays a step in the matches with other secrets, too, and compares the views on them. A match in which a secret has
/// opened is dropped.
fn beside(moment: &Moment, others: &mut Vec<Other>, said: &BTreeMap<Sealed, String>) -> Result<usize, TestCaseError> {
    let mut count = 0;
    for mut other in std::mem::take(others) {
        let theirs = said_there(&other, said);
        let mut effects = Vec::new();
        // Fields that open may differ, and at the end everything is open.
        let opens = moment.played.shows.iter().any(|field| other.differ.contains(field));
        let opens = opens || moment.after.outcome().is_over();
        // A default is chosen from the seat's own cards, and reveals them.
        let missed = |(party, text): &(Party, &str)| *party == other.owner && *text == "-";
        let opens = opens || super::notation::said(&moment.played.text).iter().any(missed);
        let played = match other.duel.play(&moment.played.text, Some(&mut effects)) {
            Ok(played) => played,
            Err(refusal) => {
                // Only the secret's owner can be unable to play in one match a line that is legal in the other.
                let fault = refusal.seat.map_or(Party::Host, Party::Seat);
                let own = fault == other.owner || fault == Party::Host || opens;
                prop_assert!(own, "{} is refused because of a secret of {}", moment.played.text, other.owner);
                continue;
            }
        };
        // Everything opens, too, if the other match ends with this step: a seat whose secret cards leave no choice loses
        // by them, publicly (Devil's Deal, 4.10.1).
        let opens = opens || other.duel.outcome().is_over();
        if opens || (may_tell(moment) && effects != moment.effects) {
            continue;
        }
        alike(moment, &other.duel, other.owner, (&played, &effects))?;
        count += 1;
        other.differ.retain(|field| !theirs.contains(field));
        others.push(other);
    }
    Ok(count)
}

/// Begins a match in which one of the parties keeps another secret with this step.
fn begun(
    moment: &Moment,
    others: &mut Vec<Other>,
    said: &BTreeMap<Sealed, String>,
    chance: &mut SplitMix64,
) -> Result<usize, TestCaseError> {
    let whose = moment.played.keeps[chance.below(moment.played.keeps.len() as u64) as usize].0;
    let Some(line) = otherwise(moment, whose, chance) else { return Ok(0) };
    let (mut duel, mut effects) = (moment.before.clone(), Vec::new());
    let played = duel.play(&line, Some(&mut effects)).unwrap();
    if moment.after.outcome().is_over() {
        return Ok(0);
    }
    alike(moment, &duel, whose, (&played, &effects))?;
    let there = values(&moment.before, &played.text);
    let differ = there.into_iter().filter(|(field, value)| said.get(field) != Some(value));
    let differ = differ.map(|(field, _)| field).collect();
    others.push(Other { duel, owner: whose, differ });
    if others.len() > BESIDE {
        others.remove(chance.below(BESIDE as u64) as usize);
    }
    Ok(1)
}

#[test]
fn a_sealed_value_makes_no_difference_to_those_who_may_not_know_it() {
    let compared: RefCell<BTreeMap<String, usize>> = RefCell::default();
    let sealing: RefCell<BTreeSet<String>> = RefCell::default();
    law(|game| {
        let ruleset = game.setup.ruleset.clone();
        let mut others: Vec<Other> = Vec::new();
        let mut count = 0;
        play(game, |moment, chance| {
            let said = values(&moment.before, &moment.played.text);
            count += beside(moment, &mut others, &said)?;
            if !moment.played.keeps.is_empty() {
                sealing.borrow_mut().insert(ruleset.clone());
                count += begun(moment, &mut others, &said, chance)?;
            }
            Ok(())
        })?;
        *compared.borrow_mut().entry(ruleset).or_default() += count;
        Ok(())
    });
    let compared = compared.into_inner();
    for ruleset in sealing.into_inner() {
        assert!(compared[&ruleset] > 0, "no secret of {ruleset} was ever another: {compared:?}");
    }
    assert!(compared["five-card-trick/genius-puzzler"] > 0, "{compared:?}");
    assert_eq!(compared["five-card-trick/zeros-gauntlet"], 0, "{compared:?}");
}

/// The differing fields that this step sends again, with the same value in both matches.
fn said_there(other: &Other, said: &BTreeMap<Sealed, String>) -> Vec<Sealed> {
    other.differ.iter().filter(|field| said.contains_key(*field)).cloned().collect()
}

/// The public line hides exactly the fields that are kept, equals the line elsewhere, and a hidden field cannot be
/// replayed.
#[test]
fn the_public_line_hides_exactly_what_is_kept() {
    law(|game| {
        // The fields that are closed now, each with the number of times it was sent and is not shown.
        let mut closed: BTreeSet<Sealed> = BTreeSet::new();
        play(game, |moment, _| {
            let Moment { before, played, .. } = moment;
            let ask = answered(before, &played.text);
            prop_assert_eq!(played.keeps.is_empty(), played.public == played.text);
            prop_assert_eq!(played.keeps.len(), played.public.matches('?').count(), "{}", played.public);
            let kept: BTreeSet<Sealed> = played.keeps.iter().cloned().collect();
            prop_assert_eq!(kept.len(), played.keeps.len(), "kept once each");
            let mut public = said(&played.public).into_iter();
            for (party, text) in said(&played.text) {
                let mut values = before.split(party, &ask.what, text).unwrap();
                for (name, value) in &mut values {
                    let late = ask.fields.iter().any(|field| field.name == *name && field.opens == Opens::WhenItActs);
                    if kept.contains(&(party, name.clone())) {
                        prop_assert!(late, "{name} opens with its step, and is kept");
                        *value = "?".to_owned();
                    }
                }
                let values: Vec<&str> = values.iter().map(|(_, value)| value.as_str()).collect();
                let (whose, shown) = public.next().unwrap();
                let joined = if values.is_empty() { text.to_owned() } else { before.join(&ask.what, &values) };
                prop_assert_eq!((whose, shown), (party, joined.as_str()));
                if let Party::Seat(seat) = party {
                    prop_assert_eq!(played.moves[seat].as_deref(), Some(shown));
                }
            }
            for field in &played.shows {
                prop_assert!(closed.remove(field), "{field:?} was not closed, and {} shows it", played.text);
            }
            closed.extend(kept.iter().cloned());
            if !kept.is_empty() {
                let refusal = before.clone().play(&played.public, None).unwrap_err();
                prop_assert!(refusal.sealed, "{}: {}", played.public, refusal);
                prop_assert_eq!(refusal.expected.as_str(), "sealed until the end of the match");
            }
            Ok(())
        })?;
        Ok(())
    });
}

/// All targets that a hidden Block could have had look the same.
#[test]
fn no_target_of_a_block_that_did_not_act_is_told_from_another() {
    law(|game| {
        if game.setup.ruleset != "five-card-trick/genius-puzzler" {
            return Ok(());
        }
        play(game, |Moment { before, played, effects, after, .. }, _| {
            for target in ["score", "grow", "claim", "steal", "block"].iter().filter(|_| !played.keeps.is_empty()) {
                let (mut other, mut seen) = (before.clone(), Vec::new());
                let otherwise = other.play(&played.public.replace('?', target), Some(&mut seen)).unwrap();
                prop_assert_eq!(&otherwise.public, &played.public);
                prop_assert_eq!(&otherwise.moves, &played.moves);
                prop_assert_eq!(&seen, effects);
                for sight in [Sight::Public, Sight::Seat(Seat::P1), Sight::Seat(Seat::P2)] {
                    prop_assert_eq!(other.state(sight), after.state(sight));
                    prop_assert_eq!(other.view(sight), after.view(sight));
                }
            }
            Ok(())
        })?;
        Ok(())
    });
}

//! Effects are told in the order in which they happen: read one after the other, their amounts lead from the state
//! before a step to the state after it, and none speaks of a round that is not played.

use engine::{Duel, Effect, Seat, Sight};
use proptest::prelude::*;
use serde_json::Value;

use super::{Moment, law, play};

#[test]
fn effects_in_their_order_lead_to_the_next_state() {
    law(|game| {
        let game_word = game.setup.ruleset.split('/').next().unwrap().to_owned();
        play(game, |moment, _| {
            match game_word.as_str() {
                "five-card-trick" => tricks(moment, false),
                "three-card" => tricks(moment, true),
                "thwart-13" => hands(moment),
                "devils-deal" => deal(moment),
                "higher-lower" => boards(moment),
                other => panic!("which amounts do the effects of {other} name?"),
            }?;
            nothing_after_the_end(moment, game_word == "devils-deal")
        })
        .map(drop)
    });
}

fn state(duel: &Duel) -> Value {
    serde_json::from_str(&duel.state(Sight::Everything)).unwrap()
}

fn amount(state: &Value, what: &str, seat: Seat) -> u64 {
    state[what][seat.word()].as_u64().unwrap()
}

/// The number after these words, in "making 3 chips" or "the pot of 1 gem".
fn after(text: &str, words: &str) -> Option<u64> {
    let (_, rest) = text.split_once(words)?;
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    rest[..digits].parse().ok()
}

fn failed(moment: &Moment, effect: &Effect, why: impl std::fmt::Display) -> TestCaseError {
    let all: Vec<&str> = moment.effects.iter().map(|effect| effect.text.as_str()).collect();
    TestCaseError::fail(format!("{}: “{}”: {why}; all: {all:#?}", moment.line, effect.text))
}

fn same(moment: &Moment, effect: &Effect, named: u64, is: u64) -> Result<(), TestCaseError> {
    if named == is { Ok(()) } else { Err(failed(moment, effect, format!("it is {is}"))) }
}

/// Two tricks: the pot, and the chips of each seat.
fn tricks(moment: &Moment, refills_first: bool) -> Result<(), TestCaseError> {
    let (before, next) = (state(&moment.before), state(&moment.after));
    let mut pot = before["pot"].as_u64().unwrap();
    // Three-Card Trick refills an empty pot when the round begins, and says so at the end of the one before.
    if refills_first {
        pot = pot.max(1);
    }
    let mut chips = Seat::BOTH.map(|seat| amount(&before, "chips", seat));
    let mut claimed = 0;
    for effect in &moment.effects {
        let text = effect.text.as_str();
        let own = effect.seat.map_or(0, |seat| usize::from(seat == Seat::P2));
        if text.contains("'s Claim failed: ") {
            // The Steal that took the pot tells the amount.
            continue;
        }
        if text.contains("gained 1 ") || text.contains("gains 1 ") {
            chips[own] += 1;
        } else if let Some(making) = after(text, "to the pot, making ") {
            pot += 1;
            same(moment, effect, making, pot)?;
        } else if text.contains("'s Claim took nothing") {
            same(moment, effect, pot / 2, 0)?;
        } else if let Some(shared) = after(text, "shared the pot of ") {
            // The first of two Claims is told before the pot is divided, the second after.
            let whole = pot + claimed;
            same(moment, effect, shared, whole)?;
            let share = after(text, "'s Claim took ").unwrap();
            same(moment, effect, share, whole / 2)?;
            (pot, claimed, chips[own]) = (pot - share, claimed + share, chips[own] + share);
        } else if text.contains("'s Steal took") {
            let taken = after(text, "took the pot of ").or_else(|| after(text, "took ")).unwrap();
            // A Claim that was stolen from has told what it took.
            same(moment, effect, taken, pot)?;
            (pot, chips[own]) = (0, chips[own] + taken);
        } else if text.contains("'s Claim took the pot of") {
            let taken = after(text, "took the pot of ").unwrap();
            same(moment, effect, taken, pot)?;
            if !text.contains("takes it away") {
                (pot, chips[own]) = (0, chips[own] + taken);
            }
        } else if let Some(taken) = after(text, "Claim Priority and took ") {
            same(moment, effect, taken, pot)?;
            (pot, chips[own]) = (1, chips[own] + taken);
        } else if text.contains("pot was empty and now holds 1") {
            same(moment, effect, 0, pot)?;
            pot = 1;
        } else if text.contains("The pot is empty") {
            same(moment, effect, 0, pot)?;
        } else if text.contains("'s Steal failed: ") {
            no_claim_acted(moment, effect)?;
        }
    }
    prop_assert_eq!(pot, next["pot"].as_u64().unwrap(), "{}: {:#?}", moment.line, moment.effects);
    for (chips, seat) in chips.into_iter().zip(Seat::BOTH) {
        prop_assert_eq!(chips, amount(&next, "chips", seat), "{}, {}: {:#?}", moment.line, seat, moment.effects);
    }
    Ok(())
}

/// A Steal fails for a reason that is true: the opponent's Claim is named only if one was played.
fn no_claim_acted(moment: &Moment, effect: &Effect) -> Result<(), TestCaseError> {
    let seat = effect.seat.unwrap();
    let played = moment.played.text.split_once(". ").map_or(moment.played.text.as_str(), |(_, moves)| moves);
    let (p1, p2) = played.split_once(" / ").unwrap();
    let other = if seat == Seat::P1 { p2 } else { p1 };
    let claims = other.split(' ').any(|word| word == "claim");
    let left_out = moment.effects.iter().any(|other| {
        other.seat == Some(seat.other()) && other.subject == "Claim" && other.fate == engine::Fate::LeftOut
    });
    let says_none = effect.text.ends_with("played no Claim.");
    let right = if claims { says_none == left_out } else { says_none };
    if right { Ok(()) } else { Err(failed(moment, effect, other)) }
}

/// Thwart 13: the cards of a hand.
fn hands(moment: &Moment) -> Result<(), TestCaseError> {
    let before = state(&moment.before);
    for effect in &moment.effects {
        let (Some(seat), Some((_, to))) = (effect.seat, effect.text.split_once(" hand, ")) else { continue };
        let Some((_, place)) = effect.text.split_once(" to the ") else { continue };
        let place = place.split_once(' ').unwrap().0;
        let held = before["hands"][seat.word()][place].as_array().unwrap().len() as u64;
        let named = to.split_once(" of ").and_then(|(count, _)| count.parse().ok());
        same(moment, effect, named.unwrap_or(0), held + 1)?;
    }
    Ok(())
}

/// Devil's Deal: the pot and the chips, wherever a sentence names them.
fn deal(moment: &Moment) -> Result<(), TestCaseError> {
    let before = state(&moment.before);
    let mut chips = Seat::BOTH.map(|seat| amount(&before, "chips", seat));
    let mut pot = before["pot"].as_u64().unwrap_or(0);
    for effect in &moment.effects {
        let text = effect.text.as_str();
        let own = effect.seat.map_or(0, |seat| usize::from(seat == Seat::P2));
        if let Some(left) = after(text, " chips for a refill and has ") {
            chips[own] -= 5;
            same(moment, effect, left, chips[own])?;
        } else if let Some(has) = after(text, " has ").filter(|_| text.contains("cannot pay")) {
            same(moment, effect, has, chips[own])?;
        } else if let Some(now) = after(text, "left the game, and the pot is ") {
            let paid = after(text, "Both paid ").unwrap();
            chips = chips.map(|chips| chips - paid);
            pot = now;
        } else if let Some(now) = after(text, ": the pot is ") {
            chips[own] -= now - pot;
            pot = now;
        } else if let Some(taken) = after(text, " takes the pot of ") {
            same(moment, effect, taken, pot)?;
            // A fold is told of the seat that folds.
            let winner = if text.contains("fold") { 1 - own } else { own };
            (chips[winner], pot) = (chips[winner] + pot, 0);
        } else if let Some(more) = after(text, "folded a high card and pays ").or_else(|| penalty(text)) {
            (chips[own], chips[1 - own]) = (chips[own] - more, chips[1 - own] + more);
        } else if let Some(share) = after(text, "both take back their ") {
            chips = chips.map(|chips| chips + share);
        }
    }
    let next = state(&moment.after);
    for (chips, seat) in chips.into_iter().zip(Seat::BOTH) {
        prop_assert_eq!(chips, amount(&next, "chips", seat), "{}, {}: {:#?}", moment.line, seat, moment.effects);
    }
    Ok(())
}

/// "... folded a high card and pays {p2} 5 more chips."
fn penalty(text: &str) -> Option<u64> {
    let (_, rest) = text.split_once("folded a high card and pays ")?;
    after(rest, "} ")
}

/// Higher or Lower: the points of a board and the boards.
fn boards(moment: &Moment) -> Result<(), TestCaseError> {
    let before = state(&moment.before);
    let mut points = Seat::BOTH.map(|seat| amount(&before, "points", seat));
    for effect in &moment.effects {
        let own = effect.seat.map_or(0, |seat| usize::from(seat == Seat::P2));
        if effect.text.ends_with(": 1 point.") {
            points[own] += 1;
        } else if let Some((_, result)) = effect.text.split_once(" wins board ") {
            let (mine, others) = (after(result, ", ").unwrap(), after(result, " to ").unwrap());
            same(moment, effect, mine, points[own])?;
            same(moment, effect, others, points[1 - own])?;
            points = [0, 0];
            let wins = amount(&before, "wins", effect.seat.unwrap()) + 1;
            same(moment, effect, after(result, "That makes ").unwrap(), wins)?;
        }
    }
    let next = state(&moment.after);
    for (points, seat) in points.into_iter().zip(Seat::BOTH) {
        if moment.effects.iter().any(|effect| effect.text.contains(" wins the match: ")) {
            continue;
        }
        prop_assert_eq!(points, amount(&next, "points", seat), "{}: {:#?}", moment.line, moment.effects);
    }
    Ok(())
}

/// A step that ends the match says so last, and names no further round; the final view does not, either.
fn nothing_after_the_end(moment: &Moment, may_begin_and_end: bool) -> Result<(), TestCaseError> {
    if !moment.after.outcome().is_over() {
        return Ok(());
    }
    for effect in &moment.effects {
        if ["next round", "follow", "next one", "begins", "no round is left"]
            .iter()
            .any(|words| effect.text.contains(words))
        {
            // Devil's Deal may begin a round and end in it at once.
            if !(may_begin_and_end && effect.text.contains(" begins; ")) {
                return Err(failed(moment, effect, "the match is over"));
            }
        }
    }
    let view = format!("{:?}", moment.after.view(Sight::Everything).panels);
    prop_assert!(!view.contains("does not act for"), "{}", view);
    let last = moment.effects.last().map_or("", |effect| effect.text.as_str());
    prop_assert!(last.contains(" wins") || last.contains("name no winner"), "{}: {}", moment.line, last);
    Ok(())
}

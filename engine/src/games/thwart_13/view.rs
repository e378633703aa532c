//! The questions of the state, and its panels for a page. Only a running decision is secret in this game.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::card::{Card, Cards, Rank, Suit};
use super::clauses::{ACTION_SECONDS, ANSWER_SECONDS, SELECTION_SECONDS, number};
use super::hands::{HandPlace, Hands};
use super::state::{Phase, Thwart};
use super::submission;
use crate::{
    Ask, CardFace, CardGroup, Choice, Closes, Field, Figure, Form, Mark, Opens, Panel, Places, Refusal, Seat, Slot,
    Thing, To, Word,
};

const WHOLE: &[Field] = &[Field { name: Word::Static("move"), opens: Opens::WithStep }];

pub(super) const SELECT: &str = "select";
pub(super) const CHALLENGE: &str = "challenge";
pub(super) const ACTION: &str = "action";
pub(super) const ANSWER: &str = "answer";

pub(super) fn asks(game: &Thwart) -> Vec<Ask> {
    let round = game.round.saturating_add(1);
    let ask = |to, what, prompt: String, clock_seconds, default, closes| Ask {
        to,
        what: Word::Static(what),
        prompt,
        fields: WHOLE.into(),
        clock_seconds,
        default: Word::Static(default),
        closes,
        optional: what == CHALLENGE,
    };
    match game.phase {
        Phase::Select => {
            let challenge = |seat: Seat| {
                let prompt = format!("Round {round}: challenge the opponent instead of selecting");
                ask(To::One(seat), CHALLENGE, prompt, SELECTION_SECONDS, "no challenge", Closes::FirstValid)
            };
            let prompt = format!("Round {round}: select an available card, or pass");
            let select = ask(To::Both, SELECT, prompt, SELECTION_SECONDS, "the round is passed", Closes::AtDeadline);
            alloc::vec![challenge(Seat::P1), challenge(Seat::P2), select]
        }
        Phase::Action => {
            let to = game.alone().map_or(To::Both, To::One);
            let prompt = match (game.picked.p1, game.picked.p2) {
                (Some(card), None) | (None, Some(card)) => {
                    format!("Round {round}: claim the {} to a hand, or discard it", card.name())
                }
                _ => format!("Round {round}: claim the selected card to a hand, or discard it"),
            };
            alloc::vec![ask(to, ACTION, prompt, ACTION_SECONDS, "the card is discarded", Closes::AtDeadline)]
        }
        Phase::Answer(seat) => {
            let prompt = "You are challenged: build a valid set".into();
            let default = "no valid set is shown, and the challenge is lost";
            alloc::vec![ask(To::One(seat), ANSWER, prompt, ANSWER_SECONDS, default, Closes::FirstValid)]
        }
        Phase::Over => Vec::new(),
    }
}

pub(super) fn form(game: &Thwart, seat: Seat, what: &str) -> Option<Form> {
    match (game.phase, what) {
        (Phase::Select, SELECT) => Some(one_of(selections(game, seat))),
        (Phase::Select, CHALLENGE) => {
            let hint = format!("{} must show a valid set", seat.other().name());
            Some(one_of(alloc::vec![choice(submission::CHALLENGE, "Challenge", hint, None)]))
        }
        (Phase::Action, ACTION) if game.picked[seat].is_some() => Some(one_of(actions(game, seat))),
        (Phase::Answer(asked), ANSWER) if asked == seat => Some(Form::Line {
            hint: "three complete hands, front | middle | back, each with the cards claimed to it".into(),
            example: "2C 2D 5H | 4C 4D 4H 4S 9D | 7C 8C 9C TC JC".into(),
            places: Some(hands(game, seat)),
            fields: Vec::new(),
        }),
        _ => None,
    }
}

fn one_of(choices: Vec<Choice>) -> Form {
    Form::Words { choices, least: 1, most: 1 }
}

fn choice(word: &'static str, label: &'static str, hint: impl Into<String>, barred: Option<Refusal>) -> Choice {
    Choice { barred, ..Choice::new(word, label, hint) }
}

fn hands(game: &Thwart, seat: Seat) -> Places {
    let thing = |card: Card, lies| Thing { word: card.word().into(), label: card.name().into(), worth: 0, lies };
    let held = &game.hands[seat];
    let claimed = HandPlace::ALL.into_iter().enumerate();
    let claimed = claimed.flat_map(|(at, place)| held.at(place).iter().map(move |card| thing(card, Some(at))));
    let slot = |place: HandPlace| {
        let open = held.open(place);
        Slot { label: format!("{} hand", place.title()), lead: String::new(), least: open, most: open }
    };
    Places {
        verb: "hands",
        parted: true,
        nothing: "",
        note: "",
        things: claimed.chain(game.available.iter().map(|card| thing(card, None))).collect(),
        places: HandPlace::ALL.map(slot).into(),
    }
}

/// The whole deck in order, so that a card never changes its place, and a pass.
fn selections(game: &Thwart, seat: Seat) -> Vec<Choice> {
    let deck = Cards::DECK.iter().map(|card| {
        let gone = (!game.available.has(card)).then(|| {
            let why = format!("the {} is not available any more", card.name());
            Refusal::by_rule(Some(seat), number::UNAVAILABLE, why)
        });
        choice(card.word(), card.name(), "", gone)
    });
    deck.chain([choice(submission::PASS, "Pass", "take no card in this round", None)]).collect()
}

fn actions(game: &Thwart, seat: Seat) -> Vec<Choice> {
    let claims = HandPlace::ALL.map(|place| {
        let (open, size) = (game.hands[seat].open(place), place.size());
        let full = (open == 0).then(|| {
            let why = format!("the {} hand is full", place.word());
            Refusal::by_rule(Some(seat), number::FULL_HAND, why)
        });
        choice(place.word(), place.title(), format!("{open} of {size} open"), full)
    });
    claims.into_iter().chain([choice(submission::DISCARD, "Discard", "in no hand", None)]).collect()
}

pub(super) fn figures(game: &Thwart) -> Vec<Figure> {
    let mut figures = alloc::vec![Figure {
        name: "available".into(),
        label: "Available".into(),
        seat: None,
        value: game.available.count().cast_signed()
    }];
    for (seat, hands) in game.hands.each() {
        figures.push(Figure {
            name: "claimed".into(),
            label: "Claimed".into(),
            seat: Some(seat),
            value: hands.cards().count().cast_signed(),
        });
    }
    figures
}

pub(super) fn panels(game: &Thwart) -> Vec<Panel> {
    let mut panels = Vec::new();
    for (seat, picked) in game.picked.each() {
        if let Some(card) = picked {
            let groups = alloc::vec![CardGroup {
                label: String::new(),
                cards: alloc::vec![card_face(*card, Mark::New)],
                empty: 0
            }];
            panels.push(Panel::Cards { title: "Selected".into(), seat: Some(seat), groups, in_play: true });
        }
    }
    if let Phase::Answer(seat) = game.phase {
        let text = format!("{} is challenged and must show a valid set.", seat.name());
        panels.push(Panel::Notice { title: "Challenge".into(), seat: Some(seat), text });
    }
    if let Some(most) = game.rules.passes_that_end().filter(|_| game.passes > 0 && game.phase != Phase::Over) {
        let times = if game.passes == 1 { "the last round".into() } else { format!("the last {} rounds", game.passes) };
        let text = format!("Both seats passed in {times}; {most} in a row end the match.");
        panels.push(Panel::Notice { title: "Passes".into(), seat: None, text });
    }
    for (seat, hands) in game.hands.each() {
        panels.push(Panel::Cards {
            title: "Hands".into(),
            seat: Some(seat),
            groups: groups(hands, Cards::DECK),
            in_play: false,
        });
    }
    panels.push(Panel::Cards { title: "Available".into(), seat: None, groups: deck(game.available), in_play: false });
    panels
}

fn deck(available: Cards) -> Vec<CardGroup> {
    let suit = |suit: Suit| {
        let mark = |card| if available.has(card) { Mark::None } else { Mark::Gone };
        let cards = Cards::DECK.of_suit(suit).iter().map(|card| card_face(card, mark(card))).collect();
        CardGroup { label: suit.title().into(), cards, empty: 0 }
    };
    Suit::ALL.map(suit).into()
}

pub(super) fn groups(hands: &Hands, held: Cards) -> Vec<CardGroup> {
    let group = |place: HandPlace| {
        let mark = |card| if held.has(card) { Mark::None } else { Mark::New };
        let cards = hands.at(place).iter().map(|card| card_face(card, mark(card))).collect();
        CardGroup { label: place.title().into(), cards, empty: hands.open(place) }
    };
    HandPlace::ALL.map(group).into()
}

pub(super) fn card_of(word: &str) -> Option<CardFace> {
    Rank::all()
        .flat_map(|rank| Suit::ALL.map(|suit| Card::new(rank, suit)))
        .find(|card| card.word() == word)
        .map(|card| card_face(card, Mark::None))
}

fn card_face(card: Card, mark: Mark) -> CardFace {
    CardFace {
        card: card.word().into(),
        face: card.rank().face().into(),
        sign: card.suit().sign(),
        name: card.name().into(),
        mark,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_named_in_words_for_those_who_do_not_see_it() {
        for card in Cards::DECK.iter() {
            let face = card_face(card, Mark::None);
            let words: Vec<&str> = face.name.split(' ').collect();
            assert!(
                matches!(words[..], [_, "of", suit] if suit == card.suit().title().to_lowercase()),
                "{}",
                face.name
            );
            assert_ne!(face.name, face.face);
        }
    }
}

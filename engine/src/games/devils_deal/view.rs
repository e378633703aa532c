//! The panels of a state for a page.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Card, Category, Colour, DevilsDeal, Phase, Pool, Street};
use crate::{CardFace, CardGroup, Figure, Mark, Panel, Seat, Sight, Sign, Word};

pub(super) fn figures(game: &DevilsDeal) -> Vec<Figure> {
    let figure = |name, label, seat, value: u8| Figure {
        name: Word::Static(name),
        label: Word::Static(label),
        seat,
        value: value.into(),
    };
    let mut figures = alloc::vec![figure("pot", "Pot", None, game.pot)];
    for (seat, chips) in game.chips.each() {
        figures.push(figure("chips", "Chips", Some(seat), *chips));
    }
    figures
}

pub(super) fn panels(game: &DevilsDeal, sight: Sight) -> Vec<Panel> {
    let mut panels = Vec::new();
    for seat in Seat::BOTH {
        pool(game, seat, sight, &mut panels);
        panels.extend(private(game, seat, sight));
    }
    panels.extend(starter(game));
    panels.extend(community(game));
    panels.extend(offer(game));
    panels.extend(track(game));
    panels
}

fn card_face(card: Card, mark: Mark) -> CardFace {
    let sign = match card.colour() {
        Colour::Red => Sign::Red,
        Colour::Green => Sign::Green,
        Colour::Blue => Sign::Blue,
    };
    let name = format!("{} {}", card.colour().name(), card.number());
    CardFace { card: card.word().into(), face: card.number().to_string(), sign, name, mark }
}

pub(super) fn card_of(word: &str) -> Option<CardFace> {
    Card::ALL.into_iter().find(|card| card.word() == word).map(|card| card_face(card, Mark::None))
}

pub(super) fn hand(category: Category, cards: [Card; 3]) -> CardGroup {
    group(category.name(), cards, Mark::New)
}

fn back() -> CardFace {
    CardFace {
        card: "?".into(),
        face: String::new(),
        sign: Sign::Back,
        name: "a card face down".into(),
        mark: Mark::None,
    }
}

fn group(label: impl Into<String>, cards: impl IntoIterator<Item = Card>, mark: Mark) -> CardGroup {
    CardGroup { label: label.into(), cards: cards.into_iter().map(|card| card_face(card, mark)).collect(), empty: 0 }
}

/// A pool as this viewer knows it. After cards have left it face down, the table knows only which cards may be in it.
fn pool(game: &DevilsDeal, seat: Seat, sight: Sight, panels: &mut Vec<Panel>) {
    let known = &game.public_pools[seat];
    let cards = |groups| Panel::Cards { title: "Pool".into(), seat: Some(seat), groups, in_play: false };
    let pile = |label: &str, pool: Pool, mark| (!pool.is_empty()).then(|| group(label, pool.each(), mark));
    if !game.hides_pool(seat, sight) || known.left == 0 {
        let open = if game.hides_pool(seat, sight) { known.sure } else { game.pools[seat] };
        panels.push(cards(alloc::vec![group("", open.each(), Mark::None)]));
        return;
    }
    let groups = [pile("Certain", known.sure, Mark::None), pile("Perhaps", known.doubtful, Mark::Perhaps)];
    panels.push(cards(groups.into_iter().flatten().collect()));
    let (count, left) = (game.pools[seat].count(), known.left);
    let of = known.doubtful.count();
    let text = format!("{left} of the {of} doubtful cards left it face down; {} holds {count}.", seat.name());
    panels.push(Panel::Notice { title: "Pool".into(), seat: Some(seat), text });
}

fn private(game: &DevilsDeal, seat: Seat, sight: Sight) -> Option<Panel> {
    let seen = game.private_seen(seat, sight)?;
    let public = game.private_seen(seat, Sight::Public)?;
    let groups = ["First", "Second"].into_iter().zip(seen.into_iter().zip(public)).map(|(label, (seen, public))| {
        let mark = if public.is_some() { Mark::None } else { Mark::Hidden };
        let card_face = seen.map_or_else(back, |card| card_face(card, mark));
        CardGroup { label: label.into(), cards: alloc::vec![card_face], empty: 0 }
    });
    Some(Panel::Cards { title: "Private cards".into(), seat: Some(seat), groups: groups.collect(), in_play: true })
}

fn starter(game: &DevilsDeal) -> Option<Panel> {
    let seat = game.starter?;
    let text = format!("{} starts round {}.", seat.name(), game.round + 1);
    (game.phase != Phase::Over).then_some(Panel::Notice { title: "Starting player".into(), seat: Some(seat), text })
}

fn community(game: &DevilsDeal) -> Option<Panel> {
    let card = game.community?;
    let mark = if game.phase == Phase::Private { Mark::New } else { Mark::None };
    Some(Panel::Cards {
        title: "Community card".into(),
        seat: None,
        groups: alloc::vec![group("", [card], mark)],
        in_play: true,
    })
}

fn offer(game: &DevilsDeal) -> Option<Panel> {
    let offer = game.offer.as_ref()?;
    if game.phase == Phase::Divide {
        let groups = alloc::vec![group("", offer.cards, Mark::New)];
        return Some(Panel::Cards { title: "Offer".into(), seat: None, groups, in_play: true });
    }
    let (division, count) = (&offer.division, offer.division.count());
    let label = |n| if n == count { "Set aside".into() } else { format!("Pile {n}, taken") };
    // The cards that the refiller took are in its pool now, and can no longer be taken.
    let mark = |n| if n == count { Mark::None } else { Mark::Gone };
    let mut groups: Vec<CardGroup> =
        (1..).zip(division.piles()).map(|(n, pile)| group(label(n), pile.iter().copied(), mark(n))).collect();
    let unused = offer.cards.into_iter().filter(|card| !division.cards().cards().contains(card));
    let unused = group("In no pile", unused, Mark::None);
    if !unused.cards.is_empty() {
        groups.push(unused);
    }
    Some(Panel::Cards { title: "Offer, divided".into(), seat: None, groups, in_play: true })
}

fn track(game: &DevilsDeal) -> Option<Panel> {
    if game.phase != Phase::Bet {
        return None;
    }
    let title = match game.betting.street {
        Street::First => "First betting phase",
        Street::Second => "Second betting phase",
    };
    let said = game.betting.said(game.starting()).map(|(seat, total)| (seat, format!("raise {total}"))).collect();
    Some(Panel::Track { title: title.into(), said })
}

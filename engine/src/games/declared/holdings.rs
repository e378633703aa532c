//! What lies on the table: counters, decks, hands and boards, and how they change.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::declaration_reader::FACES_MAX;
use super::{
    Act, Answer, BoardId, Card, Change, CounterId, Declaration, Draw, Drawn, Due, Face, Mark, Owner, Part, Place,
    Question, SetId, SetKind, Value, Zone,
};
use crate::{BySeat, Refusal, Seat};

/// The values of everything that a declaration declares. What both seats share is p1's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holdings {
    counters: Vec<BySeat<i32>>,
    /// The cards left in each deck; none for dice.
    decks: Vec<Vec<Card>>,
    hands: Vec<BySeat<Vec<Card>>>,
    boards: Vec<Vec<Mark>>,
    /// The number of cards that were dealt into hidden hands.
    sealed: u32,
}

fn slot(seat: Option<Seat>) -> Seat {
    seat.unwrap_or(Seat::P1)
}

pub(super) fn refuse(found: &str, expected: impl Into<String>) -> Refusal {
    Refusal::of_text(0, found, expected)
}

pub(super) fn take(cards: &mut Vec<Card>, face: Face) -> Option<Card> {
    let at = cards.iter().position(|card| card.face == face)?;
    Some(cards.remove(at))
}

fn fresh(deck: SetId, game: &Declaration) -> Vec<Card> {
    let set = deck.of(&game.sets).filter(|set| set.kind == SetKind::Deck);
    let items = set.map(|set| set.items.as_slice()).unwrap_or_default();
    items.iter().map(|face| Card { deck: Some(deck), face: *face, seal: None }).collect()
}

impl Holdings {
    /// Everything as the match begins.
    #[must_use]
    pub fn new(game: &Declaration) -> Self {
        let begins = |of: &[Face]| of.iter().map(|face| Card { deck: None, face: *face, seal: None }).collect();
        Self {
            counters: game.counters.iter().map(|counter| BySeat { p1: counter.start, p2: counter.start }).collect(),
            decks: SetId::each(&game.sets).map(|(id, _)| fresh(id, game)).collect(),
            hands: game
                .hands
                .iter()
                .map(|hand| BySeat {
                    p1: begins(&hand.of),
                    p2: if hand.owner == Owner::Each { begins(&hand.of) } else { Vec::new() },
                })
                .collect(),
            boards: game.boards.iter().map(|board| board.cells().map(|_| Mark::default()).collect()).collect(),
            sealed: 0,
        }
    }

    /// The value of a counter: the seat's own, or the shared one.
    #[must_use]
    pub fn counter(&self, game: &Declaration, counter: CounterId, seat: Seat) -> i32 {
        counter.of(&self.counters).map_or(0, |value| value[if game.is_each(counter) { seat } else { Seat::P1 }])
    }

    /// The cards of a hand, in the order in which they came.
    #[must_use]
    pub fn hand(&self, place: Place) -> &[Card] {
        place.hand.of(&self.hands).map(|hands| hands[slot(place.seat)].as_slice()).unwrap_or_default()
    }

    fn hand_mut(&mut self, place: Place) -> Option<&mut Vec<Card>> {
        self.hands.get_mut(place.hand.place()).map(|hands| &mut hands[slot(place.seat)])
    }

    /// The cards left in a deck.
    #[must_use]
    pub fn deck(&self, deck: SetId) -> &[Card] {
        deck.of(&self.decks).map(Vec::as_slice).unwrap_or_default()
    }

    /// The marks of a board, row by row.
    #[must_use]
    pub fn board(&self, board: BoardId) -> &[Mark] {
        board.of(&self.boards).map(Vec::as_slice).unwrap_or_default()
    }

    /// Moves the cards of an answer that has been checked.
    pub(super) fn answer(&mut self, game: &Declaration, question: &Question, seat: Seat, answer: &Answer) {
        let Answer::Given(values) = answer else { return };
        for (part, value) in question.parts.iter().zip(values) {
            if let (Part::Cards { from, to: Some(to), .. }, Value::Cards(faces)) = (part, value) {
                let (from, to) = (game.place(*from, seat), game.place(*to, seat));
                for face in faces {
                    let card = self.hand_mut(from).and_then(|hand| take(hand, *face));
                    self.lay(card, to);
                }
            }
        }
    }

    fn lay(&mut self, card: Option<Card>, to: Place) {
        if let Some((hand, card)) = self.hand_mut(to).zip(card) {
            hand.push(card);
        }
    }

    /// The seals of the cards that an answer, which has been checked, names in front of everybody.
    pub(super) fn named(&self, game: &Declaration, question: &Question, seat: Seat, answer: &Answer) -> Vec<u32> {
        let Answer::Given(values) = answer else { return Vec::new() };
        let mut named = Vec::new();
        for (part, value) in question.parts.iter().zip(values) {
            if let (Part::Cards { from, .. }, Value::Cards(faces)) = (part, value) {
                let mut hand = self.hand(game.place(*from, seat)).to_vec();
                named.extend(faces.iter().filter_map(|face| take(&mut hand, *face)?.seal));
            }
        }
        named
    }

    /// The seals of the cards that the umpire names; none if the acts do not fit.
    pub(super) fn named_by(&self, game: &Declaration, acts: &[Act]) -> Vec<u32> {
        let (mut held, mut named) = (self.clone(), Vec::new());
        for act in acts {
            if let Act::Move { cards, from, .. } = act {
                let mut hand = held.hand(*from).to_vec();
                // A card that moves twice is named once.
                let seals = cards.iter().filter_map(|face| take(&mut hand, *face)?.seal);
                named.extend(seals.filter(|seal| !named.contains(seal)).collect::<Vec<_>>());
            }
            if held.act(game, act, &mut Vec::new()).is_err() {
                return Vec::new();
            }
        }
        named
    }

    /// The seals of the cards that are drawn next into a hidden hand; none if everybody sees them.
    pub(super) fn next_seals(&self, game: &Declaration, due: Due) -> Range<u32> {
        let count = if due.is_hidden(game) { u32::from(due.draw.count) } else { 0 };
        self.sealed..self.sealed.saturating_add(count)
    }

    /// A draw, where it goes, and the cards that are left for it, in their order.
    pub(super) fn draw_basis(&self, game: &Declaration, due: Due) -> String {
        let to = due.to.map_or_else(|| "all".into(), |place| place.written(game));
        let left: Vec<&str> = self.deck(due.draw.set).iter().map(|card| game.face(card.face)).collect();
        format!("{} to {to} from {}", due.draw.written(game), left.join(" "))
    }

    /// Does an act of the umpire's; the draws that it asks for come behind those that are `due`.
    pub(super) fn act(&mut self, game: &Declaration, act: &Act, due: &mut Vec<Due>) -> Result<(), Refusal> {
        match act {
            Act::Count { counter, seat, change } => self.count(game, *counter, *seat, *change)?,
            Act::Put { mark, cell, board } => {
                let at = board.of(&game.boards).map_or(0, |board| board.place(*cell));
                if let Some(cell) = self.boards.get_mut(board.place()).and_then(|cells| cells.get_mut(at)) {
                    *cell = *mark;
                }
            }
            Act::Move { cards, from, to } => {
                for face in cards {
                    let card = self.hand_mut(*from).and_then(|hand| take(hand, *face));
                    let why = || refuse(game.face(*face), format!("this card is not in {}", from.written(game)));
                    self.move_card(game, card.ok_or_else(why)?, *to)?;
                }
            }
            Act::Deal { draw, hand, to } => {
                let places = to.seats().map(|seat| Place { hand: *hand, seat });
                due.extend(places.map(|place| Due { draw: *draw, to: Some(place) }));
            }
            Act::Draw(draw) => due.push(Due { draw: *draw, to: None }),
            Act::Shuffle(deck) => {
                let hands = self.hands.iter_mut().flat_map(|hands| [&mut hands.p1, &mut hands.p2]);
                hands.for_each(|hand| hand.retain(|card| card.deck != Some(*deck)));
                if let Some(cards) = self.decks.get_mut(deck.place()) {
                    *cards = fresh(*deck, game);
                }
            }
            Act::Say(_) => {}
        }
        Ok(())
    }

    fn count(&mut self, game: &Declaration, id: CounterId, seat: Option<Seat>, by: Change) -> Result<(), Refusal> {
        let Some((value, counter)) = self.counters.get_mut(id.place()).zip(id.of(&game.counters)) else {
            return Ok(());
        };
        let value = &mut value[slot(seat)];
        let new = match by {
            Change::To(new) => new,
            Change::By(more) => value.saturating_add(more),
        };
        let most = counter.most.unwrap_or(super::counter::NUMBER_MAX);
        if new < counter.least || new > most {
            let (limit, value) = if new < counter.least { ("least", counter.least) } else { ("most", most) };
            return Err(refuse(&counter.name, format!("it would be {new}, and is at {limit} {value}")));
        }
        *value = new;
        Ok(())
    }

    fn move_card(&mut self, game: &Declaration, card: Card, to: Zone) -> Result<(), Refusal> {
        let cards = match to {
            Zone::Hand(place) => self.hand_mut(place),
            Zone::Deck(deck) if card.deck == Some(deck) => self.decks.get_mut(deck.place()),
            Zone::Deck(deck) => {
                let why = format!("this card is none of {}", deck.name(&game.sets));
                return Err(refuse(game.face(card.face), why));
            }
        };
        cards.into_iter().for_each(|cards| cards.push(card));
        Ok(())
    }

    /// Takes what the host drew.
    pub(super) fn draw(&mut self, game: &Declaration, due: Due, drawn: &Drawn) -> Result<(), Refusal> {
        let (name, count) = (due.draw.set.name(&game.sets), usize::from(due.draw.count));
        if drawn.set != due.draw.set || drawn.faces.len() != count {
            return Err(refuse(drawn.set.name(&game.sets), format!("expected {name} and {count} of it")));
        }
        let Some(set) = drawn.set.of(&game.sets) else { return Ok(()) };
        let mut seals = self.next_seals(game, due);
        self.sealed = seals.end;
        for face in &drawn.faces {
            let card = match set.kind {
                SetKind::Dice => {
                    set.items.contains(face).then_some(Card { deck: Some(drawn.set), face: *face, seal: None })
                }
                SetKind::Deck => self.decks.get_mut(drawn.set.place()).and_then(|deck| take(deck, *face)),
            };
            let card = card.ok_or_else(|| refuse(game.face(*face), format!("it is not left in {name}")))?;
            let card = Card { seal: seals.next(), ..card };
            if let Some(to) = due.to {
                self.lay(Some(card), to);
            }
        }
        Ok(())
    }

    /// Checks that each deck has the cards that are due, and then those of one more draw, and that not too many dice lie in
    /// the hands. A deck is its own limit.
    pub(super) fn check_due(&self, game: &Declaration, due: &[Due], more: Option<Draw>) -> Result<(), Refusal> {
        for (id, deck) in SetId::each(&game.sets).filter(|(_, set)| set.kind == SetKind::Deck) {
            let draws = due.iter().map(|due| due.draw).chain(more);
            let wanted: usize = draws.filter(|draw| draw.set == id).map(|draw| usize::from(draw.count)).sum();
            let left = self.deck(id).len();
            if wanted > left {
                let why = format!("{left} cards are left, and {wanted} are drawn: shuffle it first");
                return Err(refuse(&deck.name, why));
            }
        }
        let is_dice = |set: SetId| set.of(&game.sets).is_some_and(|set| set.kind == SetKind::Dice);
        let hands = self.hands.iter().flat_map(|hands| hands.p1.iter().chain(&hands.p2));
        let rolled = hands.filter(|card| card.deck.is_some_and(is_dice)).count();
        let coming = due.iter().filter(|due| due.to.is_some() && is_dice(due.draw.set));
        let coming: usize = coming.map(|due| usize::from(due.draw.count)).sum();
        match coming > 0 && rolled + coming > FACES_MAX {
            true => Err(refuse("", format!("at most {FACES_MAX} dice lie in the hands: shuffle some away first"))),
            false => Ok(()),
        }
    }
}

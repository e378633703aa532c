//! One act of the umpire's.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::announcement::SENTENCE_MAX;
use super::counter::NUMBER_MAX;
use super::scanner::Scanner;
use super::{BoardId, CardSet, Cell, CounterId, Declaration, Draw, Face, HandId, Mark, Place, Quote, SetId, SetKind};
use crate::{Refusal, Seat};

/// An act of the umpire's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// A counter takes a value.
    Count {
        /// The counter.
        counter: CounterId,
        /// The seat whose counter it is; none if it is shared.
        seat: Option<Seat>,
        /// Its new value, or the difference.
        change: Change,
    },
    /// A cell takes a mark, or loses it.
    Put {
        /// The mark.
        mark: Mark,
        /// The cell.
        cell: Cell,
        /// The board.
        board: BoardId,
    },
    /// Cards move.
    Move {
        /// The cards.
        cards: Vec<Face>,
        /// The hand where they lie.
        from: Place,
        /// The place where they go.
        to: Zone,
    },
    /// The host deals.
    Deal {
        /// The deck or the dice, and the number for each hand.
        draw: Draw,
        /// The hand.
        hand: HandId,
        /// The seats that get cards.
        to: Dealt,
    },
    /// The host draws, for everybody to see.
    Draw(Draw),
    /// Every card returns to its deck, wherever it lies; rolled dice leave the hands.
    Shuffle(SetId),
    /// A sentence.
    Say(Quote),
}

/// The change of a counter. A corrected difference mends what follows; a corrected value does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// To this value.
    To(i32),
    /// By this difference.
    By(i32),
}

/// A place where cards go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    /// A hand.
    Hand(Place),
    /// A deck, to be drawn again.
    Deck(SetId),
}

/// The seats that are dealt to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dealt {
    /// One seat.
    To(Seat),
    /// Each seat: first p1, then p2.
    Each,
    /// The shared hand.
    Shared,
}

impl Dealt {
    const ALL: [Self; 4] = [Self::To(Seat::P1), Self::To(Seat::P2), Self::Each, Self::Shared];

    const fn word(self) -> &'static str {
        match self {
            Self::To(seat) => seat.word(),
            Self::Each => "each",
            Self::Shared => "shared",
        }
    }

    /// The seats whose hands get cards, in order; none is the shared hand.
    pub(super) fn seats(self) -> impl Iterator<Item = Option<Seat>> {
        let [first, second] = match self {
            Self::To(seat) => [Some(Some(seat)), None],
            Self::Each => Seat::BOTH.map(Some).map(Some),
            Self::Shared => [Some(None), None],
        };
        first.into_iter().chain(second)
    }
}

impl Act {
    pub(super) fn read(words: &mut Scanner<'_>, game: &Declaration) -> Result<Self, Refusal> {
        if Quote::is_next(words) {
            return Quote::read(words, SENTENCE_MAX).map(Self::Say);
        }
        let before = words.clone();
        match words.next().text {
            "put" => {
                let mark = Mark::read(words)?;
                words.requires("at")?;
                // The board says which cells there are, and its name comes last.
                let mut at_cell = words.clone();
                words.next();
                words.requires("of")?;
                let board = BoardId::read(words, &game.boards)?;
                let known = board.of(&game.boards).ok_or_else(|| words.refuse("expected a board"))?;
                Ok(Self::Put { mark, cell: known.read_cell(&mut at_cell)?, board })
            }
            "move" => Self::read_move(words, game),
            "deal" => {
                let draw = Draw::read(words, game)?;
                words.requires("to")?;
                let at_seats = words.clone();
                let to = words.one_of(&Dealt::ALL.map(|to| (to.word(), to)))?;
                words.requires("in")?;
                let hand = HandId::read(words, &game.hands)?;
                let shared = game.place(hand, Seat::P1).seat.is_none();
                if shared != (to == Dealt::Shared) {
                    let fits = if shared { "shared" } else { "p1, p2 or each" };
                    return Err(at_seats.refuse(format!("expected {fits}: so the hand is declared")));
                }
                Ok(Self::Deal { draw, hand, to })
            }
            "draw" => Draw::read(words, game).map(Self::Draw),
            "shuffle" => SetId::read(words, &game.sets).map(Self::Shuffle),
            _ => {
                *words = before;
                Self::read_count(words, game)
            }
        }
    }

    fn read_move(words: &mut Scanner<'_>, game: &Declaration) -> Result<Self, Refusal> {
        let mut cards = Vec::new();
        while cards.is_empty() || !words.take("from") {
            let token = words.next();
            let card = game.find_face(token.text);
            cards.push(card.ok_or_else(|| token.refuse("expected a card of this game, or from"))?);
        }
        let from = Place::read(words, game)?;
        words.requires("to")?;
        let is_next = |set: &CardSet| set.kind == SetKind::Deck && set.name == words.peek().text;
        let deck = SetId::each(&game.sets).find(|(_, set)| is_next(set));
        let to = match deck {
            Some((deck, _)) => {
                words.next();
                Zone::Deck(deck)
            }
            None => Zone::Hand(Place::read(words, game)?),
        };
        Ok(Self::Move { cards, from, to })
    }

    fn read_count(words: &mut Scanner<'_>, game: &Declaration) -> Result<Self, Refusal> {
        let token = words.peek();
        let counter = CounterId::read(words, &game.counters).map_err(|refusal| {
            let acts = "put, move, deal, draw, shuffle, a sentence in quotes, again, next or over";
            token.refuse(format!("{}; or {acts}", refusal.expected))
        })?;
        let seat = if game.is_each(counter) { Some(words.seat()?) } else { None };
        let by = words.take("by");
        let number = words.number(-NUMBER_MAX..=NUMBER_MAX)?;
        Ok(Self::Count { counter, seat, change: if by { Change::By(number) } else { Change::To(number) } })
    }

    pub(super) fn written(&self, game: &Declaration, withhold: bool) -> String {
        match self {
            Self::Count { counter, seat, change } => {
                let seat = seat.map_or_else(String::new, |seat| format!(" {seat}"));
                let (by, number) = match change {
                    Change::To(value) => ("", value),
                    Change::By(value) => ("by ", value),
                };
                format!("{}{seat} {by}{number}", counter.name(&game.counters))
            }
            Self::Put { mark, cell, board } => {
                format!("put {} at {cell} of {}", mark.word(), board.name(&game.boards))
            }
            Self::Move { cards, from, to } => {
                let cards = cards.iter().map(|card| game.face(*card)).collect::<Vec<_>>().join(" ");
                let to = match to {
                    Zone::Hand(place) => place.written(game),
                    Zone::Deck(deck) => deck.name(&game.sets).into(),
                };
                format!("move {cards} from {} to {to}", from.written(game))
            }
            Self::Deal { draw, hand, to } => {
                format!("deal {} to {} in {}", draw.written(game), to.word(), hand.name(&game.hands))
            }
            Self::Draw(draw) => format!("draw {}", draw.written(game)),
            Self::Shuffle(set) => format!("shuffle {}", set.name(&game.sets)),
            Self::Say(quote) => quote.written(withhold),
        }
    }
}

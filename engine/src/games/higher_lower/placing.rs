//! The cards that the host places: their check, and their draw.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::assignment::{self, CardsByGroup};
use super::clauses::number;
use super::group::GroupFault;
use super::layout::{SHAPES, colour_word, shape_word};
use super::{Board, ByBoard, Card, Cards, Cell, Cells, Fruit, Group, Layout, Want, completion, grey};
use crate::{Colour, Refusal, Shape, Stream};

pub(super) type Backs = [Card; 25];

/// The facts that a placed board is checked against: the fronts, the cards on the boards placed before, and the groups
/// that bind.
pub(super) struct Placing<'g> {
    pub(super) layout: &'g Layout,
    pub(super) backs: &'g ByBoard<Option<Backs>>,
    pub(super) cyan: CardsByGroup,
    pub(super) pink: CardsByGroup,
}

pub(super) fn on<'b>(backs: &'b Backs, cells: Cells) -> impl Iterator<Item = Card> + 'b {
    cells.iter().filter_map(|cell| backs.get(cell.index()).copied())
}

fn refuse(rule: &'static str, why: impl Into<String>) -> Refusal {
    Refusal::by_rule(None, rule, why)
}

impl Placing<'_> {
    fn bound(&self, colour: Colour) -> &CardsByGroup {
        if colour == Colour::Cyan { &self.cyan } else { &self.pink }
    }

    fn placed(&self, colour: Colour) -> Cards {
        let boards = Board::ALL.into_iter();
        let placed = boards.filter_map(|board| Some((self.layout[board], self.backs[board].as_ref()?)));
        placed.fold(Cards::default(), |all, (fronts, backs)| all.with(on(backs, fronts.coloured(colour)).collect()))
    }

    /// The groups of a colour that still need cards after those of `board` up to a shape are filled: the sizes of the
    /// open groups, and the cards of those that bind.
    fn rest(&self, colour: Colour, board: Board, filled: impl Fn(Shape) -> bool) -> (Vec<Want>, Cards) {
        let (mut wants, mut kept) = (Vec::new(), Cards::default());
        let waits = |group: &Group| {
            if group.board == board { !filled(group.shape) } else { self.backs[group.board].is_none() }
        };
        for group in Group::all().filter(waits) {
            let bound = self.bound(colour)[group];
            if bound.is_empty() {
                wants.extend(assignment::want(self.layout, colour, group));
            }
            kept = kept.with(bound);
        }
        (wants, kept)
    }

    pub(super) fn check(&self, board: Board, backs: &Backs) -> Result<(), Refusal> {
        for colour in [Colour::Cyan, Colour::Pink] {
            self.check_deck(board, colour, backs)?;
        }
        self.check_grey(board, backs)
    }

    fn check_deck(&self, board: Board, colour: Colour, backs: &Backs) -> Result<(), Refusal> {
        let name = colour_word(colour);
        let mut placed = self.placed(colour);
        for card in on(backs, self.layout[board].coloured(colour)) {
            if placed.has(card) {
                let why = format!("each {name} card lies on the boards once, and {} lies there already", card.name());
                return Err(refuse(number::ONCE, why).naming(card.text()));
            }
            placed.add(card);
        }
        for shape in SHAPES {
            let group = Group { board, shape };
            let Some(want) = assignment::want(self.layout, colour, group) else { continue };
            let cards: Cards = on(backs, self.layout[board].group(colour, shape)).collect();
            want.fits(cards).map_err(|fault| unfit(fault, group, colour, cards))?;
            let bound = self.bound(colour)[group];
            if let Some(stray) = cards.without(bound).iter().next().filter(|_| !bound.is_empty()) {
                let due: Vec<String> = bound.iter().map(Card::text).collect();
                let why = format!(
                    "the {name} {} of board {} are assigned: {}",
                    shapes(group),
                    group.board.letter(),
                    due.join(" ")
                );
                return Err(refuse(number::STANDS, why).naming(stray.text()));
            }
        }
        let (wants, kept) = self.rest(colour, board, |_| true);
        if let Some(card) = placed.within(kept).iter().next() {
            let why = format!("the {name} {} is assigned to another board", card.name());
            return Err(refuse(number::STANDS, why).naming(card.text()));
        }
        if !completion::completes(Cards::DECK.without(placed).without(kept), &wants) {
            let why =
                format!("with these {name} cards gone, the {name} cells of the other boards cannot all be filled");
            return Err(refuse(number::PLACING, why));
        }
        Ok(())
    }

    fn check_grey(&self, board: Board, backs: &Backs) -> Result<(), Refusal> {
        let due = Fruit::of_grey(board);
        let mut seen = Cards::default();
        for card in on(backs, self.layout[board].coloured(Colour::Grey)) {
            if card.fruit() != due {
                let why = format!("the grey cards of board {} are all {}", board.letter(), due.name());
                return Err(refuse(number::GREY, why).naming(card.text()));
            }
            if seen.has(card) {
                return Err(
                    refuse(number::GREY, "no two grey cards of a board have the same number").naming(card.text())
                );
            }
            seen.add(card);
        }
        let numbers = grey::Numbers::from_fn(|shape| {
            let group: Cards = on(backs, self.layout[board].group(Colour::Grey, shape)).collect();
            group.numbers(due)
        });
        if grey::fits(&numbers) {
            return Ok(());
        }
        Err(if SHAPES.into_iter().all(|shape| numbers[shape] != 0) {
            refuse(number::APART, "with three grey shapes on a board, no two numbers of one shape differ by 1")
        } else {
            refuse(number::PARITY, "with two grey shapes on a board, the numbers of each are all even or all odd")
        })
    }

    /// The backs of a board; none if nothing fits. Groups that bind keep their cards. The others are filled one after
    /// the other, and every way that leaves a completion is equally likely. Each group is shuffled onto its cells.
    pub(super) fn draw(&self, board: Board, stream: &mut impl Stream) -> Option<Backs> {
        let mut cells = [None; 25];
        for colour in [Colour::Cyan, Colour::Pink] {
            let filled = self.fill(board, colour, stream)?;
            for (shape, cards) in SHAPES.into_iter().zip(filled) {
                self.lay(&mut cells, board, colour, shape, cards, stream);
            }
        }
        let sizes = grey::Sizes::from_fn(|shape| self.layout[board].group(Colour::Grey, shape).count() as u8);
        let numbers = grey::draw(&sizes, stream)?;
        for shape in SHAPES {
            let cards = Cards::of(Fruit::of_grey(board), numbers[shape]);
            self.lay(&mut cells, board, Colour::Grey, shape, cards, stream);
        }
        let backs: Vec<Card> = cells.into_iter().flatten().collect();
        backs.try_into().ok()
    }

    fn fill(&self, board: Board, colour: Colour, stream: &mut impl Stream) -> Option<[Cards; 3]> {
        let mut taken = self.placed(colour);
        let mut filled = [Cards::default(); 3];
        for (shape, filled) in SHAPES.into_iter().zip(&mut filled) {
            let group = Group { board, shape };
            let Some(want) = assignment::want(self.layout, colour, group) else { continue };
            *filled = self.bound(colour)[group];
            if filled.is_empty() {
                let (wants, kept) = self.rest(colour, board, |other| other <= shape);
                *filled = fill(want, Cards::DECK.without(taken).without(kept), &wants, stream)?;
            }
            taken = taken.with(*filled);
        }
        Some(filled)
    }

    fn lay(
        &self,
        cells: &mut [Option<Card>; 25],
        board: Board,
        colour: Colour,
        shape: Shape,
        cards: Cards,
        stream: &mut impl Stream,
    ) {
        let mut cards: Vec<Card> = cards.iter().collect();
        stream.shuffle(&mut cards);
        for (cell, card) in self.layout[board].group(colour, shape).iter().zip(cards) {
            if let Some(place) = cells.get_mut(cell.index()) {
                *place = Some(card);
            }
        }
    }
}

/// Fills one group from a supply so that the other groups can still be filled, every way equally likely.
pub(super) fn fill(want: Want, supply: Cards, others: &[Want], stream: &mut impl Stream) -> Option<Cards> {
    let mut patterns = want.patterns(supply);
    // If the counts alone forbid a pattern, every pattern with those counts is dropped at once. This only saves time.
    let make = |pattern: Cards| Fruit::ALL.map(|fruit| pattern.numbers(fruit).count_ones());
    let mut makes: Vec<([u32; 5], bool)> = Vec::new();
    patterns.retain(|pattern| {
        let make = make(*pattern);
        if let Some((_, fits)) = makes.iter().find(|(known, _)| *known == make) {
            return *fits;
        }
        let fits = completion::counts_suffice(supply.without(*pattern), others);
        makes.push((make, fits));
        fits
    });
    while !patterns.is_empty() {
        let at = usize::try_from(stream.below(patterns.len() as u64)).unwrap_or_default();
        let pattern = patterns.swap_remove(at);
        if completion::completes(supply.without(pattern), others) {
            return Some(pattern);
        }
    }
    None
}

fn shapes(group: Group) -> String {
    format!("{}s", shape_word(group.shape))
}

fn unfit(fault: GroupFault, group: Group, colour: Colour, cards: Cards) -> Refusal {
    let (name, letter) = (colour_word(colour), group.board.letter());
    match fault {
        GroupFault::Fruit(fruit) => {
            let [a, b, c] = Fruit::of_board(group.board).map(Fruit::name);
            let why = format!("on board {letter} the seats' cards are {a}, {b} and {c}");
            let stray = cards.iter().find(|card| card.fruit() == fruit).map_or_else(String::new, Card::text);
            refuse(number::FRUITS, why).naming(stray)
        }
        GroupFault::Count | GroupFault::Pattern => {
            let why = format!(
                "the {name} {} of board {letter} must all be one fruit, or all different fruits with different numbers",
                shapes(group)
            );
            refuse(number::PATTERN, why)
        }
    }
}

pub(super) fn back(backs: &ByBoard<Option<Backs>>, board: Board, cell: Cell) -> Option<Card> {
    backs[board].as_ref()?.get(cell.index()).copied()
}

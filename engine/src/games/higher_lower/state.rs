//! A match of Higher or Lower: its fields, and the facts that follow directly from them.

use alloc::format;
use alloc::string::String;

use super::assignment::{self, CardsByGroup};
use super::board::Boards;
use super::group::ByGroup;
use super::placing::{self, Backs, Placing};
use super::submission::{Kind, Move};
use super::{Board, ByBoard, Card, Cell, Cells, Direction, Layout};
use super::{layout, sentences};
use crate::{BySeat, Colour, Outcome, Reason, Seat, Setup};

/// The options. There is one hosting, so there are none yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules;

pub(super) const THREE_BOARDS: Reason = Reason { word: "three-boards", phrase: "three boards won" };
pub(super) const ENDINGS: &[Reason] = &[THREE_BOARDS];

/// Boards that win the match.
pub(super) const TO_WIN: u8 = 3;
/// The most cards that a seat may turn over in one turn.
pub(super) const MOST_TURNED: u8 = 8;

/// The step that the match waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// A board's layout by the host, or the DMO's colour.
    Layout,
    /// The DMO's colour, with all five boards laid out.
    Colour,
    /// Assignments by the seats, until the host places the first board.
    Assign,
    /// The backs of the boards that are not placed yet, by the host.
    Place,
    /// The next board.
    Board,
    /// A grey card.
    Turn,
    /// A prediction.
    Guess,
    /// Nothing: the match is over.
    Over,
}

impl Phase {
    /// The notation's word.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Layout => "layout",
            Self::Colour => "colour",
            Self::Assign | Self::Place => "place",
            Self::Board => "board",
            Self::Turn => "turn",
            Self::Guess => "guess",
            Self::Over => "over",
        }
    }
}

/// A match of Higher or Lower. Copying it allocates nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HigherLower {
    pub(super) dmo: Seat,
    pub(super) phase: Phase,
    /// The boards that the host laid out.
    pub(super) laid: Boards,
    pub(super) layout: Layout,
    /// The current boards can be filled with a deck for each seat.
    pub(super) fillable: bool,
    /// The seat that has cyan.
    pub(super) cyan: Option<Seat>,
    /// The latest assignments; fixed from the first placement on.
    pub(super) listed: BySeat<CardsByGroup>,
    /// The groups of the assignments that bind, from the first placement on.
    pub(super) bound: BySeat<CardsByGroup>,
    pub(super) backs: ByBoard<Option<Backs>>,
    pub(super) up: ByBoard<Cells>,
    /// The boards that have been chosen.
    pub(super) played: Boards,
    pub(super) board: Option<Board>,
    pub(super) first: Option<Seat>,
    pub(super) points: BySeat<u8>,
    pub(super) wins: BySeat<u8>,
    /// The seat whose turn it is, from the choice of the first board on.
    pub(super) turn: Seat,
    /// The cell turned last in this turn.
    pub(super) last: Option<Cell>,
    /// The number of cards turned in this turn.
    pub(super) turned: u8,
    /// The last grey choice was missed, and no grey card was turned since.
    pub(super) missed: bool,
    /// The cell that the last step turned over.
    pub(super) fresh: Option<Cell>,
    pub(super) outcome: Outcome,
}

impl HigherLower {
    /// The match before its first step.
    pub(super) fn new(setup: &Setup) -> Self {
        // The card requires a DMO.
        let dmo = setup.dmo.unwrap_or(Seat::P1);
        Self {
            dmo,
            phase: Phase::Layout,
            laid: Boards::default(),
            layout: layout::default_layout(),
            fillable: true,
            cyan: None,
            listed: BySeat::default(),
            bound: BySeat::default(),
            backs: ByBoard::default(),
            up: ByBoard::default(),
            played: Boards::default(),
            board: None,
            first: None,
            points: BySeat::default(),
            wins: BySeat::default(),
            turn: dmo,
            last: None,
            turned: 0,
            missed: false,
            fresh: None,
            outcome: Outcome::Running,
        }
    }

    /// The seat that is asked alone, if any.
    pub(super) const fn asked(&self) -> Option<Seat> {
        match self.phase {
            Phase::Colour => Some(self.dmo),
            Phase::Board | Phase::Turn | Phase::Guess => Some(self.turn),
            Phase::Layout | Phase::Assign | Phase::Place | Phase::Over => None,
        }
    }

    /// The kind of move that a seat may leave unnamed now.
    pub(super) const fn asked_kind(&self) -> Kind {
        match self.phase {
            Phase::Layout | Phase::Colour => Kind::Colour,
            Phase::Assign | Phase::Place => Kind::Assign,
            Phase::Board => Kind::Board,
            Phase::Turn => Kind::Turn,
            Phase::Guess | Phase::Over => Kind::Guess,
        }
    }

    /// The step that is due now, for the refusal of another.
    pub(super) fn due_now(&self) -> String {
        let (dmo, turn) = (self.dmo.word(), self.turn.word());
        match self.phase {
            Phase::Layout => format!("the host lays out boards, or {dmo} takes cyan or pink"),
            Phase::Colour => format!("{dmo} takes cyan or pink"),
            Phase::Assign => "the seats may assign cards, and the host places the boards".into(),
            Phase::Place => format!("the host places {}", sentences::either(self.missing())),
            Phase::Board => format!("{turn} chooses a board"),
            Phase::Turn => format!("{turn} turns over a grey card"),
            Phase::Guess => format!("{turn} predicts a neighbour"),
            Phase::Over => "the match is over".into(),
        }
    }

    /// A seat's colour, once the DMO has chosen.
    pub(super) fn colour(&self, seat: Seat) -> Option<Colour> {
        self.cyan.map(|cyan| if cyan == seat { Colour::Cyan } else { Colour::Pink })
    }

    /// The facts that a placed board is checked against.
    pub(super) fn placing(&self) -> Placing<'_> {
        let cyan = self.cyan.unwrap_or(self.dmo);
        Placing {
            layout: &self.layout,
            backs: &self.backs,
            cyan: self.binding(cyan, Colour::Cyan),
            pink: self.binding(cyan.other(), Colour::Pink),
        }
    }

    fn binding(&self, seat: Seat, colour: Colour) -> CardsByGroup {
        if self.phase == Phase::Assign {
            return assignment::binding(&self.layout, colour, &self.listed[seat]);
        }
        self.bound[seat]
    }

    /// The boards that the host has not placed, in order.
    pub(super) fn missing(&self) -> impl Iterator<Item = Board> {
        Board::ALL.into_iter().filter(|board| self.backs[*board].is_none())
    }

    /// The board that is placed next: the first one missing.
    pub(super) fn due(&self) -> Option<Board> {
        let placing = matches!(self.phase, Phase::Assign | Phase::Place);
        self.missing().next().filter(|_| placing)
    }

    /// The face-down grey cells of the board in play.
    pub(super) fn openers(&self) -> Cells {
        let grey = |board| self.layout[board].coloured(Colour::Grey).without(self.up[board]);
        self.board.map_or_else(Cells::default, grey)
    }

    /// The face-down neighbour, in this direction, of the card turned last.
    pub(super) fn neighbour(&self, direction: Direction) -> Option<Cell> {
        let board = self.board?;
        self.last?.next(direction).filter(|cell| !self.up[board].has(*cell))
    }

    /// The cell that a move would turn over now.
    pub(super) fn turns(&self, seat: Seat, sent: &Move) -> Option<Cell> {
        if self.asked() != Some(seat) {
            return None;
        }
        match (sent, self.phase) {
            (Move::Turn(cell), Phase::Turn) => Some(*cell),
            (Move::Guess(direction, _), Phase::Guess) => self.neighbour(*direction),
            (Move::Missing, Phase::Turn) if self.missed => self.openers().iter().next(),
            _ => None,
        }
    }

    /// The back of a cell of the board in play.
    pub(super) fn back(&self, cell: Cell) -> Option<Card> {
        placing::back(&self.backs, self.board?, cell)
    }

    /// The status of every group of a seat's assignment; none before the colours are chosen.
    pub(super) fn statuses(&self, seat: Seat) -> Option<ByGroup<assignment::GroupStatus>> {
        Some(assignment::statuses(&self.layout, self.colour(seat)?, &self.listed[seat]))
    }
}

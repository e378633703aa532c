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

pub(super) const TO_WIN: u8 = 3;
pub(super) const MOST_TURNED: u8 = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Layout,
    Colour,
    /// Assignments by the seats, until the host places the first board.
    Assign,
    /// The backs of the boards that are not placed yet, by the host.
    Place,
    Board,
    Turn,
    Guess,
    Over,
}

impl Phase {
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
    pub(super) laid: Boards,
    pub(super) layout: Layout,
    pub(super) fillable: bool,
    pub(super) cyan: Option<Seat>,
    pub(super) listed: BySeat<CardsByGroup>,
    /// The groups of the assignments that bind, from the first placement on.
    pub(super) bound: BySeat<CardsByGroup>,
    pub(super) backs: ByBoard<Option<Backs>>,
    pub(super) up: ByBoard<Cells>,
    pub(super) played: Boards,
    pub(super) board: Option<Board>,
    pub(super) first: Option<Seat>,
    pub(super) points: BySeat<u8>,
    pub(super) wins: BySeat<u8>,
    /// The seat whose turn it is, from the choice of the first board on.
    pub(super) turn: Seat,
    pub(super) last: Option<Cell>,
    pub(super) turned: u8,
    /// The last grey choice was missed, and no grey card was turned since.
    pub(super) missed: bool,
    pub(super) fresh: Option<Cell>,
    pub(super) outcome: Outcome,
}

impl HigherLower {
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

    pub(super) const fn asked(&self) -> Option<Seat> {
        match self.phase {
            Phase::Colour => Some(self.dmo),
            Phase::Board | Phase::Turn | Phase::Guess => Some(self.turn),
            Phase::Layout | Phase::Assign | Phase::Place | Phase::Over => None,
        }
    }

    pub(super) const fn asked_kind(&self) -> Kind {
        match self.phase {
            Phase::Layout | Phase::Colour => Kind::Colour,
            Phase::Assign | Phase::Place => Kind::Assign,
            Phase::Board => Kind::Board,
            Phase::Turn => Kind::Turn,
            Phase::Guess | Phase::Over => Kind::Guess,
        }
    }

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

    pub(super) fn colour(&self, seat: Seat) -> Option<Colour> {
        self.cyan.map(|cyan| if cyan == seat { Colour::Cyan } else { Colour::Pink })
    }

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

    pub(super) fn missing(&self) -> impl Iterator<Item = Board> {
        Board::ALL.into_iter().filter(|board| self.backs[*board].is_none())
    }

    pub(super) fn due(&self) -> Option<Board> {
        let placing = matches!(self.phase, Phase::Assign | Phase::Place);
        self.missing().next().filter(|_| placing)
    }

    pub(super) fn openers(&self) -> Cells {
        let grey = |board| self.layout[board].coloured(Colour::Grey).without(self.up[board]);
        self.board.map_or_else(Cells::default, grey)
    }

    pub(super) fn neighbour(&self, direction: Direction) -> Option<Cell> {
        let board = self.board?;
        self.last?.next(direction).filter(|cell| !self.up[board].has(*cell))
    }

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

    pub(super) fn back(&self, cell: Cell) -> Option<Card> {
        placing::back(&self.backs, self.board?, cell)
    }

    pub(super) fn statuses(&self, seat: Seat) -> Option<ByGroup<assignment::GroupStatus>> {
        Some(assignment::statuses(&self.layout, self.colour(seat)?, &self.listed[seat]))
    }
}

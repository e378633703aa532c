//! Before the first turn: the layout, the colours and the placing of the boards.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::assignment;
use super::clauses::number;
use super::placing::Backs;
use super::state::Phase;
use super::submission::Draw;
use super::{Board, Cards, Fronts, Group, HigherLower, Layout, Want, completion, grey, layout, sentences};
use crate::{BySeat, Colour, EffectLog, Refusal, Seat};

impl HigherLower {
    /// The default layout of the next board. If the boards that were laid out cannot be filled, they go back to the
    /// default one after the other; the default can be filled.
    pub(super) fn default_board(&self) -> Draw {
        let default = layout::default_layout();
        let strays = |board: &Board| !self.fillable && self.layout[*board] != default[*board];
        let board = Board::ALL.into_iter().find(strays).or_else(|| self.laid.others().next()).unwrap_or(Board::A);
        Draw::Layout(board, default[board].fronts())
    }

    pub(super) fn check_colour(&self, seat: Seat) -> Result<(), Refusal> {
        let refuse = |why: String| Err(Refusal::by_rule(Some(seat), number::COLOURS, why));
        if !matches!(self.phase, Phase::Layout | Phase::Colour) {
            return refuse(format!("the colours are chosen already: {}", self.due_now()));
        }
        if seat != self.dmo {
            return refuse(format!("{}, the Death Match Opponent, chooses the colour", self.dmo.word()));
        }
        if !self.fillable {
            let why =
                "the boards as they lie cannot be filled with fifty cards a colour: the host lays out another first";
            return Err(Refusal::by_rule(Some(seat), number::LAYOUT, why));
        }
        Ok(())
    }

    fn check_layout(&self, board: Board, fronts: &Fronts) -> Result<bool, Refusal> {
        let refuse = |rule, why: &str| Err(Refusal::by_rule(None, rule, why));
        if self.phase != Phase::Layout {
            return refuse(number::LAYOUT, "boards are laid out before the colour is chosen, each until all five are");
        }
        if self.fillable && self.laid.has(board) {
            let why = match self.laid.others().next() {
                Some(_) => format!(
                    "board {} is laid out already; {} may be",
                    board.letter(),
                    sentences::either(self.laid.others())
                ),
                None => format!("board {} is laid out already", board.letter()),
            };
            return Err(Refusal::by_rule(None, number::AGAIN, why).naming(board.letter()));
        }
        let grey = fronts.coloured(Colour::Grey).count();
        if grey == 0 {
            return refuse(number::LAYOUT, "a board needs a grey cell, for every turn begins with one");
        }
        let sizes = grey::Sizes::from_fn(|shape| fronts.group(Colour::Grey, shape).count() as u8);
        if !grey::possible(&sizes) {
            return refuse(number::GREY, "no ten numbers can fill so many grey cells of these shapes");
        }
        let mut layout = self.layout;
        layout[board] = *fronts;
        let mut laid = self.laid;
        laid.add(board);
        if !fillable(&layout, |of| laid.has(of)) {
            let why = "fifty cards a colour cannot fill the boards laid out so far with this one";
            return refuse(number::LAYOUT, why);
        }
        Ok(fillable(&layout, |_| true))
    }

    pub(super) fn lay_out(&mut self, board: Board, fronts: &Fronts, log: &mut impl EffectLog) -> Result<(), Refusal> {
        self.fillable = self.check_layout(board, fronts)?;
        log.note(|| sentences::laid_out(board, fronts, self.laid.has(board)));
        self.layout[board] = *fronts;
        self.laid.add(board);
        if self.laid.count() == 5 {
            self.phase = Phase::Colour;
        }
        Ok(())
    }

    pub(super) fn place(&mut self, board: Board, backs: &Backs, log: &mut impl EffectLog) -> Result<(), Refusal> {
        if !matches!(self.phase, Phase::Assign | Phase::Place) {
            let why = "the boards are placed once, after the colour and before the first choice of a board";
            return Err(Refusal::by_rule(None, number::PLACING, why));
        }
        if self.backs[board].is_some() {
            let due = sentences::either(self.missing());
            let why = format!("board {} is placed already; {due} is still missing", board.letter());
            return Err(Refusal::by_rule(None, number::ORDER, why).naming(board.letter()));
        }
        let placing = self.placing();
        placing.check(board, backs)?;
        let (cyan, pink) = (placing.cyan, placing.pink);
        self.bound = BySeat::from_fn(|seat| if self.cyan == Some(seat) { cyan } else { pink });
        self.backs[board] = Some(*backs);
        log.note(|| sentences::placed(board));
        self.phase = Phase::Place;
        if self.missing().next().is_none() {
            (self.phase, self.turn) = (Phase::Board, self.dmo);
            log.note(|| sentences::all_placed(self.dmo));
        }
        Ok(())
    }

    pub(super) fn choose_colour(&mut self, seat: Seat, colour: Option<Colour>, log: &mut impl EffectLog) {
        self.cyan = Some(if colour == Some(Colour::Pink) { seat.other() } else { seat });
        self.phase = Phase::Assign;
        log.note(|| sentences::coloured(seat, colour));
    }
}

/// True if a deck for each colour fills these boards without any assignment.
fn fillable(layout: &Layout, counts: impl Fn(Board) -> bool) -> bool {
    [Colour::Cyan, Colour::Pink].into_iter().all(|colour| {
        let groups = Group::all().filter(|group| counts(group.board));
        let wants: Vec<Want> = groups.filter_map(|group| assignment::want(layout, colour, group)).collect();
        completion::completes(Cards::DECK, &wants)
    })
}

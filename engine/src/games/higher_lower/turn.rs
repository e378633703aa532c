//! The boards in play: choosing one, turning cards over, and the ends of turns and boards.

use alloc::vec::Vec;

use super::clauses::number;
use super::state::{MOST_TURNED, Phase, THREE_BOARDS, TO_WIN};
use super::submission::{Call, Move, Order};
use super::{Board, Cell, Direction, HigherLower, assignment, sentences};
use crate::{BySeat, EffectLog, Outcome, Refusal, Seat};

impl HigherLower {
    pub(super) fn may(&self, seat: Seat, sent: &Move) -> Result<(), Refusal> {
        let refuse = |rule, why: &str| Err(Refusal::by_rule(Some(seat), rule, why));
        let waits = |why: &str| {
            let why = alloc::format!("{why}: {}", self.due_now());
            Err(Refusal::by_rule(Some(seat), number::CLOCK, why))
        };
        match sent {
            Move::Missing => match (self.phase, self.asked()) {
                (Phase::Layout, _) => self.check_colour(seat),
                (Phase::Assign, _) => refuse(
                    number::CLOCK,
                    "nobody waits for an assignment, so that none can be missed: send one, or go on without",
                ),
                (_, Some(asked)) if asked == seat => Ok(()),
                (_, Some(_)) => waits("it is the other seat's choice"),
                (_, None) => waits("the seats are asked nothing now"),
            },
            Move::Colour(_) => self.check_colour(seat),
            Move::Assign(_) => match self.phase {
                Phase::Assign => Ok(()),
                Phase::Layout | Phase::Colour => {
                    refuse(number::ASSIGNING, "cards are assigned after the colour is chosen")
                }
                _ => refuse(number::ASSIGNING, "cards are assigned before the first board is placed"),
            },
            Move::Board(board, _) => {
                self.check_asked(seat, Phase::Board, number::BOARD, "no board is chosen now")?;
                if self.played.has(*board) {
                    let left = sentences::either(self.played.others());
                    let why = alloc::format!("board {} was played already: choose {left}", board.letter());
                    return Err(Refusal::by_rule(Some(seat), number::BOARD, why).naming(board.letter()));
                }
                Ok(())
            }
            Move::Turn(cell) => {
                self.check_asked(seat, Phase::Turn, number::TURNING, "no turn begins now")?;
                if self.openers().has(*cell) {
                    return Ok(());
                }
                let open: Vec<&str> = self.openers().iter().map(Cell::name).collect();
                let why = alloc::format!("a turn begins with a grey card that lies face down: {}", open.join(", "));
                Err(Refusal::by_rule(Some(seat), number::TURNING, why).naming(cell.name()))
            }
            Move::Guess(direction, _) => self.check_guess(seat, *direction),
            Move::Stop => {
                self.check_asked(seat, Phase::Guess, number::STOPPING, "there is no turn to stop now")?;
                if self.turned < 2 {
                    return refuse(number::STOPPING, "predict at least once before you stop");
                }
                Ok(())
            }
        }
    }

    fn check_asked(&self, seat: Seat, phase: Phase, rule: &'static str, due: &str) -> Result<(), Refusal> {
        if self.phase != phase {
            return Err(Refusal::by_rule(Some(seat), rule, alloc::format!("{due}: {}", self.due_now())));
        }
        if self.turn != seat {
            let why = alloc::format!("it is the other seat's choice: {}", self.due_now());
            return Err(Refusal::by_rule(Some(seat), rule, why));
        }
        Ok(())
    }

    fn check_guess(&self, seat: Seat, direction: Direction) -> Result<(), Refusal> {
        self.check_asked(seat, Phase::Guess, number::PREDICTING, "no prediction is asked now")?;
        let refuse = |why: &str| Err(Refusal::by_rule(Some(seat), number::PREDICTING, why).naming(direction.word()));
        match self.last.and_then(|last| last.next(direction)) {
            None => refuse("the board ends there: name a neighbour that lies face down"),
            Some(_) if self.neighbour(direction).is_none() => {
                refuse("that card lies face up: name a neighbour that lies face down")
            }
            Some(_) => Ok(()),
        }
    }

    pub(super) fn play_one(&mut self, seat: Seat, sent: &Move, log: &mut impl EffectLog) -> Result<(), Refusal> {
        self.may(seat, sent)?;
        self.fresh = None;
        match (sent, self.phase) {
            (Move::Missing, Phase::Layout | Phase::Colour) => self.choose_colour(seat, None, log),
            (Move::Missing, Phase::Board) => self.choose_board(seat, None, log),
            (Move::Missing, Phase::Turn) => self.miss_opener(seat, log),
            (Move::Missing, Phase::Guess) => {
                log.note(|| sentences::ran_out(seat));
                self.end_turn(log);
            }
            // No other phase waits for a seat.
            (Move::Missing, _) => {}
            (Move::Colour(colour), _) => self.choose_colour(seat, Some(*colour), log),
            (Move::Assign(groups), _) => {
                self.listed[seat] = assignment::cards_by_group(groups);
                log.note(|| sentences::assigned(seat));
            }
            (Move::Board(board, order), _) => self.choose_board(seat, Some((*board, *order)), log),
            (Move::Turn(cell), _) => self.open(seat, *cell, log),
            (Move::Guess(direction, call), _) => self.guess(seat, *direction, *call, log),
            (Move::Stop, _) => {
                log.note(|| sentences::stopped(seat, self.turned));
                self.end_turn(log);
            }
        }
        Ok(())
    }

    fn choose_board(&mut self, seat: Seat, choice: Option<(Board, Order)>, log: &mut impl EffectLog) {
        let default = self.played.others().next().unwrap_or(Board::A);
        let (board, order) = choice.unwrap_or((default, Order::First));
        let first = if order == Order::First { seat } else { seat.other() };
        self.played.add(board);
        (self.board, self.first) = (Some(board), Some(first));
        (self.phase, self.turn, self.missed) = (Phase::Turn, first, false);
        log.note(|| sentences::chosen(seat, board, first, choice.is_none()));
    }

    fn turn_up(&mut self, cell: Cell) {
        if let Some(board) = self.board {
            self.up[board].add(cell);
        }
        self.fresh = Some(cell);
    }

    fn open(&mut self, seat: Seat, cell: Cell, log: &mut impl EffectLog) {
        self.turn_up(cell);
        (self.last, self.turned, self.missed) = (Some(cell), 1, false);
        self.phase = Phase::Guess;
        log.note(|| sentences::opened(self, seat, cell));
        self.go_on(seat, log);
    }

    fn guess(&mut self, seat: Seat, direction: Direction, call: Call, log: &mut impl EffectLog) {
        let Some((before, cell)) = self.last.zip(self.neighbour(direction)) else { return };
        let Some((known, found)) = self.back(before).zip(self.back(cell)) else { return };
        let right = match call {
            Call::Higher => found.number() > known.number(),
            Call::Lower => found.number() < known.number(),
        };
        self.turn_up(cell);
        (self.last, self.turned) = (Some(cell), self.turned + 1);
        self.points[seat] += u8::from(right);
        log.note(|| sentences::guessed(seat, (direction, call), (cell, found), known, right));
        if right {
            self.go_on(seat, log);
        } else {
            self.end_turn(log);
        }
    }

    fn go_on(&mut self, seat: Seat, log: &mut impl EffectLog) {
        if self.turned >= MOST_TURNED {
            log.note(|| sentences::eight(seat));
        } else if Direction::ALL.into_iter().all(|direction| self.neighbour(direction).is_none()) {
            log.note(|| sentences::shut_in(seat));
        } else {
            return;
        }
        self.end_turn(log);
    }

    fn miss_opener(&mut self, seat: Seat, log: &mut impl EffectLog) {
        if !self.missed {
            self.missed = true;
            log.note(|| sentences::passed(seat));
        } else if let Some(cell) = self.openers().iter().next() {
            self.missed = false;
            self.turn_up(cell);
            log.note(|| sentences::turned_for_nobody(self, seat, cell));
        }
        self.end_turn(log);
    }

    fn end_turn(&mut self, log: &mut impl EffectLog) {
        (self.last, self.turned) = (None, 0);
        if self.openers().count() == 0 {
            return self.end_board(log);
        }
        self.phase = Phase::Turn;
        self.turn = self.turn.other();
    }

    fn end_board(&mut self, log: &mut impl EffectLog) {
        let BySeat { p1, p2 } = self.points;
        let second = self.first.map_or(self.turn, Seat::other);
        let winner = match p1.cmp(&p2) {
            core::cmp::Ordering::Greater => Seat::P1,
            core::cmp::Ordering::Less => Seat::P2,
            core::cmp::Ordering::Equal => second,
        };
        self.wins[winner] += 1;
        log.note(|| sentences::board_won(self, winner));
        if self.wins[winner] >= TO_WIN {
            self.phase = Phase::Over;
            self.outcome = Outcome::won(winner, THREE_BOARDS);
            return log.note(|| sentences::ended(winner));
        }
        (self.phase, self.turn) = (Phase::Board, winner.other());
        (self.board, self.first, self.points) = (None, None, BySeat::default());
        log.note(|| sentences::loser_chooses(winner.other()));
    }
}

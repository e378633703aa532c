//! Higher or Lower as an implementation of [`Game`].

use alloc::string::String;
use alloc::vec::Vec;

use super::clauses::number;
use super::state::{ENDINGS, Phase, Rules};
use super::submission::{self, Draw, Move};
use super::{Board, Cell, Cells, Fronts, HigherLower};
use super::{assignment, clauses, fields, form, sample, sentences, view};
use crate::game::{Game, Object};
use crate::step::Step;
use crate::{
    Ask, Bank, BySeat, Clause, EffectLog, Ending, Figure, Form, Outcome, Panel, Party, Place, Purpose, Reason, Refusal,
    Row, Seat, Setup, Sight, Stream, Unit, Word, json,
};

/// Nothing of a layout is random.
const DRAWS: &[Purpose] = &[Purpose { word: Word::Static("place"), first: 0, every: 1 }];
/// The colour is chosen before the match.
const BANK_QUESTIONS: &[Word] = &[Word::Static("board"), Word::Static("turn"), Word::Static("guess")];

impl Game for HigherLower {
    type Draw = Draw;
    const IN_THREE_LINES: &'static [&'static str] = &[
        "Both of you hide your cards on five boards.",
        "On your turn say of a neighbour: higher or lower? Each right word is a point.",
        "Three boards win.",
    ];
    const ENDINGS: &'static [Reason] = ENDINGS;
    type Move = Move;
    type Rules = Rules;

    fn draws(_: &Rules) -> &[Purpose] {
        DRAWS
    }

    fn bank(_: &Rules) -> Option<Bank> {
        Some(Bank { extensions: 3, seconds: 30, reserve: false, questions: BANK_QUESTIONS.into() })
    }

    fn clauses(_: &Rules) -> Vec<Clause> {
        clauses::all()
    }

    fn start(_: &Rules, setup: &Setup) -> Self {
        Self::new(setup)
    }

    fn asks(&self) -> Vec<Ask> {
        view::asks(self)
    }

    fn form(&self, party: Party, what: &str) -> Option<Form> {
        form::of(self, party, what)
    }

    fn coming_round(&self) -> Option<u32> {
        None
    }

    fn read_joint(&self, _: Seat, text: &str) -> Result<Move, Refusal> {
        let why = "one seat speaks at a time in this game: write p1: or p2: and what it chose";
        Err(Refusal::of_text(0, text, why))
    }

    fn read_single(&self, _: Seat, text: &str) -> Result<Move, Refusal> {
        submission::read(self.asked_kind(), text)
    }

    fn spell_single(&self, _: Seat, text: &str) -> Result<(), Refusal> {
        submission::spell(self.asked_kind(), text)
    }

    fn read_draw(&self, text: &str) -> Result<Draw, Refusal> {
        submission::read_draw(text)
    }

    fn write_move(&self, sent: &Move, hidden: &[&str], out: &mut String) {
        if hidden.is_empty() {
            submission::write(sent, out);
        } else {
            out.push('?');
        }
    }

    fn write_draw(&self, draw: &Draw, hidden: &[&str], out: &mut String) {
        submission::write_draw(draw, |board, cell| hidden.contains(&fields::of_cell(board, cell)), out);
    }

    fn check(&self, seat: Seat, sent: &Move) -> Result<(), Refusal> {
        self.may(seat, sent)
    }

    /// An assignment without its cards, and a turned card without its place.
    fn kind(sent: &str) -> String {
        match sent.split_once(' ') {
            Some((word @ ("assign" | "turn"), _)) => word.into(),
            _ => sent.into(),
        }
    }

    fn subject_kind(subject: &str) -> &str {
        match subject.split_once(' ') {
            Some((_, "higher")) => "Higher",
            Some((_, "lower")) => "Lower",
            Some((first, _)) => first,
            None => subject,
        }
    }

    fn kind_words(_: &Rules, kind: &str) -> String {
        sentences::kind(kind)
    }

    fn describe(&self, sent: &Move) -> String {
        sentences::describe(sent)
    }

    fn forewarn(&self, seat: Seat, sent: &Move) -> Vec<String> {
        let (Move::Assign(groups), Some(colour)) = (sent, self.colour(seat)) else { return Vec::new() };
        let statuses = assignment::statuses(&self.layout, colour, &assignment::cards_by_group(groups));
        sentences::forewarn(&self.layout, colour, groups, &statuses)
    }

    fn describe_draw(&self, draw: &Draw) -> String {
        sentences::describe_draw(draw)
    }

    fn split_draw(&self, draw: &Draw) -> Vec<(Word, String)> {
        let Draw::Place(board, backs) = draw else { return Vec::new() };
        Cell::all().zip(backs).map(|(cell, card)| (fields::of_cell(*board, cell).into(), card.text())).collect()
    }

    fn join(&self, what: &str, values: &[&str]) -> String {
        // The question's fields are those of the first missing board, and do not name it. A line that places another
        // board is never joined from its fields: the record fills them in at their places in the line.
        match self.due().filter(|_| what == "place") {
            Some(due) => values.iter().fold(alloc::format!("place {}", due.letter()), |line, value| line + " " + value),
            None => values.first().copied().unwrap_or("-").into(),
        }
    }

    fn keeps(&self, step: &Step<Move, Draw>) -> Vec<(Party, Word)> {
        match step {
            Step::One(seat, Move::Assign(_)) => alloc::vec![((*seat).into(), "move".into())],
            Step::Host(Draw::Place(board, _)) => {
                fields::of_board(*board).iter().map(|field| (Party::Host, field.name.clone())).collect()
            }
            _ => Vec::new(),
        }
    }

    fn shows(&self, step: &Step<Move, Draw>) -> Vec<(Party, Word)> {
        let Step::One(seat, sent) = step else { return Vec::new() };
        let shown = self.turns(*seat, sent).zip(self.board);
        shown.map(|(cell, board)| (Party::Host, fields::of_cell(board, cell).into())).into_iter().collect()
    }

    fn sample(&self, seat: Seat, what: &str, stream: &mut impl Stream) -> Option<Move> {
        sample::of(self, seat, what, stream)
    }

    fn fill(&self, seat: Seat, what: &str, stream: &mut impl Stream) -> Option<Move> {
        if what == "assign" { sample::whole(self, seat, stream) } else { None }
    }

    fn draw(&self, stream: &mut impl Stream) -> Option<Draw> {
        if let Some(due) = self.due() {
            return Some(Draw::Place(due, self.placing().draw(due, stream)?));
        }
        // The default layout; nothing of a layout is random.
        (self.phase == Phase::Layout).then(|| self.default_board())
    }

    fn score(&self) -> Option<BySeat<i32>> {
        Some(self.wins.map(i32::from))
    }

    fn score_unit(_: &Rules) -> Unit {
        Unit { one: "board".into(), many: "boards".into() }
    }

    fn row(&self, step: &Step<Move, Draw>) -> Row {
        let round = self.played.count();
        match (self.phase, step) {
            (Phase::Layout, _) if self.laid.count() == 0 => Row { round: 0, place: Place::Round },
            (Phase::Layout | Phase::Colour, Step::Host(_)) => Row { round: 0, place: Place::Same },
            (Phase::Layout | Phase::Colour, _) => Row { round: 0, place: Place::Part },
            (Phase::Assign, Step::Host(_)) => Row { round: 0, place: Place::Part },
            (Phase::Assign | Phase::Place, _) => Row { round: 0, place: Place::Same },
            (Phase::Board, _) => Row { round: round + 1, place: Place::Round },
            (Phase::Turn, _) => Row { round, place: Place::Part },
            (Phase::Guess | Phase::Over, _) => Row { round, place: Place::Same },
        }
    }

    fn play(&mut self, step: &Step<Move, Draw>, log: &mut impl EffectLog) -> Result<(), Refusal> {
        match step {
            Step::One(seat, sent) => self.play_one(*seat, sent, log),
            Step::Host(Draw::Layout(board, fronts)) => self.lay_out(*board, &Fronts::new(fronts), log),
            Step::Host(Draw::Place(board, backs)) => self.place(*board, backs, log),
            Step::Both(_) => {
                let why = "one seat speaks at a time in this game: write p1: or p2: and what it chose";
                Err(Refusal::by_rule(None, number::CLOCK, why))
            }
            Step::Says(_) | Step::Umpire(_) => Ok(()),
        }
    }

    fn close(&mut self, ending: Ending) {
        self.phase = Phase::Over;
        (self.last, self.turned, self.missed, self.fresh) = (None, 0, false, None);
        self.outcome = Outcome::Over(ending);
    }

    fn outcome(&self) -> Outcome {
        self.outcome
    }

    fn write_state(&self, _: Sight, object: &mut Object<'_>) {
        object.word("phase", Some(self.phase.word()));
        object.word("turn", self.asked().map(Seat::word));
        object.word("board", self.board.map(Board::letter));
        object.word("first", self.first.map(Seat::word));
        object.by_seat("points", &self.points, |out, points| json::number(out, u32::from(*points)));
        object.by_seat("wins", &self.wins, |out, wins| json::number(out, u32::from(*wins)));
        let up = self.board.map_or_else(Cells::default, |board| self.up[board]);
        json::words(object.key("up"), up.iter().map(Cell::name));
        object.word("last", self.last.map(Cell::name));
        object.number("turned", u32::from(self.turned));
    }

    fn figures(&self) -> Vec<Figure> {
        view::figures(self)
    }

    fn panels(&self, sight: Sight) -> Vec<Panel> {
        view::panels(self, sight)
    }
}

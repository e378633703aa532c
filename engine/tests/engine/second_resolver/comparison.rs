//! The engine and the tables, side by side.

use engine::{Duel, Seat, Setup, Sight};

use super::resolver::{Board, Hosting, Submission};

/// A match that both play.
#[derive(Clone)]
pub(crate) struct Comparison<'c> {
    pub(crate) hosting: Hosting,
    duel: Duel,
    board: Board,
    words: &'c dyn Fn(char) -> &'static str,
}

impl<'c> Comparison<'c> {
    /// A match before its first round; in the final, p1 holds Overload and Limit Reset, p2 Claim Priority.
    pub(crate) fn new(ruleset: &str, hosting: Hosting, words: &'c dyn Fn(char) -> &'static str) -> Self {
        let mut setup = Setup { ruleset: ruleset.to_owned(), dmo: Some(Seat::P1), ..Setup::default() };
        let mut board = Board::new();
        if hosting == Hosting::Doubles {
            setup.items.p1 = vec!["overload".to_owned(), "limit-reset".to_owned()];
            setup.items.p2 = vec!["claim-priority".to_owned()];
            board.sides[0].items = vec!["overload", "limit-reset"];
            board.sides[1].items = vec!["claim-priority"];
        }
        Self { hosting, duel: Duel::open(&setup).unwrap(), board, words }
    }

    /// Plays both, and compares; none if both refuse it.
    pub(crate) fn play(&self, sent: [&Submission; 2]) -> Option<Self> {
        let line = format!("{} / {}", sent[0].text(self.words), sent[1].text(self.words));
        let mut duel = self.duel.clone();
        let played = duel.play(&line, None);
        let board = self.board.play(self.hosting, sent);
        match (played, board) {
            (Ok(_), Some(board)) => Some(self.compared(&line, duel, board)),
            (Err(_), None) => None,
            (Ok(_), None) => panic!("the engine takes {line}, and it is illegal after {:?}", self.board),
            (Err(refusal), Some(_)) => panic!("the engine refuses {line} after {:?}: {refusal}", self.board),
        }
    }

    /// Takes the pot by Claim Priority, if both allow it.
    pub(crate) fn take_the_pot(&self) -> Option<Self> {
        let line = "p2: use claim-priority";
        let mut duel = self.duel.clone();
        match (duel.play(line, None), self.board.take_the_pot()) {
            (Ok(_), Some(board)) => Some(self.compared(line, duel, board)),
            (Err(_), None) => None,
            (played, board) => panic!("{line} after {:?}: {played:?}, {board:?}", self.board),
        }
    }

    fn compared(&self, line: &str, duel: Duel, board: Board) -> Self {
        let (state, expected) = (duel.state(Sight::Everything), board.state(self.hosting, self.words));
        assert_eq!(state, expected, "{line} after {:?}", self.board);
        Self { duel, board, ..*self }
    }

    /// The lights that are on for the first seat.
    pub(crate) fn lights(&self) -> &[char] {
        &self.board.sides[0].lights
    }

    pub(crate) fn barred(&self) -> [Option<char>; 2] {
        [self.board.sides[0].barred, self.board.sides[1].barred]
    }
}

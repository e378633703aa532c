//! A game as its umpire declares it. Nothing but a reader of lines makes one.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::item_list;
use super::{Asked, Board, CardSet, Counter, CounterId, Face, Hand, HandId, Owner, Place, Question, SetKind};
use crate::Seat;
use crate::dmn::quotes::quoted;

/// A declared game: its structure, which the record states, and its words, which can be withdrawn.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Declaration {
    /// The game's name, if it is known.
    pub title: Option<String>,
    /// The address at which its rules can be read.
    pub source: Option<String>,
    /// Names for people, by the name of what is declared.
    pub labels: BTreeMap<String, String>,
    /// The words on all cards and dice.
    pub(super) faces: Vec<String>,
    /// The counters, as declared.
    pub counters: Vec<Counter>,
    /// The dice and decks, as declared.
    pub sets: Vec<CardSet>,
    /// The hands, as declared.
    pub hands: Vec<Hand>,
    /// The boards, as declared.
    pub boards: Vec<Board>,
    /// The questions, as declared; at least one.
    pub asks: Vec<Question>,
    /// The number of rounds that the game is said to have.
    pub rounds: Option<u32>,
    /// The first question; without one the umpire speaks first.
    pub first: Option<Asked>,
    /// The counter that is the score.
    pub score: Option<CounterId>,
}

impl Declaration {
    /// Nothing is declared yet.
    pub(super) const EMPTY: Self = Self {
        title: None,
        source: None,
        labels: BTreeMap::new(),
        faces: Vec::new(),
        counters: Vec::new(),
        sets: Vec::new(),
        hands: Vec::new(),
        boards: Vec::new(),
        asks: Vec::new(),
        rounds: None,
        first: None,
        score: None,
    };

    /// The reserve of each seat for the whole match, in seconds.
    #[must_use]
    pub fn bank(&self) -> Option<u32> {
        self.asks.iter().find_map(|ask| ask.bank)
    }

    /// The words on a card or a die.
    #[must_use]
    pub fn face(&self, face: Face) -> &str {
        self.faces.get(usize::from(face.0)).map_or("", String::as_str)
    }

    pub(super) fn find_face(&self, word: &str) -> Option<Face> {
        self.faces.iter().zip(0..).find(|(face, _)| *face == word).map(|(_, place)| Face(place))
    }

    /// The face of a word, which is a new one if nothing has it yet.
    pub(super) fn add_face(&mut self, word: String) -> Face {
        self.find_face(&word).unwrap_or_else(|| {
            self.faces.push(word);
            Face(u16::try_from(self.faces.len() - 1).unwrap_or(u16::MAX))
        })
    }

    /// The largest number of cards that can lie in one hand. Dice are rolled without end.
    pub(super) fn cards(&self) -> usize {
        let sets = self.sets.iter().map(|set| if set.kind == SetKind::Deck { set.items.len() } else { usize::MAX });
        let seats = |hand: &Hand| if hand.owner == Owner::Each { 2 } else { 1 };
        let begun = self.hands.iter().map(|hand| hand.of.len() * seats(hand));
        sets.chain(begun).fold(0, usize::saturating_add)
    }

    /// True if each seat has a counter of its own.
    pub(super) fn is_each(&self, counter: CounterId) -> bool {
        counter.of(&self.counters).is_some_and(|counter| counter.owner == Owner::Each)
    }

    /// The place of a hand: the seat's own, or the shared one.
    #[must_use]
    pub fn place(&self, hand: HandId, seat: Seat) -> Place {
        let each = hand.of(&self.hands).is_some_and(|hand| hand.owner == Owner::Each);
        Place { hand, seat: each.then_some(seat) }
    }

    /// The counter that is the score where no line says otherwise.
    pub(super) fn usual_score(&self) -> Option<CounterId> {
        CounterId::each(&self.counters).map(|(id, _)| id).find(|id| self.is_each(*id))
    }

    /// Every line without title, labels and source, each in its one spelling and in a fixed order. Games with the same
    /// structure are the same game.
    #[must_use]
    pub fn structure(&self) -> Vec<String> {
        let faces = |faces: &[Face]| item_list::written(&faces.iter().map(|face| self.face(*face)).collect::<Vec<_>>());
        let set = |set: &CardSet| format!("{} {} {}", set.kind.word(), set.name, faces(&set.items));
        let hand = |Hand { name, owner, hidden, of }: &Hand| {
            let hidden = if *hidden { " hidden" } else { "" };
            let of = if of.is_empty() { String::new() } else { format!(" of {}", faces(of)) };
            format!("hand {name} {}{hidden}{of}", owner.word())
        };
        let board = |Board { name, columns, rows }: &Board| format!("board {name} {columns}x{rows}");
        let score = || self.score.map_or("none", |score| score.name(&self.counters));
        let lines = self.counters.iter().map(Counter::written).chain(self.sets.iter().map(set));
        let lines = lines.chain(self.hands.iter().map(hand)).chain(self.boards.iter().map(board));
        let lines = lines.chain(self.asks.iter().map(|ask| ask.written(self)));
        let lines = lines.chain(self.rounds.map(|rounds| format!("rounds {rounds}")));
        let lines = lines.chain(self.first.map(|first| format!("first {}", first.words(self))));
        lines.chain((self.score != self.usual_score()).then(|| format!("score {}", score()))).collect()
    }

    /// Every line, each label behind what it names where a line declares that.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut labels: Vec<(&String, &String)> = self.labels.iter().collect();
        let mut lines: Vec<String> = self.words().into_iter().filter(|line| !line.starts_with("label ")).collect();
        for line in self.structure() {
            let mut words = line.split(' ');
            let declares = words.next().is_some_and(|kind| !["rounds", "first", "score"].contains(&kind));
            let name = words.next().filter(|_| declares);
            let at = labels.iter().position(|(named, _)| Some(named.as_str()) == name);
            let label = at.map(|at| labels.remove(at).1);
            lines.push(label.map_or(line.clone(), |label| format!("{line} {}", quoted(label))));
        }
        lines.extend(labels.into_iter().map(|(name, label)| format!("label {name} {}", quoted(label))));
        lines
    }
}

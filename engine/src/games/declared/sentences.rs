//! A declaration read back in sentences, for the umpire who writes it and for whoever joins.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::effects;
use super::scanner::listed;
use super::{
    Audience, CardSet, Count, Counter, Declaration, Draw, Face, Hand, Limit, OpensTo, Owner, Part, Question, SetKind,
};
use crate::Clause;

/// The text of a declared game's rules: the declaration in sentences, and what holds for all of them.
pub(super) fn clauses(game: &Declaration) -> Vec<Clause> {
    let clause = |number, title, text| Clause { number, title, word: "", text, ruling: None };
    alloc::vec![
        clause(effects::DECLARED, "What is declared", game.sentences().join(" ")),
        clause(
            effects::UMPIRE,
            "The umpire's word",
            "After each answer the umpire says what became of it, and what comes next. That is on the umpire's word: no \
             rules are applied to it."
                .into(),
        ),
    ]
}

/// The longest list that is read out word by word.
const LISTED_MAX: usize = 8;
const NUMBERS: [&str; 9] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"];

impl Declaration {
    /// The whole declaration in sentences, in the order in which a match uses it.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let counters = self.counters.iter().map(|counter| self.tell_counter(counter));
        let things = counters.chain(self.sets.iter().map(|set| self.tell_set(set)));
        let things = things.chain(self.hands.iter().map(|hand| self.tell_hand(hand)));
        let things = things.chain(self.boards.iter().map(|board| {
            format!("The board {} has {} columns and {} rows.", self.label(&board.name), board.columns, board.rows)
        }));
        let asks = self.asks.iter().map(|ask| self.tell_question(ask));
        let first = self.first.and_then(|first| Some((first.to(), &first.question(self)?.name)));
        let first = match first {
            Some((to, name)) => format!("The match begins with {} to {to}.", self.label(name)),
            None => "The umpire speaks first.".into(),
        };
        let names: Vec<&str> = self.counters.iter().map(|counter| self.label(&counter.name)).collect();
        let says = if names.is_empty() { String::new() } else { format!("the new {}, and ", list(&names, "and")) };
        let says = format!("After each answer the umpire says {says}what comes next.");
        let rounds = self.rounds.map(|rounds| format!("The match has {rounds} rounds."));
        let score = self.score.map(|score| format!("The score is {}.", self.label(score.name(&self.counters))));
        things.chain(asks).chain([first, says]).chain(rounds).chain(score).collect()
    }

    fn tell_counter(&self, counter: &Counter) -> String {
        let who = if counter.owner == Owner::Each { "Each player has" } else { "Both players share" };
        let limits = match (counter.least, counter.most) {
            (0, None) => String::new(),
            (least, None) => format!(", and {least} at the least"),
            (least, Some(most)) => format!(", from {least} to {most}"),
        };
        format!("{who} {}: {} at the start{limits}.", self.label(&counter.name), counter.start)
    }

    fn tell_set(&self, set: &CardSet) -> String {
        let (name, items) = (self.label(&set.name), self.tell_faces(&set.items));
        match set.kind {
            SetKind::Dice => format!("The dice {name} have {items}."),
            SetKind::Deck => format!("The deck {name} has {} cards: {items}.", set.items.len()),
        }
    }

    fn tell_faces(&self, faces: &[Face]) -> String {
        list(&faces.iter().map(|face| self.face(*face)).collect::<Vec<_>>(), "and")
    }

    fn tell_hand(&self, hand: &Hand) -> String {
        let (who, seen) = match hand.owner {
            Owner::Each => ("Each player holds", ", hidden from the opponent"),
            Owner::Shared => ("Both players share", ", hidden from both"),
        };
        let seen = if hand.hidden { seen } else { "" };
        let of =
            if hand.of.is_empty() { String::new() } else { format!(": {} at the start", self.tell_faces(&hand.of)) };
        format!("{who} {}{seen}{of}.", self.label(&hand.name))
    }

    fn tell_question(&self, ask: &Question) -> String {
        let who = if ask.to == Audience::Both { "both players" } else { "the player whom the umpire names" };
        let parts: Vec<String> = ask.parts.iter().map(|part| self.tell_part(part, ask.to)).collect();
        let rest = [
            ask.clock.map(|seconds| format!(", {seconds} seconds")),
            ask.bank.map(|seconds| format!(", with a reserve of {seconds} seconds for the match")),
            Some(".".into()),
            ask.default.as_ref().map(|default| format!(" No answer counts as {}.", default.write(ask, self, &[]))),
            (ask.opens == OpensTo::Umpire).then(|| " Only the umpire sees the answer until the end.".into()),
            ask.draw.map(|draw| format!(" Then the host draws {}.", self.tell_draw(draw))),
        ];
        let rest: String = rest.into_iter().flatten().collect();
        format!("{}: {who} {}{rest}", self.label(&ask.name), list(&parts, "and"))
    }

    /// The question to a seat, such as "Letter: pick one of a to d".
    pub(super) fn prompt(&self, ask: &Question) -> String {
        format!("{}: {}", self.label(&ask.name), self.tell_parts(ask))
    }

    /// What a seat is to do.
    pub(super) fn tell_parts(&self, ask: &Question) -> String {
        let parts: Vec<String> = ask.parts.iter().map(|part| self.tell_part(part, Audience::Both)).collect();
        list(&parts, "and")
    }

    pub(super) fn tell_draw(&self, draw: Draw) -> String {
        let name = self.label(draw.set.name(&self.sets));
        match draw.set.of(&self.sets).map(|set| set.kind) {
            Some(SetKind::Dice) => format!("{} of the dice {name}", amount(draw.count)),
            _ => format!("{} of {name}", cards(Count { least: draw.count, most: draw.count })),
        }
    }

    pub(super) fn tell_part(&self, part: &Part, to: Audience) -> String {
        let s = if to == Audience::Both { "" } else { "s" };
        match part {
            Part::Pick(count, words) => format!("pick{s} {} of {}", amounts(*count), list(words, "or")),
            Part::Number(least, Limit::Fixed(most)) => format!("choose{s} a number from {least} to {most}"),
            Part::Number(least, Limit::Counter(most)) => {
                format!("choose{s} a number from {least} to {}", self.label(most.name(&self.counters)))
            }
            Part::Text(most) => format!("write{s} up to {most} characters"),
            Part::Cards { count, from, to } => {
                let (count, from) = (cards(*count), self.label(from.name(&self.hands)));
                match to.map(|to| self.label(to.name(&self.hands))) {
                    Some(to) => format!("play{s} {count} from {from} to {to}"),
                    None => format!("name{s} {count} of {from}"),
                }
            }
            Part::Cell(board) => format!("choose{s} a cell of {}", self.label(board.name(&self.boards))),
            Part::Order(words) => format!("put{s} {} in order", list(words, "and")),
            Part::YesNo => format!("answer{s} yes or no"),
        }
    }
}

fn amount(count: u8) -> String {
    NUMBERS.get(usize::from(count)).map_or_else(|| count.to_string(), ToString::to_string)
}

fn amounts(Count { least, most }: Count) -> String {
    if least == most { amount(most) } else { format!("{} to {}", amount(least), amount(most)) }
}

fn cards(count: Count) -> String {
    format!("{} card{}", amounts(count), if count.most == 1 { "" } else { "s" })
}

/// Words as a list; what counts up in four steps or more is told by its ends, and a long list by its beginning.
fn list<S: AsRef<str>>(words: &[S], last: &str) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    let value = |word: &&str| match word.as_bytes() {
        [letter] if letter.is_ascii_alphabetic() => Some(i64::from(*letter)),
        _ => word.parse().ok().filter(|number: &i64| number.unsigned_abs() < 1_000_000),
    };
    let values: Vec<Option<i64>> = words.iter().map(value).collect();
    let counts = values.iter().zip(values.iter().skip(1)).all(|(one, next)| one.map(|one| one + 1) == *next);
    match words.as_slice() {
        [first, .., end] if counts && values.len() > 3 && values.first() != Some(&None) => format!("{first} to {end}"),
        all => match all.split_at_checked(LISTED_MAX) {
            Some((shown, more)) if !more.is_empty() => format!("{} and {} more", shown.join(", "), more.len()),
            _ => listed(all.iter().copied(), last),
        },
    }
}

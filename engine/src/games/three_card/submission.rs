//! A seat's move: zero, one or two of three actions.

use alloc::string::String;

use crate::{Refusal, Stream, vocabulary};

/// One of the three actions, in canonical order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// One chip into the pot.
    Grow,
    /// The pot, shared evenly if both claim.
    Claim,
    /// The chips that the opponent's Claim took.
    Steal,
}

impl Action {
    /// All three, in canonical order.
    pub const ALL: [Self; 3] = [Self::Grow, Self::Claim, Self::Steal];

    /// The notation's word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Grow => "grow",
            Self::Claim => "claim",
            Self::Steal => "steal",
        }
    }

    /// The name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Grow => "Grow",
            Self::Claim => "Claim",
            Self::Steal => "Steal",
        }
    }

    const fn bit(self) -> u8 {
        match self {
            Self::Grow => 1,
            Self::Claim => 2,
            Self::Steal => 4,
        }
    }
}

/// A set of actions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Set(u8);

impl Set {
    /// True if it is in the set.
    #[must_use]
    pub const fn has(self, action: Action) -> bool {
        self.0 & action.bit() != 0
    }

    /// Adds it.
    pub const fn add(&mut self, action: Action) {
        self.0 |= action.bit();
    }

    /// The number of actions.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// True if all three are in the set.
    #[must_use]
    pub const fn is_full(self) -> bool {
        self.0 == 7
    }

    /// The actions in canonical order.
    pub fn each(self) -> impl Iterator<Item = Action> {
        Action::ALL.into_iter().filter(move |action| self.has(*action))
    }
}

/// A seat's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Nothing came in time: `-`.
    Missing,
    /// A set of actions; the empty one is a deliberate `nothing`.
    Set(Set),
}

impl Move {
    /// The actions in force: none if nothing came.
    #[must_use]
    pub const fn set(self) -> Set {
        match self {
            Self::Missing => Set(0),
            Self::Set(set) => set,
        }
    }
}

/// The actions of letters run together, such as `GC`; none if the token is not such a run.
fn letters(token: &str) -> Option<impl Iterator<Item = Action>> {
    let action = |letter: char| match letter.to_ascii_lowercase() {
        'g' => Some(Action::Grow),
        'c' => Some(Action::Claim),
        's' => Some(Action::Steal),
        _ => None,
    };
    token.chars().all(|letter| action(letter).is_some()).then(|| token.chars().filter_map(action))
}

pub(super) fn sample(stream: &mut impl Stream) -> Move {
    let mut set = Set::default();
    let (first, second) = (stream.below(4), stream.below(4));
    for at in [first, second] {
        usize::try_from(at).ok().and_then(|at| Action::ALL.get(at)).into_iter().for_each(|action| set.add(*action));
    }
    if stream.below(16) == 0 { Move::Missing } else { Move::Set(set) }
}

pub(super) fn read(text: &str) -> Result<Move, Refusal> {
    if text == "-" {
        return Ok(Move::Missing);
    }
    let vocabulary = [
        ("grow", Some(Action::Grow)),
        ("claim", Some(Action::Claim)),
        ("steal", Some(Action::Steal)),
        ("nothing", None),
    ];
    let (mut set, mut nothing) = (Set::default(), None);
    for (at, token) in vocabulary::split(text) {
        let mut add = |action: Action| {
            if set.has(action) {
                return Err(Refusal::of_text(at, token, alloc::format!("{} is named twice", action.name())));
            }
            set.add(action);
            Ok(())
        };
        if let Some(run) = letters(token) {
            run.into_iter().try_for_each(&mut add)?;
        } else if let Some(action) = vocabulary::find(token, at, &vocabulary)? {
            add(action)?;
        } else {
            if nothing.is_some() {
                return Err(Refusal::of_text(at, token, "nothing is said once"));
            }
            nothing = Some((at, token));
        }
        if set.count() > 2 {
            return Err(Refusal::of_text(at, token, "at most two actions may be named"));
        }
    }
    match nothing {
        Some((at, token)) if set != Set::default() => Err(Refusal::of_text(at, token, "nothing must be the only word")),
        _ => Ok(Move::Set(set)),
    }
}

pub(super) fn write(sent: Move, out: &mut String) {
    match sent {
        Move::Missing => out.push('-'),
        Move::Set(set) if set == Set::default() => out.push_str("nothing"),
        Move::Set(set) => {
            for (n, action) in set.each().enumerate() {
                if n > 0 {
                    out.push(' ');
                }
                out.push_str(action.word());
            }
        }
    }
}

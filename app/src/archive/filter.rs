//! The filter of a list, as people write it.

use std::fmt;

use chrono::NaiveDate;
use record::name_key;
use record::verify::{Grade, Report, Verdict};
use store::archive::matches::Order;
use store::archive::selection::{PlayerSelection, ResultSelection, Role, Selection};
use thiserror::Error;

use super::words::question;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    pub game: Option<String>,
    pub ruleset: Option<String>,
    /// The tournament's name, in any case and with or without accents.
    pub event: Option<String>,
    pub player: Option<String>,
    pub seat: Option<SeatFilter>,
    pub against: Option<String>,
    pub umpire: Option<String>,
    pub from: Option<NaiveDate>,
    pub until: Option<NaiveDate>,
    pub rounds_from: Option<u32>,
    pub rounds_until: Option<u32>,
    pub result: Option<ResultFilter>,
    pub ending: Option<String>,
    pub ruled: bool,
    pub verdict: Option<VerdictFilter>,
    pub tag: Option<String>,
    pub words: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there is no such word")]
pub struct UnknownWord;

/// Defines an enum with its words: for addresses and the database, and for people.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$what:meta])* $variant:ident = $word:literal, $label:literal;)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$what])* $variant),+ }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            #[must_use]
            pub const fn label(self) -> &'static str {
                match self { $(Self::$variant => $label),+ }
            }
        }

        impl std::str::FromStr for $name {
            type Err = UnknownWord;

            fn from_str(word: &str) -> Result<Self, UnknownWord> {
                Self::ALL.iter().copied().find(|known| known.word() == word).ok_or(UnknownWord)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.word())
            }
        }
    };
}

words! {
    /// The result of a match.
    ResultFilter {
        /// The player of the filter won; without one, anybody.
        Won = "won", "won";
        /// The player of the filter lost; without one, anybody.
        Lost = "lost", "lost";
        /// Seat 1 won, whoever sat there.
        FirstWon = "p1-won", "seat 1 won";
        /// Seat 2 won, whoever sat there.
        SecondWon = "p2-won", "seat 2 won";
        /// The Death Match Opponent won.
        DmoWon = "dmo-won", "the DMO won";
        /// The Elimination Candidate won.
        EcWon = "ec-won", "the EC won";
        /// The rules name no winner.
        Undecided = "undecided", "undecided";
        /// It does not count.
        Void = "void", "void";
        /// It is running.
        Running = "running", "running";
        /// It has ended.
        Ended = "ended", "ended";
        /// It has ended and is not void: the statistics count it.
        Counts = "counts", "ended, not void";
    }
}

words! {
    /// The order of a list: the greatest first, and of equals the newest.
    #[derive(Default)]
    Sort {
        /// The newest first.
        #[default]
        Newest = "newest", "newest first";
        /// The most dramatic first: changes of the lead, and the largest swing.
        Dramatic = "dramatic", "most dramatic first";
        /// The closest finish first.
        Closest = "closest", "closest first";
        /// The latest decision first.
        Late = "late", "decided latest first";
        /// The most rounds first.
        Longest = "longest", "longest first";
    }
}

impl Sort {
    pub(super) const fn order(self) -> Order {
        match self {
            Self::Newest => Order::Newest,
            Self::Closest => Order::Closest,
            Self::Late => Order::Late,
            Self::Dramatic => Order::Dramatic,
            Self::Longest => Order::Longest,
        }
    }
}

words! {
    /// The seat or role of a player.
    SeatFilter {
        /// The first seat.
        First = "p1", "seat 1";
        /// The second seat.
        Second = "p2", "seat 2";
        /// The Death Match Opponent.
        Dmo = "dmo", "DMO";
        /// The Elimination Candidate.
        Ec = "ec", "EC";
    }
}

words! {
    /// The verdict of the last check of a match.
    VerdictFilter {
        /// It is correct, and nobody intervened.
        Verified = "verified", "verified";
        /// It is correct, with rulings or strikes.
        Rulings = "rulings", "verified, with interventions";
        /// It was entered after it was over, and its moves follow the rules.
        Imported = "imported", "imported, by the rules";
        /// It has not ended, or a part of it cannot be checked yet, or it is not shown that it is in the log, or that its witnesses saw it.
        Pending = "pending", "not shown, or not yet checkable";
        /// This version cannot check it.
        Unknown = "unknown", "cannot check";
        /// A check failed.
        Failed = "failed", "failed";
        /// It was not checked since it changed.
        Unchecked = "unchecked", "not checked yet";
    }
}

impl VerdictFilter {
    /// The filter that the verdict of a check passes, if it is as large as its proof.
    #[must_use]
    pub const fn of_report(report: &Report) -> Self {
        if report.is_good() && !report.is_accepted() { Self::Pending } else { Self::of(&report.verdict) }
    }

    #[must_use]
    pub const fn of(found: &Verdict) -> Self {
        match found {
            Verdict::Verified { ended: false, .. } => Self::Pending,
            Verdict::Verified { grade: Grade::Imported, .. } => Self::Imported,
            Verdict::Verified { interventions, .. } if interventions.total() == 0 => Self::Verified,
            Verdict::Verified { .. } => Self::Rulings,
            Verdict::NotYet { .. } => Self::Pending,
            Verdict::CannotCheck { .. } | Verdict::Practice => Self::Unknown,
            Verdict::Failed { .. } => Self::Failed,
        }
    }
}

impl ResultFilter {
    const fn selection(self) -> ResultSelection {
        match self {
            Self::Won | Self::Lost | Self::DmoWon | Self::EcWon => ResultSelection::Won,
            Self::FirstWon => ResultSelection::Is("p1"),
            Self::SecondWon => ResultSelection::Is("p2"),
            Self::Undecided => ResultSelection::Is("undecided"),
            Self::Void => ResultSelection::Is("void"),
            Self::Running => ResultSelection::Is("*"),
            Self::Ended => ResultSelection::Ended,
            Self::Counts => ResultSelection::Counts,
        }
    }

    const fn winner(self) -> Option<Role> {
        match self {
            Self::DmoWon => Some(Role::Dmo),
            Self::EcWon => Some(Role::Ec),
            _ => None,
        }
    }

    const fn standing(self) -> Option<&'static str> {
        match self {
            Self::Won | Self::Lost => Some(self.word()),
            _ => None,
        }
    }
}

impl SeatFilter {
    const fn seat(self) -> Option<&'static str> {
        match self {
            Self::First | Self::Second => Some(self.word()),
            Self::Dmo | Self::Ec => None,
        }
    }

    const fn role(self) -> Option<Role> {
        match self {
            Self::Dmo => Some(Role::Dmo),
            Self::Ec => Some(Role::Ec),
            Self::First | Self::Second => None,
        }
    }
}

impl Filter {
    #[must_use]
    pub fn running() -> Self {
        Self { result: Some(ResultFilter::Running), ..Self::default() }
    }

    #[must_use]
    pub fn folded(&self) -> Self {
        let folded = |text: &Option<String>| text.as_deref().map(name_key);
        Self {
            event: folded(&self.event),
            player: folded(&self.player),
            against: folded(&self.against),
            tag: folded(&self.tag),
            words: folded(&self.words),
            ..self.clone()
        }
    }

    pub(super) fn selection(&self, umpire: Option<String>) -> Selection {
        let key = |text: &Option<String>| text.as_deref().map(name_key);
        let player = key(&self.player).map(|key_of_player| PlayerSelection {
            key: key_of_player,
            seat: self.seat.and_then(SeatFilter::seat),
            role: self.seat.and_then(SeatFilter::role),
            against: key(&self.against),
            standing: self.result.and_then(ResultFilter::standing),
        });
        Selection {
            game: self.game.clone(),
            ruleset: self.ruleset.clone(),
            event: key(&self.event),
            player,
            umpire,
            from: self.from,
            until: self.until,
            rounds_from: self.rounds_from,
            rounds_until: self.rounds_until,
            result: self.result.map(ResultFilter::selection),
            winner: self.result.and_then(ResultFilter::winner),
            ending: self.ending.clone(),
            ruled: self.ruled,
            verdict: self.verdict.map(VerdictFilter::word),
            tag: key(&self.tag),
            words: self.words.as_deref().and_then(question),
        }
    }
}

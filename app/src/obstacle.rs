//! What keeps this node from accepting or closing anything, in words for whoever waits.

use std::fmt;
use std::sync::Arc;

use crate::app::App;
use crate::error::AppError;
use crate::heartbeat::Unfit;
use crate::signing::{NOT_SIGNED, StopReason};
use crate::submission_journal::{JournalDamage, JournalError, JournalState};

#[derive(Clone, Debug, PartialEq)]
pub enum Obstacle {
    NotSigned(Arc<StopReason>),
    Contradicted(String),
    NoJournal(JournalError),
    Unfit(Unfit),
}

impl Obstacle {
    #[must_use]
    pub const fn title(&self) -> &'static str {
        match self {
            Self::NotSigned(_) | Self::Contradicted(_) | Self::NoJournal(_) | Self::Unfit(Unfit::Denied(_)) => {
                "Nothing new is accepted at the moment"
            }
            Self::Unfit(_) => "Nothing closes at the moment",
        }
    }

    /// What anybody may read. What the journal and the database say of an open question is left out: it would tell whether a
    /// seat sent something.
    #[must_use]
    pub fn for_strangers(&self) -> String {
        match self {
            Self::Contradicted(_) => String::from(
                "The database and the journal of submissions contradict each other. The pages of umpires say where.",
            ),
            Self::NotSigned(_) | Self::NoJournal(_) | Self::Unfit(_) => self.to_string(),
        }
    }

    #[must_use]
    pub fn for_players(&self) -> String {
        match self {
            Self::NotSigned(_) | Self::Contradicted(_) | Self::Unfit(Unfit::Denied(_)) => {
                format!("{}.", AppError::ReadOnly)
            }
            Self::NoJournal(_) => String::from(
                "The server cannot keep moves just now. What was received is kept, and clocks get this time back. Keep this \
                 page open: it tries again by itself. The umpire sees why.",
            ),
            Self::Unfit(unfit) => format!("{unfit}."),
        }
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSigned(why) => write!(
                f,
                "{NOT_SIGNED}: {why}. What was acknowledged is kept. Running clocks get this time back once it is signed \
                 again."
            ),
            Self::Contradicted(what) => write!(
                f,
                "The database and the journal of submissions contradict each other: {what}. If the database was set back, use \
                 the newer one. If it is lost, strike that question or rule on it once the journal is moved away."
            ),
            Self::NoJournal(error) => write!(
                f,
                "Nothing that players send can be kept: {error}. Make room on its disk, or give the program the right to write \
                 there and in its folder; everything then goes on by itself. Running clocks get this time back."
            ),
            Self::Unfit(unfit) => write!(f, "{unfit}."),
        }
    }
}

impl App {
    #[must_use]
    pub fn journal_damage(&self) -> JournalDamage {
        self.recorder.journal.damage()
    }

    #[must_use]
    pub fn obstacle(&self) -> Option<Obstacle> {
        let stopped = self.signer().stopped().map(Obstacle::NotSigned);
        let contradicted = match self.recorder.journal.state() {
            JournalState::Contradicted(what) => Some(Obstacle::Contradicted(what)),
            JournalState::Settled | JournalState::Behind => None,
        };
        let unwritable = || self.recorder.journal.failure().map(Obstacle::NoJournal);
        let unfit = || self.recorder.fit().err().map(Obstacle::Unfit);
        stopped.or(contradicted).or_else(unwritable).or_else(unfit)
    }
}

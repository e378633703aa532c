//! The error of all commands and queries. The edges translate it to a status, a sentence and a log level.

use ledger::Moment;
use record::words::capital;
use record::write::WriteError;
use store::{AppendError, Denial, StoreError, SubmissionError};
use thiserror::Error;

use crate::account::AccountError;
use crate::keys::{EscrowError, KeysError};
use crate::public_log::{CannotDraw, CannotWait};
use crate::signing::NOT_SIGNED;
use crate::submission_journal::JournalError;
use crate::text::{NameError, TextError, UnknownClause};
use crate::unfit::Unfit;

#[derive(Debug, Error)]
pub enum AppError {
    /// There is no such match.
    #[error("there is no such match")]
    NoMatch,
    /// A rule or the state of the match does not allow it. Nothing was changed.
    #[error(transparent)]
    Refused(#[from] WriteError),
    /// A name is not allowed. Nothing was changed.
    #[error(transparent)]
    Name(#[from] NameError),
    /// A text of the umpire's is missing or too long. Nothing was changed.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The rules have no such clause. Nothing was changed.
    #[error(transparent)]
    Clause(#[from] UnknownClause),
    /// Somebody else was first. Nothing of this was recorded.
    #[error("somebody else changed the match since this page was opened; nothing of yours was recorded")]
    Overtaken,
    /// A decision of the match waits for the log's witnesses. Nothing was changed.
    #[error(
        "what was sealed last waits for the log\u{2019}s witnesses, by the match\u{2019}s limit until {until}; nothing was \
         changed. Send this again once it is open"
    )]
    Waits {
        /// The time at which the limit passes.
        until: Moment,
    },
    /// A match cannot wait for witnesses here.
    #[error(transparent)]
    CannotWait(#[from] CannotWait),
    /// The draws of a match cannot wait for a beacon here.
    #[error(transparent)]
    CannotDraw(#[from] CannotDraw),
    /// The match is another umpire's.
    #[error(
        "this match is another umpire's: only they and the helpers whom they name act in it, and see what is sent. Take it \
         over with a reason, or ask its umpire to name you as a helper, on the page of its links"
    )]
    NotYourMatch,
    /// The plan is another umpire's.
    #[error(
        "another umpire planned this match: only they or an admin change it, drop it, or open the match as planned"
    )]
    NotYourPlan,
    /// The umpire has as many plans as are possible.
    #[error("you have planned 50 matches, and no more are possible: open or drop one first")]
    TooManyPlans,
    /// The submit id was used before, for something else.
    #[error("this form was sent before with other contents; nothing was changed")]
    SubmitReused,
    /// The match is stored, and this program cannot read it.
    #[error("the record of this match cannot be read: {0}")]
    Unreadable(String),
    /// The key files are not those of this log.
    #[error(transparent)]
    Keys(#[from] KeysError),
    /// The key file is not the one that openings in the database are encrypted with.
    #[error(
        "keys/escrow.key is not the key of this database: moves that are not public yet could not be opened. Put the file \
         back that belongs to this database. If it is lost for good: matchbook log renew-escrow-key"
    )]
    EscrowKey,
    /// An opening that the server keeps cannot be opened.
    #[error(transparent)]
    Escrow(#[from] EscrowError),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The log is not signed, so nothing new is accepted.
    #[error(
        "{}. Clocks get this time back. Keep this page open and send it again in a minute: sent twice, it counts once. If \
         it goes on, tell the operator",
        NOT_SIGNED
    )]
    ReadOnly,
    /// Nobody can tell at the moment what came in time.
    #[error(
        "The site was away, and works out how much time that took from the clocks. Send it again in a moment: sent twice, \
         it counts once"
    )]
    Returning,
    /// The clock of this server is off: what it would write has a wrong time.
    #[error("{0}. Keep this page open and send it again in a moment: sent twice, it counts once")]
    ClockOff(Unfit),
    /// The journal cannot be written, so nothing is acknowledged. The paths in its own words are for the operator.
    #[error(
        "The server cannot keep moves just now, so this is not received yet. Clocks get this time back, and the umpire sees \
         why. Keep this page open: it tries again by itself. Or send it again in a moment: sent twice, it counts once"
    )]
    Journal(#[from] JournalError),
    /// The writer of the log has stopped.
    #[error("the log did not answer in time; send it again in a moment: sent twice, it counts once")]
    Stopped,
}

impl AppError {
    pub(crate) fn accepts_nothing(&self) -> bool {
        matches!(self, Self::ReadOnly | Self::Returning | Self::ClockOff(_) | Self::Journal(_))
            || self.denial().is_some()
    }

    #[must_use]
    pub fn denial(&self) -> Option<Denial> {
        if let Self::Store(error) = self { error.denial() } else { None }
    }

    /// The denial for whoever sent something. PostgreSQL's own words are for the operator.
    #[must_use]
    pub fn denial_words(&self) -> Option<String> {
        let cause = capital(&self.denial()?.cause.to_string());
        Some(format!(
            "{cause}, so nothing was stored. The operator has to mend that. Send it again in a moment: sent twice, it counts once."
        ))
    }

    /// True if the database did not answer in time: nobody knows whether it was done.
    #[must_use]
    pub fn is_unanswered(&self) -> bool {
        matches!(self, Self::Stopped | Self::Store(_)) && self.denial().is_none()
    }

    /// The error of a call that follows no link: it can only be the database.
    pub fn from_account(error: AccountError) -> Self {
        match error {
            AccountError::Database(error) => error.into(),
            error => Self::Unreadable(error.to_string()),
        }
    }
}

impl From<AppendError> for AppError {
    fn from(error: AppendError) -> Self {
        use store::Refusal;
        match error {
            AppendError::Stopped => Self::ReadOnly,
            AppendError::Refused(Refusal::Stale { .. }) => Self::Overtaken,
            AppendError::Refused(Refusal::SubmitReused) => Self::SubmitReused,
            AppendError::Refused(_) => {
                Self::Refused(WriteError::NotNow("this is too much for one entry of the record"))
            }
        }
    }
}

impl From<SubmissionError> for AppError {
    fn from(error: SubmissionError) -> Self {
        match error {
            SubmissionError::Late | SubmissionError::Answered => Self::Overtaken,
            SubmissionError::SubmitReused => Self::SubmitReused,
            SubmissionError::SealReused => Self::Refused(WriteError::NotNow("a seal of this was sent before")),
            SubmissionError::TooMany => {
                Self::Refused(WriteError::NotNow("a move can be changed 32 times, and has been"))
            }
            SubmissionError::Stopped | SubmissionError::Unknown => Self::Stopped,
            SubmissionError::Store(error) => Self::Store(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_replaced_a_submission_too_often_is_told_so() {
        let told = AppError::from(SubmissionError::TooMany).to_string();
        assert_eq!(told, "a move can be changed 32 times, and has been");
    }
}

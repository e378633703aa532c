//! The reason why a node decides nothing by the clock.

use store::DenialCause;
use thiserror::Error;

use crate::signing::NOT_SIGNED;

#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum Unfit {
    /// The log cannot be signed.
    #[error("{}, nothing closes and nothing is late. Clocks get the time back", NOT_SIGNED)]
    NotSigned,
    /// Its last beat is too long ago.
    #[error(
        "This server has had no answer from its database for more than a second, so nothing closes and nothing is late. \
         Clocks get the time back once it answers"
    )]
    Away,
    /// The database answers, and stores nothing.
    #[error(
        "{}: {}. Nothing closes and nothing is late. Clocks get the time back. For the operator: {}",
        NOT_SIGNED,
        .0,
        .0.remedy().trim_end_matches('.')
    )]
    Denied(DenialCause),
    /// What is acknowledged cannot be kept in a second place.
    #[error(
        "The journal of submissions cannot be written, so nothing is accepted, nothing closes and nothing is late. The operator \
         has to make room on its disk. Clocks get the time back"
    )]
    NoJournal,
    /// Its clock is off.
    #[error(
        "This server\u{2019}s clock is {:.1} s {} the database\u{2019}s, so this server takes nothing, closes nothing and calls \
         nothing late. Clocks get the time back. Its operator has to set the clock; meanwhile another server of this site \
         can go on",
        ahead_seconds.abs(),
        if *ahead_seconds > 0.0 { "ahead of" } else { "behind" }
    )]
    ClockOff {
        /// How far it is ahead.
        ahead_seconds: f64,
    },
}

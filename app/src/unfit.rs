//! The reason why a node decides nothing by the clock.

use thiserror::Error;

/// The reason why this node decides nothing by the clock. Displayed as a sentence for umpires and players.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum Unfit {
    /// Its last beat is too long ago.
    #[error(
        "The database does not answer this server, so nothing closes and nothing is late. Clocks get the time back once it \
         answers"
    )]
    Away,
    /// The database has no room.
    #[error(
        "The disk of the database is full, so nothing is stored, nothing closes and nothing is late. Its operator has to make \
         room. Clocks get the time back"
    )]
    DatabaseFull,
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

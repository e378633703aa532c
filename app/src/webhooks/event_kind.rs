//! The kinds of events of webhooks, with names in the form of Standard Webhooks: words between full stops.

use ledger::Kind;
use serde::Deserialize;
use utoipa::ToSchema;

/// A kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[schema(as = KindWord, description = "What a webhook can be told of.")]
pub enum EventKind {
    /// A match begins.
    #[serde(rename = "match.opened")]
    Opened,
    /// A decision is asked.
    #[serde(rename = "decision.asked")]
    Asked,
    /// A clock is paused.
    #[serde(rename = "clock.paused")]
    Paused,
    /// A clock starts or resumes.
    #[serde(rename = "clock.resumed")]
    Resumed,
    /// A clock was given time, or an extension began.
    #[serde(rename = "clock.extended")]
    Extended,
    /// A decision was resolved, or the host drew.
    #[serde(rename = "round.resolved")]
    Resolved,
    /// A ruling.
    #[serde(rename = "match.ruled")]
    Ruled,
    /// Steps no longer count, or others count instead.
    #[serde(rename = "match.struck")]
    Struck,
    /// The result was entered.
    #[serde(rename = "match.ended")]
    Ended,
}

impl EventKind {
    pub const ALL: [Self; 9] = [
        Self::Opened,
        Self::Asked,
        Self::Paused,
        Self::Resumed,
        Self::Extended,
        Self::Resolved,
        Self::Ruled,
        Self::Struck,
        Self::Ended,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opened => "match.opened",
            Self::Asked => "decision.asked",
            Self::Paused => "clock.paused",
            Self::Resumed => "clock.resumed",
            Self::Extended => "clock.extended",
            Self::Resolved => "round.resolved",
            Self::Ruled => "match.ruled",
            Self::Struck => "match.struck",
            Self::Ended => "match.ended",
        }
    }

    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Opened => "A match is opened",
            Self::Asked => "A decision is asked",
            Self::Paused => "A clock is paused",
            Self::Resumed => "A clock starts or runs on",
            Self::Extended => "A clock gets more time",
            Self::Resolved => "A decision is resolved, the host draws, or the umpire says what became of answers",
            Self::Ruled => "The umpire rules",
            Self::Struck => "Rounds are struck or corrected",
            Self::Ended => "The result is entered",
        }
    }

    #[must_use]
    pub const fn of(kind: Kind) -> Option<Self> {
        match kind {
            Kind::Opened => Some(Self::Opened),
            Kind::Asked => Some(Self::Asked),
            Kind::Resolved | Kind::Announced | Kind::Drawn => Some(Self::Resolved),
            Kind::Paused => Some(Self::Paused),
            Kind::Resumed => Some(Self::Resumed),
            Kind::Extended => Some(Self::Extended),
            Kind::Ruled => Some(Self::Ruled),
            Kind::Struck => Some(Self::Struck),
            Kind::Ended => Some(Self::Ended),
            // The acts of seats are no events, and sealed moves become one when they are resolved.
            Kind::Key
            | Kind::Linked
            | Kind::Sealed
            | Kind::Handed
            | Kind::Objected
            | Kind::Noted
            | Kind::Unsealed
            | Kind::Imported
            | Kind::Registered
            | Kind::Rotated
            | Kind::Revoked => None,
        }
    }
}

pub const TEST: &str = "matchbook.test";

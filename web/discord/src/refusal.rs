//! The reason why a command did nothing, in words for its user.

use app::AppError;
use app::account::AccountError;
use app::discord::{ChannelError, RestError};
use app::new_match::FieldErrors;
use app::submissions::SubmissionRefusal;
use engine::name_seats;
use record::History;
use thiserror::Error;

#[derive(Debug, Error)]
pub(super) enum Refusal {
    #[error("This command came without what it needs, so nothing was done. Give it again.")]
    Incomplete,
    #[error("This is no command any more. The server's operator can register the commands again.")]
    Unknown,
    #[error(
        "This is for umpires. If you are one, open \u{201c}Discord\u{201d} on your desk, make a code, and type it here \
         with `/link`."
    )]
    NotAnUmpire,
    #[error(
        "You sit in no running match here. Use `/link` with the private link that the umpire gave you, or ask the umpire \
         to seat you."
    )]
    NotSeated,
    #[error("This is for the players of the match. If you are one, ask the umpire to invite your account.")]
    NotInvited,
    #[error("Your link is not valid any more. Ask the umpire for a new invitation.")]
    Revoked,
    #[error("You play more than one match just now. Say which one: `match` lists them.")]
    Several,
    #[error("This channel follows no match. Name one with `match`, or have an umpire type `/match here`.")]
    NoMatchHere,
    #[error("The umpire types both seats of this match, so it is run from its console.")]
    NotLive,
    #[error("You have nothing to do right now, so nothing was stored. `/state` shows the current match.")]
    NothingAsked,
    /// It was sent before the open question was asked, so it may be meant for another.
    #[error(
        "This was sent before the present question was put, so it does not count for it. Look at `/state`, and send it \
         again if you mean it."
    )]
    SentBefore,
    #[error("{0}")]
    Unreadable(String),
    #[error("Nothing is written there.")]
    Empty,
    #[error("Whoever wrote this sits in no running match here, or in several: `/match seat` says who it is.")]
    UnknownAuthor,
    #[error("This opens nothing: it was used, is too old, or was revoked. Make a new one.")]
    Code,
    #[error("A bot cannot take a seat.")]
    Bot,
    #[error("One account cannot play both seats.")]
    BothSeats,
    #[error("This server has no token of Discord's, so it cannot post here. Its operator can set one.")]
    NoToken,
    #[error("{0}")]
    Sentence(String),
    #[error(transparent)]
    Submission(#[from] SubmissionRefusal),
    #[error(transparent)]
    Book(#[from] AppError),
    #[error(transparent)]
    Account(#[from] AccountError),
    #[error(transparent)]
    Channel(#[from] ChannelError),
    #[error("{0}. Nothing was linked; the bot needs the permission to manage webhooks in this channel.")]
    Rest(#[from] RestError),
}

impl From<FieldErrors> for Refusal {
    fn from(errors: FieldErrors) -> Self {
        Self::Sentence(errors.into_values().collect::<Vec<_>>().join(" "))
    }
}

const AWAY: &str = "The database cannot be reached just now, and this may be stored or not. Send it again in a moment.";

impl Refusal {
    pub(super) fn is_away(&self) -> bool {
        match self {
            Self::Book(error) | Self::Submission(SubmissionRefusal::App(error)) => error.is_unanswered(),
            refused => {
                matches!(refused, Self::Account(AccountError::Database(_)) | Self::Channel(ChannelError::Store(_)))
            }
        }
    }

    pub(super) fn named(self, history: &History) -> Self {
        if self.is_away() { self } else { Self::Sentence(self.sentence(Some(history))) }
    }

    pub(super) fn sentence(&self, history: Option<&History>) -> String {
        let text = match self {
            away if away.is_away() => {
                tracing::error!(error = %self, "a command could not be carried out");
                AWAY.to_owned()
            }
            Self::Book(error) | Self::Submission(SubmissionRefusal::App(error)) if error.denial().is_some() => {
                tracing::error!(%error, "a command could not be carried out");
                error.denial_words().unwrap_or_default()
            }
            Self::Account(AccountError::Link) => Self::Code.to_string(),
            Self::Book(AppError::NoMatch) => "There is no such match.".to_owned(),
            refused => record::words::sentence(&refused.to_string()),
        };
        history.map_or_else(|| text.clone(), |history| name_seats(&text, history.both_names()))
    }
}

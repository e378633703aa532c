//! Why a command did nothing, in words for whoever gave it.

use app::account::AccountError;
use app::book::{BookError, SubmissionRefusal};
use engine::name_seats;
use record::History;
use record::write::WriteError;
use thiserror::Error;

use super::channels::ChannelError;
use super::rest::RestError;

/// Why a command did nothing.
#[derive(Debug, Error)]
pub(super) enum Refused {
    /// Discord left something out that every command has.
    #[error("This command came without what it needs, so nothing was done. Give it again.")]
    Incomplete,
    /// There is no such command, or not any more.
    #[error("This is no command any more. The server's operator can register the commands anew.")]
    Unknown,
    /// The account is no umpire's.
    #[error(
        "This is for umpires. If you are one, open \u{201c}Discord\u{201d} on your desk, make a code, and type it here \
         with `/link`."
    )]
    NotAnUmpire,
    /// The account sits nowhere.
    #[error(
        "You sit in no running match here. Use `/link` with the private link that the umpire gave you, or ask the umpire \
         to seat you."
    )]
    NotSeated,
    /// The account sits in more than one.
    #[error("You play more than one match just now. Say which one: `match` lists them.")]
    Several,
    /// The channel follows none.
    #[error("This channel follows no match. Name one with `match`, or have an umpire type `/match here`.")]
    NoMatchHere,
    /// The umpire types both seats.
    #[error("The umpire types both seats of this match, so it is run from its console.")]
    NotLive,
    /// Nothing is open to the seat.
    #[error("Nothing is asked of you just now, so nothing was stored. `/state` shows how it stands.")]
    NothingAsked,
    /// It was sent before the question that is open was put: it may have been meant for another.
    #[error(
        "This was sent before the present question was put, so it does not count for it. Look at `/state`, and send it \
         again if you mean it."
    )]
    Before,
    /// What was written is no move.
    #[error("{0}")]
    Unreadable(String),
    /// Nothing was written.
    #[error("Nothing is written there.")]
    Empty,
    /// A message whose author has no seat.
    #[error("Whoever wrote this sits in no running match here, or in several: `/match seat` says who it is.")]
    Stranger,
    /// The link or the code opens nothing.
    #[error("This opens nothing: it was used, is too old, or was revoked. Make a new one.")]
    Code,
    /// A bot cannot play.
    #[error("A bot cannot take a seat.")]
    Bot,
    /// Both seats at once.
    #[error("One account cannot play both seats.")]
    BothSeats,
    /// Nothing can be posted without the bot's token.
    #[error("This server has no token of Discord's, so it cannot post here. Its operator can set one.")]
    NoToken,
    /// What the umpire asked for cannot be done.
    #[error("{0}")]
    Said(String),
    /// A player's submission.
    #[error(transparent)]
    Submission(#[from] SubmissionRefusal),
    /// The book.
    #[error(transparent)]
    Book(#[from] BookError),
    /// Accounts.
    #[error(transparent)]
    Account(#[from] AccountError),
    /// Channels.
    #[error(transparent)]
    Channel(#[from] ChannelError),
    /// Discord.
    #[error("{0}. Nothing was linked; the bot needs the permission to manage webhooks in this channel.")]
    Rest(#[from] RestError),
}

impl From<WriteError> for Refused {
    fn from(error: WriteError) -> Self {
        Self::Book(BookError::Refused(error))
    }
}

/// The database, in words for whoever waits for an answer.
const AWAY: &str = "The database cannot be reached just now, and this may be stored or not. Send it again in a moment.";

impl Refused {
    /// Whether the database did not answer, so that the same can be tried again.
    pub(super) const fn is_away(&self) -> bool {
        matches!(
            self,
            Self::Book(BookError::Store(_) | BookError::Stopped)
                | Self::Submission(SubmissionRefusal::Book(BookError::Store(_) | BookError::Stopped))
                | Self::Account(AccountError::Database(_))
                | Self::Channel(ChannelError::Database(_))
        )
    }

    /// The same with the players' names, where it is not the database's doing.
    pub(super) fn named(self, history: &History) -> Self {
        if self.is_away() { self } else { Self::Said(self.sentence(Some(history))) }
    }

    /// The sentence, with the players' names where a match is known.
    pub(super) fn sentence(&self, history: Option<&History>) -> String {
        let text = match self {
            away if away.is_away() => {
                tracing::error!(error = %self, "a command could not be carried out");
                AWAY.to_owned()
            }
            Self::Account(AccountError::Link) => Self::Code.to_string(),
            Self::Book(BookError::NoMatch) => "There is no such match.".to_owned(),
            refused => record::words::sentence(&refused.to_string()),
        };
        history.map_or_else(|| text.clone(), |history| name_seats(&text, history.both_names()))
    }
}

//! The errors of the application as errors of HTTP: each in one exhaustive match.

use app::AppError;
use app::account::AccountError;
use app::submissions::SubmissionRefusal;
use app::text::{NameError, TextError, UnknownClause};
use record::words::sentence;

use super::problem::{ErrorKind, Problem};

impl From<AppError> for Problem {
    fn from(error: AppError) -> Self {
        match error {
            AppError::NoMatch => {
                Self::not_found("There is no match at this address. The address may be incomplete.")
                    .back("/archive", "Look in the archive")
            }
            AppError::Refused(why) => Self::refused(why.to_string()),
            AppError::Name(why) => why.into(),
            AppError::Text(why) => why.into(),
            AppError::Clause(why) => why.into(),
            AppError::NotYourMatch | AppError::NotYourPlan => {
                Self::of(ErrorKind::NotYourMatch, sentence(&error.to_string()))
            }
            AppError::TooManyPlans => Self::refused(sentence(&error.to_string())),
            AppError::CannotWait(why) => Self::refused(sentence(&why.to_string())),
            AppError::CannotDraw(why) => Self::refused(sentence(&why.to_string())),
            AppError::Waits { .. } => Self::conflict(sentence(&error.to_string())),
            AppError::Overtaken | AppError::SubmitReused => Self::conflict(error.to_string()),
            AppError::ReadOnly | AppError::Returning | AppError::ClockOff(_) => Self::away(sentence(&error.to_string())),
            AppError::Journal(ref cause) => Self::away(sentence(&error.to_string())).caused_by(cause),
            AppError::Stopped | AppError::Store(_) => Self::away(error.denial_words().unwrap_or_else(|| {
                "The database cannot be reached just now. Nothing was acknowledged that is not stored. Send it again in a moment: sent twice, it counts once.".to_owned()
            }))
            .caused_by(&error),
            AppError::Unreadable(_)
            | AppError::Keys(_)
            | AppError::EscrowKey
            | AppError::Escrow(_) => Self::broken(&error),
        }
    }
}

impl From<AccountError> for Problem {
    fn from(error: AccountError) -> Self {
        let said = || sentence(&error.to_string());
        match error {
            AccountError::Database(_) => AppError::from_account(error).into(),
            AccountError::Hashing => Self::broken(&error),
            AccountError::Busy => Self { retry_seconds: Some(5), ..Self::of(ErrorKind::Busy, said()) },
            AccountError::Unknown(_) => Self::not_found("There is no such umpire."),
            AccountError::Taken(name) => Self::conflict(format!("There is an umpire called “{name}” already.")),
            AccountError::Link => Self::of(ErrorKind::Gone, said()),
            AccountError::PasskeyNeeded => {
                Self::of(ErrorKind::NotSignedIn, said()).back("/sign-in", "Sign in with a passkey")
            }
            AccountError::Alike(_)
            | AccountError::Reserved
            | AccountError::Unseen
            | AccountError::NoName
            | AccountError::NotYours
            | AccountError::Wrong
            | AccountError::Weak(_)
            | AccountError::NotAdmin
            | AccountError::LastAdmin
            | AccountError::Closed
            | AccountError::Scope
            | AccountError::TooManyTokens
            | AccountError::Passkey
            | AccountError::NoPasskey
            | AccountError::Life => Self::refused(said()),
        }
    }
}

impl From<SubmissionRefusal> for Problem {
    fn from(refusal: SubmissionRefusal) -> Self {
        let said = sentence(&refusal.to_string());
        let kind = match refusal {
            SubmissionRefusal::App(error) => return error.into(),
            SubmissionRefusal::Late
            | SubmissionRefusal::KeptLate
            | SubmissionRefusal::ClosedFirst
            | SubmissionRefusal::LateAgain
            | SubmissionRefusal::OpenedLate
            | SubmissionRefusal::Closed => ErrorKind::TooLate,
            SubmissionRefusal::Answered => ErrorKind::AlreadyAnswered,
            SubmissionRefusal::Reused => ErrorKind::IdReused,
            SubmissionRefusal::Unsigned | SubmissionRefusal::KeptWithoutKey => ErrorKind::Unsigned,
            SubmissionRefusal::TooMany => ErrorKind::TooManyRequests,
            SubmissionRefusal::NotAsked
            | SubmissionRefusal::NeverFinal
            | SubmissionRefusal::Refused(_)
            | SubmissionRefusal::BadSignature
            | SubmissionRefusal::NeverSigned
            | SubmissionRefusal::QuestionNotSeen
            | SubmissionRefusal::SealReused => ErrorKind::Refused,
        };
        Self::of(kind, said)
    }
}

impl From<TextError> for Problem {
    fn from(error: TextError) -> Self {
        Self::refused(error.to_string())
    }
}

impl From<UnknownClause> for Problem {
    fn from(error: UnknownClause) -> Self {
        Self::refused(error.to_string())
    }
}

impl From<NameError> for Problem {
    fn from(error: NameError) -> Self {
        Self::refused(error.to_string())
    }
}

//! The input and the result of a form, as the console shows them again.

use axum::http::StatusCode;
use ledger::Head;

use super::activity::Activity;
use super::form_data::FormData;
use super::question::TypedLines;

/// The input and the result of a form.
#[derive(Debug, Default)]
pub(super) struct FormState {
    /// The status of the answer.
    pub(super) status: StatusCode,
    /// The confirmation of an act.
    pub(super) done: Option<&'static str>,
    /// The reason of a refusal, at the top.
    pub(super) notice: Option<String>,
    /// Another person's earlier act.
    pub(super) conflict: Option<Conflict>,
    /// The input for a decision.
    pub(super) lines: Option<TypedLines>,
    /// A form that was refused, and is shown again in its place.
    pub(super) refused: Option<RefusedForm>,
    /// The head on somebody's page, who asks for the changes since.
    pub(super) since: Option<Head>,
}

/// Another person's earlier act.
#[derive(Debug)]
pub(super) struct Conflict {
    /// In one sentence.
    pub(super) title: &'static str,
    /// Their acts since this page was shown.
    pub(super) activity: Vec<Activity>,
    /// The input, by field.
    pub(super) copies: Vec<(String, String)>,
}

/// A form that was refused, with its input.
#[derive(Debug)]
pub(super) struct RefusedForm {
    pub(super) name: &'static str,
    pub(super) why: String,
    pub(super) sent: FormData,
}

impl RefusedForm {
    /// Its name on the page. Each late move has a form of its own.
    pub(super) fn full_name(&self) -> String {
        match self.name {
            "admitted" => admission(self.sent.text("decision"), self.sent.text("seat")),
            name => name.to_owned(),
        }
    }
}

/// The name of the form that admits a late move.
pub(super) fn admission(decision: &str, seat: &str) -> String {
    format!("admitted-{decision}-{seat}")
}

impl FormState {
    fn refused(&self, name: &str) -> Option<&RefusedForm> {
        self.refused.as_ref().filter(|refused| refused.full_name() == name)
    }

    /// The reason why the form of this name was refused, if it was.
    pub(super) fn error(&self, name: &str) -> Option<&str> {
        self.refused(name).map(|refused| refused.why.as_str())
    }

    /// The input in a field of the form of this name.
    pub(super) fn typed(&self, name: &str, field: &str) -> &str {
        self.refused(name).map_or("", |refused| refused.sent.text(field))
    }
}

/// The sentence that confirms an act, by its word in the console's address.
pub(super) fn confirmation(word: &str) -> Option<&'static str> {
    Some(match word {
        "opened" => "The match is open.",
        "imported" => "The match is entered.",
        "ruled" => "The ruling is recorded.",
        "noted" => "The remark is recorded.",
        "warned" => "The warning is recorded.",
        "admitted" => "The late move is admitted, and counts.",
        "recorded" => "From here on you type for both seats.",
        "without-round" => "The draw is made without the round of the beacon.",
        "shares" => "New shares of the draws are gathered.",
        "handed" => "The match is handed over.",
        "kept" => "The note is kept. Only the umpire of this match and the helpers see it.",
        "stored" => "What you typed is stored.",
        "late" => "What you typed was sent after the deadline. It is kept, and counts only if you admit it.",
        "struck" => "The steps are struck. The match goes on from there.",
        "corrected" => "The correction is recorded.",
        "ended" => "The match is ended, and everything is open.",
        _ => return None,
    })
}

//! The input and the result of a form, as the console shows them again.

use axum::http::StatusCode;
use ledger::Head;

use super::activity::Activity;
use super::form_data::FormData;
use super::question::TypedLines;

#[derive(Debug, Default)]
pub(super) struct FormState {
    pub(super) status: StatusCode,
    pub(super) done: Option<&'static str>,
    pub(super) notice: Option<String>,
    pub(super) conflict: Option<Conflict>,
    pub(super) lines: Option<TypedLines>,
    pub(super) refused: Option<RefusedForm>,
    pub(super) since: Option<Head>,
}

#[derive(Debug)]
pub(super) struct Conflict {
    pub(super) title: &'static str,
    pub(super) activity: Vec<Activity>,
    /// The input, by field.
    pub(super) copies: Vec<(String, String)>,
}

#[derive(Debug)]
pub(super) struct RefusedForm {
    pub(super) name: &'static str,
    pub(super) why: String,
    pub(super) sent: FormData,
}

impl RefusedForm {
    pub(super) fn full_name(&self) -> String {
        match self.name {
            "admitted" => admission(self.sent.text("decision"), self.sent.text("seat")),
            name => name.to_owned(),
        }
    }
}

pub(super) fn admission(decision: &str, seat: &str) -> String {
    format!("admitted-{decision}-{seat}")
}

impl FormState {
    fn refused(&self, name: &str) -> Option<&RefusedForm> {
        self.refused.as_ref().filter(|refused| refused.full_name() == name)
    }

    pub(super) fn error(&self, name: &str) -> Option<&str> {
        self.refused(name).map(|refused| refused.why.as_str())
    }

    pub(super) fn typed(&self, name: &str, field: &str) -> &str {
        self.refused(name).map_or("", |refused| refused.sent.text(field))
    }
}

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
        "handed" => "The match has its new umpire.",
        "kept" => "The note is kept. Only the umpire of this match and the helpers see it.",
        "stored" => "What you typed is stored.",
        "late" => "What you typed was sent after the deadline. It is kept, and counts only if you admit it.",
        "struck" => "The steps are struck. The match goes on from there.",
        "corrected" => "The correction is recorded.",
        "ended" => "The match is ended, and everything is open.",
        _ => return None,
    })
}

//! The question that asks the seats for their shares of coming draws. The record asks it, not a game, before the first
//! draw of a match whose host draws.

use engine::{Ask, Closes, Field, Form, Opens, Readback, Refusal, To, Word};
use ledger::{DecisionId, Share, WordError};

/// The question's word, and the name of its one field.
pub const SHARE: &str = "share";

/// The time for opening a listed share. Browsers open by themselves, so little is needed.
pub const OPENING_SECONDS: u32 = 60;

const FIELDS: &[Field] = &[Field { name: Word::Static(SHARE), opens: Opens::WithStep }];
/// Any line will do, so little time is needed.
const CLOCK_SECONDS: u32 = 60;

/// The question.
#[must_use]
pub fn ask() -> Ask {
    Ask {
        to: To::Both,
        what: SHARE.into(),
        prompt: "Something random from each player, for fair draws".to_owned(),
        fields: FIELDS.into(),
        clock_seconds: CLOCK_SECONDS,
        default: "the draws are made from the other shares".into(),
        closes: Closes::AtDeadline,
        optional: false,
    }
}

/// The form of the question.
#[must_use]
pub fn form() -> Form {
    Form::Line {
        hint: "type something random, for fair draws; you do not have to remember it".to_owned(),
        example: "seven blue umbrellas, 4471".to_owned(),
        places: None,
        fields: Vec::new(),
    }
}

/// Reads an answer: any line but an empty one, or `-` if nothing came.
pub fn read(text: &str) -> Result<Readback, Refusal> {
    let text = text.trim();
    if text.is_empty() {
        let expected = "any line, or - where the player gives none".to_owned();
        return Err(Refusal { seat: None, at: 0, found: String::new(), expected, rule: None, sealed: false });
    }
    let words = match text {
        "-" => "No share",
        _ if Share::from_hex(text).is_ok() => "A share, exactly as typed",
        _ => "A share, made of this line",
    };
    Ok(Readback { text: text.to_owned(), words: words.to_owned(), notes: Vec::new() })
}

/// The name under which the openings of the shares of a decision wait until they are listed.
pub fn opening_id(decision: &DecisionId) -> Result<DecisionId, WordError> {
    format!("open-{decision}").parse()
}

pub(crate) fn value(text: &str) -> String {
    Share::of_line(text.trim()).to_hex()
}

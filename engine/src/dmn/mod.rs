//! Death Match Notation, version 1: a match as a text that a person can read, type and paste.
//!
//! Reading is lenient and reports every error of a file with its line, its column and the expected text; writing is
//! canonical. A written match reads as the same match and, written again, gives the same bytes.

mod error;
pub(crate) mod form;
pub mod quotes;
mod replay;
mod tags;

pub use error::Error;
pub use replay::{Line, Replay};
pub use tags::Tags;

/// A line without its comment: a `#` outside quotes starts one. Inside quotes `\"` and `\\` escape.
pub(crate) fn without_comment(line: &str) -> &str {
    let mut quotes = quotes::Quotes::default();
    let comment = line.bytes().position(|byte| !quotes.pass(byte) && byte == b'#');
    comment.and_then(|at| line.get(..at)).unwrap_or(line)
}

/// A whole match as a file: its tags, and its steps as they were written canonically.
#[must_use]
pub fn write<'s>(tags: &Tags, steps: impl IntoIterator<Item = &'s str>) -> alloc::string::String {
    let mut out = tags.write();
    out.push('\n');
    for step in steps {
        out.push_str(step);
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::without_comment;

    #[test]
    fn a_comment_starts_outside_quotes_only() {
        assert_eq!(without_comment("1. a / b # first"), "1. a / b ");
        assert_eq!(without_comment(r#"[P1 "a # \" # b"] # c"#), r#"[P1 "a # \" # b"] "#);
    }
}

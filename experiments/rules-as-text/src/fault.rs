//! Why a text cannot be read, or stopped.

use alloc::string::String;
use core::fmt;

/// A sentence with its line: what is wrong, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line of the text, from 1 on; 0 if it is about the text as a whole.
    pub line: u32,
    /// The sentence, without its full stop.
    pub text: String,
}

impl Fault {
    pub(crate) fn new(line: u32, text: impl Into<String>) -> Self {
        Self { line, text: text.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        write!(f, "{}", self.text)
    }
}

pub(crate) type Result<T> = core::result::Result<T, Fault>;

//! The length limits of an umpire's texts.

pub(super) use record::limits::{NAME_MAX_CHARS, TEXT_MAX_CHARS, too_long};

/// The error in a required text, if any.
pub(super) fn unsaid(text: &str, most: usize, missing: &'static str) -> Option<String> {
    if text.trim().is_empty() { Some(missing.to_owned()) } else { too_long(text, most) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_counted_in_characters() {
        assert_eq!(too_long(&"é".repeat(80), NAME_MAX_CHARS), None);
        assert_eq!(too_long(&"é".repeat(81), 80).unwrap(), "This has 81 characters; 80 are the most.");
        assert_eq!(unsaid(" ", 80, "Say why."), Some("Say why.".to_owned()));
        assert_eq!(unsaid("x", 80, "Say why."), None);
    }
}

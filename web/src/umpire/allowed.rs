//! How long what an umpire types may be.

/// The longest name of a player or an event.
pub(super) const NAME_MAX_CHARS: usize = 80;
/// The longest reason, ruling, remark or source.
pub(super) const TEXT_MAX_CHARS: usize = 1000;
/// The longest move or draw: all cards that a seat assigns to five boards.
pub(super) const MOVE_MAX_CHARS: usize = 600;

/// What is wrong with the length of a text, if anything.
pub(super) fn too_long(text: &str, most: usize) -> Option<String> {
    let length = text.chars().count();
    (length > most).then(|| format!("This has {length} characters; {most} are the most."))
}

/// What is wrong with a text that must be said.
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

//! The longest texts, in characters, that this program takes for a record.

/// The longest move or draw: all cards that a seat assigns to five boards.
pub const MOVE_MAX_CHARS: usize = 600;

/// The longest word of the umpire's on what became of answers.
pub const WORD_MAX_CHARS: usize = 4_000;

/// The longest name of a player or an event.
pub const NAME_MAX_CHARS: usize = 80;
/// The longest reason, ruling, remark or source.
pub const TEXT_MAX_CHARS: usize = 1000;

/// What is wrong with the length of a text, if anything.
#[must_use]
pub fn too_long(text: &str, most: usize) -> Option<String> {
    let length = text.chars().count();
    (length > most).then(|| format!("This has {length} characters; {most} are the most."))
}

/// Whether a name is points alone. An address that ends in `..` leads a browser elsewhere, and to nobody's page.
#[must_use]
pub fn nameless(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|sign| sign == '.')
}

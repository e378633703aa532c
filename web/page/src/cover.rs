//! A player's cover, as of a matchbook: two letters, a pattern and a hue that follow from the name. So it is the same
//! everywhere, and belongs to no seat.

use askama::Template;
use ledger::leaf_hash;
use record::name_key;

const HUES: u32 = 6;
const PATTERNS: u32 = 6;

#[derive(Clone, Debug, PartialEq, Eq, Template)]
#[template(
    source = r#"<span class="cover{% if large %} large{% endif %}" data-hue="{{ hue }}" data-pattern="{{ pattern }}" aria-hidden="true">{{ letters }}</span>"#,
    ext = "html"
)]
pub struct Cover {
    letters: String,
    hue: u32,
    pattern: u32,
    large: bool,
}

impl Cover {
    #[must_use]
    pub fn of(name: &str) -> Self {
        let hash = leaf_hash(name_key(name).as_bytes()).to_string();
        let mut digits = hash.chars().map(|digit| digit.to_digit(16).unwrap_or_default());
        let (hue, pattern) = (digits.next().unwrap_or_default() % HUES, digits.next().unwrap_or_default() % PATTERNS);
        Self {
            letters: name.chars().filter(|sign| sign.is_alphanumeric()).take(2).flat_map(char::to_uppercase).collect(),
            hue,
            pattern,
            large: false,
        }
    }

    /// With letters of their own choosing, if there are any.
    #[must_use]
    pub fn lettered(self, letters: &str) -> Self {
        if letters.is_empty() { self } else { Self { letters: letters.to_owned(), ..self } }
    }

    #[must_use]
    pub fn large(self) -> Self {
        Self { large: true, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::Cover;

    #[test]
    fn a_cover_follows_from_the_folded_name() {
        let (one, other) = (Cover::of("Zo\u{eb} Quill"), Cover::of("ZOE quill"));
        assert_eq!((one.hue, one.pattern, one.letters.as_str()), (other.hue, other.pattern, "ZO"));
    }
}

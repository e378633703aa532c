//! The signs on cards and cells, as small pictures. Each has its own shape. Signs that differ in colour also carry a
//! letter, and the style sheet fills the three colours of a cell's front with three patterns.

use std::fmt;

use engine::{Colour, Shape};

/// A card's back: a lattice, taller than wide.
const BACK: &str = concat!(
    r#"<path d="M0 4 4 0M0 8l8-8M0 12 12 0M0 16 16 0M0 20 16 4M0 24 16 8M4 24l12-12M8 24l8-8M12 24l4-4"#,
    r#"M12 0l4 4M8 0l8 8M4 0l12 12M0 0l16 16M0 4l16 16M0 8l16 16M0 12l12 12M0 16l8 8M0 20l4 4M0 0h16v24H0z"/>"#
);

/// A sign as an inline picture that screen readers skip, because the words are next to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Icon(pub engine::Sign);

impl Icon {
    /// The class in the style sheet.
    #[must_use]
    pub const fn class(self) -> &'static str {
        use engine::Sign;
        match self.0 {
            Sign::None => "none",
            Sign::Back => "back",
            Sign::Clubs => "clubs",
            Sign::Diamonds => "diamonds",
            Sign::Hearts => "hearts",
            Sign::Spades => "spades",
            Sign::Red => "red",
            Sign::Green => "green",
            Sign::Blue => "blue",
            Sign::Shape(Colour::Cyan, _) => "cyan",
            Sign::Shape(Colour::Pink, _) => "pink",
            Sign::Shape(Colour::Grey, _) => "grey",
        }
    }

    /// Its outline, 16 units wide.
    const fn outline(self) -> &'static str {
        use engine::Sign;
        match self.0 {
            Sign::None => "",
            Sign::Back => BACK,
            Sign::Clubs => {
                r#"<path d="M8 .8a3.3 3.3 0 0 1 2.7 5.2 3.3 3.3 0 1 1-1.9 5.2c.2 1.6.8 2.9 1.9 4H5.3c1.1-1.1 1.7-2.4 1.9-4A3.3 3.3 0 1 1 5.3 6 3.3 3.3 0 0 1 8 .8z"/>"#
            }
            Sign::Diamonds => r#"<path d="M8 .5 13.8 8 8 15.5 2.2 8z"/>"#,
            Sign::Hearts => {
                r#"<path d="M8 15C3.4 11.4.8 8.6.8 5.4.8 3.1 2.5 1.4 4.6 1.4c1.4 0 2.7.8 3.4 2.1.7-1.3 2-2.1 3.4-2.1 2.1 0 3.8 1.7 3.8 4 0 3.2-2.6 6-7.2 9.6z"/>"#
            }
            Sign::Spades => {
                r#"<path d="M8 .6c3.2 3.3 6.6 5.6 6.6 8.6 0 2-1.5 3.4-3.3 3.4-1 0-1.9-.4-2.4-1.1.2 1.6.8 2.7 1.8 3.7H5.3c1-1 1.6-2.1 1.8-3.7-.5.7-1.4 1.1-2.4 1.1-1.8 0-3.3-1.4-3.3-3.4C1.4 6.2 4.8 3.9 8 .6z"/>"#
            }
            Sign::Red => r#"<circle cx="8" cy="8" r="8"/><text x="8" y="12">R</text>"#,
            Sign::Green => r#"<path d="M.8.8h14.4v14.4H.8z"/><text x="8" y="12">G</text>"#,
            Sign::Blue => r#"<path d="M8-.6 16.6 8 8 16.6-.6 8z"/><text x="8" y="11.8">B</text>"#,
            Sign::Shape(_, Shape::Circle) => r#"<circle cx="8" cy="8" r="7"/>"#,
            Sign::Shape(_, Shape::Triangle) => r#"<path d="M8 1 15.2 14.4H.8z"/>"#,
            Sign::Shape(_, Shape::Square) => r#"<path d="M1.5 1.5h13v13h-13z"/>"#,
        }
    }

    /// The letter on a front, and its vertical position.
    const fn letter(self) -> Option<(char, &'static str)> {
        let engine::Sign::Shape(colour, shape) = self.0 else { return None };
        let letter = match colour {
            Colour::Cyan => 'c',
            Colour::Pink => 'p',
            Colour::Grey => 'g',
        };
        let down = match shape {
            Shape::Circle | Shape::Square => "11",
            Shape::Triangle => "12.2",
        };
        Some((letter, down))
    }
}

/// The picture as our own markup; nothing in it comes from a user.
impl fmt::Display for Icon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == engine::Sign::None {
            return Ok(());
        }
        let (class, outline) = (self.class(), self.outline());
        let tall = if self.0 == engine::Sign::Back { 24 } else { 16 };
        write!(f, r#"<svg class="sign" data-sign="{class}" viewBox="0 0 16 {tall}" aria-hidden="true">{outline}"#)?;
        if let Some((letter, down)) = self.letter() {
            write!(f, r#"<text x="8" y="{down}">{letter}</text>"#)?;
        }
        f.write_str("</svg>")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use engine::Sign;

    use super::*;

    #[test]
    fn no_two_signs_look_alike_without_their_colour() {
        let mut signs = vec![Sign::Back, Sign::Clubs, Sign::Diamonds, Sign::Hearts, Sign::Spades];
        signs.extend([Sign::Red, Sign::Green, Sign::Blue]);
        for colour in [Colour::Cyan, Colour::Pink, Colour::Grey] {
            signs.extend([Shape::Circle, Shape::Triangle, Shape::Square].map(|shape| Sign::Shape(colour, shape)));
        }
        let drawn: BTreeSet<_> = signs.iter().map(|sign| (Icon(*sign).outline(), Icon(*sign).letter())).collect();
        assert_eq!(drawn.len(), signs.len());
        assert_eq!(Icon(Sign::None).to_string(), "");
    }
}

//! The signs on cards and cells, and the icons of actions and games, as small pictures with the outlines of `picture`.
//! Each has its own shape. Signs that differ in colour also carry a letter, and the style sheet fills the three colours
//! of a cell's front with three patterns.

use std::fmt;

use engine::{Colour, Shape};

/// A card's back: a lattice, taller than wide.
const BACK: &str = concat!(
    "M0 4 4 0M0 8l8-8M0 12 12 0M0 16 16 0M0 20 16 4M0 24 16 8M4 24l12-12M8 24l8-8M12 24l4-4",
    "M12 0l4 4M8 0l8 8M4 0l12 12M0 0l16 16M0 4l16 16M0 8l16 16M0 12l12 12M0 16l8 8M0 20l4 4M0 0h16v24H0z"
);

/// A sign as an inline picture that screen readers skip, because the words are next to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Icon(pub engine::Sign);

impl Icon {
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

    const fn letter(self) -> Option<(char, &'static str)> {
        let (colour, shape) = match self.0 {
            engine::Sign::Red => return Some(('R', "12")),
            engine::Sign::Green => return Some(('G', "12")),
            engine::Sign::Blue => return Some(('B', "11.8")),
            engine::Sign::Shape(colour, shape) => (colour, shape),
            _ => return None,
        };
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

/// The icon of an action or a game, which screen readers skip, because its name is next to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActionIcon(pub &'static str);

impl ActionIcon {
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        picture::icon::action(word).map(Self)
    }

    #[must_use]
    pub fn of_game(ruleset: &str) -> Option<Self> {
        picture::icon::game(ruleset).map(Self)
    }
}

impl fmt::Display for ActionIcon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, r#"<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="{}"/></svg>"#, self.0)
    }
}

/// The picture as our own markup; nothing in it comes from a user.
impl fmt::Display for Icon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == engine::Sign::None {
            return Ok(());
        }
        let (class, outline) = (self.class(), picture::icon::sign(self.0));
        let (tall, outline) = if self.0 == engine::Sign::Back { (24, BACK) } else { (16, outline) };
        write!(
            f,
            r#"<svg class="sign" data-sign="{class}" viewBox="0 0 16 {tall}" aria-hidden="true"><path d="{outline}"/>"#
        )?;
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
        let drawn: BTreeSet<_> = signs.iter().map(|sign| (picture::icon::sign(*sign), Icon(*sign).letter())).collect();
        assert_eq!(drawn.len(), signs.len());
        assert_eq!(Icon(Sign::None).to_string(), "");
    }
}

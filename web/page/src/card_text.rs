//! A text in which the cards of the notation, such as `G7`, are drawn. Screen readers read the text as it is, and it is
//! also what somebody copies.

use std::fmt;

use app::views::VisibleMatch;
use askama::Template;
use engine::{CardFace, Ruleset};

use super::icon::Icon;

#[derive(Clone, Debug, Template)]
#[template(
    source = r#"{% if self.has_cards() %}<span class="glyphs" aria-hidden="true">{% for part in parts %}{% match part %}{% when Part::Text with (text) %}{{ text }}{% when Part::Card with (glyph) %}{{ glyph|safe }}{% endmatch %}{% endfor %}</span><span class="sr">{{ plain }}</span>{% else %}{{ plain }}{% endif %}"#,
    ext = "html"
)]
pub struct CardText {
    plain: String,
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    Text(String),
    Card(Glyph),
}

#[derive(Clone, Debug)]
struct Glyph {
    face: String,
    sign: Icon,
}

impl CardText {
    pub fn of_notation(visible: &VisibleMatch<'_>, text: &str) -> Self {
        Self::of(visible, text.to_owned(), text)
    }

    /// A sentence of the engine, in which players are still named by their seats: so a player whose name reads like a
    /// card is not drawn as one.
    pub fn of_sentence(visible: &VisibleMatch<'_>, text: &str) -> Self {
        Self::of(visible, visible.name_in(text), text)
    }

    pub fn of_card(words: &str, card: &CardFace) -> Self {
        Self { plain: words.to_owned(), parts: vec![Part::Card(Glyph::of(card))] }
    }

    pub fn plain(text: &str) -> Self {
        Self { plain: text.to_owned(), parts: Vec::new() }
    }

    pub fn of_ruleset(ruleset: &dyn Ruleset, text: &str) -> Self {
        Self::with_cards(ruleset, text.to_owned(), text, str::to_owned)
    }

    fn of(visible: &VisibleMatch<'_>, plain: String, text: &str) -> Self {
        Self::with_cards(visible.history.ruleset(), plain, text, |text| visible.name_in(text))
    }

    fn with_cards(ruleset: &dyn Ruleset, plain: String, text: &str, name_in: impl Fn(&str) -> String) -> Self {
        let (mut parts, mut rest) = (Vec::new(), String::new());
        // Words and what is between them, one after the other.
        for word in text.split_inclusive(|sign: char| !sign.is_alphanumeric()) {
            let bare = word.trim_end_matches(|sign: char| !sign.is_alphanumeric());
            if let Some(card) = ruleset.card_of(bare) {
                parts.push(Part::Text(name_in(&std::mem::take(&mut rest))));
                parts.push(Part::Card(Glyph::of(&card)));
                rest.push_str(word.get(bare.len()..).unwrap_or_default());
            } else {
                rest.push_str(word);
            }
        }
        parts.push(Part::Text(name_in(&rest)));
        Self { plain, parts }
    }

    fn has_cards(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Card(_)))
    }
}

impl Glyph {
    fn of(card: &CardFace) -> Self {
        Self { face: card.face.clone(), sign: Icon(card.sign) }
    }
}

/// Our own markup: faces are digits and letters of a deck.
impl fmt::Display for Glyph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, r#"<span class="glyph" data-sign="{}"><b>{}</b>{}</span>"#, self.sign.class(), self.face, self.sign)
    }
}

#[cfg(test)]
mod tests {
    use super::super::book::Book;
    use super::*;

    #[test]
    fn cards_are_drawn_and_read_as_they_are_written() {
        let history = Book::host_draws("devils-deal/blooming-genius").history();
        let visible = VisibleMatch::public(&history);
        let drawn = CardText::of_sentence(&visible, "{p1} has a pair: G7 R7 B1.").to_string();
        assert_eq!(drawn.matches("class=\"glyph\"").count(), 3, "{drawn}");
        assert!(drawn.contains(&format!("{} has a pair: G7 R7 B1.</span>", visible.names().p1)), "{drawn}");
        assert!(drawn.contains("</span>.</span>"), "what follows a card stays: {drawn}");
        assert_eq!(CardText::of_notation(&visible, "Raise 4").to_string(), "Raise 4");
    }
}

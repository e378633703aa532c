//! Cards in groups: a hand, a pool, the piles of an offer, a deck sorted by suits.

use std::collections::BTreeSet;

use askama::Template;
use engine::{CardFace, CardGroup, Mark};

use super::icon::Icon;

/// Up to this many cards share one row, however narrow the page; with more, the row is broken.
const ROW_CARDS_MAX: usize = 13;

/// More cards than this are a deck.
const DECK_CARDS: usize = 26;

/// More groups than this are a sorted list.
const HAND_GROUPS: usize = 5;

#[derive(Clone, Debug, Template)]
#[template(path = "cards.html")]
pub struct CardTable {
    pub(super) title: String,
    of: String,
    pub(super) groups: Vec<GroupView>,
}

#[derive(Clone, Debug)]
pub(super) struct GroupView {
    pub(super) label: String,
    pub(super) cards: Vec<Card>,
    pub(super) empty: u8,
    broken: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Card {
    pub(super) face: String,
    pub(super) sign: Icon,
    pub(super) name: String,
    pub(super) mark: MarkView,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MarkView(pub(super) Mark);

impl CardTable {
    #[must_use]
    pub fn of(title: impl Into<String>, of: impl Into<String>, groups: &[CardGroup]) -> Self {
        Self { title: title.into(), of: of.into(), groups: groups.iter().map(GroupView::of).collect() }
    }

    pub(super) fn is_deck(&self) -> bool {
        self.groups.iter().map(|group| group.cards.len()).sum::<usize>() > DECK_CARDS
    }

    pub(super) fn is_sorted(&self) -> bool {
        self.groups.len() > HAND_GROUPS
    }

    pub(super) fn are_all(&self, names: &[&str]) -> bool {
        let mut cards = self.groups.iter().flat_map(|group| &group.cards);
        cards.all(|card| names.contains(&card.name.as_str()))
    }

    pub(super) fn has_labels(&self) -> bool {
        self.groups.iter().any(|group| !group.label.is_empty())
    }

    pub(super) fn spoken(&self, label: &str) -> String {
        let parts = [self.title.as_str(), label].into_iter().filter(|part| !part.is_empty());
        let said = parts.collect::<Vec<_>>().join(", ");
        if self.of.is_empty() { said } else { format!("{said} of {}", self.of) }
    }
}

impl GroupView {
    fn of(group: &CardGroup) -> Self {
        let broken = group.cards.len() + usize::from(group.empty) > ROW_CARDS_MAX;
        Self {
            label: group.label.clone(),
            cards: group.cards.iter().map(Card::of).collect(),
            empty: group.empty,
            broken,
        }
    }

    pub(super) fn places(&self) -> String {
        match self.empty {
            1 => "1 empty place".to_owned(),
            more => format!("{more} empty places"),
        }
    }
}

impl Card {
    pub(super) fn of(tile: &CardFace) -> Self {
        Self { face: tile.face.clone(), sign: Icon(tile.sign), name: tile.name.clone(), mark: MarkView(tile.mark) }
    }
}

impl MarkView {
    pub(super) const fn class(self) -> Option<&'static str> {
        match self.0 {
            Mark::None => None,
            Mark::New => Some("new"),
            Mark::Gone => Some("gone"),
            Mark::Hidden => Some("hidden"),
            Mark::Perhaps => Some("perhaps"),
        }
    }

    pub(super) const fn spoken(self) -> &'static str {
        match self.0 {
            Mark::None => "",
            Mark::New => ", new",
            Mark::Gone => ", gone",
            Mark::Hidden => ", face down to the players",
            Mark::Perhaps => ", perhaps gone",
        }
    }

    const fn key(self) -> Option<&'static str> {
        match self.0 {
            Mark::None => None,
            Mark::New => Some("Heavy frame: new with the last step"),
            Mark::Gone => Some("Struck out: gone"),
            Mark::Hidden => Some("Dashed frame: face down to the players"),
            Mark::Perhaps => Some("Question mark: perhaps gone"),
        }
    }
}

pub(super) fn keys_to(marks: impl Iterator<Item = Mark>) -> Vec<&'static str> {
    let mut seen = BTreeSet::new();
    marks.filter_map(|mark| MarkView(mark).key()).filter(|key| seen.insert(*key)).collect()
}

#[cfg(test)]
mod tests {
    use engine::Sign;

    use super::*;

    fn tile(face: &str, sign: Sign, name: &str, mark: Mark) -> CardFace {
        CardFace { card: face.to_owned(), face: face.to_owned(), sign, name: name.to_owned(), mark }
    }

    #[test]
    fn cards_are_drawn_with_their_letters_and_read_with_their_names() {
        let front = CardGroup {
            label: "Front".into(),
            cards: vec![
                tile("10", Sign::Hearts, "ten of hearts", Mark::New),
                tile("", Sign::Back, "a card face down", Mark::None),
            ],
            empty: 2,
        };
        let drawn = CardTable::of("Hands", "Juniper <b>", &[front]).to_string();
        assert!(drawn.contains(r#"aria-label="Hands, Front of Juniper &#60;b&#62;""#), "{drawn}");
        assert!(drawn.contains(r#"<b>10</b><svg class="sign" data-sign="hearts""#), "{drawn}");
        assert!(drawn.contains(r#"data-mark="new""#) && drawn.contains("ten of hearts, new"), "{drawn}");
        assert!(drawn.contains("a card face down<") && drawn.contains("2 empty places"), "{drawn}");
        assert_eq!(drawn.matches("is-empty").count(), 2, "{drawn}");
    }

    #[test]
    fn a_group_without_cards_says_so() {
        let none = CardGroup { label: String::new(), cards: Vec::new(), empty: 0 };
        assert!(CardTable::of("Pool", "", &[none]).to_string().contains("no cards"));
    }

    #[test]
    fn a_mark_is_explained_once_and_only_if_present() {
        let met = [Mark::Gone, Mark::None, Mark::Gone, Mark::New];
        assert_eq!(keys_to(met.into_iter()), ["Struck out: gone", "Heavy frame: new with the last step"]);
    }
}

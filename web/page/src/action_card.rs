//! An action that was played, as a card: its icon, its name, and its outcome. The seat's page and the replay draw the same
//! cards. Before the reveal a card lies face down.

use app::views::{Action, MoveText};
use askama::Template;
use engine::Sign;

use super::{ActionIcon, Icon};

/// Longer words are shown without an icon card.
const CARD_CHARS: usize = 16;

#[derive(Clone, Debug, Template)]
#[template(path = "action_card.html")]
pub struct ActionCard {
    icon: ActionIcon,
    words: String,
    action: Action,
}

impl ActionCard {
    pub fn all(actions: &[Action]) -> Vec<Self> {
        actions.iter().map(|action| Self::of(action, &action.name)).collect::<Option<_>>().unwrap_or_default()
    }

    pub(super) fn in_words(text: &MoveText) -> Vec<Self> {
        match (text.single_words(), text.actions.as_slice()) {
            (Some(words), [action]) => Self::of(action, words.trim_end_matches('.')).into_iter().collect(),
            (_, actions) => Self::all(actions),
        }
    }

    pub fn failure(&self) -> Option<&str> {
        self.action.outcome_word().map(|_| self.action.why.as_str()).filter(|why| !why.is_empty())
    }

    fn of(action: &Action, words: &str) -> Option<Self> {
        let icon = ActionIcon::of(&action.name).filter(|_| words.chars().count() <= CARD_CHARS)?;
        Some(Self { icon, words: words.to_owned(), action: action.clone() })
    }
}

pub(super) fn face_down(cards: usize) -> String {
    format!(r#"<span class="played-card is-down">{}</span>"#, Icon(Sign::Back)).repeat(cards)
}

#[cfg(test)]
mod tests {
    use engine::Fate;

    use super::*;

    fn action(name: &str, fate: Option<Fate>) -> Action {
        Action { name: name.to_owned(), fate, ..Action::default() }
    }

    #[test]
    fn a_move_is_cards_if_each_action_has_an_icon() {
        let played = [action("Score", Some(Fate::Resolved)), action("Block Claim", Some(Fate::Cancelled))];
        let cards: String = ActionCard::all(&played).iter().map(ToString::to_string).collect();
        assert_eq!(cards.matches("class=\"icon\"").count(), 2, "{cards}");
        assert!(cards.contains("data-fate=\"cancelled\"") && cards.contains("cancelled</span>"), "{cards}");
        assert_eq!(face_down(2).matches("is-down").count(), 2);
        for words in ["TH front", "Score and claim what is left"] {
            assert!(ActionCard::all(&[action("Score", None), action(words, None)]).is_empty(), "{words}");
        }
    }
}

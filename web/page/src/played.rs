//! What a seat played, as cards on the stage: a word and a sign, torn where the rules stopped it, with the word why.

use app::views::{Action, MoveText};
use askama::Template;
use engine::{Choice, Form, Ruleset, Seat};

use super::cards::Card;
use super::controls::fields_of;
use super::effects::{clause_of, short};
use super::{ActionIcon, PartyMove};

/// More text than this is a sentence in a line of its own.
const LONG_CHARS: usize = 44;

#[derive(Clone, Debug, Template)]
#[template(path = "played.html")]
pub struct Played {
    seat: Seat,
    cards: Vec<PlayedCard>,
    /// Where there are no cards for it.
    words: String,
}

#[derive(Clone, Debug)]
struct PlayedCard {
    word: String,
    target: String,
    icon: Option<ActionIcon>,
    card: Option<Card>,
    /// What tears it, in a word or two.
    torn: Option<String>,
    why: String,
}

impl Played {
    /// The move of a seat in a recorded step; none if it is another party's.
    #[must_use]
    pub fn of(ruleset: &dyn Ruleset, party_move: &PartyMove) -> Option<Self> {
        let (seat, text) = (party_move.seat.as_ref()?.seat, &party_move.text);
        let cards: Option<Vec<_>> = text.actions.iter().map(|action| PlayedCard::of(ruleset, action)).collect();
        let cards = cards.filter(|_| text.placeholder.is_none()).unwrap_or_default();
        Some(Self { seat, cards, words: brief(text) })
    }

    /// A line that this seat sent, which is not recorded yet.
    #[must_use]
    pub fn sent(seat: Seat, form: Option<&Form>, line: &str, words: &str) -> Self {
        let fields = form.map(|form| fields_of(form, line)).unwrap_or_default();
        let choices = match form {
            Some(Form::Words { choices, .. }) => choices.as_slice(),
            _ => &[],
        };
        let picked = fields.iter().filter(|(name, _)| name == "pick");
        let cards: Option<Vec<_>> = picked.map(|(_, word)| PlayedCard::chosen(choices, word, &fields)).collect();
        Self { seat, cards: cards.unwrap_or_default(), words: words.to_owned() }
    }

    pub(super) const fn seat(&self) -> Seat {
        self.seat
    }

    fn is_long(&self) -> bool {
        self.words.chars().count() > LONG_CHARS
    }
}

/// The words of a move; a table of cards is read in the rounds beside the table.
fn brief(text: &MoveText) -> String {
    text.full_words().trim_end_matches('.').to_owned()
}

impl PlayedCard {
    fn of(ruleset: &dyn Ruleset, action: &Action) -> Option<Self> {
        let icon = ActionIcon::of(&action.name);
        let card = action.card.as_ref().map(Card::of);
        if (icon.is_none() && card.is_none()) || action.name.chars().count() > LONG_CHARS / 2 {
            return None;
        }
        let (word, target) = match action.name.rsplit_once(' ') {
            Some((word, target)) if !word.contains(' ') => (word, target),
            _ => (action.name.as_str(), ""),
        };
        let clause = action.rule.as_ref().and_then(|rule| clause_of(ruleset, &rule.number));
        let torn = action.outcome_word().map(|fate| clause.map_or_else(|| fate.to_owned(), |clause| short(&clause)));
        Some(Self { word: word.to_owned(), target: target.to_owned(), icon, card, torn, why: action.why.clone() })
    }

    fn chosen(choices: &[Choice], word: &str, fields: &[(String, String)]) -> Option<Self> {
        let choice = choices.iter().find(|choice| choice.word == word)?;
        let given = |name: &str| fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str());
        let named = given(&format!("target-{word}")).or_else(|| given("target"));
        let target = choice.targets.iter().find(|(word, _)| Some(*word) == named).map_or("", |(_, label)| *label);
        let target = given(&format!("amount-{word}")).unwrap_or(target).to_owned();
        let (icon, why) = (Some(ActionIcon::of(word)?), String::new());
        Some(Self { word: choice.label.to_string(), target, icon, card: None, torn: None, why })
    }
}

//! The move of each party in a step, in the order of a score sheet.

use app::views::{MoveText, VisibleMatch, move_text, parties, sheet_move_text};
use engine::{Duel, Party};
use record::body::DrawSource;
use record::{StepRecord, StepSource};

use super::action_card::face_down;
use super::card_text::CardText;
use super::{ActionCard, EffectList, PartyMark, SeatName};

#[derive(Clone, Debug)]
pub struct PartyMove {
    pub seat: Option<SeatName>,
    pub text: MoveText,
    pub caution: &'static str,
}

impl PartyMove {
    #[must_use]
    pub fn mark(&self) -> PartyMark {
        self.seat.as_ref().map_or(PartyMark(Party::Host), SeatName::mark)
    }

    #[must_use]
    pub fn name(&self) -> &str {
        self.seat.as_ref().map_or("The host", |seat| seat.name.as_str())
    }

    #[must_use]
    pub fn words(&self) -> &str {
        self.text.full_words()
    }

    #[must_use]
    pub fn cards(&self) -> Vec<ActionCard> {
        ActionCard::in_words(&self.text)
    }

    #[must_use]
    pub fn cards_face_down(&self) -> Option<String> {
        let cards = self.cards().len();
        (cards > 0).then(|| face_down(cards))
    }

    /// As it lies on the table: cards, face down before the reveal, or its words where no card is drawn for it.
    pub(super) fn drawn(&self, face_up: bool) -> Vec<String> {
        let cards = self.cards();
        if !face_up && !cards.is_empty() {
            return self.cards_face_down().into_iter().collect();
        }
        if !cards.is_empty() {
            return cards.iter().map(ToString::to_string).collect();
        }
        let words = CardText::plain(self.words().trim_end_matches('.'));
        vec![format!(r#"<span class="said">{words}</span>"#)]
    }

    #[must_use]
    pub fn party(&self) -> &'static str {
        self.seat.as_ref().map_or("host", |seat| seat.seat.word())
    }

    #[must_use]
    pub fn is_repeated_by(&self, effects: &EffectList) -> bool {
        let bare = |text: &str| text.trim_end_matches('.').to_owned();
        let words = self.text.single_words().map(bare);
        words.is_some_and(|words| effects.sentences.iter().any(|sentence| bare(&sentence.text) == words))
    }
}

#[must_use]
pub fn party_moves(visible: &VisibleMatch<'_>, step: &StepRecord, before: Option<&Duel>) -> Vec<PartyMove> {
    moves(visible, step, |party| move_text(visible, step, before, party))
}

/// As `party_moves` for a score sheet: without full words, for which each answer would have to be read once more.
#[must_use]
pub fn sheet_moves(visible: &VisibleMatch<'_>, step: &StepRecord, before: Option<&Duel>) -> Vec<PartyMove> {
    moves(visible, step, |party| sheet_move_text(visible, step, before, party))
}

fn moves(visible: &VisibleMatch<'_>, step: &StepRecord, text_of: impl Fn(Party) -> Option<MoveText>) -> Vec<PartyMove> {
    let names = SeatName::of(visible.history);
    let moves = parties().filter_map(|party| {
        let text = text_of(party)?;
        let seat = party.seat().map(|seat| names[seat].clone());
        Some(PartyMove { seat, text, caution: if party == Party::Host { caution(&step.source) } else { "" } })
    });
    moves.collect()
}

const fn caution(source: &StepSource) -> &'static str {
    match source {
        StepSource::Drawn { source: DrawSource::Umpire } => "drawn elsewhere and typed in: not checkable",
        _ => "",
    }
}

//! The actions of each party in a step, in the order of a score sheet.

use app::views::{Choice, VisibleMatch, acted, choice, parties};
use engine::{Duel, Party};
use record::body::DrawSource;
use record::{StepRecord, StepSource};

use super::{EffectList, PartyMark, SeatName};

/// The action of a seat or the host.
#[derive(Clone, Debug)]
pub struct Doing {
    /// The seat; none for the host.
    pub seat: Option<SeatName>,
    /// The action.
    pub choice: Choice,
    /// A caution for everybody; usually empty.
    pub caution: &'static str,
}

impl Doing {
    /// The mark of the party.
    #[must_use]
    pub fn mark(&self) -> PartyMark {
        self.seat.as_ref().map_or(PartyMark(Party::Host), SeatName::mark)
    }

    /// The name of the party.
    #[must_use]
    pub fn name(&self) -> &str {
        self.seat.as_ref().map_or("The host", |seat| seat.name.as_str())
    }

    /// True if its effects say the same in the same words.
    #[must_use]
    pub fn is_told_by(&self, effects: &EffectList) -> bool {
        let bare = |text: &str| text.trim_end_matches('.').to_owned();
        let words = self.choice.whole_words().map(bare);
        words.is_some_and(|words| effects.sentences.iter().any(|sentence| bare(&sentence.text) == words))
    }
}

/// The actions in a step, first seat first; none in an umpire's step. `before` is the match before the step.
#[must_use]
pub fn doings(visible: &VisibleMatch<'_>, step: &StepRecord, before: Option<&Duel>) -> Vec<Doing> {
    done(visible, step, |party| choice(visible, step, before, party))
}

/// The same for a score sheet: without full words, for which each answer would have to be read once more.
#[must_use]
pub fn sheet_doings(visible: &VisibleMatch<'_>, step: &StepRecord, before: Option<&Duel>) -> Vec<Doing> {
    done(visible, step, |party| acted(visible, step, before, party))
}

fn done(visible: &VisibleMatch<'_>, step: &StepRecord, choice: impl Fn(Party) -> Option<Choice>) -> Vec<Doing> {
    let names = SeatName::of(visible.history);
    let done = parties().filter_map(|party| {
        let choice = choice(party)?;
        let seat = party.seat().map(|seat| names[seat].clone());
        Some(Doing { seat, choice, caution: if party == Party::Host { caution(&step.source) } else { "" } })
    });
    done.collect()
}

/// The consequence of a draw's source for readers who want to check it.
const fn caution(source: &StepSource) -> &'static str {
    match source {
        StepSource::Drawn { source: DrawSource::Umpire } => "drawn elsewhere and typed in: not checkable",
        _ => "",
    }
}

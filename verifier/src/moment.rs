//! A round of the match, as the engine in the module replayed it.

use engine::{BySeat, Duel, Fate, Seat, Sight, name_seats};
use record::{History, StepRecord};
use serde::Serialize;

use crate::view::StateView;

/// A row of the score sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MomentView {
    /// Its row, from 0.
    row: usize,
    label: String,
    /// The state before it; none if a value in an earlier step is still sealed.
    before: Option<StateView>,
    steps: Vec<StepView>,
    after: Option<StateView>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct StepView {
    entry: u32,
    line: String,
    sent: Vec<MoveView>,
    effects: Vec<EffectView>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct MoveView {
    seat: &'static str,
    words: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct EffectView {
    text: String,
    rule: &'static str,
    hindered: bool,
}

impl MomentView {
    /// A row by its number, from 0.
    pub(crate) fn of(history: &History, row: usize) -> Option<Self> {
        let rows = history.rows();
        let found = rows.get(row)?;
        // While a match runs, only public facts are shown; a bundle contains no others anyway.
        let sight = if history.is_ended() { Sight::Everything } else { Sight::Public };
        let names = history.both_names();
        let mut before = found.steps.first().and_then(|step| history.before(step.number));
        let picture = |duel: &Duel, since: Option<&Duel>| StateView::of(duel, since, sight, names);
        let first = before.map(|duel| picture(duel, None));
        let after = found.after().map(|duel| picture(duel, before));
        let mut steps = Vec::new();
        for step in &found.steps {
            steps.push(StepView::of(history, step, before, names));
            before = step.after.as_ref();
        }
        Some(Self { row, label: found.label.clone(), before: first, steps, after })
    }
}

impl StepView {
    fn of(history: &History, step: &StepRecord, before: Option<&Duel>, names: BySeat<&str>) -> Self {
        let sent = Seat::BOTH.into_iter().filter_map(|seat| {
            let sent = step.moves[seat].as_deref()?;
            let read = before.and_then(|duel| duel.read(seat, &step.what, sent).ok());
            let words = read.map_or_else(|| sent.to_owned(), |read| name_seats(&read.words, names));
            Some(MoveView { seat: seat.word(), words })
        });
        let effects = step.effects.iter().map(|effect| EffectView {
            text: name_seats(&effect.text, names),
            rule: effect.rule,
            hindered: matches!(effect.fate, Fate::LeftOut | Fate::Cancelled | Fate::Blocked | Fate::Failed),
        });
        let line = step.text.as_deref().filter(|_| history.is_ended()).unwrap_or(&step.public);
        Self { entry: step.entry.0, line: line.to_owned(), sent: sent.collect(), effects: effects.collect() }
    }
}

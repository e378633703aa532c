//! The most frequent moves of a player in the latest matches.

use app::archive::Habit;
use app::views::ruleset_name;
use record::words::{capital, sent_words};

use crate::page::Rate;

/// The number of kinds of moves shown for one question.
const KINDS_MAX: usize = 6;

/// A player's answers in one ruleset.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Habits {
    pub(super) ruleset: String,
    /// The address of its statistics.
    pub(super) address: String,
    pub(super) questions: Vec<Question>,
}

/// A player's answers to one question.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Question {
    pub(super) what: String,
    /// The number of answers to it.
    pub(super) n: i64,
    /// The most frequent kinds.
    pub(super) kinds: Vec<(String, Rate)>,
}

/// The habits for the pages. They come by ruleset and question.
pub(super) fn habits(all: &[Habit]) -> Vec<Habits> {
    let rulesets = all.chunk_by(|a, b| a.ruleset == b.ruleset).filter_map(|group| {
        let first = group.first()?;
        Some(Habits {
            ruleset: ruleset_name(&first.ruleset),
            address: format!("/statistics/{}", first.ruleset),
            questions: group.chunk_by(|a, b| a.what == b.what).filter_map(Question::of).collect(),
        })
    });
    rulesets.collect()
}

impl Question {
    fn of(group: &[Habit]) -> Option<Self> {
        let first = group.first()?;
        let kind = |habit: &Habit| (sent_words(&habit.ruleset, &habit.sent), Rate { k: habit.n, n: habit.of });
        Some(Self { what: capital(&first.what), n: first.of, kinds: group.iter().take(KINDS_MAX).map(kind).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_grouped_by_question() {
        let habit = |what: &str, sent: &str, n| Habit {
            ruleset: "three-card/simply-genius".into(),
            what: what.into(),
            sent: sent.into(),
            n,
            of: 12,
        };
        let shown = habits(&[habit("round", "grow claim", 8), habit("round", "-", 4), habit("window", "nothing", 12)]);
        let [one] = &shown[..] else { panic!("one ruleset") };
        let [round, window] = &one.questions[..] else { panic!("two questions") };
        assert_eq!(
            round.kinds,
            [("Grow and Claim".into(), Rate { k: 8, n: 12 }), ("Nothing in time".into(), Rate { k: 4, n: 12 })]
        );
        assert_eq!(window.kinds, [("Nothing, on purpose".into(), Rate { k: 12, n: 12 })]);
    }
}

//! What a player sends most often, as far as that can be told from the latest matches.

use crate::book::Habit;
use crate::page::listing::ruleset_name;
use crate::page::{Rate, capital, sent_words};

/// Kinds of moves of one question that are shown.
const KINDS: usize = 6;

/// A player's answers to one question of one ruleset.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Habits {
    pub(super) ruleset: String,
    /// Its statistics.
    pub(super) address: String,
    pub(super) what: String,
    /// All answers to it.
    pub(super) n: i64,
    /// The most frequent ones.
    pub(super) kinds: Vec<(String, Rate)>,
}

/// Habits as pages show them. They come by ruleset and question.
pub(super) fn habits(all: &[Habit]) -> Vec<Habits> {
    let same = |a: &Habit, b: &Habit| (&a.ruleset, &a.what) == (&b.ruleset, &b.what);
    let groups = all.chunk_by(same).filter_map(|group| {
        let first = group.first()?;
        let kind = |habit: &Habit| (sent_words(&habit.sent), Rate { k: habit.n, n: habit.of });
        Some(Habits {
            ruleset: ruleset_name(&first.ruleset),
            address: format!("/statistics/{}", first.ruleset),
            what: capital(&first.what),
            n: first.of,
            kinds: group.iter().take(KINDS).map(kind).collect(),
        })
    });
    groups.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_stand_under_their_question() {
        let habit = |what: &str, sent: &str, n| Habit {
            ruleset: "three-card/simply-genius".into(),
            what: what.into(),
            sent: sent.into(),
            n,
            of: 12,
        };
        let shown = habits(&[habit("round", "grow claim", 8), habit("round", "-", 4), habit("window", "decline", 12)]);
        assert_eq!(shown.len(), 2);
        let [round, ..] = &shown[..] else { panic!("two questions") };
        assert_eq!(
            round.kinds,
            [("grow, claim".into(), Rate { k: 8, n: 12 }), ("nothing in time".into(), Rate { k: 4, n: 12 })]
        );
    }
}

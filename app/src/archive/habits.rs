//! The kinds of moves that a player sends, summed up over the player's latest matches.

use std::collections::BTreeMap;

use record::words::{row_rules, sent_words};
use serde::Serialize;
use store::archive::players;
use utoipa::ToSchema;

use super::Archive;
use super::answers::read_answers;
use crate::error::AppError;
use crate::scope::LOG;

/// What a player answered to a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Habit {
    pub ruleset: String,
    /// The question's word.
    #[schema(example = "round")]
    pub what: String,
    /// All answers to it.
    pub n: i64,
    /// The most frequent kinds of moves first, 6 at most.
    pub kinds: Vec<HabitKind>,
}

/// A kind of move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct HabitKind {
    /// In the notation.
    #[schema(example = "score grow")]
    pub sent: String,
    /// For people.
    #[schema(example = "Score and Grow")]
    pub says: String,
    pub n: i64,
}

/// The habits of a player by ruleset and question, with every kind of move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Habits {
    pub always: Vec<Habit>,
    pub after_block: Vec<Habit>,
}

type Sums<'t> = BTreeMap<(&'t str, &'t str), BTreeMap<&'t str, i64>>;

fn sum<'t>(matches: impl Iterator<Item = (&'t str, &'t str)>) -> Habits {
    let (mut always, mut after_block) = (Sums::new(), Sums::new());
    for (ruleset, text) in matches {
        // True if the last answer to a question was blocked.
        let mut blocked: BTreeMap<&str, bool> = BTreeMap::new();
        for answer in read_answers(text) {
            let question = (ruleset, answer.what);
            *always.entry(question).or_default().entry(answer.sent).or_default() += 1;
            if blocked.insert(answer.what, answer.blocked) == Some(true) {
                *after_block.entry(question).or_default().entry(answer.sent).or_default() += 1;
            }
        }
    }
    Habits { always: in_order(always), after_block: in_order(after_block) }
}

fn in_order(sums: Sums<'_>) -> Vec<Habit> {
    let habit = |((ruleset, what), answers): ((&str, &str), BTreeMap<&str, i64>)| {
        let kind =
            |(sent, n): (&str, i64)| HabitKind { sent: sent.to_owned(), says: sent_words(row_rules(ruleset), sent), n };
        let n = answers.values().sum();
        let mut kinds: Vec<HabitKind> = answers.into_iter().map(kind).collect();
        kinds.sort_by_key(|kind| -kind.n);
        Habit { ruleset: ruleset.to_owned(), what: what.to_owned(), n, kinds }
    };
    let mut habits: Vec<Habit> = sums.into_iter().map(habit).collect();
    // The most frequent questions first.
    habits.sort_by(|one, two| one.ruleset.cmp(&two.ruleset).then(two.n.cmp(&one.n)));
    habits
}

impl Archive {
    pub async fn habits(&self, key: &str) -> Result<Habits, AppError> {
        let latest = players::latest_moves(&self.reading, LOG, key).await?;
        Ok(sum(latest.iter().map(|row| (row.ruleset.as_str(), row.moves.as_str()))))
    }
}

#[cfg(test)]
mod tests {
    use super::super::answers::{Answer, write_answer};
    use super::*;

    fn text(answers: &[(&str, &str, bool)]) -> String {
        let mut text = String::new();
        for (what, sent, blocked) in answers {
            let (blocked, standing) = (*blocked, None);
            write_answer(&mut text, &Answer { what, sent, label: "1", standing, blocked });
        }
        text
    }

    fn said<'h>(habits: &'h [Habit]) -> Vec<(&'h str, &'h str, &'h str, i64, i64)> {
        let kind =
            |habit: &'h Habit, kind: &'h HabitKind| (&*habit.ruleset, &*habit.what, &*kind.sent, kind.n, habit.n);
        habits.iter().flat_map(|habit| habit.kinds.iter().map(move |it| kind(habit, it))).collect()
    }

    #[test]
    fn kinds_are_summed_up() {
        let first = text(&[
            ("round", "claim", true),
            ("window", "nothing", false),
            ("round", "-", false),
            ("round", "claim", true),
        ]);
        let second = text(&[("window", "nothing", false); 4]);
        let matches = [("three-card/a", &*first), ("three-card/a", &*second), ("three-card/b", &*second)];
        let habits = sum(matches.into_iter());
        assert_eq!(
            said(&habits.always),
            [
                ("three-card/a", "window", "nothing", 5, 5),
                ("three-card/a", "round", "claim", 2, 3),
                ("three-card/a", "round", "-", 1, 3),
                ("three-card/b", "window", "nothing", 4, 4),
            ]
        );
        // Nothing follows a block at the end of a match, not even in the next match.
        assert_eq!(said(&habits.after_block), [("three-card/a", "round", "-", 1, 1)]);
        let one = text(&[("round", "grow claim", false)]);
        assert_eq!(sum([("three-card/simply-genius", &*one)].into_iter()).always[0].kinds[0].says, "Grow and Claim");
    }
}

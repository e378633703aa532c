//! The kinds of moves that a player sends, summed up over the player's latest matches.

use std::collections::BTreeMap;

use store::archive::players;

use super::Archive;
use super::answers::read_answers;
use crate::error::AppError;
use crate::scope::LOG;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Habit {
    pub ruleset: String,
    pub what: String,
    pub sent: String,
    pub n: i64,
    pub of: i64,
}

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
    let mut habits: Vec<Habit> = Vec::new();
    for ((ruleset, what), answers) in sums {
        let of = answers.values().sum();
        let habit = |(sent, n): (&str, i64)| {
            let (ruleset, what, sent) = (ruleset.to_owned(), what.to_owned(), sent.to_owned());
            Habit { ruleset, what, sent, n, of }
        };
        habits.extend(answers.into_iter().map(habit));
    }
    // The most frequent questions first, and in each the most frequent kinds.
    habits.sort_by(|one, two| {
        let questions = one.ruleset.cmp(&two.ruleset).then(two.of.cmp(&one.of)).then_with(|| one.what.cmp(&two.what));
        questions.then(two.n.cmp(&one.n))
    });
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

    fn said(habits: &[Habit]) -> Vec<(&str, &str, &str, i64, i64)> {
        habits.iter().map(|h| (&*h.ruleset, &*h.what, &*h.sent, h.n, h.of)).collect()
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
    }
}

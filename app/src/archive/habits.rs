//! What a player sends: written match by match by the statistics, and read of a player's latest matches.

use std::collections::BTreeMap;

use store::archive::players;

use super::Archive;
use crate::error::AppError;
use crate::scope::LOG;

/// A kind of move that a player sent in the latest matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Habit {
    /// The ruleset's id.
    pub ruleset: String,
    /// The question.
    pub what: String,
    /// The kind of move.
    pub sent: String,
    /// How often.
    pub n: i64,
    /// Of so many answers to that question.
    pub of: i64,
}

/// The kinds of moves that a seat sent in a match: by question and kind, how often.
pub type SentKinds<'k> = BTreeMap<(&'k str, &'k str), i64>;

/// As the database keeps them: a kind on each line, with tabs between question, kind and number. Neither questions nor kinds
/// have either of these signs, which is a law of the engine (`questions_and_kinds_are_words_on_one_line`).
pub fn kinds_text(kinds: &SentKinds<'_>) -> String {
    let lines: Vec<String> = kinds.iter().map(|((what, sent), n)| format!("{what}\t{sent}\t{n}")).collect();
    lines.join("\n")
}

/// The same, read again.
fn kinds(text: &str) -> impl Iterator<Item = (&str, &str, i64)> {
    text.lines().filter_map(|line| {
        let (what, rest) = line.split_once('\t')?;
        let (sent, n) = rest.split_once('\t')?;
        Some((what, sent, n.parse().ok()?))
    })
}

/// Adds up what was sent in matches of these rulesets: by ruleset and question, the most frequent first.
fn added_up<'t>(matches: impl Iterator<Item = (&'t str, &'t str)>) -> Vec<Habit> {
    let mut sums: BTreeMap<(&str, &str), BTreeMap<&str, i64>> = BTreeMap::new();
    for (ruleset, text) in matches {
        for (what, sent, n) in kinds(text) {
            *sums.entry((ruleset, what)).or_default().entry(sent).or_default() += n;
        }
    }
    let mut habits: Vec<Habit> = Vec::new();
    for ((ruleset, what), answers) in sums {
        let of = answers.values().sum();
        let habit = |(sent, n): (&str, i64)| {
            let (ruleset, what, sent) = (ruleset.to_owned(), what.to_owned(), sent.to_owned());
            Habit { ruleset, what, sent, n, of }
        };
        habits.extend(answers.into_iter().map(habit));
    }
    // Questions by how often they were answered, and then answers by how often they were given.
    habits.sort_by(|one, two| {
        let questions = one.ruleset.cmp(&two.ruleset).then(two.of.cmp(&one.of)).then_with(|| one.what.cmp(&two.what));
        questions.then(two.n.cmp(&one.n))
    });
    habits
}

impl Archive {
    /// What a player sent in the latest hundred finished matches; by ruleset and question, the most frequent first.
    ///
    /// # Errors
    /// The database.
    pub async fn habits(&self, key: &str) -> Result<Vec<Habit>, AppError> {
        let latest = players::latest_moves(self.logs.reading_pool(), LOG, key).await?;
        Ok(added_up(latest.iter().map(|row| (row.ruleset.as_str(), row.moves.as_str()))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sent_comes_back_as_it_was_kept_and_adds_up() {
        let first = SentKinds::from([(("round", "claim"), 2), (("round", "-"), 1), (("window", "nothing"), 1)]);
        let text = kinds_text(&first);
        assert_eq!(text, "round\t-\t1\nround\tclaim\t2\nwindow\tnothing\t1");
        assert_eq!(kinds(&text).map(|(what, sent, n)| ((what, sent), n)).collect::<SentKinds<'_>>(), first);
        assert_eq!(kinds("").count(), 0);

        let second = kinds_text(&SentKinds::from([(("window", "nothing"), 4)]));
        let habits =
            added_up([("three-card/a", &*text), ("three-card/a", &*second), ("three-card/b", &*second)].into_iter());
        let said: Vec<_> = habits.iter().map(|h| (&*h.ruleset, &*h.what, &*h.sent, h.n, h.of)).collect();
        assert_eq!(
            said,
            [
                ("three-card/a", "window", "nothing", 5, 5),
                ("three-card/a", "round", "claim", 2, 3),
                ("three-card/a", "round", "-", 1, 3),
                ("three-card/b", "window", "nothing", 4, 4),
            ]
        );
    }
}

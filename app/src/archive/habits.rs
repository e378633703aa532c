//! The kinds of moves that a player sends: written by the statistics for each match, and summed up here for the player's
//! latest matches.

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
    /// The number of times.
    pub n: i64,
    /// The number of answers to that question.
    pub of: i64,
}

/// The kinds of moves that a seat sent in a match: the number of times, by question and kind.
pub type SentKinds<'k> = BTreeMap<(&'k str, &'k str), i64>;

/// The text in the database: a kind on each line, with tabs between question, kind and number. Questions and kinds contain
/// neither tabs nor line breaks (`questions_and_kinds_are_words_on_one_line`, a law of the engine).
pub fn kinds_text(kinds: &SentKinds<'_>) -> String {
    let lines: Vec<String> = kinds.iter().map(|((what, sent), n)| format!("{what}\t{sent}\t{n}")).collect();
    lines.join("\n")
}

/// Reads that text.
fn kinds(text: &str) -> impl Iterator<Item = (&str, &str, i64)> {
    text.lines().filter_map(|line| {
        let (what, rest) = line.split_once('\t')?;
        let (sent, n) = rest.split_once('\t')?;
        Some((what, sent, n.parse().ok()?))
    })
}

/// Sums up matches, each with its ruleset: by ruleset and question, the most frequent first.
fn sum<'t>(matches: impl Iterator<Item = (&'t str, &'t str)>) -> Vec<Habit> {
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
    // The most frequent questions first, and in each the most frequent kinds.
    habits.sort_by(|one, two| {
        let questions = one.ruleset.cmp(&two.ruleset).then(two.of.cmp(&one.of)).then_with(|| one.what.cmp(&two.what));
        questions.then(two.n.cmp(&one.n))
    });
    habits
}

impl Archive {
    /// The kinds of moves of a player in the latest hundred finished matches: by ruleset and question, the most frequent
    /// first.
    ///
    /// # Errors
    /// The database.
    pub async fn habits(&self, key: &str) -> Result<Vec<Habit>, AppError> {
        let latest = players::latest_moves(&self.reading, LOG, key).await?;
        Ok(sum(latest.iter().map(|row| (row.ruleset.as_str(), row.moves.as_str()))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_stored_and_summed_up() {
        let first = SentKinds::from([(("round", "claim"), 2), (("round", "-"), 1), (("window", "nothing"), 1)]);
        let text = kinds_text(&first);
        assert_eq!(text, "round\t-\t1\nround\tclaim\t2\nwindow\tnothing\t1");
        assert_eq!(kinds(&text).map(|(what, sent, n)| ((what, sent), n)).collect::<SentKinds<'_>>(), first);
        assert_eq!(kinds("").count(), 0);

        let second = kinds_text(&SentKinds::from([(("window", "nothing"), 4)]));
        let habits =
            sum([("three-card/a", &*text), ("three-card/a", &*second), ("three-card/b", &*second)].into_iter());
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

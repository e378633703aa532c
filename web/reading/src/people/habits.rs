//! The most frequent moves of a player in the latest matches, beside everybody's.

use std::collections::BTreeMap;
use std::sync::Arc;

use app::archive::{Habit, KindCounts};
use app::views::ruleset_name;
use record::words::{capital, sent_words};

use page::{IntervalBar, Rate};

const KINDS_MAX: usize = 6;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct RulesetHabits {
    pub(super) ruleset: String,
    pub(super) address: String,
    pub(super) questions: Vec<Question>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Question {
    pub(super) what: String,
    pub(super) n: i64,
    pub(super) kinds: Vec<KindRow>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct KindRow {
    pub(super) sent: String,
    pub(super) rate: Rate,
    pub(super) average: Rate,
}

impl KindRow {
    pub(super) fn bar(&self) -> Option<IntervalBar> {
        IntervalBar::beside(self.rate, self.average)
    }
}

/// The habits for the pages, which come by ruleset and question: in all answers beside everybody's, or after something
/// beside the player's own in all answers. A single kind that nearly everybody sends shows no habit.
pub(super) fn habits(all: &[Habit], average: impl Fn(&Habit) -> Rate) -> Vec<RulesetHabits> {
    let rulesets = all.chunk_by(|a, b| a.ruleset == b.ruleset).filter_map(|group| {
        let first = group.first()?;
        let tells = |kinds: &&[Habit]| kinds.len() > 1 || kinds.iter().any(|habit| !average(habit).is_nearly_all());
        let questions = group.chunk_by(|a, b| a.what == b.what).filter(tells);
        Some(RulesetHabits {
            ruleset: ruleset_name(&first.ruleset),
            address: format!("/statistics/{}", first.ruleset),
            questions: questions.filter_map(|kinds| Question::of(kinds, &average)).collect(),
        })
    });
    rulesets.filter(|habits| !habits.questions.is_empty()).collect()
}

pub(super) fn of_everybody(counts: &BTreeMap<String, Arc<KindCounts>>, habit: &Habit) -> Rate {
    let kinds = counts.get(&habit.ruleset).and_then(|questions| questions.get(&habit.what));
    let of = |kinds: &BTreeMap<String, i64>| Rate {
        k: kinds.get(&habit.sent).copied().unwrap_or(0),
        n: kinds.values().sum(),
    };
    kinds.map_or(Rate { k: 0, n: 0 }, of)
}

pub(super) fn of_player(always: &[Habit], habit: &Habit) -> Rate {
    let same = |it: &&Habit| (&it.ruleset, &it.what, &it.sent) == (&habit.ruleset, &habit.what, &habit.sent);
    always.iter().find(same).map_or(Rate { k: 0, n: 0 }, |it| Rate { k: it.n, n: it.of })
}

impl Question {
    fn of(group: &[Habit], average: impl Fn(&Habit) -> Rate) -> Option<Self> {
        let first = group.first()?;
        let kind = |habit: &Habit| KindRow {
            sent: sent_words(&habit.ruleset, &habit.sent),
            rate: Rate { k: habit.n, n: habit.of },
            average: average(habit),
        };
        Some(Self { what: capital(&first.what), n: first.of, kinds: group.iter().take(KINDS_MAX).map(kind).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn habit(what: &str, sent: &str, n: i64) -> Habit {
        Habit { ruleset: "three-card/simply-genius".into(), what: what.into(), sent: sent.into(), n, of: 12 }
    }

    #[test]
    fn answers_are_grouped_by_question_and_stand_beside_everybodys() {
        let kinds = BTreeMap::from([("grow claim".to_owned(), 50), ("claim".to_owned(), 150)]);
        let counts = KindCounts::from([("round".to_owned(), kinds)]);
        let counts = BTreeMap::from([("three-card/simply-genius".to_owned(), Arc::new(counts))]);
        let all = [habit("round", "grow claim", 8), habit("round", "-", 4), habit("window", "nothing", 12)];
        let shown = habits(&all, |habit| of_everybody(&counts, habit));
        let [one] = &shown[..] else { panic!("one ruleset") };
        let [round] = &one.questions[..] else { panic!("a question that was always answered alike is left out") };
        let row = |sent: &str, k, average| KindRow { sent: sent.into(), rate: Rate { k, n: 12 }, average };
        assert_eq!(
            round.kinds,
            [row("Grow and Claim", 8, Rate { k: 50, n: 200 }), row("No move", 4, Rate { k: 0, n: 200 })]
        );
    }

    #[test]
    fn a_single_kind_is_a_habit_only_where_others_do_something_else() {
        let grey = [habit("turn", "turn", 12)];
        let shown = |k| habits(&grey, |_| Rate { k, n: 100 });
        assert!([100, 99, 95].into_iter().all(|k| shown(k).is_empty()));
        assert_eq!(shown(94).len(), 1);
        // Two kinds are compared, even if everybody has nearly always one of them.
        let two = [habit("turn", "turn", 11), habit("turn", "-", 1)];
        assert_eq!(habits(&two, |_| Rate { k: 99, n: 100 }).len(), 1);
    }

    #[test]
    fn after_a_block_the_average_is_the_players_own() {
        let always = [habit("round", "grow claim", 8), habit("round", "-", 4)];
        assert_eq!(of_player(&always, &habit("round", "-", 1)), Rate { k: 4, n: 12 });
        assert_eq!(of_player(&always, &habit("round", "claim", 1)), Rate { k: 0, n: 0 });
    }
}

//! What a player tends to answer, situation by situation, beside everybody else: for whoever is going to meet the player.
//!
//! Only names that still exist are read, so somebody who withdrew theirs is neither shown nor compared with.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use store::archive::preparation::{self, PlayerMatch};
use uuid::Uuid;

use super::Archive;
use super::answers::{Answer, read_answers};
use crate::error::AppError;
use crate::scope::LOG;

const MATCHES: i64 = 100;
const MATCHES_OF_ALL: i64 = 300;
const MOMENTS: usize = 3;
/// The own last moves that are situations of their own: the most frequent, if they were sent this often.
const LAST_MOVES: usize = 3;
const LAST_MOVE_LEAST: i64 = 5;
/// A kind that everybody else sends this often, in percent, is shown even if the player never does.
const USUAL_PERCENT: i64 = 10;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Occasion {
    Any,
    First,
    Behind,
    Level,
    Ahead,
    AfterBlock,
    After(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TendencyMoment {
    pub match_id: Uuid,
    pub label: String,
    pub opponent: Option<String>,
    pub played_at: DateTime<Utc>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tendency {
    pub sent: String,
    pub n: i64,
    pub others: i64,
    pub moments: Vec<TendencyMoment>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OccasionTable {
    pub occasion: Occasion,
    pub n: i64,
    pub others: i64,
    pub kinds: Vec<Tendency>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionTendencies {
    pub what: String,
    pub occasions: Vec<OccasionTable>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preparation {
    pub matches: usize,
    pub others: i64,
    pub questions: Vec<QuestionTendencies>,
}

#[derive(Debug, Default)]
struct Counts {
    n: i64,
    others: i64,
    moments: Vec<TendencyMoment>,
}

type Sums = BTreeMap<(String, Occasion), BTreeMap<String, Counts>>;

fn each_answer<'t>(text: &'t str, mut add: impl FnMut(Answer<'t>, Occasion)) {
    let mut last: BTreeMap<&str, Answer<'_>> = BTreeMap::new();
    for answer in read_answers(text) {
        add(answer, Occasion::Any);
        let standing = match answer.standing {
            None => None,
            Some(0) => Some(Occasion::Level),
            Some(standing) if standing < 0 => Some(Occasion::Behind),
            Some(_) => Some(Occasion::Ahead),
        };
        standing.into_iter().for_each(|standing| add(answer, standing));
        match last.insert(answer.what, answer) {
            None => add(answer, Occasion::First),
            Some(previous) => {
                add(answer, Occasion::After(previous.sent.to_owned()));
                if previous.blocked {
                    add(answer, Occasion::AfterBlock);
                }
            }
        }
    }
}

impl Preparation {
    fn of(matches: &[PlayerMatch], others: &[String]) -> Self {
        let mut sums = Sums::new();
        for played in matches {
            each_answer(&played.moves, |answer, occasion| {
                let kinds = sums.entry((answer.what.to_owned(), occasion)).or_default();
                let counts = kinds.entry(answer.sent.to_owned()).or_default();
                counts.n += 1;
                let again = counts.moments.last().is_some_and(|last| last.match_id == played.match_id);
                // The first time in each match.
                if !again && counts.moments.len() < MOMENTS {
                    counts.moments.push(TendencyMoment {
                        match_id: played.match_id,
                        label: answer.label.to_owned(),
                        opponent: played.opponent.clone(),
                        played_at: played.played_at,
                    });
                }
            });
        }
        let mut read = 0;
        for text in others {
            each_answer(text, |answer, occasion| {
                read += i64::from(occasion == Occasion::Any);
                // A situation that the player was never in is not shown.
                if let Some(kinds) = sums.get_mut(&(answer.what.to_owned(), occasion)) {
                    kinds.entry(answer.sent.to_owned()).or_default().others += 1;
                }
            });
        }
        Self { matches: matches.len(), others: read, questions: questions(sums) }
    }
}

fn questions(sums: Sums) -> Vec<QuestionTendencies> {
    let mut questions: Vec<QuestionTendencies> = Vec::new();
    for ((what, occasion), kinds) in sums {
        let table = OccasionTable::of(occasion, kinds);
        match questions.last_mut() {
            Some(last) if last.what == what => last.occasions.push(table),
            _ => questions.push(QuestionTendencies { what, occasions: vec![table] }),
        }
    }
    // Where everybody sends the same, nothing can be learned.
    questions.retain(|question| question.occasions.first().is_some_and(|any| any.kinds.len() > 1));
    for question in &mut questions {
        question.leave_out_rare();
    }
    questions.sort_by_key(|question| question.occasions.first().map(|any| -any.n));
    questions
}

impl QuestionTendencies {
    fn leave_out_rare(&mut self) {
        let standing = |it: &Occasion| matches!(it, Occasion::Behind | Occasion::Level | Occasion::Ahead);
        let standings = self.occasions.iter().filter(|table| standing(&table.occasion)).count();
        self.occasions.retain(|table| standings > 1 || !standing(&table.occasion));
        let mut after: Vec<i64> = self.occasions.iter().filter_map(OccasionTable::times_after).collect();
        after.sort_by_key(|n| -n);
        let least = after.get(LAST_MOVES - 1).copied().unwrap_or(0).max(LAST_MOVE_LEAST);
        let mut left = LAST_MOVES;
        self.occasions.sort_by_key(|table| table.times_after().map(|n| -n));
        self.occasions.retain(|table| match table.times_after() {
            None => true,
            Some(n) if n >= least && left > 0 => {
                left -= 1;
                true
            }
            Some(_) => false,
        });
    }
}

impl OccasionTable {
    fn of(occasion: Occasion, kinds: BTreeMap<String, Counts>) -> Self {
        let (n, others) = (kinds.values().map(|it| it.n).sum(), kinds.values().map(|it| it.others).sum());
        let shown = kinds.into_iter().filter(|(_, it)| it.n > 0 || it.others * 100 >= others * USUAL_PERCENT);
        let tendency = |(sent, counts): (String, Counts)| Tendency {
            sent,
            n: counts.n,
            others: counts.others,
            moments: counts.moments,
        };
        let mut kinds: Vec<Tendency> = shown.map(tendency).collect();
        kinds.sort_by_key(|kind| (-kind.n, -kind.others));
        Self { occasion, n, others, kinds }
    }

    const fn times_after(&self) -> Option<i64> {
        match self.occasion {
            Occasion::After(_) => Some(self.n),
            _ => None,
        }
    }
}

impl Archive {
    pub async fn preparation(&self, key: &str, ruleset: &str) -> Result<Preparation, AppError> {
        let pool = &self.reading;
        let played = preparation::matches_of(pool, LOG, key, ruleset, MATCHES).await?;
        let others = preparation::answers_of_others(pool, LOG, key, ruleset, MATCHES_OF_ALL).await?;
        Ok(Preparation::of(&played, &others))
    }
}

#[cfg(test)]
mod tests {
    use super::super::answers::write_answer;
    use super::*;

    fn text(answers: &[(&str, i16, bool)]) -> String {
        let mut text = String::new();
        for (n, (sent, standing, blocked)) in answers.iter().enumerate() {
            let label = (n + 1).to_string();
            let (standing, blocked) = (Some(*standing), *blocked);
            write_answer(&mut text, &Answer { what: "round", sent, label: &label, standing, blocked });
        }
        text
    }

    fn preparation(matches: &[&str], others: &[&str]) -> Preparation {
        let played = matches.iter().enumerate().map(|(n, moves)| PlayerMatch {
            match_id: Uuid::from_u128(n as u128),
            opponent: Some("Bo".to_owned()),
            played_at: DateTime::UNIX_EPOCH,
            moves: (*moves).to_owned(),
        });
        let others: Vec<String> = others.iter().map(|moves| (*moves).to_owned()).collect();
        Preparation::of(&played.collect::<Vec<_>>(), &others)
    }

    fn kinds(preparation: &Preparation, occasion: &Occasion) -> Vec<(String, i64, i64)> {
        let [question] = &preparation.questions[..] else { panic!("one question") };
        let table = question.occasions.iter().find(|table| table.occasion == *occasion);
        let kinds = table.map(|table| table.kinds.as_slice()).unwrap_or_default();
        kinds.iter().map(|kind| (kind.sent.clone(), kind.n, kind.others)).collect()
    }

    #[test]
    fn answers_are_told_apart_by_situation() {
        let one = text(&[("grow", 0, true), ("claim", -1, false), ("claim", 1, false)]);
        let other = text(&[("grow", 0, false), ("block", -1, true), ("claim", -1, false)]);
        let told = preparation(&[&one, &other], &[&text(&[("block", 0, false), ("claim", 0, false)])]);
        assert_eq!((told.matches, told.others), (2, 2));
        let said = |sent: &str, n, others| (sent.to_owned(), n, others);
        assert_eq!(kinds(&told, &Occasion::Any), [said("claim", 3, 1), said("grow", 2, 0), said("block", 1, 1)]);
        assert_eq!(kinds(&told, &Occasion::First), [said("grow", 2, 0), said("block", 0, 1)], "others begin otherwise");
        assert_eq!(kinds(&told, &Occasion::Behind), [said("claim", 2, 0), said("block", 1, 0)]);
        assert_eq!(kinds(&told, &Occasion::AfterBlock), [said("claim", 2, 0)]);
        let [question] = &told.questions[..] else { panic!("one question") };
        assert!(
            !question.occasions.iter().any(|table| table.times_after().is_some()),
            "a last move that was sent twice is no situation"
        );
        let grow = question.occasions[0].kinds.iter().find(|kind| kind.sent == "grow").unwrap();
        assert_eq!(grow.moments.iter().map(|moment| moment.label.as_str()).collect::<Vec<_>>(), ["1", "1"]);
    }

    #[test]
    fn the_most_frequent_last_moves_are_situations() {
        let repeats = text(&[("grow", 0, false); 9]);
        let told = preparation(&[&repeats, &text(&[("claim", 0, false)])], &[]);
        assert_eq!(kinds(&told, &Occasion::After("grow".into())), [("grow".to_owned(), 8, 0)]);
    }

    #[test]
    fn a_question_without_a_choice_is_left_out() {
        let told = preparation(&[&text(&[("grow", 0, false)])], &[&text(&[("grow", 0, false)])]);
        assert!(told.questions.is_empty());
    }
}

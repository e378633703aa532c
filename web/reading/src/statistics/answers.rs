//! The part of a ruleset's statistics that fits its game: the answers to the game's own questions, shared out.

use std::collections::BTreeMap;

use app::archive::{PairCount, Situation};
use app::statistics::{AnswerSection, AnswerTable, Previous, answer_section};
use app::{App, AppError};
use engine::{BySeat, Seat};
use record::words::{row_rules, sent_words};

use super::matches::pair_address;
use page::{IntervalBar, Rate};

/// The pairs of kinds that are read for a table; rarer ones are not among its answers.
const PAIRS_MAX: i64 = 1_000;

pub(super) struct AnswerTables {
    pub(super) title: &'static str,
    pub(super) tables: Vec<Answers>,
}

pub(super) struct Answers {
    pub(super) title: &'static str,
    pub(super) n: i64,
    pub(super) kinds: Vec<KindRow>,
}

pub(super) struct KindRow {
    pub(super) words: String,
    pub(super) rate: Rate,
    pub(super) seats: [SeatRate; 2],
    pub(super) won: Rate,
}

pub(super) struct SeatRate {
    pub(super) rate: Rate,
    pub(super) matches: Option<String>,
}

#[derive(Clone, Copy, Default)]
struct Sum {
    n: BySeat<i64>,
    won: i64,
}

#[derive(Default)]
struct Sums(BTreeMap<String, Sum>);

impl AnswerTables {
    pub(super) async fn of(app: &App, ruleset: &dyn engine::Ruleset) -> Result<Option<Self>, AppError> {
        let Some(AnswerSection { title, tables: sections }) = answer_section(ruleset.game()) else { return Ok(None) };
        let mut tables = Vec::new();
        for table in sections {
            let sums = Sums::of(app, ruleset.card().id, table).await?;
            tables.extend(Answers::of(ruleset.card().id, table, &sums));
        }
        Ok((!tables.is_empty()).then_some(Self { title, tables }))
    }
}

impl Sums {
    async fn of(app: &App, ruleset: &str, table: &AnswerTable) -> Result<Self, AppError> {
        let read = async |situation| app.archive().pair_counts(ruleset, situation, Some(table.what), PAIRS_MAX).await;
        let after = async |kind: &str| -> Result<Vec<PairCount>, AppError> {
            let mut pairs = read(Situation::after(kind, "")).await?;
            pairs.extend(read(Situation::after("", kind)).await?);
            Ok(pairs)
        };
        let mut sums = Self::default();
        match table.previous {
            Previous::Any => sums.add(&read(Situation::any()).await?, 1),
            Previous::Was(kind) => sums.add(&after(kind).await?, 1),
            Previous::WasNot(kind) => {
                sums.add(&read(Situation::any()).await?, 1);
                sums.add(&after(kind).await?, -1);
            }
        }
        sums.0.retain(|_, sum| sum.all() > 0);
        Ok(sums)
    }

    fn add(&mut self, pairs: &[PairCount], sign: i64) {
        for pair in pairs {
            for (seat, kind, won) in [(Seat::P1, &pair.p1, pair.won_p1), (Seat::P2, &pair.p2, pair.won_p2)] {
                if !kind.is_empty() {
                    let sum = self.0.entry(kind.clone()).or_default();
                    sum.n[seat] += sign * pair.n;
                    sum.won += sign * won;
                }
            }
        }
    }
}

impl Sum {
    const fn all(self) -> i64 {
        self.n.p1 + self.n.p2
    }
}

impl Answers {
    fn of(ruleset: &str, table: &AnswerTable, sums: &Sums) -> Option<Self> {
        let by_seat = BySeat::from_fn(|seat| sums.0.values().map(|sum| sum.n[seat]).sum::<i64>());
        let n = by_seat.p1 + by_seat.p2;
        let seat_rate = |kind: &str, sum: &Sum, seat| SeatRate {
            rate: Rate { k: sum.n[seat], n: by_seat[seat] },
            matches: if sum.n[seat] > 0 { matches(ruleset, table, kind, seat) } else { None },
        };
        let mut kinds: Vec<(&String, &Sum)> = sums.0.iter().collect();
        kinds.sort_by_key(|(_, sum)| -sum.all());
        let kinds = kinds.into_iter().map(|(kind, sum)| KindRow {
            words: sent_words(row_rules(ruleset), kind),
            rate: Rate { k: sum.all(), n },
            seats: Seat::BOTH.map(|seat| seat_rate(kind, sum, seat)),
            won: Rate { k: sum.won, n: sum.all() },
        });
        (n > 0).then(|| Self { title: table.title, n, kinds: kinds.collect() })
    }
}

impl KindRow {
    pub(super) fn bar(&self) -> Option<IntervalBar> {
        IntervalBar::of(self.rate, 100)
    }
}

/// The list of the matches in which a seat alone answered this right after what the other had sent. Other situations
/// have no list of their own.
fn matches(ruleset: &str, table: &AnswerTable, kind: &str, seat: Seat) -> Option<String> {
    let Previous::Was(previous) = table.previous else { return None };
    let alone = |seat: Seat, kind: &str| match seat {
        Seat::P1 => [kind.to_owned(), String::new()],
        Seat::P2 => [String::new(), kind.to_owned()],
    };
    let ([p1, p2], [before_p1, before_p2]) = (alone(seat, kind), alone(seat.other(), previous));
    let home = format!("/statistics/{ruleset}");
    Some(pair_address(&home, [table.what, &p1, &p2], Some(&(before_p1, before_p2))))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULESET: &str = "devils-deal/blooming-genius";

    fn pair(p1: &str, p2: &str, n: i64, won: [i64; 2]) -> PairCount {
        let (what, p1, p2) = ("bet".to_owned(), p1.to_owned(), p2.to_owned());
        PairCount { what, p1, p2, n, won_p1: won[0], won_p2: won[1], ..PairCount::default() }
    }

    fn table(previous: Previous) -> AnswerTable {
        AnswerTable { title: "After a raise", what: "bet", previous }
    }

    #[test]
    fn answers_to_a_raise_are_told_apart_from_first_bets() {
        let all = [pair("raise", "", 20, [12, 8]), pair("", "fold", 8, [5, 3]), pair("call", "", 6, [2, 4])];
        let after = [pair("", "fold", 7, [5, 2]), pair("call", "", 6, [2, 4])];
        let mut first = Sums::default();
        first.add(&all, 1);
        first.add(&after, -1);
        first.0.retain(|_, sum| sum.all() > 0);
        let first = Answers::of(RULESET, &table(Previous::WasNot("raise")), &first).unwrap();
        let rows: Vec<_> = first.kinds.iter().map(|row| (row.words.as_str(), row.rate, row.won)).collect();
        let rate = |k, n| Rate { k, n };
        assert_eq!(rows, [("Raises", rate(20, 21), rate(12, 20)), ("Folds", rate(1, 21), rate(1, 1))]);
        assert!(first.kinds.iter().flat_map(|row| &row.seats).all(|seat| seat.matches.is_none()));

        let mut answers = Sums::default();
        answers.add(&after, 1);
        let answers = Answers::of(RULESET, &table(Previous::Was("raise")), &answers).unwrap();
        let [folds, calls] = &answers.kinds[..] else { panic!("two kinds") };
        assert_eq!((folds.rate, folds.seats[1].rate, calls.seats[0].rate), (rate(7, 13), rate(7, 7), rate(6, 6)));
        let link = folds.seats[1].matches.as_deref().unwrap();
        assert!(link.contains("p1=&p2=fold&after_p1=raise&after_p2="), "{link}");
        assert_eq!(folds.seats[0].matches, None);
    }
}

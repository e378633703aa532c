//! A tournament as a season: evening by evening who met whom, who won, and who fell; and everybody against everybody.

use std::collections::{BTreeMap, BTreeSet};

use app::archive::{ListedName, MatchSummary, Standing};
use app::views::match_address;
use askama::Template;
use ledger::MatchId;
use record::words::{ending_naming, ending_words};

use page::{When, head_to_head_address, player_address};

/// More players than this have no table of everybody against everybody.
const TABLE_PLAYERS_MAX: usize = 12;

/// The matches of a tournament in the order in which they were played.
#[derive(Debug, Template)]
#[template(path = "events/season.html")]
pub(super) struct Season {
    evenings: Vec<Evening>,
    begins_later: bool,
    table: Vec<TableRow>,
}

#[derive(Debug)]
struct Evening {
    date: When,
    bouts: Vec<Bout>,
}

#[derive(Debug)]
struct Bout {
    address: String,
    players: [Player; 2],
    /// The words between them and after them, such as `beat` and nothing.
    words: [&'static str; 2],
    result: String,
    fell: Option<String>,
}

#[derive(Debug)]
struct Player {
    name: String,
    address: Option<String>,
}

#[derive(Debug)]
struct TableRow {
    name: String,
    address: String,
    cells: Vec<TableCell>,
}

#[derive(Debug, PartialEq, Eq)]
enum TableCell {
    Same,
    None,
    Met { won: i32, lost: i32, address: String, other: String },
}

impl Season {
    pub(super) fn of(latest_first: &[MatchSummary], more: bool, standings: &[Standing]) -> Option<Self> {
        if latest_first.is_empty() {
            return None;
        }
        // Backwards, so that what comes later is known.
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut evenings: Vec<Evening> = Vec::new();
        for listed in latest_first {
            let bout = Bout::of(listed, &seen);
            seen.extend([&listed.p1.key, &listed.p2.key].into_iter().flatten().map(String::as_str));
            let date = When::of_match(listed.date.as_deref(), &listed.mode, listed.played_at);
            match evenings.last_mut() {
                Some(evening) if evening.date == date => evening.bouts.push(bout),
                _ => evenings.push(Evening { date, bouts: vec![bout] }),
            }
        }
        evenings.reverse();
        evenings.iter_mut().for_each(|evening| evening.bouts.reverse());
        let table = if more || standings.len() > TABLE_PLAYERS_MAX || standings.len() < 3 {
            Vec::new()
        } else {
            table(latest_first, standings)
        };
        Some(Self { evenings, begins_later: more, table })
    }
}

impl Bout {
    fn of(listed: &MatchSummary, later: &BTreeSet<&str>) -> Self {
        let player =
            |seat: &ListedName| Player { name: seat.to_string(), address: seat.key.as_deref().map(player_address) };
        let (p1, p2) = (player(&listed.p1), player(&listed.p2));
        let scores = listed.score_p1.zip(listed.score_p2);
        let (players, words, loser, scores) = match listed.result.as_str() {
            "p1" => ([p1, p2], ["beat", ""], Some(&listed.p2), scores),
            "p2" => ([p2, p1], ["beat", ""], Some(&listed.p1), scores.map(|(a, b)| (b, a))),
            "*" => ([p1, p2], ["and", " are playing"], None, None),
            "void" => ([p1, p2], ["and", " met, and the match is void"], None, None),
            _ => ([p1, p2], ["and", " met without a winner"], None, scores),
        };
        let scores = scores.map(|(won, lost)| format!("{won} – {lost}"));
        let reason = match loser {
            Some(loser) => ending_naming(&listed.reason, &loser.name),
            None => ending_words(&listed.reason),
        };
        let reason = Some(reason).filter(|_| listed.result != "*");
        let result: Vec<String> = scores.into_iter().chain(reason).collect();
        let fell = loser.and_then(|loser| {
            let again = loser.key.as_deref().is_none_or(|key| later.contains(key));
            (!again).then(|| loser.name.clone())
        });
        Self {
            address: match_address(MatchId(listed.match_id)),
            players,
            words,
            result: if result.is_empty() { "watch it".to_owned() } else { result.join(", ") },
            fell,
        }
    }
}

type Meetings<'m> = BTreeMap<(&'m str, &'m str), (i32, i32)>;

fn table(matches: &[MatchSummary], standings: &[Standing]) -> Vec<TableRow> {
    let mut met = Meetings::new();
    for listed in matches {
        let (Some(p1), Some(p2)) = (listed.p1.key.as_deref(), listed.p2.key.as_deref()) else { continue };
        let won = |seat: &str| i32::from(listed.result == seat);
        for (pair, won, lost) in [((p1, p2), won("p1"), won("p2")), ((p2, p1), won("p2"), won("p1"))] {
            let sum = met.entry(pair).or_default();
            *sum = (sum.0 + won, sum.1 + lost);
        }
    }
    let cell = |row: &Standing, column: &Standing| {
        if row.key == column.key {
            return TableCell::Same;
        }
        met.get(&(row.key.as_str(), column.key.as_str())).map_or(TableCell::None, |(won, lost)| TableCell::Met {
            won: *won,
            lost: *lost,
            address: head_to_head_address(&row.key, &column.key),
            other: column.name.clone(),
        })
    };
    let row = |row: &Standing| TableRow {
        name: row.name.clone(),
        address: player_address(&row.key),
        cells: standings.iter().map(|column| cell(row, column)).collect(),
    };
    standings.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};

    use super::*;

    fn day(n: u32) -> DateTime<Utc> {
        format!("2024-03-{n:02}T20:00:00Z").parse().unwrap()
    }

    fn named(name: &str) -> ListedName {
        ListedName { name: name.to_owned(), key: Some(name.to_lowercase()) }
    }

    fn played(n: u32, p1: &str, p2: &str, result: &str) -> MatchSummary {
        MatchSummary {
            p1: named(p1),
            p2: named(p2),
            result: result.to_owned(),
            reason: "more-chips".to_owned(),
            score_p1: Some(17),
            score_p2: Some(13),
            mode: "recorded".to_owned(),
            played_at: day(n),
            ..MatchSummary::default()
        }
    }

    fn standing(name: &str) -> Standing {
        Standing { place: 1, key: name.to_lowercase(), name: name.to_owned(), won: 0, lost: 0, other: 0, running: 0 }
    }

    #[test]
    fn evenings_are_in_order_and_only_a_last_defeat_is_a_fall() {
        let matches = [
            played(9, "Ada", "Cy", "p2"),
            played(2, "Ada", "Dov", "p1"),
            played(2, "Bo", "Ada", "p2"),
            played(1, "Cy", "Ada", "p1"),
        ];
        let standings = ["Ada", "Cy", "Bo"].map(standing);
        let season = Season::of(&matches, false, &standings).unwrap();
        let told: Vec<Vec<(String, Option<&str>)>> = season
            .evenings
            .iter()
            .map(|evening| {
                let bout = |bout: &Bout| {
                    let [one, other] = &bout.players;
                    let [between, after] = bout.words;
                    format!("{} {between} {}{after}: {}", one.name, other.name, bout.result)
                };
                evening.bouts.iter().map(|it| (bout(it), it.fell.as_deref())).collect()
            })
            .collect();
        let said = |words: &str, fell| (words.to_owned(), fell);
        assert_eq!(
            told,
            [
                vec![said("Cy beat Ada: 17 – 13, more chips", None)],
                vec![
                    said("Ada beat Bo: 13 – 17, more chips", Some("Bo")),
                    said("Ada beat Dov: 17 – 13, more chips", Some("Dov")),
                ],
                vec![said("Cy beat Ada: 13 – 17, more chips", Some("Ada"))],
            ]
        );
        let met = |won, lost, one: &str, other: &str| TableCell::Met {
            won,
            lost,
            address: format!("/players/{}/vs/{}", one.to_lowercase(), other.to_lowercase()),
            other: other.to_owned(),
        };
        assert_eq!(season.table[0].cells, [TableCell::Same, met(0, 2, "Ada", "Cy"), met(1, 0, "Ada", "Bo")]);
        assert_eq!(season.table[2].cells, [met(0, 1, "Bo", "Ada"), TableCell::None, TableCell::Same]);
    }

    #[test]
    fn somebody_without_a_name_falls_namelessly() {
        let p2 = ListedName { name: "Player 2".into(), key: None };
        let season = Season::of(&[MatchSummary { p2, ..played(1, "Ada", "Bo", "p1") }], true, &[]).unwrap();
        let bout = &season.evenings[0].bouts[0];
        assert_eq!((bout.players[1].name.as_str(), &bout.fell), ("Player 2 (name withdrawn)", &None));
        assert!(season.begins_later && season.table.is_empty() && Season::of(&[], false, &[]).is_none());
    }
}

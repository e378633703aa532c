//! A tournament as a season: evening by evening what was played and who fell, as its host told it, and who met whom. Who is
//! out is never derived from the results.

use std::collections::BTreeMap;

use app::archive::{MatchSummary, Standing};
use app::tournament::{self, EventSheet};
use app::views::match_address;
use askama::Template;
use chrono::NaiveDate;
use ledger::MatchId;

use page::{Cover, MatchList, When, head_to_head_address, player_address};

/// More players than this have no table of everybody against everybody.
const TABLE_PLAYERS_MAX: usize = 16;

#[derive(Debug, Default)]
pub(super) struct Evening {
    pub(super) title: String,
    pub(super) days: Vec<When>,
    pub(super) recording: Option<String>,
    pub(super) notes: Vec<String>,
    pub(super) matches: Option<MatchList>,
    pub(super) out: Vec<Gone>,
    /// Its place in the sheet; none for days that no evening there has.
    number: Option<usize>,
    /// Where it belongs among the others; none for one without a day.
    from: Option<NaiveDate>,
    listed: Vec<MatchSummary>,
}

/// Somebody who fell in this evening, by their host's word.
#[derive(Debug)]
pub(super) struct Gone {
    pub(super) cover: Cover,
    pub(super) name: String,
    pub(super) by: String,
}

/// Everybody against everybody.
#[derive(Debug, Template)]
#[template(path = "events/meetings.html")]
pub(super) struct Meetings {
    rows: Vec<TableRow>,
}

#[derive(Debug)]
struct TableRow {
    name: String,
    /// Its first two signs, over a column.
    short: String,
    address: String,
    cells: Vec<TableCell>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum TableCell {
    Same,
    None,
    /// The word for the style sheet, what is written, what it means, and the page of it.
    Met {
        kind: &'static str,
        sign: String,
        words: String,
        address: String,
    },
}

impl Evening {
    fn told(n: usize, told: &tournament::Evening, sheet: &EventSheet) -> Self {
        let is_here = |out: &&tournament::Out| out.evening.is_some_and(|evening| usize::from(evening) == n + 1);
        let gone = sheet.cast.iter().filter_map(|member| {
            let out = member.out.as_ref().filter(is_here)?;
            let cover = Cover::of(&member.name).lettered(&member.monogram);
            Some(Gone { cover, name: member.name.clone(), by: out.by.clone() })
        });
        let days = [&told.date, &told.until].into_iter().filter(|day| !day.is_empty()).map(|day| When::written(day));
        Self {
            title: if told.title.is_empty() { format!("Evening {}", n + 1) } else { told.title.clone() },
            days: days.collect(),
            recording: Some(told.recording.clone()).filter(|recording| !recording.is_empty()),
            notes: told.notes.lines().map(str::to_owned).filter(|line| !line.trim().is_empty()).collect(),
            out: gone.collect(),
            number: Some(n),
            from: told.date.parse().ok(),
            ..Self::default()
        }
    }

    fn of_day(day: Option<NaiveDate>, when: When) -> Self {
        Self { days: vec![when], from: day, ..Self::default() }
    }

    /// The evenings in order: as the host told them, and between them the days that no evening has.
    pub(super) fn all(latest_first: &[MatchSummary], sheet: &EventSheet) -> Vec<Self> {
        let told = sheet.evenings.iter().enumerate();
        let mut evenings: Vec<Self> = told.map(|(n, evening)| Self::told(n, evening, sheet)).collect();
        for listed in latest_first.iter().rev() {
            let when = When::of_match(listed.date.as_deref(), &listed.mode, listed.played_at);
            let undated = listed.date.is_none() && matches!(listed.mode.as_str(), "imported" | "result");
            let day = listed.date.as_deref().map_or(Some(listed.played_at.date_naive()), |date| date.parse().ok());
            let day = day.filter(|_| !undated);
            let of_host = day.and_then(|day| sheet.evenings.iter().position(|evening| evening.has(day)));
            let same = |evening: &Self| match of_host {
                Some(n) => evening.number == Some(n),
                None => evening.number.is_none() && evening.days.contains(&when),
            };
            let place = evenings.iter().position(same).unwrap_or_else(|| {
                let later = |evening: &Self| day.is_some() && evening.from > day;
                let place = evenings.iter().position(later).unwrap_or(evenings.len());
                evenings.insert(place, Self::of_day(day, when.clone()));
                place
            });
            if let Some(evening) = evenings.get_mut(place) {
                evening.listed.push(listed.clone());
            }
        }
        let mut drawn = false;
        for evening in evenings.iter_mut().filter(|evening| !evening.listed.is_empty()) {
            let caption = evening.days.first().map_or_else(|| evening.title.clone(), |when| when.text.clone());
            let list = MatchList::of(format!("Matches, {caption}"), &evening.listed).with_hidden_caption();
            evening.matches = Some(if drawn { list.after_another() } else { list });
            drawn = true;
        }
        evenings
    }
}

type Met<'m> = BTreeMap<(&'m str, &'m str), Vec<(char, &'m MatchSummary)>>;

impl Meetings {
    pub(super) fn of(latest_first: &[MatchSummary], standings: &[Standing]) -> Option<Self> {
        if !(3..=TABLE_PLAYERS_MAX).contains(&standings.len()) {
            return None;
        }
        let mut met = Met::new();
        for listed in latest_first.iter().rev() {
            let (Some(p1), Some(p2)) = (listed.p1.key.as_deref(), listed.p2.key.as_deref()) else { continue };
            let (first, second) = match listed.result.as_str() {
                "p1" => ('W', 'L'),
                "p2" => ('L', 'W'),
                "void" => ('x', 'x'),
                "*" => ('*', '*'),
                _ => ('-', '-'),
            };
            met.entry((p1, p2)).or_default().push((first, listed));
            met.entry((p2, p1)).or_default().push((second, listed));
        }
        let cell = |row: &Standing, column: &Standing| match met.get(&(row.key.as_str(), column.key.as_str())) {
            _ if row.key == column.key => TableCell::Same,
            Some(all) => TableCell::of(all, row, column),
            None => TableCell::None,
        };
        let row = |row: &Standing| TableRow {
            name: row.name.clone(),
            short: row.name.chars().filter(|sign| sign.is_alphanumeric()).take(2).collect(),
            address: player_address(&row.key),
            cells: standings.iter().map(|column| cell(row, column)).collect(),
        };
        Some(Self { rows: standings.iter().map(row).collect() })
    }
}

impl TableCell {
    fn of(all: &[(char, &MatchSummary)], row: &Standing, column: &Standing) -> Self {
        let count = |sign: char| all.iter().filter(|(is, _)| *is == sign).count();
        let (won, lost) = (count('W'), count('L'));
        if let [(sign, listed)] = all {
            let (kind, sign, words) = match sign {
                'W' => ("won", "W", "beat"),
                'L' => ("lost", "L", "lost to"),
                'x' => ("void", "\u{d7}", "void match against"),
                '*' => ("open", "\u{2026}", "is playing"),
                _ => ("undecided", "\u{2013}", "without a winner against"),
            };
            let address = match_address(MatchId(listed.match_id));
            return Self::Met { kind, sign: sign.to_owned(), words: format!("{words} {}", column.name), address };
        }
        let kind = if won > lost {
            "won"
        } else if lost > won {
            "lost"
        } else {
            "undecided"
        };
        let address = head_to_head_address(&row.key, &column.key);
        let words = format!("won {won}, lost {lost} against {}", column.name);
        Self::Met { kind, sign: format!("{won}\u{2013}{lost}"), words, address }
    }
}

#[cfg(test)]
mod tests {
    use app::archive::ListedName;
    use app::tournament::{CastMember, Out};

    use super::*;

    fn named(name: &str) -> ListedName {
        ListedName { name: name.to_owned(), key: Some(name.to_lowercase()) }
    }

    fn played(day: u32, p1: &str, p2: &str, result: &str) -> MatchSummary {
        MatchSummary {
            p1: named(p1),
            p2: named(p2),
            result: result.to_owned(),
            mode: "recorded".to_owned(),
            played_at: format!("2024-03-{day:02}T20:00:00Z").parse().unwrap(),
            ..MatchSummary::default()
        }
    }

    fn standing(name: &str) -> Standing {
        Standing { place: 1, key: name.to_lowercase(), name: name.to_owned(), won: 0, lost: 0, other: 0, running: 0 }
    }

    fn outline(evenings: &[Evening]) -> Vec<(String, usize, usize)> {
        let day = |evening: &Evening| evening.days.first().map_or(evening.title.clone(), |when| when.text.clone());
        evenings.iter().map(|evening| (day(evening), evening.listed.len(), evening.out.len())).collect()
    }

    #[test]
    fn a_defeat_without_a_later_match_is_no_fall_until_the_host_says_so() {
        let matches = [played(9, "Ada", "Cy", "p2"), played(3, "Bo", "Ada", "p2"), played(2, "Ada", "Dov", "p1")];
        let silent = Evening::all(&matches, &EventSheet::default());
        let days = |text: &str, n, out| (text.to_owned(), n, out);
        assert_eq!(outline(&silent), [days("2 Mar 2024", 1, 0), days("3 Mar 2024", 1, 0), days("9 Mar 2024", 1, 0)]);
        let told = |title: &str, date: &str, until: &str| tournament::Evening {
            title: title.to_owned(),
            date: date.to_owned(),
            until: until.to_owned(),
            ..tournament::Evening::default()
        };
        let out = Some(Out { evening: Some(1), by: "Ada".into() });
        let sheet = EventSheet {
            cast: vec![CastMember { name: "Bo".into(), out, ..CastMember::default() }],
            evenings: vec![told("One", "2024-03-02", "2024-03-03"), told("Two", "2024-03-20", "")],
            ..EventSheet::default()
        };
        let evenings = Evening::all(&matches, &sheet);
        assert_eq!(outline(&evenings), [days("2 Mar 2024", 2, 1), days("9 Mar 2024", 1, 0), days("20 Mar 2024", 0, 0)]);
        assert!(evenings[2].matches.is_none());
    }

    #[test]
    fn who_met_whom_is_seen_from_both_sides() {
        let matches = [
            played(9, "Ada", "Cy", "void"),
            played(4, "Bo", "Cy", "undecided"),
            played(3, "Bo", "Ada", "p2"),
            played(2, "Ada", "Bo", "p2"),
            played(1, "Ada", "Bo", "p1"),
        ];
        let meetings = Meetings::of(&matches, &["Ada", "Bo", "Cy"].map(standing)).unwrap();
        let signs = |row: &TableRow| {
            let sign = |cell: &TableCell| match cell {
                TableCell::Met { kind, sign, .. } => format!("{kind} {sign}"),
                cell => format!("{cell:?}"),
            };
            row.cells.iter().map(sign).collect::<Vec<_>>()
        };
        assert_eq!(signs(&meetings.rows[0]), ["Same", "won 2\u{2013}1", "void \u{d7}"]);
        assert_eq!(signs(&meetings.rows[1]), ["lost 1\u{2013}2", "Same", "undecided \u{2013}"]);
        assert!(Meetings::of(&matches, &["Ada", "Bo"].map(standing)).is_none());
    }
}

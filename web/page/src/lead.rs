//! Who led, row by row, as one line about a middle: above it seat 1 is ahead, below it seat 2.

use askama::Template;
use engine::Duel;
use record::SheetRow;

use super::SeatName;

const WIDTH: u32 = 320;
const HALF: i64 = 38;
const MARGIN: u32 = 8;

#[derive(Clone, Debug, Template)]
#[template(path = "lead.html")]
pub struct Lead {
    points: String,
    area: String,
    tip: (u32, i64),
    words: String,
    leader: Option<SeatName>,
    rows: usize,
}

impl Lead {
    /// The line of these rows; none while nothing was counted.
    #[must_use]
    pub fn of(rows: &[SheetRow<'_>], names: [&SeatName; 2]) -> Option<Self> {
        let lead = |duel: &Duel| duel.score().map(|score| i64::from(score.p1) - i64::from(score.p2));
        let leads: Vec<i64> = [0].into_iter().chain(rows.iter().filter_map(|row| row.after().and_then(lead))).collect();
        let last = *leads.last().filter(|_| leads.len() > 2)?;
        let most = leads.iter().map(|lead| lead.abs()).max().unwrap_or(1).max(2);
        let count = u32::try_from(leads.len() - 1).unwrap_or(1);
        let place =
            |(at, lead): (u32, &i64)| (MARGIN + at * (WIDTH - 2 * MARGIN) / count, HALF - lead * (HALF - 4) / most);
        let places: Vec<(u32, i64)> = (0..).zip(&leads).map(place).collect();
        let points: Vec<String> = places.iter().map(|(x, y)| format!("{x},{y}")).collect();
        let (points, tip) = (points.join(" "), *places.last()?);
        let leader = match last {
            0 => None,
            lead => names.get(usize::from(lead < 0)).map(|name| (*name).clone()),
        };
        let words = if leader.is_some() { format!("ahead by {}", last.abs()) } else { "tied".to_owned() };
        let area = format!("{MARGIN},{HALF} {points} {},{HALF}", tip.0);
        Some(Self { points, area, tip, words, leader, rows: rows.len() })
    }
}

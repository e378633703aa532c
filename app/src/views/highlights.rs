//! What makes a match worth watching: changes of the lead, the largest swing, the round that decided, the comeback, and
//! how close the finish was.
//!
//! All of it follows from the score after each row of the sheet, which everybody may know at any time. In a game that is
//! scored at its end alone, changes of the lead and swings follow from the first figure that each seat has. It must not be
//! shown to a reader without spoilers.

use engine::{BySeat, Duel, Outcome, Reason, Seat};
use record::History;

/// A point is neither a swing nor a comeback.
const POINTS_MIN: u32 = 2;
const COURSE_POINTS_MAX: usize = 24;
/// The drama of a change of the lead. A swing as large as the highest score counts as five of them.
const LEAD_CHANGE_DRAMA: u32 = 20;
const SWING_DRAMA: u32 = 100;
const LATENESS_MAX: usize = 1_000;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Highlights {
    pub lead_changes: Vec<String>,
    pub swing: Option<Highlight>,
    pub decision: Option<Decision>,
    pub comeback: Option<Highlight>,
    pub finish: Option<Finish>,
    /// The highest score of the match: what the margin at the end is relative to.
    pub scale: u32,
    /// The highest figure by which the lead is counted: what a swing is relative to.
    pub swing_scale: u32,
    /// How far seat 1 is ahead of seat 2 in the course of the match, in hundredths of the largest margin. A margin below a
    /// quarter of the highest figure is drawn as small as it is.
    pub course: Vec<i8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Highlight {
    pub row: String,
    pub seat: Seat,
    pub points: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    pub row: String,
    pub seat: Seat,
    /// True if the winner led from this row to the end. Otherwise the end itself decided: a tie-break, a challenge, or
    /// final hands.
    pub led: bool,
    /// How late in the match it was: 1,000 in the last row.
    pub lateness: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finish {
    pub row: String,
    pub points: u32,
}

impl Highlights {
    #[must_use]
    pub fn of(history: &History) -> Self {
        let rows = history.rows();
        let states: Vec<Option<&Duel>> =
            std::iter::once(Some(&history.start)).chain(rows.iter().map(|row| row.after())).collect();
        let scores: Vec<Option<BySeat<i32>>> = states.iter().map(|duel| duel.and_then(|duel| duel.score())).collect();
        let labels: Vec<String> = rows.iter().map(|row| row.label.clone()).collect();
        let ending = match history.outcome() {
            Outcome::Over(ending) if ending.reason != Reason::UMPIRE => Some(ending.verdict.winner()),
            _ => None,
        };
        let course = course(&states, &scores);
        let found = Self { course, ..Self::of_scores(&labels, &scores, ending) };
        // Nobody knows whether more of what an umpire counts is better: what moved most is all there is to say.
        if history.ruleset().declaration().is_some() {
            return Self { lead_changes: Vec::new(), comeback: None, decision: None, ..found };
        }
        if is_scored(&scores) {
            return found;
        }
        let figures: Vec<Option<BySeat<i32>>> = states.iter().map(|duel| duel.and_then(first_figures)).collect();
        let Self { lead_changes, swing, swing_scale, .. } = Self::of_scores(&labels, &figures, None);
        Self { lead_changes, swing, swing_scale, ..found }
    }

    fn of_scores(rows: &[String], scores: &[Option<BySeat<i32>>], ending: Option<Option<Seat>>) -> Self {
        let margins: Vec<Option<i64>> =
            scores.iter().map(|score| score.map(|score| i64::from(score.p1) - i64::from(score.p2))).collect();
        let changes = rows.iter().zip(changes_of_lead(&margins)).filter(|(_, changes)| *changes);
        let winner = ending.flatten();
        let finish = margins.last().copied().flatten().zip(rows.last()).filter(|_| ending.is_some());
        let scale = scores
            .iter()
            .flatten()
            .flat_map(|score| [score.p1, score.p2].map(i32::unsigned_abs))
            .max()
            .unwrap_or(0)
            .max(1);
        Self {
            lead_changes: changes.map(|(row, _)| row.clone()).collect(),
            swing: largest_swing(rows, &margins),
            decision: winner.and_then(|winner| decision(rows, &margins, winner)),
            comeback: winner.and_then(|winner| comeback(rows, &margins, winner)),
            finish: finish.map(|(margin, row)| Finish { row: row.clone(), points: points(margin) }),
            scale,
            swing_scale: scale,
            course: Vec::new(),
        }
    }

    /// How dramatic it was: 20 for each change of the lead, and the largest swing in hundredths of the highest score, or
    /// of the highest figure in a game that is scored at its end alone. Lists are sorted by it.
    #[must_use]
    pub fn drama(&self) -> u32 {
        let changes = u32::try_from(self.lead_changes.len()).unwrap_or(u32::MAX);
        let swing = self.swing.as_ref().map_or(0, |swing| swing.points.saturating_mul(SWING_DRAMA) / self.swing_scale);
        changes.saturating_mul(LEAD_CHANGE_DRAMA).saturating_add(swing)
    }

    /// How close the finish was: 1,000 for tied scores, and 0 for a margin as large as the highest score. None without
    /// a finish. Lists are sorted by it.
    #[must_use]
    pub fn closeness(&self) -> Option<u32> {
        let apart = self.finish.as_ref()?.points.saturating_mul(1_000) / self.scale;
        Some(1_000_u32.saturating_sub(apart))
    }
}

fn points(margin: i64) -> u32 {
    u32::try_from(margin.unsigned_abs()).unwrap_or(u32::MAX)
}

const fn ahead(margin: i64, seat: Seat) -> i64 {
    match seat {
        Seat::P1 => margin,
        Seat::P2 => -margin,
    }
}

/// Marks the rows after which a seat leads that did not lead before. A margin is how far seat 1 is ahead, at the start
/// and after each row.
#[must_use]
pub fn changes_of_lead(margins: &[Option<i64>]) -> Vec<bool> {
    let mut led = None;
    let changes = margins.iter().map(|margin| {
        let leads = margin.map(i64::signum).filter(|side| *side != 0);
        let changes = leads.is_some() && led.is_some() && leads != led;
        led = leads.or(led);
        changes
    });
    changes.skip(1).collect()
}

fn largest_swing(rows: &[String], margins: &[Option<i64>]) -> Option<Highlight> {
    let moved = margins.iter().zip(margins.iter().skip(1)).zip(rows);
    let moved = moved.filter_map(|((before, after), row)| {
        let by = (*after)? - (*before)?;
        let seat = if by > 0 { Seat::P1 } else { Seat::P2 };
        Some(Highlight { row: row.clone(), seat, points: points(by) })
    });
    greatest(moved)
}

fn decision(rows: &[String], margins: &[Option<i64>], winner: Seat) -> Option<Decision> {
    let leads = |margin: &Option<i64>| margin.is_some_and(|margin| ahead(margin, winner) > 0);
    let led = margins.iter().rev().take_while(|margin| leads(margin)).count();
    // Of a game that is scored at its end alone, the only score says nothing of the course.
    let counted = margins.iter().flatten().count() > 1;
    let led = if counted { led } else { 0 };
    // The margins begin with that before the first row.
    let at = margins.len().saturating_sub(led.max(1)).saturating_sub(1);
    let lateness = (at.saturating_add(1) * LATENESS_MAX).checked_div(rows.len()).unwrap_or(0);
    let lateness = u32::try_from(lateness).unwrap_or(0);
    Some(Decision { row: rows.get(at)?.clone(), seat: winner, led: led > 0, lateness })
}

fn comeback(rows: &[String], margins: &[Option<i64>], winner: Seat) -> Option<Highlight> {
    let behind = margins.iter().skip(1).zip(rows).filter_map(|(margin, row)| {
        let behind = -ahead((*margin)?, winner);
        (behind > 0).then(|| Highlight { row: row.clone(), seat: winner, points: points(behind) })
    });
    greatest(behind)
}

fn course(states: &[Option<&Duel>], scores: &[Option<BySeat<i32>>]) -> Vec<i8> {
    let pairs: Vec<BySeat<i32>> = if is_scored(scores) {
        scores.iter().flatten().copied().collect()
    } else {
        states.iter().copied().flatten().filter_map(first_figures).collect()
    };
    let highest = pairs.iter().flat_map(|pair| [pair.p1, pair.p2].map(i32::unsigned_abs)).max().unwrap_or(0);
    let widest = pairs.iter().map(|pair| pair.p1.abs_diff(pair.p2)).max().unwrap_or(0);
    let top = i64::from(widest.max(highest / 4).max(1));
    let point = |pair: &BySeat<i32>| {
        let ahead = (i64::from(pair.p1) - i64::from(pair.p2)) * 100 / top;
        i8::try_from(ahead.clamp(-100, 100)).unwrap_or(0)
    };
    let last = pairs.len().saturating_sub(1);
    let shown = pairs.len().min(COURSE_POINTS_MAX);
    let at = |n: usize| (n * last).checked_div(shown.saturating_sub(1)).unwrap_or(0);
    (0..shown).filter_map(|n| pairs.get(at(n))).map(point).collect()
}

fn is_scored(scores: &[Option<BySeat<i32>>]) -> bool {
    scores.first().is_some_and(Option::is_some)
}

fn first_figures(duel: &Duel) -> Option<BySeat<i32>> {
    let figures = duel.figures();
    let first = figures.iter().find(|figure| figure.seat == Some(Seat::P1))?;
    let other = figures.iter().find(|figure| figure.seat == Some(Seat::P2) && figure.name == first.name)?;
    Some(BySeat { p1: first.value, p2: other.value })
}

fn greatest(highlights: impl Iterator<Item = Highlight>) -> Option<Highlight> {
    let greatest = highlights.reduce(|most, next| if next.points > most.points { next } else { most })?;
    (greatest.points >= POINTS_MIN).then_some(greatest)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;
    use std::{env, fs};

    use super::*;
    use crate::played;

    fn scored(scores: &[(i32, i32)], winner: Option<Seat>) -> Highlights {
        let rows: Vec<String> = (1..scores.len()).map(|row| row.to_string()).collect();
        let scores: Vec<_> = scores.iter().map(|(p1, p2)| Some(BySeat { p1: *p1, p2: *p2 })).collect();
        Highlights::of_scores(&rows, &scores, Some(winner))
    }

    #[test]
    fn the_lead_changes_where_the_other_seat_leads_for_the_first_time() {
        let found = scored(&[(0, 0), (2, 0), (2, 2), (2, 3), (3, 3), (3, 6), (7, 6)], Some(Seat::P1));
        assert_eq!(found.lead_changes, ["3", "6"], "with tied scores nobody leads");
        let swing = Highlight { row: "6".to_owned(), seat: Seat::P1, points: 4 };
        assert_eq!(found.swing, Some(swing));
        assert_eq!(found.comeback, Some(Highlight { row: "5".to_owned(), seat: Seat::P1, points: 3 }));
        assert_eq!(found.decision, Some(Decision { row: "6".to_owned(), seat: Seat::P1, led: true, lateness: 1_000 }));
        assert_eq!(found.finish, Some(Finish { row: "6".to_owned(), points: 1 }));
        // Two changes, and a swing of 4 where the highest score is 7.
        assert_eq!((found.drama(), found.closeness()), (2 * 20 + 57, Some(1_000 - 142)));
    }

    #[test]
    fn with_tied_scores_the_end_itself_decides() {
        let found = scored(&[(0, 0), (1, 0), (1, 1)], Some(Seat::P2));
        assert_eq!(found.decision, Some(Decision { row: "2".to_owned(), seat: Seat::P2, led: false, lateness: 1_000 }));
        assert_eq!((found.swing, found.comeback), (None, None), "a point is neither a swing nor a comeback");
        let ahead = scored(&[(5, 0), (6, 0)], Some(Seat::P1));
        assert_eq!(ahead.decision.map(|decision| decision.row), Some("1".to_owned()), "ahead from the beginning");
        let early = scored(&[(0, 0), (2, 0), (3, 0), (3, 1), (3, 2)], Some(Seat::P1));
        assert_eq!(early.decision.map(|decision| decision.lateness), Some(250), "in the first row of four");
        let nobody = scored(&[(0, 0), (3, 0), (3, 3)], None);
        assert_eq!((nobody.decision, nobody.comeback), (None, None));
        assert_eq!(
            Highlights::of_scores(&[], &[None], None),
            Highlights { scale: 1, swing_scale: 1, ..Highlights::default() }
        );
    }

    /// The highlights of a match, as the fixture has them.
    fn told(found: &Highlights) -> String {
        let mut text = String::new();
        let at = |highlight: &Highlight| format!("{} {} {}", highlight.row, highlight.seat.word(), highlight.points);
        if !found.lead_changes.is_empty() {
            let _ = write!(text, "; lead {}", found.lead_changes.join(" "));
        }
        for (word, highlight) in [("swing", &found.swing), ("comeback", &found.comeback)] {
            if let Some(highlight) = highlight {
                let _ = write!(text, "; {word} {}", at(highlight));
            }
        }
        if let Some(Decision { row, seat, led, .. }) = &found.decision {
            let _ = write!(text, "; {} {row} {}", if *led { "led from" } else { "decided in" }, seat.word());
        }
        if let Some(Finish { row, points }) = &found.finish {
            let _ = write!(text, "; finish {row} by {points}");
        }
        let _ = write!(text, "; drama {}", found.drama());
        let course: Vec<String> = found.course.iter().map(ToString::to_string).collect();
        format!("{}\n    {}\n", text.trim_start_matches("; "), course.join(" "))
    }

    #[test]
    fn highlights_of_every_match_of_the_archive() {
        let mut text = String::from(HEAD);
        for fixture in played::archive() {
            let history = played::Book::imported(&fixture.text).history();
            let found = Highlights::of(&history);
            assert!(found.course.len() <= COURSE_POINTS_MAX, "{}", fixture.name);
            let _ = write!(text, "{}: {}", fixture.name, told(&found));
        }
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/highlights.txt");
        if env::var_os("UPDATE").is_some() {
            fs::write(path, &text).unwrap();
        }
        assert_eq!(fs::read_to_string(path).unwrap(), text, "UPDATE=1 writes it again");
    }

    const HEAD: &str = "\
# The highlights of every match in matches/: rows of the sheet, seats and points; then the course.
";
}

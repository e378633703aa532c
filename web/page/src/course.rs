//! The ribbon of a match: one column a round, as high as the lead after it. Above the middle the first player was ahead, below
//! it the second. The words beside it say how the match ended, so screen readers skip it.

use std::fmt::Write;

use askama::Template;

/// The width of a column, and the height from the middle to an edge, in the drawing's own units.
const EACH: usize = 5;
const HALF: i32 = 10;
/// The columns in a row of a list, of which a page has many.
const ROW_COLUMNS: usize = 24;
/// Games in which nobody leads before the end: what is counted until then decides nothing.
const WITHOUT_LEAD: [&str; 1] = ["thwart-13"];

#[derive(Clone, Debug, PartialEq, Eq, Template)]
#[template(
    source = r#"<svg class="lead-line" viewBox="0 0 {{ width }} 20" preserveAspectRatio="none" aria-hidden="true"><path d="{{ above }}"/><path d="{{ below }}"/><path d="M0 10H{{ width }}"/></svg>"#,
    ext = "html"
)]
pub struct Course {
    width: usize,
    above: String,
    below: String,
}

impl Course {
    /// A ribbon of signed bytes: how far the first player was ahead, in hundredths. None if nobody was, or nobody could be.
    pub fn of(game: &str, points: &[u8]) -> Option<Self> {
        let leads: Vec<i32> = points.iter().map(|point| i32::from(i8::from_be_bytes([*point]))).collect();
        if !has_lead(game) || leads.iter().all(|lead| *lead == 0) {
            return None;
        }
        let heights: Vec<i32> = leads.iter().map(|lead| lead * HALF / 100).collect();
        let (above, below) = (area(heights.iter().map(|it| *it.max(&0))), area(heights.iter().map(|it| *it.min(&0))));
        Some(Self { width: points.len() * EACH, above, below })
    }

    pub fn of_row(game: &str, points: &[u8]) -> Option<Self> {
        let step = points.len().div_ceil(ROW_COLUMNS).max(1);
        // Counted from the end, so that the last column is the end of the match.
        let mut fewer: Vec<u8> = points.iter().rev().step_by(step).copied().collect();
        fewer.reverse();
        Self::of(game, &fewer)
    }

    /// As the second player sees it.
    #[must_use]
    pub fn turned(self) -> Self {
        // Each height is between a V and the letter after it.
        let turn = |path: &str| {
            let parts = path.split('V').enumerate().map(|(at, part)| {
                let end = part.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(part.len());
                let (height, rest) = part.split_at(end);
                height
                    .parse::<i32>()
                    .ok()
                    .filter(|_| at > 0)
                    .map_or(part.to_owned(), |it| format!("{}{rest}", 2 * HALF - it))
            });
            parts.collect::<Vec<_>>().join("V")
        };
        Self { width: self.width, above: turn(&self.below), below: turn(&self.above) }
    }
}

/// True if somebody leads in this game before its end.
pub(super) fn has_lead(game: &str) -> bool {
    !WITHOUT_LEAD.contains(&game)
}

/// Columns between the middle and these heights. The y axis points down, and columns of one height are one.
fn area(heights: impl Iterator<Item = i32>) -> String {
    let (mut path, mut now, mut run) = (format!("M0 {HALF}"), 0, 0);
    for height in heights {
        if height != now {
            if run > 0 {
                let _ = write!(path, "h{run}");
            }
            let _ = write!(path, "V{}", HALF - height);
            (now, run) = (height, 0);
        }
        run += EACH;
    }
    let _ = write!(path, "h{run}V{HALF}z");
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(points: &[i8]) -> Vec<u8> {
        points.iter().map(|point| point.to_be_bytes()[0]).collect()
    }

    #[test]
    fn a_column_is_above_the_middle_while_the_first_player_leads() {
        let drawn = Course::of("five-card-trick", &bytes(&[0, 100, 100, -50])).unwrap();
        assert_eq!((drawn.above.as_str(), drawn.width), ("M0 10h5V0h10V10h5V10z", 20));
        assert_eq!(drawn.below, "M0 10h15V15h5V10z");
        assert_eq!(drawn.clone().turned().above, "M0 10h15V5h5V10z");
        assert_eq!(drawn.clone().turned().turned(), drawn);
        assert_eq!(Course::of("five-card-trick", &[0, 0, 0]), None, "nobody was ever ahead");
        let long: Vec<i8> = (0..96).map(|n| if n == 95 { 100 } else { 0 }).collect();
        let row = Course::of_row("five-card-trick", &bytes(&long)).unwrap();
        assert_eq!((row.width, row.above.as_str()), (ROW_COLUMNS * EACH, "M0 10h115V0h5V10z"), "its end is drawn");
    }

    #[test]
    fn no_lead_is_made_up_for_a_game_that_has_none() {
        assert_eq!(Course::of("thwart-13", &bytes(&[0, 10, 20])), None);
    }
}

//! The course of a match as a drawing: above the middle the first player was ahead, below it the second. The words beside it
//! say how it ended, so screen readers skip it.

use std::fmt::Write;

use askama::Template;

/// The distance between two points, and the height from the middle to an edge, in the drawing's own units.
const EACH: usize = 5;
const HALF: i32 = 9;
/// The points in a row of a list, of which a page has many.
const ROW_POINTS: usize = 12;

#[derive(Clone, Debug, PartialEq, Eq, Template)]
#[template(
    source = r#"<svg class="lead-line"{% if let Some(width) = width %} viewBox="0 0 {{ width }} 20"{% endif %}><path d="{{ path }}"/></svg>"#,
    ext = "html"
)]
pub struct Course {
    width: Option<usize>,
    path: String,
}

impl Course {
    /// A drawing of any size, of signed bytes: how far the first player was ahead, in hundredths. None if nobody was.
    pub fn of(points: &[u8]) -> Option<Self> {
        let width = points.len().saturating_sub(1) * EACH;
        let shows = points.iter().any(|point| *point != 0);
        shows.then(|| Self { width: Some(width), path: path(points.iter().copied()) })
    }

    pub fn of_row(points: &[u8]) -> Option<Self> {
        let step = points.len().div_ceil(ROW_POINTS).max(1);
        // Counted from the end, so that the last point is the end of the match.
        let mut fewer: Vec<u8> = points.iter().rev().step_by(step).copied().collect();
        fewer.reverse();
        Some(Self { width: None, ..Self::of(&fewer)? })
    }
}

/// The points as an SVG path. The y axis points down. Steps are relative, which takes fewer letters.
fn path(points: impl Iterator<Item = u8>) -> String {
    let heights = points.map(|point| i32::from(i8::from_be_bytes([point])) * HALF / 100);
    let (mut path, mut last) = (String::new(), None);
    for height in heights {
        let _ = match last {
            None => write!(path, "M0 {}", HALF + 1 - height),
            Some(before) if before == height => write!(path, "h{EACH}"),
            Some(before) => write!(path, "l{EACH} {}", before - height),
        };
        last = Some(height);
    }
    path.replace(" -", "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_above_the_middle_while_the_first_player_leads() {
        let bytes = |points: &[i8]| points.iter().map(|point| point.to_be_bytes()[0]).collect::<Vec<_>>();
        let drawn = Course::of(&bytes(&[0, 100, 100, -100])).unwrap();
        assert_eq!((drawn.path.as_str(), drawn.width), ("M0 10l5-9h5l5 18", Some(15)));
        assert_eq!(Course::of(&[0, 0, 0]), None, "nobody was ever ahead");
        let long: Vec<i8> = (0..24).map(|n| if n == 23 { 100 } else { 0 }).collect();
        let row = Course::of_row(&bytes(&long)).unwrap();
        assert_eq!((row.path.matches(['h', 'l']).count(), row.width), (11, None));
        assert!(row.path.ends_with("l5-9"), "the end of the match is drawn: {}", row.path);
    }
}

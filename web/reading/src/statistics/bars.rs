//! Counts as bars over a scale. The table beside them says the same, so the picture is only decoration.

use askama::Template;

/// The width and height of the drawing, in its own units.
const WIDTH: i64 = 720;
const HEIGHT: i64 = 160;
const FOOT: i64 = 24;
const WIDEST: i64 = 60;
/// The most numbers on the scale.
const LABELS: i64 = 24;

#[derive(Debug, Template)]
#[template(
    source = r#"<svg class="bars" viewBox="0 0 {{ width }} {{ height }}" aria-hidden="true" focusable="false">{% for bar in bars %}<rect x="{{ bar.x }}" y="{{ bar.y }}" width="{{ bar.width }}" height="{{ bar.height }}"/>{% endfor %}{% for (middle, label) in labels %}<text x="{{ middle }}" y="{{ foot }}">{{ label }}</text>{% endfor %}</svg>"#,
    ext = "html"
)]
pub(super) struct Bars {
    bars: Vec<Bar>,
    /// The scale: the position of a number, and the number.
    labels: Vec<(i64, i32)>,
    width: i64,
    height: i64,
    foot: i64,
}

#[derive(Debug, PartialEq, Eq)]
struct Bar {
    x: i64,
    y: i64,
    width: i64,
    height: i64,
}

impl Bars {
    pub(super) fn of(counts: &[(i32, i64)]) -> Option<Self> {
        let most = counts.iter().map(|(_, n)| *n).max().filter(|most| *most > 0)?;
        let (least, greatest) = (counts.iter().map(|(at, _)| *at).min()?, counts.iter().map(|(at, _)| *at).max()?);
        let span = i64::from(greatest) - i64::from(least) + 1;
        let all = WIDTH.min(span * WIDEST);
        let place = |number: i32| (i64::from(number) - i64::from(least)) * all / span;
        let each = (all / span).max(1);
        let width = (each - each / 6 - 1).max(1);
        let bars = counts.iter().map(|(number, count)| {
            let tall = (HEIGHT - FOOT - 2) * count / most;
            // A positive count is always visible, however small.
            let height = if *count > 0 { tall.max(1) } else { 0 };
            Bar { x: place(*number), y: HEIGHT - FOOT - height, width, height }
        });
        let steps = (0..9).flat_map(|zeros| [1, 2, 5].map(|step| step * 10_i32.pow(zeros)));
        let step = steps.into_iter().find(|step| span / i64::from(*step) < LABELS)?;
        let labelled = (least..=greatest).filter(|number| number % step == 0);
        let labels = labelled.map(|number| (place(number) + width / 2, number)).collect();
        Some(Self { bars: bars.collect(), labels, width: WIDTH, height: HEIGHT, foot: HEIGHT - 4 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tallest_bar_fills_the_drawing_and_the_smallest_is_seen() {
        let bars = Bars::of(&[(1, 1), (2, 0), (3, 10_000)]).unwrap().bars;
        assert_eq!(bars.iter().map(|bar| bar.height).collect::<Vec<_>>(), [1, 0, HEIGHT - FOOT - 2]);
        assert!(Bars::of(&[]).is_none() && Bars::of(&[(1, 0)]).is_none());
    }

    #[test]
    fn bars_are_at_their_numbers() {
        let drawn = Bars::of(&[(6, 2), (12, 3), (17, 1), (25, 4)]).unwrap();
        let each = WIDTH / 20;
        assert_eq!(drawn.bars.iter().map(|bar| bar.x).collect::<Vec<_>>(), [0, 6 * each, 11 * each, 19 * each]);
        assert_eq!(drawn.labels.iter().map(|(_, number)| *number).collect::<Vec<_>>(), (6..=25).collect::<Vec<_>>());
        let many: Vec<_> = (0..900).map(|n| (n, 1)).collect();
        let drawn = Bars::of(&many).unwrap();
        assert!(drawn.labels.len() as i64 <= LABELS && drawn.labels.iter().all(|(_, number)| number % 50 == 0));
        assert!(drawn.bars.iter().all(|bar| bar.x + bar.width <= WIDTH));
    }
}

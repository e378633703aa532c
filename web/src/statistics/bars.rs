//! Counts as bars. The table beside them says the same, so that the picture is for the eye alone.

use askama::Template;

/// Width and height of the drawing, in its own units.
const WIDTH: u32 = 720;
const HEIGHT: u32 = 160;
/// Room below the bars for what they are of.
const FOOT: u32 = 18;
/// The most bars that each have a label of their own.
const LABELLED: usize = 30;

/// A drawing of bars.
#[derive(Debug, Template)]
#[template(
    source = r#"<svg class="bars" viewBox="0 0 {{ width }} {{ height }}" aria-hidden="true" focusable="false">{% for bar in bars %}<rect x="{{ bar.x }}" y="{{ bar.y }}" width="{{ bar.width }}" height="{{ bar.height }}"/>{% if let Some(label) = bar.label %}<text x="{{ bar.middle }}" y="{{ foot }}">{{ label }}</text>{% endif %}{% endfor %}</svg>"#,
    ext = "html"
)]
pub(super) struct Bars {
    bars: Vec<Bar>,
    width: u32,
    height: u32,
    foot: u32,
}

#[derive(Debug, PartialEq, Eq)]
struct Bar {
    x: u32,
    y: u32,
    width: u32,
    height: u32,
    middle: u32,
    label: Option<String>,
}

impl Bars {
    /// One bar for each count, in this order. None where there is nothing to draw.
    pub(super) fn of(counts: &[(String, i64)]) -> Option<Self> {
        let most = counts.iter().map(|(_, n)| *n).max().filter(|most| *most > 0)?;
        let each = (WIDTH / u32::try_from(counts.len()).ok()?).clamp(1, 60);
        let step = counts.len().div_ceil(LABELLED);
        let bars = (0..).zip(counts.iter().enumerate()).map(|(at, (n, (label, count)))| {
            let tall = u32::try_from(i64::from(HEIGHT - FOOT - 2) * count / most).unwrap_or(0);
            // What is there is seen, however little it is.
            let height = if *count > 0 { tall.max(1) } else { 0 };
            let width = each.saturating_sub(each / 6 + 1).max(1);
            let label = n.is_multiple_of(step).then(|| label.clone());
            Bar { x: at * each, y: HEIGHT - FOOT - height, width, height, middle: at * each + width / 2, label }
        });
        Some(Self { bars: bars.collect(), width: WIDTH, height: HEIGHT, foot: HEIGHT - 4 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tallest_bar_fills_the_drawing_and_the_smallest_is_seen() {
        let counts: Vec<_> = [("1", 1), ("2", 0), ("3", 10_000)].map(|(label, n)| (label.to_owned(), n)).into();
        let bars = Bars::of(&counts).unwrap().bars;
        assert_eq!(bars.iter().map(|bar| bar.height).collect::<Vec<_>>(), [1, 0, HEIGHT - FOOT - 2]);
        assert!(Bars::of(&[]).is_none() && Bars::of(&[("1".to_owned(), 0)]).is_none());
        let many: Vec<_> = (0..900).map(|n| (n.to_string(), n)).collect();
        let bars = Bars::of(&many).unwrap().bars;
        assert!(bars.iter().filter(|bar| bar.label.is_some()).count() <= LABELLED);
    }
}

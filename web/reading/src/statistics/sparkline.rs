//! The change of a rate from one group of rounds to the next: a bar for each, small enough for a row of a table. The
//! cells beside it say the same, so the picture is only decoration.

use askama::Template;

use page::Rate;

const HEIGHT: i64 = 22;
const EACH: i64 = 10;

#[derive(Debug, Template)]
#[template(
    source = r#"<svg class="spark" viewBox="0 0 {{ width }} {{ HEIGHT + 1 }}" width="{{ width }}" height="{{ HEIGHT + 1 }}" aria-hidden="true" focusable="false"><path class="scale" d="M0 {{ HEIGHT }}.5H{{ width }}"/>{% for (x, tall) in bars %}<rect x="{{ x }}" y="{{ HEIGHT - tall }}" width="{{ EACH - 2 }}" height="{{ tall }}"/>{% endfor %}</svg>"#,
    ext = "html"
)]
pub(super) struct Sparkline {
    /// The position and height of each bar. A group with too few answers has none.
    bars: Vec<(i64, i64)>,
    width: i64,
}

impl Sparkline {
    pub(super) fn of(rates: &[Rate], scale: f64) -> Option<Self> {
        let tall =
            |percent: f64| ((percent * HEIGHT as f64 / scale).round() as i64).clamp(i64::from(percent > 0.0), HEIGHT);
        let bars = (0_i64..).zip(rates).filter_map(|(place, rate)| Some((place * EACH, tall(rate.percent()?))));
        let bars: Vec<_> = bars.collect();
        (bars.len() > 1).then_some(Self { bars, width: i64::try_from(rates.len()).ok()? * EACH })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_with_few_answers_have_no_bar() {
        let rates = [(5, 10), (1, 9), (0, 20), (1, 1_000)].map(|(k, n)| Rate { k, n });
        let drawn = Sparkline::of(&rates, 50.0).unwrap();
        assert_eq!(
            drawn.bars,
            [(0, HEIGHT), (2 * EACH, 0), (3 * EACH, 1)],
            "what is there is seen, however little it is"
        );
        assert_eq!(drawn.width, 4 * EACH);
        assert!(Sparkline::of(&rates[..2], 50.0).is_none());
    }
}

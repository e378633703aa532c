//! A rate as a bar on a scale, with a line for its 95 % interval, and a mark for the average. The cells beside it say the
//! same, so the picture is only decoration.

use askama::Template;

use super::Rate;

/// The width of the scale, in the drawing's own units.
const WIDTH: i64 = 160;
const STEP: i64 = 10;

#[derive(Debug, PartialEq, Eq, Template)]
#[template(
    source = r#"<svg class="span" viewBox="0 0 {{ WIDTH }} 16" preserveAspectRatio="none" aria-hidden="true" focusable="false"><path class="scale" d="M0 0V16M{{ WIDTH / 2 }} 0V16M{{ WIDTH }} 0V16"/><rect y="3" width="{{ rate }}" height="10"/><path d="M{{ low }} 8H{{ high }}M{{ low }} 5V11M{{ high }} 5V11"/>{% if let Some(average) = average %}<path class="average" d="M{{ average }} 0V16"/>{% endif %}</svg>"#,
    ext = "html"
)]
pub struct IntervalBar {
    rate: i64,
    low: i64,
    high: i64,
    average: Option<i64>,
}

impl IntervalBar {
    pub fn of(rate: Rate, scale: i64) -> Option<Self> {
        let (percent, (low, high)) = (rate.percent()?, rate.interval()?);
        let at = |percent: f64| ((percent * WIDTH as f64 / scale as f64).round() as i64).clamp(0, WIDTH);
        Some(Self { rate: at(percent), low: at(low), high: at(high), average: None })
    }

    pub fn beside(rate: Rate, average: Rate) -> Option<Self> {
        let average = average.percent().map(|percent| (percent * WIDTH as f64 / 100.0).round() as i64);
        Some(Self { average, ..Self::of(rate, 100)? })
    }

    pub fn scale(rates: impl IntoIterator<Item = Rate>) -> Option<i64> {
        let highest = rates.into_iter().filter_map(Rate::interval).map(|(_, high)| high.ceil() as i64).max()?;
        Some((highest + STEP - 1) / STEP * STEP).map(|scale| scale.clamp(STEP, 100))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_ends_at_the_rate_and_its_line_at_the_interval() {
        // 8 of 10: 80 % (49.02 to 94.33).
        assert_eq!(
            IntervalBar::of(Rate { k: 8, n: 10 }, 100),
            Some(IntervalBar { rate: 128, low: 78, high: 151, average: None })
        );
        assert_eq!(
            IntervalBar::of(Rate { k: 0, n: 10 }, 100),
            Some(IntervalBar { rate: 0, low: 0, high: 44, average: None })
        );
        assert_eq!(IntervalBar::of(Rate { k: 9, n: 9 }, 100), None, "of fewer than ten there is no rate");
        let average = |k, n| IntervalBar::beside(Rate { k: 8, n: 10 }, Rate { k, n }).and_then(|bar| bar.average);
        assert_eq!((average(1, 2), average(25, 100)), (None, Some(40)));
    }

    #[test]
    fn the_scale_has_room_for_every_interval() {
        let rates = [Rate { k: 1, n: 100 }, Rate { k: 12, n: 100 }, Rate { k: 3, n: 4 }];
        assert_eq!(IntervalBar::scale(rates), Some(20), "12 of 100 is 12 % (7.0 to 19.8)");
        assert_eq!(IntervalBar::scale([Rate { k: 10, n: 10 }]), Some(100));
        assert_eq!(IntervalBar::scale([Rate { k: 0, n: 1_000_000 }]), Some(10));
        assert_eq!(IntervalBar::scale([Rate { k: 1, n: 2 }]), None);
    }
}

//! Chips on the table as a row that is seen from the side, in stacks of ten. The number beside it says the same.

use std::fmt::{self, Write};

use engine::Figure;

/// The figures that count chips.
const NAMES: [&str; 2] = ["chips", "pot"];
/// More chips than these are told by the number alone.
const DRAWN_MAX: u32 = 60;
const STACK: u32 = 10;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chips(u32);

impl Chips {
    pub(super) fn of(figure: &Figure) -> Option<Self> {
        let value = u32::try_from(figure.value).ok().filter(|value| (1..=DRAWN_MAX).contains(value));
        value.filter(|_| counts(figure)).map(Self)
    }
}

/// True if this figure counts chips.
pub(super) fn counts(figure: &Figure) -> bool {
    NAMES.contains(&&*figure.name)
}

impl fmt::Display for Chips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (stacks, tallest) = (self.0.div_ceil(STACK), self.0.min(STACK));
        let mut path = String::new();
        for stack in 0..stacks {
            let chips = (self.0 - stack * STACK).min(STACK);
            write!(path, "M{} 29.5", 1 + stack * 12)?;
            (1..chips).try_for_each(|_| path.write_str("h9m-9-3"))?;
            path.push_str("h9");
        }
        let (width, top) = (stacks * 12, 30 - tallest * 3);
        let height = tallest * 3;
        write!(
            f,
            r#"<svg class="chips-drawn" viewBox="0 {top} {width} {height}" width="{width}" height="{height}" aria-hidden="true"><path d="{path}"/></svg>"#
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(name: &'static str, value: i32) -> Figure {
        Figure { name: name.into(), label: "Chips".into(), seat: None, value }
    }

    #[test]
    fn every_chip_is_drawn_once() {
        let drawn = Chips::of(&figure("chips", 23)).unwrap().to_string();
        assert_eq!((drawn.matches("h9").count(), drawn.matches('M').count()), (23, 3), "{drawn}");
        assert!(drawn.contains(r#"viewBox="0 0 36 30""#), "{drawn}");
        assert_eq!(Chips::of(&figure("chips", 0)).or(Chips::of(&figure("lights", 3))), None);
    }
}

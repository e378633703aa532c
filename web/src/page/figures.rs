//! Figures in a line.

use engine::{Duel, Figure};

/// Figures on one line, such as "chips 18 – 10, pot 1".
pub(crate) fn in_a_line(figures: impl IntoIterator<Item = Figure>) -> String {
    let mut named: Vec<(&'static str, String)> = Vec::new();
    let mut shared = Vec::new();
    for figure in figures {
        let label = figure.label.to_lowercase();
        if figure.seat.is_none() {
            shared.push(format!("{label} {}", figure.value));
        } else if let Some((_, text)) = named.iter_mut().find(|(name, _)| *name == figure.name) {
            text.push_str(&format!(" – {}", figure.value));
        } else {
            named.push((figure.name, format!("{label} {}", figure.value)));
        }
    }
    named.into_iter().map(|(_, text)| text).chain(shared).collect::<Vec<_>>().join(", ")
}

/// The figures of a match as it stands, on one line.
pub(crate) fn standing(duel: &Duel) -> String {
    in_a_line(duel.figures())
}

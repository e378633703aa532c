//! An answer that is made by laying things into places: cards into piles, into a hand, or in an order.
//!
//! The laid things become a line of notation here, and that line is read like any other: a form is never a second way
//! in.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The parts of such a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// The first word of the line, such as `divide`; empty if there is none.
    pub verb: &'static str,
    /// A `|` separates the places.
    pub parted: bool,
    /// The line if nothing is laid anywhere, such as `divide none`; empty if that is no answer.
    pub nothing: &'static str,
    /// What the names of the places mean, as a sentence; empty if they say it.
    pub note: &'static str,
    /// The things that can be laid, in an order that people know.
    pub things: Vec<Thing>,
    /// The places, in the order of writing.
    pub places: Vec<Slot>,
}

/// Something that can be laid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thing {
    /// As notation writes it, such as `R7`.
    pub word: String,
    /// For people, such as "red 7".
    pub label: String,
    /// Its value in the sum of its place; 0 if sums mean nothing.
    pub worth: u32,
    /// The place in which it lies already and stays.
    pub lies: Option<usize>,
}

/// A place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// For people, such as "Set aside".
    pub label: String,
    /// The words before it in the line, such as `aside`; empty if there are none.
    pub lead: String,
    /// The least number of things to lay here, besides those that lie here already.
    pub least: u8,
    /// The largest number.
    pub most: u8,
}

impl Places {
    /// The line for the things that were laid: for each place the words of its things, in the order in which they were
    /// laid. Things that lie there already are added. The line may be no answer; reading it finds that out.
    #[must_use]
    pub fn line(&self, laid: &[Vec<&str>]) -> String {
        let mut parts: Vec<String> = Vec::new();
        for (at, slot) in self.places.iter().enumerate() {
            let lies = || self.things.iter().filter(|thing| thing.lies == Some(at)).map(|thing| thing.word.as_str());
            let given = laid.get(at).map(Vec::as_slice).unwrap_or_default();
            let given = given.iter().copied().filter(|word| !lies().any(|known| known.eq_ignore_ascii_case(word)));
            let words: Vec<&str> = lies().chain(given).collect();
            if !words.is_empty() {
                parts.push(format!("{} {}", slot.lead, words.join(" ")).trim_start().into());
            }
        }
        if parts.is_empty() {
            return self.nothing.into();
        }
        let between = if self.parted { " | " } else { " " };
        format!("{} {}", self.verb, parts.join(between)).trim_start().into()
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    fn places() -> Places {
        let thing = |word: &str, lies| Thing { word: word.into(), label: word.into(), worth: 0, lies };
        let slot = |lead: &str| Slot { label: lead.into(), lead: lead.into(), least: 0, most: 5 };
        Places {
            verb: "divide",
            parted: true,
            nothing: "divide none",
            note: "",
            things: vec![thing("R1", None), thing("B2", None), thing("G3", Some(0))],
            places: vec![slot(""), slot(""), slot("aside")],
        }
    }

    #[test]
    fn what_was_laid_becomes_a_line() {
        assert_eq!(places().line(&[vec![], vec!["R1"], vec!["B2"]]), "divide G3 | R1 | aside B2");
        // A thing that lies somewhere already is written once, and an empty place not at all.
        assert_eq!(places().line(&[vec!["g3", "R1"], vec![], vec!["B2"]]), "divide G3 R1 | aside B2");
        let order = Places { verb: "", parted: false, nothing: "", note: "", things: Vec::new(), ..places() };
        assert_eq!(order.line(&[vec!["G3"], vec!["R2"]]), "G3 R2 ".trim_end());
        assert_eq!(
            (order.line(&[]).as_str(), Places { things: Vec::new(), ..places() }.line(&[]).as_str()),
            ("", "divide none")
        );
    }
}

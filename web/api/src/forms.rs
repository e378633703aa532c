//! The forms for answering a question, for programs: the same forms that the pages draw.

use engine::{Choice, Form, Places, Seat, name_seats};
use record::History;
use serde::Serialize;
use utoipa::ToSchema;

/// How an answer can be put together. Of `words`, least to most are written in a row. `line` takes any text of the
/// notation; where it has `places`, things are laid into them, and the words of each place make the line.
#[derive(Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum AnswerForm {
    Words {
        choices: Vec<Word>,
        least: u8,
        most: u8,
    },
    Line {
        hint: String,
        example: String,
        /// None where the line has no such parts.
        places: Option<Layout>,
    },
}

/// A word on offer.
#[derive(Serialize, ToSchema)]
pub(super) struct Word {
    /// As it is written.
    #[schema(example = "block")]
    word: String,
    label: String,
    /// What it does.
    hint: String,
    /// How often it may be written.
    copies: u8,
    /// Words of which one follows after a colon.
    targets: Vec<&'static str>,
    /// The least and the largest number that follows after a space.
    amounts: Option<[u32; 2]>,
    /// Why it would not count now.
    barred: Option<String>,
}

/// What can be laid, and where. The line is `verb`, then place after place its `lead` and the words that lie there, with a
/// `|` between the places where they are `parted`.
#[derive(Serialize, ToSchema)]
pub(super) struct Layout {
    /// The word that the line begins with; empty where none does.
    #[schema(example = "divide")]
    verb: &'static str,
    parted: bool,
    /// The line where nothing lies anywhere; empty where that is no answer.
    #[schema(example = "divide none")]
    nothing: &'static str,
    things: Vec<LayoutThing>,
    places: Vec<LayoutPlace>,
}

/// Something that can be laid.
#[derive(Serialize, ToSchema)]
struct LayoutThing {
    /// As it is written.
    #[schema(example = "R7")]
    word: String,
    #[schema(example = "red 7")]
    label: String,
    /// What it adds to the sum of its place; 0 where sums mean nothing.
    worth: u32,
    /// The place in which it lies already and stays, from 0.
    lies: Option<usize>,
}

/// A place.
#[derive(Serialize, ToSchema)]
struct LayoutPlace {
    #[schema(example = "Set aside")]
    label: String,
    /// The words that it begins with in the line; empty where none do.
    lead: String,
    /// How many things are laid here at least and at most, beside those that lie here already.
    least: u8,
    most: u8,
}

impl AnswerForm {
    pub(super) fn of(history: &History, seat: Seat, what: &str) -> Option<Self> {
        let names = history.both_names();
        Some(match history.form(seat, what)? {
            Form::Words { choices, least, most } => {
                let word = |choice: Choice| Word {
                    word: choice.word.to_string(),
                    label: choice.label.to_string(),
                    hint: name_seats(&choice.hint, names),
                    copies: choice.copies,
                    targets: choice.targets.iter().map(|target| target.0).collect(),
                    amounts: choice.amounts.map(|(least, most)| [least, most]),
                    barred: choice.barred.map(|refusal| name_seats(&refusal.expected, names)),
                };
                Self::Words { choices: choices.into_iter().map(word).collect(), least, most }
            }
            Form::Line { hint, example, places, .. } => {
                let places = places.map(|places| Layout::of(places, |text| name_seats(text, names)));
                Self::Line { hint: name_seats(&hint, names), example, places }
            }
        })
    }
}

impl Layout {
    fn of(places: Places, named: impl Fn(&str) -> String) -> Self {
        let thing = |thing: engine::Thing| LayoutThing {
            label: named(&thing.label),
            word: thing.word,
            worth: thing.worth,
            lies: thing.lies,
        };
        let slot = |slot: engine::Slot| LayoutPlace {
            label: named(&slot.label),
            lead: slot.lead,
            least: slot.least,
            most: slot.most,
        };
        Self {
            verb: places.verb,
            parted: places.parted,
            nothing: places.nothing,
            things: places.things.into_iter().map(thing).collect(),
            places: places.places.into_iter().map(slot).collect(),
        }
    }
}

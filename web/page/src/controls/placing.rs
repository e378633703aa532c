//! Things to lay into places: piles, hands, groups, an order.
//!
//! A script lets people press things into places. Beneath it are plain fields, in one of three forms.

use engine::{Places, Slot, Thing, View};

use super::compose::placed_words;
use super::picks::face;
use super::{Face, Fields};

const SORT_MAX: usize = 16;

#[derive(Debug)]
pub(super) struct Placing {
    pub(super) things: Vec<PlacedThing>,
    pub(super) slots: Vec<PlaceSlot>,
    pub(super) inputs: Inputs,
    pub(super) nothing: &'static str,
    pub(super) note: &'static str,
    pub(super) summed: bool,
    /// True if there are so many things that they lie small, all of them in their places: two change places by a press on each.
    pub(super) dense: bool,
    /// Where the things lie until somebody moves them: their words, with a `|` between places.
    pub(super) drawn: String,
}

#[derive(Debug)]
pub(super) enum Inputs {
    Order(Vec<OrderField>),
    Sort,
    Written,
}

#[derive(Debug)]
pub(super) struct OrderField {
    pub(super) label: String,
    pub(super) word: String,
}

#[derive(Debug)]
pub(super) struct PlacedThing {
    pub(super) word: String,
    pub(super) label: String,
    pub(super) worth: u32,
    pub(super) face: Face,
    /// True if a card of another suit is before it: each suit has a row.
    pub(super) begins_row: bool,
    pub(super) slot: Option<usize>,
}

#[derive(Debug)]
pub(super) struct PlaceSlot {
    pub(super) label: String,
    pub(super) due: String,
    pub(super) least: u8,
    pub(super) most: u8,
    pub(super) count: String,
    pub(super) held: Vec<String>,
    pub(super) written: String,
    /// What lies there when the page is drawn: what is written, or what was laid by lot.
    lies: String,
}

impl PlacedThing {
    pub(super) fn is_in(&self, slot: &usize) -> bool {
        self.slot == Some(*slot)
    }
}

impl PlaceSlot {
    pub(super) fn sums(&self, placing: &Placing) -> bool {
        placing.summed && self.most > 0
    }

    fn of((at, slot): (usize, &Slot), places: &Places, lies: &[Vec<&str>]) -> Self {
        let held = places.things.iter().filter(|thing| thing.lies == Some(at)).map(|thing| thing.label.clone());
        let here = lies.get(at).map(Vec::as_slice).unwrap_or_default();
        Self {
            label: slot.label.clone(),
            due: due(slot),
            count: count(slot, places, here),
            least: slot.least,
            most: slot.most,
            held: held.collect(),
            written: here.join(" "),
            lies: here.join(" "),
        }
    }
}

impl Placing {
    pub(super) fn stays(&self) -> bool {
        self.summed
    }

    /// True if everything lies in its place and is only moved about: then no place is chosen for what comes next.
    pub(super) fn is_laid(&self) -> bool {
        self.dense && self.loose().next().is_none()
    }

    pub(super) fn named<'p>(&self, slot: &'p PlaceSlot) -> [&'p str; 2] {
        let first = slot.label.find(' ').map_or(0, |space| space + 1);
        let (word, rest) = slot.label.split_at(first);
        let all = self.slots.len() > 1 && self.slots.iter().all(|other| other.label.starts_with(word));
        if all { [word, rest] } else { ["", &slot.label] }
    }

    pub(super) fn lying<'p>(&'p self, slot: &'p PlaceSlot) -> impl Iterator<Item = &'p PlacedThing> {
        let words = slot.lies.split(' ').filter(|_| !self.stays());
        words.filter_map(|word| self.things.iter().find(|thing| thing.word == word))
    }

    pub(super) fn loose(&self) -> impl Iterator<Item = &PlacedThing> {
        let lies =
            |thing: &PlacedThing| self.slots.iter().any(|slot| slot.lies.split(' ').any(|word| word == thing.word));
        self.things.iter().filter(move |thing| self.stays() || !lies(thing))
    }

    pub(super) fn of(places: &Places, view: &View, sent: &Fields) -> Self {
        let lies = placed_words(places, sent);
        let thing = |thing: &Thing| PlacedThing {
            face: face(view, &thing.word),
            begins_row: false,
            slot: lies.iter().position(|slot| slot.contains(&thing.word.as_str())),
            word: thing.word.clone(),
            label: thing.label.clone(),
            worth: thing.worth,
        };
        let mut things: Vec<PlacedThing> =
            places.things.iter().filter(|thing| thing.lies.is_none()).map(thing).collect();
        let suit = |thing: &PlacedThing| thing.face.as_ref().map(|(_, sign)| sign.class());
        let mut before = None;
        for thing in &mut things {
            let suit = suit(thing);
            thing.begins_row = suit.is_some() && suit != before;
            before = suit;
        }
        let slots = places.places.iter().enumerate().map(|slot| PlaceSlot::of(slot, places, &lies)).collect();
        Self {
            inputs: Inputs::of(places, &lies),
            summed: things.iter().any(|thing| thing.worth > 0),
            dense: places.things.len() > SORT_MAX,
            nothing: places.nothing,
            note: places.note,
            drawn: String::new(),
            things,
            slots,
        }
    }

    pub(super) fn drawn_as(&mut self, places: &Places, fields: &Fields) {
        let lies = placed_words(places, fields);
        self.drawn = lies.iter().map(|words| words.join(" ")).collect::<Vec<_>>().join("|");
        for (slot, words) in self.slots.iter_mut().zip(&lies) {
            slot.lies = words.join(" ");
        }
    }
}

impl Inputs {
    fn of(places: &Places, lies: &[Vec<&str>]) -> Self {
        let word = |at: usize, n: usize| lies.get(at).and_then(|here| here.get(n)).copied().unwrap_or("").to_owned();
        match places.places.as_slice() {
            // A place for exactly n things becomes n fields for one thing each: then nobody can choose too many.
            [only] if only.least == only.most && usize::from(only.most) <= SORT_MAX => {
                let single = |n: u8| {
                    let label =
                        if only.most > 1 { format!("{}, card {}", only.label, n + 1) } else { only.label.clone() };
                    OrderField { label, word: word(0, n.into()) }
                };
                Self::Order((0..only.most).map(single).collect())
            }
            many if many.iter().all(|slot| slot.most == 1) && places.things.len() <= SORT_MAX => {
                let single = |(at, slot): (usize, &Slot)| OrderField { label: slot.label.clone(), word: word(at, 0) };
                Self::Order(many.iter().enumerate().map(single).collect())
            }
            _ if places.things.len() <= SORT_MAX => Self::Sort,
            _ => Self::Written,
        }
    }
}

fn count(slot: &Slot, places: &Places, here: &[&str]) -> String {
    let worth = |word: &&str| places.things.iter().find(|thing| thing.word == *word).map_or(0, |thing| thing.worth);
    match (slot.least, slot.most) {
        (0, 0) => due(slot),
        (least, most) if least == most => format!("{}/{most}", here.len()),
        _ if places.things.iter().any(|thing| thing.worth > 0) => here.iter().map(worth).sum::<u32>().to_string(),
        _ => here.len().to_string(),
    }
}

fn due(slot: &Slot) -> String {
    match (slot.least, slot.most) {
        (0, 0) => "full".to_owned(),
        (1, 1) => "one card".to_owned(),
        (least, most) if least == most => format!("{most} cards"),
        (0, most) => format!("up to {most} cards"),
        (least, most) => format!("{least} to {most} cards"),
    }
}

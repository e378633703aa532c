//! An answer in groups of cards, such as three hands: people write a line for each, with or without its name, in one message or
//! in several. The engine says whether they are an answer together.

use engine::{Form, Party, Places, Seat};

use super::fix::Fix;
use super::hearing::refusal;
use super::reader::Reader;

/// Cards that belong together.
#[derive(Clone, Debug, Default)]
struct Group {
    /// The place that is named before them.
    place: Option<usize>,
    cards: Vec<String>,
}

/// Words beside the cards and the names of places; in more than these somebody talks.
const BESIDE_MOST: usize = 3;

impl Reader<'_> {
    /// Takes lines of cards as a seat's answer in groups, or keeps them until the rest follows. The lines that it leaves say
    /// something else.
    pub(super) fn takes_groups(&mut self, seat: Seat, parts: &[(usize, String)], told: bool) -> Vec<(usize, String)> {
        let Some(places) = self.asked_for_groups(seat) else { return parts.to_vec() };
        let (lines, others): (Vec<_>, Vec<_>) =
            parts.iter().cloned().partition(|(_, words)| !groups(words, &places).is_empty());
        if lines.is_empty() {
            return others;
        }
        self.groups.extend(lines);
        let mut found: Vec<Group> = self.groups.iter().flat_map(|(_, words)| groups(words, &places)).collect();
        if found.iter().all(|group| group.place.is_some()) {
            found.sort_by_key(|group| group.place);
        }
        let written = found.iter().map(|group| {
            let slot = group.place.and_then(|at| places.places.get(at));
            format!("{} {}", slot.map_or("", |slot| slot.lead.as_str()), group.cards.join(" ")).trim().to_owned()
        });
        let text = format!("{} {}", places.verb, written.collect::<Vec<_>>().join(" | "));
        if self.hearing.reads(seat, &text) {
            let rows: Vec<usize> = std::mem::take(&mut self.groups).iter().map(|(at, _)| *at).collect();
            let _ = self.plays(seat, &text, &rows, told);
        }
        others
    }

    /// The places of the answer in groups for which this seat is asked.
    fn asked_for_groups(&self, seat: Seat) -> Option<Places> {
        let duel = self.hearing.duel();
        match duel.form(Party::Seat(seat), self.hearing.question(seat)) {
            Some(Form::Line { places: Some(places), .. }) if places.parted => Some(places),
            _ => None,
        }
    }

    /// The seat that is asked for an answer in groups.
    pub(super) fn asked_seat(&self) -> Option<Seat> {
        Seat::BOTH
            .into_iter()
            .find(|seat| self.hearing.is_asked((*seat).into()) && self.asked_for_groups(*seat).is_some())
    }

    /// The lines of cards that never made an answer are asked about.
    pub(super) fn groups_end(&mut self) {
        let asked = self.asked_seat().map(|seat| self.hearing.names()[seat].to_owned());
        for (at, _) in std::mem::take(&mut self.groups) {
            let Some(row) = self.row(at).filter(|row| row.wrong.is_none()) else { continue };
            row.refuse(&refusal("", "these cards are no answer, with those on the lines beside this one").expected);
            let source = row.source.clone();
            if let Some(name) = &asked {
                let now = vec![format!("# {source}"), format!("{name}: -")];
                row.fixes.push(Fix::line(format!("Nothing came from {name}"), row.line, &source, now));
            }
            row.fixes.push(Fix::ignore(row.line, &source));
        }
    }
}

/// The groups of a line: a name of a place begins one, and so does a mark between them. None where somebody talks.
fn groups(line: &str, places: &Places) -> Vec<Group> {
    let lower = line.to_lowercase().replace("10", "t");
    let (mut found, mut beside): (Vec<Group>, usize) = (vec![Group::default()], 0);
    for part in lower.split_inclusive(['/', '|', ';']) {
        for word in part.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()) {
            let named = |slot: &engine::Slot| {
                let label = slot.label.to_lowercase();
                let is_label = label.starts_with(word) && (word.len() > 2 || word.len() == 1);
                is_label || (word.len() > 2 && slot.lead == word)
            };
            if let Some(thing) = places.things.iter().find(|thing| thing.word.eq_ignore_ascii_case(word)) {
                found.last_mut().into_iter().for_each(|group| group.cards.push(thing.word.clone()));
            } else if let Some(place) = places.places.iter().position(named) {
                // "(this one aside)" stands behind its cards.
                match found.last_mut().filter(|group| group.place.is_none()) {
                    Some(group)
                        if !group.cards.is_empty()
                            && places.places.get(place).is_some_and(|slot| !slot.lead.is_empty()) =>
                    {
                        group.place = Some(place);
                    }
                    Some(group) if group.cards.is_empty() => group.place = Some(place),
                    _ => found.push(Group { place: Some(place), cards: Vec::new() }),
                }
            } else {
                beside += 1;
            }
        }
        found.push(Group::default());
    }
    found.retain(|group| !group.cards.is_empty());
    if beside > BESIDE_MOST { Vec::new() } else { found }
}

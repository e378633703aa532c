//! An answer in groups of cards, such as three hands: people write a line for each, with or without its name, in one message or
//! in several. The engine says whether they are an answer together.

use engine::{Form, Party, Places, Seat};

use super::clause::Clause;
use super::effort;
use super::hearing::{Hearing, refusal};
use super::reader::Reader;
use super::row::Taken;
use super::wording::{self, is_filler, is_in};

/// Cards that belong together.
#[derive(Clone, Debug, Default)]
struct Group {
    /// The place that is named before them.
    place: Option<usize>,
    cards: Vec<String>,
}

#[derive(Debug)]
struct Line {
    /// Its groups, where commas stand between cards, and where they stand between groups.
    ways: [Vec<Group>; 2],
}

/// Words for the place that has a name of its own, such as "aside".
const UNUSED: [&str; 5] = ["unused", "leftover", "leftovers", "remaining", "out"];
/// Words of a line that only says what each group adds up to: "sum 14", "9s:".
const SUMS: &str = "sum sums each total totals of all is are piles pile to add up s";
/// Words beside the cards and the names of places; in more than these somebody talks.
const BESIDE_MOST: usize = 3;

/// Lines of one answer, if each card has its own. Every line of cards is tried with those before it.
const LINES_MOST: usize = 16;

impl Reader<'_> {
    /// Takes lines of cards as a seat's answer in groups, or keeps them until the rest follows. The lines that it leaves say
    /// something else.
    pub(super) fn takes_groups(&mut self, seat: Seat, parts: &[(usize, String)], told: bool) -> Vec<(usize, String)> {
        let Some(places) = self.asked_for_groups(seat) else { return parts.to_vec() };
        let (lines, others): (Vec<_>, Vec<_>) = parts.iter().cloned().partition(|(_, words)| {
            !self.is_another_move(words, &places) && (!groups(words, &places).is_empty() || is_sum(words, &places))
        });
        if lines.is_empty() {
            return others;
        }
        self.groups.extend(lines);
        // What is said last takes the place of what was said before.
        let reads = |lines: &[Line]| answer(&self.hearing, seat, lines, &places);
        let oldest = self.groups.len().saturating_sub(LINES_MOST);
        let said: Vec<Line> = self.groups.iter().skip(oldest).map(|(_, words)| Line::of(words, &places)).collect();
        let from = (0..said.len()).find_map(|from| Some((oldest + from, reads(said.get(from..)?)?)));
        let corrected = || {
            let last = self.groups.last()?.1.rsplit([':', '.']).next()?;
            Some((self.groups.len() - 1, reads(&[Line::of(last, &places)])?))
        };
        let from = from.or_else(corrected);
        if let Some((from, text)) = from {
            let mut rows: Vec<usize> = std::mem::take(&mut self.groups).iter().map(|(at, _)| *at).collect();
            let before: Vec<usize> = rows.drain(..from).collect();
            let line = rows.first().map_or(0, |at| self.line(*at));
            for at in before {
                if let Some(row) = self.row(at) {
                    (row.taken, row.words) = (Taken::Passed, format!("Replaced on line {line}"));
                    row.offer_ignore();
                }
            }
            let _ = self.plays(seat, &text, &rows, told);
        }
        others
    }

    /// Whether a word of another question is in a line: "I discard R7".
    fn is_another_move(&self, words: &str, places: &Places) -> bool {
        let lower = words.to_lowercase();
        let mut said = wording::words(&lower).filter(|word| word.chars().all(char::is_alphabetic));
        let own = |word: &str| {
            word.starts_with(places.verb)
                || places.places.iter().any(|slot| slot.lead == word || slot.label.to_lowercase().contains(word))
        };
        said.any(|word| self.hearing.is_game_word(word) && !own(word) && !is_filler(word) && !UNUSED.contains(&word))
    }

    /// What is told of a seat as its answer in groups, where it is asked for one.
    pub(super) fn in_groups(&self, hearing: &Hearing, clause: &Clause) -> Option<String> {
        let places = asked_for_groups(hearing, clause.seat)?;
        answer(hearing, clause.seat, &[Line::of(&clause.words, &places)], &places)
    }

    fn asked_for_groups(&self, seat: Seat) -> Option<Places> {
        asked_for_groups(&self.hearing, seat)
    }

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
            if let Some(name) = &asked {
                let now = vec![format!("# {}", row.source), format!("{name}: -")];
                row.offer(format!("Nothing came from {name}"), now);
            }
            row.offer_ignore();
        }
    }
}

fn asked_for_groups(hearing: &Hearing, seat: Seat) -> Option<Places> {
    match hearing.duel().form(Party::Seat(seat), hearing.question(seat)) {
        Some(Form::Line { places: Some(places), .. }) if places.parted => Some(places),
        _ => None,
    }
}

impl Line {
    fn of(words: &str, places: &Places) -> Self {
        let apart = words.replace(", ", " / ").replace(" and ", " / ");
        Self { ways: [groups(words, places), groups(&apart, places)] }
    }
}

/// Lines of groups as an answer: commas stand between cards, or else between groups.
fn answer(hearing: &Hearing, seat: Seat, lines: &[Line], places: &Places) -> Option<String> {
    let way = |way: usize| lines.iter().filter_map(move |line| line.ways.get(way)).flatten();
    let [cards, apart] = [0, 1].map(|n| written(way(n), places));
    let reads = |text: &str| hearing.answer(hearing.duel(), seat, text);
    reads(&cards).or_else(|| if apart == cards { None } else { reads(&apart) })
}

fn written<'g>(groups: impl Iterator<Item = &'g Group>, places: &Places) -> String {
    let mut found: Vec<&Group> = groups.collect();
    if found.iter().all(|group| group.place.is_some()) {
        found.sort_by_key(|group| group.place);
    }
    let written = found.iter().map(|group| {
        let slot = group.place.and_then(|at| places.places.get(at));
        format!("{} {}", slot.map_or("", |slot| slot.lead.as_str()), group.cards.join(" ")).trim().to_owned()
    });
    format!("{} {}", places.verb, written.collect::<Vec<_>>().join(" | "))
}

/// The groups of a line: a name of a place begins one, and so does a mark between them. None where somebody talks.
fn groups(line: &str, places: &Places) -> Vec<Group> {
    effort::spend(1);
    let lower = line.to_lowercase().replace("10", "t");
    let (mut found, mut beside): (Vec<Group>, usize) = (vec![Group::default()], 0);
    for part in lower.split_inclusive(['/', '|', ';']) {
        let words: Vec<&str> = wording::words(part).collect();
        let is_thing = |word: &&str| places.things.iter().any(|thing| thing.word.eq_ignore_ascii_case(word));
        for (n, word) in words.iter().copied().enumerate() {
            let is_last = !words.iter().skip(n).any(is_thing);
            let named = |slot: &engine::Slot| {
                let label = slot.label.to_lowercase();
                if UNUSED.contains(&word) {
                    return !slot.lead.is_empty()
                        && places.places.iter().filter(|slot| !slot.lead.is_empty()).count() == 1;
                }
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
                            && is_last
                            && places.places.get(place).is_some_and(|slot| !slot.lead.is_empty()) =>
                    {
                        group.place = Some(place);
                    }
                    Some(group) if group.cards.is_empty() => group.place = Some(place),
                    _ => found.push(Group { place: Some(place), cards: Vec::new() }),
                }
            } else if !is_filler(word) && !word.starts_with(places.verb) && !["them", "sets"].contains(&word) {
                beside += 1;
            }
        }
        found.push(Group::default());
    }
    found.retain(|group| !group.cards.is_empty());
    if beside > BESIDE_MOST { Vec::new() } else { found }
}

/// Whether a line only says what each group adds up to, where that means something.
fn is_sum(line: &str, places: &Places) -> bool {
    let lower = line.to_lowercase();
    let mut words = wording::words(&lower).peekable();
    let number = |word: &str| word.trim_end_matches('s').parse::<u32>().is_ok();
    let sums = places.things.iter().any(|thing| thing.worth > 0) && words.peek().is_some();
    sums && lower.contains(|letter: char| letter.is_ascii_digit())
        && words.all(|word| is_in(SUMS, word) || number(word))
}

//! The match that was read, step by step: a statement is held against the states around its line, and against what the rules
//! say happened there. A statement about anything else cannot be checked, and nobody is asked about it.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use engine::{BySeat, CardFace, Cell, Duel, Effect, Fate, Figure, Outcome, Panel, Seat, Setup, Sight, name_seats};

use super::score::Score;
use super::stated::Stated;
use super::statement::{Statement, UNCHECKED};
use super::wording;

pub(super) struct Timeline<'n> {
    moments: Vec<Moment>,
    /// How many steps there are before a decision.
    played: usize,
    /// What each seat won or took, in order, by the words for it.
    won: HashMap<String, BySeat<Vec<Won>>>,
    names: BySeat<&'n str>,
}

/// A state, and what the step behind it did.
struct Moment {
    duel: Duel,
    effects: Vec<Effect>,
    /// Whether the host draws in that step.
    drawn: bool,
    panels: OnceCell<Vec<Panel>>,
}

struct Board<'m> {
    title: &'m str,
    rows: &'m [(String, Vec<Cell>)],
    current: bool,
}

/// Cards of a seat that lie together.
pub(super) struct Pile<'m> {
    pub(super) seat: Seat,
    /// In lower case, such as "front" or "pool".
    pub(super) name: String,
    cards: &'m [CardFace],
}

/// The steps between which a statement stands: how many came before its line, and how many with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) before: usize,
    pub(super) with: usize,
}

impl<'n> Timeline<'n> {
    /// Plays the steps of a match; none where they cannot be played.
    pub(super) fn of(setup: &Setup, steps: &[String], names: BySeat<&'n str>) -> Option<Self> {
        let mut duel = Duel::open(setup).ok()?;
        let (mut moments, mut won) = (Vec::new(), HashMap::new());
        for (at, step) in steps.iter().enumerate() {
            let (before, mut effects) = (duel.clone(), Vec::new());
            duel.play(step, Some(&mut effects)).ok()?;
            for effect in effects.iter().filter(|effect| effect.fate != Fate::Failed) {
                for thing in things(&effect.text) {
                    let place: &mut BySeat<Vec<Won>> = won.entry(thing).or_default();
                    Won::of(at, &effect.text).into_iter().for_each(|(seat, part)| place[seat].push(part));
                }
            }
            moments.push(Moment { duel: before, effects, drawn: step.starts_with("host:"), panels: OnceCell::new() });
        }
        moments.push(Moment { duel, effects: Vec::new(), drawn: false, panels: OnceCell::new() });
        let played = steps.iter().rposition(|step| !step.starts_with("umpire:")).map_or(0, |at| at + 1);
        Some(Self { moments, played, won, names })
    }

    /// Says how a statement at this place agrees with the match, if it is of all of it; why not, where it does not. What
    /// cannot be checked agrees.
    pub(super) fn holds(&self, statement: &Statement, place: Place) -> Result<String, String> {
        let against = match statement {
            Statement::Score(score) => return self.score(*score, place),
            Statement::Result(stated) => {
                let said = format!("Says that {} won", self.names[stated.winner]);
                if !stated.sure && place.with < self.played {
                    return Ok(UNCHECKED.to_owned());
                }
                return self.result(*stated, place).map_or(Ok(said), Err);
            }
            Statement::Figure { noun, seat, value } => self.figure(noun, *seat, *value, place),
            Statement::Value { seat: None, name, value } => self.cell(name, value, place),
            Statement::Value { seat: Some(seat), name, value } => self.cards(*seat, name, value, place),
            Statement::Win { seat, thing, numbers } => self.win(*seat, thing, numbers, place),
        };
        against.map_or(Ok(String::new()), Err)
    }

    fn score(&self, score: Score, place: Place) -> Result<String, String> {
        let before = (0..place.with).rev().find(|at| self.moments.get(*at).is_some_and(|step| !step.drawn));
        let duel = |at: usize| self.moments.get(at).map(|moment| &moment.duel);
        duel(place.with).map_or(Ok(String::new()), |now| score.against(now, before.and_then(duel)))
    }

    fn result(&self, stated: Stated, place: Place) -> Option<String> {
        let duel = &self.moments.last()?.duel;
        if place.with < self.played {
            let name = self.names[stated.winner];
            return Some(format!("this says that {name} won, and the match goes on after it"));
        }
        match duel.outcome() {
            Outcome::Over(ending) => stated.against(duel, ending.verdict.winner(), self.names),
            Outcome::Running => None,
        }
    }

    /// The states around a place, and what the steps between them did. A statement may come a step too late or too early.
    fn around(&self, place: Place) -> &[Moment] {
        let until = (place.with + 2).min(self.moments.len());
        self.moments.get(place.before.saturating_sub(1)..until).unwrap_or_default()
    }

    fn figure(&self, noun: &str, seat: Option<Seat>, value: u32, place: Place) -> Option<String> {
        let is = |figure: &Figure| {
            let bare = |word: &str| word.to_lowercase().trim_end_matches('s').to_owned();
            figure.seat == seat && [figure.name, figure.label].iter().any(|name| bare(name) == bare(noun))
        };
        let of = |moment: &Moment| moment.duel.figures().into_iter().find(is);
        let known: Vec<Figure> = self.around(place).iter().filter_map(of).collect();
        let (least, most) =
            (known.iter().map(|figure| figure.value).min()?, known.iter().map(|figure| figure.value).max()?);
        // The steps say what they made of it in between. What was taken may be stated before it is filled again, or after.
        let steps =
            || self.moments.get(self.steps_around(place)).unwrap_or_default().iter().flat_map(|step| &step.effects);
        let said = steps().any(|effect| numbers(&effect.text).contains(&value));
        let taken = steps().any(|effect| things(&effect.text).iter().any(|thing| thing == noun));
        if (least..=most).contains(&value) || (seat.is_none() && (said || (taken && value <= 1))) {
            return None;
        }
        let now = of(self.moments.get(place.with)?)?;
        let noun = now.label.to_lowercase();
        let said = match seat.map(|seat| self.names[seat]) {
            Some(name) => format!("{name} has {value} {noun}"),
            None => format!("the {noun} is {value}"),
        };
        Some(format!("this says that {said}, and the moves above come to {}", now.value))
    }

    /// A cell of the board that is played, and the card on it.
    fn cell(&self, name: &str, value: &str, place: Place) -> Option<String> {
        let boards: Vec<Board<'_>> = self.moments.last()?.boards().collect();
        let is = |cell: &&Cell| [card(cell), &cell.face].iter().any(|card| card.eq_ignore_ascii_case(value));
        let named = |cell: &&Cell| cell.name.split(',').next() == Some(name);
        let mut cells = boards.iter().flat_map(Board::cells).filter(|cell| !cell.face.is_empty());
        let stated = cells.clone().find(is)?;
        // Somebody may look back at another board.
        if cells.any(|cell| named(&cell) && is(&cell)) {
            return None;
        }
        let current =
            |moment: &'_ Moment| moment.boards().find(|board| board.current).map(|board| board.title.to_owned());
        let title = self.around(place).iter().rev().find_map(current)?;
        let board = boards.iter().find(|board| board.title == title)?;
        let cell = board.cells().find(named).filter(|cell| !cell.face.is_empty())?;
        Some(format!("this says that {name} is {}, and on {title} it is {}", card(stated), card(cell)))
    }

    /// Cards that lie in a place of a seat. One that lies in another place all the time cannot lie there.
    fn cards(&self, seat: Seat, name: &str, value: &str, place: Place) -> Option<String> {
        let around = self.around(place);
        let here = |pile: &Pile<'_>| pile.seat == seat && pile.name == name;
        if !around.iter().flat_map(Moment::piles).any(|pile| here(&pile)) {
            return None;
        }
        value.split(' ').find_map(|word| {
            let word = word.replace("10", "t");
            let mut other = None;
            for moment in around {
                let has = |pile: &Pile<'_>| pile.cards.iter().any(|card| card.card.eq_ignore_ascii_case(&word));
                let piles: Vec<Pile<'_>> = moment.piles().filter(has).collect();
                if piles.iter().any(here) {
                    return None;
                }
                other = Some(piles.into_iter().next()?);
            }
            let Pile { seat: of, name: there, .. } = other?;
            let (word, names) = (word.to_uppercase(), self.names);
            let (mine, theirs) = (names[seat], names[of]);
            Some(format!("this says that {word} is in {mine}\u{2019}s {name}, and it is in {theirs}\u{2019}s {there}"))
        })
    }

    fn steps_around(&self, place: Place) -> Range<usize> {
        let until = (place.with + 1).min(self.moments.len());
        place.before.saturating_sub(2).min(until)..until
    }

    fn win(&self, seat: Seat, thing: &str, stated: &[u32], place: Place) -> Option<String> {
        // A part with a letter is won once in a match. After the end somebody may look back at any part.
        let ended = place.before == place.with && place.with + 1 == self.moments.len();
        let once = thing.contains(' ');
        let steps = if once || ended { 0..self.moments.len() } else { self.steps_around(place) };
        let won = self.won.get(thing)?;
        let of = |seat: Seat| {
            let at = |step: usize| won[seat].partition_point(|won| won.step < step);
            won[seat].get(at(steps.start)..at(steps.end)).unwrap_or_default()
        };
        let said = |won: &Won| name_seats(&won.said, self.names);
        let Some(own) = of(seat).last() else {
            let other = of(seat.other()).last()?;
            return Some(format!("this says that {} won, and by the moves {}", self.names[seat], said(other)));
        };
        let fits = |won: &Won| match (stated, won.numbers.as_slice()) {
            ([one, other], [first, second, ..]) => [[one, other], [other, one]].contains(&[first, second]),
            ([one], [number]) => one == number,
            _ => true,
        };
        if (ended && !once) || of(seat).iter().any(fits) {
            return None;
        }
        let stated: Vec<String> = stated.iter().map(ToString::to_string).collect();
        Some(format!("this says {}, and by the moves {}", stated.join(" to "), said(own)))
    }
}

impl Moment {
    fn panels(&self) -> &[Panel] {
        self.panels.get_or_init(|| self.duel.view(Sight::Everything).panels)
    }

    fn boards(&self) -> impl Iterator<Item = Board<'_>> {
        self.panels().iter().filter_map(|panel| match panel {
            Panel::Grid { title, rows, current, .. } => Some(Board { title, rows, current: *current }),
            _ => None,
        })
    }

    fn piles(&self) -> impl Iterator<Item = Pile<'_>> {
        piles(self.panels())
    }
}

pub(super) fn piles(panels: &[Panel]) -> impl Iterator<Item = Pile<'_>> {
    panels.iter().flat_map(|panel| {
        let (title, seat, groups) = match panel {
            Panel::Cards { title, seat: Some(seat), groups } => (*title, *seat, groups.as_slice()),
            _ => ("", Seat::P1, [].as_slice()),
        };
        groups.iter().map(move |group| {
            let name = if group.label.is_empty() { title } else { group.label.as_str() };
            Pile { seat, name: name.to_lowercase(), cards: &group.cards }
        })
    })
}

impl<'m> Board<'m> {
    fn cells(&self) -> impl Iterator<Item = &'m Cell> + Clone {
        let rows = self.rows;
        rows.iter().flat_map(|(_, cells)| cells)
    }
}

/// A part of the match that a seat won, by the rules.
struct Won {
    step: usize,
    /// The clause that says so.
    said: String,
    numbers: Vec<u32>,
}

/// The words of the rules for what somebody won.
const WON: [&str; 3] = [" wins ", " takes the ", " took the "];

impl Won {
    /// What a sentence of the rules says of the seat that it names last before such words.
    fn of(step: usize, text: &str) -> Option<(Seat, Self)> {
        let at = WON.iter().find_map(|won| text.find(won))?;
        let named = |seat: Seat| Some((text.get(..at)?.rfind(&format!("{{{seat}}}"))?, seat));
        let (from, seat) = Seat::BOTH.into_iter().filter_map(named).max_by_key(|(from, _)| *from)?;
        let clause = |from: usize| text.get(from..)?.split(['.', ';']).next();
        Some((seat, Self { step, said: clause(from)?.to_owned(), numbers: numbers(clause(at)?) }))
    }
}

/// What a sentence of the rules says was won or taken: "board d", and "board" as well; "front", where that stands before it.
fn things(text: &str) -> Vec<String> {
    let Some(behind) = WON.iter().find_map(|won| text.split_once(won)).map(|(_, behind)| behind.to_lowercase()) else {
        return Vec::new();
    };
    let mut words = wording::words(&behind);
    let (noun, next) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let named = (next.len() == 1).then(|| format!("{noun} {next}"));
    let head = text.split_once(": ").map(|(head, _)| head.to_lowercase());
    [noun.to_owned()].into_iter().chain(named).chain(head).collect()
}

fn card(cell: &Cell) -> &str {
    let name = cell.name.rsplit(", ").next().unwrap_or_default();
    name.strip_prefix("face down: ").unwrap_or(name)
}

/// The numbers of a sentence of the rules. The names of the seats are none.
fn numbers(text: &str) -> Vec<u32> {
    wording::words(text).filter_map(|word| word.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use engine::{SplitMix64, To};

    use super::*;

    const NAMES: BySeat<&str> = BySeat { p1: "Ada", p2: "Bo" };

    /// A match of this ruleset, played at random.
    fn played(ruleset: &str, seed: u64) -> (Setup, Vec<String>) {
        let setup = Setup { ruleset: ruleset.into(), dmo: Some(Seat::P1), ..Setup::default() };
        let (mut duel, mut chance, mut steps) = (Duel::open(&setup).unwrap(), SplitMix64(seed), Vec::new());
        while duel.outcome() == Outcome::Running && steps.len() < 400 {
            let ask = duel.asks().pop().unwrap();
            let line = match ask.to {
                To::Host => format!("host: {}", duel.draw(&mut chance).unwrap()),
                to => {
                    let asked = |seat: Seat| to == To::Both || to == To::One(seat);
                    let mut sample = |seat: Seat| duel.sample(seat, ask.what, &mut chance).filter(|_| asked(seat));
                    let moves = BySeat { p1: sample(Seat::P1), p2: sample(Seat::P2) };
                    duel.line(&moves)
                }
            };
            steps.push(duel.play(&line, None).unwrap().text);
        }
        (setup, steps)
    }

    /// What the rules say of each state, as a host could have stated it a step early, in time or a step late.
    fn true_statements(timeline: &Timeline<'_>) -> Vec<(Statement, usize)> {
        let mut all = Vec::new();
        for (at, moment) in timeline.moments.iter().enumerate() {
            for Figure { name, seat, value, .. } in moment.duel.figures() {
                all.push((Statement::Figure { noun: name.to_owned(), seat, value }, at));
            }
            for board in moment.boards().filter(|board| board.current) {
                for cell in board.cells().filter(|cell| cell.up) {
                    let name = cell.name.split(',').next().unwrap().to_owned();
                    all.push((Statement::Value { seat: None, name, value: card(cell).to_owned() }, at));
                }
            }
            for pile in moment.piles().filter(|pile| !pile.cards.is_empty()) {
                let value = pile.cards.iter().map(|card| card.card.to_lowercase()).collect::<Vec<_>>().join(" ");
                all.push((Statement::Value { seat: Some(pile.seat), name: pile.name, value }, at));
            }
            for effect in &moment.effects {
                for thing in things(&effect.text).into_iter().filter(|_| effect.fate != Fate::Failed) {
                    let win = |(seat, won): (Seat, Won)| Statement::Win { seat, thing, numbers: won.numbers };
                    all.extend(Won::of(at, &effect.text).map(|won| (win(won), at + 1)));
                }
            }
        }
        all
    }

    #[test]
    fn what_the_rules_say_is_never_contradicted_and_its_opposite_is() {
        for ruleset in engine::rulesets().map(|ruleset| ruleset.card().id) {
            let mut contradicted: HashSet<&str> = HashSet::new();
            for seed in 0..4 {
                let (setup, steps) = played(ruleset, seed);
                let timeline = Timeline::of(&setup, &steps, NAMES).unwrap();
                for (statement, at) in true_statements(&timeline) {
                    for place in [at.saturating_sub(1), at, (at + 1).min(steps.len())] {
                        let place = Place { before: place, with: place };
                        assert_eq!(
                            timeline.holds(&statement, place),
                            Ok(String::new()),
                            "{ruleset} {at} {statement:?}"
                        );
                    }
                    let (kind, wrong) = match statement {
                        Statement::Figure { noun, seat, value } => {
                            ("figure", Statement::Figure { noun, seat, value: value + 500 })
                        }
                        Statement::Win { seat, thing, numbers } if thing != "pot" => {
                            ("win", Statement::Win { seat: seat.other(), thing, numbers })
                        }
                        _ => continue,
                    };
                    if timeline.holds(&wrong, Place { before: at, with: at }).is_err() {
                        contradicted.insert(kind);
                    }
                }
            }
            assert!(contradicted.contains("figure"), "{ruleset}");
            let has_boards = ruleset.starts_with("higher-lower");
            assert!(!has_boards || contradicted.contains("win"), "{ruleset}");
        }
    }
}

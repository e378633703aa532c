//! Plays the archive of example matches and writes it to `fixtures/matches/`, the same bytes every time.
//!
//! `cargo run --release -p matchbook-engine --example archive`
//!
//! Every ruleset gets a match for every way and every length in which it can end. The rounds up to the next moment at
//! which a match can end are repeated until the match goes on, or ends, as wanted; a match of a game of turns is
//! repeated as a whole. The matches, their players and their events are invented.

extern crate matchbook_engine as engine;

mod calendar;
mod chance;
mod player;
mod turns;
mod wanted_ending;

use std::path::{Path, PathBuf};
use std::{fs, io};

use chance::Chance;
use engine::dmn::{self, Tags};
use engine::{BySeat, Duel, Seat, Setup, Sight};
use player::{Player, Style};
use wanted_ending::{WantedEnding, wanted_endings};

/// Enough tries for an event of one in a thousand.
const TRIES: usize = 20_000;

#[derive(Clone)]
struct PlayedMatch {
    duel: Duel,
    steps: Vec<String>,
}

fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/matches");
    let mut calendar = calendar::Calendar::new();
    for (seed, wanted) in (1..).zip(wanted_endings()) {
        let date = calendar.place(wanted.ruleset);
        let setup = wanted.setup();
        let mut chance = Chance::new(seed);
        let played = (if wanted.by_turns() { play_turns } else { play })(&setup, date.pairing, &wanted, &mut chance)
            .unwrap_or_else(|| panic!("it does not happen in {TRIES} tries: {wanted:?}"));
        let tags = Tags {
            setup,
            event: Some(date.event.to_owned()),
            date: Some(date.day.clone()),
            names: date.pairing.map(|player| player.name.to_owned()),
            result: Some(played.duel.outcome().tag().to_owned()),
            others: date.stage.map(|stage| ("Stage".to_owned(), stage)).into_iter().collect(),
        };
        let path = path(&folder, &wanted, turns::completed(&played.duel), date.pairing);
        fs::create_dir_all(path.parent().unwrap_or(&folder))?;
        fs::write(&path, dmn::write(&tags, played.steps.iter().map(String::as_str)))?;
        println!("{}", path.strip_prefix(&folder).unwrap_or(&path).display());
    }
    Ok(())
}

fn path(folder: &Path, wanted: &WantedEnding, rounds: u32, pairing: BySeat<Player>) -> PathBuf {
    let plain = |name: &str| name.to_lowercase().replace([' ', '.', '_', '\''], "");
    let (p1, p2) = (plain(pairing.p1.name), plain(pairing.p2.name));
    let won = wanted.winner.map_or("none", Seat::word);
    folder.join(wanted.ruleset).join(format!("{}-{rounds}-{won}-{p1}-{p2}.dmn", wanted.reason))
}

/// Plays a match that ends as wanted; none if no try does.
fn play(setup: &Setup, pairing: BySeat<Player>, wanted: &WantedEnding, chance: &mut Chance) -> Option<PlayedMatch> {
    let styles = pairing.map(|player| wanted.style.unwrap_or(player.style));
    let mut played = PlayedMatch { duel: Duel::open(setup).ok()?, steps: Vec::new() };
    for until in wanted.stages() {
        played = (0..TRIES).find_map(|_| {
            let mut next = played.clone();
            next.on(until, styles, chance)?;
            let outcome = next.duel.outcome();
            let good = if until < wanted.rounds || wanted.interrupted() {
                !outcome.is_over() && (!wanted.conceded() || next.leads(wanted.winner))
            } else {
                (outcome.reason(), outcome.tag()) == wanted.by_the_rules()
            };
            good.then_some(next)
        })?;
    }
    if let Some(ruling) = wanted.ruling {
        played.take(&format!("umpire: result {} {ruling}", wanted.tag()))?;
    }
    Some(played)
}

/// Plays a match of a game of turns that ends as wanted; none if no try does.
fn play_turns(setup: &Setup, _: BySeat<Player>, wanted: &WantedEnding, chance: &mut Chance) -> Option<PlayedMatch> {
    let stopped = wanted.interrupted().then_some(wanted.rounds as usize);
    let mut played = (0..TRIES).find_map(|_| {
        let mut played = PlayedMatch { duel: Duel::open(setup).ok()?, steps: Vec::new() };
        turns::on(&mut played.duel, &mut played.steps, stopped, chance)?;
        let outcome = played.duel.outcome();
        let lasted = wanted.rounds == 0 || turns::completed(&played.duel) == wanted.rounds;
        let good = match stopped {
            Some(_) => true,
            None => lasted && (outcome.reason(), outcome.tag()) == wanted.by_the_rules(),
        };
        good.then_some(played)
    })?;
    if let Some(ruling) = wanted.ruling {
        played.take(&format!("umpire: result {} {ruling}", wanted.tag()))?;
    }
    Some(played)
}

impl PlayedMatch {
    /// Plays until this many rounds are complete, and no window delays the next.
    fn on(&mut self, until: u32, styles: BySeat<Style>, chance: &mut Chance) -> Option<()> {
        while self.completed() < until || self.duel.asks().first().is_some_and(|ask| ask.what != "round") {
            if self.duel.outcome().is_over() {
                break;
            }
            let line = player::line(&self.duel, styles, chance);
            self.take(&line)?;
        }
        (self.completed() == until).then_some(())
    }

    fn take(&mut self, line: &str) -> Option<()> {
        let played = self.duel.play(line, None).ok()?;
        self.steps.push(played.text);
        Some(())
    }

    /// True if this seat is far ahead.
    fn leads(&self, seat: Option<Seat>) -> bool {
        let figures = self.duel.view(Sight::Public).figures;
        let chips =
            |whose: Option<Seat>| figures.iter().find(|figure| figure.seat == whose).map_or(0, |chips| chips.value);
        chips(seat) > chips(seat.map(Seat::other)) + 4
    }

    fn completed(&self) -> u32 {
        self.duel.coming_round().map_or(0, |round| round - 1)
    }
}

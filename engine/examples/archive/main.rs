//! Plays the archive of example matches and writes it to `fixtures/matches/`, the same bytes every time.
//!
//! `cargo run --release -p matchbook-engine --example archive`
//!
//! Every ruleset gets a match for every way and every length in which it can end: a pairing is played again with
//! another seed until it ends as wanted. The matches are inventions, and so are their players and events.

extern crate matchbook_engine as engine;

mod calendar;
mod chance;
mod player;
mod wanted;

use std::path::{Path, PathBuf};
use std::{fs, io};

use chance::Chance;
use engine::dmn::{self, Tags};
use engine::{BySeat, Duel, Seat, Setup};
use player::Player;
use wanted::{Wanted, wanted};

/// Enough for endings that one match in a million has.
const TRIES: u64 = 4_000_000;

fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/matches");
    let mut calendar = calendar::Calendar::new();
    for (n, wanted) in wanted().iter().enumerate() {
        let date = calendar.place(wanted.ruleset);
        let names = date.pairing.map(|player| player.name.to_owned());
        let setup = Setup {
            ruleset: wanted.ruleset.to_owned(),
            options: Vec::new(),
            dmo: wanted.dmo,
            items: wanted.items.map(|items| items.iter().map(ToString::to_string).collect()),
        };
        let (tries, (steps, duel)) = (0..TRIES)
            .find_map(|seed| {
                let mut chance = Chance::new(seed + 1 + (n as u64) * TRIES);
                play(&setup, date.pairing, wanted, &mut chance).map(|played| (seed + 1, played))
            })
            .unwrap_or_else(|| panic!("{wanted:?} does not happen in {TRIES} tries"));
        let tags = Tags {
            setup,
            event: Some(date.event.to_owned()),
            date: Some(date.day.clone()),
            names,
            result: Some(duel.outcome().tag().to_owned()),
            others: date.stage.map(|stage| ("Stage".to_owned(), stage)).into_iter().collect(),
        };
        let path = path(&folder, wanted, date.pairing);
        fs::create_dir_all(path.parent().unwrap_or(&folder))?;
        fs::write(&path, dmn::write(&tags, steps.iter().map(String::as_str)))?;
        println!("{} after {tries} tries", path.strip_prefix(&folder).unwrap_or(&path).display());
    }
    Ok(())
}

fn path(folder: &Path, wanted: &Wanted, pairing: BySeat<Player>) -> PathBuf {
    let plain = |name: &str| name.to_lowercase().replace([' ', '.', '_', '\''], "");
    let (p1, p2) = (plain(pairing.p1.name), plain(pairing.p2.name));
    let won = wanted.winner.map_or("none", Seat::word);
    folder.join(wanted.ruleset).join(format!("{}-{}-{won}-{p1}-{p2}.dmn", wanted.reason, wanted.rounds))
}

/// Plays one match; none where it does not end as wanted.
fn play(setup: &Setup, pairing: BySeat<Player>, wanted: &Wanted, chance: &mut Chance) -> Option<(Vec<String>, Duel)> {
    let mut duel = Duel::open(setup).ok()?;
    let mut steps = Vec::new();
    let styles = pairing.map(|player| wanted.style.unwrap_or(player.style));
    while !duel.outcome().is_over() {
        let waits = duel.asks().iter().all(|ask| ask.what != "round");
        if wanted.interrupted() && completed(&duel) >= wanted.rounds && !waits {
            break;
        }
        let line = player::line(&duel, styles, chance);
        steps.push(duel.play(&line, None).ok()?.text);
    }
    if completed(&duel) != wanted.rounds || (!wanted.interrupted() && duel.outcome().reason() != wanted.before_ruling())
    {
        return None;
    }
    if let Some(ruling) = wanted.ruling {
        let line = format!("umpire: result {} {ruling}", wanted.tag());
        steps.push(duel.play(&line, None).ok()?.text);
    }
    let ended = (duel.outcome().reason(), duel.outcome().tag());
    (ended == (wanted.reason, wanted.tag())).then_some((steps, duel))
}

fn completed(duel: &Duel) -> u32 {
    duel.coming_round().map_or(0, |round| round - 1)
}

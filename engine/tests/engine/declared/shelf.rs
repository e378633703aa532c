//! The shelf: real kinds of games, each with a finished match. `shelf.txt` has what is read back of each, and its last
//! state; `UPDATE=1` rewrites it.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use engine::games::declared::{Phase, Table};
use engine::{Sight, SplitMix64};

use super::file::{ShelfFile, play};
use super::generator::random_match;
use crate::fixtures::files;

/// Every game of the shelf by name.
pub(super) fn shelf() -> impl Iterator<Item = (String, ShelfFile)> {
    files::below("declared").into_iter().map(|file| (file.name, ShelfFile::read(&file.text)))
}

#[test]
fn every_game_of_the_shelf_is_declared_in_its_one_spelling() {
    for (name, file) in shelf() {
        let game = file.declaration();
        let structure = game.structure();
        let written = |line: &String| structure.iter().any(|canonical| line.starts_with(canonical.as_str()));
        let words = |line: &String| line.starts_with("title ") || line.starts_with("source ");
        let other: Vec<_> = file.lines.iter().filter(|line| !written(line) && !words(line)).collect();
        assert!(other.is_empty(), "{name}: {other:#?} and {structure:#?}");
        assert!(game.title.is_some(), "{name} has no title");
    }
    assert_eq!(shelf().count(), 25);
}

#[test]
fn every_match_of_the_shelf_plays_to_its_result() {
    let mut told = String::new();
    for (name, file) in shelf() {
        let game = Arc::new(file.declaration());
        let mut table = Table::new(Arc::clone(&game));
        for line in &file.steps {
            let played = play(&mut table, line);
            assert_eq!(played.as_ref(), Ok(line), "{name}: {:?}", played.as_ref().map_err(ToString::to_string));
        }
        let Phase::Over(verdict) = table.phase() else { panic!("{name}: a match of the shelf is finished") };
        assert_eq!(verdict.word(), file.result, "{name}");
        writeln!(told, "{name}").unwrap();
        game.sentences().iter().for_each(|sentence| writeln!(told, "  {sentence}").unwrap());
        writeln!(told, "  {}\n", table.state(Sight::Everything)).unwrap();
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/declared/shelf.txt");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &told).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(told == golden, "UPDATE=1 cargo test -p matchbook-engine declared rewrites shelf.txt; then read it");
}

#[test]
fn every_game_of_the_shelf_plays_at_random() {
    for (name, file) in shelf() {
        let game = Arc::new(file.declaration());
        let matches = (0..20).map(|seed| random_match(&game, 80, &mut SplitMix64(seed)));
        let ended = matches.filter(|(_, table)| matches!(table.phase(), Phase::Over(_))).count();
        assert!(ended > 0, "{name}: no random match came to its end");
    }
}

//! A file of the shelf: the declaration in its tags, and the steps of a match.

use std::sync::Arc;

use engine::dmn::quotes::split_outside_quotes;
use engine::games::declared::{Announcement, Declaration, Drawn, Table};
use engine::{BySeat, Refusal, Seat};

/// The lines of the declaration, the tag `Result`, and the steps.
pub(super) struct ShelfFile {
    pub(super) lines: Vec<String>,
    pub(super) result: String,
    pub(super) steps: Vec<String>,
}

impl ShelfFile {
    pub(super) fn read(text: &str) -> Self {
        let (mut lines, mut result, mut steps) = (Vec::new(), String::new(), Vec::new());
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            match line.strip_prefix('[').and_then(|tag| tag.strip_suffix("\"]")?.split_once(" \"")) {
                Some(("Game", value)) => lines.push(value.replace("\\\"", "\"").replace("\\\\", "\\")),
                Some(("Result", value)) => result = value.into(),
                Some(_) => {}
                None => steps.push(line.into()),
            }
        }
        Self { lines, result, steps }
    }

    pub(super) fn declaration(&self) -> Declaration {
        Declaration::read(self.lines.iter().map(String::as_str)).unwrap_or_else(|fault| panic!("{fault}"))
    }
}

/// Plays a line, and returns it as it is written canonically.
pub(super) fn play(table: &mut Table, line: &str) -> Result<String, Refusal> {
    let game = Arc::new(table.game().clone());
    let question = table.asked().and_then(|asked| asked.question(&game));
    if let Some(said) = line.strip_prefix("umpire: ") {
        let announcement = Announcement::read(said, &game)?;
        table.announce(&announcement)?;
        return Ok(format!("umpire: {}", announcement.write(&game, false)));
    }
    if let Some(text) = line.strip_prefix("host: ") {
        let drawn = Drawn::read(text, &game)?;
        table.draw(&drawn)?;
        return Ok(format!("host: {}", drawn.write(&game, false)));
    }
    for seat in Seat::BOTH {
        if let Some(text) = line.strip_prefix(&format!("{seat}: ")) {
            let answer = table.read(seat, text)?;
            table.answer(&[(seat, &answer)])?;
            return Ok(format!("{seat}: {}", answer.write(question.unwrap(), &game, &[])));
        }
    }
    let (round, moves) = line.split_once(". ").unwrap();
    let moves: Vec<&str> = split_outside_quotes(moves, b'/').map(|(_, text)| text.trim()).collect();
    let answers = BySeat { p1: table.read(Seat::P1, moves[0])?, p2: table.read(Seat::P2, moves[1])? };
    table.answer(&answers.each())?;
    assert_eq!((moves.len(), table.round().to_string()), (2, round.to_owned()), "{line}");
    let [p1, p2] = [answers.p1, answers.p2].map(|answer| answer.write(question.unwrap(), &game, &[]));
    Ok(format!("{round}. {p1} / {p2}"))
}

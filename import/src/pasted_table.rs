//! Tables inside a chat, as spreadsheets and summaries are pasted.

use super::fix::Who;
use super::speakers::{Speakers, is_name};
use super::table::{ASIDE, column_of};

/// Columns that are nobody's name.
const OTHERS: [&str; 20] = [
    "score", "pot", "note", "notes", "chips", "gems", "lights", "torches", "lamps", "comment", "comments", "result",
    "total", "sum", "round", "rd", "#", "standing", "points", "",
];
/// Columns that say what the cell before them names.
const TARGETS: [&str; 4] = ["block", "target", "blocks", "blocking"];

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Round,
    Player(usize),
    /// What the cell before it names.
    Target(usize),
    Score,
    Pot,
    Note,
    Other,
}

/// A table inside a chat: columns with the players' names, between bars or tabs, as spreadsheets and summaries are pasted. Each row
/// becomes the sentence that a host would write.
#[derive(Clone, Debug)]
struct Grid {
    delimiter: char,
    columns: Vec<Column>,
    names: [String; 2],
}

/// The lines of a chat, those of tables in its words. A line may become more than one.
pub(crate) fn lines(lines: &[(usize, &str)], speakers: &Speakers) -> Vec<(usize, String)> {
    let (mut grid, mut out): (Option<Grid>, Vec<(usize, String)>) = (None, Vec::new());
    for (at, line) in lines {
        if let Some(found) = Grid::of(line, speakers) {
            // The heading of the columns says nothing else.
            grid = Some(found);
            continue;
        }
        match grid.as_ref().and_then(|grid| grid.said(line)) {
            Some(said) => out.extend(said.into_iter().map(|said| (*at, said))),
            None => out.push((*at, (*line).to_owned())),
        }
    }
    out
}

/// True if a line holds the headings of such a table.
pub(crate) fn is_heading(line: &str) -> bool {
    Grid::of(line, &Speakers::everywhere()).is_some()
}

fn cells(line: &str, delimiter: char) -> Vec<&str> {
    let line = if delimiter == '|' { line.trim().trim_matches('|') } else { line };
    line.split(delimiter).map(|cell| cell.trim().trim_matches(['*', '`', '"'])).collect()
}

/// A column's name without the number of a card behind it.
fn base(cell: &str) -> &str {
    cell.trim_end_matches(|letter: char| letter.is_ascii_digit() || " .#-".contains(letter)).trim()
}

impl Grid {
    /// The columns, where a line names the rounds' and two players'.
    fn of(line: &str, speakers: &Speakers) -> Option<Self> {
        let delimiter = ['\t', '|'].into_iter().find(|delimiter| line.matches(*delimiter).count() > 1)?;
        let cells = cells(line, delimiter);
        let first = cells.first()?.to_lowercase();
        let mut names: Vec<String> = Vec::new();
        let mut columns = Vec::new();
        let mut last = Column::Other;
        for (n, cell) in cells.iter().enumerate() {
            let lower = base(cell).to_lowercase();
            let seat = speakers.who(base(cell)).and_then(Who::seat).is_some();
            last = match lower.as_str() {
                _ if n == 0 && column_of(&first) == "round" => Column::Round,
                "score" | "standing" => Column::Score,
                "pot" => Column::Pot,
                note if ASIDE.contains(&note) => Column::Note,
                target if TARGETS.contains(&target) && matches!(last, Column::Player(_)) => match last {
                    Column::Player(at) => Column::Target(at),
                    other => other,
                },
                other if OTHERS.contains(&other) => Column::Other,
                _ if seat || is_name(base(cell)) => {
                    let known = names.iter().position(|name| name == base(cell));
                    let at = known.unwrap_or_else(|| {
                        names.push(base(cell).to_owned());
                        names.len() - 1
                    });
                    Column::Player(at)
                }
                _ => Column::Other,
            };
            columns.push(last);
        }
        let names: [String; 2] = names.try_into().ok()?;
        (columns.first() == Some(&Column::Round)).then_some(Self { delimiter, columns, names })
    }

    /// What a row says; none where the line is none of its rows.
    fn said(&self, line: &str) -> Option<Vec<String>> {
        let cells = cells(line, self.delimiter);
        if line.chars().all(|letter| "-+|=: \t".contains(letter)) && line.contains('-') {
            return Some(Vec::new());
        }
        let round = cells.first()?.trim_end_matches('.').parse::<u32>().ok()?;
        let of = |column: Column| {
            let cells = cells.iter().zip(&self.columns).filter(move |(_, known)| **known == column);
            cells.map(|(cell, _)| *cell).filter(|cell| !cell.is_empty())
        };
        let is_number = |cell: &&str| cell.parse::<i32>().is_ok();
        // Figures in a player's column are what that player has.
        let says = |column: Column| of(column).filter(|cell| !is_number(cell)).collect::<Vec<_>>().join(" ");
        let moves = [0, 1].map(|at| {
            let cells = cells.iter().zip(&self.columns).filter(|(cell, _)| !cell.is_empty() && !is_number(cell));
            let words = cells.filter_map(|(cell, column)| match column {
                Column::Player(player) if *player == at => Some((*cell).to_owned()),
                Column::Target(player) if *player == at => Some(format!("({cell})")),
                _ => None,
            });
            words.collect::<Vec<_>>().join(" ")
        });
        if moves.iter().all(String::is_empty) {
            return None;
        }
        let note = says(Column::Note);
        let [one, other] = moves.map(|said| if said.is_empty() { "-".to_owned() } else { said });
        let [first, second] = &self.names;
        let mut said = vec![format!("Round {round}"), format!("{first}: {one}"), format!("{second}: {other}")];
        let has = |at: usize| of(Column::Player(at)).rfind(is_number).map(str::to_owned);
        let parted =
            |cell: &str| cell.split_once([':', '-', '–']).map(|(one, other)| (one.to_owned(), other.to_owned()));
        let score = of(Column::Score).next().and_then(parted).or_else(|| has(0).zip(has(1)));
        let score = score.map(|(one, other)| format!("Score: {first} {one}, {second} {other}"));
        let pot = of(Column::Pot).next().filter(is_number).map(|pot| format!("pot {pot}"));
        let stated: Vec<String> = score.into_iter().chain(pot).collect();
        said.extend(Some(stated.join(", ")).filter(|stated| !stated.is_empty()));
        said.extend(Some(note).filter(|note| !note.is_empty()));
        Some(said)
    }
}

//! A sheet of results: a row for each match, as a spreadsheet is pasted or saved. It has no fixed columns: those with a heading
//! that is known are taken by it, and the others are named by pressing them.

use csv::{ReaderBuilder, Trim};

/// The meaning of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultColumn {
    P1,
    P2,
    Result,
    Score,
    Game,
    Date,
    Event,
    Recording,
}

impl ResultColumn {
    /// In the order in which they are asked for.
    pub const ALL: [Self; 8] =
        [Self::P1, Self::P2, Self::Result, Self::Score, Self::Game, Self::Date, Self::Event, Self::Recording];

    /// Its word in a form.
    pub const fn word(self) -> &'static str {
        match self {
            Self::P1 => "p1",
            Self::P2 => "p2",
            Self::Result => "result",
            Self::Score => "score",
            Self::Game => "game",
            Self::Date => "date",
            Self::Event => "event",
            Self::Recording => "recording",
        }
    }

    /// The same for people.
    pub const fn label(self) -> &'static str {
        match self {
            Self::P1 => "player 1",
            Self::P2 => "player 2",
            Self::Result => "who won",
            Self::Score => "the score",
            Self::Game => "the game",
            Self::Date => "the date",
            Self::Event => "the event",
            Self::Recording => "the recording",
        }
    }

    /// The column of a word.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|column| column.word() == word)
    }

    /// The column that a heading names.
    fn of_heading(cell: &str) -> Option<Self> {
        let cell = cell.trim().to_lowercase();
        match super::table::column_of(&cell) {
            "p1" | "player_1" => Some(Self::P1),
            "p2" | "player_2" | "opponent" => Some(Self::P2),
            "result" | "winner" | "won" | "who won" => Some(Self::Result),
            "score" | "final" | "final score" => Some(Self::Score),
            "game" | "ruleset" | "rules" | "death match" | "dm" => Some(Self::Game),
            "date" | "day" | "when" | "played" => Some(Self::Date),
            "event" | "season" | "tournament" => Some(Self::Event),
            "recording" | "video" | "vod" | "link" | "stream" => Some(Self::Recording),
            _ => None,
        }
    }
}

/// Wider or longer sheets are no results of a season, and every row becomes as wide as the widest.
const COLUMNS_MAX: usize = 64;
const ROWS_MAX: usize = 1_000;

/// A sheet taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResultSheet {
    /// The headings, where the first row has some that are known.
    pub headings: Option<Vec<String>>,
    /// Each row with its line, as many cells as the widest.
    pub rows: Vec<(usize, Vec<String>)>,
}

impl ResultSheet {
    /// Takes a text apart. What parts its cells is what its first line has most of. The error is a sentence.
    pub fn read(text: &str) -> Result<Self, &'static str> {
        let text = text.trim_start_matches('\u{feff}');
        let first = text.lines().find(|line| !line.trim().is_empty()).ok_or("There is nothing in this sheet.")?;
        let count = |sign: &u8| first.bytes().filter(|byte| byte == sign).count();
        let delimiter = [b'\t', b';', b',', b'|'].into_iter().rev().max_by_key(count).unwrap_or(b'\t');
        if count(&delimiter) == 0 {
            return Err("This is no sheet: its cells have tabs, commas or semicolons between them.");
        }
        let mut reader = ReaderBuilder::new();
        reader.has_headers(false).flexible(true).delimiter(delimiter).trim(Trim::All);
        let (mut rows, mut width) = (Vec::new(), 0);
        for record in reader.from_reader(text.as_bytes()).into_records() {
            let record = record.map_err(|_| "This sheet cannot be read to its end: a quote is open.")?;
            if record.iter().any(|cell| !cell.is_empty()) {
                let line = record.position().and_then(|position| usize::try_from(position.line()).ok()).unwrap_or(0);
                width = width.max(record.len());
                if width > COLUMNS_MAX || rows.len() > ROWS_MAX {
                    return Err("This sheet is too large: at most 64 columns and 1,000 rows are read at once.");
                }
                rows.push((line, record.iter().map(str::to_owned).collect::<Vec<_>>()));
            }
        }
        rows.iter_mut().for_each(|(_, cells)| cells.resize(width, String::new()));
        let named = |cells: &[String]| cells.iter().any(|cell| ResultColumn::of_heading(cell).is_some());
        let has_headings = rows.first().is_some_and(|(_, cells)| named(cells));
        let headings = has_headings.then(|| rows.remove(0).1);
        Ok(Self { headings, rows })
    }

    /// The columns that have a known heading, the first of each meaning.
    pub fn known_columns(&self) -> Vec<(usize, ResultColumn)> {
        let mut known: Vec<(usize, ResultColumn)> = Vec::new();
        for (at, cell) in self.headings.iter().flatten().enumerate() {
            if let Some(column) = ResultColumn::of_heading(cell)
                && !known.iter().any(|(_, other)| *other == column)
            {
                known.push((at, column));
            }
        }
        known
    }

    /// How many columns there are.
    pub fn width(&self) -> usize {
        self.rows.first().map_or(0, |(_, cells)| cells.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_that_are_known_name_their_columns() {
        let sheet =
            ResultSheet::read("\u{feff}Date;Player 1;Player 2;Winner;x\n2021;Ada;\"Bo;\nB\";Ada\n;;;;\n2022;C;D;;;\n")
                .unwrap();
        let known: Vec<_> = sheet.known_columns().into_iter().map(|(at, column)| (at, column.word())).collect();
        assert_eq!(known, [(0, "date"), (1, "p1"), (2, "p2"), (3, "result")]);
        let rows: Vec<_> = sheet.rows.iter().map(|(line, cells)| (*line, cells[2].as_str(), cells.len())).collect();
        assert_eq!(rows, [(2, "Bo;\nB", 6), (5, "D", 6)]);
        assert_eq!(sheet.width(), 6);
    }

    #[test]
    fn a_sheet_without_headings_has_rows_alone() {
        let sheet = ResultSheet::read("Ada\tBo\tAda\nCy\tDi\tDi\n").unwrap();
        assert_eq!((sheet.headings, sheet.rows.len()), (None, 2));
        assert!(ResultSheet::read("").is_err() && ResultSheet::read("just words").is_err());
        assert!(ResultSheet::read("a,\"b").is_ok_and(|sheet| sheet.rows.len() == 1));
    }
}

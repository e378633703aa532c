//! A source as a table: a row for each round or question, in the columns round, p1, p2, draws and ruling. Rows before the
//! column names hold what is said of the match: a name and a value.

use csv::{ReaderBuilder, StringRecord, WriterBuilder};
use engine::{Party, Refusal, Seat};

use super::facts::{Facts, tag};
use super::fix::Change;
use super::match_builder::{MatchBuilder, Played};
use super::nearest_moves::{nearest, nearest_word};
use super::preview::{Reading, Row, Taken, Wrong};
use super::typed_move::{Typed, refusal};
use super::{notation_tag_fixes, setup_and_result};

/// The columns, in the order of the template.
pub const COLUMNS: [&str; 5] = ["round", "p1", "p2", "draws", "ruling"];
/// What can be said above the columns.
const FACTS: [&str; 10] = ["ruleset", "event", "date", "p1", "p2", "dmo", "result", "options", "p1items", "p2items"];
/// The fewest rows of a sheet with headings of its own.
const SHEET_LEAST: usize = 4;
/// What a column of such a sheet may be.
const MEANINGS: [(&str, &str); 5] = [
    ("round", "the number of the round"),
    ("p1", "player 1’s move, or a part of it"),
    ("p2", "player 2’s move, or a part of it"),
    ("draws", "what the host drew"),
    ("ruling", "the umpire’s decision"),
];
/// A column whose words nobody reads here.
pub(crate) const ASIDE: [&str; 4] = ["note", "notes", "comment", "comments"];

/// The column that is meant by a name in lower case.
pub(crate) fn column_of(name: &str) -> &str {
    match name {
        "player 1" | "player1" | "player one" | "first player" | "player a" => "p1",
        "player 2" | "player2" | "player two" | "second player" | "player b" => "p2",
        "round #" | "round no" | "round no." | "rd" | "rnd" | "r" | "#" | "no" | "no." => "round",
        other => other,
    }
}

/// Where the columns stand; what a seat sent may be parted into several.
struct Columns {
    places: [Vec<usize>; 5],
    count: usize,
    delimiter: u8,
}

/// Which column.
#[derive(Clone, Copy)]
enum Column {
    Round,
    P1,
    P2,
    Draws,
    Ruling,
}

/// Whether a line holds the column names, and what stands between them.
pub(crate) fn delimiter(line: &str) -> Option<u8> {
    [b',', b';', b'\t'].into_iter().find(|delimiter| {
        let mut cells = line.split(char::from(*delimiter)).map(|cell| cell.trim().trim_matches('"'));
        let all: Vec<String> = cells.by_ref().map(str::to_ascii_lowercase).collect();
        ["p1", "p2"].iter().all(|name| all.iter().any(|cell| column_of(cell) == *name))
    })
}

/// The row with the headings of a sheet that has columns of its own, and what stands between them; none where the text is no sheet.
pub(crate) fn sheet(text: &str) -> Option<(usize, u8)> {
    [b';', b'\t', b','].into_iter().find_map(|delimiter| {
        let cells = |line: &str| line.bytes().filter(|byte| *byte == delimiter).count();
        let lines: Vec<(usize, usize)> = text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty())
            .map(|(n, line)| (n, cells(line)))
            .collect();
        let (head, most) = *lines.iter().rev().max_by_key(|(_, count)| *count)?;
        let alike = lines.iter().filter(|(n, count)| *n >= head && *count == most).count();
        (most >= 2 && alike >= SHEET_LEAST && alike * 2 > lines.len()).then_some((head, delimiter))
    })
}

/// A table taken apart, before anything of it is held against the rules.
pub(crate) struct Table<'t> {
    /// The rows down to the column names, and what they say of the match.
    pub(crate) reading: Reading,
    columns: Columns,
    /// The rows below, each with its line.
    pub(crate) records: Vec<(usize, &'t str, StringRecord)>,
}

impl<'t> Table<'t> {
    /// Takes a table apart; none where it has no column names.
    pub(crate) fn read(text: &'t str) -> Option<Self> {
        let mut reading = Reading::default();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let named = text.lines().enumerate().find_map(|(n, line)| Some((n, delimiter(line)?)));
        let (head, delimiter) = named.or_else(|| sheet(text))?;
        let mut rows = ReaderBuilder::new();
        rows.has_headers(false).flexible(true).comment(Some(b'#')).delimiter(delimiter).trim(csv::Trim::All);
        let mut columns = Columns { places: Default::default(), count: 0, delimiter };
        let lines = lines(text);
        let mut records = Vec::new();
        for record in rows.from_reader(text.as_bytes()).into_records() {
            let Ok(record) = record else {
                reading.problems.push("This table cannot be read to its end: a quote is open.".to_owned());
                break;
            };
            let line = line_of(&lines, &record);
            let source = lines.get(line.saturating_sub(1)).map_or("", |(_, line)| *line);
            if record.iter().all(str::is_empty) {
                continue;
            }
            match line.cmp(&(head + 1)) {
                std::cmp::Ordering::Less => reading.rows.push(fact(line, source, &record, &mut reading.facts)),
                std::cmp::Ordering::Equal => reading.rows.push(columns.find(line, source, &record)),
                std::cmp::Ordering::Greater => records.push((line, source, record)),
            }
        }
        Some(Self { reading, columns, records })
    }
}

/// Reads a table; what it does not say of the match is taken from `given`.
pub(crate) fn read(text: &str, given: &Facts) -> Reading {
    let Some(Table { mut reading, columns, records }) = Table::read(text) else {
        let problem = "This table has no row with the column names: round, p1, p2, draws, ruling.";
        return Reading { problems: vec![problem.to_owned()], ..Reading::default() };
    };
    reading.facts = std::mem::take(&mut reading.facts).or(given);
    setup_and_result::names_missing(&mut reading);
    let builder = setup_and_result::open(&mut reading);
    let mut builder = builder.filter(|_| reading.wrong() == 0);
    let mut records = records.into_iter().peekable();
    while let Some((line, source, record)) = records.next() {
        let mut row = Row::new(line, source, Taken::Later, "");
        let begins = record.get(0).is_some_and(|cell| cell.eq_ignore_ascii_case("ruleset"));
        if builder.is_some() && (begins || delimiter(source).is_some()) {
            row.begins_another();
            builder = None;
        } else if let Some(open) = &mut builder {
            columns.take(open, &mut row, &record, records.peek().map(|(.., next)| next));
            row.standing = open.standing();
            if row.wrong.is_some() {
                row.standing.clear();
                builder = None;
            }
        }
        reading.rows.push(row);
    }
    let Some(builder) = builder else { return reading };
    let headings = reading.rows.iter().find(|row| row.taken == Taken::Heading);
    let heading = headings.map(|row| Change {
        at: row.line,
        was: row.source.clone(),
        now: vec![format!("{}{}ruling", row.source, char::from(columns.delimiter))],
    });
    if !builder.duel().outcome().is_over()
        && let Some(row) = reading.rows.last_mut()
    {
        // A table without that column gets one behind the others.
        let place = columns.at(Column::Ruling).first().copied().unwrap_or(columns.count);
        let count = columns.count.max(place + 1);
        row.fixes = setup_and_result::fixes(builder.names(), row.line, &row.source, |decision| {
            columns.write((0..count).map(|at| if at == place { decision } else { "" }))
        });
        if count > columns.count {
            row.fixes.iter_mut().for_each(|fix| fix.with(heading.clone()));
        }
        let expected = record::words::sentence(setup_and_result::STILL_RUNS);
        row.wrong = Some(Wrong { before: row.source.clone(), expected, ..Wrong::default() });
    }
    setup_and_result::close(&mut reading, &builder);
    reading
}

/// The lines of a text, each with the byte at which it begins.
fn lines(text: &str) -> Vec<(usize, &str)> {
    let mut next = 0;
    let with_place = |line| {
        let at = next;
        next += str::len(line);
        (at, line.trim_end_matches(['\r', '\n']))
    };
    text.split_inclusive('\n').map(with_place).collect()
}

/// The line of a record, counted from 1. Where empty lines and remarks stand before it, the reader says where those begin.
fn line_of(lines: &[(usize, &str)], record: &StringRecord) -> usize {
    let byte = record.position().and_then(|position| usize::try_from(position.byte()).ok()).unwrap_or(0);
    let first = lines.partition_point(|(at, _)| *at < byte);
    let from = lines.get(first..).unwrap_or_default();
    first + from.iter().take_while(|(_, line)| line.is_empty() || line.starts_with('#')).count() + 1
}

/// A row before the columns.
fn fact(line: usize, source: &str, record: &StringRecord, facts: &mut Facts) -> Row {
    let mut row = Row::new(line, source, Taken::Fact, "");
    let written = tag(source);
    let (name, value) = match &written {
        Some((name, value)) => (*name, value.as_str()),
        None => (record.get(0).unwrap_or_default(), record.get(1).unwrap_or_default()),
    };
    if facts.take(name, value) {
        return row;
    }
    if written.is_some() {
        facts.others.push((name.to_owned(), value.to_owned()));
        return row;
    }
    row.refuse("expected ruleset, event, date, p1, p2, dmo, result, options, p1items or p2items, and its value");
    if let Some(near) = nearest_word(name, FACTS.into_iter()).filter(|_| !value.is_empty()) {
        row.offer(format!("It is the {near}"), vec![notation_tag_fixes::written(near, value)]);
    }
    row.offer_ignore();
    row
}

/// A cell as a seat's answer.
fn take_seat(builder: &mut MatchBuilder, seat: Seat, cell: &str, line: usize) -> Result<Played, Refusal> {
    match builder.read(seat, cell) {
        Typed::Answer(answer) => builder.answer(seat, answer, line),
        Typed::Several(all) => Err(refusal(cell, &format!("this can be read as {}", all.join(" or as ")))),
        Typed::Refused(why) => Err(why),
    }
}

impl Columns {
    /// Takes the row with the names.
    fn find(&mut self, line: usize, source: &str, record: &StringRecord) -> Row {
        let mut row = Row::new(line, source, Taken::Heading, "The columns");
        self.count = record.len();
        let mut column = None;
        for (at, cell) in record.iter().enumerate() {
            let name = cell.to_ascii_lowercase();
            // A heading that is merged over several cells stands in the first of them.
            if !name.is_empty() {
                column = COLUMNS.iter().position(|column| *column == column_of(&name));
            }
            match column.and_then(|column| self.places.get_mut(column)) {
                Some(places) => places.push(at),
                None if name.is_empty() || ASIDE.contains(&name.as_str()) => {}
                None if row.wrong.is_some() => {}
                None => {
                    row.words.clear();
                    row.refuse(&format!(
                        "there is no column \u{201c}{cell}\u{201d}: the columns are round, p1, p2, draws, ruling and note"
                    ));
                    let renamed = |now: &str| {
                        vec![self.write(
                            (0..record.len()).map(|n| if n == at { now } else { record.get(n).unwrap_or_default() }),
                        )]
                    };
                    let near = nearest_word(&name, COLUMNS.into_iter()).unwrap_or_default();
                    let (first, others): (Vec<_>, Vec<_>) = MEANINGS.iter().partition(|(column, _)| *column == near);
                    for (column, meaning) in first.into_iter().chain(others) {
                        row.offer(format!("It is the column {column}: {meaning}"), renamed(column));
                    }
                    row.offer(format!("Leave the column {cell} out"), renamed("note"));
                }
            }
        }
        row
    }

    fn at(&self, column: Column) -> &[usize] {
        self.places.get(column as usize).map(Vec::as_slice).unwrap_or_default()
    }

    fn cell(&self, record: &StringRecord, column: Column) -> String {
        let cells = self.at(column).iter().filter_map(|at| record.get(*at)).filter(|cell| !cell.is_empty());
        cells.collect::<Vec<_>>().join(" ")
    }

    /// A row as the table writes it.
    fn write<'c>(&self, cells: impl Iterator<Item = &'c str>) -> String {
        let mut writer = WriterBuilder::new().delimiter(self.delimiter).from_writer(Vec::new());
        let written = writer.write_record(cells).ok().and_then(|()| writer.into_inner().ok());
        String::from_utf8(written.unwrap_or_default()).unwrap_or_default().trim_end().to_owned()
    }

    /// The row with one cell changed.
    fn with(&self, record: &StringRecord, column: Column, cell: &str) -> String {
        let count = self.count.max(record.len());
        let places = self.at(column);
        self.write((0..count).map(|at| match places.iter().position(|place| *place == at) {
            Some(0) => cell,
            Some(_) => "",
            None => record.get(at).unwrap_or_default(),
        }))
    }

    /// Takes what a row says: its draws, its moves, its ruling.
    fn take(&self, builder: &mut MatchBuilder, row: &mut Row, record: &StringRecord, next: Option<&StringRecord>) {
        let mut words = Vec::new();
        if let Err((column, cell, why)) = self.all(builder, record, row.line, &mut words) {
            self.refuse(builder, row, record, (column, &cell, &why));
            return;
        }
        if let Some((seat, _)) = builder.missing() {
            // A round that is merged over two rows has the other's move in the second.
            let has = |column: Column| next.is_some_and(|next| !self.cell(next, column).is_empty());
            if has(of(seat)) && !has(of(seat.other())) && !has(Column::Round) {
                row.taken = Taken::Half;
                return;
            }
            let name = builder.names()[seat];
            row.refuse(&format!("{name} is asked as well: write a move, or - where nothing came"));
            let filled = self.with(record, of(seat), "-");
            row.offer(format!("Nothing came from {name}"), vec![filled]);
            row.offer_ignore();
            return;
        }
        (row.taken, row.words) = (if words.is_empty() { Taken::LeftOut } else { Taken::Step }, words.join("; "));
    }

    fn all(
        &self,
        builder: &mut MatchBuilder,
        record: &StringRecord,
        line: usize,
        words: &mut Vec<String>,
    ) -> Result<(), (Column, String, Refusal)> {
        let mut take = |column: Column, cell: &str, played: Result<Played, Refusal>| match played {
            Ok(Played::Step(said)) => {
                words.push(said);
                Ok(())
            }
            Ok(Played::Half(_)) => Ok(()),
            Err(why) => Err((column, cell.to_owned(), why)),
        };
        let draws = self.cell(record, Column::Draws);
        for draw in draws.split([';', '\n']).map(str::trim).filter(|draw| !draw.is_empty()) {
            take(Column::Draws, draw, builder.draw(draw.strip_prefix("host:").unwrap_or(draw).trim(), line))?;
        }
        let round = self.cell(record, Column::Round);
        let round = round.trim_end_matches('.');
        if let Some(coming) = builder.duel().coming_round()
            && !round.is_empty()
            && round.parse() != Ok(coming)
            && !builder.duel().outcome().is_over()
        {
            let why = refusal(round, &format!("the coming round is {coming}"));
            return Err((Column::Round, round.to_owned(), why));
        }
        // Whoever is asked first speaks first.
        let second_first = !builder.is_asked(Party::Seat(Seat::P1)) && builder.is_asked(Party::Seat(Seat::P2));
        let order = if second_first { [Seat::P2, Seat::P1] } else { Seat::BOTH };
        for seat in order {
            let cell = self.cell(record, of(seat));
            if !cell.is_empty() {
                take(of(seat), &cell, take_seat(builder, seat, &cell, line))?;
            }
        }
        // A decision ends the round: what only one of two sent would go with it, unsaid.
        let ruling = self.cell(record, Column::Ruling);
        if !ruling.is_empty() && builder.missing().is_none() {
            let said = ruling.strip_prefix("umpire:").unwrap_or(&ruling).trim();
            let said = said.strip_prefix("result").unwrap_or(said).trim();
            take(Column::Ruling, &ruling, builder.play(&format!("umpire: result {said}"), line))?;
        }
        Ok(())
    }

    fn refuse(&self, builder: &MatchBuilder, row: &mut Row, record: &StringRecord, wrong: (Column, &str, &Refusal)) {
        let (column, cell, why) = wrong;
        let rule = why.rule.map_or_else(String::new, |rule| format!(" (rule {rule})"));
        row.refuse(&format!("{}: {}{rule}", column.name(), engine::name_seats(&why.expected, builder.names())));
        if let Some(wrong) = &mut row.wrong {
            let (before, after) = row.source.split_once(cell).unwrap_or((row.source.as_str(), ""));
            (wrong.before, wrong.after) = (before.to_owned(), after.to_owned());
            wrong.found = if before.len() == row.source.len() { String::new() } else { cell.to_owned() };
        }
        let mut offer = |label: String, cell: &str| {
            row.offer(label, vec![self.with(record, column, cell)]);
        };
        let near = match column {
            Column::P1 | Column::P2 => nearest(builder.duel(), column.seat().into(), cell),
            Column::Draws if !cell.contains(';') => nearest(builder.duel(), Party::Host, cell),
            Column::Round => builder.duel().coming_round().iter().map(ToString::to_string).collect(),
            Column::Ruling => ["p1", "p2", "undecided", "void"].map(|verdict| format!("{verdict} {cell}")).into(),
            Column::Draws => Vec::new(),
        };
        for near in near {
            offer(format!("{}: {near}", column.name()), &near);
        }
        if matches!(column, Column::P1 | Column::P2) {
            offer(format!("Nothing came from {}", builder.names()[column.seat()]), "-");
        }
        row.offer_ignore();
    }
}

impl Column {
    fn name(self) -> &'static str {
        COLUMNS.get(self as usize).copied().unwrap_or_default()
    }

    const fn seat(self) -> Seat {
        if matches!(self, Self::P2) { Seat::P2 } else { Seat::P1 }
    }
}

const fn of(seat: Seat) -> Column {
    match seat {
        Seat::P1 => Column::P1,
        Seat::P2 => Column::P2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_without_column_names_says_so_and_a_press_writes_a_row_anew() {
        assert!(read("score;grow", &Facts::default()).problems[0].contains("no row with the column names"));
        let text =
            "ruleset,five-card-trick/dm-colosseum-2\np1,Ada\np2,Bo\n\nround,p1,p2,draws,ruling\n1,scroe grow,steal,,\n";
        let reading = read(text, &Facts::default());
        let row = reading.rows.iter().find(|row| row.wrong.is_some()).unwrap();
        assert_eq!((row.line, row.wrong.as_ref().unwrap().found.as_str()), (6, "scroe grow"));
        let mended = row.fixes[0].does.apply(text).unwrap();
        assert!(mended.contains("1,score grow,steal,,"), "{mended}");
    }
}

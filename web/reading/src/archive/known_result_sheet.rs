//! A whole sheet of results: pasted, its columns named by pressing them, looked at, and told all at once or not at all.

use std::sync::Arc;

use app::App;
use app::known_results::{CheckedResult, ResultFields, TOLD_MAX};
use app::views::{match_address, ruleset_name};
use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use import::{ResultColumn, ResultSheet};

use super::known_result::result_words;
use super::known_result_form::{frame, games};
use page::form_data::FormData;
use page::{Frame, form, rendered};
use web_http::Problem;
use web_http::visitor::SignedIn;

const SHOWN_CHARS: usize = 60;
/// What stands for "there is no such column" in a form.
const NONE: &str = "-";

#[derive(Default, Template)]
#[template(path = "archive/known_result_sheet.html")]
struct SheetPage {
    frame: Frame,
    form: String,
    text: String,
    columns: Columns,
    headed: bool,
    /// For every row without a column of its own.
    game: String,
    event: String,
    games: Vec<String>,
    problems: Vec<String>,
    sheet: ResultSheet,
    rows: Vec<SheetRow>,
    told: Option<usize>,
}

/// The place of each column, as far as it was named; none where there is no such column.
#[derive(Clone, Debug, Default)]
struct Columns(Vec<(ResultColumn, Option<usize>)>);

struct SheetRow {
    line: usize,
    match_words: String,
    about: String,
    fate: RowFate,
}

enum RowFate {
    New(Box<CheckedResult>),
    Known(String),
    Wrong(String),
}

impl Columns {
    fn read(text: &str) -> Self {
        let named = text.split(',').filter_map(|part| {
            let (word, at) = part.split_once(':')?;
            let at = if at == NONE { None } else { Some(at.parse().ok()?) };
            Some((ResultColumn::of_word(word)?, at))
        });
        Self(named.collect())
    }

    /// What was pressed: a column for what is asked, none for it, or a column's name to be taken back.
    fn press(&mut self, pressed: &str) {
        for (column, at) in Self::read(pressed).0 {
            self.0.retain(|(known, place)| *known != column && (at.is_none() || *place != at));
            self.0.push((column, at));
        }
        if let Some(column) = pressed.strip_prefix("back:").and_then(ResultColumn::of_word) {
            self.0.retain(|(known, _)| *known != column);
        }
    }

    fn code(&self) -> String {
        let place = |at: Option<usize>| at.map_or_else(|| NONE.to_owned(), |at| at.to_string());
        self.0.iter().map(|(column, at)| format!("{}:{}", column.word(), place(*at))).collect::<Vec<_>>().join(",")
    }

    fn place(&self, column: ResultColumn) -> Option<usize> {
        self.0.iter().find(|(known, _)| *known == column).and_then(|(_, at)| *at)
    }

    fn named(&self, at: usize) -> Option<ResultColumn> {
        self.0.iter().find(|(_, place)| *place == Some(at)).map(|(column, _)| *column)
    }

    /// The next one that nobody named, as long as a column is left for it.
    fn asked(&self, width: usize) -> Option<ResultColumn> {
        let left = (0..width).any(|at| self.named(at).is_none());
        let open = |column: &ResultColumn| !self.0.iter().any(|(known, _)| known == column);
        ResultColumn::ALL.into_iter().find(open).filter(|_| left)
    }
}

impl SheetPage {
    fn asked(&self) -> Option<ResultColumn> {
        self.columns.asked(self.sheet.width())
    }

    /// What it means if there is no such column; none where there must be one.
    fn without(&self) -> Option<&'static str> {
        match self.asked()? {
            ResultColumn::P1 | ResultColumn::P2 => None,
            ResultColumn::Result => Some("Player 1 won every match"),
            ResultColumn::Game | ResultColumn::Event => Some("The same for all"),
            _ => Some("There is none"),
        }
    }

    /// The columns as they stand: the heading, what it is, and the name to press.
    fn heads(&self) -> Vec<(String, Option<ResultColumn>, String)> {
        let first = self.sheet.rows.first().map(|(_, cells)| cells.as_slice()).unwrap_or_default();
        let headings = self.sheet.headings.as_deref().unwrap_or_default();
        let head = |at: usize| {
            let words = headings.get(at).filter(|words| !words.is_empty()).or(first.get(at));
            let shown: String = words.map(String::as_str).unwrap_or_default().chars().take(SHOWN_CHARS).collect();
            let press = self.asked().map(|asked| format!("{}:{at}", asked.word())).unwrap_or_default();
            (if shown.is_empty() { format!("Column {}", at + 1) } else { shown }, self.columns.named(at), press)
        };
        (0..self.sheet.width()).map(head).collect()
    }

    fn fields(&self, cells: &[String]) -> ResultFields {
        let cell = |column, or: &str| match self.columns.place(column).and_then(|at| cells.get(at)) {
            Some(cell) if !cell.is_empty() => cell.clone(),
            Some(_) | None => or.to_owned(),
        };
        let won = if self.columns.place(ResultColumn::Result).is_some() { "" } else { "p1" };
        ResultFields {
            game: cell(ResultColumn::Game, &self.game),
            p1: cell(ResultColumn::P1, ""),
            p2: cell(ResultColumn::P2, ""),
            result: cell(ResultColumn::Result, won),
            score: cell(ResultColumn::Score, ""),
            date: cell(ResultColumn::Date, ""),
            event: cell(ResultColumn::Event, &self.event),
            recording: cell(ResultColumn::Recording, ""),
        }
    }

    async fn read_rows(&mut self, app: &App) -> Result<(), Problem> {
        let now = app.system().now();
        for (line, cells) in &self.sheet.rows {
            let fields = self.fields(cells);
            let fate = match fields.check(now) {
                Err(errors) => RowFate::Wrong(errors.into_iter().map(|(_, why)| why).collect::<Vec<_>>().join(" ")),
                Ok(checked) => match app.known_results.find_duplicate(&checked).await? {
                    Some(known) => RowFate::Known(match_address(known)),
                    None => RowFate::New(Box::new(checked)),
                },
            };
            self.rows.push(SheetRow::of(*line, &fields, fate));
        }
        Ok(())
    }

    fn unknown(&self) -> Vec<CheckedResult> {
        let unknown = self.rows.iter().filter_map(|row| match &row.fate {
            RowFate::New(checked) => Some((**checked).clone()),
            RowFate::Known(_) | RowFate::Wrong(_) => None,
        });
        unknown.collect()
    }

    fn wrong(&self) -> usize {
        self.rows.iter().filter(|row| matches!(row.fate, RowFate::Wrong(_))).count()
    }
}

impl SheetRow {
    fn of(line: usize, fields: &ResultFields, fate: RowFate) -> Self {
        let result = match &fate {
            RowFate::New(checked) => result_words(checked.result, &fields.p1, &fields.p2),
            RowFate::Known(_) | RowFate::Wrong(_) => fields.result.clone(),
        };
        let ResultFields { p1, p2, score, .. } = fields;
        let about = [&ruleset_name(&fields.game), &fields.event, &fields.date, &fields.recording];
        let about: Vec<&str> = about.into_iter().map(|part| part.as_str()).filter(|part| !part.is_empty()).collect();
        Self { line, match_words: format!("{p1} \u{2013} {p2}: {result} {score}"), about: about.join(", "), fate }
    }
}

pub(super) async fn show(State(app): State<Arc<App>>, umpire: SignedIn) -> Result<Response, Problem> {
    answer(&SheetPage::of(&app, &umpire))
}

impl SheetPage {
    fn of(app: &App, umpire: &SignedIn) -> Self {
        let frame = frame("A sheet of results", umpire);
        Self { frame, form: form::fresh(app.system()), games: games(), ..Self::default() }
    }
}

fn answer(page: &SheetPage) -> Result<Response, Problem> {
    let fine = page.problems.is_empty();
    rendered(if fine { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY }, page)
}

/// The columns that were named: those of before, or those with a known heading where the sheet is new; and what was pressed.
fn columns(sent: &FormData, text: &str, sheet: &ResultSheet) -> Columns {
    let mut columns = if sent.text("read") == text.len().to_string() {
        Columns::read(sent.text("columns"))
    } else {
        Columns(sheet.known_columns().into_iter().map(|(at, column)| (column, Some(at))).collect())
    };
    columns.press(sent.text("press"));
    columns
}

pub(super) async fn send(State(app): State<Arc<App>>, umpire: SignedIn, sent: FormData) -> Result<Response, Problem> {
    let form = sent.form()?;
    let text = if sent.raw("file").is_empty() { sent.raw("text") } else { sent.raw("file") };
    // Browsers end the lines of a field in their own way.
    let text = &text.replace("\r\n", "\n");
    let (game, event) = (sent.text("game").to_owned(), sent.text("event").to_owned());
    let mut page = SheetPage { text: text.clone(), game, event, ..SheetPage::of(&app, &umpire) };
    match ResultSheet::read(text) {
        Err(why) => page.problems.push(why.to_owned()),
        Ok(sheet) if sheet.rows.len() > TOLD_MAX => {
            let rows = sheet.rows.len();
            page.problems
                .push(format!("This sheet has {rows} rows; {TOLD_MAX} are the most at once. Paste it in parts."));
        }
        Ok(mut sheet) => {
            // A heading row that says nothing known.
            page.headed = sheet.headings.is_none() && sent.text("headed") == "yes";
            if page.headed && !sheet.rows.is_empty() {
                sheet.headings = Some(sheet.rows.remove(0).1);
            }
            page.columns = columns(&sent, text, &sheet);
            page.sheet = sheet;
        }
    }
    if page.problems.is_empty() && page.asked().is_none() {
        page.read_rows(&app).await?;
    }
    if sent.text("do") != "enter" || page.rows.is_empty() {
        return answer(&page);
    }
    match (page.wrong(), page.unknown()) {
        (0, new) => {
            app.known_results.tell(&umpire.0, form, &new).await?;
            answer(&SheetPage { told: Some(new.len()), ..SheetPage::of(&app, &umpire) })
        }
        (wrong, _) => {
            let rows = record::words::counted(wrong, "row is", "rows are");
            page.problems.push(format!("{rows} wrong, so none was entered. Mend the sheet below and read it again."));
            answer(&page)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_named_one_after_the_other() {
        let mut columns = Columns::default();
        assert_eq!(columns.asked(2), Some(ResultColumn::P1));
        columns.press("p1:1");
        columns.press("p2:0");
        assert_eq!((columns.code(), columns.asked(2)), ("p1:1,p2:0".to_owned(), None), "none is left");
        columns.press("result:-");
        assert_eq!(columns.asked(3), Some(ResultColumn::Score));
        columns.press("score:1");
        assert_eq!((columns.place(ResultColumn::P1), columns.named(1)), (None, Some(ResultColumn::Score)));
        columns.press("back:score");
        assert_eq!(Columns::read(&columns.code()).asked(3), Some(ResultColumn::P1));
    }
}

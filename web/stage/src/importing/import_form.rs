//! The page on which a past match is pasted, checked, corrected and entered.

use std::sync::Arc;

use app::imports::invalid;
use app::reader_threads::compute;
use app::views::ruleset_name;
use app::{Act, App, AppError, slug};
use askama::Template;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use engine::BySeat;
use import::{Change, Does, Facts, Fix, Form, Row, Speakers, Taken, TaughtLayout, Who, read, transcribe, who_is};
use record::limits::{TEXT_MAX_CHARS, too_long};
use record::words::{counted, result_sentence, sentence, standing};
use record::write::Import;

use super::duplicates::{Duplicate, duplicates};
use page::{FormData, Frame, form, rendered};
use web_http::Problem;
use web_http::visitor::SignedIn;

/// The number of rows shown; twice as many where more of them are wrong or have a button.
const ROWS_MAX: usize = 1_000;
/// The number of unknown names that the page asks about.
const STRANGERS_MAX: usize = 40;
const NAMES: [(&str, Who); 4] =
    [("p1-also", Who::P1), ("p2-also", Who::P2), ("hosts", Who::Host), ("left-out", Who::Nobody)];

#[derive(Default, Template)]
#[template(path = "importing/import_form.html")]
struct ImportPage {
    frame: Frame,
    form: String,
    state: FormState,
    rulesets: Vec<(&'static str, String)>,
    forms: Vec<(&'static str, &'static str)>,
    read_as: &'static str,
    source_error: Option<String>,
    problems: Vec<String>,
    /// How the source was read, where somebody should know it.
    notes: Vec<String>,
    rows: Vec<Row>,
    more_rows: usize,
    wrong: usize,
    steps: usize,
    /// The buttons that show how a message begins, line by line.
    layout: Vec<Vec<Fix>>,
    strangers: Vec<(String, Vec<Fix>)>,
    more_strangers: usize,
    /// The number of lines with a word of the game that count for nothing, among the rows shown.
    passed: usize,
    done: Option<String>,
    summary: Option<ImportSummary>,
    duplicates: Vec<Duplicate>,
    despite: String,
    dmn: String,
}

#[derive(Clone, Default)]
struct FormState {
    text: String,
    form: String,
    facts: Facts,
    source: String,
    letters: String,
    names: [String; 4],
    /// How a message begins, as far as it was shown.
    layout: Option<TaughtLayout>,
}

struct ImportSummary {
    names: [String; 2],
    ruleset: String,
    event: String,
    date: String,
    length: String,
    result: String,
    standing: String,
}

impl ImportPage {
    /// `36 steps understood, 4 questions left`; empty before reading, and where nothing was found.
    fn progress(&self) -> String {
        if self.rows.is_empty() || self.steps == 0 {
            return String::new();
        }
        let steps = counted(self.steps, "step", "steps");
        match self.wrong {
            0 => format!("{steps} understood, no question left."),
            wrong => format!("{steps} understood, {} left.", counted(wrong, "question", "questions")),
        }
    }

    /// The line of the first question.
    fn first_question(&self) -> Option<usize> {
        self.rows.iter().find(|row| row.wrong.is_some()).map(|row| row.line)
    }
}

impl ImportSummary {
    fn of(import: &Import) -> Self {
        let (new, duel) = (import.new_match(), import.duel());
        let names = new.names.as_ref().map(String::as_str);
        Self {
            names: [new.names.p1.clone(), new.names.p2.clone()],
            ruleset: ruleset_name(&new.setup.ruleset),
            event: new.event.clone().unwrap_or_default(),
            date: new.date.clone().unwrap_or_default(),
            length: length(import),
            result: result_sentence(import.outcome(), names),
            standing: standing(duel),
        }
    }
}

fn length(import: &Import) -> String {
    let lines = counted(import.lines().len(), "line", "lines");
    match import.duel().coming_round().and_then(|round| usize::try_from(round).ok()) {
        Some(coming) => format!("{}, {lines}", counted(coming.saturating_sub(1), "round", "rounds")),
        None => lines,
    }
}

impl FormState {
    fn of(sent: &FormData) -> Self {
        let file = sent.raw("file");
        let (source, letters) = if file.trim().is_empty() {
            (sent.raw("text"), sent.text("letters"))
        } else {
            (file, sent.text("file-read-as"))
        };
        // What a program exported is shown as the lines of a chat, which can be edited.
        let source = source.replace("\r\n", "\n");
        let source = transcribe(&source).unwrap_or(source);
        let text = |name: &str| sent.text(name).to_owned();
        let facts = Facts {
            ruleset: text("ruleset"),
            names: BySeat { p1: text("p1"), p2: text("p2") },
            event: text("event"),
            date: text("date"),
            dmo: text("dmo"),
            ..Facts::default()
        };
        Self {
            text: source,
            form: text("written"),
            facts,
            source: text("source"),
            letters: letters.to_owned(),
            names: NAMES.map(|(field, _)| text(field)),
            layout: TaughtLayout::read(sent.raw("layout")),
        }
    }

    fn speakers(&self) -> Speakers {
        let mut speakers = Speakers::everywhere();
        for ((_, who), names) in NAMES.into_iter().zip(&self.names) {
            names.split(',').for_each(|name| speakers.add(name, who));
        }
        speakers.layout.clone_from(&self.layout);
        speakers
    }

    fn layout_code(&self) -> String {
        self.layout.as_ref().map(TaughtLayout::code).unwrap_or_default()
    }

    fn written(&self) -> Form {
        Form::ALL.into_iter().find(|form| form.word() == self.form).unwrap_or_else(|| Form::of(&self.text))
    }

    fn apply_fix(&mut self, code: &str) -> Result<String, &'static str> {
        let does = Does::read(code).ok_or("This button is none of this page, so nothing was changed.")?;
        match &does {
            Does::Line(_) | Does::Lines(_) | Does::Before { .. } | Does::Rest { .. } | Does::Words { .. } => {
                let text = does.apply(&self.text);
                self.text = text.ok_or("That line has changed meanwhile, so nothing else was changed in it.")?;
                let what = match &does {
                    Does::Before { at, .. } => format!("All before line {at}"),
                    Does::Rest { at, .. } => format!("Line {at} and all after it"),
                    Does::Line(Change { at, .. }) => format!("Line {at}"),
                    _ => "More than one line".to_owned(),
                };
                Ok(format!("{what} was changed, and all of it read again."))
            }
            Does::Layout(layout) => {
                self.layout = Some(layout.clone());
                Ok("The text was read again.".to_owned())
            }
            Does::Name { name, who } => {
                let known = NAMES.into_iter().position(|(_, known)| known == *who);
                if let Some(names) = known.and_then(|at| self.names.get_mut(at)) {
                    let comma = if names.trim().is_empty() { "" } else { ", " };
                    names.push_str(&format!("{comma}{}", name.replace(',', " ")));
                }
                Ok(format!("“{name}” matched; the text was read again."))
            }
        }
    }
}

pub(super) fn frame(title: &str, umpire: &SignedIn) -> Frame {
    let mut frame = Frame::titled(title).in_section("umpire");
    frame.umpire = Some(umpire.0.name.clone());
    frame.obstacle = umpire.1.clone();
    frame
}

fn empty_page(app: &App, umpire: &SignedIn) -> ImportPage {
    ImportPage {
        frame: frame("Enter a past match", umpire),
        form: form::fresh(app.system()),
        rulesets: engine::rulesets().map(|ruleset| (ruleset.card().id, ruleset_name(ruleset.card().id))).collect(),
        forms: Form::ALL.map(|form| (form.word(), form.label())).into(),
        ..ImportPage::default()
    }
}

fn render_page(page: &ImportPage, status: StatusCode) -> Result<Response, Problem> {
    let mut response = rendered(status, page)?;
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

pub(super) async fn show(State(app): State<Arc<App>>, umpire: SignedIn) -> Result<Response, Problem> {
    render_page(&empty_page(&app, &umpire), StatusCode::OK)
}

pub(super) async fn send(State(app): State<Arc<App>>, umpire: SignedIn, sent: FormData) -> Result<Response, Problem> {
    let act = Act { by: umpire.by(), form: sent.form()? };
    let mut page = ImportPage { state: FormState::of(&sent), ..empty_page(&app, &umpire) };
    page.source_error = too_long(&page.state.source, TEXT_MAX_CHARS);
    if !sent.text("file-not-text").is_empty() {
        return refused_page(page, &format!("This file is no text: {}.", sent.text("file-not-text")));
    }
    if page.state.text.trim().is_empty() {
        return refused_page(page, "There is nothing to read: paste a match, or choose a file.");
    }
    if !sent.text("fix").is_empty() {
        match page.state.apply_fix(sent.raw("fix")) {
            Ok(done) => page.done = Some(done),
            Err(why) => page.problems.push(why.to_owned()),
        }
    }
    let form = page.state.written();
    // A long text takes a while to read, and must not block others.
    let state = page.state.clone();
    let reading = compute(move || read(&state.text, form, &state.facts, &state.speakers())).await;
    let reading = reading.map_err(|error| Problem::broken(&error))?;
    if form == Form::Chat {
        // The detected players are shown, and can be changed.
        page.state.facts.names = reading.facts.names.clone();
    }
    page.read_as = form.label();
    let names = reading.facts.names.as_ref().map(String::as_str);
    page.more_strangers = reading.strangers.len().saturating_sub(STRANGERS_MAX);
    let strangers = reading.strangers.iter().take(STRANGERS_MAX);
    page.strangers = strangers.map(|name| (name.clone(), who_is(name, names))).collect();
    (page.steps, page.wrong) = (reading.steps_understood(), reading.wrong());
    page.notes.clone_from(&reading.notes);
    page.layout = reading.layout;
    page.problems.extend(reading.problems);
    let all = reading.rows.len();
    page.rows = shown(reading.rows);
    page.more_rows = all - page.rows.len();
    page.passed = page.rows.iter().filter(|row| row.taken == Taken::Passed).count();
    page.dmn = reading.dmn;
    let Some(import) = reading.import else { return answer_page(&page) };
    page.problems.extend(invalid(&import, app.system().now()));
    let enters = sent.text("do") == "enter";
    let _turn = if enters { Some(app.imports.turn().await?) } else { None };
    page.duplicates = duplicates(&app, &import, app.imports.import_id(&act)).await?;
    page.despite = page.duplicates.iter().map(|duplicate| duplicate.slug.as_str()).collect::<Vec<_>>().join(" ");
    if enters && page.problems.is_empty() && page.source_error.is_none() {
        // Somebody who enters it again has seen the possible duplicates.
        let seen = |slug: &str| sent.text("despite").split(' ').any(|seen| seen == slug);
        let unseen = page.duplicates.iter().any(|duplicate| duplicate.same_steps && !seen(&duplicate.slug));
        if !unseen {
            match app.imports.import(&act, &import, Some(&page.state.source)).await {
                Ok(match_id) => {
                    let address = format!("/umpire/m/{}?done=imported", slug(match_id));
                    return Ok(Redirect::to(&address).into_response());
                }
                Err(AppError::Refused(why)) => page.problems.push(sentence(&why.to_string())),
                Err(error) => return Err(Problem::from(error).back("/umpire/import", "Begin again")),
            }
        }
    }
    page.summary = Some(ImportSummary::of(&import));
    answer_page(&page)
}

/// The rows of a long source that are shown, in order: what is wrong before all others, and what has a button to its end.
fn shown(rows: Vec<Row>) -> Vec<Row> {
    let most = 2 * ROWS_MAX;
    let mut wrong = rows.iter().filter(|row| row.wrong.is_some()).count().min(most);
    let mut others = most - wrong;
    let is_shown = |(at, row): &(usize, Row)| {
        let is_wanted = row.wrong.is_some() || *at < ROWS_MAX || !row.fixes.is_empty();
        let left = if row.wrong.is_some() { &mut wrong } else { &mut others };
        let is_shown = is_wanted && *left > 0;
        *left -= usize::from(is_shown);
        is_shown
    };
    rows.into_iter().enumerate().filter(is_shown).map(|(_, row)| row).collect()
}

fn answer_page(page: &ImportPage) -> Result<Response, Problem> {
    let first = page.rows.iter().find_map(|row| Some(format!("line {}: {}", row.line, row.wrong.as_ref()?.expected)));
    match page.problems.first().cloned().or(page.source_error.clone()).or(first) {
        Some(why) => problem_page(page, &why),
        None => render_page(page, StatusCode::OK),
    }
}

fn refused_page(mut page: ImportPage, why: &str) -> Result<Response, Problem> {
    page.problems.push(why.to_owned());
    problem_page(&page, why)
}

fn problem_page(page: &ImportPage, why: &str) -> Result<Response, Problem> {
    let problem = Problem::refused(why);
    let mut response = render_page(page, problem.status())?;
    response.extensions_mut().insert(problem);
    Ok(response)
}

//! `matchbook import`: enters past matches, a folder of thousands at a time.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context;
use app::account;
use app::imports::invalid;
use app::imports::{EventDate, ImportedMatch, same_occasion_key};
use app::{Act, App, AppError, by_umpire, form_of, slug};
use clap::Args;
use engine::dmn::{self, Tags};
use import::text_encoding::{self, DecodedText};
use import::{Facts, Form, Speakers, read};
use indicatif::{ProgressBar, ProgressStyle};
use ledger::{MatchId, Moment};
use record::limits::{TEXT_MAX_CHARS, too_long};
use record::write::Import;
use store::SubmitId;
use tokio::sync::Mutex as AsyncMutex;
use tokio::task::JoinSet;

use super::DatabasePlace;
use super::files::{Files, of_kinds, passed_over, shown};
use super::open::OpenApp;

const REASONS: usize = 20;

/// Enter finished matches of the past into the record.
///
/// Reads Death Match Notation, one match or many in a file, and tables (CSV) as the page for past matches describes them.
/// A match that is in the record already, with the same players, rules and steps, is not entered twice, however it came
/// there; so a run that was cut short can be repeated. It is another match where the dates of both contradict each other,
/// or their events where a date is missing. At the end says how many were entered and were there already, and for those
/// that were refused the file, the line and why; the exit code is 1 then, and where there is nothing to read. A folder is
/// read once, however many links lead to it. Files are UTF-8, or UTF-16 with its mark; others are read as Windows-1252,
/// and named.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Files, folders of them (searched for *.dmn and *.csv, in any case), or - for the standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The umpire who enters them, by name (matchbook umpire list).
    #[arg(long, value_name = "NAME")]
    umpire: String,
    /// Where they come from, such as the address of a post.
    #[arg(long, value_name = "TEXT")]
    source: Option<String>,
    /// Enter a match although one of the same players, rules and steps, and of no other date or event, is in the record.
    /// What this command entered before is passed over all the same.
    #[arg(long)]
    even_if_there: bool,
    /// How many are on their way into the database at the same time.
    #[arg(long, value_name = "COUNT", default_value_t = 16, value_parser = clap::value_parser!(u8).range(1..))]
    at_once: u8,
}

struct FoundMatch {
    before: usize,
    form: Form,
    text: String,
}

struct RefusedMatch {
    file: Arc<Path>,
    line: usize,
    why: String,
}

#[derive(Default)]
struct Report {
    entered: u64,
    known: u64,
    refused: u64,
    reasons: Vec<RefusedMatch>,
}

impl Arguments {
    pub(crate) async fn run(self, place: &DatabasePlace) -> anyhow::Result<ExitCode> {
        if let Some(wrong) = self.source.as_deref().and_then(|source| too_long(source, TEXT_MAX_CHARS)) {
            anyhow::bail!("--source: {wrong}");
        }
        let Files { found: files, others } = of_kinds(&self.files, &["dmn", "csv"])?;
        let open_app = OpenApp::open(place, None).await?;
        let umpire = account::named(open_app.app.pool(), &self.umpire).await?;
        let bar = ProgressBar::new(files.len() as u64);
        let style = "{wide_bar} {pos} of {len} files, {msg}, {eta} left";
        bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message("0 matches");
        let mut run = ImportRun {
            app: open_app.app.clone(),
            by: by_umpire(&umpire.id),
            source: self.source.map(Arc::from),
            even_if_there: self.even_if_there,
            at_once: usize::from(self.at_once),
            entering: JoinSet::new(),
            seen: Arc::default(),
            report: Report::default(),
            bar,
        };
        let done = run.all(&files).await;
        let ImportRun { mut report, bar, .. } = run;
        report.reasons.sort_by(|one, other| (&one.file, one.line).cmp(&(&other.file, other.line)));
        let seconds = bar.elapsed().as_secs_f64();
        bar.finish_and_clear();
        report.print(seconds, others)?;
        done.context("stopped here; run it again to go on")?;
        open_app.close().await?;
        Ok(if report.refused == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// Matches that are being entered. No more of them are in memory than are entered at the same time, besides the current
/// file.
struct ImportRun {
    app: Arc<App>,
    by: ledger::Author,
    source: Option<Arc<str>>,
    even_if_there: bool,
    at_once: usize,
    entering: JoinSet<(Arc<Path>, usize, Result<ImportedMatch, Fault>)>,
    /// The matches that this run has entered or is entering, so that a match that appears twice in its files is entered
    /// once: the archive may not list it yet.
    seen: Arc<Mutex<SeenMatches>>,
    report: Report,
    bar: ProgressBar,
}

type SeenMatches = HashMap<SubmitId, Arc<AsyncMutex<Vec<(EventDate, MatchId)>>>>;

enum Fault {
    Refused(Vec<(usize, String)>),
    /// The database failed, and no other match can be entered either.
    Stopped(AppError),
}

impl ImportRun {
    async fn all(&mut self, files: &[PathBuf]) -> anyhow::Result<()> {
        for path in files {
            let file: Arc<Path> = Arc::from(path.as_path());
            let is_table = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
            let form = if is_table { Form::Table } else { Form::Notation };
            match text_of(path) {
                Ok(DecodedText { text, read_as }) => {
                    if !read_as.is_empty() {
                        self.bar.suspend(|| eprintln!("{}: {read_as}", shown(path)));
                    }
                    for (before, text) in matches(form, &text) {
                        while self.entering.len() >= self.at_once {
                            self.one().await?;
                        }
                        let found = FoundMatch { before, form, text: text.to_owned() };
                        let (app, by, source) = (self.app.clone(), self.by.clone(), self.source.clone());
                        let (file, seen, even_if_there) = (file.clone(), self.seen.clone(), self.even_if_there);
                        self.entering.spawn(async move {
                            let importer =
                                Importer { app: &app, source: source.as_deref(), even_if_there, seen: &seen };
                            let entered = importer.enter(by, &found).await;
                            (file, found.before + 1, entered)
                        });
                    }
                }
                Err(why) => self.report.refuse(&file, vec![(1, why)]),
            }
            self.bar.inc(1);
        }
        while !self.entering.is_empty() {
            self.one().await?;
        }
        Ok(())
    }

    async fn one(&mut self) -> anyhow::Result<()> {
        let Some(joined) = self.entering.join_next().await else { return Ok(()) };
        let (file, line, entered) = joined.context("a match could not be entered")?;
        match entered {
            Ok(entered) => {
                let (count, known) = match entered.is_new {
                    true => (&mut self.report.entered, ""),
                    false => (&mut self.report.known, "already there as "),
                };
                *count += 1;
                let done = self.report.entered + self.report.known;
                self.bar.set_message(format!("{done} matches"));
                let place = if line > 1 { format!("{}:{line}", shown(&file)) } else { shown(&file) };
                self.bar.suspend(|| say!("{place}: {known}/m/{}", slug(entered.match_id)))?;
            }
            Err(Fault::Refused(why)) => self.report.refuse(&file, why),
            Err(Fault::Stopped(error)) => {
                return Err(anyhow::Error::new(error).context(shown(&file)));
            }
        }
        Ok(())
    }
}

fn text_of(path: &Path) -> Result<DecodedText, String> {
    let bytes = super::files::bytes(path).map_err(|error| format!("it cannot be read: {error}"))?;
    text_encoding::read(bytes).map_err(|why| format!("it is no text: {why}"))
}

/// The matches of a file, each with the number of lines before it: one for a table, otherwise one for each tag `DMN`.
/// Text before the first, mostly comments, belongs to it.
fn matches(form: Form, text: &str) -> Vec<(usize, &str)> {
    let (mut starts, mut at) = (vec![(0, 0)], 0);
    for (n, line) in text.split_inclusive('\n').enumerate() {
        if form == Form::Notation && line.trim_start_matches('\u{feff}').trim_start().starts_with("[DMN ") {
            starts.push((n, at));
        }
        at += line.len();
    }
    if starts.len() > 1 {
        starts.remove(1);
    }
    let ends = starts.iter().skip(1).map(|(_, at)| *at).chain([text.len()]);
    starts.iter().zip(ends).filter_map(|((n, from), to)| Some((*n, text.get(*from..to)?))).collect()
}

struct Importer<'r> {
    app: &'r App,
    source: Option<&'r str>,
    even_if_there: bool,
    seen: &'r Mutex<SeenMatches>,
}

impl Importer<'_> {
    async fn enter(&self, by: ledger::Author, found: &FoundMatch) -> Result<ImportedMatch, Fault> {
        let import = parse(found, self.app.system().now()).map_err(Fault::Refused)?;
        let act = Act { by, form: id_of(&import) };
        let own = self.app.imports.import_id(&act);
        let same =
            if self.even_if_there { act.form } else { form_of(&["the same match", &same_occasion_key(&import)]) };
        // The second of two equal matches waits for the result of the first, and learns its place.
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner).entry(same).or_default().clone();
        let (mut seen, occasion) = (seen.lock().await, EventDate::of(&import));
        if let Some((_, match_id)) = seen.iter().find(|(theirs, _)| !occasion.is_another(theirs)) {
            return Ok(ImportedMatch { match_id: *match_id, is_new: false });
        }
        let entered = self.enter_first(&act, &import, own).await;
        // This process does not need its history again.
        self.app.matches.evict(own);
        let entered = entered.map_err(|error| match error {
            AppError::Refused(why) => Fault::Refused(vec![(found.before + 1, why.to_string())]),
            other => Fault::Stopped(other),
        })?;
        seen.push((occasion, entered.match_id));
        Ok(entered)
    }

    async fn enter_first(&self, act: &Act, import: &Import, own: MatchId) -> Result<ImportedMatch, AppError> {
        if !self.even_if_there && !self.app.imports.has_entered(act, import, self.source).await? {
            let there = self.app.imports.find_duplicate(import, own).await?;
            if let Some(match_id) = there {
                return Ok(ImportedMatch { match_id, is_new: false });
            }
        }
        match self.app.imports.import_once(act, import, self.source).await {
            // The same match, entered by another umpire or with another source.
            Err(AppError::SubmitReused) => Ok(ImportedMatch { match_id: own, is_new: false }),
            other => other,
        }
    }
}

fn parse(found: &FoundMatch, now: Moment) -> Result<Import, Vec<(usize, String)>> {
    let line = |line: usize| found.before + line.max(1);
    if found.text.lines().map(str::trim).all(|line| line.is_empty() || line.starts_with('#')) {
        return Err(vec![(line(1), "there is nothing in it".to_owned())]);
    }
    let import = match found.form {
        Form::Notation => Import::read(&found.text).map_err(|errors| {
            errors
                .into_iter()
                .map(|error| (line(error.line), column(&error.expected, &error.found, error.column)))
                .collect()
        }),
        form => {
            let reading = read(&found.text, form, &Facts::default(), &Speakers::default());
            let rows = reading.rows.into_iter();
            let rows = rows.filter_map(|row| Some((line(row.line), row.wrong?.expected)));
            let wrong: Vec<_> = reading.problems.into_iter().map(|why| (line(1), why)).chain(rows).collect();
            reading.import.ok_or(wrong)
        }
    }?;
    match invalid(&import, now) {
        Some(why) => Err(vec![(line(1), why)]),
        None => Ok(import),
    }
}

fn column(expected: &str, found: &str, column: usize) -> String {
    let error = dmn::Error { line: 0, column, found: found.into(), expected: expected.into(), sealed: false };
    error.to_string().trim_start_matches("line 0, ").to_owned()
}

/// A form derived only from the match: reading the same match again, from any file, acts once.
fn id_of(import: &Import) -> SubmitId {
    let new = import.new_match();
    let tags = Tags {
        setup: new.setup.clone(),
        event: new.event.clone(),
        date: new.date.clone(),
        names: new.names.clone(),
        result: Some(import.outcome().tag().to_owned()),
        others: Vec::new(),
    };
    form_of(&["past match", &dmn::write(&tags, import.lines().iter().map(String::as_str))])
}

impl Report {
    fn refuse(&mut self, file: &Arc<Path>, why: Vec<(usize, String)>) {
        self.refused += 1;
        let reasons = why.into_iter().take(REASONS);
        self.reasons.extend(reasons.map(|(line, why)| RefusedMatch { file: file.clone(), line, why }));
    }

    fn print(&self, seconds: f64, others: usize) -> anyhow::Result<()> {
        for refused in &self.reasons {
            eprintln!("{}:{}: {}", shown(&refused.file), refused.line, refused.why);
        }
        let (entered, known, refused) = (self.entered, self.known, self.refused);
        let others = passed_over(others).map(|others| format!("; {others}")).unwrap_or_default();
        say!("{entered} entered, {known} already there, {refused} refused, in {seconds:.1} s{others}")?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_may_hold_many_matches() {
        let text = "# Two of them.\n\n[DMN \"1\"]\n1. a / b\n# The second.\n[DMN \"1\"]\n1. c / d\n";
        let found = matches(Form::Notation, text);
        let places: Vec<_> = found.iter().map(|(before, text)| (*before, text.contains("[DMN"))).collect();
        assert_eq!(places, [(0, true), (5, true)]);
        assert_eq!(found.iter().map(|(_, text)| *text).collect::<String>(), text);
        assert_eq!(matches(Form::Notation, "1. a / b"), [(0, "1. a / b")]);
        assert_eq!(matches(Form::Table, text).len(), 1);
    }
}

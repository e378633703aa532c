//! The form on which an event's host tells its cast, evenings, winner and plan. It works without scripts: empty rows at the
//! end of each list, and a button for more of them.

use std::sync::Arc;

use app::App;
use app::event_sheets::{Saved, SavedSheet};
use app::known_results::RecordingLink;
use app::text::check_event;
use app::tournament::{CastMember, Evening, EventSheet, Format, Out, Pairing, SheetError};
use askama::Template;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use record::name_key;

use super::event::{edit_address, matches_of};
use page::form_data::FormData;
use page::{Frame, When, event_address, rendered};
use web_http::visitor::SignedIn;
use web_http::{ErrorKind, Problem, Segments};

/// Empty rows at the end of each list.
const SPARE_CAST: usize = 4;
const SPARE_EVENINGS: usize = 2;
const ROWS_MAX: usize = 80;

#[derive(Template)]
#[template(path = "events/edit.html")]
struct EditForm {
    frame: Frame,
    name: String,
    address: String,
    page: String,
    sheet: EventSheet,
    /// The version that the form was filled from, and its bytes: of these a name may be withdrawn.
    seen: String,
    errors: Vec<SheetError>,
    problem: Option<String>,
    /// What somebody else saved meanwhile: who, when, and the lines that differ, theirs and those of this form.
    other: Option<(String, When, Vec<String>, Vec<String>)>,
    cast: Vec<CastMember>,
    evenings: Vec<Evening>,
    /// True once a Swiss round is there.
    has_rounds: bool,
}

impl EditForm {
    fn of(umpire: &SignedIn, event: &str, sheet: EventSheet, seen: String) -> Self {
        let row = |n: usize, more: usize| n.saturating_add(more).min(ROWS_MAX);
        let (mut cast, mut evenings) = (sheet.cast.clone(), sheet.evenings.clone());
        cast.resize(row(cast.len(), SPARE_CAST), CastMember::default());
        evenings.resize(row(evenings.len(), SPARE_EVENINGS), Evening::default());
        Self {
            frame: Frame {
                umpire: Some(umpire.0.name.clone()),
                ..Frame::titled(format!("Edit {event}")).in_section("events")
            },
            name: event.to_owned(),
            address: edit_address(event),
            page: event_address(event),
            has_rounds: !sheet.rounds.is_empty(),
            seen,
            errors: Vec::new(),
            problem: None,
            other: None,
            cast,
            evenings,
            sheet,
        }
    }

    fn error(&self, part: &str) -> Vec<&str> {
        self.errors.iter().filter(|(wrong, _)| *wrong == part).map(|(_, why)| why.as_str()).collect()
    }

    fn formats(&self) -> [(&'static str, &'static str, bool); 5] {
        Format::ALL.map(|format| (format.word(), format.title(), format == self.sheet.format))
    }

    /// The evenings in which a member can be out, with the one that is chosen.
    fn outs(&self, member: &CastMember) -> Vec<(String, String, bool)> {
        let chosen = member.out.as_ref().map(|out| out.evening.unwrap_or(0));
        let evening = |n: u16| (n.to_string(), format!("Out in evening {n}"), chosen == Some(n));
        let last = u16::try_from(self.evenings.len()).unwrap_or(u16::MAX);
        let fixed =
            [(String::new(), "Still in".to_owned(), chosen.is_none()), ("0".into(), "Out".into(), chosen == Some(0))];
        fixed.into_iter().chain((1..=last).map(evening)).collect()
    }

    fn groups(&self) -> String {
        self.sheet.groups.iter().map(|group| group.join("\n")).collect::<Vec<_>>().join("\n\n")
    }

    fn answer(&self) -> Result<Response, Problem> {
        let wrong = !self.errors.is_empty() || self.problem.is_some();
        rendered(if wrong { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK }, self)
    }
}

/// The rows of a list, each with its columns. All of them have the same number of fields.
fn rows<const N: usize>(sent: &FormData, columns: [&str; N]) -> Vec<[String; N]> {
    let column = |name: &str| -> Vec<String> {
        let fields = sent.fields().iter().filter(|(field, _)| field == name);
        fields.map(|(_, value)| value.trim().replace('\r', "")).collect()
    };
    let columns = columns.map(column);
    let n = columns.first().map_or(0, Vec::len).min(ROWS_MAX);
    (0..n).map(|row| columns.each_ref().map(|column| column.get(row).cloned().unwrap_or_default())).collect()
}

/// The sheet as it was typed. Rows without a name are left out, and evenings without a word.
fn typed(sent: &FormData, rounds: Vec<Vec<Pairing>>) -> EventSheet {
    let member = |[name, monogram, role, out, by]: [String; 5]| {
        let out = (!out.is_empty()).then(|| Out { evening: out.parse().ok().filter(|n| *n > 0), by });
        CastMember { name, role, monogram, out }
    };
    let cast = rows(sent, ["cast-name", "cast-monogram", "cast-role", "cast-out", "cast-by"]).into_iter().map(member);
    let evening = |[title, date, until, recording, notes]: [String; 5]| {
        // As it is written out: what cannot be read as an address is refused later.
        let recording = RecordingLink::read(&recording).map_or(recording, |link| link.as_str().to_owned());
        Evening { title, date, until, recording, notes }
    };
    let columns = ["evening-title", "evening-date", "evening-until", "evening-recording", "evening-notes"];
    let mut evenings: Vec<Evening> = rows(sent, columns).into_iter().map(evening).collect();
    // One in the middle stays, so that those after it keep their number.
    while evenings.last().is_some_and(|last| *last == Evening::default()) {
        evenings.pop();
    }
    let format = Format::of(sent.text("format"));
    let seeds = sent.text("seeds").replace('\r', "");
    let lines =
        |block: &str| block.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect();
    let mut groups: Vec<Vec<String>> = match format {
        Format::Pools => seeds.split("\n\n").map(lines).collect(),
        _ => vec![lines(&seeds)],
    };
    groups.retain(|group| !group.is_empty());
    EventSheet {
        about: sent.text("about").replace('\r', ""),
        cast: cast.filter(|member| !member.name.is_empty()).collect(),
        winner: Some(sent.text("winner").to_owned()).filter(|winner| !winner.is_empty()),
        evenings,
        format,
        groups,
        rounds: if format == Format::Swiss && sent.text("unpair") != "on" { rounds } else { Vec::new() },
    }
}

fn seen(saved: Option<&SavedSheet>) -> String {
    let lines = saved.map(|saved| serde_json::to_vec(&saved.sheet).unwrap_or_default()).unwrap_or_default();
    format!("{}-{}", saved.map_or(0, |saved| saved.version), ledger::leaf_hash(&lines))
}

/// The event's name as it is written, and its sheet, for an umpire who may change it.
async fn editable(app: &App, umpire: &SignedIn, segment: &str) -> Result<(String, Option<SavedSheet>), Problem> {
    let key = name_key(segment);
    let wrong = check_event(segment).err().map(|why| why.to_string());
    if let Some(why) =
        wrong.or_else(|| (key.is_empty() || segment.contains('\0')).then(|| "An event needs a name.".into()))
    {
        return Err(Problem::refused(why).back("/events", "See every event"));
    }
    let (found, saved) = (app.archive().event(&key).await?, app.event_sheets.find(&key).await?);
    if !app.event_sheets.may_save(&umpire.0, &key, saved.as_ref(), found.is_some()).await? {
        let detail = "This event\u{2019}s page is written by its host and by admins. The host is who told something first: an \
                      umpire of one of its recorded matches, or who announced it.";
        return Err(Problem::of(ErrorKind::NotYourMatch, detail).back(event_address(&key), "Go to the event"));
    }
    let name = found.map(|found| found.event.name).or_else(|| saved.as_ref().map(|saved| saved.event.clone()));
    Ok((name.unwrap_or_else(|| segment.trim().to_owned()), saved))
}

/// `GET /umpire/event?name=X`: to the form of that event.
pub(super) async fn start(_: SignedIn, Query(asked): Query<Vec<(String, String)>>) -> Redirect {
    let name = FormData::of(asked).text("name").to_owned();
    Redirect::to(&if name_key(&name).is_empty() { "/events".to_owned() } else { edit_address(&name) })
}

pub(super) async fn show(
    State(app): State<Arc<App>>,
    umpire: SignedIn,
    Segments(segment): Segments<String>,
) -> Result<Response, Problem> {
    let (name, saved) = editable(&app, &umpire, &segment).await?;
    let (seen, is_new) = (seen(saved.as_ref()), saved.is_none());
    let mut sheet = saved.map(|saved| saved.sheet).unwrap_or_default();
    if is_new && let Some(found) = app.archive().event(&name_key(&name)).await? {
        // Who played is offered, and nothing else is known of them.
        sheet = sheet.with_cast(found.standings.into_iter().map(|standing| standing.name));
    }
    EditForm::of(&umpire, &name, sheet, seen).answer()
}

pub(super) async fn send(
    State(app): State<Arc<App>>,
    umpire: SignedIn,
    Segments(segment): Segments<String>,
    sent: FormData,
) -> Result<Response, Problem> {
    let (name, saved) = editable(&app, &umpire, &segment).await?;
    let (now, was) = (seen(saved.as_ref()), sent.text("seen").to_owned());
    let paired = saved.as_ref().map(|saved| saved.sheet.rounds.clone()).unwrap_or_default();
    let mut sheet = typed(&sent, paired);
    if sent.text("do") == "rows" {
        return EditForm::of(&umpire, &name, sheet, was).answer();
    }
    let errors = sheet.errors();
    if !errors.is_empty() {
        return EditForm { errors, ..EditForm::of(&umpire, &name, sheet, was) }.answer();
    }
    if was == now {
        if sent.text("do") == "pair" {
            let matches = matches_of(&app, &name_key(&name)).await?;
            let Some(next) = sheet.with_next_round(&matches) else {
                let problem = "The next round is paired once every match of the last one has ended. Nothing was saved.";
                return EditForm { problem: Some(problem.to_owned()), ..EditForm::of(&umpire, &name, sheet, was) }
                    .answer();
            };
            sheet = next;
            let errors = sheet.errors();
            if !errors.is_empty() {
                return EditForm { errors, ..EditForm::of(&umpire, &name, sheet, was) }.answer();
            }
        }
        match app.event_sheets.save(&umpire.0, &name, saved.as_ref(), &sheet).await? {
            Saved::Saved => return Ok(Redirect::to(&event_address(&name)).into_response()),
            Saved::Full => {
                return Err(Problem::refused("This page was changed too often. Ask the operator of this site."));
            }
            Saved::Overtaken => {}
        }
    }
    overtaken(&app, &umpire, &name, sheet).await
}

/// Both sheets, where somebody else saved one since this form was opened. Saving again writes this one over it.
async fn overtaken(app: &App, umpire: &SignedIn, name: &str, sheet: EventSheet) -> Result<Response, Problem> {
    let Some(other) = app.event_sheets.find(&name_key(name)).await? else {
        return EditForm::of(umpire, name, sheet, seen(None)).answer();
    };
    let only = |one: &[String], other: &[String]| one.iter().filter(|line| !other.contains(line)).cloned().collect();
    let (theirs, mine) = (other.sheet.lines(), sheet.lines());
    let problem =
        "Somebody else saved this page since you opened it, so nothing was saved. Compare both, and save again.";
    EditForm {
        problem: Some(problem.to_owned()),
        other: Some((
            app.umpires.names().said(&other.umpire),
            When::utc_minute(other.at),
            only(&theirs, &mine),
            only(&mine, &theirs),
        )),
        ..EditForm::of(umpire, name, sheet, seen(Some(&other)))
    }
    .answer()
}

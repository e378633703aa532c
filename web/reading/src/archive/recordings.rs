//! Links to recordings: on the page of a match and beside a moment of it, added and withdrawn by a form.

use std::sync::Arc;

use app::account::{RateLimit, RateLimits, Umpire};
use app::comments::{CommentRights, Recording};
use app::known_results::RecordingLink;
use app::views::{Beat, match_address};
use app::{App, AppError, Scope};
use askama::Template;
use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use ledger::MatchId;
use record::words::row_words;
use record::{History, SheetRow};

use super::history_problem;
use page::form_data::FormData;
use page::{Link, Urls, form};
use web_http::visitor::SignedIn;
use web_http::{ErrorKind, Problem, Segments};

const SECONDS_MAX: i32 = 360_000;

/// The recordings of a match, of the whole or of a row of its sheet, as a reader sees them.
#[derive(Clone, Debug, Default, Template)]
#[template(path = "archive/recordings.html")]
pub(super) struct RecordingList {
    address: String,
    all: Vec<ShownRecording>,
    /// The rounds with a place of their own.
    rounds: Vec<Link>,
    /// Where somebody who may link one reads this: the id of the form.
    form: Option<String>,
    row: Option<String>,
}

#[derive(Clone, Debug)]
struct ShownRecording {
    id: String,
    label: Option<String>,
    words: String,
    host: String,
    address: String,
    by: String,
    withdrawable: bool,
}

impl RecordingList {
    /// All of them, to be narrowed to some.
    pub(super) async fn of(
        app: &App,
        match_id: MatchId,
        reader: Option<(&Umpire, CommentRights)>,
    ) -> Result<Self, AppError> {
        let (all, names) = (app.comments.recordings(match_id).await?, app.umpires.names());
        let shown = |Recording { id, label, seconds, address, umpire, .. }: Recording| {
            let link = RecordingLink::read(&address).ok()?;
            let words = seconds.map(|seconds| format!("Recording from {}:{:02}", seconds / 60, seconds % 60));
            Some(ShownRecording {
                id: id.to_string(),
                label,
                words: words.unwrap_or_else(|| "Recording".to_owned()),
                host: link.host().to_owned(),
                address: seconds.map_or(address, |seconds| link.at(seconds).as_str().to_owned()),
                by: names.said(&umpire),
                withdrawable: reader.is_some_and(|(reader, may)| may.withdraw_any || reader.id == umpire),
            })
        };
        Ok(Self {
            address: format!("{}/recordings", match_address(match_id)),
            all: all.into_iter().filter_map(shown).collect(),
            // Practice is nobody's recording.
            form: reader
                .filter(|(_, may)| (may.write || may.withdraw_any) && Scope::of(match_id) == Scope::Record)
                .map(|_| form::fresh(app.system())),
            ..Self::default()
        })
    }

    /// Those of the whole match, and links to the rounds that have one.
    pub(super) fn of_whole(&self, urls: &Urls, rows: &[SheetRow<'_>]) -> Self {
        let begun = |row: &&SheetRow<'_>| self.all.iter().any(|it| it.label.as_deref() == Some(&*row.label));
        let link = |row: &SheetRow<'_>| urls.link(&row.label, Beat::Before, row_words(&row.label));
        Self { rounds: rows.iter().filter(begun).map(link).collect(), ..self.of_row(None) }
    }

    pub(super) fn of_row(&self, label: Option<&str>) -> Self {
        let mut list = Self { row: label.map(str::to_owned), ..self.clone() };
        list.all.retain(|recording| recording.label.as_deref() == label);
        list
    }
}

/// A match, its history if it is in the log, and what an umpire may do with its recordings.
async fn target(
    app: &App,
    slug: &str,
    umpire: &Umpire,
) -> Result<(MatchId, Option<Arc<History>>, CommentRights), Problem> {
    match app.matches.recorded_history_of(slug).await {
        Ok(history) => {
            let may = app.comments.rights(&history, umpire).await?;
            Ok((history.match_id, Some(history), CommentRights { write: may.withdraw_any, ..may }))
        }
        Err(AppError::NoMatch) => {
            let known = app.known_results.find_present(slug).await?;
            let may = app.known_results.may_change(umpire, &known);
            Ok((MatchId(known.match_id), None, CommentRights { write: may, withdraw_any: may }))
        }
        Err(error) => Err(history_problem(slug, error)),
    }
}

/// `POST /m/{slug}/recordings`: links one, or withdraws one.
pub(super) async fn send(
    State(app): State<Arc<App>>,
    Extension(limits): Extension<Arc<RateLimits>>,
    Segments(slug): Segments<String>,
    umpire: SignedIn,
    sent: FormData,
) -> Result<Response, Problem> {
    let (match_id, history, may) = target(&app, &slug, &umpire.0).await?;
    let counted = limits.count(app.system(), RateLimit::Comment, umpire.0.id.as_bytes());
    counted.map_err(|many| Problem::too_many(many.retry_seconds))?;
    let label = Some(sent.text("row")).filter(|label| !label.is_empty());
    let has = |label: &str| history.as_ref().is_some_and(|it| it.rows().iter().any(|row| row.label == label));
    if label.is_some_and(|label| !has(label)) {
        return Err(Problem::not_found("There is no such round.").back(match_address(match_id), "Go to the match"));
    }
    let page = label.map_or_else(|| match_address(match_id), |label| Beat::Before.address(match_id, label));
    let detail = "Recordings are linked by the match\u{2019}s umpire, its helpers and admins. Who linked one \
                  withdraws it, and so do the match\u{2019}s umpire and admins.";
    let not_yours = || Problem::of(ErrorKind::NotYourMatch, detail).back(page.clone(), "Go back");
    let refused = |why: String| Problem::refused(why).back(page.clone(), "Go back and write it again");
    if !sent.text("withdraw").is_empty() {
        let id = sent.text("withdraw").parse().map_err(|_| Problem::not_found("There is no such recording."))?;
        if !app.comments.withdraw_recording(match_id, &umpire.0, id, may.withdraw_any).await? {
            return Err(not_yours());
        }
    } else if !may.write {
        return Err(not_yours());
    } else {
        let link = RecordingLink::read(sent.text("recording")).map_err(|why| refused(why.to_string()))?;
        let seconds = || sent.text("seconds").parse().ok().filter(|seconds| (0..=SECONDS_MAX).contains(seconds));
        let missing = || refused("Say at which second of the recording this round begins, such as 3753.".to_owned());
        let place = match label {
            None => None,
            Some(label) => Some((label, seconds().ok_or_else(missing)?)),
        };
        app.comments.link_recording(match_id, &umpire.0, sent.form()?, &link, place).await?;
    }
    Ok(Redirect::to(&format!("{page}#recordings")).into_response())
}

//! The matches of a filter as a file. They are read and sent a few hundred at a time, in the order of the list, so that
//! neither side has to hold all of them. An error on the way breaks the connection before the end of the file, so the
//! reader notices the truncation.

use std::collections::VecDeque;
use std::sync::Arc;

use app::archive::{Filter, Key, MatchSummary, Place, Sort, read_filter, unknown_parameter};
use app::queue::Queue;
use app::views::match_address;
use app::{App, AppError};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::stream::try_unfold;
use ledger::MatchId;
use serde_json::{Value, json};

use super::query::address_at;
use web_http::{Problem, is_known, site};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileFormat {
    Csv,
    Ndjson,
    Dmn,
    Json,
}

static FILES: Queue = Queue::of(1);

const COLUMNS: [&str; 22] = [
    "address",
    "match",
    "game",
    "ruleset",
    "event",
    "date",
    "p1",
    "p2",
    "dmo",
    "mode",
    "umpire",
    "result",
    "ending",
    "rounds",
    "score_p1",
    "score_p2",
    "rulings",
    "check",
    "played",
    "entries",
    "umpire_name",
    "recordings",
];

impl FileFormat {
    const fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Ndjson => "ndjson",
            Self::Dmn => "dmn",
            Self::Json => "json",
        }
    }

    const fn media_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8; header=present",
            Self::Ndjson => "application/x-ndjson",
            Self::Dmn => "text/plain; charset=utf-8",
            Self::Json => "application/json",
        }
    }
}

/// `GET /archive.csv`, `.ndjson`, `.dmn` and `.json`. In `.dmn`, one match's file follows another; each begins with its
/// tag `DMN`.
pub(super) fn routes() -> Router<Arc<App>> {
    let formats = [FileFormat::Csv, FileFormat::Ndjson, FileFormat::Dmn, FileFormat::Json];
    formats.into_iter().fold(Router::new(), |router, format| {
        let list = move |State(app): State<Arc<App>>,
                         Query(parameters): Query<Vec<(String, String)>>,
                         request: HeaderMap| { file(app, parameters, request, format) };
        router.route(&format!("/archive.{}", format.extension()), get(list))
    })
}

struct Download {
    app: Arc<App>,
    filter: Filter,
    site: String,
    format: FileFormat,
    pending: VecDeque<MatchSummary>,
    stage: Stage,
    /// True once a match was sent: JSON needs a comma before the next.
    has_match: bool,
}

enum Stage {
    Head,
    List(Option<Place>),
    Rest,
    Done,
}

async fn file(
    app: Arc<App>,
    parameters: Vec<(String, String)>,
    request: HeaderMap,
    format: FileFormat,
) -> Result<Response, Problem> {
    let (filter, wrong) = read_filter(&parameters);
    // A list may ignore an invalid parameter. A file may be used elsewhere, so it must match the request exactly.
    if let Some(why) = unknown_parameter(&parameters, &[]).into_iter().chain(wrong).next() {
        return Err(Problem::refused(why));
    }
    // The version is read before the matches, so the file is at least as new.
    let tag = app.archive().archive_version().await?.tag();
    let name = file_name(&filter, format);
    let list = address_at("/archive", &filter, Sort::Newest, None);
    let (stage, site) = (Stage::Head, site(&request));
    let download = Download { app, filter, site, format, pending: VecDeque::new(), stage, has_match: false };
    let mut response = if is_known(&request, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let body = Body::from_stream(try_unfold(download, |download| download.next()));
        ([(header::CONTENT_TYPE, format.media_type())], body).into_response()
    };
    let set = [
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
        // The filter, for readers who only have the answer.
        (header::LINK, format!("<{list}>; rel=\"alternate\"; type=\"text/html\"")),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::ETAG, tag),
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*".to_owned()),
        (header::ACCESS_CONTROL_EXPOSE_HEADERS, "etag, link".to_owned()),
    ];
    for (name, value) in set {
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(name, value);
        }
    }
    Ok(response)
}

fn file_name(filter: &Filter, format: FileFormat) -> String {
    let mut name = String::from("matchbook");
    for value in Key::ALL.into_iter().filter_map(|key| key.value(filter)) {
        let plain =
            value.chars().map(|sign| if sign.is_ascii_alphanumeric() { sign.to_ascii_lowercase() } else { '-' });
        let plain: String = plain.take(40).collect();
        name.push('-');
        name.push_str(plain.trim_matches('-'));
    }
    name.truncate(120);
    format!("{}.{}", name.trim_end_matches('-'), format.extension())
}

impl Download {
    async fn next(mut self) -> Result<Option<(Bytes, Self)>, AppError> {
        // Whole matches take a core for as long as they are folded: one file at a time, piece by piece, so that a slow
        // reader keeps nobody waiting.
        let _turn = if self.format == FileFormat::Dmn { FILES.turn_at_last().await } else { None };
        loop {
            let piece = match self.stage {
                Stage::Head => {
                    self.stage = Stage::List(None);
                    self.head()
                }
                // Whole matches are sent one at a time; lines are sent as many as were read.
                _ if !self.pending.is_empty() => self.matches().await?,
                Stage::List(after) => {
                    // Simultaneous downloads wait for their turn one by one, so that no page waits for all of them.
                    let app = self.app.clone();
                    let _turn = app.matches.turn_to_read().await;
                    let (found, next) = self.app.archive().walk(&self.filter, after.as_ref()).await?;
                    self.pending = found.into();
                    self.stage = next.map_or(Stage::Rest, |next| Stage::List(Some(next)));
                    continue;
                }
                Stage::Rest => {
                    self.stage = Stage::Done;
                    String::from(if self.format == FileFormat::Json { "\n]}\n" } else { "" })
                }
                Stage::Done => return Ok(None),
            };
            if !piece.is_empty() {
                return Ok(Some((piece.into(), self)));
            }
        }
    }

    fn head(&self) -> String {
        let list = format!("{}{}", self.site, address_at("/archive", &self.filter, Sort::Newest, None));
        match self.format {
            FileFormat::Csv => format!("{}\r\n", COLUMNS.join(",")),
            FileFormat::Ndjson => String::new(),
            FileFormat::Dmn => format!("# The matches of {list}, newest first.\n\n"),
            FileFormat::Json => {
                let parts = Key::ALL
                    .into_iter()
                    .filter_map(|key| Some((key.name().to_owned(), key.value(&self.filter)?.into())));
                let filter = Value::Object(parts.collect());
                format!("{{\"list\":{},\"filter\":{filter},\"matches\":[", Value::from(list))
            }
        }
    }

    async fn matches(&mut self) -> Result<String, AppError> {
        let mut piece = String::new();
        if self.format == FileFormat::Dmn {
            let Some(listed) = self.pending.pop_front() else { return Ok(piece) };
            if listed.mode == "result" {
                return Ok(format!("# {}/m/{} is known by its result only\n\n", self.site, listed.slug));
            }
            match self.app.matches.history_once(MatchId(listed.match_id)).await {
                Ok(history) => {
                    piece.push_str(&format!("# {}{}\n", self.site, match_address(history.match_id)));
                    piece.push_str(&record::dmn(&history));
                    piece.push('\n');
                }
                Err(error @ AppError::Store(_)) => return Err(error),
                Err(_) => piece.push_str(&format!("# /m/{} cannot be read by this program\n\n", listed.slug)),
            }
            return Ok(piece);
        }
        while let Some(listed) = self.pending.pop_front() {
            let values = values(&listed, &self.site);
            match self.format {
                FileFormat::Csv => {
                    piece.push_str(&values.iter().map(cell).collect::<Vec<_>>().join(","));
                    piece.push_str("\r\n");
                }
                _ => {
                    let row = COLUMNS.iter().map(|name| (*name).to_owned()).zip(values);
                    let row = Value::Object(row.collect());
                    match (self.format, self.has_match) {
                        (FileFormat::Json, true) => piece.push_str(&format!(",\n{row}")),
                        (FileFormat::Json, false) => piece.push_str(&format!("\n{row}")),
                        _ => piece.push_str(&format!("{row}\n")),
                    }
                }
            }
            self.has_match = true;
        }
        Ok(piece)
    }
}

/// A match in the order of [`COLUMNS`]. A name that was withdrawn is null.
fn values(listed: &MatchSummary, site: &str) -> [Value; 22] {
    [
        json!(format!("{site}/m/{}", listed.slug)),
        json!(listed.match_id.to_string()),
        json!(listed.game),
        json!(listed.ruleset),
        json!(listed.event),
        json!(listed.date),
        json!(listed.p1),
        json!(listed.p2),
        json!(listed.dmo),
        json!(listed.mode),
        json!(listed.umpire),
        json!(listed.result),
        json!(listed.reason),
        json!(listed.rounds),
        json!(listed.score_p1),
        json!(listed.score_p2),
        json!(listed.rulings),
        json!(listed.verdict),
        json!(listed.played_at.format("%Y-%m-%dT%H:%M:%SZ").to_string()),
        json!(listed.head),
        json!(listed.umpire_name),
        json!(listed.recordings),
    ]
}

/// A cell of the table (RFC 4180). A spreadsheet runs a text that begins with one of these characters as a formula. An
/// apostrophe in front makes it text again.
pub(super) fn cell(value: &Value) -> String {
    let text = match value {
        Value::Null => return String::new(),
        Value::String(text) => text,
        value => return value.to_string(),
    };
    let guard = if text.starts_with(['=', '+', '-', '@', '\t', '\r', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}']) {
        "'"
    } else {
        ""
    };
    if !guard.is_empty() || text.contains(['"', ',', ';', '\n', '\r']) || text.trim() != text {
        format!("\"{guard}{}\"", text.replace('"', "\"\""))
    } else {
        text.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula_and_none_breaks_out() {
        let cell = |text: &str| cell(&Value::from(text));
        assert_eq!(cell("=HYPERLINK(\"http://x\",\"y\")"), "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"");
        assert_eq!([cell("-1"), cell("+a"), cell("@x"), cell("\tx")], ["\"'-1\"", "\"'+a\"", "\"'@x\"", "\"'\tx\""]);
        assert_eq!([cell("a,b"), cell("a\nb"), cell("Zoë"), cell("")], ["\"a,b\"", "\"a\nb\"", "Zoë", ""]);
        assert_eq!([super::cell(&json!(-3)), super::cell(&Value::Null)], ["-3", ""]);
    }

    #[test]
    fn a_file_is_called_after_its_filter() {
        let filter = Filter { player: Some("Zoë \"../Quill".into()), ruled: true, ..Filter::default() };
        assert_eq!(file_name(&filter, FileFormat::Csv), "matchbook-zo------quill-yes.csv");
        assert_eq!(file_name(&Filter::default(), FileFormat::Dmn), "matchbook.dmn");
    }
}

//! A match's page and its files. One address holds both, because a router cannot tell `/m/x` from `/m/x.dmn`.

use std::sync::Arc;

use app::App;
use app::views::{Beat, VisibleMatch, beat_scene, match_json, visible_scene};
use axum::Extension;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use picture::Scene;
use record::History;

use super::match_table::table;
use super::page_cache::Kept;
use super::picture::{Kind, Wanted, picture};
use super::{match_page, unread};
use crate::http::{Answer, Problem, Segments, ViewParams, fresh};
use crate::visitor::Visitor;

/// The files of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum File {
    Dmn,
    Json,
    Csv,
    Ndjson,
    Bundle,
}

impl File {
    fn of(extension: &str) -> Option<Self> {
        Some(match extension {
            "dmn" => Self::Dmn,
            "json" => Self::Json,
            "csv" => Self::Csv,
            "ndjson" => Self::Ndjson,
            "bundle" => Self::Bundle,
            _ => return None,
        })
    }

    const fn kind(self) -> &'static str {
        match self {
            Self::Dmn => "text/plain; charset=utf-8",
            Self::Json => "application/json",
            Self::Csv => "text/csv; charset=utf-8; header=present",
            Self::Ndjson | Self::Bundle => "application/x-ndjson",
        }
    }
}

/// `GET /m/{slug}` and `GET /m/{slug}.{dmn,json,csv,ndjson,bundle,svg,png}`
pub(super) async fn page_or_file(
    State(app): State<Arc<App>>,
    Extension(kept): Extension<Arc<Kept>>,
    visitor: Visitor,
    Segments(name): Segments<String>,
    params: ViewParams,
    wanted: Result<Query<Wanted>, QueryRejection>,
    request: HeaderMap,
) -> Result<Response, Problem> {
    let Some((slug, extension)) = name.split_once('.') else {
        return match_page::match_page(&app, &visitor, &name, params, &kept, &request).await;
    };
    if let Some(kind) = Kind::of(extension) {
        let history = app.matches.history_of(slug).await.map_err(|error| unread(slug, error))?;
        params.visible(&history)?;
        let scene = move |history: &History| Ok(scene(&params.visible(history)?, params));
        return picture(&kept, &history, &params.query(), kind, &Wanted::of(wanted), &request, scene).await;
    }
    match File::of(extension) {
        Some(file) => download(&app, slug, file, &request).await,
        None => Err(Problem::not_found(format!(
            "A match has no file \u{201c}.{extension}\u{201d}; there are .dmn, .json, .csv, .ndjson, .bundle, .svg and .png."
        ))
        .back(format!("/m/{slug}"), "Go to the match")),
    }
}

/// The match's current position; without spoilers, its beginning.
fn scene(visible: &VisibleMatch<'_>, params: ViewParams) -> Scene {
    let begins = || beat_scene(visible, &visible.history.rows(), 0, Beat::Before);
    params.spoilers.hidden().then(begins).flatten().unwrap_or_else(|| visible_scene(visible))
}

async fn download(app: &App, slug: &str, file: File, request: &HeaderMap) -> Result<Response, Problem> {
    let (head, body) = match file {
        File::Dmn | File::Json | File::Csv => {
            let history = app.matches.history_of(slug).await.map_err(|error| unread(slug, error))?;
            let body = match file {
                File::Dmn => record::dmn(&history).into_bytes(),
                File::Csv => table(&VisibleMatch::public(&history)).into_bytes(),
                _ => match_json(&history, &app.umpires.names()).into_bytes(),
            };
            (history.head, body)
        }
        File::Ndjson | File::Bundle => {
            let _turn = app.matches.turn_to_read().await;
            let bundle = app.public_log.bundle(app.matches.match_of(slug).await?).await?;
            let body = match file {
                File::Bundle => bundle.write(),
                _ => bundle.lines.iter().flat_map(|line| line.iter().chain(b"\n")).copied().collect(),
            };
            (bundle.head, body)
        }
    };
    let mut response = fresh(request, head.leaf, Answer::data(file.kind(), body));
    let saved = match file {
        File::Bundle => Some("bundle"),
        File::Csv => Some("csv"),
        _ => None,
    };
    if let Some(extension) = saved
        && let Ok(disposition) = HeaderValue::from_str(&format!("attachment; filename=\"{slug}.{extension}\""))
    {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, disposition);
    }
    Ok(response)
}

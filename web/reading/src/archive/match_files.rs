//! A match's page and its files. One address holds both, because a router cannot tell `/m/x` from `/m/x.dmn`.

use std::sync::Arc;

use app::App;
use app::views::{Beat, VisibleMatch, beat_scene, match_json, visible_scene};
use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use picture::Scene;
use record::History;

use super::match_table::table;
use super::page_cache::{PageCache, PageSource};
use super::picture::{ImageFormat, animated, picture};
use super::view_request::ViewRequest;
use super::{history_problem, match_page};
use web_http::{Answer, Problem, Segments, ViewParams, fresh};

/// The most rounds in an animated picture of a match.
const FRAMES_MAX: usize = 60;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MatchFile {
    Dmn,
    Json,
    Csv,
    Ndjson,
    Bundle,
}

impl MatchFile {
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

    const fn media_type(self) -> &'static str {
        match self {
            Self::Dmn => "text/plain; charset=utf-8",
            Self::Json => "application/json",
            Self::Csv => "text/csv; charset=utf-8; header=present",
            Self::Ndjson | Self::Bundle => "application/x-ndjson",
        }
    }
}

pub(super) async fn page_or_file(
    State(app): State<Arc<App>>,
    Extension(cache): Extension<Arc<PageCache>>,
    Segments(name): Segments<String>,
    request: ViewRequest,
) -> Result<Response, Problem> {
    let Some((slug, extension)) = name.split_once('.') else {
        return match_page::match_page(&app, &name, &cache, &request).await;
    };
    if let Some(format) = ImageFormat::of(extension) {
        let source = PageSource::of(&app, slug).await.map_err(|error| history_problem(slug, error))?;
        let params = request.params;
        params.visible(&source.history)?;
        if format == ImageFormat::Gif {
            let scenes = move |history: &History| Ok(scenes(&params.visible(history)?, params));
            return animated(&cache, &source, &params.query(), &request, scenes).await;
        }
        let scene = move |history: &History| Ok(scene(&params.visible(history)?, params));
        return picture(&cache, &source, &params.query(), format, &request, scene).await;
    }
    match MatchFile::of(extension) {
        Some(file) => download(&app, slug, file, &request.headers).await,
        None => Err(Problem::not_found(format!(
            "A match has no file \u{201c}.{extension}\u{201d}; there are .dmn, .json, .csv, .ndjson, .bundle, .svg, .png and .gif."
        ))
        .back(format!("/m/{slug}"), "Go to the match")),
    }
}

fn scene(visible: &VisibleMatch<'_>, params: ViewParams) -> Scene {
    let begins = || beat_scene(visible, &visible.history.rows(), 0, Beat::Before);
    params.spoilers.hidden().then(begins).flatten().unwrap_or_else(|| visible_scene(visible))
}

/// The beginning and the end of every round, or of some of a long match; without spoilers, the beginning alone.
fn scenes(visible: &VisibleMatch<'_>, params: ViewParams) -> Vec<Scene> {
    let rows = visible.history.rows();
    // Before the first round there is its question.
    let begins = beat_scene(visible, &rows, 0, Beat::Before).unwrap_or_else(|| visible_scene(visible));
    if params.spoilers.hidden() {
        return vec![begins];
    }
    let every = rows.len().div_ceil(FRAMES_MAX).max(1);
    let shown = (0..rows.len()).filter(|at| at % every == 0 || at + 1 == rows.len());
    std::iter::once(begins).chain(shown.filter_map(|at| beat_scene(visible, &rows, at, Beat::After))).collect()
}

async fn download(app: &App, slug: &str, file: MatchFile, request: &HeaderMap) -> Result<Response, Problem> {
    let (head, body) = match file {
        MatchFile::Dmn | MatchFile::Json | MatchFile::Csv => {
            let history = app.matches.history_of(slug).await.map_err(|error| history_problem(slug, error))?;
            let body = match file {
                MatchFile::Dmn => record::dmn(&history).into_bytes(),
                MatchFile::Csv => table(&VisibleMatch::public(&history)).into_bytes(),
                _ => match_json(&history, &app.umpires.names()).into_bytes(),
            };
            (history.head, body)
        }
        MatchFile::Ndjson | MatchFile::Bundle => {
            let _turn = app.matches.turn_to_read().await;
            let bundle = app.public_log.bundle(app.matches.match_of(slug).await?).await?;
            let body = match file {
                MatchFile::Bundle => bundle.write(),
                _ => bundle.lines.iter().flat_map(|line| line.iter().chain(b"\n")).copied().collect(),
            };
            (bundle.head, body)
        }
    };
    let mut response = fresh(request, head.leaf, Answer::data(file.media_type(), body));
    let saved = match file {
        MatchFile::Bundle => Some("bundle"),
        MatchFile::Csv => Some("csv"),
        _ => None,
    };
    if let Some(extension) = saved
        && let Ok(disposition) = HeaderValue::from_str(&format!("attachment; filename=\"{slug}.{extension}\""))
    {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, disposition);
    }
    Ok(response)
}

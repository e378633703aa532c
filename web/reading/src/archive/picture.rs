//! The pictures of a match and of its moments.

use axum::response::Response;
use picture::{Scene, Theme};
use record::History;
use serde::Deserialize;

use super::page_cache::{PageCache, PageSource};
use super::view_request::ViewRequest;
use web_http::{Answer, ErrorKind, Problem, fresh};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ImageFormat {
    Svg,
    Png,
    Gif,
}

/// The characters of an alternative text.
const ALT_MAX_CHARS: usize = 400;

pub(super) struct AnimatedPicture {
    pub(super) address: String,
    pub(super) alt: String,
}

impl AnimatedPicture {
    pub(super) fn of(address: String, what: &str, last: &Scene) -> Self {
        let alt = format!("Animated: {what}. {}", last.said.join(" "));
        Self { address, alt: alt.chars().take(ALT_MAX_CHARS).collect() }
    }
}

/// The query of a picture's address. The head makes the address of each version unique, so that a cached copy elsewhere
/// is never shown for a later one. The answer is always the current picture.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct PictureQuery {
    theme: Option<String>,
}

impl ImageFormat {
    pub(super) fn of(extension: &str) -> Option<Self> {
        match extension {
            "svg" => Some(Self::Svg),
            "png" => Some(Self::Png),
            "gif" => Some(Self::Gif),
            _ => None,
        }
    }
}

impl PictureQuery {
    fn theme(&self) -> Result<Theme, Problem> {
        let word = self.theme.as_deref().unwrap_or_default();
        let theme = if word.is_empty() { Ok(Theme::Light) } else { word.parse() };
        theme.map_err(|()| {
            let detail = "A picture is drawn with ?theme=light or ?theme=dark, and with no other.";
            Problem::of(ErrorKind::BadParameter, detail)
        })
    }
}

pub(super) async fn animated(
    cache: &PageCache,
    source: &PageSource,
    place: &str,
    request: &ViewRequest,
    scenes: impl FnOnce(&History) -> Result<Vec<Scene>, Problem> + Send + 'static,
) -> Result<Response, Problem> {
    let theme = request.picture.theme()?;
    let history = source.history.clone();
    let draw = move || -> Result<Answer, Problem> {
        let svgs: Vec<String> = scenes(&history)?.iter().map(|scene| picture::svg(scene, theme)).collect();
        let gif = picture::gif(&svgs).map_err(|error| Problem::broken(&error))?;
        Ok(Answer::data("image/gif", gif))
    };
    let answer = cache.picture(source, (place.to_owned(), theme, ImageFormat::Gif), draw).await?;
    Ok(fresh(&request.headers, source.history.head.leaf, answer))
}

/// Answers with the picture of a place, such as `7b/after`; empty for the match. The scene is made only if the picture
/// is not cached.
pub(super) async fn picture(
    cache: &PageCache,
    source: &PageSource,
    place: &str,
    format: ImageFormat,
    request: &ViewRequest,
    scene: impl FnOnce(&History) -> Result<Scene, Problem> + Send + 'static,
) -> Result<Response, Problem> {
    let theme = request.picture.theme()?;
    let history = source.history.clone();
    // Drawing a crowded state takes some milliseconds; a PNG takes many.
    let draw = move || -> Result<Answer, Problem> {
        let svg = picture::svg(&scene(&history)?, theme);
        if format == ImageFormat::Svg {
            return Ok(Answer::data("image/svg+xml", svg.into_bytes()));
        }
        let png = picture::png(&svg).map_err(|error| Problem::broken(&error))?;
        Ok(Answer::data("image/png", png))
    };
    let answer = cache.picture(source, (place.to_owned(), theme, format), draw).await?;
    Ok(fresh(&request.headers, source.history.head.leaf, answer))
}

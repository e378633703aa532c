//! The pictures of a match and of its moments: public knowledge alone, whoever asks.

use std::sync::Arc;

use axum::extract::Query;
use axum::extract::rejection::QueryRejection;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use picture::{Scene, Theme};
use record::History;
use serde::Deserialize;

use super::kept::Kept;
use crate::page::{Answer, Problem, fresh};

/// The two files of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Svg,
    Png,
}

/// What an address may say of a picture. The head is there so that a copy somewhere else does not stand for a later one;
/// it is answered with the picture of now.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Wanted {
    theme: Option<String>,
}

impl Kind {
    pub(super) fn of(extension: &str) -> Option<Self> {
        match extension {
            "svg" => Some(Self::Svg),
            "png" => Some(Self::Png),
            _ => None,
        }
    }
}

impl Wanted {
    /// What the query says; one that does not read says nothing.
    pub(super) fn of(query: Result<Query<Self>, QueryRejection>) -> Self {
        query.map(|Query(wanted)| wanted).unwrap_or_default()
    }

    fn theme(&self) -> Result<Theme, Problem> {
        let word = self.theme.as_deref().unwrap_or_default();
        let theme = if word.is_empty() { Ok(Theme::Light) } else { word.parse() };
        theme.map_err(|()| {
            let detail = "A picture is drawn with ?theme=light or ?theme=dark, and with no other.";
            Problem { status: StatusCode::BAD_REQUEST, ..Problem::refused(detail) }
        })
    }
}

/// Answers with the picture of a place, such as `7b/after`; empty for the match. The scene is only made where the
/// picture is not kept.
pub(super) async fn picture(
    kept: &Kept,
    history: &Arc<History>,
    place: &str,
    kind: Kind,
    wanted: &Wanted,
    request: &HeaderMap,
    scene: impl FnOnce() -> Option<Scene>,
) -> Result<Response, Problem> {
    let theme = wanted.theme()?;
    let answer = |answer| fresh(request, history.head.leaf, answer);
    let place = (place.to_owned(), theme, kind);
    if let Some(drawn) = kept.picture(history, &place) {
        return Ok(answer(drawn));
    }
    let scene = scene().ok_or_else(|| Problem::not_found("This moment has no picture."))?;
    let drawn = match kind {
        Kind::Svg => Answer::data("image/svg+xml", picture::svg(&scene, theme).into_bytes()),
        Kind::Png => {
            let _turn = kept.turn().await;
            // Whoever was before may have drawn just this one.
            if let Some(drawn) = kept.picture(history, &place) {
                return Ok(answer(drawn));
            }
            let draw = move || picture::png(&picture::svg(&scene, theme));
            let drawn = tokio::task::spawn_blocking(draw).await.map_err(|error| Problem::broken(&error))?;
            Answer::data("image/png", drawn.map_err(|error| Problem::broken(&error))?)
        }
    };
    kept.keep_picture(history, place, &drawn);
    Ok(answer(drawn))
}

//! oEmbed (oembed.com): tells a program how to show the address of a match or a moment in a frame.

use std::sync::Arc;

use app::views::{Beat, match_address};
use app::{App, AppError};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use picture::{HEIGHT, WIDTH};
use record::History;
use record::words::row_words;
use serde::{Deserialize, Serialize};

use super::embed::{FRAME_SIZE, iframe};
use super::match_page::title;
use page::Urls;
use web_http::{Answer, ErrorKind, Problem, ViewParams, fresh, site};

#[derive(Debug, Deserialize)]
pub(super) struct OembedQuery {
    url: String,
    #[serde(default)]
    format: String,
    maxwidth: Option<u32>,
    maxheight: Option<u32>,
}

#[derive(Debug, Serialize)]
struct OembedAnswer {
    version: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
    provider_name: &'static str,
    provider_url: String,
    title: String,
    html: String,
    width: u32,
    height: u32,
    #[serde(flatten)]
    thumbnail: Option<Thumbnail>,
}

#[derive(Debug, Serialize)]
struct Thumbnail {
    thumbnail_url: String,
    thumbnail_width: i32,
    thumbnail_height: i32,
}

#[derive(Debug, PartialEq, Eq)]
struct Target {
    slug: String,
    moment: Option<(String, Beat)>,
    params: ViewParams,
}

pub(super) async fn oembed(
    State(app): State<Arc<App>>,
    query: Result<Query<OembedQuery>, QueryRejection>,
    request: HeaderMap,
) -> Result<Response, Problem> {
    let Ok(Query(query)) = query else {
        let detail =
            "Ask with ?url= and the address of a match or of a moment; maxwidth and maxheight are whole numbers.";
        return Err(Problem::of(ErrorKind::BadParameter, detail));
    };
    if !matches!(query.format.as_str(), "" | "json") {
        let detail = "This is answered in JSON, and in no other format.";
        return Err(Problem::of(ErrorKind::UnsupportedFormat, detail));
    }
    let site = site(&request);
    let none = || Problem::not_found("This is the address of no match of this site, and of no moment of one.");
    let target = Target::of(&query.url, &site).ok_or_else(none)?;
    let history = app.matches.recorded_history_of(&target.slug).await.map_err(|error| match error {
        AppError::NoMatch => none(),
        error => error.into(),
    })?;
    // A view that must stay hidden and an unknown round have no frame.
    target.params.visible(&history).map_err(|_| none())?;
    let answer = target.answer(&history, &site, &query).ok_or_else(none)?;
    let body = serde_json::to_vec(&answer).map_err(|error| Problem::broken(&error))?;
    Ok(fresh(&request, history.head.leaf, Answer::data("application/json", body)))
}

impl Target {
    fn of(url: &str, site: &str) -> Option<Self> {
        let uri: Uri = url.split('#').next()?.parse().ok()?;
        let (_, host) = site.split_once("://")?;
        let scheme = uri.scheme_str()?;
        (matches!(scheme, "http" | "https") && uri.authority()?.as_str().eq_ignore_ascii_case(host)).then_some(())?;
        let params =
            Query::<Vec<(String, String)>>::try_from_uri(&uri).ok().and_then(|Query(query)| ViewParams::of(&query))?;
        let mut segments = uri.path().strip_prefix("/m/")?.split('/');
        let slug = segments.next()?.to_owned();
        let moment = match (segments.next(), segments.next(), segments.next(), segments.next()) {
            (None, ..) => None,
            (Some("r"), Some(row), Some(beat), None) => Some((row.to_owned(), beat.parse().ok()?)),
            _ => return None,
        };
        Some(Self { slug, moment, params })
    }

    fn answer(&self, history: &History, site: &str, query: &OembedQuery) -> Option<OembedAnswer> {
        let framed = Urls::embedded(history.match_id, self.params);
        let (address, picture, title) = match &self.moment {
            None => (framed.page(), match_address(history.match_id), title(history)),
            Some((label, beat)) => {
                history.rows().iter().any(|row| row.label == *label).then_some(())?;
                let title = format!("{}, {}: {}", row_words(label), beat.word(), title(history));
                (framed.moment(label, *beat), beat.address(history.match_id, label), title)
            }
        };
        let (width, height) = (query.maxwidth.unwrap_or(u32::MAX), query.maxheight.unwrap_or(u32::MAX));
        let fits = i64::from(width) >= i64::from(WIDTH) && i64::from(height) >= i64::from(HEIGHT);
        let (width, height) = (width.min(FRAME_SIZE.0), height.min(FRAME_SIZE.1));
        let html = iframe(&format!("{site}{address}"), &title, (width, height));
        let thumbnail = fits.then(|| Thumbnail {
            thumbnail_url: format!("{site}{picture}.png{}", self.params.query()),
            thumbnail_width: WIDTH,
            thumbnail_height: HEIGHT,
        });
        let (version, kind, provider_name) = ("1.0", "rich", "Matchbook");
        Some(OembedAnswer {
            version,
            kind,
            provider_name,
            provider_url: site.to_owned(),
            title,
            html,
            width,
            height,
            thumbnail,
        })
    }
}

#[cfg(test)]
mod tests {
    use engine::{Seat, Sight};

    use super::*;
    use web_http::Spoilers;

    fn target(url: &str) -> Option<Target> {
        Target::of(url, "https://matchbook.example")
    }

    #[test]
    fn only_matches_and_moments_of_this_site_have_a_frame() {
        let plain = ViewParams::default();
        let found = |moment: Option<(&str, Beat)>, params| {
            let moment = moment.map(|(row, beat)| (row.to_owned(), beat));
            Some(Target { slug: "3t16wed731".to_owned(), moment, params })
        };
        assert_eq!(target("https://matchbook.example/m/3t16wed731"), found(None, plain));
        assert_eq!(target("http://MATCHBOOK.example/m/3t16wed731#r7"), found(None, plain));
        let params = ViewParams { sight: Some(Sight::Seat(Seat::P1)), spoilers: Spoilers::Hidden };
        let url = "https://matchbook.example/m/3t16wed731/r/7b/after?as=p1&spoilers=no";
        assert_eq!(target(url), found(Some(("7b", Beat::After)), params));
        for other in [
            "https://elsewhere.example/m/3t16wed731",
            "https://matchbook.example@elsewhere.example/m/3t16wed731",
            "ftp://matchbook.example/m/3t16wed731",
            "/m/3t16wed731",
            "https://matchbook.example/m/3t16wed731/verify",
            "https://matchbook.example/m/3t16wed731/r/7b/later",
            "https://matchbook.example/m/3t16wed731/struck/9/r/7/after",
            "https://matchbook.example/m/3t16wed731?as=umpire",
            "https://matchbook.example/",
            "",
        ] {
            assert_eq!(target(other), None, "{other}");
        }
    }
}

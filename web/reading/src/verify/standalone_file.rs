//! A match as one file with its bundle, a viewer and the verifier, which opens from a disk without any network.

use std::sync::{Arc, LazyLock};

use app::App;
use askama::Template;
use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use engine::{Colour, Shape, Sign};
use record::verify::Check;
use record::{Bundle, History};

use super::file_cache::FileCache;
use page::assets;
use page::{Icon, PracticeMark};
use web_http::{Problem, Segments, fresh};

/// The verifier as text, encoded once.
static VERIFIER: LazyLock<String> = LazyLock::new(|| STANDARD.encode(assets::VERIFIER));

/// The beacon's curve as text, for the files of matches that used one.
static BEACON: LazyLock<String> = LazyLock::new(|| STANDARD.encode(assets::BEACON));

#[derive(Template)]
#[template(path = "verify/standalone_file.html")]
struct Whole {
    practice: Option<PracticeMark>,
    dmn: String,
    style: String,
    /// Every sign on a card or a cell, by its name in the viewer's script.
    signs: Vec<(String, Icon)>,
    policy: String,
    bundle: String,
    verifier: &'static str,
    beacon: Option<&'static str>,
    verify_script: &'static str,
    viewer_script: &'static str,
}

pub(super) async fn whole(
    State(app): State<Arc<App>>,
    Extension(cache): Extension<Arc<FileCache>>,
    Segments(slug): Segments<String>,
    request: HeaderMap,
) -> Result<Response, Problem> {
    let match_id = app.matches.match_of(&slug).await?;
    let _turn = cache.turn().await?;
    let bundle = app.public_log.bundle(match_id).await?;
    let head = bundle.head.leaf;
    let file = cache.file(bundle, app.public_log.policy_text()).await?;
    let mut response = fresh(&request, head, file);
    if let Ok(disposition) = HeaderValue::from_str(&format!("attachment; filename=\"{slug}.html\"")) {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, disposition);
    }
    Ok(response)
}

/// The file of a match, which checks it by a policy. Unreadable parts are left to the verifier, which reports them.
pub fn file(bundle: &Bundle, policy: String) -> askama::Result<String> {
    let check = Check::of(bundle, None);
    let history = check.history();
    let whole = Whole {
        practice: PracticeMark::of(bundle.match_id),
        dmn: history.map(record::dmn).unwrap_or_default(),
        style: style(),
        signs: signs(),
        policy,
        bundle: STANDARD.encode(bundle.write()),
        verifier: &VERIFIER,
        beacon: history.and_then(History::beacon).map(|_| BEACON.as_str()),
        verify_script: assets::VERIFY_SCRIPT,
        viewer_script: assets::VIEWER_SCRIPT,
    };
    whole.render()
}

/// The style of the site, without its face of letters, which the file would have to fetch.
fn style() -> String {
    let (head, rest) = assets::TOKENS.split_once("@font-face").unwrap_or((assets::TOKENS, ""));
    let rest = rest.split_once("\n}\n").map_or("", |(_, rest)| rest);
    [head, rest, assets::CSS].concat()
}

fn signs() -> Vec<(String, Icon)> {
    let plain =
        [Sign::Back, Sign::Clubs, Sign::Diamonds, Sign::Hearts, Sign::Spades, Sign::Red, Sign::Green, Sign::Blue];
    let plain = plain.map(|sign| ("sign", sign));
    let shapes = [("circle", Shape::Circle), ("triangle", Shape::Triangle), ("square", Shape::Square)];
    let fronts = [Colour::Cyan, Colour::Pink, Colour::Grey];
    let fronts = shapes.into_iter().flat_map(|(name, shape)| fronts.map(|colour| (name, Sign::Shape(colour, shape))));
    let signs = plain.into_iter().chain(fronts).map(|(kind, sign)| (kind, Icon(sign)));
    signs.map(|(kind, sign)| (format!("{kind}-{}", sign.class()), sign)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::played::Book as Played;

    #[test]
    fn the_file_reaches_for_nothing_and_breaks_out_of_nothing() {
        let mut played = Played::opened("thwart-13/dm-colosseum-2", None, engine::BySeat { p1: &[], p2: &[] });
        played.notes("</script><script>alert(1)</script>");
        let file = file(&played.bundle(), "quorum none\n".to_owned()).unwrap();
        assert_eq!(file.matches("</script>").count(), 5, "as many as the page has");
        assert_eq!(file.matches("</style>").count(), 1);
        for reach in [" src=", "url(", "@import", "https://", "fetch(\"http"] {
            let found = file.match_indices(reach).map(|(at, _)| &file[at..(at + 60).min(file.len())]);
            // A place in the file itself is not outside.
            let outside: Vec<_> = found.filter(|found| !found.starts_with("url(#")).collect();
            assert!(outside.is_empty(), "{reach}: {outside:?}");
        }
        assert!(file.contains("data-name=\"triangle-pink\"") && file.contains("data-name=\"sign-hearts\""));
    }
}

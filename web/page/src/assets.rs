//! Style, scripts, icon and the browser's verifier, served from memory.

use axum::Router;
use axum::http::{HeaderValue, header};
use axum::response::IntoResponse;
use axum::routing::get;

pub const CSS: &str = include_str!("../../assets/matchbook.css");
/// The colours, sizes and the face of letters that every page of the stage is made of.
pub const TOKENS: &str = include_str!("../../assets/tokens.css");
pub const STAGE: &str = include_str!("../../assets/stage.css");
const DESK: &str = include_str!("../../assets/desk.css");
/// Bricolage Grotesque, Latin-1, under the SIL Open Font License (`bricolage.OFL.txt`).
const FONT: &[u8] = include_bytes!("../../assets/bricolage.woff2");
const SCRIPT: &str = include_str!("../../assets/matchbook.js");
const SUGGEST_SCRIPT: &str = include_str!("../../assets/suggest.js");
const TIMES_SCRIPT: &str = include_str!("../../assets/times.js");
const UMPIRE_SCRIPT: &str = include_str!("../../assets/umpire.js");
const SIGN_IN_SCRIPT: &str = include_str!("../../assets/sign-in.js");
const PASSKEY_SCRIPT: &str = include_str!("../../assets/passkey.js");
const REPLAY_SCRIPT: &str = include_str!("../../assets/replay.js");
const REPLAY_CSS: &str = include_str!("../../assets/replay.css");
const STYLE_CSS: &str = include_str!("../../assets/style.css");
const PLAY_CSS: &str = include_str!("../../assets/play.css");
const HOME_SCRIPT: &str = include_str!("../../assets/home.js");
const COUNTDOWN_SCRIPT: &str = include_str!("../../assets/countdown.js");
const LIVE_SCRIPT: &str = include_str!("../../assets/live.js");
const PLAY_SCRIPT: &str = include_str!("../../assets/play.js");
const PLAY_REVEAL: &str = include_str!("../../assets/play-reveal.js");
const PLAY_TABLE: &str = include_str!("../../assets/play-table.js");
const PLAY_CLOCK: &str = include_str!("../../assets/play-clock.js");
const PLAY_NOTICES: &str = include_str!("../../assets/play-notices.js");
const BELL: &str = include_str!("../../assets/bell.js");
const FOLLOW: &str = include_str!("../../assets/follow.js");
const PLAY_CARRY: &str = include_str!("../../assets/play-carry.js");
const CRYPTO_SCRIPT: &str = include_str!("../../assets/crypto.js");
const KEY_CODE: &str = include_str!("../../assets/key-code.js");
const PLAYER_KEY: &str = include_str!("../../assets/player-key.js");
const REGISTERED_SCRIPT: &str = include_str!("../../assets/registered.js");
const PLAY_VOUCH: &str = include_str!("../../assets/play-vouch.js");
const PLAY_SHARE: &str = include_str!("../../assets/play-share.js");
const PLAY_SEAL: &str = include_str!("../../assets/play-seal.js");
pub const VERIFY_SCRIPT: &str = include_str!("../../assets/verify.js");
pub const VIEWER_SCRIPT: &str = include_str!("../../assets/viewer.js");
/// The verifier as a WebAssembly module, compressed; `make wasm` builds it.
pub const VERIFIER: &[u8] = include_bytes!("../../assets/verifier.wasm.gz");
/// The curve of the public randomness beacon, in the same way: for matches that used one.
pub const BEACON: &[u8] = include_bytes!("../../assets/beacon.wasm.gz");
const ICON: &str = include_str!("../../assets/favicon.svg");

pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/assets/matchbook.css", get(|| asset("text/css; charset=utf-8", CSS)))
        .route("/assets/tokens.css", get(|| asset("text/css; charset=utf-8", TOKENS)))
        .route("/assets/stage.css", get(|| asset("text/css; charset=utf-8", STAGE)))
        .route("/assets/desk.css", get(|| asset("text/css; charset=utf-8", DESK)))
        .route("/assets/bricolage.woff2", get(|| asset("font/woff2", FONT)))
        .route("/assets/matchbook.js", get(|| asset("text/javascript; charset=utf-8", SCRIPT)))
        .route("/assets/replay.js", get(|| asset("text/javascript; charset=utf-8", REPLAY_SCRIPT)))
        .route("/assets/replay.css", get(|| asset("text/css; charset=utf-8", REPLAY_CSS)))
        .route("/assets/suggest.js", get(|| asset("text/javascript; charset=utf-8", SUGGEST_SCRIPT)))
        .route("/assets/times.js", get(|| asset("text/javascript; charset=utf-8", TIMES_SCRIPT)))
        .route("/assets/play.css", get(|| asset("text/css; charset=utf-8", PLAY_CSS)))
        .route("/assets/style.css", get(|| asset("text/css; charset=utf-8", STYLE_CSS)))
        .route("/assets/home.js", get(|| asset("text/javascript; charset=utf-8", HOME_SCRIPT)))
        .route("/assets/countdown.js", get(|| asset("text/javascript; charset=utf-8", COUNTDOWN_SCRIPT)))
        .route("/assets/live.js", get(|| asset("text/javascript; charset=utf-8", LIVE_SCRIPT)))
        .route("/assets/play.js", get(|| asset("text/javascript; charset=utf-8", PLAY_SCRIPT)))
        .route("/assets/sign-in.js", get(|| asset("text/javascript; charset=utf-8", SIGN_IN_SCRIPT)))
        .route("/assets/passkey.js", get(|| asset("text/javascript; charset=utf-8", PASSKEY_SCRIPT)))
        .route("/assets/play-reveal.js", get(|| asset("text/javascript; charset=utf-8", PLAY_REVEAL)))
        .route("/assets/play-table.js", get(|| asset("text/javascript; charset=utf-8", PLAY_TABLE)))
        .route("/assets/play-clock.js", get(|| asset("text/javascript; charset=utf-8", PLAY_CLOCK)))
        .route("/assets/play-notices.js", get(|| asset("text/javascript; charset=utf-8", PLAY_NOTICES)))
        .route("/assets/bell.js", get(|| asset("text/javascript; charset=utf-8", BELL)))
        .route("/assets/follow.js", get(|| asset("text/javascript; charset=utf-8", FOLLOW)))
        .route("/assets/play-carry.js", get(|| asset("text/javascript; charset=utf-8", PLAY_CARRY)))
        .route("/assets/play-share.js", get(|| asset("text/javascript; charset=utf-8", PLAY_SHARE)))
        .route("/assets/play-seal.js", get(|| asset("text/javascript; charset=utf-8", PLAY_SEAL)))
        .route("/assets/crypto.js", get(|| asset("text/javascript; charset=utf-8", CRYPTO_SCRIPT)))
        .route("/assets/key-code.js", get(|| asset("text/javascript; charset=utf-8", KEY_CODE)))
        .route("/assets/player-key.js", get(|| asset("text/javascript; charset=utf-8", PLAYER_KEY)))
        .route("/assets/registered.js", get(|| asset("text/javascript; charset=utf-8", REGISTERED_SCRIPT)))
        .route("/assets/play-vouch.js", get(|| asset("text/javascript; charset=utf-8", PLAY_VOUCH)))
        .route("/assets/umpire.js", get(|| asset("text/javascript; charset=utf-8", UMPIRE_SCRIPT)))
        .route("/assets/verify.js", get(|| asset("text/javascript; charset=utf-8", VERIFY_SCRIPT)))
        .route("/assets/verifier.wasm", get(|| module(VERIFIER)))
        .route("/assets/beacon.wasm", get(|| module(BEACON)))
        .route("/assets/favicon.svg", get(|| asset("image/svg+xml", ICON)))
        .route("/favicon.ico", get(|| asset("image/svg+xml", ICON)))
}

async fn asset(kind: &'static str, content: impl IntoResponse) -> impl IntoResponse {
    let cache = HeaderValue::from_static("public, max-age=3600");
    ([(header::CONTENT_TYPE, HeaderValue::from_static(kind)), (header::CACHE_CONTROL, cache)], content)
}

/// Every browser that runs WebAssembly accepts gzip, so there is no other copy.
async fn module(content: &'static [u8]) -> impl IntoResponse {
    let headers = [
        (header::CONTENT_TYPE, "application/wasm"),
        (header::CONTENT_ENCODING, "gzip"),
        (header::CACHE_CONTROL, "public, max-age=3600"),
    ];
    (headers, content)
}

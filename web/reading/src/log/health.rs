//! The endpoint for monitoring.

use std::sync::Arc;

use app::App;
use app::cosigning::Cosigning;
use app::obstacle::Obstacle;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use ledger::TreeSize;
use serde_json::json;
use store::database::archiving_fails;

use super::UNKEPT;

/// `GET /healthz`: the state of the database, of the log's signing and of this node's clock. 503 means that nothing is
/// accepted or nothing closes here, or that a background worker ended and the process is about to stop.
pub(super) async fn show(State(app): State<Arc<App>>) -> Response {
    let size = app.logs.record().size().await;
    let (signed, stopped) = (app.signer().latest(), app.signer().stopped());
    let scrubbing = app.signer().scrubbing();
    let ended = app.workers().first_end();
    let obstacle = app.obstacle();
    // Of decisions that are closed: before that nobody learns whether a seat sent anything.
    let restored = app.logs.record().restored_count().await.unwrap_or_default();
    let missing = app.logs.record().missing_count().await.unwrap_or_default();
    let damage = app.journal_damage();
    let status = if size.is_ok() && ended.is_none() && obstacle.is_none() { 200 } else { 503 };
    let mut body = json!({
        "database": if size.is_ok() { "answers" } else { "does not answer" },
        "accepts": if size.is_ok() && app.recorder.accepts().is_ok() { "new acts" } else { "nothing" },
        "closes": obstacle.is_none(),
        "obstacle": obstacle.as_ref().map(Obstacle::for_strangers),
        "submissions_put_back": restored.number,
        "last_put_back_at": restored.last_at.map(|at| at.to_string()),
        "submissions_missing": missing.number,
        "last_missing_found_at": missing.last_at.map(|at| at.to_string()),
        "journal_unreadable_lines": damage.unreadable,
        "journal_replaced": damage.replaced,
        "archiving_fails": archiving_fails(app.pool()).await.ok(),
        "last_backup_at": app.last_backup().map(|at| at.to_string()),
        "clock_ahead_seconds": app.heartbeat.skew().map(|skew| skew.ahead_micros as f64 / 1e6),
        "log": {
            "origin": app.signer().origin(),
            "entries": size.ok().map(|size| size.0),
            "signed": signed.as_ref().map(|signed| signed.size.0),
            "signed_at": signed.as_ref().map(|signed| signed.at.to_string()),
            "signing": if stopped.is_some() { "stopped" } else { "goes on" },
            "stopped": stopped.as_ref().map(ToString::to_string),
            "scrubbing": {
                "compared": scrubbing.compared.0,
                "of": scrubbing.of.0,
                "last_pass_entries": scrubbing.last_pass.map(|(size, _)| size.0),
                "last_pass_at": scrubbing.last_pass.map(|(_, at)| at.to_string()),
                "failure": scrubbing.failure.as_ref().map(ToString::to_string),
                "advice": scrubbing.failure.as_ref().map(|failure| failure.cause.remedy()),
            },
            "witnesses": app.public_log.cosigning().map(Cosigning::states).unwrap_or_default().into_iter().map(|state| json!({
                "name": state.name,
                "key": state.key,
                "cosigned": state.cosigned.map(|(size, _)| size.0),
                "cosigned_at": state.cosigned.map(|(_, at)| at.to_string()),
                "behind": state.behind(signed.as_ref().map_or(TreeSize(0), |signed| signed.size)),
                "failure": state.failure.map(|(_, failure)| failure),
                "left_out": state.left_out,
            })).collect::<Vec<_>>(),
            "advice": stopped.as_ref().map(|stopped| stopped.advice()),
        },
    });
    if let (Some(end), Some(body)) = (ended, body.as_object_mut()) {
        body.insert("ended".to_owned(), json!(end.to_string()));
    }
    let status = axum::http::StatusCode::from_u16(status).unwrap_or_default();
    (status, [UNKEPT], Json(body)).into_response()
}

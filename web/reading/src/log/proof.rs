//! Proofs: of a leaf in a tree, of a tree that extends another, and of an entry in the log, as a file to keep.

use std::sync::Arc;

use app::public_log::ProofError;
use app::{App, AppError};
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use ledger::tlog_proof::TlogProof;
use ledger::{Hash, LeafIndex, Note, Seq, Tree, TreeSize};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{FOR_ALL, TEXT, UNKEPT};
use web_http::{ErrorKind, Problem};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InclusionQuery {
    index: u64,
    size: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConsistencyQuery {
    from: u64,
    to: Option<u64>,
}

pub(super) async fn inclusion(
    State(app): State<Arc<App>>,
    query: Result<Query<InclusionQuery>, QueryRejection>,
) -> Result<Response, Problem> {
    let Query(query) = query.map_err(|error| unread(&error, "index, and size if you like"))?;
    let found =
        app.public_log.prove_inclusion(LeafIndex(query.index), query.size.map(TreeSize)).await.map_err(refused)?;
    Ok(answer(json!({
        "origin": app.signer().origin(),
        "index": found.index.0,
        "leaf": found.leaf.to_base64(),
        "tree": tree(found.tree),
        "path": path(&found.proof.path),
    })))
}

pub(super) async fn consistency(
    State(app): State<Arc<App>>,
    query: Result<Query<ConsistencyQuery>, QueryRejection>,
) -> Result<Response, Problem> {
    let Query(query) = query.map_err(|error| unread(&error, "from, and to if you like"))?;
    let found = app.public_log.prove_consistency(TreeSize(query.from), query.to.map(TreeSize)).await;
    let (old, new, proof) = found.map_err(refused)?;
    Ok(answer(json!({
        "origin": app.signer().origin(),
        "from": tree(old),
        "to": tree(new),
        "path": path(&proof.path),
    })))
}

/// `GET /m/{slug}/entries/{seq}/proof`: a C2SP tlog-proof, under the last checkpoint with its cosignatures.
pub(super) async fn entry(
    State(app): State<Arc<App>>,
    Path((slug, seq)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let none = || Problem::not_found("This match has no such entry. They are numbered from 0.");
    let seq = seq.parse::<u32>().ok().filter(|number| number.to_string() == seq).ok_or_else(none)?;
    let match_id = app.matches.match_of(&slug).await?;
    let index = app.public_log.place_of(match_id, Seq(seq)).await.map_err(|_| none())?;
    let (found, signed) = app.public_log.prove_entry(match_id, index).await.map_err(refused)?;
    let checkpoint = Note::read(app.public_log.cosigned(&signed).await?.as_bytes());
    let checkpoint = checkpoint.map_err(|error| AppError::Unreadable(error.to_string()))?;
    let proof = TlogProof { extra: None, leaf: found.index, inclusion: found.proof, checkpoint }.to_string();
    let name = format!("attachment; filename=\"{slug}-{seq}.tlog-proof\"");
    let name = HeaderValue::from_str(&name).unwrap_or(HeaderValue::from_static("attachment"));
    Ok(([TEXT, FOR_ALL, UNKEPT, (header::CONTENT_DISPOSITION, name)], proof).into_response())
}

fn answer(value: Value) -> Response {
    ([FOR_ALL, UNKEPT], Json(value)).into_response()
}

fn tree(tree: Tree) -> Value {
    json!({ "size": tree.size.0, "root": tree.root.to_base64() })
}

fn path(path: &[Hash]) -> Vec<String> {
    path.iter().map(Hash::to_base64).collect()
}

pub(super) fn unread(error: &QueryRejection, takes: &str) -> Problem {
    let detail = format!("This address takes {takes}, as whole numbers: {}.", error.body_text());
    Problem::of(ErrorKind::Malformed, detail)
}

fn refused(error: ProofError) -> Problem {
    match error {
        ProofError::NotSigned { .. } => Problem::not_found(capital(&error.to_string())),
        ProofError::Prove(error) => Problem::refused(capital(&error.to_string())),
        ProofError::App(error) => error.into(),
    }
}

fn capital(text: &str) -> String {
    record::words::capital(text) + "."
}

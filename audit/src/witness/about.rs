//! The identity of this witness, in plain words.

use std::fmt::Write;
use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use super::Witness;

pub(super) async fn about(State(witness): State<Arc<Witness>>) -> Response {
    let key = witness.key.verifier();
    let mut page = format!(
        "This is {}, a witness of transparency logs.\n\n\
         It signs a checkpoint of a log only when the log has shown that it extends what this witness saw before. \
         So a log cannot show it one history and somebody else another without being found out.\n\n\
         Its verifier key is\n\n  {key}\n\nIt watches:\n",
        key.name()
    );
    for (origin, keys) in witness.logs.iter() {
        let seen = match witness.seen.seen(origin.as_str()).await {
            Ok(seen) => seen,
            Err(error) => {
                tracing::error!(%error, "the front page could not be made");
                return (StatusCode::INTERNAL_SERVER_ERROR, "The database does not answer.\n").into_response();
            }
        };
        let seen = match seen {
            Some(tree) => format!("{} entries, root {}", tree.size, tree.root.to_base64()),
            None => "nothing seen yet".to_owned(),
        };
        let _ = write!(page, "\n  {origin}\n    {seen}\n    /{}/checkpoint\n", origin.hash());
        for key in keys {
            let _ = writeln!(page, "    key {key}");
        }
    }
    page.push_str("\nA log asks it by POST /add-checkpoint, as c2sp.org/tlog-witness says.\n");
    page.into_response()
}

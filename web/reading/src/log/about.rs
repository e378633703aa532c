//! The log, for people: its name, its signatures and witnesses, and instructions for checking it by hand.

use std::sync::Arc;

use app::cosigning::{Cosigning, WitnessState};
use app::{App, AppError};
use askama::Template;
use axum::extract::State;
use axum::response::Response;
use ledger::TreeSize;
use record::succession::Succession;

use page::{Frame, When, page};
use web_http::Problem;
use web_http::visitor::Visitor;

#[derive(Template)]
#[template(path = "log/about.html")]
struct About {
    frame: Frame,
    origin: String,
    record: Option<String>,
    key: String,
    size: u64,
    signed: Option<Signed>,
    stopped: Option<Stopped>,
    configured: Vec<WitnessRow>,
    successions: Vec<Succession>,
    policy: String,
}

struct Signed {
    size: u64,
    root: String,
    when: When,
    witnesses: Vec<(String, When)>,
    policy_state: Option<String>,
}

struct WitnessRow {
    name: String,
    key: String,
    cosigned: Option<(u64, When)>,
    behind: u64,
    failure: Option<(When, String)>,
    left_out: bool,
}

struct Stopped {
    why: String,
    advice: &'static str,
}

pub(super) async fn show(State(app): State<Arc<App>>, visitor: Visitor) -> Result<Response, Problem> {
    let store = app.logs.record();
    let size = store.size().await.map_err(AppError::from)?.0;
    let signer = app.signer();
    let signed = match signer.latest() {
        None => None,
        Some(latest) => {
            let witnesses = store.cosignatures(latest.term, latest.size).await.map_err(AppError::from)?;
            Some(Signed {
                size: latest.size.0,
                root: latest.root.to_base64(),
                when: When::minute(latest.at),
                policy_state: app.public_log.policy_status(&latest).await?.map(|policy_state| policy_state.to_string()),
                witnesses: witnesses.into_iter().map(|line| (line.witness, When::minute(line.at))).collect(),
            })
        }
    };
    let stopped = signer.stopped().map(|why| Stopped { why: why.to_string(), advice: why.advice() });
    let newest = signer.latest().map_or(TreeSize(0), |latest| latest.size);
    let configured = |state: WitnessState| WitnessRow {
        behind: state.behind(newest),
        name: state.name,
        key: state.key,
        cosigned: state.cosigned.map(|(size, at)| (size.0, When::minute(at))),
        failure: state.failure.map(|(at, what)| (When::minute(at), what)),
        left_out: state.left_out,
    };
    let configured =
        app.public_log.cosigning().map(Cosigning::states).unwrap_or_default().into_iter().map(configured).collect();
    let origin = signer.origin();
    let frame = Frame::titled("The log")
        .described("Every entry of every match, in one order, under signed checkpoints that anyone can follow.");
    page(&About {
        frame: Frame { umpire: visitor.name(), ..frame },
        key: signer.verifier(&origin).to_string(),
        record: (origin != *app.origin()).then(|| app.origin().to_string()),
        origin: origin.to_string(),
        size,
        signed,
        stopped,
        configured,
        successions: signer.terms().iter().filter_map(|term| term.line.clone()).collect(),
        policy: signer.terms().policy(),
    })
}

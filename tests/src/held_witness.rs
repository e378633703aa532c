//! A witness that answers when a test says so: the slow one, and the one that never answers.

use std::sync::{Arc, Mutex};

use anyhow::{Context, Result};
use app::system::System;
use axum::Router;
use axum::extract::State;
use axum::routing::post;
use ledger::{CosignedAt, CosignerKey, Note};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::site::Site;
use crate::wait::until;
use crate::witness::witness_key;

/// It cosigns everything, once it is let go on.
pub(crate) struct HeldWitness {
    pub(crate) key: CosignerKey,
    address: String,
    state: Arc<Held>,
}

struct Held {
    key: CosignerKey,
    clock: Box<dyn Fn() -> CosignedAt + Send + Sync>,
    answers: Semaphore,
    /// The sizes that it was asked for.
    asked: Mutex<Vec<u64>>,
}

impl HeldWitness {
    /// With a right clock.
    pub(crate) async fn start(name: &str) -> Result<Self> {
        Self::with_clock(name, now).await
    }

    /// With the clock of a site, which may stand still.
    pub(crate) async fn beside(name: &str, site: &Site) -> Result<Self> {
        let app = Arc::downgrade(&site.app);
        Self::with_clock(name, move || app.upgrade().map_or_else(now, |app| app.system().now().into())).await
    }

    async fn with_clock(name: &str, clock: impl Fn() -> CosignedAt + Send + Sync + 'static) -> Result<Self> {
        let (key, clock) = (witness_key(name), Box::new(clock));
        let (asked, answers) = (Mutex::new(Vec::new()), Semaphore::new(0));
        let state = Arc::new(Held { key: key.clone(), clock, answers, asked });
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = format!("http://{}", listener.local_addr()?);
        let routes = Router::new().route("/add-checkpoint", post(add_checkpoint)).with_state(state.clone());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        Ok(Self { key, address, state })
    }

    /// Its line in a policy.
    pub(crate) fn line(&self, name: &str) -> String {
        format!("witness {name} {} {}\n", self.key.verifier(), self.address)
    }

    /// It answers this many requests, those that wait included.
    pub(crate) fn answers(&self, requests: usize) {
        self.state.answers.add_permits(requests);
    }

    /// It answers at once from now on.
    pub(crate) fn is_quick(&self) {
        self.answers(Semaphore::MAX_PERMITS >> 2);
    }

    /// The sizes that it was asked for.
    pub(crate) fn asked(&self) -> Vec<u64> {
        self.state.asked.lock().expect("a list").clone()
    }

    /// Waits until it was asked this often, and returns the last size.
    pub(crate) async fn is_asked(&self, times: usize) -> Result<u64> {
        until(async || self.asked().get(times - 1).copied().with_context(|| format!("{:?}", self.asked()))).await
    }
}

/// The time of a right clock.
pub(crate) fn now() -> CosignedAt {
    System::real().now().into()
}

async fn add_checkpoint(State(held): State<Arc<Held>>, body: String) -> String {
    let note: Note = body.split_once("\n\n").map(|(_, note)| note).unwrap_or_default().parse().expect("a note");
    let size = note.text().as_str().lines().nth(1).and_then(|size| size.parse().ok()).expect("a size");
    held.asked.lock().expect("a list").push(size);
    held.answers.acquire().await.expect("open").forget();
    format!("{}\n", held.key.cosign(note.text(), (held.clock)()))
}

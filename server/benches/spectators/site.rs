//! A node served like `matchbook serve`, and the match with the spectators.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};

use app::Scope;
use app::commands::Moves;
use app::keys::Keys;
use app::system::System;
use app::{Act, App};
use axum::serve::ListenerExt;
use engine::dmn::Replay;
use engine::{BySeat, Setup};
use ledger::{Author, Kind, MatchId, Seq};
use record::write::NewMatch;
use sqlx::postgres::PgPoolOptions;
use store::SubmitId;
use tempfile::TempDir;
use tokio::net::TcpListener;
use web::routes;

use crate::server::Database;

const RULESET: &str = "five-card-trick/dm-colosseum-2";
const FIXTURE: &str = "five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn";

pub(crate) struct Site {
    pub(crate) app: Arc<App>,
    pub(crate) address: SocketAddr,
    _data: TempDir,
}

impl Site {
    pub(crate) async fn start(database: &Database, seed: &str) -> Self {
        let data = tempfile::tempdir().expect("a folder");
        let serving = store::serving(database.options.clone());
        let pool = PgPoolOptions::new().max_connections(16).connect_lazy_with(serving);
        let system = System::real();
        // Both nodes have the same keys, which depend only on a name.
        let start = "2026-11-20T20:00:00.000000Z".parse().expect("a moment");
        let keys = Keys::open(data.path(), &System::seeded("spectators", start)).expect("keys");
        let origin = "localhost/matchbook-0123abcd".parse().expect("an origin");
        let file = data.path().join(format!("checkpoint-{seed}"));
        let app = Arc::new(App::open(pool, Arc::new(system), keys, Some(origin), file).await.expect("opens"));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("listens");
        let address = listener.local_addr().expect("an address");
        let site = routes::app(app.clone()).into_make_service_with_connect_info::<SocketAddr>();
        tokio::spawn(async move { drop(axum::serve(listener.tap_io(web::live::prepare_connection), site).await) });
        Self { app, address, _data: data }
    }

    fn act(&self) -> Act {
        let form = SubmitId(*self.app.system().uuid().as_bytes());
        Act { by: "umpire:bench".parse::<Author>().expect("an umpire"), form }
    }

    /// Opens the match, and returns the moves of a finished match for it.
    pub(crate) async fn open(&self) -> (MatchId, Vec<Moves>) {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/matches").join(FIXTURE);
        let text = std::fs::read_to_string(file).expect("a fixture");
        let mut replay = Replay::open(&text).expect("a match");
        let setup = Setup { ruleset: RULESET.to_owned(), ..replay.tags().setup.clone() };
        let mut moves = Vec::new();
        while let Some(played) = replay.play(None) {
            let line = played.expect("a step").played.text;
            let (_, sent) = line.split_once(". ").expect("a round");
            let (p1, p2) = sent.split_once(" / ").expect("both seats");
            moves.push(BySeat { p1: Some(p1.to_owned()), p2: Some(p2.to_owned()) });
        }
        let names = BySeat { p1: "Ada".into(), p2: "Bo".into() };
        let new = NewMatch { setup, names, ..NewMatch::default() };
        (self.app.commands.open_match(Scope::Record, &self.act(), &new).await.expect("opens"), moves)
    }

    /// Records a round here, and returns the entry that resolved it.
    pub(crate) async fn play(&self, match_id: MatchId, moves: Moves) -> u32 {
        let history = self.app.matches.history(match_id).await.expect("a history");
        let decision = history.open.first().expect("a question").asked.decision.clone();
        self.app.commands.record(&self.act(), match_id, &decision, &moves).await.expect("is recorded");
        let entries = self.app.matches.entries_since(match_id, history.head.next).await.expect("entries");
        entries.iter().find(|entry| entry.kind == Kind::Resolved).expect("a resolution").seq.0
    }

    /// The time in each entry, in microseconds.
    pub(crate) async fn clocks(&self, match_id: MatchId) -> BTreeMap<u32, i64> {
        let entries = self.app.matches.entries_since(match_id, Seq(0)).await.expect("entries");
        entries.iter().map(|entry| (entry.seq.0, entry.at.micros())).collect()
    }
}

/// The times when a node knew of the commits of a match, noted by a thread that does nothing else.
pub(crate) struct Commits(Arc<Mutex<Vec<(u32, i64)>>>);

impl Commits {
    pub(crate) fn of(site: &Site, match_id: MatchId) -> Self {
        let noted = Arc::new(Mutex::new(Vec::new()));
        let (list, mut news) = (noted.clone(), site.app.feed.news(match_id).expect("news"));
        std::thread::spawn(move || {
            let system = System::real();
            let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
            runtime.block_on(async {
                while news.changed().await.is_ok() {
                    let at = system.now().micros();
                    list.lock().expect("a list").push((news.borrow_and_update().0, at));
                }
            });
        });
        Self(noted)
    }

    /// The time when the entry was known to be durable, in microseconds.
    pub(crate) fn of_entry(&self, entry: u32) -> i64 {
        let noted = self.0.lock().expect("a list");
        noted.iter().find(|(next, _)| *next > entry).expect("a commit").1
    }
}

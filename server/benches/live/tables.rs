//! A running site, and live matches with players in their seats and clocks that all end at once.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use app::Scope;
use app::account::player::{SeatRef, follow, make_link};
use app::keys::Keys;
use app::system::System;
use app::umpire_act::OnHead;
use app::views::HeadJson;
use app::{Act, App, UmpireAct, slug};
use engine::{BySeat, Seat, Setup};
use ledger::{Author, DecisionId, Kind, MatchId, Moment, Seq};
use record::write::{Clocks, NewMatch, Pace};
use sqlx::postgres::PgPoolOptions;
use store::SubmitId;
use tempfile::TempDir;
use tokio::net::TcpListener;
use web::routes;

use crate::server::Database;

/// The time limit for closing a round.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) struct Site {
    pub(crate) app: Arc<App>,
    pub(crate) address: SocketAddr,
    _data: TempDir,
}

/// A seat, and the cookie and fields of its browser.
pub(crate) struct Place {
    pub(crate) decision: DecisionId,
    pub(crate) home: String,
    pub(crate) cookie: String,
}

/// A match with both of its players.
pub(crate) struct Table {
    match_id: MatchId,
    decision: DecisionId,
    pub(crate) places: [Place; 2],
}

/// The times of a decision's close.
pub(crate) struct Closed {
    /// The end of the time in which submissions count.
    pub(crate) row: Moment,
    /// The first entry of the close.
    pub(crate) sealed: Moment,
    /// The step.
    pub(crate) resolved: Moment,
    /// The number of answers that count.
    pub(crate) counted: usize,
}

impl Site {
    pub(crate) async fn start(database: &Database) -> Self {
        let data = tempfile::tempdir().expect("a folder");
        let serving = store::serving(database.options.clone());
        let pool = PgPoolOptions::new().max_connections(16).connect_lazy_with(serving);
        let system = System::seeded("a common deadline", "2026-11-20T20:00:00.000000Z".parse().expect("a moment"));
        let keys = Keys::open(data.path(), &system).expect("keys");
        let file = data.path().join("checkpoint");
        let app = Arc::new(App::open(pool, Arc::new(system), keys, None, file).await.expect("opens"));
        tokio::spawn(app.deadlines.clone().run());
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("listens");
        let address = listener.local_addr().expect("an address");
        let site = routes::app(app.clone());
        tokio::spawn(async move { drop(axum::serve(listener, site).await) });
        Self { app, address, _data: data }
    }

    /// Opens live matches and seats the players.
    pub(crate) async fn lay(self: &Arc<Self>, matches: usize) -> Vec<Table> {
        let mut laying = tokio::task::JoinSet::new();
        let mut tables = Vec::new();
        for _ in 0..matches {
            if laying.len() >= 32 {
                tables.extend(laying.join_next().await.map(|laid| laid.expect("a table")));
            }
            let site = self.clone();
            laying.spawn(async move { site.table().await });
        }
        tables.extend(laying.join_all().await);
        tables
    }

    async fn table(&self) -> Table {
        let setup =
            Setup { ruleset: "five-card-trick/dm-colosseum-2".to_owned(), dmo: Some(Seat::P2), ..Setup::default() };
        let (names, pace) =
            (BySeat { p1: "Ada".into(), p2: "Bo".into() }, Pace::Live { clocks: Clocks::Posted, early: false });
        let new = NewMatch { setup, names, pace, ..NewMatch::default() };
        let match_id = self.app.commands.open_match(Scope::Record, &self.act(), &new).await.expect("opens");
        let history = self.app.matches.history(match_id).await.expect("a history");
        let decision = history.open[0].asked.decision.clone();
        let mut places = Vec::new();
        for seat in Seat::BOTH {
            let (pool, system, slug) = (self.app.pool(), self.app.system(), slug(match_id));
            let link = make_link(pool, system, SeatRef { match_id, seat }).await.expect("a link");
            let (_, token) = follow(pool, system, &link).await.expect("a cookie");
            let cookie = format!("matchbook-play-{slug}-{seat}={}", token.reveal());
            places.push(Place { decision: decision.clone(), home: format!("/play/m/{slug}/{seat}"), cookie });
        }
        Table { match_id, decision, places: places.try_into().unwrap_or_else(|_| unreachable!("two seats")) }
    }

    /// Starts all clocks at one moment, and returns their common deadline.
    pub(crate) async fn starts(&self, tables: &[Table]) -> Moment {
        let mut deadline = None;
        for table in tables {
            let head = self.app.matches.history(table.match_id).await.expect("a history").head;
            let starts = UmpireAct::RunClocks(OnHead { head: HeadJson::of(head) });
            let history = self.app.commands.perform(&self.act(), table.match_id, &starts).await.expect("starts");
            let due = history.clock(&table.decision).and_then(record::Clock::deadline).expect("a deadline");
            assert_eq!(*deadline.get_or_insert(due), due, "the clock is paused meanwhile");
        }
        deadline.expect("a match")
    }

    /// Waits until every decision is closed, and returns the times.
    pub(crate) async fn closes(&self, tables: &[Table]) -> Vec<Closed> {
        let mut all = Vec::new();
        for table in tables {
            let closed = async {
                loop {
                    let history = self.app.matches.history(table.match_id).await.expect("a history");
                    if !history.steps.is_empty() {
                        break history;
                    }
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            };
            let history = tokio::time::timeout(PATIENCE, closed).await.expect("it closes");
            assert_eq!(history.steps.len(), 1, "once");
            let entries = self.app.matches.entries_since(table.match_id, Seq(0)).await.expect("entries");
            let of = |kind| entries.iter().find(|entry| entry.kind == kind).map(|entry| entry.at);
            let rows = self.app.submissions.received(table.match_id, &table.decision).await.expect("rows");
            let row = rows.iter().filter(|row| row.closes()).map(|row| row.at).max().expect("a row that closes");
            let resolved = of(Kind::Resolved).expect("a step");
            let sealed = of(Kind::Sealed).unwrap_or(resolved);
            all.push(Closed { row, sealed, resolved, counted: history.seals.len() });
        }
        all
    }

    pub(crate) fn form(&self) -> SubmitId {
        SubmitId(*self.app.system().uuid().as_bytes())
    }

    fn act(&self) -> Act {
        Act { by: "umpire:bench".parse::<Author>().expect("an umpire"), form: self.form() }
    }
}

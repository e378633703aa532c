//! A running site, and live matches with players in their seats.

use std::net::SocketAddr;
use std::sync::Arc;

use app::Scope;
use app::account::player::{SeatRef, follow, make_link};
use app::keys::Keys;
use app::system::System;
use app::{Act, App, LOG, slug};
use engine::{BySeat, Seat, Setup};
use ledger::{Author, DecisionId, MatchId};
use record::write::{Clocks, NewMatch, Pace};
use sqlx::postgres::PgPoolOptions;
use store::{Identity, Store, SubmitId};
use tempfile::TempDir;
use tokio::net::TcpListener;
use web::routes;

use crate::server::Database;

/// The submissions of a seat for its one decision: one, and 32 replacements.
pub(crate) const EACH: u64 = 33;
/// The highest expected rate per second.
const RATE_MAX: u64 = 16_000;
/// The decisions that close each second during the submissions.
pub(crate) const CLOSES: u64 = 20;

pub(crate) struct Site {
    pub(crate) app: Arc<App>,
    pub(crate) store: Store,
    pub(crate) address: SocketAddr,
    _data: TempDir,
}

/// A seat, and the cookie and fields of its browser.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) match_id: MatchId,
    pub(crate) decision: DecisionId,
    pub(crate) home: String,
    pub(crate) cookie: String,
}

/// The seats for one turn: those that submit, and pairs whose decisions close.
pub(crate) struct Chairs {
    pub(crate) submitting: Vec<Place>,
    pub(crate) closing: Vec<[Place; 2]>,
}

impl Site {
    pub(crate) async fn start(database: &Database) -> Self {
        let data = tempfile::tempdir().expect("a folder");
        let serving = store::serving(database.options.clone());
        let pool = PgPoolOptions::new().max_connections(16).connect_lazy_with(serving);
        let system = System::real();
        let keys = Keys::open(data.path(), &system).expect("keys");
        let origin = "localhost/matchbook-0123abcd".parse().expect("an origin");
        let identity = Identity { origin, host_key: keys.host_public(), created_at: system.now() };
        let store = Store::open(pool.clone(), LOG, &identity).await.expect("opens");
        let file = data.path().join("checkpoint");
        let app = App::open(pool, Arc::new(system), keys, None, file).await.expect("opens");
        let app = Arc::new(app);
        tokio::spawn(app.deadlines.clone().run());
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("listens");
        let address = listener.local_addr().expect("an address");
        let site = routes::app(app.clone());
        tokio::spawn(async move { drop(axum::serve(listener, site).await) });
        Self { app, store, address, _data: data }
    }

    /// Opens live matches and seats players, as many as a turn may need.
    pub(crate) async fn lay(self: &Arc<Self>, submitters: u32, seconds: u64) -> Chairs {
        let most = RATE_MAX.min(2_000 * u64::from(submitters)) * seconds / EACH / 2 + u64::from(submitters);
        let closing = CLOSES * seconds;
        let mut laying = tokio::task::JoinSet::new();
        let mut tables = Vec::new();
        for _ in 0..most + closing {
            if laying.len() >= 32 {
                tables.extend(laying.join_next().await.map(|laid| laid.expect("a table")));
            }
            let site = self.clone();
            laying.spawn(async move { site.table().await });
        }
        tables.extend(laying.join_all().await);
        let closing = tables.split_off(tables.len() - usize::try_from(closing).expect("a few"));
        Chairs { submitting: tables.into_iter().flatten().collect(), closing }
    }

    async fn table(&self) -> [Place; 2] {
        let setup =
            Setup { ruleset: "five-card-trick/dm-colosseum-2".to_owned(), dmo: Some(Seat::P2), ..Setup::default() };
        let (names, pace) =
            (BySeat { p1: "Ada".into(), p2: "Bo".into() }, Pace::Live { clocks: Clocks::Off, early: false });
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
            places.push(Place { match_id, decision: decision.clone(), home: format!("/play/m/{slug}/{seat}"), cookie });
        }
        places.try_into().unwrap_or_else(|_| unreachable!("two seats"))
    }

    pub(crate) fn act(&self) -> Act {
        let form = SubmitId(*self.app.system().uuid().as_bytes());
        Act { by: "umpire:bench".parse::<Author>().expect("an umpire"), form }
    }
}

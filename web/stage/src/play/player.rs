//! A player in a seat, known by a cookie for that seat only, so that one browser can hold several.

use std::sync::Arc;

use app::App;
use app::account::Token;
use app::account::player::{SeatAccess, SeatRef};
use app::receipts::SeatReceipt;
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use engine::Seat;
use record::History;
use serde::Deserialize;

use web_http::visitor::seat_cookie;
use web_http::{ErrorKind, Problem, is_https};

/// The days for which a browser keeps a seat.
const DAYS: u32 = 30;

#[derive(Debug)]
pub(super) struct Player {
    pub(super) app: Arc<App>,
    pub(super) chair: SeatRef,
    pub(super) access: SeatAccess,
    pub(super) slug: String,
    pub(super) history: Arc<History>,
}

#[derive(Deserialize)]
struct SeatPath {
    slug: String,
    seat: String,
}

/// The cookie of a seat: for the players' pages only, sent only from these pages, not readable by scripts, and
/// restricted to HTTPS if the browser came by HTTPS.
pub(super) fn cookie(slug: &str, seat: Seat, token: &Token, headers: &HeaderMap) -> Result<HeaderValue, Problem> {
    let secure = if is_https(headers) { "; Secure" } else { "" };
    let (name, seconds) = (seat_cookie(headers, slug, seat.word()), DAYS * 24 * 60 * 60);
    let cookie = format!("{name}={}; Max-Age={seconds}; Path=/play; HttpOnly; SameSite=Strict{secure}", token.reveal());
    let mut cookie = HeaderValue::try_from(cookie).map_err(|error| Problem::broken(&error))?;
    cookie.set_sensitive(true);
    Ok(cookie)
}

fn not_your_seat() -> Problem {
    let detail = "This seat is not open in this browser. Open the private link that you were given; if it does not work \
                  any more, ask the umpire for a new one.";
    Problem::of(ErrorKind::NotYourSeat, detail)
}

fn seat_revoked() -> Problem {
    let detail = "Your link is no longer valid: the umpire revoked it, or it was opened more than 30 days ago. Ask the \
                  umpire for a new one. What was received before still counts. If time is short, message your move to \
                  the umpire, who can enter it with the time of your message.";
    Problem::of(ErrorKind::SeatRevoked, detail)
}

impl FromRequestParts<Arc<App>> for Player {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let Path(path) = Path::<SeatPath>::from_request_parts(parts, app).await.map_err(|_| not_your_seat())?;
        let seat: Seat = path.seat.parse().map_err(|_| not_your_seat())?;
        let name = seat_cookie(&parts.headers, &path.slug, seat.word());
        let cookie = web_http::visitor::cookie(&parts.headers, &name).ok_or_else(not_your_seat)?;
        let seated = app.seats.seated(cookie).await?;
        // The cookie's name comes from the browser; its seat comes from the database.
        let is_here =
            |access: &SeatAccess| access.seat_ref.seat == seat && app::slug(access.seat_ref.match_id) == path.slug;
        let (access, head) = seated.filter(|(access, _)| is_here(access)).ok_or_else(seat_revoked)?;
        let chair = access.seat_ref;
        app.seats.note_here(chair);
        let history = app::with_retries(|| app.matches.history_at(chair.match_id, head)).await?;
        Ok(Self { app: app.clone(), chair, access, slug: path.slug, history })
    }
}

impl Player {
    pub(super) fn cookie(&self, headers: &HeaderMap) -> Result<Token, Problem> {
        let name = seat_cookie(headers, &self.slug, self.chair.seat.word());
        web_http::visitor::cookie(headers, &name).ok_or_else(not_your_seat)
    }

    pub(super) async fn receipts(&self) -> Result<Vec<SeatReceipt>, Problem> {
        Ok(self.access.shown(self.app.receipts.receipts(self.chair).await?))
    }
}

//! The limit of entries in the chains of registered players. Anybody may make one, and it stays for ever.

use app::App;
use app::account::{RateLimit, RateLimits};

use super::Peer;
use crate::Problem;

pub fn count_player_key(app: &App, limits: &RateLimits, peer: Peer) -> Result<(), Problem> {
    let counted = [
        (RateLimit::PlayerKey, peer.counted()),
        (RateLimit::PlayerKeyRange, peer.range()),
        (RateLimit::AllPlayerKeys, Vec::new()),
    ];
    for (limit, whose) in counted {
        limits.count(app.system(), limit, &whose).map_err(|many| Problem::too_many(many.retry_seconds))?;
    }
    Ok(())
}

//! The limit of rounds of the beacon that are handed in.

use app::App;
use app::account::{RateLimit, RateLimits};

use super::Peer;
use crate::Problem;

pub fn count_round(app: &App, limits: &RateLimits, peer: Peer) -> Result<(), Problem> {
    limits
        .count(app.system(), RateLimit::BeaconRound, &peer.counted())
        .map_err(|many| Problem::too_many(many.retry_seconds))
}

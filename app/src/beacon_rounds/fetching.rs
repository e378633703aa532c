//! Fetches rounds of the beacon over HTTP, from the addresses that the operator names. Nothing is believed that does not
//! prove itself.

use std::collections::BTreeMap;
use std::time::Duration;

use ledger::{MatchId, NetworkHash, Round, RoundSignature};
use record::verify::RoundCheck;
use serde::Deserialize;
use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval};

use super::{AwaitedRound, Rounds, is_signed};
use crate::error::AppError;
use crate::fetch::{Fetch, Limits};
use crate::scope::Scope;

const LOOK: Duration = Duration::from_secs(1);
const LIMITS: Limits = Limits { time: Duration::from_secs(5), bytes: 10_000 };

#[derive(Debug, Clone)]
pub struct BeaconSource {
    addresses: Vec<String>,
    fetch: Fetch,
}

#[derive(Deserialize)]
struct Published {
    signature: RoundSignature,
}

impl BeaconSource {
    #[must_use]
    pub fn new(addresses: &[String]) -> Self {
        let addresses = addresses.iter().map(|address| address.trim_end_matches('/').to_owned()).collect();
        Self { addresses, fetch: Fetch::new(LIMITS) }
    }

    async fn signature(&self, awaited: &AwaitedRound) -> Option<RoundSignature> {
        for address in &self.addresses {
            let address = format!("{address}/{}/public/{}", awaited.network.hash, awaited.round);
            match self.fetch.get(&address).await {
                Ok(fetched) => match serde_json::from_slice::<Published>(&fetched.body) {
                    Ok(published) if is_signature(awaited, published.signature).await => {
                        return Some(published.signature);
                    }
                    Ok(_) => tracing::warn!(address, "this is not the beacon's signature; the next one is asked"),
                    Err(error) => tracing::warn!(address, status = %fetched.status, %error, "no round of the beacon"),
                },
                Err(error) => tracing::warn!(address, %error, "the beacon cannot be asked; it is tried again"),
            }
        }
        None
    }
}

pub(super) async fn is_signature(awaited: &AwaitedRound, signature: RoundSignature) -> bool {
    let check = RoundCheck { network: awaited.network.clone(), round: awaited.round, signature };
    spawn_blocking(move || is_signed(&check)).await.unwrap_or(false)
}

impl Rounds {
    pub async fn run(self, source: BeaconSource) {
        let mut looks = interval(LOOK);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            looks.tick().await;
            if let Err(error) = self.fetch_due(&source).await {
                tracing::warn!(%error, "the matches that wait for the beacon could not be looked through");
            }
        }
    }

    async fn fetch_due(&self, source: &BeaconSource) -> Result<(), AppError> {
        let now = self.recorder.system.now();
        let mut due: BTreeMap<(NetworkHash, Round), (AwaitedRound, Vec<MatchId>)> = BTreeMap::new();
        let running = self.recorder.index.running(Scope::Record).await?;
        for (match_id, head) in self.recorder.logs.heads(&running).await? {
            let history = self.recorder.matches.history_at(match_id, head).await?;
            let Some(awaited) = self.awaited(&history).filter(|awaited| awaited.at <= now) else { continue };
            let key = (awaited.network.hash, awaited.round);
            due.entry(key).or_insert_with(|| (awaited, Vec::new())).1.push(match_id);
        }
        for (awaited, matches) in due.into_values() {
            let Some(signature) = source.signature(&awaited).await else { continue };
            for match_id in matches {
                if let Err(error) = self.hand_in(match_id, signature).await {
                    tracing::warn!(%match_id, round = %awaited.round, %error, "a round could not be entered");
                }
            }
        }
        Ok(())
    }
}

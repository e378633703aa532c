//! The beacon that draws wait for: its network, as this site knows it, and the tree that shows a round to be named in time.

use ledger::{MatchId, Moment, Network, NetworkHash, Note, Round, TreeSize};
use record::body::Tree;

use super::{CannotDraw, PublicLog};
use crate::cosigning::Cosigning;
use crate::error::AppError;
use crate::scope::Scope;

const LOOKED_THROUGH: i64 = 100;

impl PublicLog {
    /// The network of the beacon for new matches: the first that the site's policy names, or else quicknet.
    #[must_use]
    pub fn network(&self) -> Network {
        let named = self.cosigning().and_then(|cosigning| cosigning.policy().policy().networks().first());
        named.cloned().unwrap_or_else(Network::quicknet)
    }

    #[must_use]
    pub fn known_network(&self, hash: &NetworkHash) -> Option<Network> {
        let named = self.cosigning().and_then(|cosigning| cosigning.policy().policy().network(hash));
        named.cloned().or_else(|| Some(Network::quicknet()).filter(|quicknet| quicknet.hash == *hash))
    }

    pub const fn can_have_beacon(&self, scope: Scope, host_draws: bool) -> Result<(), CannotDraw> {
        match scope {
            Scope::Practice => Err(CannotDraw::Practice),
            Scope::Record if host_draws => Ok(()),
            Scope::Record => Err(CannotDraw::NoDraws),
        }
    }

    pub(crate) async fn show_in_time(&self, named: Tree, until: Moment) {
        let size = TreeSize(named.size);
        if let Ok(signed) = self.signer.covering(size).await {
            self.want(size, Some(&*signed), until);
        }
    }

    /// A signed tree of at least this size: the first that enough witnesses cosigned a second before the round, or else any.
    pub(crate) async fn seen_before(
        &self,
        match_id: MatchId,
        named: Tree,
        network: &Network,
        round: Round,
    ) -> Result<Tree, AppError> {
        let signed = self.signed(match_id, named).await?;
        let (Some(policy), Some(latest)) = (self.cosigning().map(Cosigning::policy), self.signer.latest()) else {
            return Ok(signed);
        };
        let store = self.logs.record();
        let log = self.signer.verifier(&latest.origin);
        for checkpoint in store.checkpoints_from(latest.term, TreeSize(named.size), LOOKED_THROUGH).await? {
            let lines = store.cosignatures(checkpoint.term, checkpoint.tree.size).await?;
            let note = lines.iter().fold(checkpoint.note, |note, cosignature| note + &cosignature.line + "\n");
            let status = note.parse::<Note>().ok().and_then(|note| policy.status(&note, &log).ok());
            let reached = status.and_then(|status| status.reached);
            if reached.is_some_and(|reached| reached.seconds() < network.second_of(round)) {
                return Ok(checkpoint.tree.into());
            }
        }
        Ok(signed)
    }
}

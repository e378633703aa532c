//! Rounds of a public randomness beacon: each draw waits for one that nobody can know when it is named. So whoever knows
//! every share cannot choose what is drawn.

use engine::{SplitMix64, To};
use ledger::{DrawIndex, DrawKey, Moment, NetworkHash, Round, RoundSignature, Seq, Tree};

use crate::history::History;

/// No game draws more often in a row.
const DRAWS_IN_A_ROW_MAX: usize = 64;

/// A round that the host named for draws.
#[derive(Clone, Debug)]
pub struct RoundRecord {
    /// The entry.
    pub entry: Seq,
    /// Its time.
    pub at: Moment,
    /// The numbers of the draws.
    pub indexes: Vec<DrawIndex>,
    /// The round.
    pub round: Round,
    /// Its signature, once it is there.
    pub signed: Option<RoundEntry>,
    /// The ruling by which its draws are made without it.
    pub waived: Option<Seq>,
    /// The first entry after it, beside its own draws, that changed what is drawn from.
    pub disturbed: Option<Seq>,
}

/// The entry of a round's signature.
#[derive(Clone, Debug)]
pub struct RoundEntry {
    /// The entry.
    pub entry: Seq,
    /// Its time.
    pub at: Moment,
    /// The signature.
    pub signature: RoundSignature,
    /// The tree that covers the naming of the round.
    pub tree: Tree,
}

impl History {
    /// The network of the beacon that the draws of this match wait for.
    #[must_use]
    pub fn beacon(&self) -> Option<NetworkHash> {
        self.opened.beacon.filter(|_| self.host_draws())
    }

    /// The round of a draw, once the host has named one.
    #[must_use]
    pub fn round_of(&self, index: DrawIndex) -> Option<&RoundRecord> {
        self.rounds.iter().find(|round| round.indexes.contains(&index))
    }

    /// The round that the match waits for: the host's next draw needs its signature.
    #[must_use]
    pub fn awaited_round(&self) -> Option<&RoundRecord> {
        self.beacon()?;
        let due = self.due_draw()?;
        self.round_of(due.index).filter(|round| round.signed.is_none() && round.waived.is_none())
    }

    /// True if the host has to name a round before its next draw.
    #[must_use]
    pub fn needs_round(&self) -> bool {
        self.beacon().is_some() && self.due_draw().is_some_and(|due| self.round_of(due.index).is_none())
    }

    /// True if a round was named for the next draw, and nothing is missing for it any more.
    #[must_use]
    pub fn has_round(&self) -> bool {
        let round = self.due_draw().filter(|_| self.beacon().is_some()).and_then(|due| self.round_of(due.index));
        round.is_some_and(|round| round.signed.is_some() || round.waived.is_some())
    }

    /// The key from which a draw is made: its own, or with a beacon the one that its round makes of it. None as long as the
    /// round is not there.
    #[must_use]
    pub(crate) fn drawing_key(&self, index: DrawIndex, key: &DrawKey) -> Option<DrawKey> {
        let Some(network) = self.beacon() else { return Some(key.clone()) };
        let round = self.round_of(index)?;
        match (&round.signed, round.waived) {
            (Some(signed), None) => Some(key.with_round(&network, round.round, &signed.signature)),
            (_, Some(_)) => Some(key.clone()),
            (None, None) => None,
        }
    }

    /// The numbers of the draws that come next in a row, whatever they give: one round serves them all.
    #[must_use]
    pub(crate) fn draws_in_a_row(&self) -> Vec<DrawIndex> {
        let mut indexes = Vec::new();
        let Some(first) = self.due_draw() else { return indexes };
        let (mut duel, purpose, mut ordinal) = (self.duel().clone(), first.ask.what, first.ordinal);
        // Any numbers will do: how many draws follow depends on none.
        let (mut numbers, mut drawn) = (SplitMix64(1), self.drawn_indexes());
        while indexes.len() < DRAWS_IN_A_ROW_MAX {
            let due = duel.asks().into_iter().any(|ask| ask.to == To::Host && ask.what == purpose);
            let index = self.next_index(&purpose, ordinal, &drawn, &duel);
            let index = index.filter(|index| due && self.round_of(*index).is_none());
            let Some((index, text)) = index.zip(duel.draw(&mut numbers)) else { break };
            indexes.push(index);
            drawn.push(index);
            ordinal = ordinal.saturating_add(1);
            if duel.play(&format!("host: {text}"), None).is_err() {
                break;
            }
        }
        indexes
    }
}

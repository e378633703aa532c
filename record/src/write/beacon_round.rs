//! Rounds of the beacon: naming one, entering its signature, and going on without it.
//!
//! A signed checkpoint must cover the naming before the round's time, with the witnesses' cosignatures: only then does the
//! record show that nobody knew the round. The caller leaves time for that.

use ledger::{Network, Round, RoundSignature};

use super::draw::key_batches;
use super::rule::ruling;
use super::{NewEntries, WriteContext, WriteError, check_replayed};
use crate::body::{Body, NamedRound, RulingEffect, SignedRound, Tree, purpose};
use crate::clock::later;
use crate::history::History;
use crate::private_openings::Secrets;

/// Names the round that the next draws wait for: the first whose time is not sooner than in `lead` seconds.
pub fn name_round(
    context: &WriteContext<'_>,
    history: &History,
    secrets: &Secrets,
    network: &Network,
    lead: std::time::Duration,
) -> Result<NewEntries, WriteError> {
    check_replayed(history)?;
    if history.beacon() != Some(network.hash) || !history.needs_round() {
        return Err(WriteError::NotNow("no draw waits for a round of this beacon to be named"));
    }
    let indexes = history.draws_in_a_row();
    let last = *indexes.last().ok_or(WriteError::NotNow("the host draws nothing now"))?;
    let record = history.seed_of(last).and_then(|at| history.seeds.get(at));
    let unmade = WriteError::NotNow("the players are asked for their shares first");
    let (record, fixed) = record.and_then(|record| Some((record, record.fixed.as_ref()?))).ok_or(unmade)?;
    let seed = history.seed(record, secrets).ok_or(WriteError::Missing("the host's own share is not here"))?;
    let mut drafts = key_batches(context, fixed, &seed, last.batch());
    let named = NamedRound {
        purpose: purpose::ROUND.to_owned(),
        ordinal: u32::try_from(history.rounds.len()).unwrap_or(u32::MAX),
        indexes: indexes.into_iter().map(|index| index.0).collect(),
        round: network.round_from(later(context.at.max(history.last_at), lead)),
    };
    drafts.push(context.host_draft(&Body::NamedRound(named)));
    Ok(NewEntries { drafts, ..NewEntries::default() })
}

/// Enters the signature of the round that the next draws wait for. Whoever calls has checked it.
pub fn sign_round(
    context: &WriteContext<'_>,
    history: &History,
    round: Round,
    signature: RoundSignature,
    tree: Tree,
) -> Result<NewEntries, WriteError> {
    let awaited = history.awaited_round().filter(|awaited| awaited.round == round);
    let awaited = awaited.ok_or(WriteError::NotNow("no draw waits for this round"))?;
    let before = history.rounds.iter().filter(|round| round.signed.is_some()).count();
    let signed = SignedRound {
        purpose: purpose::SIGNATURE.to_owned(),
        ordinal: u32::try_from(before).unwrap_or(u32::MAX),
        named: awaited.entry.0,
        signature,
        tree,
    };
    Ok(NewEntries { drafts: vec![context.host_draft(&Body::SignedRound(signed))], ..NewEntries::default() })
}

/// Makes the next draws without the round that they wait for.
pub fn go_on_without_round(
    context: &mut WriteContext<'_>,
    history: &History,
    clause: Option<&str>,
    text: &str,
) -> Result<NewEntries, WriteError> {
    if history.awaited_round().is_none() {
        return Err(WriteError::NotNow("no draw waits for a round of the beacon"));
    }
    ruling(context, history, clause, text, Some(RulingEffect::WithoutRound))
}

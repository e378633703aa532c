//! Entries of a player's chain.

use ledger::PlayerId;

use super::{NewEntries, WriteContext, WriteError};
use crate::body::Body;
use crate::player_chain::{PLAYER_ENTRIES_MAX, PlayerChain, PlayerFault};

/// Enters what a player has signed: the first key where there is no chain yet, else the next key or the end.
pub fn player(
    context: &WriteContext<'_>,
    chain: Option<&PlayerChain>,
    signed: &Body,
) -> Result<NewEntries, WriteError> {
    match chain {
        None => {
            PlayerChain::first(context.origin, PlayerId::of_chain(context.match_id), context.at, signed)?;
        }
        // The end of a chain is always taken.
        Some(chain) if chain.head.next.0 >= PLAYER_ENTRIES_MAX && !matches!(signed, Body::Revoked(_)) => {
            return Err(PlayerFault::TooLong.into());
        }
        Some(chain) => chain.clone().follow(context.at, signed)?,
    }
    Ok(NewEntries { drafts: vec![context.draft(signed)], ..NewEntries::default() })
}

//! The commands of umpires. Checks are in `record` and in parsed types, and not here; every command appends through the
//! [`Recorder`].

mod clocks;
mod draws;
mod late;
mod perform;
mod practice;
mod rounds;
mod withdrawals;

use std::sync::Arc;

use engine::BySeat;
use ledger::{Head, MatchId};
use record::body::DrawSource;
use record::write::{self, NewMatch};

pub use clocks::{Clock, ClockState, Extensions};
pub use late::{TypedMove, TypedOutcome};
pub use withdrawals::{WithdrawableText, WithdrawalOutcome};

use crate::act::Act;
use crate::error::AppError;
use crate::new_match::contents_of;
use crate::receipts::Receipts;
use crate::recorder::Recorder;
use crate::scope::Scope;
use crate::text::check_names;

pub type Moves = BySeat<Option<String>>;

#[derive(Debug)]
pub struct Commands {
    recorder: Arc<Recorder>,
    receipts: Arc<Receipts>,
}

impl Commands {
    pub(crate) const fn new(recorder: Arc<Recorder>, receipts: Arc<Receipts>) -> Self {
        Self { recorder, receipts }
    }

    pub async fn open_match(&self, scope: Scope, act: &Act, new: &NewMatch) -> Result<MatchId, AppError> {
        let match_id = self.recorder.id_of(scope, act);
        let submit = act.submit(&self.recorder.vault, &["open", &contents_of(new)]);
        if self.recorder.repeated(match_id, &submit).await? {
            // The host's first acts may have been cut short.
            self.recorder.settle(match_id).await?;
            return Ok(match_id);
        }
        check_names(&new.names, new.event.as_deref())?;
        if new.wait.is_some() {
            self.recorder.public_log.can_wait(scope)?;
        }
        if new.beacon.is_some() {
            self.recorder.public_log.can_have_beacon(scope, new.draws == Some(DrawSource::Host))?;
        }
        let new = NewMatch { host_key: self.recorder.vault.keys().host_public_text(), ..new.clone() };
        let place = (match_id, Head::GENESIS);
        let written =
            self.recorder.compose_repeatable(place, &act.by, Some(submit), |context| write::open(context, &new))?;
        self.recorder.append(match_id, Head::GENESIS, written, Some(submit)).await?;
        self.recorder.index.update(match_id).await?;
        self.recorder.host_acts(match_id, &act.by).await?;
        Ok(match_id)
    }
}

//! The commands of umpires. Checks are in `record` and in parsed types, and not here; every command appends through the
//! [`Recorder`].

mod clocks;
mod draws;
mod late;
mod practice;
mod rounds;
mod rulings;
mod withdrawals;

use std::sync::Arc;

use engine::{BySeat, Verdict};
use ledger::{Head, MatchId};
use record::History;
use record::body::DrawSource;
use record::write::{self, Amendment, NewMatch};

pub use clocks::{Clock, ClockState, Extensions};
pub use late::TypedOutcome;
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

    pub async fn rule(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        clause: Option<&str>,
        text: &str,
        verdict: Option<Verdict>,
    ) -> Result<Arc<History>, AppError> {
        let submit =
            act.submit(&self.recorder.vault, &["rule", clause.unwrap_or(""), text, verdict.map_or("", Verdict::word)]);
        self.recorder
            .act(act, match_id, seen, submit, |context, history, _| {
                write::rule(context, history, clause, text, verdict)
            })
            .await
    }

    pub async fn note(&self, act: &Act, match_id: MatchId, seen: Head, text: &str) -> Result<Arc<History>, AppError> {
        let submit = act.submit(&self.recorder.vault, &["note", text]);
        self.recorder.act(act, match_id, seen, submit, |context, history, _| write::note(context, history, text)).await
    }

    pub async fn strike(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        from: u32,
        reason: &str,
    ) -> Result<Arc<History>, AppError> {
        let submit = act.submit(&self.recorder.vault, &["strike", &from.to_string(), reason]);
        self.recorder
            .act(act, match_id, seen, submit, |context, history, secrets| {
                let plan = write::plan_strike(history, from)?;
                write::strike(context, history, &plan, reason, secrets)
            })
            .await
    }

    /// Corrects one step, and repeats the later ones as they were sent. The amendment has the move of each corrected seat, or
    /// the host's draw.
    pub async fn correct(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        step: u32,
        amended: Amendment<'_>,
        reason: &str,
    ) -> Result<Arc<History>, AppError> {
        let (moves, draw) = (amended.moves.map(|sent| sent.map(str::trim)), amended.draw.map(str::trim));
        // In the digest, an unchanged seat differs from one that is corrected to have sent nothing.
        let said = moves.map(|sent| sent.map_or_else(String::new, |sent| format!("={sent}")));
        let submit = act.submit(
            &self.recorder.vault,
            &["correct", &step.to_string(), &said.p1, &said.p2, draw.unwrap_or_default(), reason],
        );
        self.recorder
            .act(act, match_id, seen, submit, |context, history, secrets| {
                let plan = write::plan_correction(history, step, Amendment { moves, draw })?;
                write::strike(context, history, &plan, reason, secrets)
            })
            .await
    }

    pub async fn end(&self, act: &Act, match_id: MatchId, seen: Head) -> Result<Arc<History>, AppError> {
        let submit = act.submit(&self.recorder.vault, &["end"]);
        let now = self.recorder.matches.history(match_id).await?;
        let replaced = self.receipts.unentered(&now).await?;
        let ended = self
            .recorder
            .act(act, match_id, seen, submit, |context, history, secrets| {
                write::end(context, history, secrets, replaced.clone())
            })
            .await?;
        // Everything is public now. A crash before this leaves ciphertexts of public values until the next start.
        self.recorder.logs.store(match_id).forget_escrow(match_id).await?;
        Ok(ended)
    }
}

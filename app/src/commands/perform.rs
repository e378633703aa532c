//! The one way in which an act of an umpire on a match is performed, whoever parsed it.

use std::sync::Arc;
use std::time::Duration;

use ledger::{MatchId, Seq};
use record::body::ReplacedSubmission;
use record::write::{self, NewEntries, WriteContext, WriteError};
use record::{History, Secrets};

use super::Commands;
use crate::account;
use crate::act::Act;
use crate::beacon_rounds::LEAD_SECONDS;
use crate::error::AppError;
use crate::recorder::Whose;
use crate::umpire_act::{DrawLine, UmpireAct, Words};

impl Commands {
    /// Performs an act. A dry run changes nothing, and is refused as the act would be.
    pub async fn perform(&self, by: &Act, match_id: MatchId, act: &UmpireAct) -> Result<Arc<History>, AppError> {
        let recorder = &self.recorder;
        let history = recorder.matches.history(match_id).await?;
        let words = act.check(history.ruleset())?;
        if act.is_dry_run() {
            return Ok(act.plan(&history).transpose().map(|_| history)?);
        }
        self.check_names(match_id, act).await?;
        let contents = act.contents(words);
        let submit = by.submit(&recorder.vault, &contents.iter().map(String::as_str).collect::<Vec<_>>());
        let replaced = match act {
            UmpireAct::End(_) => self.receipts.unentered(&history).await?,
            _ => Vec::new(),
        };
        let write = |context: &mut WriteContext<'_>, history: &History, secrets: &Secrets| {
            self.written(act, words, replaced.clone(), context, history, secrets)
        };
        if let UmpireAct::Draw(line) = act {
            return self.draw(by, match_id, (submit, line), write).await;
        }
        let whose = match act {
            UmpireAct::Hand(_) if act.takes_over(&by.by) => Whose::Anybodys,
            UmpireAct::Hand(_) => Whose::Umpires,
            _ => Whose::Own,
        };
        let done = recorder.act_in((match_id, whose), by, act.head(), submit, write).await?;
        match act {
            // Decisions that close with the first answer may have been answered during the pause.
            UmpireAct::RunClocks(_) => recorder.close_answered(&done),
            // A crash before this leaves a ruling without its answer. The next act stores it, whatever it is.
            UmpireAct::Admit(_) => recorder.admit_late(&done).await?,
            // Everything is public now. A crash before this leaves ciphertexts of public values until the next start.
            UmpireAct::End(_) => recorder.logs.store(match_id).forget_escrow(match_id).await?,
            _ => {}
        }
        Ok(done)
    }

    /// Checks what an act names outside the record: a late move, an umpire.
    async fn check_names(&self, match_id: MatchId, act: &UmpireAct) -> Result<(), AppError> {
        let recorder = &self.recorder;
        match act {
            UmpireAct::Admit(late) => {
                let kept = recorder.late_inputs(match_id, &late.decision).await?;
                let is_kept = kept.iter().any(|kept| kept.seat == late.seat.into());
                if is_kept { Ok(()) } else { Err(WriteError::NotNow("nothing late is kept for this seat").into()) }
            }
            UmpireAct::Hand(succession) => {
                let umpires = account::active_umpires(recorder.logs.pool(), &recorder.system).await;
                let umpires = umpires.map_err(AppError::from_account)?;
                let is_known = umpires.iter().any(|umpire| umpire.id == succession.to.as_str());
                let unknown = "say whose match it becomes: there is no such umpire here";
                if is_known { Ok(()) } else { Err(WriteError::Missing(unknown).into()) }
            }
            _ => Ok(()),
        }
    }

    /// The draw with its key, or in a match with a beacon the name of the round that it waits for: then it is made by itself.
    fn draw_by_key(
        &self,
        context: &mut WriteContext<'_>,
        history: &History,
        secrets: &Secrets,
    ) -> Result<NewEntries, WriteError> {
        let Some(hash) = history.beacon().filter(|_| history.needs_round()) else {
            return write::draw_by_key(context, history, secrets);
        };
        let unknown = WriteError::Missing("this site does not know the beacon of this match");
        let network = self.recorder.public_log.known_network(&hash).ok_or(unknown)?;
        write::name_round(context, history, secrets, &network, Duration::from_secs(LEAD_SECONDS))
    }

    fn written(
        &self,
        act: &UmpireAct,
        words: Words<'_>,
        replaced: Vec<ReplacedSubmission>,
        context: &mut WriteContext<'_>,
        history: &History,
        secrets: &Secrets,
    ) -> Result<NewEntries, WriteError> {
        let (clause, text) = (words.rule(), words.text());
        match act {
            UmpireAct::RunClocks(_) => write::run_clocks(context, history),
            UmpireAct::PauseClocks(_) => write::pause_clocks(context, history, text),
            UmpireAct::ExtendClock(more) => write::extend_clock(context, history, &more.decision, more.seconds, text),
            UmpireAct::Announce(word) => write::announce(context, history, &word.line(), secrets),
            UmpireAct::Draw(DrawLine { text: Some(text), .. }) => write::draw(context, history, text, secrets),
            UmpireAct::Draw(DrawLine { text: None, .. }) => self.draw_by_key(context, history, secrets),
            UmpireAct::DrawWithoutRound(_) => write::go_on_without_round(context, history, clause, text),
            UmpireAct::BeginShares(_) => write::begin_shares(context, history, clause, text),
            UmpireAct::Rule(ruling) => write::rule(context, history, clause, text, ruling.result.map(Into::into)),
            UmpireAct::Note(_) => write::note(context, history, text),
            UmpireAct::Warn(warning) => write::warn(context, history, warning.seat.into(), clause, text),
            UmpireAct::Admit(late) => write::admit(context, history, &late.decision, late.seat.into(), clause, text),
            UmpireAct::AnswerObjection(answer) => write::answer(context, history, Seq(answer.objection), clause, text),
            UmpireAct::GoOnRecorded(_) => write::go_on_recorded(context, history, clause, text),
            UmpireAct::Hand(succession) => write::hand(context, history, &succession.to, text),
            UmpireAct::Strike(_) | UmpireAct::Correct(_) => {
                let plan = act.plan(history).unwrap_or(Err(WriteError::NotNow("there is no such step")))?;
                write::strike(context, history, &plan, text, secrets)
            }
            UmpireAct::End(_) => write::end(context, history, secrets, replaced),
        }
    }
}

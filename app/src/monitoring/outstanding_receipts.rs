//! The receipts that the host has given and not yet kept: acknowledged submissions that are in no entry yet.

use store::Outstanding;

use super::Monitor;
use crate::due::awaited_openings;
use crate::error::AppError;
use crate::scope::Scope;

impl Monitor {
    pub(super) async fn outstanding(&self) -> Result<Outstanding, AppError> {
        let app = &self.app;
        let running = app.index.running_live(Scope::Record).await?;
        let mut decisions = Vec::new();
        for (match_id, head) in app.logs.heads(&running).await? {
            let history = app.matches.history_at(match_id, head).await?;
            let unsealed = history.open.iter().filter(|open| open.sealed.is_empty());
            decisions.extend(unsealed.map(|open| (match_id, open.asked.decision.clone())));
            decisions.extend(awaited_openings(&history).map(|(name, _)| (match_id, name)));
        }
        Ok(app.logs.record().outstanding(&decisions).await?)
    }
}

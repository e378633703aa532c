//! A command with everything needed to answer it: the user, the time by Discord's clock, and the match.

use std::sync::Arc;

use app::account::player::SeatAccess;
use app::account::{Snowflake, Umpire, chat};
use app::discord;
use app::{Act, App, by_umpire, form_of, slug};
use ledger::{MatchId, Moment};
use record::History;
use store::SubmitId;

use super::Discord;
use super::interaction::{Interaction, Object, User};
use super::refusal::Refusal;

#[derive(Debug)]
pub(super) struct CommandContext {
    pub(super) app: Arc<App>,
    pub(super) discord: Arc<Discord>,
    pub(super) interaction: Object<Interaction>,
    pub(super) site: String,
    pub(super) arrived: Moment,
}

impl CommandContext {
    pub(super) fn user(&self) -> Result<&User, Refusal> {
        self.interaction.user().ok_or(Refusal::Incomplete)
    }

    /// The time when it was given, by Discord's own clock, which its id contains; never after its arrival.
    pub(super) fn sent(&self) -> Moment {
        self.interaction.id.at().min(self.arrived)
    }

    /// The id of its act: the same command acts once, however often it is delivered.
    pub(super) fn form(&self) -> SubmitId {
        form_of(&["discord", &self.interaction.id.to_string()])
    }

    pub(super) async fn umpire(&self) -> Result<Umpire, Refusal> {
        chat::umpire_of(self.app.pool(), self.user()?.id).await?.ok_or(Refusal::NotAnUmpire)
    }

    pub(super) async fn act(&self) -> Result<Act, Refusal> {
        Ok(Act { by: by_umpire(&self.umpire().await?.id), form: self.form() })
    }

    pub(super) fn match_link(&self, match_id: MatchId) -> String {
        format!("<{}/m/{}>", self.site, slug(match_id))
    }

    pub(super) fn console_link(&self, match_id: MatchId) -> String {
        format!("<{}/umpire/m/{}>", self.site, slug(match_id))
    }

    pub(super) fn place(&self) -> Result<(Snowflake, Option<Snowflake>), Refusal> {
        self.interaction.place().ok_or(Refusal::Incomplete)
    }

    async fn here(&self) -> Result<Option<MatchId>, Refusal> {
        match self.interaction.place() {
            Some((channel, _)) => Ok(discord::followed_match(self.app.pool(), channel).await?),
            None => Ok(None),
        }
    }

    pub(super) async fn named_or_here(&self) -> Result<MatchId, Refusal> {
        match self.interaction.text("match") {
            Some(slug) => Ok(self.app.matches.recorded_match_of(slug.rsplit('/').next().unwrap_or(slug)).await?),
            None => self.here().await?.ok_or(Refusal::NoMatchHere),
        }
    }

    /// The access of an account to the seat that it plays: in the match that is named, or else in the channel's match, or else in the
    /// account's only match.
    pub(super) async fn access(&self, user: Snowflake) -> Result<SeatAccess, Refusal> {
        let pool = self.app.pool();
        if self.interaction.text("match").is_some() {
            let match_id = self.named_or_here().await?;
            return chat::access_in(pool, user, match_id).await?.ok_or(Refusal::NotSeated);
        }
        if let Some(match_id) = self.here().await?
            && let Some(access) = chat::access_in(pool, user, match_id).await?
        {
            return Ok(access);
        }
        match chat::seats(pool, user).await?.as_slice() {
            [] => Err(Refusal::NotSeated),
            [one] => Ok(*one),
            _ => Err(Refusal::Several),
        }
    }

    pub(super) async fn live(&self, match_id: MatchId) -> Result<Arc<History>, Refusal> {
        let history = self.app.recorder.settle(match_id).await?;
        if history.is_live() { Ok(history) } else { Err(Refusal::NotLive) }
    }

    pub(super) async fn own_live(&self, match_id: MatchId) -> Result<Arc<History>, Refusal> {
        let history = self.live(match_id).await?;
        self.app.umpires.check(&history, &by_umpire(&self.umpire().await?.id)).await?;
        Ok(history)
    }
}

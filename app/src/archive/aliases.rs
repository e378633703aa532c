//! Names that an umpire joined, because one player wrote both, and parts again. The record keeps every name as it was
//! written; only lists and the pages of players follow.

use record::name_key;
use store::PgPool;
use store::archive::aliases;
use store::matches::planned;

pub use store::archive::aliases::{AliasAct, NewAliasAct};

use super::{Archive, Filter, Index, Score};
use crate::account::{Role, Umpire};
use crate::error::AppError;
use crate::scope::LOG;

const ACTS: i64 = 50;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JoinRefusal {
    Unknown,
    Same,
    Met(i64),
    NotYours,
}

impl Archive {
    pub async fn player_key(&self, key: &str) -> Result<String, AppError> {
        let player = aliases::player_of(&self.serving, LOG, key).await?;
        Ok(player.unwrap_or_else(|| key.to_owned()))
    }

    pub async fn aliases(&self, player_key: &str) -> Result<Vec<String>, AppError> {
        Ok(aliases::of_player(&self.serving, LOG, player_key).await?)
    }

    pub async fn alias_acts(&self, player_key: &str) -> Result<Vec<AliasAct>, AppError> {
        Ok(aliases::acts(&self.serving, LOG, player_key, ACTS).await?)
    }

    pub async fn may_join(&self, umpire: &Umpire, keys: &[&str]) -> Result<bool, AppError> {
        for key in keys.iter().filter(|_| umpire.role != Role::Admin) {
            let (player, umpire) = (Some((*key).to_owned()), Some(umpire.id.clone()));
            if self.walk(&Filter { player, umpire, ..Filter::default() }, None).await?.0.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub async fn join_names(
        &self,
        umpire: &Umpire,
        key: &str,
        player_key: &str,
        act: &NewAliasAct<'_>,
    ) -> Result<Result<(), JoinRefusal>, AppError> {
        let (key, player_key) = (self.player_key(key).await?, self.player_key(player_key).await?);
        if key == player_key {
            return Ok(Err(JoinRefusal::Same));
        }
        for known in [&key, &player_key] {
            if self.player_name(known).await?.is_none() {
                return Ok(Err(JoinRefusal::Unknown));
            }
        }
        if !self.may_join(umpire, &[&key, &player_key]).await? {
            return Ok(Err(JoinRefusal::NotYours));
        }
        let met = Score::of(&self.tallies(&key, Some(&player_key)).await?).all();
        if met > 0 {
            return Ok(Err(JoinRefusal::Met(met)));
        }
        aliases::join(&self.serving, LOG, &key, &player_key, act).await?;
        Ok(Ok(()))
    }

    pub async fn part_name(&self, key: &str, act: &NewAliasAct<'_>) -> Result<(), AppError> {
        part(&self.serving, key, Some(act)).await
    }
}

impl Index {
    pub(crate) async fn forget_name(&self, key: &str) -> Result<(), AppError> {
        let pool = self.logs.pool();
        let player_key = aliases::player_of(pool, LOG, key).await?;
        let written = aliases::written_names(pool, LOG, player_key.as_deref().unwrap_or(key)).await?;
        if written.iter().any(|name| name_key(name) == key) {
            return Ok(());
        }
        let joined = aliases::of_player(pool, LOG, key).await?;
        for alias in joined.iter().map(String::as_str).chain([key]) {
            part(pool, alias, None).await?;
        }
        aliases::forget_acts(pool, LOG, key).await?;
        for plan in planned::all(pool, LOG).await? {
            if [&plan.p1, &plan.p2].into_iter().any(|name| name_key(name) == key) {
                planned::drop(pool, plan.id()).await?;
            }
        }
        Ok(())
    }
}

async fn part(pool: &PgPool, key: &str, act: Option<&NewAliasAct<'_>>) -> Result<(), AppError> {
    Ok(aliases::part(pool, LOG, key, act, |name| name_key(name) == key).await?)
}

//! The tournaments in the archive.

use store::archive::events;
use store::archive::names::{KeyRange, NameKind};

pub use store::archive::events::{EventRow, EventRuleset, Standing};

use super::Archive;
use crate::error::AppError;
use crate::scope::LOG;

const STANDINGS: i64 = 200;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventPage {
    pub event: EventRow,
    pub standings: Vec<Standing>,
    pub rulesets: Vec<EventRuleset>,
}

impl Archive {
    pub async fn events(&self, range: &KeyRange<'_>) -> Result<(Vec<EventRow>, bool), AppError> {
        let (keys, more) = self.keys(NameKind::Event, range).await?;
        Ok((events::list(&self.reading, LOG, &keys).await?, more))
    }

    pub async fn event(&self, key: &str) -> Result<Option<EventPage>, AppError> {
        let pool = &self.reading;
        let Some(event) = events::list(pool, LOG, &[key.to_owned()]).await?.pop() else { return Ok(None) };
        let standings = events::standings(pool, LOG, key, STANDINGS).await?;
        let rulesets = events::rulesets(pool, LOG, key).await?;
        Ok(Some(EventPage { event, standings, rulesets }))
    }
}

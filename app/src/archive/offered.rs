//! What the form of a filter offers, read once for each state of the lists: it is the same for every filter.

use std::sync::{Arc, PoisonError};

use super::{Archive, ArchiveVersion};
use crate::error::AppError;
use crate::scope::LOG;
use crate::umpires::UmpireNames;

/// Umpires that are offered.
const UMPIRES: i64 = 100;
/// Ways of ending that are offered; the rules know about 30.
const ENDINGS: i64 = 100;

/// Matches whose tags are looked at, the newest that have some.
const TAGGED: i64 = 500;
/// Tags that are offered, the most frequent of these.
const TAGS: i64 = 50;

/// Names and words that matches of the archive have.
#[derive(Debug, Default)]
pub struct Offered {
    /// Players by name; none where there are more than fit on a page: a list of thousands suggests nothing.
    pub players: Vec<String>,
    /// Tournaments, in the same way.
    pub events: Vec<String>,
    /// Umpires, by pseudonym.
    pub umpires: Vec<String>,
    /// The names under which umpires want to be known.
    pub umpire_names: Arc<UmpireNames>,
    /// The ways in which matches ended, as words of the notation.
    pub endings: Vec<String>,
    /// Tags, and names of tags, as they are looked for.
    pub tags: Vec<String>,
}

/// What was offered last, and where the lists stood then.
pub(crate) type LastOffered = Option<(ArchiveVersion, Arc<Offered>)>;

impl Archive {
    /// What the form of a filter offers, as the lists stood when somebody asked for their version last.
    ///
    /// # Errors
    /// The database.
    pub async fn offered(&self) -> Result<Arc<Offered>, AppError> {
        // From before it is read, so that what is read is at least as new.
        let version = self.known_archive_version().await?;
        let last = self.offered.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, offered)) = last.filter(|(at, _)| *at == version) {
            return Ok(offered);
        }
        let players = match self.player_keys("", None, None).await? {
            (_, true) => Vec::new(),
            (keys, false) => self.names_of_players(&keys).await?,
        };
        let events = match self.event_keys(None, None).await? {
            (_, true) => Vec::new(),
            (keys, false) => self.names_of_events(&keys).await?,
        };
        let (umpires, endings) = (self.known_umpires().await?, self.known_endings().await?);
        let umpire_names = self.umpires.learn_names().await?;
        let tags = self.known_tags().await?;
        let offered = Arc::new(Offered { players, events, umpires, umpire_names, endings, tags });
        *self.offered.lock().unwrap_or_else(PoisonError::into_inner) = Some((version, offered.clone()));
        Ok(offered)
    }

    async fn known_umpires(&self) -> Result<Vec<String>, AppError> {
        let umpires = sqlx::query_scalar!(
            "with recursive umpires as ( \
                 (select umpire from archive where log_id = $1 order by umpire limit 1) \
                 union all select (select a.umpire from archive as a where a.log_id = $1 and a.umpire > umpires.umpire \
                     order by a.umpire limit 1) from umpires where umpires.umpire is not null \
             ) select umpire as \"umpire!\" from umpires where umpire is not null limit $2",
            LOG.0,
            UMPIRES
        );
        Ok(umpires.fetch_all(self.logs.reading_pool()).await?)
    }

    async fn known_tags(&self) -> Result<Vec<String>, AppError> {
        let tags = sqlx::query_scalar!(
            "select tag as \"tag!\" from (\
                 select tag from (select tags from archive where log_id = $1 and tags <> '{}' \
                     order by played_at desc, match_id desc limit $2) as newest, unnest(newest.tags) as tag \
                 group by tag order by count(*) desc, tag limit $3\
             ) as frequent order by tag collate \"C\"",
            LOG.0,
            TAGGED,
            TAGS
        );
        Ok(tags.fetch_all(self.logs.reading_pool()).await?)
    }

    async fn known_endings(&self) -> Result<Vec<String>, AppError> {
        let endings = sqlx::query_scalar!(
            "with recursive reasons as ( \
                 (select reason from archive where log_id = $1 and reason > '' order by reason limit 1) \
                 union all select (select a.reason from archive as a where a.log_id = $1 and a.reason > reasons.reason \
                     order by a.reason limit 1) from reasons where reasons.reason is not null \
             ) select reason as \"reason!\" from reasons where reason is not null limit $2",
            LOG.0,
            ENDINGS
        );
        Ok(endings.fetch_all(self.logs.reading_pool()).await?)
    }
}

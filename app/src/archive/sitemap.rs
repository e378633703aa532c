//! The addresses of all matches, for search engines.

use chrono::{DateTime, Utc};
use store::archive::sitemap;
use uuid::Uuid;

use super::Archive;
use crate::error::AppError;
use crate::scope::LOG;

/// The most addresses in a file (sitemaps.org).
const PART: i64 = 50_000;

impl Archive {
    pub async fn sitemap_starts(&self) -> Result<Vec<Uuid>, AppError> {
        Ok(sitemap::starts(&self.reading, LOG, PART).await?)
    }

    pub async fn sitemap_part(&self, start: Uuid) -> Result<Vec<(String, DateTime<Utc>)>, AppError> {
        Ok(sitemap::part(&self.reading, LOG, start, PART).await?)
    }
}

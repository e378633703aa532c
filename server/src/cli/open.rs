//! Opens the app for a command.

use std::sync::Arc;

use anyhow::Context;
use app::keys::Keys;
use app::system::System;
use app::{App, LOG};
use ledger::Origin;
use store::Store;
use store::database::Database;

use super::DatabasePlace;

/// The app, and its database.
pub(super) struct OpenApp {
    pub(super) app: Arc<App>,
    database: Database,
}

impl OpenApp {
    /// Opens the database, brings it to this version's schema, and opens the app.
    pub(super) async fn open(place: &DatabasePlace, origin: Option<Origin>) -> anyhow::Result<Self> {
        let open_app = Self::open_held(place, origin).await?;
        open_app.app.signer().release();
        Ok(open_app)
    }

    /// The same, but nothing new is signed until the signer is released.
    pub(super) async fn open_held(place: &DatabasePlace, origin: Option<Origin>) -> anyhow::Result<Self> {
        let (database, system, keys) = opened(place).await?;
        let (pool, file) = (database.serving().clone(), place.checkpoint_file()?);
        let app = App::open_held(pool, Arc::new(system), keys, origin, file).await.context("cannot open the record")?;
        Ok(Self { app: Arc::new(app), database })
    }

    /// The same for a command about accounts, which adds nothing to the log: it signs nothing, and does not look for the
    /// checkpoint file, which may be where only the site's own unit knows.
    pub(super) async fn open_idle(place: &DatabasePlace) -> anyhow::Result<Self> {
        let (database, system, keys) = opened(place).await?;
        let (pool, file) = (database.serving().clone(), place.checkpoint_file()?);
        let app = App::open_idle(pool, Arc::new(system), keys, file).await.context("cannot open the record")?;
        Ok(Self { app: Arc::new(app), database })
    }

    /// Closes the database.
    pub(super) async fn close(self) -> anyhow::Result<()> {
        drop(self.app);
        self.database.close().await?;
        Ok(())
    }
}

/// The migrated database, and the keys of its log.
async fn opened(place: &DatabasePlace) -> anyhow::Result<(Database, System, Keys)> {
    let data = place.data()?;
    let database = Database::open(&place.choice()?).await?;
    database.migrate().await?;
    let system = System::real();
    // Keys are made with the log. A log that is there already was written with others, which nothing replaces.
    let keys = match Store::existing(database.serving().clone(), LOG).await? {
        Some(_) => Keys::existing(&data)?,
        None => Keys::open(&data, &system)?,
    };
    Ok((database, system, keys))
}

//! Opens the app for a command.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use app::keys::Keys;
use app::log_key::LogSigner;
use app::system::System;
use app::{App, AppError, LOG};
use ledger::Origin;
use store::database::Database;
use store::{PgPool, Store};

use super::DatabasePlace;

pub(super) struct OpenApp {
    pub(super) app: Arc<App>,
    database: Database,
}

impl OpenApp {
    pub(super) async fn open(place: &DatabasePlace, origin: Option<Origin>) -> anyhow::Result<Self> {
        let open_app = Self::open_held(place, origin, None).await?;
        open_app.app.signer().release();
        Ok(open_app)
    }

    /// As `open`, but nothing new is signed until the signer is released. A new log has its key behind the command, if one is
    /// named.
    pub(super) async fn open_held(
        place: &DatabasePlace,
        origin: Option<Origin>,
        log_signer: Option<&str>,
    ) -> anyhow::Result<Self> {
        Self::open_with(place, log_signer, async |pool, keys, file| {
            App::open_held(pool, Arc::new(System::real()), keys, origin, file).await
        })
        .await
    }

    /// The same for a command about accounts, which adds nothing to the log: it signs nothing, and does not look for the
    /// checkpoint file.
    pub(super) async fn open_idle(place: &DatabasePlace) -> anyhow::Result<Self> {
        Self::open_with(place, None, async |pool, keys, file| {
            App::open_idle(pool, Arc::new(System::real()), keys, file).await
        })
        .await
    }

    /// Opens the app on the migrated database. If it cannot be opened, a private server stops in good order all the same.
    async fn open_with(
        place: &DatabasePlace,
        log_signer: Option<&str>,
        open: impl AsyncFnOnce(PgPool, Keys, PathBuf) -> Result<App, AppError>,
    ) -> anyhow::Result<Self> {
        let database = Database::open(&place.choice()?).await?;
        let opened: anyhow::Result<App> = async {
            let keys = keys(&database, place, log_signer).await?;
            let app = open(database.serving().clone(), keys, place.checkpoint_file()?).await;
            app.context("cannot open the record")
        }
        .await;
        match opened {
            Ok(app) => Ok(Self { app: Arc::new(app), database }),
            Err(error) => {
                database.close().await?;
                Err(error)
            }
        }
    }

    pub(super) async fn close(self) -> anyhow::Result<()> {
        drop(self.app);
        self.database.close().await?;
        Ok(())
    }
}

async fn keys(database: &Database, place: &DatabasePlace, log_signer: Option<&str>) -> anyhow::Result<Keys> {
    database.migrate().await?;
    if let Some(command) = log_signer {
        Keys::sign_by(&place.data()?, 1, &LogSigner::ask(command).await.context("no public key of --log-signer")?)?;
    }
    // Keys are made with the log. A log that is there already was written with others, which nothing replaces.
    Ok(match Store::existing(database.serving().clone(), LOG).await? {
        Some(_) => Keys::existing(&place.data()?)?,
        None => Keys::open(&place.data()?, &System::real())?,
    })
}

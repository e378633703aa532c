//! `matchbook log renew-escrow-key`: another escrow key, where the one before is lost for good.

use anyhow::bail;
use app::keys::{Keys, KeysError};
use app::system::System;
use app::{AppError, LOG, check_keys};
use clap::Args;
use sqlx::ConnectOptions;
use store::database::Database;
use store::{Store, renew_escrow_key};

use super::DatabasePlace;

/// Go on with another escrow key, when the one before is lost for good.
///
/// keys/escrow.key opens moves that are not public yet. Without it nobody can open them any more, and the umpires of their
/// matches have to rule. If there is a copy of the file anywhere, put that back instead. Stop all nodes first.
///
/// Without --yes it only says what is lost.
#[derive(Debug, Args)]
pub(crate) struct RenewEscrowKey {
    /// Do it.
    #[arg(long)]
    yes: bool,
}

impl RenewEscrowKey {
    pub(super) async fn run(&self, place: &DatabasePlace, database: &Database, store: &Store) -> anyhow::Result<()> {
        let (data, system) = (place.data()?, System::real());
        let now = system.now();
        match Keys::existing(&data) {
            Ok(mut keys) => match check_keys(store, &mut keys, now).await {
                Ok(()) => bail!("keys/escrow.key is the key of this database: nothing is lost"),
                Err(AppError::EscrowKey) => {}
                Err(error) => return Err(error.into()),
            },
            Err(KeysError::Missing { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        let matches = store.matches_in_escrow().await?.len();
        say!(
            "{matches} running matches have moves under the lost key. Those that are not public yet stay sealed for good,"
        )?;
        say!("and the umpires have to rule. Webhooks and channels at Discord have to be added again.")?;
        if !self.yes {
            say!("Nothing was changed. To do it, stop all nodes: matchbook log renew-escrow-key --yes")?;
            return Ok(());
        }
        // A crash behind this leaves a file that the database does not know: the same again makes it known.
        let mut keys = Keys::with_new_escrow(&data, &system)?;
        match check_keys(store, &mut keys, now).await {
            Ok(()) | Err(AppError::EscrowKey) => {}
            Err(error) => return Err(error.into()),
        }
        let mut owner = database.owner().connect().await?;
        renew_escrow_key(&mut owner, LOG, keys.escrow_check(), now).await?;
        say!("Done: keys/escrow.key is the key of this database now.")?;
        say!("Copy it to the other nodes, and to where you keep a copy of keys/.")?;
        Ok(())
    }
}

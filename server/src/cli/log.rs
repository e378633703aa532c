//! `matchbook log`: the log's key, a succession for a log that can no longer be signed, and a lost escrow key.

use std::process::ExitCode;

use anyhow::{Context, bail};
use app::keys::Keys;
use app::signing::{Plan, plan};
use app::system::System;
use app::{LOG, check_keys};
use clap::{Args, Subcommand};
use ledger::KeyName;
use sqlx::ConnectOptions;
use store::database::Database;
use store::{Store, succeed};

use super::DatabasePlace;
use super::escrow_key::RenewEscrowKey;

/// The log as others follow it.
#[derive(Debug, Subcommand)]
pub(crate) enum Log {
    /// Print the log's verifier key, for witnesses, policies and whoever follows the log.
    Key,
    Succeed(Succeed),
    RenewEscrowKey(RenewEscrowKey),
}

/// Go on under a new origin, when the log cannot be signed any more.
///
/// A log that signed entries which are gone (an older backup was restored, a failover lost commits) must not sign others in
/// their place: whoever holds an old checkpoint would be shown two histories. If the database with those entries still
/// exists, use it. If not, this starts a new origin: its checkpoints say, in a line of their own, which origin they go on
/// from and which is the last tree that both have in common. Matches, seals and entries stay as they are.
///
/// Without --yes it only says what it would do.
#[derive(Debug, Args)]
pub(crate) struct Succeed {
    /// Do it.
    #[arg(long)]
    yes: bool,
    /// Also where nothing on this machine contradicts the log: a witness holds a checkpoint that it cannot extend.
    #[arg(long)]
    even_so: bool,
}

impl Log {
    pub(crate) async fn run(self, place: &DatabasePlace) -> anyhow::Result<ExitCode> {
        let database = Database::open(&place.choice()?).await?;
        database.migrate().await?;
        let store = Store::existing(database.serving().clone(), LOG).await?;
        let store =
            store.context("there is no log in this database yet: \u{201c}matchbook serve\u{201d} starts one")?;
        let system = System::real();
        match self {
            Self::Key => {
                let keys = keys(place, &store, &system).await?;
                let successions = store.successions().await?;
                let origin = successions.last().map_or(&store.log().origin, |last| &last.origin);
                say!("{}", keys.log().named(KeyName::from(origin)).verifier())?;
            }
            Self::Succeed(succession) => {
                let keys = keys(place, &store, &system).await?;
                let file = place.checkpoint_file()?;
                let planned = plan(&store, keys.log(), file, system.now(), succession.even_so).await?;
                tell(&planned)?;
                say!("The new verifier key: {}", keys.log().named(KeyName::from(&planned.next.origin)).verifier())?;
                if succession.yes {
                    let mut owner = database.owner().connect().await?;
                    if !succeed(&mut owner, LOG, planned.seen, &planned.next).await? {
                        bail!("the log was signed in the meantime: look again before you do this");
                    }
                    say!("Done. Nodes that run go on by themselves within seconds.")?;
                    say!("Tell everybody who follows the log: its witnesses, and whoever has a policy with its key.")?;
                } else {
                    say!("Nothing was changed. To do it: matchbook log succeed --yes")?;
                }
            }
            Self::RenewEscrowKey(renewal) => renewal.run(place, &database, &store).await?,
        }
        database.close().await?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The keys that the log was written with.
async fn keys(place: &DatabasePlace, store: &Store, system: &System) -> anyhow::Result<Keys> {
    let keys = Keys::existing(&place.data()?)?;
    check_keys(store, &keys, system.now()).await?;
    Ok(keys)
}

fn tell(plan: &Plan) -> anyhow::Result<()> {
    match plan.why {
        Some(why) => say!("The log {} cannot go on: {why}.", plan.before)?,
        None => say!("Nothing here contradicts the log {}.", plan.before)?,
    }
    let common = plan.next.common;
    say!(
        "The last tree that was signed and is still there: {} entries, root {}",
        common.size,
        common.root.to_base64()
    )?;
    say!("The new origin: {}", plan.next.origin)?;
    say!("Every checkpoint of it will say: {}", plan.line)?;
    Ok(())
}

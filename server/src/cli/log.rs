//! `matchbook log`: the log's keys, a new term for a log that can no longer be signed or needs other keys, and a lost escrow key.

use std::process::ExitCode;

use anyhow::Context;
use app::LOG;
use app::keys::Keys;
use app::log_key::LogSigner;
use app::signing::{Plan, Reason, SuccessionError, Terms, begin_term, plan};
use app::system::System;
use clap::{Args, Subcommand};
use ledger::ed25519::PublicKey;
use sqlx::ConnectOptions;
use store::Store;
use store::database::Database;

use super::DatabasePlace;
use super::escrow_key::RenewEscrowKey;

/// The log as others follow it.
#[derive(Debug, Subcommand)]
pub(crate) enum Log {
    /// Print the log's present verifier key, for witnesses and whoever follows the log.
    Key,
    /// Print the lines of a policy that know the log: each of its names, with its key, and where it ended.
    Policy,
    Succeed(Succeed),
    Rotate(Rotate),
    RenewEscrowKey(RenewEscrowKey),
}

/// Go on under a new origin, when the log cannot be signed any more.
///
/// A log that signed entries which are gone (an older backup was restored, a failover lost commits) must not sign others in
/// their place: whoever holds an old checkpoint would be shown two histories. If the database with those entries still
/// exists, use it. If not, this starts a new origin, with new keys: its checkpoints say, in a line of their own, which origin
/// they go on from and which is the last tree that both have in common. Matches, seals and entries stay as they are.
///
/// Without --yes it only says what it would do.
#[derive(Debug, Args)]
pub(crate) struct Succeed {
    #[command(flatten)]
    term: NewTerm,
    /// Also where nothing on this machine contradicts the log: a witness holds a checkpoint that it cannot extend.
    #[arg(long)]
    even_so: bool,
}

/// Go on under a new origin with other keys, of the log and of the host: as planned, or because a key was lost or stolen.
///
/// The key before signs which one comes next, so that nobody else can say so. Matches, seals and entries stay as they are.
///
/// Without --yes it only says what it would do.
#[derive(Debug, Args)]
pub(crate) struct Rotate {
    #[command(flatten)]
    term: NewTerm,
}

const TRIES: u32 = 50;

#[derive(Debug, Args)]
struct NewTerm {
    /// Do it.
    #[arg(long)]
    yes: bool,
    /// The log's key before is lost, or was stolen: it names no next one, and every checkpoint says so.
    #[arg(long)]
    old_key_lost: bool,
    /// The command that has the log's next key, such as one that asks a piece of hardware. Called with one more word:
    /// `public` prints its public key (32 bytes in base64), `sign` its signature (64 bytes in base64) of what it reads.
    #[arg(long, value_name = "COMMAND")]
    log_signer: Option<String>,
}

impl Log {
    pub(crate) async fn run(self, place: &DatabasePlace) -> anyhow::Result<ExitCode> {
        let database = Database::open(&place.choice()?).await?;
        database.migrate().await?;
        let store = Store::existing(database.serving().clone(), LOG).await?;
        let store =
            store.context("there is no log in this database yet: \u{201c}matchbook serve\u{201d} starts one")?;
        match self {
            Self::Key => say!("{}", terms(&store).await?.present().key)?,
            Self::Policy => say!("{}", terms(&store).await?.policy().trim_end())?,
            Self::Succeed(Succeed { term, even_so }) => {
                let reason = if even_so { Reason::LostElsewhere } else { Reason::Lost };
                term.begin(place, &database, &store, reason).await?;
            }
            Self::Rotate(Rotate { term }) => term.begin(place, &database, &store, Reason::Keys).await?,
            Self::RenewEscrowKey(renewal) => renewal.run(place, &database, &store).await?,
        }
        database.close().await?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The terms of a log. They are public, so that no key is needed.
async fn terms(store: &Store) -> anyhow::Result<Terms> {
    let key =
        store.log_public_key().await?.context("the log has no key yet: \u{201c}matchbook serve\u{201d} makes one")?;
    Ok(Terms::read(store, PublicKey::read(&key)?).await?)
}

impl NewTerm {
    async fn begin(
        &self,
        place: &DatabasePlace,
        database: &Database,
        store: &Store,
        reason: Reason,
    ) -> anyhow::Result<()> {
        let (data, system) = (place.data()?, System::real());
        let look =
            async || Ok::<_, anyhow::Error>(plan(store, &terms(store).await?, place.checkpoint_file()?, reason).await?);
        let mut planned = look().await?;
        let before = if self.old_key_lost { None } else { Keys::log_of(&data, planned.before_key.public())? };
        if before.is_none() && !self.old_key_lost {
            return Err(SuccessionError::NoKey(planned.before).into());
        }
        tell(&planned, reason, self.old_key_lost)?;
        if !self.yes {
            say!("Nothing was changed. To do it, say the same with --yes.")?;
            return Ok(());
        }
        if let Some(command) = &self.log_signer {
            Keys::sign_by(
                &data,
                u32::from(planned.term.0) + 1,
                &LogSigner::ask(command).await.context("no public key of --log-signer")?,
            )?;
        }
        let mut owner = database.owner().connect().await?;
        let mut tries = 0;
        let line = loop {
            match begin_term(&mut owner, &planned, &data, before.as_ref(), &system).await {
                // A site that is busy signs four times a second.
                Err(SuccessionError::Moved) if reason == Reason::Keys && tries < TRIES => planned = look().await?,
                begun => break begun?,
            }
            tries += 1;
        };
        say!("Done. Every checkpoint says from now on: {line}")?;
        say!("Copy the new files of {} to the other nodes and to your copy of it.", data.join("keys").display())?;
        say!("Start every node again: until then it accepts nothing new.")?;
        say!(
            "Tell everybody who follows the log: its witnesses, and whoever has a policy with its key. Its lines are now:"
        )?;
        say!("{}", terms(store).await?.policy().trim_end())?;
        Ok(())
    }
}

fn tell(plan: &Plan, reason: Reason, is_key_lost: bool) -> anyhow::Result<()> {
    match (plan.why, reason) {
        (Some(why), _) => say!("The log {} cannot go on: {why}.", plan.before)?,
        (None, Reason::Keys) => say!("The log {} gets other keys, and with them another name.", plan.before)?,
        (None, _) => say!("Nothing here contradicts the log {}.", plan.before)?,
    }
    let (common, last) = (plan.common, plan.last);
    say!(
        "The last tree that was signed and is still there: {} entries, root {}",
        common.size,
        common.root.to_base64()
    )?;
    if last != common {
        say!("The last tree that was signed: {} entries, root {}", last.size, last.root.to_base64())?;
    }
    say!("The new origin: {}", plan.origin)?;
    if is_key_lost {
        say!("Its key is not named by the one before, and each check of a match says so.")?;
    }
    Ok(())
}

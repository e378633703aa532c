//! `matchbook witness`: a witness of other logs.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use app::system::System;
use audit::witness::{LogKey, Witness, make_key, read_key, routes};
use clap::Args;
use ledger::KeyName;
use store::database::Database;
use tokio::net::TcpListener;

use super::DatabasePlace;
use super::shutdown::{StopSignals, stopped};

/// Be a witness of other logs: cosign what extends what was seen before.
///
/// A witness speaks c2sp.org/tlog-witness. Run it on another machine, by other people than those who keep the log, and
/// with a database of its own, which must never be set back to an earlier state: it is the witness's whole memory.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The address to listen at.
    #[arg(long, env = "MATCHBOOK_WITNESS_LISTEN", default_value = "127.0.0.1:8081", value_name = "ADDRESS")]
    listen: SocketAddr,

    /// The witness's key: PRIVATE+KEY+name+id+key, or better the file that holds it, because other users of the machine
    /// can see a command line.
    ///
    /// Keys that other programs made for signing notes (type 0x01) are taken, too. They must be used for nothing else.
    #[arg(long, env = "MATCHBOOK_WITNESS_KEY", hide_env_values = true, value_name = "KEY or FILE")]
    private_key: Option<String>,

    /// The witness's name, such as witness.example.org/w1, to make a key for it at the first start.
    ///
    /// It is kept as keys/witness.key in the data folder.
    #[arg(long, conflicts_with = "private_key", required_unless_present = "private_key", value_name = "NAME")]
    name: Option<KeyName>,

    /// A log to watch: its verifier key, or origin=key where the key bears another name than the log. May be given
    /// several times, also for two keys of one log.
    #[arg(long = "log", required = true, value_name = "ORIGIN=KEY")]
    logs: Vec<LogKey>,
}

impl Arguments {
    pub(crate) async fn run(self, place: &DatabasePlace) -> anyhow::Result<ExitCode> {
        let listener =
            TcpListener::bind(self.listen).await.with_context(|| format!("cannot listen at {}", self.listen))?;
        let system = System::real();
        let key = match (&self.private_key, &self.name) {
            (Some(key), _) => read_key(key)?,
            (None, Some(name)) => make_key(&place.data()?, name, &system)?,
            (None, None) => anyhow::bail!("a witness needs --private-key or --name"),
        };
        let database = Database::open(&place.choice()?).await?;
        database.migrate().await?;
        let address = format!("http://{}", listener.local_addr()?);
        let verifier = key.verifier().clone();
        let logs = self.logs.into_iter().collect();
        let witness = Witness::open(key, logs, database.serving().clone(), system).await?;
        let signals = StopSignals::listen().context("cannot listen for signals")?;
        tell!("The witness is at {address}/");
        tell!("Its line for a policy: witness {} {verifier} {address}", verifier.name());
        tell!("Ctrl-C stops it.");
        axum::serve(listener, routes(Arc::new(witness))).with_graceful_shutdown(stopped(signals)).await?;
        database.close().await?;
        Ok(ExitCode::SUCCESS)
    }
}

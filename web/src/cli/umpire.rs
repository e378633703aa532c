//! `matchbook umpire`: who may record.

use std::process::ExitCode;

use clap::Subcommand;

use super::DatabasePlace;
use super::open::Opened;
use crate::account;

/// Umpires, and the links that sign them in.
#[derive(Debug, Subcommand)]
pub(crate) enum Umpire {
    /// Add an umpire, and print a link that signs them in.
    Add(Named),
    /// Print a new link for an umpire. It works once, within a day.
    Link(Named),
    /// List the umpires.
    List,
}

/// An umpire.
#[derive(Debug, clap::Args)]
pub(crate) struct Named {
    /// The name they are known by here. It is never part of the record.
    name: String,
    /// Where the site is, for the link.
    #[arg(long, default_value = "http://127.0.0.1:8080", value_name = "ADDRESS")]
    site: String,
}

impl Umpire {
    pub(crate) async fn run(self, place: &DatabasePlace) -> anyhow::Result<ExitCode> {
        let opened = Opened::open(place, None).await?;
        let (pool, mint) = (opened.book.pool(), opened.book.mint());
        let named = match self {
            Self::List => {
                for umpire in account::all(pool).await? {
                    say!("{}\t{}", umpire.id, umpire.name)?;
                }
                None
            }
            Self::Add(named) => Some((account::add(pool, mint, &named.name).await?, named.site)),
            Self::Link(named) => Some((account::named(pool, &named.name).await?, named.site)),
        };
        if let Some((umpire, site)) = named {
            let token = account::link(pool, mint, &umpire).await?;
            say!("{}/sign-in/{}", site.trim_end_matches('/'), token.reveal())?;
        }
        opened.close().await?;
        Ok(ExitCode::SUCCESS)
    }
}

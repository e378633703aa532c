//! `matchbook umpire`: who may record.

use std::process::ExitCode;

use clap::Subcommand;

use super::DatabasePlace;
use super::open::Opened;
use crate::account::{self, Role, Token};

/// Umpires, and the links that sign them in.
#[derive(Debug, Subcommand)]
pub(crate) enum Umpire {
    /// Add an umpire, and print a link that signs them in.
    Add {
        #[command(flatten)]
        named: Named,
        /// Make them an admin: who adds umpires, ends sessions and revokes tokens.
        #[arg(long)]
        admin: bool,
    },
    /// Print a new link for an umpire. It works once, within a day, and lets them set a new password.
    Link(Named),
    /// List the umpires: pseudonym, name, role, and whether the account is closed.
    List,
    /// Give an umpire another role.
    Role {
        /// The name they are known by here.
        name: String,
        /// umpire or admin.
        role: RoleName,
    },
    /// Close an umpire's account: its sessions end, its links and tokens open nothing any more.
    Close {
        /// The name they are known by here.
        name: String,
    },
    /// Open a closed account again.
    Reopen {
        /// The name they are known by here.
        name: String,
    },
}

/// A role, as it is typed.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(crate) enum RoleName {
    /// Records and rules.
    Umpire,
    /// And sees to accounts, sessions and tokens.
    Admin,
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
        let link_for = match self {
            Self::List => {
                for listed in account::listed(pool, mint).await? {
                    let closed = if listed.closed { "\tclosed" } else { "" };
                    say!("{}\t{}\t{}{closed}", listed.umpire.id, listed.umpire.name, listed.umpire.role.word())?;
                }
                None
            }
            Self::Add { named, admin } => {
                let umpire = account::add(pool, mint, &named.name).await?;
                if admin {
                    account::set_role(pool, &umpire, Role::Admin).await?;
                }
                Some((umpire, named.site))
            }
            Self::Link(named) => Some((account::named(pool, &named.name).await?, named.site)),
            Self::Role { name, role } => {
                let role = match role {
                    RoleName::Umpire => Role::Umpire,
                    RoleName::Admin => Role::Admin,
                };
                account::set_role(pool, &account::named(pool, &name).await?, role).await?;
                None
            }
            Self::Close { name } => {
                account::set_closed(pool, mint, &account::named(pool, &name).await?, true).await?;
                None
            }
            Self::Reopen { name } => {
                account::set_closed(pool, mint, &account::named(pool, &name).await?, false).await?;
                None
            }
        };
        if let Some((umpire, site)) = link_for {
            let token = account::link(pool, mint, &umpire).await?;
            say!("{}", sign_in_link(&site, &token))?;
        }
        opened.close().await?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The address that signs in. What stands behind the # is sent nowhere before the form is.
pub(super) fn sign_in_link(site: &str, token: &Token) -> String {
    format!("{}/sign-in/link#{}", site.trim_end_matches('/'), token.reveal())
}

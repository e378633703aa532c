//! `matchbook umpire`: who may record.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::process::ExitCode;

use app::App;
use app::account::{self, OPERATOR, Role, Token};
use clap::Subcommand;

use super::open::OpenApp;
use super::{DatabasePlace, LISTEN};

/// Umpires, and the links that sign them in.
#[derive(Debug, Subcommand)]
pub(crate) enum Umpire {
    /// Add an umpire, and print a link that signs them in.
    Add {
        #[command(flatten)]
        named: UmpireArguments,
        /// Make them an admin: who adds umpires, ends sessions and revokes tokens.
        #[arg(long)]
        admin: bool,
    },
    /// Print a new link for an umpire. It works once, within a day, and lets them set a new password.
    Link(UmpireArguments),
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
    /// Print what happened to accounts as JSON lines, oldest first: sign-ins, links, tokens, roles and passwords.
    Events {
        /// Only those after the event of this id.
        #[arg(long, default_value_t = 0, value_name = "ID")]
        after: i64,
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
pub(crate) struct UmpireArguments {
    /// The name they are known by here. It is never part of the record.
    name: String,
    #[command(flatten)]
    site: SiteAddress,
}

/// Where the site is, for links to it.
#[derive(Debug, clap::Args)]
pub(crate) struct SiteAddress {
    /// Where readers find the site, such as https://record.example.org. Without it the link begins with the address that
    /// MATCHBOOK_LISTEN gives `serve`, or with the one where it listens by default.
    #[arg(long, env = "MATCHBOOK_SITE", value_name = "ADDRESS")]
    site: Option<String>,
    /// Where `serve` listens.
    #[arg(long, env = "MATCHBOOK_LISTEN", default_value = LISTEN, hide = true)]
    listen: SocketAddr,
}

impl SiteAddress {
    fn read(&self) -> (String, bool) {
        match &self.site {
            Some(site) => (site.trim_end_matches('/').to_owned(), true),
            None => (format!("http://{}", reachable(self.listen)), false),
        }
    }
}

fn reachable(listen: SocketAddr) -> SocketAddr {
    let own = match listen.ip() {
        IpAddr::V4(at) if at.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(at) if at.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        other => other,
    };
    SocketAddr::new(own, listen.port())
}

impl Umpire {
    pub(crate) async fn run(self, place: &DatabasePlace) -> anyhow::Result<ExitCode> {
        let open_app = OpenApp::open_idle(place).await?;
        let (pool, system) = (open_app.app.pool(), open_app.app.system());
        let link_for = match self {
            Self::List => {
                for listed in account::listed(pool, system).await? {
                    let closed = if listed.closed { "\tclosed" } else { "" };
                    say!("{}\t{}\t{}{closed}", listed.umpire.id, listed.umpire.name, listed.umpire.role.word())?;
                }
                None
            }
            Self::Add { named, admin } => {
                let umpire = account::add(pool, system, &OPERATOR, &named.name).await?;
                if admin {
                    account::set_role(pool, system, &OPERATOR, &umpire, Role::Admin).await?;
                }
                Some((umpire, named.site))
            }
            Self::Link(named) => Some((account::named(pool, &named.name).await?, named.site)),
            Self::Role { name, role } => {
                let role = match role {
                    RoleName::Umpire => Role::Umpire,
                    RoleName::Admin => Role::Admin,
                };
                account::set_role(pool, system, &OPERATOR, &account::named(pool, &name).await?, role).await?;
                None
            }
            Self::Close { name } => {
                account::set_closed(pool, system, &OPERATOR, &account::named(pool, &name).await?, true).await?;
                None
            }
            Self::Reopen { name } => {
                account::set_closed(pool, system, &OPERATOR, &account::named(pool, &name).await?, false).await?;
                None
            }
            Self::Events { after } => {
                events(&open_app.app, after).await?;
                None
            }
        };
        if let Some((umpire, site)) = link_for {
            let token = account::link(pool, system, &OPERATOR, &umpire).await?;
            let (site, given) = site.read();
            say!("{}", sign_in_link(&site, &token))?;
            if !given {
                tracing::info!(
                    "The link begins with {site}. Where the site is found elsewhere, put that address in its place, \
                     or give it as --site or MATCHBOOK_SITE"
                );
            }
        }
        open_app.close().await?;
        Ok(ExitCode::SUCCESS)
    }
}

async fn events(app: &App, after: i64) -> anyhow::Result<()> {
    let mut after = after;
    loop {
        let lines = account::events_after(app.pool(), after).await?;
        let Some(last) = lines.last() else { return Ok(()) };
        after = last.id;
        for line in &lines {
            say!("{}", serde_json::to_string(line)?)?;
        }
    }
}

/// The address that signs in. Browsers do not send the part after the # before the form is submitted.
pub(super) fn sign_in_link(site: &str, token: &Token) -> String {
    format!("{}/sign-in/link#{}", site.trim_end_matches('/'), token.reveal())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_begins_where_the_site_is() {
        let of = |site: Option<&str>, listen: &str| {
            SiteAddress { site: site.map(str::to_owned), listen: listen.parse().unwrap() }.read()
        };
        for (listen, address) in [
            ("127.0.0.1:9000", "http://127.0.0.1:9000"),
            ("0.0.0.0:80", "http://127.0.0.1:80"),
            ("[::]:8080", "http://[::1]:8080"),
            ("192.0.2.7:8080", "http://192.0.2.7:8080"),
        ] {
            assert_eq!(of(None, listen), (address.to_owned(), false), "{listen}");
        }
        let given = of(Some("https://record.example.org/"), "0.0.0.0:80");
        assert_eq!(given, ("https://record.example.org".to_owned(), true));
    }
}

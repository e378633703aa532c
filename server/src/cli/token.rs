//! `matchbook token`: tokens with which programs act for an umpire.

use std::process::ExitCode;

use anyhow::bail;
use app::account::{self, LIFE_DAYS, OPERATOR, Scope};
use clap::Subcommand;

use super::DatabasePlace;
use super::open::OpenApp;

/// Tokens for programs that use the API.
#[derive(Debug, Subcommand)]
pub(crate) enum Token {
    /// Make a token, and print it. It is shown this once; only its hash is kept.
    Add {
        /// The umpire for whom the program acts.
        umpire: String,
        /// What it is for.
        name: String,
        /// What it may do. It never may more than its umpire.
        #[arg(long, default_value = "umpire")]
        scope: ScopeName,
        /// For how many days: at most 365.
        #[arg(long, value_name = "DAYS", default_value_t = LIFE_DAYS)]
        days: u32,
    },
    /// List the tokens that still open something: id, umpire, scope, last use, end, and what each is for.
    List,
    /// Revoke a token by its id.
    Revoke {
        /// As `matchbook token list` prints it.
        id: String,
    },
}

/// A scope, as it is typed.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(crate) enum ScopeName {
    /// What everybody may read.
    Read,
    /// Everything that an umpire does.
    Umpire,
    /// And see to umpires, sessions and tokens.
    Admin,
}

impl Token {
    pub(crate) async fn run(self, place: &DatabasePlace) -> anyhow::Result<ExitCode> {
        let open_app = OpenApp::open_idle(place).await?;
        let (pool, system) = (open_app.app.pool(), open_app.app.system());
        match self {
            Self::Add { umpire, name, scope, days } => {
                let scope = match scope {
                    ScopeName::Read => Scope::Read,
                    ScopeName::Umpire => Scope::Umpire,
                    ScopeName::Admin => Scope::Admin,
                };
                let umpire = account::named(pool, &umpire).await?;
                let (token, _) =
                    account::make_token(pool, system, &OPERATOR, &umpire, &name, scope, Some(days)).await?;
                say!("{}", account::reveal_token(&token))?;
            }
            Self::List => {
                for token in account::tokens(pool, system, None).await? {
                    let used = token
                        .used_at
                        .map_or_else(|| "never used".to_owned(), |at| at.format("%Y-%m-%d %H:%M").to_string());
                    let ends = token.expires_at.format("ends %Y-%m-%d");
                    say!("{}\t{}\t{}\t{used}\t{ends}\t{}", token.id, token.umpire, token.scope, token.name)?;
                }
            }
            Self::Revoke { id } => {
                if !account::revoke_token(pool, system, &OPERATOR, None, &id).await? {
                    bail!("there is no token of this id; matchbook token list prints those there are");
                }
            }
        }
        open_app.close().await?;
        Ok(ExitCode::SUCCESS)
    }
}

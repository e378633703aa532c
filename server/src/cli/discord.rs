//! `matchbook discord`: this program as an application at Discord.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use app::account::{Authorization, ClientSecret, Snowflake};
use app::discord::{BotToken, DISCORD, Rest};
use app::fetch::Reach;
use clap::{Args, Subcommand};
use web::discord::{ApplicationKey, Discord, register};

/// Play and follow matches at Discord. docs/discord.md sets it up in ten minutes.
#[derive(Debug, Subcommand)]
pub(crate) enum Chat {
    /// Register the commands with Discord, in the place of all that were registered before.
    ///
    /// Needed once, and again after an update that says so.
    Register(Application),
}

/// The application, as its pages at Discord show it.
#[derive(Debug, Args)]
pub(crate) struct Application {
    /// The application's id, a number. With it and the public key, commands from Discord are taken.
    #[arg(long, env = "MATCHBOOK_DISCORD_APPLICATION_ID", value_name = "ID")]
    discord_application_id: Option<Snowflake>,

    /// The application's public key, 64 hex digits: Discord signs every command with its other half.
    #[arg(long, env = "MATCHBOOK_DISCORD_PUBLIC_KEY", value_name = "KEY")]
    discord_public_key: Option<ApplicationKey>,

    /// A file that holds the bot's token and nothing else. It registers commands, and makes the webhook of a channel that
    /// is to be told of a match.
    #[arg(long, env = "MATCHBOOK_DISCORD_TOKEN_FILE", value_name = "FILE")]
    discord_token_file: Option<PathBuf>,

    /// A file that holds the application's client secret and nothing else. With it and the application's id, umpires can
    /// sign in with an account at Discord that they have linked.
    #[arg(long, env = "MATCHBOOK_DISCORD_CLIENT_SECRET_FILE", value_name = "FILE")]
    discord_client_secret_file: Option<PathBuf>,

    /// Where Discord's API is.
    #[arg(long, env = "MATCHBOOK_DISCORD_API", default_value = DISCORD, value_name = "ADDRESS", hide = true)]
    discord_api: String,
}

impl Application {
    fn token(&self) -> anyhow::Result<Option<BotToken>> {
        Ok(self.discord_token_file.as_deref().map(BotToken::read).transpose()?)
    }

    pub(crate) fn sign_in(&self) -> anyhow::Result<Option<Arc<Authorization>>> {
        let Some(file) = &self.discord_client_secret_file else { return Ok(None) };
        let id = self.discord_application_id.context("signing in with Discord needs --discord-application-id")?;
        let reach = if self.discord_api == DISCORD { Reach::Public } else { Reach::Anywhere };
        Ok(Some(Arc::new(Authorization::new(id, ClientSecret::read(file)?, &self.discord_api, reach))))
    }

    pub(crate) fn open(&self) -> anyhow::Result<Option<Arc<Discord>>> {
        let token = self.token()?;
        match (self.discord_application_id, self.discord_public_key) {
            (Some(id), Some(key)) => Ok(Some(Arc::new(Discord::new(id, key, token, Rest::new(&self.discord_api))))),
            (None, None) => Ok(None),
            (Some(_), None) if self.discord_client_secret_file.is_some() => Ok(None),
            _ => bail!("Discord needs both --discord-application-id and --discord-public-key"),
        }
    }
}

impl Chat {
    pub(crate) async fn run(self) -> anyhow::Result<ExitCode> {
        let Self::Register(application) = self;
        let id = application.discord_application_id.context("say which application: --discord-application-id")?;
        let token = application.token()?.context("registering needs the bot's token: --discord-token-file")?;
        let count = register(&Rest::new(&application.discord_api), id, &token).await?;
        say!("{count} commands are registered. Discord shows them within a few minutes.")?;
        Ok(ExitCode::SUCCESS)
    }
}

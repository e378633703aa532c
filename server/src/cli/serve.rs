//! `matchbook serve`: the site.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use app::account::{self, API_PER_SECOND, AccountError, OPERATOR, RateLimits, Role};
use app::beacon_rounds::BeaconSource;
use app::cache::CacheSize;
use app::cosigning::SitePolicy;
use app::fetch::Reach;
use app::monitoring::Monitor;
use app::public_log::LastCheckpointError;
use app::statistics;
use app::views::match_address;
use app::webhooks::{WebhookSender, deliver};
use app::{Act, App, AppError, by_umpire, form_of};
use axum::Extension;
use axum::middleware::from_fn;
use axum::serve::ListenerExt;
use clap::Args;
use engine::Seat;

use ledger::{MatchId, Origin, TreeSize};
use nix::unistd::Uid;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use web::discord::Discord;
use web::http::SiteAddress;
use web::live;
use web::routes::{DiscordApps, site};
use web::security::SecurityContact;
use web::visitor::forwarded;

use super::discord::Application;
use super::idle_timeout::IdleTimeout;
use super::monitoring::Monitoring;
use super::open::OpenApp;
use super::shutdown::{StopSignals, drained};
use super::umpire::sign_in_link;
use super::{DatabasePlace, LISTEN};
use crate::demo;

/// The default time between SIGTERM and the end of accepting behind a proxy. HAProxy's own defaults need six seconds:
/// three checks, two seconds apart.
const DRAIN_BEHIND_PROXY: Duration = Duration::from_secs(10);
/// The interval at which the archive looks for entries of other nodes.
const FOLLOWING: Duration = Duration::from_secs(2);
const FINISH_AGAIN: Duration = Duration::from_secs(1);
const DEMO_UMPIRE: &str = "Demo umpire";

/// Serve the site.
///
/// Starts the private PostgreSQL (or uses the one at --database-url), brings it to this version's schema, and serves
/// until Ctrl-C. At the very first start the log gets its name and the host its key; neither ever changes.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The address to listen at.
    #[arg(long, env = "MATCHBOOK_LISTEN", default_value = LISTEN, value_name = "ADDRESS")]
    listen: SocketAddr,

    /// The address at which readers find the site, such as https://record.example.org.
    ///
    /// Every link begins with it: sign-in links, private links to seats, feeds, webhooks, and the way back from Discord.
    /// What a browser claims is never used. Without it links begin with the address to listen at, which only this machine
    /// can follow where that is a loopback address. Behind a proxy it is needed.
    #[arg(long, env = "MATCHBOOK_SITE", value_name = "ADDRESS")]
    site: Option<String>,

    /// The name of a new log, such as record.example.org/matchbook. Used at the very first start alone.
    ///
    /// Every seal and every signature names it. Without it: localhost/matchbook- and eight digits.
    #[arg(long, value_name = "NAME")]
    origin: Option<Origin>,

    /// The command that signs checkpoints, such as one that asks a piece of hardware. Used at the very first start alone:
    /// later ones find it in keys/. `matchbook help log rotate` says how it is called.
    #[arg(long, value_name = "COMMAND")]
    log_signer: Option<String>,

    /// The policy (c2sp.org/tlog-policy) that says which witnesses are asked to cosign checkpoints, and when one counts as
    /// witnessed. Witnesses with an address are asked.
    #[arg(long, env = "MATCHBOOK_POLICY", value_name = "FILE")]
    policy: Option<PathBuf>,

    /// Say that the last stored checkpoint of the log has this many entries, 0 where none is stored, and that nothing was
    /// signed after it.
    ///
    /// After a start the witnesses are asked about that checkpoint first: a database that was set back does not know what it
    /// signed later. Until enough of them have answered, nothing opens in the matches that wait for witnesses. Only where
    /// they cannot be asked, or where no checkpoint is stored yet, do you say it yourself. Another number than the stored one
    /// is not believed.
    #[arg(long, value_name = "ENTRIES")]
    last_checkpoint: Option<u64>,

    /// How much memory the caches may use together, in megabytes. The rest of the program needs some 100.
    #[arg(long, env = "MATCHBOOK_CACHE_MB", default_value_t = CacheSize::DEFAULT_MEGABYTES, value_name = "MEGABYTES",
        value_parser = clap::value_parser!(u32).range(16..))]
    cache_mb: u32,

    /// How often in a second a program may ask the API, by its token, or by its address where it has none; ten times as
    /// often at once. More is answered 429.
    #[arg(long, default_value_t = API_PER_SECOND, value_name = "REQUESTS", value_parser = clap::value_parser!(u32).range(1..))]
    api_rate: u32,

    /// Take readers' addresses from the last X-Forwarded-For, for the limits on signing in and on the API.
    ///
    /// Only behind a proxy that sets it, and where nobody reaches this address but through it. Without it everybody behind a
    /// proxy shares one limit.
    #[arg(long)]
    behind_proxy: bool,

    /// How many seconds after SIGTERM connections are still accepted, while /readyz already says 503: longer than the proxy
    /// needs to see that and to send requests to another node.
    ///
    /// What is in flight after that is answered, bodies included. Without it: 10 with --behind-proxy, else 0. Ctrl-C, and a
    /// second SIGTERM, stop at once.
    #[arg(long, env = "MATCHBOOK_DRAIN_SECONDS", value_name = "SECONDS")]
    drain_seconds: Option<u16>,

    /// Where to write about holes: a mailto: or https: address, for /.well-known/security.txt.
    #[arg(long, env = "MATCHBOOK_SECURITY_CONTACT", value_name = "ADDRESS", value_parser = security_contact)]
    security_contact: Option<String>,

    /// Let webhooks be sent to private addresses, such as this machine's own or those of its network.
    ///
    /// Without it a webhook reaches what everybody on the internet can reach: umpires name addresses, and what only this
    /// machine can reach is not theirs.
    #[arg(long)]
    webhooks_private: bool,

    /// Fetch the rounds of the public beacon from here, for the draws of matches that wait for them.
    ///
    /// The address of a relay of drand, such as https://api.drand.sh; with several, the next is asked where one does not
    /// answer. Without any nothing is fetched: rounds are handed in on the pages of matches.
    #[arg(long, env = "MATCHBOOK_BEACON", value_delimiter = ',', value_name = "ADDRESS")]
    beacon: Vec<String>,

    #[command(flatten)]
    monitoring: Monitoring,

    #[command(flatten)]
    discord: Application,

    /// Fill the record for a look around, and print links that sign in as an umpire and as the players of a live match.
    ///
    /// Enters the finished matches of this folder as matches of the past, plays one more to its end and some that still
    /// run, and opens one whose seats are free. Done once; a later start finds them, and prints new links.
    #[arg(long, num_args = 0..=1, default_missing_value = "fixtures/matches", value_name = "FOLDER")]
    demo: Option<PathBuf>,
}

impl Arguments {
    pub(crate) async fn run(self, place: &DatabasePlace) -> anyhow::Result<ExitCode> {
        if let Some(folder) = &self.demo {
            Demo::can_be_filled_from(folder)?;
        }
        let listener =
            TcpListener::bind(self.listen).await.with_context(|| format!("cannot listen at {}", self.listen))?;
        let address = format!("http://{}", listener.local_addr()?);
        let site_address = self.site_address(listener.local_addr()?)?;
        let drain_time = self.drain_time();
        let metrics = self.monitoring.listen().await?;
        let trust = self.policy.as_deref().map(SitePolicy::read).transpose()?;
        let discord_apps = DiscordApps { commands: self.discord.open()?, sign_in: self.discord.sign_in()? };
        let open_app = OpenApp::open_held(place, self.origin.clone(), self.log_signer.as_deref()).await?;
        place.note_checkpoint_file()?;
        warn_about_checkpoint_file(place)?;
        warn_about_root();
        let app = open_app.app.clone();
        app.set_cache_size(CacheSize::of_megabytes(self.cache_mb));
        ask_witnesses(&app, trust, self.last_checkpoint.map(TreeSize)).await?;
        take_up(&app).await?;
        bring_up_to_date(&app).await?;
        let demo = match &self.demo {
            Some(folder) => Some(Demo::fill(&app, folder).await?),
            None => None,
        };
        // Until here a signal ends the program. From here on it is asked to stop in good order.
        let signals = StopSignals::listen().context("cannot listen for signals")?;
        tell!("Matchbook is at {address}/");
        introduce(&app, demo, &site_address.to_string()).await?;
        tell!("Ctrl-C stops it.");
        let reach = if self.webhooks_private { Reach::Anywhere } else { Reach::Public };
        let mut background = Background::start(&app, reach, discord_apps.commands.as_deref());
        background.fetch_rounds(&app, &self.beacon);
        let monitor = Monitor::new(app.clone(), place.data()?);
        background.others.extend(self.monitoring.start(metrics, monitor, &site_address.to_string(), app.workers()));
        let (workers, heartbeat) = (app.workers().clone(), app.heartbeat.clone());
        let drained = drained(signals, app.clone(), drain_time);
        let mut site = site(app, Arc::new(RateLimits::new(self.api_rate)), discord_apps);
        site = site.layer(Extension(site_address));
        if let Some(contact) = &self.security_contact {
            site = site.layer(Extension(SecurityContact(contact.clone())));
        }
        if self.behind_proxy {
            site = site.layer(from_fn(forwarded));
        }
        let site = site.into_make_service_with_connect_info::<SocketAddr>();
        let listener = IdleTimeout::new(listener, self.behind_proxy)
            .tap_io(|connection| live::prepare_connection(&mut connection.stream));
        axum::serve(listener, site).with_graceful_shutdown(drained).await?;
        // Before the workers are stopped: what ends from here on was told to.
        let broken = workers.first_end();
        background.stop().await;
        let may_serve = heartbeat.may_serve();
        // Whoever holds it holds the signer, which needs the database for as long as it lives.
        drop(heartbeat);
        open_app.close().await?;
        may_serve?;
        match broken {
            Some(end) => Err(end.into()),
            None => Ok(ExitCode::SUCCESS),
        }
    }
}

/// Puts back what the database has lost, and beats for the first time: the first beat stores the outage that ends now, so it
/// comes before anything that is overdue.
async fn take_up(app: &App) -> anyhow::Result<()> {
    if let Err(error) = app.recorder.put_back().await {
        anyhow::ensure!(app.obstacle().is_some(), error);
        tracing::error!(%error, "nothing new is accepted");
    }
    match app.recorder.write_beat().await {
        // It takes no moves before its journal can be written, and readers need none.
        Err(error @ AppError::Journal(_)) => tracing::error!(%error, "nothing new is accepted"),
        beaten => beaten.context("cannot say that this node takes moves")?,
    }
    Ok(())
}

impl Arguments {
    fn drain_time(&self) -> Duration {
        let default = if self.behind_proxy { DRAIN_BEHIND_PROXY } else { Duration::ZERO };
        self.drain_seconds.map_or(default, |seconds| Duration::from_secs(seconds.into()))
    }

    /// The address with which links begin. Warns if other machines cannot follow it.
    fn site_address(&self, listen: SocketAddr) -> anyhow::Result<SiteAddress> {
        // An empty variable counts as unset.
        if let Some(given) = self.site.as_deref().filter(|given| !given.is_empty()) {
            return given.parse().with_context(|| format!("--site {given} is no address"));
        }
        let own = SiteAddress::listening(listen);
        if !listen.ip().is_loopback() || self.behind_proxy {
            tracing::warn!(
                "links begin with {own}, because nobody said where readers find the site. Give its address, such as \
                 --site https://record.example.org, or MATCHBOOK_SITE"
            );
        }
        Ok(own)
    }
}

/// An address for security.txt: one line that begins with `mailto:` or `https:`.
fn security_contact(text: &str) -> Result<String, &'static str> {
    let known = text.starts_with("mailto:") || text.starts_with("https:");
    let line = !text.contains(|c: char| c.is_control() || c.is_whitespace());
    if known && line { Ok(text.to_owned()) } else { Err("it is a mailto: or https: address") }
}

/// Asks the witnesses about the last stored checkpoint, before another is signed.
async fn ask_witnesses(app: &App, policy: Option<SitePolicy>, last: Option<TreeSize>) -> anyhow::Result<()> {
    if let Some(policy) = policy {
        app.public_log.ask_witnesses(policy).await?;
    }
    if let Some(last) = last {
        match app.public_log.confirm_last_checkpoint(last).await {
            Err(error @ LastCheckpointError::Other { .. }) => tracing::warn!("{error}"),
            confirmed => confirmed?,
        }
    }
    app.public_log.first_answers().await?;
    Ok(())
}

/// Warns if restoring the data folder would also take back the last signed checkpoint.
fn warn_about_checkpoint_file(place: &DatabasePlace) -> anyhow::Result<()> {
    let file = place.checkpoint_file()?;
    if file.starts_with(place.data()?) {
        tracing::warn!(
            "the checkpoint file is {}, inside the data folder: restoring that folder would take it back as well, and \
             nothing here would notice that signed entries are gone. Keep it elsewhere with --checkpoint-file",
            file.display()
        );
    }
    Ok(())
}

/// Warns root, and goes on: in a container root is often the only user, and the private PostgreSQL has one of its own.
fn warn_about_root() {
    if Uid::effective().is_root() {
        tracing::warn!(
            "this runs as root: whoever breaks into the program owns the machine. Run it as a user of its own, as \
             deploy/matchbook.service does"
        );
    }
}

async fn introduce(app: &Arc<App>, demo: Option<Demo>, site: &str) -> anyhow::Result<()> {
    match demo {
        Some(demo) => demo.introduce(app, site).await,
        None => {
            tell!("A new umpire: matchbook umpire add NAME --site {site}");
            Ok(())
        }
    }
}

struct Demo {
    umpire: account::Umpire,
    free: MatchId,
}

impl Demo {
    fn can_be_filled_from(folder: &Path) -> anyhow::Result<()> {
        let shown = folder.display();
        anyhow::ensure!(
            folder.is_dir(),
            "there is no folder {shown} with matches for the demo: start in the folder of the sources, or name one"
        );
        Ok(())
    }

    async fn fill(app: &Arc<App>, folder: &Path) -> anyhow::Result<Self> {
        let umpire = demo_umpire(app).await?;
        let free = demo::fill(app, &umpire, folder).await.context("cannot fill the demo")?;
        Ok(Self { umpire, free })
    }

    async fn introduce(&self, app: &Arc<App>, site: &str) -> anyhow::Result<()> {
        let token = account::link(app.pool(), app.system(), &OPERATOR, &self.umpire).await?;
        let _ = say!("Sign in as an umpire (once, within a day): {}", sign_in_link(site, &token));
        for (seat, number) in [(Seat::P1, 1), (Seat::P2, 2)] {
            // The same link at each start: another one would be an entry.
            let form = form_of(&["demo-link", &self.free.to_string(), seat.word()]);
            let link = app.seats.invite(&Act { by: by_umpire(&self.umpire.id), form }, self.free, seat).await?;
            let _ = say!("Play as seat {number} of a live match: {site}/play/{}", link.reveal());
        }
        let _ = say!("As its umpire, close its rounds: {site}/umpire{}", match_address(self.free));
        Ok(())
    }
}

struct Background {
    sender: WebhookSender,
    delivering: JoinHandle<()>,
    posting: Option<JoinHandle<()>>,
    others: Vec<JoinHandle<()>>,
}

impl Background {
    fn start(app: &Arc<App>, reach: Reach, discord: Option<&Discord>) -> Self {
        let workers = app.workers();
        let others = vec![
            workers.spawn("heartbeat", app.recorder.clone().beats()),
            workers.spawn("index of the archive", for_readers(app, follow(app.clone()))),
            workers.spawn("check of ended matches", for_readers(app, check(app.clone()))),
            workers.spawn("closing of decisions", app.deadlines.clone().run()),
            tokio::spawn(finish(app.clone())),
        ];
        let sender = WebhookSender::new(app.clone(), reach);
        let delivering = workers.spawn("sending of webhooks", deliver(sender.clone()));
        let post = |discord: &Discord| app::discord::post(app.clone(), discord.rest().clone());
        let posting = discord.map(|discord| workers.spawn("posting to Discord", post(discord)));
        Self { sender, delivering, posting, others }
    }

    fn fetch_rounds(&mut self, app: &Arc<App>, relays: &[String]) {
        if !relays.is_empty() {
            let fetching = app.rounds.clone().run(BeaconSource::new(relays));
            self.others.push(app.workers().spawn("fetching of the beacon", fetching));
        }
    }

    /// Ends all of them. The writer lives as long as anything holds the app, so each is awaited.
    async fn stop(self) {
        self.delivering.abort();
        drop(self.delivering.await);
        if let Err(error) = self.sender.release().await {
            tracing::warn!(%error, "another node waits some seconds before it sends webhooks");
        }
        drop(self.sender);
        for worker in self.posting.iter().chain(&self.others) {
            worker.abort();
        }
        for worker in self.posting.into_iter().chain(self.others) {
            drop(worker.await);
        }
    }
}

fn for_readers<W: Future<Output = ()> + Send + 'static>(
    app: &Arc<App>,
    work: W,
) -> impl Future<Output = ()> + Send + use<W> {
    let app = app.clone();
    async move { app.readers().run(work).await }
}

/// Finishes what was cut short, in every running match, however many there are. An act or a close that comes earlier does it
/// first for its own match.
async fn finish(app: Arc<App>) {
    while let Err(error) = app.recorder.settle_all().await {
        tracing::warn!(%error, "what was cut short could not be finished; it is tried again");
        tokio::time::sleep(FINISH_AGAIN).await;
    }
}

async fn demo_umpire(app: &App) -> anyhow::Result<account::Umpire> {
    match account::named(app.pool(), DEMO_UMPIRE).await {
        Err(AccountError::Unknown(_)) => {
            let umpire = account::add(app.pool(), app.system(), &OPERATOR, DEMO_UMPIRE).await?;
            account::set_role(app.pool(), app.system(), &OPERATOR, &umpire, Role::Admin).await?;
            app.umpires.set_name(&OPERATOR, &umpire.id, Some(DEMO_UMPIRE)).await?;
            Ok(umpire)
        }
        found => Ok(found?),
    }
}

/// Derives what the lists lack. It takes minutes to derive all of them again, so nobody waits for it where there are lists:
/// it is done while the site serves.
async fn bring_up_to_date(app: &App) -> anyhow::Result<()> {
    if app.index.is_of_older_rules().await? {
        tracing::warn!("the lists are of an older version: they are derived again while this serves");
        return Ok(());
    }
    app.index.follow().await.context("cannot bring the archive up to date")?;
    Ok(())
}

async fn follow(app: Arc<App>) {
    loop {
        tokio::time::sleep(FOLLOWING).await;
        if let Err(error) = app.index.follow().await {
            tracing::warn!(%error, "the archive could not follow the log; it tries again");
        }
        if let Err(error) = statistics::count_some(&app).await {
            tracing::warn!(%error, "the statistics could not be brought up to date; it is tried again");
        }
    }
}

async fn check(app: Arc<App>) {
    loop {
        tokio::time::sleep(FOLLOWING).await;
        if let Err(error) = app.checks.check_some().await {
            tracing::warn!(%error, "the archive could not check what changed; it tries again");
        }
    }
}

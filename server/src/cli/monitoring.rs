//! What watches over this node: metrics for Prometheus, and alerts by webhook.
//!
//! The metrics have an address of their own. They tell more than the public may know: how many receipts are outstanding says
//! that a seat has sent something before its decision closes.

use std::net::SocketAddr;

use anyhow::Context;
use app::monitoring::{AlertWebhook, CONTENT_TYPE, Monitor};
use app::workers::Workers;
use axum::Router;
use axum::extract::State;
use axum::http::{Uri, header};
use axum::response::IntoResponse;
use axum::routing::get;
use clap::Args;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// Who is told how this node is.
#[derive(Debug, Args)]
pub(crate) struct Monitoring {
    /// Serve metrics for Prometheus at /metrics of this address, such as 127.0.0.1:9464. Without it there are none.
    ///
    /// Not at the site's own address: they say how many receipts are outstanding, and so whether a player has sent something
    /// before the decision closes. Nobody may reach this address but whoever watches over the site.
    #[arg(long, env = "MATCHBOOK_METRICS_LISTEN", value_name = "ADDRESS")]
    metrics_listen: Option<SocketAddr>,

    /// Send a message in JSON to this address when something has been wrong for a minute, and when it is well again.
    ///
    /// For sites without Prometheus. It is about: the log is not signed, nothing is accepted, the clock is off, a disk is
    /// nearly full, too few witnesses answer, submissions were put back. Chats that take webhooks show its text.
    #[arg(long, env = "MATCHBOOK_ALERT_WEBHOOK", value_name = "URL", hide_env_values = true, value_parser = web_address)]
    alert_webhook: Option<String>,
}

impl Monitoring {
    /// Listens for Prometheus, if it is to be served. Warns if more than this machine can reach that address.
    pub(super) async fn listen(&self) -> anyhow::Result<Option<TcpListener>> {
        let Some(address) = self.metrics_listen else { return Ok(None) };
        let listener =
            TcpListener::bind(address).await.with_context(|| format!("cannot listen at {address} for the metrics"))?;
        let address = listener.local_addr()?;
        tell!("Metrics are at http://{address}/metrics");
        if !address.ip().is_loopback() {
            tracing::warn!(
                "the metrics at {address} say whether players have sent something before a decision closes: let nobody \
                 reach that address but the machine that watches"
            );
        }
        Ok(Some(listener))
    }

    pub(super) fn start(
        self,
        listener: Option<TcpListener>,
        monitor: Monitor,
        site: &str,
        workers: &Workers,
    ) -> Vec<JoinHandle<()>> {
        let metrics = listener.map(|listener| workers.spawn("metrics", serve(listener, monitor.clone())));
        let alerts = self.alert_webhook.map(|address| {
            let alerts = AlertWebhook::new(monitor, address, site.to_owned());
            workers.spawn("sending of alerts", alerts.run())
        });
        metrics.into_iter().chain(alerts).collect()
    }
}

fn web_address(text: &str) -> Result<String, &'static str> {
    let known = text.starts_with("http://") || text.starts_with("https://");
    if known && text.parse::<Uri>().is_ok() { Ok(text.to_owned()) } else { Err("it is an http: or https: address") }
}

async fn serve(listener: TcpListener, monitor: Monitor) {
    let routes = Router::new().route("/metrics", get(show)).with_state(monitor);
    if let Err(error) = axum::serve(listener, routes).await {
        tracing::error!(%error, "the metrics are served no more");
    }
}

async fn show(State(monitor): State<Monitor>) -> impl IntoResponse {
    // A connection that stays open would keep the app, and with it the end of the program.
    ([(header::CONTENT_TYPE, CONTENT_TYPE), (header::CONNECTION, "close")], monitor.text().await)
}

//! What this process counts and measures from its start, for its operator alone. The labels are few and known beforehand:
//! patterns of addresses, and never an address, a match or a name.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

const SECONDS: [f64; 9] = [0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 6.0, 15.0];
const METHODS: [&str; 5] = ["GET", "HEAD", "POST", "DELETE", "OPTIONS"];

#[derive(Clone, Debug)]
pub struct Metrics {
    pub(crate) signing_failures: Counter,
    pub(crate) write_probe: Histogram,
    pub(crate) close_lateness: Histogram,
    event_streams: Gauge,
    requests: Family<RouteLabels, Histogram, fn() -> Histogram>,
    responses: Family<StatusLabels, Counter>,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RouteLabels {
    method: &'static str,
    route: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct StatusLabels {
    status: &'static str,
}

#[derive(Debug)]
pub struct OpenStream(Gauge);

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            signing_failures: Counter::default(),
            write_probe: times(),
            close_lateness: times(),
            event_streams: Gauge::default(),
            requests: Family::new_with_constructor(times),
            responses: Family::default(),
        }
    }
}

fn times() -> Histogram {
    Histogram::new(SECONDS)
}

impl Metrics {
    /// A request was answered, or given up where it has no status. `route` is the pattern of its address; `took` is the time
    /// until then.
    pub fn answered(&self, method: &str, route: &str, status: Option<u16>, took: Duration) {
        let method = METHODS.into_iter().find(|known| *known == method).unwrap_or("other");
        let of_route = RouteLabels { method, route: route.to_owned() };
        self.requests.get_or_create(&of_route).observe(took.as_secs_f64());
        let status = match status.map(|status| status / 100) {
            Some(1) => "1xx",
            Some(2) => "2xx",
            Some(3) => "3xx",
            Some(4) => "4xx",
            Some(_) => "5xx",
            None => "unanswered",
        };
        self.responses.get_or_create(&StatusLabels { status }).inc();
    }

    #[must_use]
    pub fn open_stream(&self) -> OpenStream {
        self.event_streams.inc();
        OpenStream(self.event_streams.clone())
    }

    pub(crate) fn register(&self, registry: &mut Registry) {
        registry.register(
            "signing_failures",
            "Attempts to sign a checkpoint that failed, or that found a reason not to sign",
            self.signing_failures.clone(),
        );
        registry.register_with_unit(
            "write_probe",
            "Time that the database took to store that this node can take moves",
            Unit::Seconds,
            self.write_probe.clone(),
        );
        registry.register_with_unit(
            "close_lateness",
            "Time between the moment when a decision was due and its close",
            Unit::Seconds,
            self.close_lateness.clone(),
        );
        registry.register("event_streams", "Open streams of spectators", self.event_streams.clone());
        registry.register_with_unit(
            "request",
            "Time until an answer began, by method and pattern of the address",
            Unit::Seconds,
            self.requests.clone(),
        );
        registry.register("responses", "Requests by the class of their answer's status; unanswered where nobody waited any more, or it took too long", self.responses.clone());
    }
}

#[cfg(test)]
mod tests {
    use prometheus_client::encoding::prometheus_text::encode;

    use super::*;

    #[test]
    fn a_made_up_method_is_no_label() {
        let metrics = Metrics::default();
        for method in ["GET", "POST", "BREW", "X1", "X2"] {
            metrics.answered(method, "/m/{slug}", Some(200), Duration::from_millis(20));
        }
        let stream = metrics.open_stream();
        let mut registry = Registry::with_prefix("matchbook");
        metrics.register(&mut registry);
        let mut text = String::new();
        encode(&mut text, &registry).unwrap();
        let count =
            |method: &str| format!("matchbook_request_seconds_count{{method=\"{method}\",route=\"/m/{{slug}}\"}}");
        for (method, times) in [("GET", 1), ("POST", 1), ("other", 3)] {
            assert!(text.contains(&format!("{} {times}\n", count(method))), "{text}");
        }
        assert!(text.contains("matchbook_responses_total{status=\"2xx\"} 5\n"), "{text}");
        assert!(text.contains("matchbook_event_streams 1\n") && !text.contains("BREW"), "{text}");
        drop(stream);
        assert_eq!(metrics.event_streams.get(), 0);
    }
}

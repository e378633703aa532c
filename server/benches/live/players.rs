//! Players who each send one form over an open connection, at some moment of the last second.

use std::time::Duration;

use ledger::Moment;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::Instant;

use crate::tables::{Place, Site, Table};

/// The time before the deadline in which they send.
const LAST: Duration = Duration::from_secs(1);

/// The answer to one of them.
pub(crate) struct Answer {
    /// The time from the first byte sent to the last byte read.
    pub(crate) took: Duration,
    pub(crate) receipt: bool,
}

/// All players submit in the last second before the deadline, spread evenly.
pub(crate) async fn submit(site: &Site, tables: &[Table], deadline: Moment) -> Vec<Answer> {
    let places: Vec<&Place> = tables.iter().flat_map(|table| &table.places).collect();
    let mut connections = Vec::new();
    for place in &places {
        let stream = TcpStream::connect(site.address).await.expect("connects");
        stream.set_nodelay(true).expect("a socket");
        connections.push((stream, request(site, place, connections.len())));
    }
    let left = crate::until(site.app.system().now(), deadline);
    let first = Instant::now() + left.saturating_sub(LAST);
    let apart = (LAST - Duration::from_millis(10)) / u32::try_from(places.len().max(1)).expect("not that many");
    let mut sending = Vec::new();
    for (n, (stream, request)) in connections.into_iter().enumerate() {
        let at = first + apart * u32::try_from(n).expect("not that many");
        sending.push(tokio::spawn(one(stream, request, at)));
    }
    let mut answers = Vec::new();
    for one in sending {
        answers.push(one.await.expect("an answer"));
    }
    answers
}

/// The form of a browser without scripts: the server seals it.
fn request(site: &Site, place: &Place, n: usize) -> String {
    let form = site.form();
    let body = format!("decision={}&submit={form}&move={}", place.decision, ["grow", "claim"][n % 2]);
    format!(
        "POST {}/submit HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\nSec-Fetch-Site: same-origin\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
        place.home,
        site.address,
        place.cookie,
        body.len()
    )
}

async fn one(mut stream: TcpStream, request: String, at: Instant) -> Answer {
    tokio::time::sleep_until(at).await;
    let sent = Instant::now();
    stream.write_all(request.as_bytes()).await.expect("writes");
    let mut answer = Vec::with_capacity(8192);
    loop {
        assert!(stream.read_buf(&mut answer).await.expect("reads") > 0, "the server hung up");
        let text = String::from_utf8_lossy(&answer);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.split("content-length: ").nth(1).and_then(|rest| rest.lines().next()?.parse().ok());
        if body.len() >= length.unwrap_or(0) {
            let receipt = head.starts_with("HTTP/1.1 303") && body.starts_with("matchbook/receipt/1\n");
            return Answer { took: sent.elapsed(), receipt };
        }
    }
}

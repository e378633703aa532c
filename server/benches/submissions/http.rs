//! Players who send forms over open connections, and wait for each receipt.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::Instant;

use crate::Turn;
use crate::tables::{CLOSES, Chairs, EACH, Place, Site};

static FORMS: AtomicU64 = AtomicU64::new(1);

/// An open connection, and the last data read from it.
struct Connection {
    stream: TcpStream,
    address: String,
    answer: Vec<u8>,
}

impl Connection {
    async fn open(site: &Site) -> Self {
        let stream = TcpStream::connect(site.address).await.expect("connects");
        stream.set_nodelay(true).expect("a socket");
        Self { stream, address: site.address.to_string(), answer: Vec::with_capacity(8192) }
    }

    /// Sends a request, and returns the body of its answer.
    async fn ask(&mut self, request: &str) -> (&str, &str) {
        self.stream.write_all(request.as_bytes()).await.expect("writes");
        self.answer.clear();
        loop {
            assert!(self.stream.read_buf(&mut self.answer).await.expect("reads") > 0, "the server hung up");
            let text = std::str::from_utf8(&self.answer).expect("text");
            let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
            let length = head.split("content-length: ").nth(1).and_then(|rest| rest.lines().next()?.parse().ok());
            if body.len() >= length.unwrap_or(0) {
                break;
            }
        }
        std::str::from_utf8(&self.answer).expect("text").split_once("\r\n\r\n").expect("an answer")
    }

    /// The form of a browser without scripts: the server seals it.
    async fn submit(&mut self, place: &Place, text: &str) {
        let form = FORMS.fetch_add(1, Ordering::Relaxed);
        let body = format!("decision={}&submit={form:032x}&move={text}", place.decision);
        let request = format!(
            "POST {}/submit HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\nSec-Fetch-Site: same-origin\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
            place.home,
            self.address,
            place.cookie,
            body.len()
        );
        let (head, receipt) = self.ask(&request).await;
        assert!(
            head.starts_with("HTTP/1.1 303") && receipt.starts_with("matchbook/receipt/1\n"),
            "{head}\n\n{receipt}"
        );
    }

    /// The file of a seat's first receipt, with the proof if there is one.
    async fn proof(&mut self, place: &Place) {
        let request = format!(
            "GET {}/receipt/{}/0/file HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n\r\n",
            place.home, place.decision, self.address, place.cookie
        );
        let (head, file) = self.ask(&request).await;
        assert!(head.starts_with("HTTP/1.1 200"), "{head}\n\n{file}");
        let file = record::receipts::ReceiptFile::read(file.as_bytes()).expect("a file of receipts");
        assert!(file.is_proven(), "no proof yet");
    }
}

/// Submissions by this many players at once, while other decisions close: the durable submissions, and the times from
/// the close to the proof.
pub(crate) async fn load(site: &Arc<Site>, chairs: Chairs, submitters: u32, time: Duration) -> (Turn, Turn) {
    let queue = Arc::new(Mutex::new(chairs.submitting));
    let mut closing = Vec::new();
    let mut connection = Connection::open(site).await;
    for pair in chairs.closing {
        connection.submit(&pair[0], "grow").await;
        connection.submit(&pair[1], "claim").await;
        closing.push(pair);
    }
    let stop = Arc::new(AtomicBool::new(false));
    let start = Instant::now();
    let submitting: Vec<_> = (0..submitters)
        .map(|_| {
            let (site, queue, stop) = (site.clone(), queue.clone(), stop.clone());
            tokio::spawn(async move {
                let mut connection = Connection::open(&site).await;
                let mut took = Vec::new();
                while !stop.load(Ordering::Relaxed) {
                    let place = queue.lock().expect("a queue").pop().expect("enough seats were laid");
                    for n in 0..EACH {
                        if stop.load(Ordering::Relaxed) {
                            break;
                        }
                        let sent = Instant::now();
                        connection.submit(&place, ["grow", "claim"][n as usize % 2]).await;
                        took.push(u64::try_from(sent.elapsed().as_micros()).expect("not that long"));
                    }
                }
                took
            })
        })
        .collect();
    let proving = tokio::spawn(close(site.clone(), closing, connection));
    tokio::time::sleep(time).await;
    stop.store(true, Ordering::Relaxed);
    let mut turn = Turn::default();
    for task in submitting {
        turn.took.extend(task.await.expect("ends"));
    }
    turn.rate = turn.took.len() as f64 / start.elapsed().as_secs_f64();
    (turn, proving.await.expect("ends"))
}

/// Closes one decision after the other, spread evenly: measures from the close until the player has the proof.
async fn close(site: Arc<Site>, closing: Vec<[Place; 2]>, mut connection: Connection) -> Turn {
    let mut turn = Turn::default();
    let mut ticks = tokio::time::interval(Duration::from_micros(1_000_000 / CLOSES));
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let start = Instant::now();
    for pair in &closing {
        ticks.tick().await;
        let closed = Instant::now();
        site.app.recorder.close_now(&site.act(), pair[0].match_id, &pair[0].decision).await.expect("closes");
        connection.proof(&pair[0]).await;
        turn.took.push(u64::try_from(closed.elapsed().as_micros()).expect("not that long"));
    }
    turn.rate = turn.took.len() as f64 / start.elapsed().as_secs_f64();
    turn
}

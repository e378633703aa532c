//! Spectators, in a separate process: each reads its stream, and notes the time of each round's event.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::sync::{Arc, Mutex};

use app::slug;
use app::system::System;
use ledger::MatchId;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::TcpStream;
use tokio::process::{Child, ChildStdout, Command};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::site::Site;

/// The argument that selects the spectators' process.
pub(crate) const WORD: &str = "--watch";
/// The number of simultaneous connection attempts.
const CONNECTING: usize = 200;

/// A handle of the spectators' process.
pub(crate) struct Watching {
    child: Child,
    said: Lines<BufReader<ChildStdout>>,
}

impl Watching {
    /// Starts this many spectators, and waits until each has received the current state.
    pub(crate) async fn start(site: &Site, match_id: MatchId, spectators: usize) -> Self {
        let path = format!("/m/{}/events", slug(match_id));
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .args([WORD, &site.address.to_string(), &path, &spectators.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("starts");
        let mut said = BufReader::new(child.stdout.take().expect("its output")).lines();
        assert_eq!(said.next_line().await.expect("a line").as_deref(), Some("ready"));
        Self { child, said }
    }

    /// Ends them, and returns the time of each round's event at each spectator, in microseconds.
    pub(crate) async fn end(mut self) -> BTreeMap<u32, Vec<i64>> {
        drop(self.child.stdin.take());
        let mut came: BTreeMap<u32, Vec<i64>> = BTreeMap::new();
        while let Some(line) = self.said.next_line().await.expect("a line") {
            let (entry, at) = line.split_once(' ').expect("an entry and a time");
            came.entry(entry.parse().expect("a number")).or_default().push(at.parse().expect("a time"));
        }
        self.child.wait().await.expect("ends");
        came
    }
}

/// The spectators' notes: entry and time.
type Noted = Arc<Mutex<Vec<(u32, i64)>>>;

/// Reads the streams until the standard input is closed, then prints the notes.
pub(crate) async fn watch(address: &str, path: &str, spectators: usize) {
    let (noted, connecting) = (Noted::default(), Arc::new(Semaphore::new(CONNECTING)));
    let seen = Arc::new(Semaphore::new(0));
    let mut streams = JoinSet::new();
    for _ in 0..spectators {
        let permit = connecting.clone().acquire_owned().await.expect("a permit");
        let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nAccept: text/event-stream\r\n\r\n");
        let (address, noted, seen) = (address.to_owned(), noted.clone(), seen.clone());
        streams.spawn(async move {
            let mut stream = TcpStream::connect(address).await.expect("connects");
            stream.write_all(request.as_bytes()).await.expect("writes");
            let mut permit = Some(permit);
            let mut reading = Reading::default();
            let (system, mut read) = (System::real(), vec![0; 4096]);
            loop {
                let count = stream.read(&mut read).await.expect("reads");
                assert!(count > 0, "the server hung up");
                let at = system.now().micros();
                for told in reading.take(&read[..count]) {
                    match told {
                        Told::Round(entry) => noted.lock().expect("a list").push((entry, at)),
                        Told::Now if permit.take().is_some() => seen.add_permits(1),
                        Told::Now => {}
                    }
                }
            }
        });
    }
    let all = u32::try_from(spectators).expect("not that many");
    let _all = tokio::select! {
        all = seen.acquire_many(all) => all.expect("all of them"),
        ended = streams.join_next() => panic!("a spectator was sent away: {ended:?}"),
    };
    println!("ready");
    let closed = tokio::task::spawn_blocking(|| std::io::stdin().read_line(&mut String::new()));
    closed.await.expect("ends").expect("reads");
    let noted = noted.lock().expect("a list").clone();
    for (entry, at) in noted {
        println!("{entry} {at}");
    }
    std::process::exit(0);
}

/// An event.
enum Told {
    /// A round was resolved, by this entry.
    Round(u32),
    /// The current state of the match.
    Now,
}

/// The beginning of an incomplete line, and the last id.
#[derive(Default)]
struct Reading {
    line: Vec<u8>,
    id: u32,
}

/// Longer lines contain a state, whose beginning is enough.
const LINE_MAX: usize = 64;

impl Reading {
    fn take(&mut self, read: &[u8]) -> Vec<Told> {
        let mut told = Vec::new();
        for (n, piece) in read.split(|byte| *byte == b'\n').enumerate() {
            if n > 0 {
                told.extend(self.line());
                self.line.clear();
            }
            let room = LINE_MAX.saturating_sub(self.line.len());
            self.line.extend(piece.iter().take(room));
        }
        told
    }

    fn line(&mut self) -> Option<Told> {
        let line = std::str::from_utf8(&self.line).unwrap_or_default();
        if let Some(id) = line.strip_prefix("id: ") {
            self.id = id.parse().expect("a number");
        }
        match line {
            "event: resolved" => Some(Told::Round(self.id)),
            "event: now" => Some(Told::Now),
            _ => None,
        }
    }
}

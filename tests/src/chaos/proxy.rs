//! A proxy before PostgreSQL that cuts answers just behind a commit: whoever asked cannot know whether it happened. It knows
//! as much of PostgreSQL's messages as that takes.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::watch;
use tokio::time::Instant;

/// The cuts that are to come, and those that happened.
#[derive(Default)]
pub(super) struct Cuts {
    /// How many answers are to be cut.
    wanted: usize,
    /// Of the answers, every which one; 0 cuts none.
    every: usize,
    passed: usize,
    happened: Vec<Instant>,
}

#[derive(Clone)]
pub(super) struct Proxy {
    cuts: Arc<watch::Sender<Cuts>>,
    pub(super) port: u16,
}

impl Proxy {
    /// Listens before the server with this socket.
    pub(super) async fn before(socket: PathBuf) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let proxy = Self { cuts: Arc::default(), port: listener.local_addr()?.port() };
        let cuts = proxy.cuts.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (socket, cuts) = (socket.clone(), cuts.clone());
                tokio::spawn(async move {
                    // Where the server is away, the client loses its connection, as without the proxy.
                    if let Ok(server) = UnixStream::connect(socket).await {
                        let _ = carry(client, server, &cuts).await;
                    }
                });
            }
        });
        Ok(proxy)
    }

    /// Cuts this many answers, every so manyth that follows a commit.
    pub(super) fn cut(&self, wanted: usize, every: usize) {
        self.cuts.send_replace(Cuts { wanted, every, ..Cuts::default() });
    }

    /// Waits until enough cuts have happened, and gives their times.
    pub(super) async fn happened(&self) -> Result<Vec<Instant>> {
        let mut cuts = self.cuts.subscribe();
        let enough = cuts.wait_for(|cuts| cuts.happened.len() >= cuts.wanted).await?;
        Ok(enough.happened.clone())
    }
}

impl Cuts {
    /// True if this answer, which follows a commit, is to be cut.
    fn takes(&mut self) -> bool {
        if self.happened.len() >= self.wanted {
            return false;
        }
        self.passed += 1;
        let takes = self.passed.is_multiple_of(self.every);
        if takes {
            self.happened.push(Instant::now());
        }
        takes
    }
}

/// What a client has asked for on a connection.
#[derive(Default)]
struct Asked {
    /// The part of a message that has not come whole.
    rest: Vec<u8>,
    /// True once the first message was read, which has no type.
    started: bool,
    /// The prepared statements: whether each writes.
    writes: HashMap<Vec<u8>, bool>,
    /// True if the next commit writes something.
    pending: bool,
}

impl Asked {
    fn read(&mut self, bytes: &[u8]) {
        self.rest.extend_from_slice(bytes);
        loop {
            let (kind, at) = if self.started { (self.rest.first().copied(), 1) } else { (None, 0) };
            let Some(length) = self.rest.get(at..at + 4).and_then(|length| length.try_into().ok()) else { return };
            let end = at + u32::from_be_bytes(length) as usize;
            if self.rest.len() < end {
                return;
            }
            let message: Vec<u8> = self.rest.drain(..end).skip(at + 4).collect();
            self.started = true;
            let mut words = message.split(|byte| *byte == 0);
            match kind {
                // Parse: the statement's name, and its text.
                Some(b'P') => {
                    let (name, text) = (words.next().unwrap_or_default().to_vec(), words.next().unwrap_or_default());
                    self.writes.insert(name, writes(text));
                }
                // Bind: the portal's name, and the statement's.
                Some(b'B') => {
                    let name = words.nth(1).unwrap_or_default();
                    self.pending |= self.writes.get(name).copied().unwrap_or(false);
                }
                Some(b'Q') => self.pending |= writes(words.next().unwrap_or_default()),
                _ => {}
            }
        }
    }
}

/// True if a statement commits or writes.
fn writes(statement: &[u8]) -> bool {
    let statement = String::from_utf8_lossy(statement).to_ascii_lowercase();
    ["insert into", "update ", "delete from", "commit"].iter().any(|word| statement.contains(word))
}

/// Carries both ways until one ends, or an answer is cut.
async fn carry(mut client: TcpStream, mut server: UnixStream, cuts: &watch::Sender<Cuts>) -> Result<()> {
    let (mut request, mut answer) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    let (mut asked, mut held) = (Asked::default(), Vec::new());
    client.set_nodelay(true)?;
    loop {
        tokio::select! {
            size = client.read(&mut request) => {
                let size = size?;
                asked.read(&request[..size]);
                if size == 0 {
                    return Ok(());
                }
                server.write_all(&request[..size]).await?;
            }
            size = server.read(&mut answer) => {
                let size = size?;
                if size == 0 {
                    return Ok(());
                }
                let bytes = &answer[..size];
                if asked.pending {
                    // The answer is held until it is whole: ReadyForQuery follows the commit.
                    held.extend_from_slice(bytes);
                    let is_ready = held.len() >= 6 && held[held.len() - 6..held.len() - 1] == *b"Z\0\0\0\x05";
                    if !is_ready {
                        continue;
                    }
                    let committed = held.ends_with(b"I");
                    if committed && cuts.send_if_modified(Cuts::takes) {
                        return Ok(());
                    }
                    asked.pending = !committed;
                    client.write_all(&held).await?;
                    held.clear();
                } else {
                    client.write_all(bytes).await?;
                }
            }
        }
    }
}

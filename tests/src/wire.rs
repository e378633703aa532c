//! A connection to a database that can be cut, blocked, and restored.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use sqlx::postgres::PgConnectOptions;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpStream, UnixListener, UnixStream};
use tokio::sync::watch;

/// The state of the connection.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wire {
    Whole,
    /// Connections are lost, and no new ones are accepted.
    Cut,
    /// No data passes, and none is lost.
    Stuck,
}

pub(crate) struct Line {
    pub(crate) folder: PathBuf,
    wire: Arc<watch::Sender<Wire>>,
}

impl Line {
    pub(crate) fn laid(target: PgConnectOptions) -> Result<Self> {
        let name = target.get_database().context("a database")?.to_owned();
        let folder = std::env::temp_dir().join(format!("{name}_line"));
        std::fs::create_dir(&folder)?;
        let listener = UnixListener::bind(folder.join(format!(".s.PGSQL.{}", target.get_port())))?;
        let wire = Arc::new(watch::Sender::new(Wire::Whole));
        let mut state = wire.subscribe();
        let held = wire.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                if *state.borrow_and_update() == Wire::Cut {
                    continue;
                }
                tokio::spawn(carry(client, target.clone(), held.subscribe()));
            }
        });
        Ok(Self { folder, wire })
    }

    pub(crate) fn becomes(&self, wire: Wire) {
        self.wire.send_replace(wire);
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

async fn carry(mut client: UnixStream, target: PgConnectOptions, mut wire: watch::Receiver<Wire>) -> Result<()> {
    if let Some(folder) = target.get_socket() {
        let server = UnixStream::connect(folder.join(format!(".s.PGSQL.{}", target.get_port()))).await?;
        between(&mut client, server, &mut wire).await
    } else {
        let server = TcpStream::connect((target.get_host(), target.get_port())).await?;
        between(&mut client, server, &mut wire).await
    }
}

async fn between(
    client: &mut UnixStream,
    mut server: impl tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
    wire: &mut watch::Receiver<Wire>,
) -> Result<()> {
    loop {
        let now = *wire.borrow_and_update();
        match now {
            Wire::Cut => return Ok(()),
            Wire::Stuck => wire.changed().await?,
            Wire::Whole => tokio::select! {
                done = copy_bidirectional(client, &mut server) => return Ok(done.map(|_| ())?),
                changed = wire.changed() => changed?,
            },
        }
    }
}

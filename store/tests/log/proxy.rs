//! A connection between the writer and PostgreSQL that can be cut at the worst moments.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpStream, UnixListener, UnixStream};

/// The moment of a cut, counted from the next bytes that the client sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// They never arrive.
    BeforeTheRequest,
    /// They arrive and are answered, and the answer never arrives.
    BeforeTheAnswer,
    /// From the next row on that is read in a transaction, nothing is carried any more, as if the client's machine had frozen.
    InATransaction,
    /// The client loses the connection at once, and they still arrive, with this delay.
    WithTheRequestDelayed(Duration),
}

pub(crate) struct Proxy {
    folder: PathBuf,
    next: Arc<Mutex<Option<Cut>>>,
}

trait Wire: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Wire for T {}

impl Proxy {
    /// Listens on its own socket, in a folder named after the database.
    pub(crate) fn start(name: &str, target: PgConnectOptions) -> Self {
        let folder = std::env::temp_dir().join(format!("{name}_proxy"));
        std::fs::create_dir(&folder).expect("a folder for the socket");
        let listener = UnixListener::bind(folder.join(format!(".s.PGSQL.{}", target.get_port()))).expect("listens");
        let next = Arc::new(Mutex::new(None));
        let cuts = Arc::clone(&next);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server: Box<dyn Wire> = match target.get_socket() {
                    Some(folder) => {
                        let socket = folder.join(format!(".s.PGSQL.{}", target.get_port()));
                        Box::new(UnixStream::connect(socket).await.expect("connects"))
                    }
                    None => {
                        Box::new(TcpStream::connect((target.get_host(), target.get_port())).await.expect("connects"))
                    }
                };
                tokio::spawn(carry(client, server, Arc::clone(&cuts)));
            }
        });
        Self { folder, next }
    }

    /// The same database through this connection.
    pub(crate) fn options(&self, target: &PgConnectOptions) -> PgConnectOptions {
        target.clone().socket(&self.folder)
    }

    /// Cuts the connection once.
    pub(crate) fn cut(&self, cut: Cut) {
        *self.next.lock().expect("not poisoned") = Some(cut);
    }

    /// True if the requested cut has happened.
    pub(crate) fn was_cut(&self) -> bool {
        self.next.lock().expect("not poisoned").is_none()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

async fn carry(mut client: UnixStream, mut server: Box<dyn Wire>, cuts: Arc<Mutex<Option<Cut>>>) {
    let (mut request, mut answer) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        tokio::select! {
            Ok(size @ 1..) = client.read(&mut request) => {
                let cut = cuts.lock().expect("not poisoned").take();
                let request = &request[..size];
                match cut {
                    // It is for what the server answers.
                    Some(Cut::InATransaction) => {
                        *cuts.lock().expect("not poisoned") = Some(Cut::InATransaction);
                        server.write_all(request).await.expect("is sent");
                    }
                    None => server.write_all(request).await.expect("is sent"),
                    Some(Cut::BeforeTheRequest) => return,
                    Some(Cut::BeforeTheAnswer) => {
                        server.write_all(request).await.expect("is sent");
                        // ReadyForQuery, the server's last message after a commit.
                        let mut heard = Vec::new();
                        while !heard.ends_with(b"Z\0\0\0\x05I") {
                            let size = server.read(&mut answer).await.expect("is answered");
                            heard.extend_from_slice(&answer[..size]);
                        }
                        return;
                    }
                    Some(Cut::WithTheRequestDelayed(delay)) => {
                        drop(client);
                        tokio::time::sleep(delay).await;
                        server.write_all(request).await.expect("is sent");
                        // The server process lives on until it has finished its work.
                        let _ = server.read(&mut answer).await;
                        return;
                    }
                }
            }
            Ok(size @ 1..) = server.read(&mut answer) => {
                // One row, CloseComplete, and ReadyForQuery in a transaction.
                if answer[..size].ends_with(b"SELECT 1\x003\0\0\0\x04Z\0\0\0\x05T")
                    && cuts.lock().expect("not poisoned").take_if(|cut| *cut == Cut::InATransaction).is_some()
                {
                    return std::future::pending().await;
                }
                if client.write_all(&answer[..size]).await.is_err() {
                    return;
                }
            }
            else => return,
        }
    }
}

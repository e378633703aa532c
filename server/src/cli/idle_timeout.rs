//! Closes idle connections: a client that sends a request byte by byte, or nothing at all, occupies a connection for a
//! minute or two and not forever. Streams of events are never idle for so long. One range of addresses has no more than so
//! many of them.
//!
//! Each connection is checked from time to time. It is closed if nothing was read or written since the last check, or
//! if a request had begun before that check and is still unanswered. So every request has at least one full interval.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use app::account::subnet;
use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Sleep, sleep};

/// The interval of checks. A request must arrive completely and be answered within it; the slowest takes a quarter of
/// it.
const INTERVAL: Duration = Duration::from_secs(75);

/// The most connections of a range of addresses at once: a tournament of two hundred that shares one has as many.
const RANGE_MAX: usize = 1_200;

#[derive(Debug)]
pub(super) struct IdleTimeout {
    listener: TcpListener,
    interval: Duration,
    open: Arc<OpenConnections>,
}

impl IdleTimeout {
    /// Behind a proxy all connections come from one address, which has no limit.
    pub(super) fn new(listener: TcpListener, behind_proxy: bool) -> Self {
        let most = if behind_proxy { usize::MAX } else { RANGE_MAX };
        Self { listener, interval: INTERVAL, open: Arc::new(OpenConnections { most, of: Mutex::default() }) }
    }
}

#[derive(Debug)]
struct OpenConnections {
    most: usize,
    of: Mutex<HashMap<Vec<u8>, usize>>,
}

#[derive(Debug)]
struct Counted {
    open: Arc<OpenConnections>,
    range: Vec<u8>,
}

impl OpenConnections {
    /// Counts one more; none if its range has its part. This machine's own programs are not limited.
    fn count(self: &Arc<Self>, from: IpAddr) -> Option<Counted> {
        let range = subnet(from);
        let mut of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        let open = of.entry(range.clone()).or_default();
        if *open >= self.most && !from.to_canonical().is_loopback() {
            return None;
        }
        *open += 1;
        Some(Counted { open: self.clone(), range })
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut of = self.open.of.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(open) = of.get_mut(&self.range) else { return };
        *open -= 1;
        if *open == 0 {
            of.remove(&self.range);
        }
    }
}

impl Listener for IdleTimeout {
    type Io = Connection<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            // The listener's own way of accepting, which waits if the system has no more file descriptors.
            let (stream, address) = Listener::accept(&mut self.listener).await;
            // One too many is closed.
            if let Some(counted) = self.open.count(address.ip()) {
                return (Connection { _counted: Some(counted), ..Connection::new(stream, self.interval) }, address);
            }
        }
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.listener.local_addr()
    }
}

#[derive(Debug)]
pub(super) struct Connection<S> {
    pub(super) stream: S,
    interval: Duration,
    check: Pin<Box<Sleep>>,
    wrote: bool,
    /// True if something was read since then, and after the last write.
    begun: bool,
    /// True if something was read before the last check, and nothing was written since.
    owed: bool,
    _counted: Option<Counted>,
}

impl<S> Connection<S> {
    fn new(stream: S, interval: Duration) -> Self {
        Self {
            stream,
            interval,
            check: Box::pin(sleep(interval)),
            wrote: false,
            begun: false,
            owed: false,
            _counted: None,
        }
    }

    /// True if a check is due and the connection was idle since the last one. Otherwise the waiting task is woken for
    /// the next check.
    fn is_over(&mut self, context: &mut Context<'_>) -> bool {
        while self.check.as_mut().poll(context).is_ready() {
            if !self.wrote && (self.owed || !self.begun) {
                return true;
            }
            (self.wrote, self.begun, self.owed) = (false, false, self.begun);
            let next = sleep(self.interval);
            self.check.as_mut().set(next);
        }
        false
    }

    fn written(&mut self, result: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if matches!(result, Poll::Ready(Ok(1..))) {
            (self.wrote, self.begun, self.owed) = (true, false, false);
        }
        result
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Connection<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.is_over(context) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        let before = buffer.filled().len();
        let result = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.begun |= buffer.filled().len() > before;
        result
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Connection<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.written(result)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.written(result)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::routing::get;
    use axum::serve::ListenerExt;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    /// A server with this interval.
    async fn server(interval: Duration) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let site = Router::new().route("/", get(async || "here")).into_make_service_with_connect_info::<SocketAddr>();
        let listener = IdleTimeout { interval, ..IdleTimeout::new(listener, false) }.tap_io(|_| {});
        tokio::spawn(async move { axum::serve(listener, site).await });
        address
    }

    #[test]
    fn a_range_of_addresses_has_its_part_and_no_more() {
        let open = Arc::new(OpenConnections { most: 2, of: Mutex::default() });
        let from = |address: &str| open.count(address.parse().unwrap());
        let (one, other) = (from("203.0.113.7"), from("203.0.113.8"));
        assert!(one.is_some() && other.is_some() && from("203.0.113.9").is_none() && from("203.0.114.9").is_some());
        drop(one);
        assert!(from("203.0.113.9").is_some());
        assert!([(); 9].map(|()| from("127.0.0.1")).iter().all(Option::is_some));
        drop(other);
        assert!(open.of.lock().unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_request_that_never_ends_is_let_go() {
        let address = server(Duration::from_millis(100)).await;
        for begun in
            ["", "GET / HTTP/1.1\r\nhost: x\r\nx-slow: ", "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\na"]
        {
            let mut connection = TcpStream::connect(address).await.unwrap();
            connection.write_all(begun.as_bytes()).await.unwrap();
            let mut answer = Vec::new();
            // The connection is closed or reset; without the listener this would wait forever.
            let _ = connection.read_to_end(&mut answer).await;
            assert!(!String::from_utf8_lossy(&answer).contains("200 OK"), "{begun}");
        }
    }

    #[tokio::test]
    async fn what_is_answered_is_not_quiet() {
        let address = server(Duration::from_secs(3600)).await;
        let mut connection = TcpStream::connect(address).await.unwrap();
        for _ in 0..3 {
            connection.write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
            let mut answer = Vec::new();
            while !answer.ends_with(b"here") {
                assert!(connection.read_buf(&mut answer).await.unwrap() > 0);
            }
        }
    }

    #[tokio::test]
    async fn a_request_has_a_whole_while_and_no_more() {
        let (near, mut far) = tokio::io::duplex(64);
        let hour = Duration::from_secs(3600);
        let mut near = Connection::new(near, hour);
        // One check is due, and the next is far away.
        let checks = async |near: &mut Connection<tokio::io::DuplexStream>| {
            near.check = Box::pin(sleep(Duration::ZERO));
            near.check.as_mut().await;
            std::future::poll_fn(|context| Poll::Ready(near.is_over(context))).await
        };
        far.write_all(b"begun").await.unwrap();
        near.read_exact(&mut [0; 5]).await.unwrap();
        assert!(!checks(&mut near).await, "it began since the last look");
        near.write_all(b"answered").await.unwrap();
        assert!(!checks(&mut near).await, "it was answered");
        far.write_all(b"again").await.unwrap();
        near.read_exact(&mut [0; 5]).await.unwrap();
        assert!(!checks(&mut near).await, "and another began");
        far.write_all(b"byte by byte").await.unwrap();
        near.read_exact(&mut [0; 12]).await.unwrap();
        assert!(checks(&mut near).await, "which never ends");
        let (near, _far) = tokio::io::duplex(64);
        assert!(checks(&mut Connection::new(near, hour)).await, "nothing came at all");
    }
}

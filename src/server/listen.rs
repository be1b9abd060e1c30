//! Connections as they come in: bounded in number, encrypted if that was asked for, and closed when
//! nothing moves on them.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};
use tokio::time::{Instant, Sleep, sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::server::Connected;
use tracing::{debug, warn};

use crate::auth::Peer;
use crate::types::limits::{CONNECTION_IDLE_SECONDS_MAX, HANDSHAKE_SECONDS_MAX};

/// Connections that wait to be served: they are taken at once.
const WAITING_MAX: usize = 64;
/// The rest after the system had no more sockets to give.
const REST: Duration = Duration::from_millis(50);

const IDLE: Duration = Duration::from_secs(CONNECTION_IDLE_SECONDS_MAX);

/// Takes connections until it is asked to stop. One over the bound is closed at once, so that who is
/// there already is served.
pub(super) fn incoming(
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    connections_max: usize,
    mut stopping: watch::Receiver<bool>,
) -> ReceiverStream<io::Result<Connection>> {
    let (sender, receiver) = mpsc::channel(WAITING_MAX);
    let places = Arc::new(Semaphore::new(connections_max));
    tokio::spawn(async move {
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = stopping.wait_for(|stop| *stop) => return,
            };
            let (socket, address) = match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    debug!(%error, "a connection could not be taken");
                    sleep(REST).await;
                    continue;
                }
            };
            let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
                warn!(connections_max, "no more connections are taken");
                continue;
            };
            let (sender, tls, peer) = (sender.clone(), tls.clone(), Peer(address));
            tokio::spawn(async move {
                match connected(socket, tls).await {
                    Ok(io) => {
                        // The server has stopped; the connection goes with it.
                        drop(sender.send(Ok(Connection::new(io, peer, place))).await);
                    }
                    Err(error) => debug!(%error, "a connection came to nothing"),
                }
            });
        }
    });
    ReceiverStream::new(receiver)
}

async fn connected(socket: TcpStream, tls: Option<TlsAcceptor>) -> io::Result<Io> {
    socket.set_nodelay(true)?;
    let Some(tls) = tls else { return Ok(Io::Plain(socket)) };
    let shaken = timeout(Duration::from_secs(HANDSHAKE_SECONDS_MAX), tls.accept(socket)).await;
    let stream = shaken.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
    Ok(Io::Tls(Box::new(stream)))
}

enum Io {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

/// One connection, and its place among those there may be.
pub(super) struct Connection {
    io: Io,
    peer: Peer,
    /// Ends the connection when nothing was read or written for so long.
    idle: Pin<Box<Sleep>>,
    _place: OwnedSemaphorePermit,
}

impl Connection {
    fn new(io: Io, peer: Peer, place: OwnedSemaphorePermit) -> Connection {
        Connection { io, peer, idle: Box::pin(sleep(IDLE)), _place: place }
    }

    fn moved<T>(&mut self, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.idle.as_mut().reset(Instant::now() + IDLE);
        }
        polled
    }
}

impl Connected for Connection {
    type ConnectInfo = Peer;

    fn connect_info(&self) -> Peer {
        self.peer
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let polled = match &mut self.io {
            Io::Plain(io) => Pin::new(io).poll_read(cx, buffer),
            Io::Tls(io) => Pin::new(io).poll_read(cx, buffer),
        };
        if polled.is_pending() && self.idle.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        self.moved(polled)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = match &mut self.io {
            Io::Plain(io) => Pin::new(io).poll_write(cx, bytes),
            Io::Tls(io) => Pin::new(io).poll_write(cx, bytes),
        };
        self.moved(polled)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = match &mut self.io {
            Io::Plain(io) => Pin::new(io).poll_write_vectored(cx, pieces),
            Io::Tls(io) => Pin::new(io).poll_write_vectored(cx, pieces),
        };
        self.moved(polled)
    }

    fn is_write_vectored(&self) -> bool {
        match &self.io {
            Io::Plain(io) => io.is_write_vectored(),
            Io::Tls(io) => io.is_write_vectored(),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.io {
            Io::Plain(io) => Pin::new(io).poll_flush(cx),
            Io::Tls(io) => Pin::new(io).poll_flush(cx),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.io {
            Io::Plain(io) => Pin::new(io).poll_shutdown(cx),
            Io::Tls(io) => Pin::new(io).poll_shutdown(cx),
        }
    }
}

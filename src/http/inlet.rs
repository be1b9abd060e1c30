//! The body of a request as messages of protobuf.

use axum::body::Body as PlainBody;
use bytes::{Buf, Bytes, BytesMut};
use tokio::sync::{mpsc, oneshot};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Status;
use tonic::body::Body;

use crate::rpc::status::too_long;
use crate::types::limits::{MESSAGE_BYTES_MAX, STREAM_MESSAGES_MAX};

use super::call::Asked;
use super::content::Framing;
use super::method;

/// Bytes before an enveloped message: one of flags, four of length.
pub(super) const ENVELOPE_BYTES: usize = 5;
/// The message is compressed.
const COMPRESSED: u8 = 1;

/// Messages of one request as they come in, and what went wrong with them, if anything did.
pub(super) struct Inlet {
    pub(super) messages: ReceiverStream<Bytes>,
    pub(super) fault: oneshot::Receiver<Status>,
}

/// The one message of a body.
pub(super) async fn one(asked: &Asked, body: Body) -> Result<Bytes, Status> {
    let mut message = None;
    let mut pieces = Pieces::new(asked.content.framing, body);
    while let Some(found) = pieces.next().await? {
        if message.replace(found).is_some() {
            return Err(Status::unimplemented("the method takes one message"));
        }
    }
    method::read(&asked.method.input(), asked.content.form, message.unwrap_or_default())
}

pub(super) fn stream(asked: &Asked, body: Body) -> Inlet {
    let (sender, receiver) = mpsc::channel(STREAM_MESSAGES_MAX);
    let (report, fault) = oneshot::channel();
    let (kind, content) = (asked.method.input(), asked.content);
    tokio::spawn(async move {
        let mut pieces = Pieces::new(content.framing, body);
        loop {
            let found = pieces.next().await;
            let message = found.and_then(|found| {
                found.map(|found| method::read(&kind, content.form, found)).transpose()
            });
            let message = match message {
                Ok(Some(message)) => message,
                Ok(None) => return,
                Err(status) => {
                    // Told before the messages end, so whoever sees the end finds it.
                    let _ = report.send(status);
                    return;
                }
            };
            if sender.send(message).await.is_err() {
                return;
            }
        }
    });
    Inlet { messages: ReceiverStream::new(receiver), fault }
}

/// A body cut where messages end.
struct Pieces {
    framing: Framing,
    body: axum::body::BodyDataStream,
    held: BytesMut,
    /// Bytes held in which no line ends.
    scanned: usize,
    ended: bool,
}

impl Pieces {
    fn new(framing: Framing, body: Body) -> Pieces {
        let body = PlainBody::new(body).into_data_stream();
        Pieces { framing, body, held: BytesMut::new(), scanned: 0, ended: false }
    }

    async fn next(&mut self) -> Result<Option<Bytes>, Status> {
        loop {
            if let Some(piece) = self.cut()? {
                return Ok(Some(piece));
            }
            if self.ended {
                return self.rest();
            }
            match self.body.next().await {
                Some(Ok(data)) => self.held.extend_from_slice(&data),
                Some(Err(_)) => return Err(Status::cancelled("the body ended early")),
                None => self.ended = true,
            }
        }
    }

    /// The first message held, if it is whole.
    fn cut(&mut self) -> Result<Option<Bytes>, Status> {
        match self.framing {
            Framing::Alone => fits(self.held.len()).map(|()| None),
            Framing::Lines => loop {
                let fresh = &self.held[self.scanned..];
                let Some(end) = fresh.iter().position(|byte| *byte == b'\n') else {
                    self.scanned = self.held.len();
                    fits(self.scanned)?;
                    return Ok(None);
                };
                let line = self.held.split_to(self.scanned + end + 1).freeze();
                self.scanned = 0;
                if !line.trim_ascii().is_empty() {
                    return Ok(Some(line));
                }
            },
            Framing::Enveloped => {
                let Some((flags, length)) = self.envelope() else { return Ok(None) };
                if flags & COMPRESSED != 0 {
                    return Err(Status::unimplemented("messages are not compressed here"));
                }
                fits(length)?;
                if self.held.len() < ENVELOPE_BYTES + length {
                    return Ok(None);
                }
                self.held.advance(ENVELOPE_BYTES);
                Ok(Some(self.held.split_to(length).freeze()))
            }
        }
    }

    fn envelope(&self) -> Option<(u8, usize)> {
        let head = self.held.get(..ENVELOPE_BYTES)?;
        let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]);
        Some((head[0], length as usize))
    }

    /// What is left when the body has ended.
    fn rest(&mut self) -> Result<Option<Bytes>, Status> {
        let rest = self.held.split().freeze();
        self.scanned = 0;
        match self.framing {
            _ if rest.is_empty() => Ok(None),
            Framing::Lines if rest.trim_ascii().is_empty() => Ok(None),
            Framing::Alone | Framing::Lines => Ok(Some(rest)),
            Framing::Enveloped => Err(Status::cancelled("the body ended inside a message")),
        }
    }
}

fn fits(bytes: usize) -> Result<(), Status> {
    if bytes <= MESSAGE_BYTES_MAX { Ok(()) } else { Err(too_long("a message", MESSAGE_BYTES_MAX)) }
}

//! A watcher that goes on from where it stopped: each transaction once, in order, none left out.

use tenure::rpc::proto;
use tonic::Streaming;

use crate::load::{Load, is_gone};
use crate::process::Clients;

pub(crate) struct Watcher {
    pub(crate) place: usize,
    pub(crate) namespace: String,
    /// The last transaction that was seen whole.
    last: u64,
    seen: u64,
    /// The transactions that said that something was erased.
    erasures: Vec<u64>,
}

impl Watcher {
    pub(crate) fn new(place: usize, namespace: &str) -> Watcher {
        Watcher { place, namespace: namespace.to_owned(), last: 0, seen: 0, erasures: Vec::new() }
    }

    async fn open(
        &self,
        clients: &mut Clients,
    ) -> Result<Streaming<proto::WatchFactsResponse>, tonic::Status> {
        let request = proto::WatchFactsRequest {
            namespace: self.namespace.clone(),
            from_tx: Some(self.last + 1),
            pattern: None,
        };
        clients.facts.watch_facts(request).await.map(tonic::Response::into_inner)
    }

    /// Until the server is gone.
    pub(crate) async fn follow(mut self, load: &Load, mut clients: Clients) -> Watcher {
        let gone = match self.open(&mut clients).await {
            Ok(mut stream) => loop {
                match load.tally.timed("watched", stream.message()).await {
                    Ok(message) => self.take(&message.expect("it does not end by itself")),
                    Err(gone) => break gone,
                }
            },
            Err(gone) => gone,
        };
        assert!(is_gone(&gone), "{gone:?}");
        self
    }

    /// What was not seen yet, up to a transaction. Each was seen once, and of those that note an
    /// erasure each said so.
    pub(crate) async fn finish(mut self, clients: &mut Clients, until: u64, erasures: &[u64]) {
        if self.last < until {
            let mut stream = self.open(clients).await.expect("the server is back");
            while self.last < until {
                let message = stream.message().await.expect("a message");
                self.take(&message.expect("it does not end by itself"));
            }
        }
        assert_eq!(self.seen, until, "{}: each is seen once", self.namespace);
        assert_eq!(self.erasures, erasures, "{}", self.namespace);
    }

    fn take(&mut self, message: &proto::WatchFactsResponse) {
        assert_eq!(message.tx, self.last + 1, "{}: each once, none left out", self.namespace);
        if message.erased {
            self.erasures.push(message.tx);
        }
        if !message.continued {
            self.last = message.tx;
            self.seen += 1;
        }
    }
}

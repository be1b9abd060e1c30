//! Who loads the server: writers, readers, erasers and watchers, in several namespaces. Another kind
//! of client is another function beside these and a line in [`Load::run`].

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::RwLock;
use tokio::task::JoinSet;
use tonic::Status;

use crate::erase::erase;
use crate::process::{Clients, Process};
use crate::read::{check_all, read};
use crate::support::reason;
use crate::tally::Tally;
use crate::watch::Watcher;
use crate::write::Writer;

pub(crate) const NAMESPACES: usize = 2;
const WRITERS: u64 = 4;
const READERS: u64 = 4;

/// Numbers that look random and are the same in every run.
#[derive(Clone, Debug)]
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }

    pub(crate) fn instant(&mut self, bound: u64) -> i64 {
        i64::try_from(self.below(bound)).expect("a small number")
    }
}

/// A writer that is at work, and the readers that look at what it knows.
pub(crate) type Shared = Arc<RwLock<Writer>>;

pub(crate) struct Load {
    seed: u64,
    pub(crate) tally: Tally,
    writers: Vec<Shared>,
}

/// What was acknowledged in a namespace.
pub(crate) struct Acknowledged {
    pub(crate) writes: u64,
    /// Transactions that note an erasure, in order.
    pub(crate) erasures: Vec<u64>,
}

/// The name of a namespace, which is gone when the next of its line begins.
pub(crate) fn namespace(place: usize, generation: u64) -> String {
    format!("space {place} of {generation}")
}

/// What a client says of a server that was killed. An error of the server's own has a reason.
pub(crate) fn is_gone(status: &Status) -> bool {
    use tonic::Code::{Cancelled, Internal, Unavailable, Unknown};
    reason(status).is_empty()
        && [Cancelled, Internal, Unavailable, Unknown].contains(&status.code())
}

/// How a task ended: with the server, or with its time.
type Ended = Result<(), Status>;

impl Load {
    pub(crate) fn new(seed: u64, tally: Tally) -> Load {
        let writer = |number| {
            let namespace = namespace(usize::from(number % 2 == 1), 0);
            Arc::new(RwLock::new(Writer::new(&namespace, number, seed)))
        };
        Load { seed, tally, writers: (0..WRITERS).map(writer).collect() }
    }

    /// One life of a server: load until the time is up, then a kill in the middle of it.
    pub(crate) async fn run(
        self: &Arc<Self>,
        process: Process,
        life: u64,
        lasts: Duration,
        watchers: Vec<Watcher>,
    ) -> Vec<Watcher> {
        let mut tasks = JoinSet::new();
        for writer in &self.writers {
            let (load, clients) = (Arc::clone(self), process.connect().await);
            tasks.spawn(write(load, clients, Arc::clone(writer)));
        }
        for number in 0..READERS {
            let dice = Dice(self.seed ^ (life << 40) ^ (number << 16));
            let (load, clients) = (Arc::clone(self), process.connect().await);
            tasks.spawn(reading(load, clients, dice));
        }
        for place in 0..NAMESPACES {
            let (load, clients) = (Arc::clone(self), process.connect().await);
            tasks.spawn(erase(load, clients, self.writers_of(place)));
        }
        let mut watching = JoinSet::new();
        for watcher in watchers {
            let (load, clients) = (Arc::clone(self), process.connect().await);
            watching.spawn(async move { watcher.follow(&load, clients).await });
        }
        tokio::time::sleep(lasts).await;
        process.kill();
        for ended in tasks.join_all().await {
            let status = ended.expect_err("only the kill ends it");
            assert!(is_gone(&status), "{status:?}");
        }
        watching.join_all().await
    }

    /// What was in doubt when the server went is written, once.
    pub(crate) async fn settle(&self, clients: &mut Clients) {
        for writer in &self.writers {
            writer.write().await.settle(clients).await;
        }
    }

    /// Every subject, at the last basis and at some before it.
    pub(crate) async fn check(&self, clients: &mut Clients) {
        for place in 0..NAMESPACES {
            let writers = self.writers_of(place);
            let mut spans = Vec::new();
            for writer in &writers {
                spans.extend_from_slice(&writer.read().await.erasing.spans);
            }
            let rewrote = |tx| spans.iter().any(|(first, noted)| (*first..*noted).contains(&tx));
            for writer in &writers {
                check_all(&*writer.read().await, rewrote, clients).await;
            }
        }
    }

    /// The writers of a namespace.
    pub(crate) fn writers_of(&self, place: usize) -> Vec<Shared> {
        self.writers.iter().skip(place).step_by(NAMESPACES).map(Arc::clone).collect()
    }

    pub(crate) async fn acknowledged(&self, place: usize) -> Acknowledged {
        let mut sum = Acknowledged { writes: 0, erasures: Vec::new() };
        for writer in self.writers_of(place) {
            let writer = writer.read().await;
            sum.writes += writer.acknowledged;
            sum.erasures.extend(writer.erasing.spans.iter().map(|(_, noted)| noted));
        }
        sum.erasures.sort_unstable();
        sum
    }

    /// Lets the writers of a namespace go on in another, of which they know nothing yet.
    pub(crate) async fn move_writers(&self, place: usize, namespace: &str) {
        for writer in self.writers_of(place) {
            let mut writer = writer.write().await;
            *writer = writer.moved(namespace);
        }
    }
}

/// A request is made and noted under the lock, but sent without it, so that readers go on.
async fn write(load: Arc<Load>, mut clients: Clients, writer: Shared) -> Ended {
    loop {
        let pending = writer.write().await.next();
        let sent = clients.facts.transact(pending.request.clone());
        let answer = load.tally.timed("transact", sent).await?.into_inner();
        writer.write().await.acknowledge(&answer);
    }
}

async fn reading(load: Arc<Load>, mut clients: Clients, mut dice: Dice) -> Ended {
    loop {
        let place = dice.below(WRITERS);
        let writer = &load.writers[usize::try_from(place).expect("a place")];
        read(&load.tally, &mut clients, writer, &mut dice).await?;
    }
}

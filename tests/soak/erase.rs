//! Erasers: each takes facts and subjects of the writers of one namespace, by fact and by entity,
//! some with the file written anew. A subject that is being erased is not written about meanwhile.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tenure::rpc::proto;
use tenure::rpc::proto::erase_request::What;
use tonic::Status;

use crate::load::{Dice, Load, Shared};
use crate::model::Without;
use crate::process::Clients;
use crate::read::{Found, look};
use crate::write::{INSTANTS, Writer};

/// An erasure reads the whole log, so it is followed by a rest of so many times what it took.
const REST_TIMES: u32 = 4;
const REST_MIN: Duration = Duration::from_millis(50);
const REST_MAX: Duration = Duration::from_secs(2);
/// Bases at which a subject is looked at whose erasure is in doubt.
const BASES: u64 = 8;
/// Objects that were erased and are looked for in the files at the end.
const ERASED_MAX: usize = 20_000;

/// An erasure that was sent and not answered: after the next start it is sent again to the letter.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub(crate) request: proto::EraseRequest,
    pub(crate) subject: String,
    /// Its only object that goes. None: all of the subject goes.
    object: Option<String>,
}

/// What was erased of one writer's subjects.
#[derive(Debug, Default)]
pub(crate) struct Erasing {
    pub(crate) pending: Option<Pending>,
    pub(crate) begun: u64,
    /// The first transaction that was rewritten, and the one that notes it.
    pub(crate) spans: Vec<(u64, u64)>,
    objects: BTreeSet<String>,
}

impl Pending {
    pub(crate) fn without(&self) -> Without<'_> {
        self.object.as_deref().map_or(Without::All, Without::Object)
    }

    pub(crate) fn kind(&self) -> &'static str {
        if self.request.purge == Some(true) { "purge" } else { "erase" }
    }
}

impl Erasing {
    pub(crate) fn takes(&self, subject: &str) -> bool {
        self.pending.as_ref().is_some_and(|pending| pending.subject == subject)
    }

    /// Whether what was known at a transaction was changed since.
    pub(crate) fn rewrote(&self, tx: u64) -> bool {
        self.spans.iter().any(|(first, noted)| (*first..*noted).contains(&tx))
    }
}

impl Writer {
    /// The next erasure, which is under way from now on; none while nothing is there to erase.
    pub(crate) fn next_erasure(&mut self) -> Option<Pending> {
        let written = self.pending.as_ref().map(|pending| pending.subject.as_str());
        let names = self.model.names().filter(|name| Some(name.as_str()) != written);
        let names: Vec<&String> = names.filter(|name| !self.model.facts(name).is_empty()).collect();
        let place = self.dice.below(u64::MAX).checked_rem(names.len() as u64)?;
        let subject = names[usize::try_from(place).expect("a place")].clone();
        let facts = self.model.facts(&subject);
        let pick = usize::try_from(self.dice.below(facts.len() as u64)).expect("a place");
        let fact = &facts[pick];
        let (what, object) = match self.dice.below(8) {
            0 => (What::Entity(subject.clone()), None),
            1..3 => (What::Entity(fact.object.clone()), Some(fact.object.clone())),
            _ => (What::FactId(fact.fact_id.clone()), Some(fact.object.clone())),
        };
        self.erasing.begun += 1;
        let request = proto::EraseRequest {
            namespace: self.namespace.clone(),
            what: Some(what),
            purge: Some(self.dice.below(4) == 0),
            request_id: format!("{} erasure {}", self.name, self.erasing.begun),
            ..Default::default()
        };
        // Its receipt may go with what it recorded, and then it would be recorded again.
        self.first.take_if(|(first, _)| first.subject == subject);
        let pending = Pending { request, subject, object };
        self.erasing.pending = Some(pending.clone());
        Some(pending)
    }

    pub(crate) fn erased(&mut self, answer: &proto::EraseResponse) {
        let Pending { request, subject, object } =
            self.erasing.pending.take().expect("one is under way");
        let receipt = answer.erasure.as_ref().expect("a receipt");
        let counts = receipt.counts.expect("counts");
        assert!(counts.statements > 0 && counts.facts > 0, "{request:?}: {receipt:?}");
        assert!(receipt.first_tx > 0 && receipt.first_tx < receipt.tx, "{receipt:?}");
        assert!(receipt.purged || request.purge != Some(true), "{receipt:?}");
        let gone = self.model.facts(&subject).iter().map(|held| held.object.clone());
        let gone = gone.filter(|each| object.as_ref().is_none_or(|object| object == each));
        self.erasing.objects.extend(gone);
        if self.erasing.objects.len() > ERASED_MAX {
            self.erasing.objects.pop_first();
        }
        self.model.erase(&subject, object.as_deref());
        self.erasing.spans.push((receipt.first_tx, receipt.tx));
    }

    /// After a start an erasure in doubt is there whole or not at all; sent again it is recorded
    /// once.
    pub(crate) async fn settle_erasure(&mut self, clients: &mut Clients) {
        let Some(pending) = self.erasing.pending.clone() else { return };
        let mut dice = Dice(self.erasing.begun);
        let (mut before, mut after) = (0, 0);
        for _ in 0..BASES {
            let (valid, first) = (dice.instant(INSTANTS), self.model.first_tx(&pending.subject));
            let tx = first + dice.below(self.model.last.max(first) + 1 - first);
            match look(self, &pending.subject, (valid, tx), clients).await {
                Found::First => before += 1,
                Found::Second => after += 1,
                Found::Both => {}
            }
        }
        let answer = clients.admin.erase(pending.request.clone()).await;
        let answer = answer.expect("the server is back").into_inner();
        let untouched = if answer.replayed { before } else { after };
        assert_eq!(untouched, 0, "{pending:?} is there by half: {before} and {after}");
        self.erased(&answer);
    }
}

/// One eraser over the writers of a namespace, until the server is gone.
pub(crate) async fn erase(
    load: Arc<Load>,
    mut clients: Clients,
    writers: Vec<Shared>,
) -> Result<(), Status> {
    for writer in writers.iter().cycle() {
        let began = Instant::now();
        let pending = writer.write().await.next_erasure();
        if let Some(pending) = pending {
            let sent = clients.admin.erase(pending.request.clone());
            let answer = load.tally.timed(pending.kind(), sent).await?.into_inner();
            writer.write().await.erased(&answer);
        }
        tokio::time::sleep((began.elapsed() * REST_TIMES).clamp(REST_MIN, REST_MAX)).await;
    }
    unreachable!("a namespace has writers")
}

/// No file holds the name of an object that was erased. Something has to have been purged last.
pub(crate) fn check_files(home: &Path, writer: &Writer) {
    let mut held = BTreeSet::new();
    words(home, format!("zq{}n", writer.name).as_bytes(), &mut held);
    let left: Vec<_> = writer.erasing.objects.intersection(&held).collect();
    assert!(left.is_empty(), "{left:?} were erased and are in files");
    assert!(
        writer.model.names().all(|name| {
            writer.model.facts(name).iter().all(|fact| held.contains(&fact.object))
        })
    );
}

/// Every word with a beginning, up to its `qz`, in any file under a folder.
fn words(home: &Path, beginning: &[u8], found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(home).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            words(&path, beginning, found);
            continue;
        }
        let bytes = fs::read(&path).expect("a file");
        let places = bytes.windows(beginning.len()).enumerate();
        for (at, _) in places.filter(|(_, window)| *window == beginning) {
            let digits = bytes[at + beginning.len()..].iter().take_while(|b| b.is_ascii_digit());
            let end = at + beginning.len() + digits.count();
            if bytes[end..].starts_with(b"qz") {
                found.insert(String::from_utf8_lossy(&bytes[at..end + 2]).into_owned());
            }
        }
    }
}

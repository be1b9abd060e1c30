//! The real engine over a simulated disk, with a clock that holds the writer back until a whole
//! group of submissions waits for it. So which commands share a commit does not depend on threads.

use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tenure::engine::{
    Clock, Engine, Erase, EraseWhat, NamespaceInfo, OpenError, Receipt, Submission, SubmitError,
};
use tenure::kernel::{Command, Declare, Mode, Op};
use tenure::store::{DataCipher, Store};
use tenure::types::limits::KEY_BYTES;
use tenure::types::{AuditSubject, Cardinality, EncryptionKey, Name, Timestamp};
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use crate::disk::Disk;

/// The namespace that is always there.
pub(crate) const HOME: &str = "home";
/// After this a writer that does not come is one that hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// One request of a group.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Submit { namespace: Name, submission: Submission },
    Create { name: Name },
    Delete { name: Name },
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Done {
    Receipt(Receipt),
    Made(NamespaceInfo),
    Gone,
}

/// Errors as they print themselves, so that they can be compared.
pub(crate) type Reply = Result<Done, String>;

pub(crate) struct World {
    pub(crate) engine: Engine,
    gate: Arc<Gate>,
    runtime: Runtime,
}

/// What the engine calls the thread that decides.
const WRITER: &str = "tenure-writer";

/// A clock that stands still, and can make the writer wait that asks it.
#[derive(Debug, Default)]
struct Gate {
    state: Mutex<GateState>,
    moved: Condvar,
}

#[derive(Debug, Default)]
struct GateState {
    now: i64,
    held: bool,
    waits: bool,
}

type Answer<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// What was sent and is not answered yet.
enum Pending<'a> {
    Receipt(oneshot::Receiver<Result<Receipt, SubmitError>>),
    Made(Answer<'a, Result<NamespaceInfo, SubmitError>>),
    Gone(Answer<'a, Result<(), SubmitError>>),
    Refused(SubmitError),
}

impl Clock for Gate {
    fn now(&self) -> Timestamp {
        let mut state = self.state();
        // Others ask for the time as well, and some of them are who opens the gate again.
        let is_writer = std::thread::current().name() == Some(WRITER);
        if state.held && is_writer {
            state.waits = true;
            self.moved.notify_all();
            state = self.moved.wait_while(state, |state| state.held).expect("no panic inside");
        }
        Timestamp::from_micros(state.now)
    }
}

impl Gate {
    fn state(&self) -> MutexGuard<'_, GateState> {
        self.state.lock().expect("no panic inside")
    }

    fn hold(&self, now: i64) {
        *self.state() = GateState { now, held: true, waits: false };
    }

    fn wait_for_the_writer(&self) {
        let state = self.state();
        let waited = self.moved.wait_timeout_while(state, PATIENCE, |state| !state.waits);
        assert!(waited.expect("no panic inside").0.waits, "the writer does not come");
    }

    fn open(&self, now: i64) {
        *self.state() = GateState { now, held: false, waits: false };
        self.moved.notify_all();
    }
}

impl World {
    pub(crate) fn open(disk: &Disk) -> Result<World, OpenError> {
        let encrypted = disk.is_encrypted();
        let disk = disk.clone();
        let make = move || Ok(disk.clone());
        let store = if encrypted {
            Store::with_encrypted_backend(
                make,
                DataCipher::new(&EncryptionKey::new([7; KEY_BYTES])),
            )?
        } else {
            Store::with_backend(make)?
        };
        World::over(store)
    }

    pub(crate) fn over(store: Store) -> Result<World, OpenError> {
        let gate = Arc::new(Gate::default());
        let engine = Engine::over(store, Arc::clone(&gate) as Arc<dyn Clock>)?;
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        Ok(World { engine, gate, runtime })
    }

    /// Over an empty disk, with one namespace. Only a database that was made whole survives a power
    /// cut; for files `Store::open` sees to that, so nothing fails before this returns.
    pub(crate) fn create(disk: &Disk) -> World {
        let world = World::open(disk).expect("opens");
        let made = world.alone(&Step::Create { name: name(HOME) }, 0);
        assert!(made.is_ok(), "{made:?}");
        world
    }

    /// Sends a request when nothing else is under way.
    pub(crate) fn alone(&self, step: &Step, now: i64) -> Reply {
        self.gate.open(now);
        self.wait(self.send(step))
    }

    /// Erases when nothing else is under way. Says whether the file was written anew.
    pub(crate) fn erase(&self, what: EraseWhat) -> Result<bool, String> {
        self.gate.open(0);
        let request = Erase { what, dry_run: false, purge: true, request: None };
        let home = name(HOME);
        let erased = self.engine.erase(&home, request, AuditSubject::default());
        let erased = self.runtime.block_on(erased).map_err(|error| format!("{error:?}"))?;
        Ok(erased.record.purged)
    }

    /// Sends all of them while the writer is busy with a dry run, so that they share a commit. The
    /// store must be well, or the writer never asks for the time.
    pub(crate) fn group(&self, steps: &[Step], now: i64) -> Vec<Reply> {
        self.gate.hold(now);
        let plug = plug();
        let plug = self.send(&plug);
        self.gate.wait_for_the_writer();
        let pending: Vec<Pending<'_>> = steps.iter().map(|step| self.send(step)).collect();
        self.gate.open(now);
        self.wait(plug).expect("a dry run of a harmless command");
        pending.into_iter().map(|pending| self.wait(pending)).collect()
    }

    fn send<'a>(&'a self, step: &'a Step) -> Pending<'a> {
        match step {
            Step::Submit { namespace, submission } => {
                match self.engine.enqueue(namespace, submission.clone()) {
                    Ok(receiver) => Pending::Receipt(receiver),
                    Err(error) => Pending::Refused(error),
                }
            }
            Step::Create { name } => {
                Pending::Made(started(Box::pin(self.engine.create_namespace(name, "", None))))
            }
            Step::Delete { name } => Pending::Gone(started(Box::pin(
                self.engine.delete_namespace(name, AuditSubject::default()),
            ))),
        }
    }

    fn wait(&self, pending: Pending<'_>) -> Reply {
        let done = match pending {
            Pending::Receipt(receiver) => {
                let answer = self.runtime.block_on(receiver);
                answer.unwrap_or(Err(SubmitError::Closed)).map(Done::Receipt)
            }
            Pending::Made(made) => self.runtime.block_on(made).map(Done::Made),
            Pending::Gone(gone) => self.runtime.block_on(gone).map(|()| Done::Gone),
            Pending::Refused(error) => Err(error),
        };
        done.map_err(|error| format!("{error:?}"))
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.gate.open(0);
        self.engine.close();
    }
}

/// A future puts its command in the queue when it is first polled; it may be answered by then.
fn started<'a, T: 'a>(mut future: Pin<Box<dyn Future<Output = T> + 'a>>) -> Answer<'a, T> {
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => Box::pin(std::future::ready(answer)),
        Poll::Pending => future,
    }
}

fn plug() -> Step {
    let declare = Declare { predicate: name("plug"), cardinality: Cardinality::Many };
    let command = Command { request: None, mode: Mode::Atomic, ops: vec![Op::Declare(declare)] };
    let submission = Submission { command, dry_run: true, time: None };
    Step::Submit { namespace: name(HOME), submission }
}

pub(crate) fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

/// The disk gave the error, and the writer passed it on.
pub(crate) fn is_disk_failure(reply: &Reply) -> bool {
    matches!(reply, Err(error) if error.starts_with("Disk"))
}

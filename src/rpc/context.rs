//! What every service holds: the engine, and the way to ask it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use prost::Message;
use tokio::sync::{Mutex, MutexGuard, watch};
use tokio::task::AbortHandle;
use tonic::Status;

use crate::agent::SessionKey;
use crate::engine::{Account, Engine, note_namespace};
use crate::models::Models;
use crate::query::{AsOf, Halt, PatternName, Snapshot};
use crate::types::limits::SESSION_LOCKS;
use crate::types::{Clearance, Grant, Policy, Reach, Role, session_digest};

use super::background::Background;
use super::caller::Caller;
use super::civil::Zone;
use super::echo::Echoes;
use super::failure;
use super::from_proto::Form;
use super::meter::{Meter, Permit};
use super::page::QueryDigest;
use super::services::Terms;

/// Whether the server is asked to stop.
pub(super) type Stopping = watch::Receiver<bool>;

/// Edges one call looks at while it keeps the writer from publishing.
pub(super) const EDGES_AT_ONCE: u64 = 200_000;

/// Edges that are looked at in less time than a question takes to change threads and back.
pub(super) const EDGES_INLINE: usize = 2_000;

#[derive(Clone)]
pub(super) struct Context {
    engine: Engine,
    models: Arc<Models>,
    stopping: Stopping,
    terms: Terms,
    meter: Arc<Meter>,
    /// One for each of some sessions.
    sessions: Arc<[Mutex<()>]>,
    background: Arc<Background>,
    echoes: Arc<Echoes>,
}

impl Context {
    pub(super) fn new(
        engine: Engine,
        models: Arc<Models>,
        stopping: Stopping,
        terms: Terms,
    ) -> Context {
        let sessions = (0..SESSION_LOCKS).map(|_| Mutex::default()).collect();
        let (meter, background, echoes) = (Arc::default(), Arc::default(), Arc::default());
        Context { engine, models, stopping, terms, meter, sessions, background, echoes }
    }

    pub(super) fn import_idle(&self) -> Duration {
        self.terms.import_idle
    }

    /// Whether a caller can come in without a credential of the data directory.
    pub(super) fn has_other_ways_in(&self) -> bool {
        self.terms.other_ways_in
    }

    pub(super) fn models(&self) -> &Models {
        &self.models
    }

    pub(super) fn background(&self) -> &Arc<Background> {
        &self.background
    }

    pub(super) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Keeps a session to one writer at a time, so that what was looked at still stands when it is
    /// written. Others may have to wait with it, for as long as a commit takes.
    pub(super) async fn session(&self, key: &SessionKey) -> MutexGuard<'_, ()> {
        self.alone(&key.name).await
    }

    /// The same for whatever has a name.
    pub(super) async fn alone(&self, name: &str) -> MutexGuard<'_, ()> {
        let digest = usize::try_from(session_digest(name) % 1_024).unwrap_or(0);
        self.sessions[digest % self.sessions.len()].lock().await
    }

    pub(super) fn echoes(&self) -> &Echoes {
        &self.echoes
    }

    /// How the namespace treats what it remembers.
    pub(super) fn policy(&self, namespace: &Grant) -> Result<Arc<Policy>, Status> {
        self.engine.policy(namespace).map_err(|error| failure::read(&error))
    }

    pub(super) fn stopping(&self) -> Stopping {
        self.stopping.clone()
    }

    /// A namespace that exists and that the caller may use in this role, and the zone its dates are
    /// read in. Left out, it is the one the caller's credential is for. Nothing is ever created here.
    /// It counts as one request of the namespace.
    pub(super) fn namespace(
        &self,
        caller: &Caller,
        role: Role,
        name: &str,
    ) -> Result<(Grant, Zone), Status> {
        let admitted = self.admit(caller, role, name)?;
        let info = self.engine.namespace(&admitted.0).map_err(|error| failure::read(&error))?;
        self.meter.request(info.id, &self.engine.quotas(info.id), Instant::now())?;
        Ok(admitted)
    }

    /// A place for one more stream of the namespace, until it is dropped.
    pub(super) fn stream(&self, namespace: &Grant) -> Result<Permit, Status> {
        let info = self.engine.namespace(namespace).map_err(|error| failure::read(&error))?;
        self.meter.stream(info.id, &self.engine.quotas(info.id), Instant::now())
    }

    /// The same as [`Context::namespace`] where it does not count: the next message of a stream.
    pub(super) fn admit(
        &self,
        caller: &Caller,
        role: Role,
        name: &str,
    ) -> Result<(Grant, Zone), Status> {
        let access = caller.access();
        let namespace = match &access.reach {
            Reach::One(own) if name.is_empty() => own.clone(),
            Reach::One(_) | Reach::All => {
                let mut form = Form::new(Zone::UNSET);
                let name = form.namespace(name);
                failure::form(form.finish(|| name))?
            }
        };
        // Before it is looked up: who has no business there does not learn whether it exists.
        caller.must_reach(&namespace)?;
        caller.must_be_in(role, Some(&namespace))?;
        let info = self.engine.namespace(&namespace).map_err(|error| failure::read(&error))?;
        note_namespace(&namespace);
        let zone = Zone::of_namespace(&info.zone).unwrap_or(Zone::UNSET);
        Ok((Grant { namespace, clearance: access.clearance.clone() }, zone))
    }

    /// The same for what is about all that a namespace holds.
    pub(super) fn whole_namespace(
        &self,
        caller: &Caller,
        role: Role,
        name: &str,
    ) -> Result<(Grant, Zone), Status> {
        let (grant, zone) = self.namespace(caller, role, name)?;
        if grant.clearance == Clearance::Everything {
            return Ok((grant, zone));
        }
        Err(caller.sees_too_little(Some(&grant)))
    }

    /// What a page token of this query in this namespace is known by.
    pub(super) fn digest(
        &self,
        namespace: &Grant,
        call: &str,
        request: &impl Message,
    ) -> Result<QueryDigest, Status> {
        let info = self.engine.namespace(namespace).map_err(|error| failure::read(&error))?;
        Ok(QueryDigest::of(call, info.id.raw(), request))
    }

    /// Answers at once, on this thread: for questions that touch little.
    pub(super) fn read<T>(
        &self,
        namespace: &Grant,
        as_of: AsOf,
        ask: impl FnOnce(Snapshot<'_>) -> T,
    ) -> Result<T, Status> {
        self.engine.read(namespace, as_of, ask).map_err(|error| failure::read(&error))
    }

    /// Answers on a thread for long work: for questions that may touch much.
    pub(super) async fn read_aside<T: Send + 'static>(
        &self,
        namespace: Grant,
        as_of: AsOf,
        ask: impl FnOnce(Snapshot<'_>, &Halt) -> T + Send + 'static,
    ) -> Result<T, Status> {
        let engine = self.engine.clone();
        let answer =
            move |halt: &Halt| engine.read(&namespace, as_of, |snapshot| ask(snapshot, halt));
        self.aside_until(answer).await?.map_err(|error| failure::read(&error))
    }

    /// Answers a question about patterns at once where they touch little, else on a thread for long
    /// work: changing threads costs more than most answers.
    pub(super) async fn read_facts<T: Send + 'static>(
        &self,
        namespace: &Grant,
        as_of: AsOf,
        patterns: &[PatternName],
        ask: impl FnOnce(Snapshot<'_>, &Halt) -> T + Send + 'static,
    ) -> Result<T, Status> {
        let reach = self.read(namespace, as_of, |snapshot| {
            let reach = |sum: usize, pattern| sum.saturating_add(snapshot.reach(pattern));
            patterns.iter().fold(0, reach)
        })?;
        if reach <= EDGES_INLINE {
            self.read(namespace, as_of, |snapshot| ask(snapshot, &Halt::default()))
        } else {
            self.read_aside(namespace.clone(), as_of, ask).await
        }
    }

    pub(super) async fn aside<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Status> {
        self.aside_until(move |_| work()).await
    }

    /// The same for work that looks now and then whether it is still wanted.
    pub(super) async fn aside_until<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Halt) -> T + Send + 'static,
    ) -> Result<T, Status> {
        let halt = Halt::default();
        let told = halt.clone();
        let task = tokio::task::spawn_blocking(Account::carried(move || work(&told)));
        let _abandoned = Abandoned { task: task.abort_handle(), halt };
        task.await.map_err(|_| failure::internal())
    }
}

/// Does long work on a thread for it.
pub(super) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Status> {
    let task = tokio::task::spawn_blocking(Account::carried(work));
    let _abandoned = Abandoned { task: task.abort_handle(), halt: Halt::default() };
    task.await.map_err(|_| failure::internal())
}

/// Work that has not begun is not begun for a caller that has gone: its deadline has passed, or its
/// connection was lost. What has begun is told, and ends where it next looks.
struct Abandoned {
    task: AbortHandle,
    halt: Halt,
}

impl Drop for Abandoned {
    fn drop(&mut self) {
        self.halt.halt();
        self.task.abort();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc;

    use crate::engine::SystemClock;
    use crate::query::Budget;

    use super::*;

    #[test]
    fn nothing_is_begun_for_a_caller_that_has_gone() {
        let runtime = tokio::runtime::Builder::new_current_thread().max_blocking_threads(1).build();
        let runtime = runtime.expect("a runtime");
        let (release, held) = mpsc::channel::<()>();
        let begun = Arc::new(AtomicBool::new(false));
        runtime.block_on(async {
            // The one thread there is.
            let first = tokio::task::spawn_blocking(move || held.recv().is_err());
            let mark = Arc::clone(&begun);
            let second = tokio::task::spawn_blocking(move || mark.store(true, Ordering::SeqCst));
            drop(Abandoned { task: second.abort_handle(), halt: Halt::default() });
            drop(release);
            first.await.expect("it ends");
            second.await.expect_err("it was never begun");
        });
        assert!(!begun.load(Ordering::SeqCst));
    }

    #[tokio::test]
    async fn what_has_begun_is_told_that_its_caller_has_gone() {
        let home = tempfile::tempdir().expect("a place for data");
        let config = crate::engine::Config::new(home.path().to_owned());
        let engine = Engine::open(&config, Arc::new(SystemClock)).expect("opens");
        let (_stop, stopping) = watch::channel(false);
        let context = Context::new(engine, Arc::default(), stopping, Terms::default());
        let (begin, begun) = tokio::sync::oneshot::channel();
        let (end, ended) = tokio::sync::oneshot::channel();
        let work = move |halt: &Halt| {
            begin.send(()).expect("somebody waits");
            // A walk that spends nothing would never end by itself.
            let mut budget = Budget::edges(1).until(halt);
            while budget.spend(0) {
                std::thread::yield_now();
            }
            end.send(()).expect("somebody waits");
        };
        let call = tokio::spawn(async move { context.aside_until(work).await });
        begun.await.expect("it begins");
        call.abort();
        ended.await.expect("it ends");
    }
}

//! Erasures with the file written anew, over a disk that loses power at any sync and at the change of
//! files: all of one is there after the restart, or nothing.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

use tenure::engine::{EraseWhat, OpenError, Submission};
use tenure::kernel::{Assert, Command, Declare, Evidence, Mode, ObjectName, Op, TripleName};
use tenure::query::{AsOf, Known};
use tenure::store::Store;
use tenure::types::{Cardinality, Grant, Rectangle, Timestamp};

use crate::check::rectangles;
use crate::disk::Disk;
use crate::world::{HOME, Step, World, name};

/// Nothing else holds these bytes.
const TOKEN: &str = "Qzx7Jv";
/// Syncs of a life after which none is left to fail.
const SYNCS_MAX: u64 = 200;

/// The old file and the new one.
#[derive(Clone, Debug, Default)]
struct Folder(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    old: Disk,
    new: Disk,
    /// The sync of a new file at which the power goes.
    fails_at_sync: Option<u64>,
    /// Where the power goes while the new file takes its place: before that is on the disk, or after.
    fails_replaced: Option<bool>,
    was_replaced: bool,
}

/// Where the power goes.
#[derive(Clone, Copy, Debug)]
enum Cut {
    Nowhere,
    /// Counted from the beginning of the erasure.
    OldSync(u64),
    NewSync(u64),
    Replace {
        is_durable: bool,
    },
}

impl Folder {
    fn of(disk: Disk) -> Folder {
        Folder(Arc::new(Mutex::new(State { old: disk, ..State::default() })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("no test panics while it holds the folder")
    }

    fn open(&self) -> Result<World, OpenError> {
        let (make, fresh, replace) = (self.clone(), self.clone(), self.clone());
        let store = Store::with_two_backends(
            move || Ok(make.state().old.clone()),
            move || Ok(fresh.emptied()),
            move || replace.replace(),
        )?;
        World::over(store)
    }

    fn emptied(&self) -> Disk {
        let mut state = self.state();
        state.new = Disk::default();
        if let Some(sync) = state.fails_at_sync {
            state.new.fail_at_sync(sync);
        }
        state.new.clone()
    }

    fn replace(&self) -> io::Result<()> {
        let mut state = self.state();
        let gone = || io::Error::other("the power went");
        if state.fails_replaced == Some(false) {
            return Err(gone());
        }
        state.old = state.new.clone();
        state.was_replaced = true;
        if state.fails_replaced.is_some() { Err(gone()) } else { Ok(()) }
    }

    /// The old file as it may be found after the cut: a new one that did not take its place is gone
    /// with the next opening.
    fn after(&self, seed: u64) -> [Folder; 4] {
        let disk = self.state().old.clone();
        let torn = [disk.after_torn_cut(seed), disk.after_torn_sectors(seed)];
        let [one, other] = torn;
        [disk.after_power_cut(), disk.after_lucky_cut(), one, other].map(Folder::of)
    }

    fn holds_token(&self) -> bool {
        let state = self.state();
        let holds = |bytes: Vec<u8>| bytes.windows(TOKEN.len()).any(|at| at == TOKEN.as_bytes());
        holds(state.old.durable()) || holds(state.old.after_lucky_cut().durable())
    }
}

fn assert(subject: &str, object: &str, from: i64) -> Op {
    let (subject, predicate) = (name(subject), name("heads"));
    let triple = TripleName { subject, predicate, object: ObjectName::Entity(name(object)) };
    Op::Assert(Assert {
        triple,
        from: Some(Timestamp::from_micros(from).into()),
        to: None,
        at_least: false,
        overrides: false,
        deliberate: false,
        contested_against: Vec::new(),
        evidence: Evidence { text: Some(format!("{object} was seen")), ..Evidence::default() },
    })
}

/// A history in which what is erased has displaced something. The file was closed and opened since,
/// as all of it is on the disk then.
fn planted() -> Folder {
    let folder = Folder::default();
    let world = folder.open().expect("opens");
    world.alone(&Step::Create { name: name(HOME) }, 0).expect("made");
    let one = Declare { predicate: name("heads"), cardinality: Cardinality::One };
    let groups = [
        vec![Op::Declare(one), assert("lab", "ann", 1)],
        vec![assert("lab", TOKEN, 5), assert(TOKEN, "zoo", 2)],
        vec![assert("lab", "bob", 9)],
    ];
    for (ops, now) in groups.into_iter().zip(1..) {
        let submission = Command { request: None, mode: Mode::Atomic, ops };
        let (namespace, submission) = (name(HOME), Submission::from(submission));
        world.alone(&Step::Submit { namespace, submission }, now).expect("taken");
    }
    drop(world);
    assert!(folder.holds_token());
    folder
}

fn held(world: &World) -> BTreeSet<Rectangle> {
    let verified = world.engine.verify(&name(HOME)).expect("it can be read");
    assert_eq!(verified.differences, 0, "{:?}", verified.first);
    let as_of = AsOf { valid: Some(Timestamp::from_micros(0)), known: Known::Latest };
    world.engine.read(&Grant::all(name(HOME)), as_of, rectangles).expect("it is there")
}

/// What was answered, what is left on the disks, and how often both files were synced.
struct Run {
    answered: Result<bool, String>,
    folder: Folder,
    syncs: (u64, u64),
    was_replaced: bool,
}

fn erase(cut: Cut) -> Run {
    let folder = planted();
    let world = folder.open().expect("opens");
    let old = folder.state().old.clone();
    let before = old.syncs();
    match cut {
        Cut::Nowhere => {}
        Cut::OldSync(sync) => old.fail_at_sync(before + sync),
        Cut::NewSync(sync) => folder.state().fails_at_sync = Some(sync),
        Cut::Replace { is_durable } => folder.state().fails_replaced = Some(is_durable),
    }
    let answered = world.erase(EraseWhat::Entity(name(TOKEN)));
    let (syncs, was_replaced) = {
        let state = folder.state();
        ((old.syncs() - before, state.new.syncs()), state.was_replaced)
    };
    // What happens after the power went is on no disk.
    let left = Folder::of(folder.state().old.after_lucky_cut());
    let folder = if matches!(cut, Cut::Nowhere) { left } else { folder };
    drop(world);
    Run { answered, folder, syncs, was_replaced }
}

#[test]
fn an_erasure_is_whole_wherever_the_power_goes() {
    let (before, after) = {
        let untouched = planted().open().expect("opens");
        let run = erase(Cut::Nowhere);
        assert_eq!(run.answered, Ok(true));
        assert!(!run.folder.holds_token(), "acknowledged, and it is in the file");
        (held(&untouched), held(&run.folder.open().expect("opens")))
    };
    assert_ne!(before, after);
    let (old, new) = erase(Cut::Nowhere).syncs;
    assert!(old > 0 && new > 0 && old + new < SYNCS_MAX, "{old} and {new} syncs");
    let cuts = (1..=old).map(Cut::OldSync).chain((1..=new).map(Cut::NewSync));
    let replaced = [false, true].map(|is_durable| Cut::Replace { is_durable });
    let (mut undone, mut done) = (0, 0);
    for (number, cut) in cuts.chain(replaced).enumerate() {
        let run = erase(cut);
        let is_purged = run.answered == Ok(true);
        assert!(!is_purged || !run.folder.holds_token(), "{cut:?}: acknowledged, and it is there");
        for (which, folder) in run.folder.after(number as u64).into_iter().enumerate() {
            let context = format!("{cut:?}, cut {which}");
            let world = folder.open().unwrap_or_else(|error| panic!("{context}: {error:?}"));
            let found = held(&world);
            assert!(found == before || found == after, "{context}: {found:?}");
            let is_done = found == after;
            assert!(is_done || run.answered.is_err(), "{context}: acknowledged and lost");
            assert!(is_done || !run.was_replaced, "{context}");
            drop(world);
            assert_eq!(folder.holds_token(), !is_done, "{context}");
            if is_done { done += 1 } else { undone += 1 }
        }
    }
    assert!(done > 0 && undone > 0, "{done} done, {undone} not");
}

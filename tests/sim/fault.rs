//! Disks that fill up or fail under a running engine: writes are refused, reads go on, and when the
//! disk is well again so is the engine, without a restart.

use tenure::engine::{ReadError, Submission, Verification};
use tenure::kernel::{Assert, Command, Evidence, Mode, ObjectName, Op, RequestKey, TripleName};
use tenure::types::Timestamp;

use crate::check::{differences, replays};
use crate::disk::{Disk, Full};
use crate::life::settled;
use crate::model::Model;
use crate::world::{HOME, Reply, Step, World, is_disk_failure, name};

/// More than any disk here has room for.
const WRITES_MAX: u64 = 2_000;
/// The writer has reopened the file long before as many reads have failed.
const TRIES_MAX: u64 = 1_000_000;

/// An engine, and what it acknowledged.
struct Bench {
    disk: Disk,
    world: World,
    model: Model,
    writes: u64,
}

/// One fact with its own request id, and with a text that takes room.
fn write(number: u64) -> Step {
    let mut body = [0; 32];
    body[..8].copy_from_slice(&number.to_le_bytes());
    let triple = TripleName {
        subject: name(&format!("subject {}", number % 7)),
        predicate: name("knows"),
        object: ObjectName::Entity(name(&format!("object {number}"))),
    };
    let evidence = Evidence { text: Some("x".repeat(4_000)), ..Evidence::default() };
    let from = Some(Timestamp::from_micros(number.cast_signed()).into());
    let assert = Assert {
        triple,
        from,
        to: None,
        at_least: false,
        overrides: false,
        deliberate: false,
        contested_against: Vec::new(),
        evidence,
    };
    let request = Some(RequestKey { id: format!("write {number}"), body });
    let command = Command { request, mode: Mode::Atomic, ops: vec![Op::Assert(assert)] };
    Step::Submit { namespace: name(HOME), submission: Submission::from(command) }
}

fn is_full(reply: &Reply) -> bool {
    matches!(reply, Err(error) if error == "StorageFull")
}

impl Bench {
    fn new(disk: &Disk) -> Bench {
        let disk = disk.clone();
        let world = World::create(&disk);
        let mut bench = Bench { disk, world, model: Model::new(), writes: 0 };
        for _ in 0..5 {
            bench.write().expect("the disk is well");
        }
        bench
    }

    fn now(&self) -> i64 {
        100 + self.writes.cast_signed()
    }

    /// The next write. One that is not acknowledged stays the next.
    fn write(&mut self) -> Result<(), Reply> {
        let (steps, now) = ([write(self.writes)], self.now());
        let reply = self.world.alone(&steps[0], now);
        if reply.is_err() {
            return Err(reply);
        }
        assert_eq!(vec![reply], self.model.group(&steps, now));
        self.writes += 1;
        Ok(())
    }

    fn agree(&self, context: &str) {
        let found = differences(&self.world.engine, &self.model);
        assert!(found.is_empty(), "{context}: {found:#?}");
    }

    /// Several writes at once; the disk refuses their commit.
    fn refused(&mut self, count: u64) -> Vec<Step> {
        let steps: Vec<Step> = (self.writes..self.writes + count).map(write).collect();
        let replies = self.world.group(&steps, self.now());
        assert!(
            replies.iter().all(|reply| is_disk_failure(reply) || is_full(reply)),
            "{replies:?}"
        );
        steps
    }

    /// The disk is well. Clients send again what was refused; each write is there once.
    fn recovered(mut self, refused: &[Step], context: &str) {
        let mut with = self.model.clone();
        with.group(refused, self.now());
        // Whatever comes first makes the writer look at the disk; this changes nothing.
        let again = self.world.alone(&write(0), self.now());
        assert!(again.is_ok(), "{context}: {again:?}");
        self.model = settled(&self.world, [&self.model, &with], context).clone();
        let now = self.now();
        for step in refused {
            let reply = self.world.alone(step, now);
            assert_eq!(vec![reply], self.model.group(std::slice::from_ref(step), now), "{context}");
        }
        self.agree(context);
        replays(&self.world, &self.model, now);
        self.writes += refused.len() as u64;
        self.write().expect("the disk is well");
        let disk = self.disk.clone();
        drop(self.world);
        let world = World::open(&disk).expect("opens");
        let found = differences(&world.engine, &self.model);
        assert!(found.is_empty(), "{context}, opened again: {found:#?}");
    }
}

#[test]
fn a_full_disk_refuses_writes_and_goes_on_when_there_is_room() {
    let disks = [Disk::default, Disk::encrypted];
    let kinds = [Full::Growth, Full::Writes, Full::Syncs];
    for (full, disk) in kinds.iter().flat_map(|full| disks.map(|disk| (*full, disk()))) {
        let context = format!("{full:?}, encrypted: {}", disk.is_encrypted());
        let mut bench = Bench::new(&disk);
        bench.disk.set_full(full);
        let refusal = loop {
            match bench.write() {
                Ok(()) => assert!(bench.writes < WRITES_MAX, "{context}: never full"),
                Err(refusal) => break refusal,
            }
        };
        assert!(is_full(&refusal), "{context}: {refusal:?}");
        bench.answers(&context);
        for _ in 0..3 {
            let refusal = bench.write().expect_err("it is still full");
            assert!(is_full(&refusal), "{context}: {refusal:?}");
            bench.answers(&context);
            if full == Full::Growth {
                // The file is opened again within the room it has, so all of it is read on.
                bench.agree(&context);
            }
        }
        bench.disk.set_full(Full::No);
        let refused = [write(bench.writes)];
        bench.recovered(&refused, &context);
    }
}

#[test]
fn a_failed_commit_that_reached_the_disk_is_there_for_all_or_for_nobody() {
    let disks = [Disk::default, Disk::encrypted];
    let cases = [(1, false), (1, true), (5, false), (5, true)];
    for ((count, lost), disk) in cases.iter().flat_map(|case| disks.map(|disk| (*case, disk()))) {
        let encrypted = disk.is_encrypted();
        let context = format!("{count} writes, lost: {lost}, encrypted: {encrypted}");
        let mut bench = Bench::new(&disk);
        bench.disk.fail_at_sync(bench.disk.syncs() + 1);
        let refused = bench.refused(count);
        bench.answers(&context);
        if lost {
            bench.disk.lose_unsynced();
        }
        bench.disk.fail_at_sync(u64::MAX);
        bench.recovered(&refused, &context);
    }
}

#[test]
fn a_disk_that_does_not_write_refuses_until_it_does() {
    for disk in [Disk::default(), Disk::encrypted()] {
        refuses_until_it_writes(Bench::new(&disk));
    }
}

fn refuses_until_it_writes(mut bench: Bench) {
    bench.disk.set_fails_writes(true);
    let refused = bench.refused(3);
    for _ in 0..3 {
        let refusal = bench.write().expect_err("it still fails");
        assert!(is_disk_failure(&refusal), "{refusal:?}");
        bench.answers("meanwhile");
    }
    bench.disk.set_fails_writes(false);
    bench.recovered(&refused, "writes fail");
}

/// Explanations, exports and verification read the file, which a failed disk keeps closed.
#[test]
fn reads_of_the_file_come_back_with_the_disk_although_nobody_writes() {
    let mut bench = Bench::new(&Disk::default());
    bench.disk.fail_at_sync(bench.disk.syncs() + 1);
    bench.refused(2);
    bench.disk.lose_unsynced();
    let name = name(HOME);
    assert!(bench.world.engine.verify(&name).is_err(), "the file is closed");
    bench.disk.fail_at_sync(u64::MAX);
    let clean =
        |verified: Result<Verification, ReadError>| verified.is_ok_and(|v| v.differences == 0);
    // Each failed read asks the writer, who works behind it.
    let tries = (0..TRIES_MAX).find(|_| clean(bench.world.engine.verify(&name)));
    assert!(tries.is_some(), "the file stays closed");
    bench.agree("after the disk came back");
}

impl Bench {
    /// Reads of what is published need no disk.
    fn answers(&self, context: &str) {
        let mut found = Vec::new();
        for (name, space) in &self.model.spaces {
            crate::check::answered(&self.world.engine, name, space, &mut found);
        }
        assert!(found.is_empty(), "{context}: {found:#?}");
    }
}

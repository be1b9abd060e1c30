//! The real engine over a disk that loses power, fills up and fails, held against a model. The same
//! seed is the same run. `TENURE_SIM_ROUNDS` asks for more seeds than there is time for every day.

#[path = "../support/disk.rs"]
mod disk;
#[path = "../support/mod.rs"]
mod support;

mod check;
mod erase;
mod fault;
mod life;
mod model;
mod status;
mod workload;
mod world;

use disk::Disk;
use life::Life;
use workload::{Random, Workload};

/// Groups of one run, each one commit or none.
const GROUPS: u64 = 14;
/// Power cuts of one long life.
const CUTS: u64 = 12;
/// Seeds of each test, unless more are asked for.
const SEEDS: u64 = 8;

fn seeds() -> std::ops::Range<u64> {
    let named = std::env::var("TENURE_SIM_ROUNDS").ok();
    0..named.map_or(SEEDS, |text| text.parse().expect("TENURE_SIM_ROUNDS is a number"))
}

fn whole(groups: Result<Life, Box<life::Cut>>) -> Life {
    groups.unwrap_or_else(|_| panic!("the disk was well"))
}

fn agree(life: &Life, context: &str) {
    let found = check::differences(&life.world.engine, &life.model);
    assert!(found.is_empty(), "{context}: {found:#?}");
}

#[test]
fn the_engine_answers_as_the_model() {
    for seed in seeds() {
        let life = whole(Life::new(100 + seed).live(8 * GROUPS));
        agree(&life, &format!("seed {seed}"));
        check::replays(&life.world, &life.model, 1_000);
    }
}

#[test]
fn the_same_seed_is_the_same_run() {
    let run = || {
        let life = whole(Life::new(7).live(2 * GROUPS));
        (life.transcript.clone(), life.disk.syncs(), life.disk.durable())
    };
    let (first, second) = (run(), run());
    assert_eq!(first.0, second.0);
    assert_eq!(first.1, second.1, "syncs");
    assert!(first.2 == second.2, "the disks differ");
}

/// Cuts the power at each sync of a life, and goes on from everything that may be left.
fn cut_everywhere(seed: u64, disk: impl Fn() -> Disk) {
    let life = Life::on(disk(), seed);
    let before = life.disk.syncs();
    let syncs = whole(life.live(GROUPS)).disk.syncs() - before;
    assert!(syncs > GROUPS / 2, "most groups write");
    for sync in 1..=syncs {
        let life = Life::on(disk(), seed);
        life.disk.fail_at_sync(before + sync);
        let Err(cut) = life.live(GROUPS) else { panic!("sync {sync} did not come") };
        let part = |part| seed * 1_000 + sync * 10 + part;
        let torn = [1, 2].map(|number| cut.disk.after_torn_cut(part(number)));
        let sectors = [3, 4].map(|number| cut.disk.after_torn_sectors(part(number)));
        let clean = [cut.disk.after_power_cut(), cut.disk.after_lucky_cut()];
        for (which, disk) in clean.into_iter().chain(torn).chain(sectors).enumerate() {
            let context = format!("seed {seed}, sync {sync}, cut {which}");
            let life = cut.resume(disk, Workload::new(seed + 5_000 + sync), &context);
            let life = whole(life.live(2));
            agree(&life, &context);
        }
    }
}

#[test]
fn a_power_cut_at_any_sync_loses_nothing_acknowledged() {
    for seed in seeds() {
        cut_everywhere(seed, Disk::default);
    }
}

#[test]
fn a_power_cut_at_any_sync_of_an_encrypted_store_loses_nothing_acknowledged() {
    for seed in seeds() {
        cut_everywhere(seed, Disk::encrypted);
    }
}

fn live_through_cuts(new: impl Fn() -> Disk) {
    for seed in seeds() {
        let mut random = Random::new(9_000 + seed);
        let mut life = Life::on(new(), 500 + seed);
        for cut_number in 0..CUTS {
            let context = format!("seed {seed}, cut {cut_number}");
            life.disk.fail_at_sync(life.disk.syncs() + 1 + random.below(6));
            let Err(cut) = life.live(u64::MAX) else { panic!("no end") };
            let disk = match random.below(5) {
                0 => cut.disk.after_power_cut(),
                1 => cut.disk.after_lucky_cut(),
                2 => cut.disk.after_torn_sectors(random.next()),
                _ => cut.disk.after_torn_cut(random.next()),
            };
            life = cut.resume(disk, cut.workload.clone(), &context);
        }
        agree(&life, &format!("seed {seed}"));
    }
}

#[test]
fn a_life_of_many_power_cuts() {
    live_through_cuts(Disk::default);
}

#[test]
fn an_encrypted_life_of_many_power_cuts() {
    live_through_cuts(Disk::encrypted);
}

/// What was written is on no disk of an encrypted store, at no sync.
#[test]
fn an_encrypted_disk_shows_nothing_that_was_written() {
    let reads = |disk: Disk| {
        let life = whole(Life::on(disk, 3).live(GROUPS));
        let bytes = life.disk.durable();
        let shown = |word: &str| bytes.windows(word.len()).any(|found| found == word.as_bytes());
        ["rectangle", "request_age", world::HOME].map(shown)
    };
    assert_eq!(reads(Disk::default()), [true; 3], "the words are the right ones");
    assert_eq!(reads(Disk::encrypted()), [false; 3]);
}

//! A world, the model beside it, and the requests that both get, over as many power cuts as wanted.

use crate::check::{differences, replays};
use crate::disk::Disk;
use crate::model::Model;
use crate::workload::Workload;
use crate::world::{Reply, Step, World, is_disk_failure};

pub(crate) struct Life {
    pub(crate) disk: Disk,
    pub(crate) world: World,
    pub(crate) model: Model,
    pub(crate) workload: Workload,
    /// Every group and its answers, as they print themselves.
    pub(crate) transcript: Vec<String>,
}

/// The group under way when the power went. Nobody knows yet whether it reached the disk.
pub(crate) struct Cut {
    steps: Vec<Step>,
    now: i64,
    without: Model,
    with: Model,
    pub(crate) disk: Disk,
    /// Goes on from where it was.
    pub(crate) workload: Workload,
}

impl Life {
    pub(crate) fn new(seed: u64) -> Life {
        Life::on(Disk::default(), seed)
    }

    pub(crate) fn on(disk: Disk, seed: u64) -> Life {
        let world = World::create(&disk);
        let (model, workload) = (Model::new(), Workload::new(seed));
        Life { disk, world, model, workload, transcript: Vec::new() }
    }

    /// Sends groups until there were enough or the power goes.
    pub(crate) fn live(mut self, groups: u64) -> Result<Life, Box<Cut>> {
        for _ in 0..groups {
            let steps = self.workload.group(&self.model);
            let now = self.workload.tick();
            let without = self.model.clone();
            let replies = self.world.group(&steps, now);
            let expected = self.model.group(&steps, now);
            if replies.iter().any(is_disk_failure) {
                assert!(replies.iter().all(is_disk_failure), "all of a commit or nothing");
                let Life { disk, world, model, workload, .. } = self;
                drop(world);
                return Err(Box::new(Cut { steps, now, without, with: model, disk, workload }));
            }
            same(&steps, &replies, &expected);
            self.transcript.push(format!("{steps:?} {replies:?}"));
        }
        Ok(self)
    }
}

impl Cut {
    /// Opens what the cut left, decides which of both it is, and sends the group again as its
    /// clients would, who have no answer.
    pub(crate) fn resume(&self, disk: Disk, workload: Workload, context: &str) -> Life {
        let world = World::open(&disk).unwrap_or_else(|error| panic!("{context}: {error:?}"));
        let mut model = settled(&world, [&self.without, &self.with], context).clone();
        model.reopened();
        replays(&world, &model, self.now);
        let replies = world.group(&self.steps, self.now);
        same(&self.steps, &replies, &model.group(&self.steps, self.now));
        Life { disk, world, model, workload, transcript: Vec::new() }
    }
}

/// The one of two models that the engine agrees with.
pub(crate) fn settled<'a>(world: &World, models: [&'a Model; 2], context: &str) -> &'a Model {
    let [without, with] = models;
    let against_with = differences(&world.engine, with);
    if against_with.is_empty() {
        return with;
    }
    let against_without = differences(&world.engine, without);
    assert!(
        against_without.is_empty(),
        "{context}: neither without the group: {against_without:#?}\nnor with it: {against_with:#?}"
    );
    without
}

fn same(steps: &[Step], replies: &[Reply], expected: &[Reply]) {
    for ((step, reply), expected) in steps.iter().zip(replies).zip(expected) {
        assert_eq!(reply, expected, "the answer to {step:?} in {steps:#?}");
    }
}

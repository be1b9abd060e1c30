//! What the engine must be: the same commands decided over plain maps, with no disk, no batch, no
//! cache and no thread.

use std::collections::{BTreeMap, BTreeSet};

use tenure::engine::{NamespaceInfo, Receipt, Submission, SubmitError};
use tenure::kernel::{
    Command, DecideError, Decision, Directory, Lookup, Memory, RequestKey, Stamp, Tx, decide,
};
use tenure::types::{Name, NamespaceId, Timestamp, TxId};

use crate::world::{Done, HOME, Reply, Step, name};

#[derive(Clone, Debug)]
pub(crate) struct Model {
    /// Ever made; the id of the last.
    namespaces: u32,
    pub(crate) spaces: BTreeMap<Name, Space>,
}

/// One namespace.
#[derive(Clone, Debug)]
pub(crate) struct Space {
    pub(crate) info: NamespaceInfo,
    pub(crate) memory: Memory,
    pub(crate) log: Vec<Tx>,
    /// First receipts, with the commands they are for.
    pub(crate) receipts: BTreeMap<String, (Submission, Receipt)>,
    /// Every transaction since the engine opened was imported with its time.
    replaying: bool,
}

impl Model {
    /// As `World::create` leaves it.
    pub(crate) fn new() -> Model {
        let home = name(HOME);
        let space = Space::new(NamespaceId::new(1), &home, Timestamp::from_micros(0));
        Model { namespaces: 1, spaces: BTreeMap::from([(home, space)]) }
    }

    /// What the requests of one commit are answered.
    pub(crate) fn group(&mut self, steps: &[Step], now: i64) -> Vec<Reply> {
        let now = Timestamp::from_micros(now);
        let mut gone: BTreeSet<Name> = BTreeSet::new();
        let mut made: BTreeMap<Name, Space> = BTreeMap::new();
        let mut replies = Vec::new();
        for step in steps {
            let there = |name: &Name| self.spaces.contains_key(name) && !gone.contains(name);
            let reply = match step {
                Step::Submit { namespace, .. } if !there(namespace) => Err(unknown(namespace)),
                Step::Submit { namespace, submission } => {
                    let space = self.spaces.get_mut(namespace).expect("it is there");
                    space.submit(submission, now).map(Done::Receipt)
                }
                Step::Create { name } if there(name) || made.contains_key(name) => {
                    Err(SubmitError::NamespaceExists { name: name.to_string() })
                }
                Step::Create { name } => {
                    self.namespaces += 1;
                    let space = Space::new(NamespaceId::new(self.namespaces), name, now);
                    let info = space.info.clone();
                    made.insert(name.clone(), space);
                    Ok(Done::Made(info))
                }
                Step::Delete { name } if !there(name) => Err(unknown(name)),
                Step::Delete { name } => {
                    gone.insert(name.clone());
                    Ok(Done::Gone)
                }
            };
            replies.push(reply.map_err(|error| format!("{error:?}")));
        }
        self.spaces.retain(|name, _| !gone.contains(name));
        self.spaces.extend(made);
        replies
    }

    /// What an engine forgets that was opened again, or reopened its store.
    pub(crate) fn reopened(&mut self) {
        for space in self.spaces.values_mut() {
            space.replaying = false;
        }
    }
}

impl Space {
    fn new(id: NamespaceId, name: &Name, created: Timestamp) -> Space {
        Space {
            info: NamespaceInfo {
                id,
                name: name.to_string(),
                zone: String::new(),
                created,
                space: None,
            },
            memory: Memory::default(),
            log: Vec::new(),
            receipts: BTreeMap::new(),
            replaying: false,
        }
    }

    pub(crate) fn directory(&self) -> &Directory {
        self.memory.directory()
    }

    pub(crate) fn last(&self) -> TxId {
        self.directory().last_tx()
    }

    fn submit(&mut self, submission: &Submission, now: Timestamp) -> Result<Receipt, SubmitError> {
        let Submission { command, dry_run, time } = submission;
        if let Some(known) = command.request.as_ref().and_then(|key| self.known(key)) {
            return known;
        }
        let stamp = self.stamp(now, *time)?;
        let mut decision = self.decide(command, stamp)?;
        let outcomes = std::mem::take(&mut decision.outcomes);
        if *dry_run {
            return Ok(Receipt { tx: TxId::ZERO, time: stamp.time, outcomes, replayed: false });
        }
        if decision.is_idle(&outcomes) && command.request.is_none() {
            let time = self.log.last().map_or(now, |tx| tx.time);
            return Ok(Receipt { tx: self.last(), time, outcomes, replayed: false });
        }
        self.memory.apply(&decision.tx);
        self.log.push(decision.tx);
        self.replaying = time.is_some();
        let receipt = Receipt { tx: stamp.tx, time: stamp.time, outcomes, replayed: false };
        if let Some(key) = &command.request {
            self.receipts.insert(key.id.clone(), (submission.clone(), receipt.clone()));
        }
        Ok(receipt)
    }

    fn known(&self, key: &RequestKey) -> Option<Result<Receipt, SubmitError>> {
        let (first, receipt) = self.receipts.get(&key.id)?;
        let same = first.command.request.as_ref() == Some(key);
        let replayed = Receipt { replayed: true, ..receipt.clone() };
        Some(if same { Ok(replayed) } else { Err(SubmitError::KeyReused) })
    }

    fn stamp(&self, now: Timestamp, imported: Option<Timestamp>) -> Result<Stamp, SubmitError> {
        let last = self.log.last();
        let earliest = last.map_or(Timestamp::MIN, |tx| tx.time.successor());
        let tx = self.last().next();
        let time = match imported {
            None => now.max(earliest),
            Some(_) if last.is_some() && !self.replaying => {
                return Err(SubmitError::NamespaceNotEmpty);
            }
            Some(time) if time < earliest || time > now => return Err(SubmitError::ImportTime),
            Some(time) => time,
        };
        Ok(Stamp { tx, time })
    }

    fn decide(&self, command: &Command, stamp: Stamp) -> Result<Decision, SubmitError> {
        decide(command, stamp, &self.memory).map_err(|error| match error {
            DecideError::Rejected(rejection) => SubmitError::Rejected(rejection),
            DecideError::Lookup(never) => match never {},
        })
    }
}

fn unknown(name: &Name) -> SubmitError {
    SubmitError::NamespaceUnknown { name: name.to_string() }
}

//! Forgetting over the wire, a step at a time, and for a server that does it by itself.

use std::collections::BTreeMap;

use tonic::Status;

use crate::agent::{Counts, Place, Step, Sweep, plan};
use crate::engine::{Engine, Submission};
use crate::kernel::{Command, Mode};
use crate::types::limits::{SWEEP_DOCUMENTS_DEFAULT, SWEEP_DOCUMENTS_MAX};
use crate::types::{Grant, MemoryKind, Name, Role, TxId};

use super::caller::Caller;
use super::context::{Context, aside};
use super::from_proto::Form;
use super::place::number;
use super::policy::kind;
use super::{failure, proto};

/// Where a namespace is being swept.
#[derive(Clone, Debug)]
pub struct Sweeping {
    grant: Grant,
    sweep: Sweep,
    place: Option<Place>,
}

impl Sweeping {
    /// All of a namespace.
    #[must_use]
    pub fn new(namespace: Name) -> Sweeping {
        let (kinds, limit) = (std::collections::BTreeSet::new(), SWEEP_DOCUMENTS_DEFAULT);
        let sweep = Sweep { kinds, limit, dry_run: false };
        Sweeping { grant: Grant::all(namespace), sweep, place: Some(Place::Document(0)) }
    }

    /// The next step, and how many items it changed; none after the last.
    ///
    /// # Errors
    /// Why it could not be done. What was done before it stays.
    pub async fn step(&mut self, engine: &Engine) -> Result<Option<u64>, Status> {
        let Some(place) = self.place else { return Ok(None) };
        let swept = swept(engine, &self.grant, &self.sweep, place).await?;
        self.place = swept.next;
        let changed = |counts: &Counts| counts.archived + counts.evicted + counts.compacted;
        Ok(Some(swept.counts.values().map(changed).sum()))
    }
}

struct Swept {
    counts: BTreeMap<MemoryKind, Counts>,
    next: Option<Place>,
    tx: TxId,
}

pub(super) async fn sweep(
    context: &Context,
    caller: &Caller,
    mut request: proto::SweepMemoriesRequest,
) -> Result<proto::SweepMemoriesResponse, Status> {
    let (grant, zone) = context.namespace(caller, Role::Writer, &request.namespace)?;
    let mut form = Form::new(zone);
    let kinds = form.memory_kinds("kinds", &request.kinds);
    let limit = form.count("limit", request.limit, SWEEP_DOCUMENTS_DEFAULT, SWEEP_DOCUMENTS_MAX);
    let dry_run = request.dry_run;
    let sweep = failure::form(form.finish(|| Ok(Sweep { kinds: kinds?, limit: limit?, dry_run })))?;
    request.limit = 0;
    let token = std::mem::take(&mut request.page_token);
    let digest = context.digest(&grant, "SweepMemories", &request)?;
    let place = match digest.place::<2>(&token)? {
        None => Place::Document(0),
        Some([0, document]) => Place::Document(u32::try_from(document).unwrap_or(u32::MAX)),
        Some(_) => Place::Caps,
    };
    let Swept { counts, next, tx } = swept(context.engine(), &grant, &sweep, place).await?;
    let next_page_token = next.map_or_else(String::new, |place| match place {
        Place::Document(document) => digest.token(&[0, document.into()]),
        Place::Caps => digest.token(&[1, 0]),
    });
    let counts = counts.into_iter().map(|(of, counts)| proto::SweepCount {
        kind: kind(of).into(),
        looked_at: counts.looked_at,
        archived: counts.archived,
        evicted: counts.evicted,
        compacted: counts.compacted,
    });
    let tx = number(tx).cast_unsigned();
    Ok(proto::SweepMemoriesResponse { counts: counts.collect(), next_page_token, tx })
}

async fn swept(
    engine: &Engine,
    grant: &Grant,
    sweep: &Sweep,
    place: Place,
) -> Result<Swept, Status> {
    let planned = {
        let (engine, grant, sweep) = (engine.clone(), grant.clone(), sweep.clone());
        aside(move || plan(&engine, &grant, &sweep, place)).await?
    };
    let step: Step = planned.map_err(|error| failure::read(&error))?;
    if sweep.dry_run || step.ops.is_empty() {
        return Ok(Swept { counts: step.planned(), next: step.next, tx: TxId::ZERO });
    }
    let command = Command { request: None, mode: Mode::Atomic, ops: step.ops.clone() };
    let receipt = engine.submit(grant, Submission::from(command)).await;
    let receipt = receipt.map_err(|error| failure::submit(&error, &[]))?;
    Ok(Swept { counts: step.done(&receipt.outcomes), next: step.next, tx: receipt.tx })
}

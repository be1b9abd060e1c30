//! Policies over the wire: shown, and replaced.

use tonic::Status;

use crate::engine::PolicyRecord;
use crate::types::{ContextPolicy, GatePolicy, KindPolicy, MemoryKind, Policy, Renewal, Role};

use super::caller::Caller;
use super::civil::Zone;
use super::context::Context;
use super::from_proto::Form;
use super::{failure, proto};

pub(super) fn get(
    context: &Context,
    caller: &Caller,
    request: &proto::GetPolicyRequest,
) -> Result<proto::GetPolicyResponse, Status> {
    let (grant, _) = context.namespace(caller, Role::Reader, &request.namespace)?;
    let record = context.engine().policy_record(&grant).map_err(|error| failure::read(&error))?;
    let PolicyRecord { version, policy } = record.as_ref();
    Ok(proto::GetPolicyResponse { policy: Some(shown(policy)), version: *version })
}

pub(super) async fn update(
    context: &Context,
    caller: &Caller,
    request: &proto::UpdatePolicyRequest,
) -> Result<proto::UpdatePolicyResponse, Status> {
    // It is about all that the namespace holds.
    let (grant, _) = context.whole_namespace(caller, Role::Admin, &request.namespace)?;
    let mut form = Form::new(Zone::UNSET);
    let policy = form.policy(request.policy.as_ref());
    let policy = failure::form(form.finish(|| policy))?;
    let set = context.engine().set_policy(&grant, policy, request.version, caller.subject()).await;
    let record = set.map_err(|error| failure::submit(&error, &[]))?;
    let PolicyRecord { version, policy } = record.as_ref();
    Ok(proto::UpdatePolicyResponse { policy: Some(shown(policy)), version: *version })
}

fn shown(policy: &Policy) -> proto::Policy {
    let Policy { kinds, predicates, gate, context, reflection } = policy;
    let GatePolicy { near, near_by_model, ask_from, confidence_min } = gate;
    let threshold = |(model, near): (&String, &f64)| proto::ModelThreshold {
        model: model.clone(),
        near: *near,
    };
    let ContextPolicy { core_tokens, fact_tokens, project_tokens, conversation_tokens, .. } =
        *context;
    proto::Policy {
        kinds: kinds.iter().map(|(kind, policy)| shown_kind(*kind, policy)).collect(),
        predicates: predicates
            .iter()
            .map(|(predicate, of)| proto::PredicateKind {
                predicate: predicate.clone(),
                kind: kind(*of).into(),
            })
            .collect(),
        gate: Some(proto::GatePolicy {
            near: *near,
            near_by_model: near_by_model.iter().map(threshold).collect(),
            ask_from: *ask_from,
            confidence_min: *confidence_min,
        }),
        context: Some(proto::ContextPolicy {
            core_tokens,
            fact_tokens,
            project_tokens,
            conversation_tokens,
            score_min: context.score_min,
            cosine_min: context.cosine_min,
        }),
        reflection: Some(proto::ReflectionPolicy { after: reflection.after }),
    }
}

fn shown_kind(of: MemoryKind, policy: &KindPolicy) -> proto::KindPolicy {
    let renewal = match policy.renewal {
        Renewal::Replace => proto::Renewal::Replace,
        Renewal::Accumulate => proto::Renewal::Accumulate,
        Renewal::Version => proto::Renewal::Version,
        Renewal::Review => proto::Renewal::Review,
    };
    proto::KindPolicy {
        kind: kind(of).into(),
        renewal: renewal.into(),
        live_days: policy.live_days,
        decay: policy.decay,
        archive_below: policy.archive_below,
        cap: policy.cap,
        compact_days: policy.compact_days,
        compact_reads: policy.compact_reads,
        review_days: policy.review_days,
    }
}

pub(super) fn kind(kind: MemoryKind) -> proto::MemoryKind {
    match kind {
        MemoryKind::Fact => proto::MemoryKind::Fact,
        MemoryKind::Preference => proto::MemoryKind::Preference,
        MemoryKind::Project => proto::MemoryKind::Project,
        MemoryKind::Transient => proto::MemoryKind::Transient,
        MemoryKind::Episode => proto::MemoryKind::Episode,
        MemoryKind::Procedure => proto::MemoryKind::Procedure,
        MemoryKind::Passage => proto::MemoryKind::Passage,
        MemoryKind::Summary => proto::MemoryKind::Summary,
        MemoryKind::Reflection => proto::MemoryKind::Reflection,
        MemoryKind::Failure => proto::MemoryKind::Failure,
        MemoryKind::Core => proto::MemoryKind::Core,
    }
}

//! Policies over the wire: whole, checked, versioned, and kept.

use tenure::rpc::proto;
use tonic_types::StatusExt;

use crate::ask::HOME;
use crate::support::{Server, reason};

pub(crate) async fn policy(server: &mut Server) -> (proto::Policy, u64) {
    let request = proto::GetPolicyRequest { namespace: HOME.to_owned() };
    let answer = server.memory.get_policy(request).await.expect("a policy").into_inner();
    (answer.policy.expect("there is one"), answer.version)
}

pub(crate) async fn set_policy(
    server: &mut Server,
    policy: proto::Policy,
    version: u64,
) -> Result<u64, tonic::Status> {
    let (namespace, policy) = (HOME.to_owned(), Some(policy));
    let request = proto::UpdatePolicyRequest { namespace, policy, version };
    server.memory.update_policy(request).await.map(|answer| answer.into_inner().version)
}

pub(crate) fn kind(policy: &mut proto::Policy, kind: proto::MemoryKind) -> &mut proto::KindPolicy {
    policy.kinds.iter_mut().find(|one| one.kind() == kind).expect("every kind is there")
}

#[tokio::test]
async fn a_policy_is_set_whole_by_who_read_the_last_one() {
    let mut server = Server::start().await;
    let (mut changed, version) = policy(&mut server).await;
    assert_eq!((version, changed.kinds.len()), (0, 11));
    assert_eq!(kind(&mut changed, proto::MemoryKind::Preference).live_days, Some(365));
    kind(&mut changed, proto::MemoryKind::Fact).decay = 0.5;
    assert_eq!(set_policy(&mut server, changed.clone(), 0).await.expect("set"), 1);
    let late = set_policy(&mut server, changed.clone(), 0).await.expect_err("another was first");
    assert_eq!((late.code(), reason(&late)), (tonic::Code::Aborted, "POLICY_CHANGED".to_owned()));
    assert_eq!(policy(&mut server).await, (changed.clone(), 1));

    let mut bad = changed.clone();
    let facts = kind(&mut bad, proto::MemoryKind::Fact);
    (facts.decay, facts.archive_below, facts.live_days) = (f64::NAN, 1.5, Some(0));
    facts.cap = Some(1_000_001);
    bad.kinds.retain(|one| one.kind() != proto::MemoryKind::Core);
    let prefers = proto::PredicateKind {
        predicate: "prefers".to_owned(),
        kind: proto::MemoryKind::Core.into(),
    };
    bad.predicates = vec![prefers];
    bad.context = None;
    let refused = set_policy(&mut server, bad, 1).await.expect_err("it is wrong");
    let details = refused.get_error_details();
    let told = &details.bad_request().expect("fields").field_violations;
    let mut told: Vec<&str> = told.iter().map(|violation| violation.field.as_str()).collect();
    told.sort_unstable();
    let place = changed.kinds.iter().position(|one| one.kind() == proto::MemoryKind::Fact);
    let of = |field: &str| format!("policy.kinds[{}].{field}", place.expect("it is there"));
    let expected = [
        "policy.context".to_owned(),
        of("archive_below"),
        of("cap"),
        of("decay"),
        of("live_days"),
        "policy.predicates[0].kind".to_owned(),
    ];
    assert_eq!(told, expected);
    assert_eq!(policy(&mut server).await, (changed, 1), "bad input changes nothing");
}

#[tokio::test]
async fn a_policy_outlives_the_server_and_goes_with_the_namespace() {
    let home = tempfile::tempdir().expect("a place for data");
    let mut server = Server::open(home.path()).await;
    server.create_namespace(HOME).await;
    let (mut changed, _) = policy(&mut server).await;
    kind(&mut changed, proto::MemoryKind::Episode).compact_days = Some(7);
    set_policy(&mut server, changed.clone(), 0).await.expect("set");
    server.stop().await;
    let mut server = Server::open(home.path()).await;
    assert_eq!(policy(&mut server).await, (changed, 1));
    let request = proto::DeleteNamespaceRequest { name: HOME.to_owned() };
    server.admin.delete_namespace(request).await.expect("deleted");
    server.create_namespace(HOME).await;
    assert_eq!(policy(&mut server).await.1, 0);
    server.stop().await;
}

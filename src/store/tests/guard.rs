use std::sync::Arc;

use crate::store::{AuditKind, PolicyRecord, Store, UsageRow};
use crate::types::limits::AUDIT_EVENTS_MAX;
use crate::types::{
    AuditEvent, AuditSubject, Budget, Budgets, Clearance, Cost, Credential, CredentialId, Name,
    Period, Policy, Purpose, Quotas, Reach, Role,
};

use super::sample::{at, scope};

fn credential(id: u64, reach: Reach) -> Credential {
    Credential {
        id: CredentialId::new(id),
        name: "ci".to_owned(),
        role: Role::Writer,
        reach,
        clearance: Clearance::Only(scope()),
        created: at(1),
        expires: Some(at(9)),
        rotated: None,
        digest: [7; 32],
        earlier: Some(([8; 32], at(5))),
    }
}

fn event(action: &str) -> AuditEvent {
    let about = AuditSubject {
        who: "ci".to_owned(),
        credential: Some(CredentialId::new(3)),
        ..AuditSubject::default()
    };
    AuditEvent { sequence: 0, time: at(1), action: action.to_owned(), about, count: 2 }
}

#[test]
fn credentials_and_quotas_outlive_the_process_and_go_when_they_are_removed() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let own = credential(2, Reach::One(Name::new("acme").expect("a name")));
    let all = Credential { clearance: Clearance::Everything, ..credential(u64::MAX, Reach::All) };
    let quotas = Quotas { facts: Some(5), streams: Some(0), ..Quotas::default() };
    let store = Store::open(directory.path()).expect("opens");
    let mut batch = store.begin().expect("begins");
    let name = Name::new("acme").expect("a name");
    let namespace = batch.create_namespace(name, String::new(), at(1)).expect("made").id;
    batch.put_credential(&all).expect("puts");
    batch.put_credential(&own).expect("puts");
    batch.put_quotas(namespace, &quotas).expect("puts");
    let policy = PolicyRecord { version: 3, policy: Arc::new(Policy::default()) };
    batch.put_policy(namespace, &policy).expect("puts");
    batch.commit().expect("commits");
    drop(store);
    let store = Store::open(directory.path()).expect("opens");
    let reader = store.read().expect("reads");
    assert_eq!(reader.credentials().expect("reads"), [own.clone(), all.clone()]);
    assert_eq!(reader.quotas(namespace).expect("reads"), Some(quotas));
    assert_eq!(reader.policy(namespace).expect("reads"), Some(policy));
    drop(reader);
    let mut batch = store.begin().expect("begins");
    assert_eq!(batch.credential_count().expect("reads"), 2);
    batch.remove_credential(own.id).expect("removes");
    assert_eq!(batch.credential(own.id).expect("reads"), None);
    batch.delete_namespace(namespace).expect("deletes");
    batch.commit().expect("commits");
    let reader = store.read().expect("reads");
    assert_eq!(reader.credentials().expect("reads"), [all]);
    assert_eq!(reader.quotas(namespace).expect("reads"), None);
    assert_eq!(reader.policy(namespace).expect("reads"), None);
}

#[test]
fn a_flood_of_denials_pushes_no_change_out() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let store = Store::open(directory.path()).expect("opens");
    let mut batch = store.begin().expect("begins");
    batch.add_audit(AuditKind::Change, vec![event("MADE")]).expect("adds");
    let bound = usize::try_from(AUDIT_EVENTS_MAX).expect("it fits");
    batch.add_audit(AuditKind::Denial, vec![event("DENIED"); bound]).expect("adds");
    batch.commit().expect("commits");
    let count = || {
        let events = store.read().expect("reads").audit(u64::MAX, usize::MAX, |_| true);
        let events = events.expect("reads");
        assert!(events.is_sorted_by(|newer, older| newer.sequence > older.sequence));
        (events.len(), events.last().map(|event| (event.sequence, event.action.clone())))
    };
    let oldest = Some((1, "MADE".to_owned()));
    assert_eq!(count(), (bound + 1, oldest.clone()));
    let mut batch = store.begin().expect("begins");
    batch.add_audit(AuditKind::Denial, vec![event("DENIED"); 3]).expect("adds");
    batch.commit().expect("commits");
    assert_eq!(count(), (bound + 1, oldest));
    let page = store.read().expect("reads").audit(4, 2, |event| event.action == "DENIED");
    // 2, 3 and 4 made room.
    assert!(page.expect("reads").is_empty());
    let page = store.read().expect("reads").audit(7, 2, |event| event.action == "DENIED");
    let page: Vec<u64> = page.expect("reads").iter().map(|event| event.sequence).collect();
    assert_eq!(page, [6, 5]);
}

#[test]
fn costs_and_budgets_outlive_the_process_and_go_with_their_namespace() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let store = Store::open(directory.path()).expect("opens");
    let mut batch = store.begin().expect("begins");
    let mut namespace = |name: &str| {
        let name = Name::new(name).expect("a name");
        batch.create_namespace(name, String::new(), at(1)).expect("made").id
    };
    let (one, other) = (namespace("one"), namespace("other"));
    let cost =
        Cost { calls: 1, failures: 2, prompt_tokens: 3, completion_tokens: 4, estimated_tokens: 5 };
    let periods = [Period::Day(0), Period::Day(u32::MAX), Period::Month(7)];
    let rows: Vec<UsageRow> = periods
        .into_iter()
        .flat_map(|period| Purpose::ALL.map(|purpose| UsageRow { period, purpose, cost }))
        .collect();
    let bound = Budget { day_tokens: Some(0), month_tokens: None };
    let budgets = Budgets(Purpose::ALL.map(|purpose| (purpose, bound)).into());
    for id in [one, other] {
        batch.put_usage(id, &rows).expect("puts");
        batch.put_budgets(id, &budgets).expect("puts");
    }
    batch.put_usage(one, &rows).expect("puts the same sums again");
    batch.mark_purge().expect("marks");
    batch.commit().expect("commits");
    drop(store);
    // Written anew at opening.
    let store = Store::open(directory.path()).expect("opens");
    let reader = store.read().expect("reads");
    assert_eq!(reader.usage(one).expect("reads"), rows);
    assert_eq!(reader.budgets(one).expect("reads"), Some(budgets.clone()));
    drop(reader);
    let mut batch = store.begin().expect("begins");
    batch.forget_usage(one, |period| period == Period::Day(0)).expect("forgets");
    batch.delete_namespace(other).expect("deletes");
    batch.commit().expect("commits");
    let reader = store.read().expect("reads");
    assert_eq!(reader.usage(one).expect("reads"), rows[Purpose::ALL.len()..]);
    assert!(reader.usage(other).expect("reads").is_empty());
    assert_eq!(reader.budgets(other).expect("reads"), None);
}

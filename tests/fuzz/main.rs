//! Inputs that nobody sends on purpose, from a fixed seed, against a live server: it refuses them
//! with a reason or takes them, never panics, never calls them its own fault, and answers after.
//!
//! ```sh
//! TENURE_FUZZ_INPUTS=100000 cargo test --test fuzz
//! ```

#[path = "../support/mod.rs"]
mod support;
#[path = "../support/raw.rs"]
mod raw;

mod chance;
mod frame;
mod import;
mod wire;

use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

use tenure::rpc::proto;

use support::{Server, op};

/// Panics of any thread of this process, the server's among them.
static PANICS: AtomicU64 = AtomicU64::new(0);

/// Begins to count panics; what is said of them is said as before.
fn count_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let said = panic::take_hook();
        panic::set_hook(Box::new(move |found| {
            PANICS.fetch_add(1, Ordering::SeqCst);
            said(found);
        }));
    });
}

/// How many inputs: the number a test has, or what `TENURE_FUZZ_INPUTS` says.
fn inputs(usual: u64) -> u64 {
    std::env::var("TENURE_FUZZ_INPUTS").map_or(usual, |text| text.parse().expect("a number"))
}

/// The server lives, takes a fact, gives it back, and its tables are what its log says.
async fn answers(server: &mut Server, namespace: &str) {
    assert_eq!(PANICS.load(Ordering::SeqCst), 0, "something panicked; it is said above");
    // A changed byte may have made an erasure of everything out of another one.
    let request = proto::CreateNamespaceRequest { name: namespace.into(), ..Default::default() };
    if let Err(status) = server.admin.create_namespace(request).await {
        assert_eq!(support::reason(&status), "NAMESPACE_EXISTS", "{status:?}");
    }
    let request = proto::TransactRequest {
        namespace: namespace.to_owned(),
        operations: vec![op::assert("after all", "is", "here", op::instant(0), None)],
        ..Default::default()
    };
    server.facts.transact(request).await.expect("it takes a fact");
    let request = proto::ListFactsRequest {
        namespace: namespace.to_owned(),
        pattern: Some(proto::FactPattern { subject: "after all".to_owned(), ..Default::default() }),
        as_of: support::at::valid(1),
        ..Default::default()
    };
    let answer = server.facts.list_facts(request).await.expect("it answers").into_inner();
    assert_eq!(answer.rectangles.len(), 1);
    let request = proto::VerifyRequest { namespace: namespace.to_owned() };
    let verified = server.admin.verify(request).await.expect("it verifies").into_inner();
    assert!(verified.clean, "{:?}", verified.differences);
}

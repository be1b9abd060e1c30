//! Many writers at once: nothing is lost, and everyone reads what they wrote.

use std::collections::BTreeSet;

use tenure::rpc::proto;
use tenure::rpc::proto::OutcomeStatus;

use crate::ask::{HOME, fact, held, request, timeline, verify, words, write};
use crate::support::{Server, at, op};

async fn clients<T: Send + 'static, F>(count: i64, work: impl Fn(i64) -> F) -> Vec<T>
where
    F: Future<Output = T> + Send + 'static,
{
    let tasks: Vec<_> = (0..count).map(|client| tokio::spawn(work(client))).collect();
    let mut done = Vec::new();
    for task in tasks {
        done.push(task.await.expect("a client"));
    }
    done
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn c21_sixteen_writers_lose_nothing() {
    let mut server = Server::start().await;
    let facts = server.facts.clone();
    let numbers = clients(16, move |client| {
        let mut facts = facts.clone();
        async move {
            let mut numbers = Vec::new();
            for n in 0..100 {
                let operation =
                    fact(&format!("client {client}"), "made", &format!("{client}-{n}"), n, None);
                let answer = facts.transact(request(vec![operation])).await.expect("a write");
                numbers.push(answer.into_inner().tx);
            }
            numbers
        }
    });
    let numbers: BTreeSet<u64> = numbers.await.into_iter().flatten().collect();
    assert_eq!(numbers, (1..=1_600).collect());
    assert_eq!(held(&mut server, at::valid(100)).await.len(), 1_600);
    verify(&mut server, HOME).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn c21_sixteen_writers_of_one_value_leave_one_open() {
    let mut server = Server::start().await;
    write(&mut server, 1, vec![op::one("head")]).await;
    let facts = server.facts.clone();
    clients(16, move |client| {
        let mut facts = facts.clone();
        async move {
            let operation = fact("d1", "head", &format!("head {client}"), 10 + client, None);
            facts.transact(request(vec![operation])).await.expect("a write");
        }
    })
    .await;
    let rows = timeline(&mut server, "d1", "head", None).await;
    let wanted: Vec<_> = (0..16)
        .map(|client| {
            let to = if client == 15 { "-".to_owned() } else { (11 + client).to_string() };
            format!("d1 head head {client} [{},{to})", 10 + client)
        })
        .collect();
    assert_eq!(rows, wanted);
    assert_eq!(held(&mut server, at::valid(99)).await, ["d1 head head 15"]);
    // None is lost from the history either.
    let audit = proto::GetTimelineRequest {
        namespace: HOME.to_owned(),
        subject: "d1".to_owned(),
        predicate: "head".to_owned(),
        audit: true,
        page_size: 10_000,
        ..Default::default()
    };
    let audit = server.facts.get_timeline(audit).await.expect("an audit").into_inner();
    let objects: BTreeSet<_> = audit.rectangles.iter().map(words).collect();
    assert_eq!(objects.len(), 16);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn c22_a_writer_reads_what_it_wrote() {
    let mut server = Server::start().await;
    for n in 0..200 {
        let subject = format!("s{n}");
        let written = write(&mut server, n, vec![fact(&subject, "is", "here", 0, None)]).await;
        let (namespace, start) = (HOME.to_owned(), subject.clone());
        let as_of = at::valid(5);
        let walk = proto::TraverseRequest { namespace, start, as_of, ..Default::default() };
        let walk = server.graph.traverse(walk).await.expect("it is there").into_inner();
        assert_eq!((walk.steps.len(), walk.basis.expect("a basis").tx), (1, written.tx));
        assert_eq!(timeline(&mut server, &subject, "is", None).await.len(), 1);
        assert_eq!(written.outcomes[0].status(), OutcomeStatus::Applied);
    }
    server.stop().await;
}

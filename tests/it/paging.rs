//! Pages of one listing: together they are the listing, whatever is written between them.

use tenure::rpc::proto;

use crate::ask::{HOME, fact, merge, write};
use crate::support::{Server, at, op};

/// A listing, and the rows of one answer as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum List {
    Facts,
    Overlapping,
    FactsOfObject,
    Timeline,
    Audit,
    Diff,
    Conflicts,
    Settled,
    Entities,
    Predicates,
}

const LISTS: [List; 10] = [
    List::Facts,
    List::Overlapping,
    List::FactsOfObject,
    List::Timeline,
    List::Audit,
    List::Diff,
    List::Conflicts,
    List::Settled,
    List::Entities,
    List::Predicates,
];

struct Page {
    rows: Vec<String>,
    next: String,
}

fn defaults<T: Default>() -> T {
    T::default()
}

fn shown<T: std::fmt::Debug>(rows: Vec<T>) -> Vec<String> {
    rows.iter().map(|row| format!("{row:?}")).collect()
}

impl List {
    async fn page(self, server: &mut Server, page_size: i32, page_token: String) -> Page {
        match self {
            List::Facts | List::Overlapping | List::FactsOfObject => {
                self.facts(server, page_size, page_token).await
            }
            List::Timeline | List::Audit => self.timeline(server, page_size, page_token).await,
            List::Diff => diff(server, page_size, page_token).await,
            List::Conflicts | List::Settled => self.conflicts(server, page_size, page_token).await,
            List::Entities => {
                let namespace = HOME.to_owned();
                let request =
                    proto::ListEntitiesRequest { namespace, page_size, page_token, ..defaults() };
                let answer =
                    server.graph.list_entities(request).await.expect("a page").into_inner();
                Page { rows: shown(answer.entities), next: answer.next_page_token }
            }
            List::Predicates => {
                let namespace = HOME.to_owned();
                let request =
                    proto::ListPredicatesRequest { namespace, page_size, page_token, known: None };
                let answer =
                    server.graph.list_predicates(request).await.expect("a page").into_inner();
                Page { rows: shown(answer.predicates), next: answer.next_page_token }
            }
        }
    }

    async fn facts(self, server: &mut Server, page_size: i32, page_token: String) -> Page {
        let namespace = HOME.to_owned();
        let request = proto::ListFactsRequest { namespace, page_size, page_token, ..defaults() };
        let request = match self {
            List::Overlapping => {
                let overlapping = Some(proto::Range { from: op::instant(3), to: op::instant(40) });
                proto::ListFactsRequest { overlapping, clamp: true, ..request }
            }
            List::FactsOfObject => {
                let pattern = proto::FactPattern { object: Some(op::entity("o1")), ..defaults() };
                proto::ListFactsRequest { pattern: Some(pattern), ..request }
            }
            _ => request,
        };
        let answer = server.facts.list_facts(request).await.expect("a page").into_inner();
        Page { rows: shown(answer.rectangles), next: answer.next_page_token }
    }

    async fn timeline(self, server: &mut Server, page_size: i32, page_token: String) -> Page {
        let request = proto::GetTimelineRequest {
            namespace: HOME.to_owned(),
            subject: "busy".to_owned(),
            predicate: "head".to_owned(),
            audit: self == List::Audit,
            page_size,
            page_token,
            known: None,
        };
        let answer = server.facts.get_timeline(request).await.expect("a page").into_inner();
        Page { rows: shown(answer.rectangles), next: answer.next_page_token }
    }

    async fn conflicts(self, server: &mut Server, page_size: i32, page_token: String) -> Page {
        let request = proto::ListConflictsRequest {
            namespace: HOME.to_owned(),
            include_settled: self == List::Settled,
            page_size,
            page_token,
            ..defaults()
        };
        let answer = server.facts.list_conflicts(request).await.expect("a page").into_inner();
        Page { rows: shown(answer.conflicts), next: answer.next_page_token }
    }
}

async fn diff(server: &mut Server, page_size: i32, page_token: String) -> Page {
    let request = proto::DiffFactsRequest {
        namespace: HOME.to_owned(),
        from: at::tx(2, 1),
        to: None,
        page_size,
        page_token,
        ..defaults()
    };
    let answer = server.facts.diff_facts(request).await.expect("a page").into_inner();
    let mut rows = shown(answer.removed);
    rows.extend(shown(answer.added));
    rows.extend(shown(answer.changed));
    Page { rows, next: answer.next_page_token }
}

/// Rows of every listing: 30 subjects, a busy slot, and conflicts of which some are settled.
async fn load(server: &mut Server) {
    let subjects = (0..30).flat_map(|n| {
        let subject = format!("s{n}");
        [
            fact(&subject, "knows", "o1", n % 7, None),
            fact(&subject, &format!("p{n}"), "o2", n, 60 + n),
        ]
    });
    let mut operations = vec![op::one("head"), op::one("price")];
    operations.extend(subjects);
    write(server, 1, operations).await;
    for n in 0..20 {
        let clock = 2 + n;
        let operations = vec![
            fact("busy", "head", &format!("h{n}"), 5 + n, None),
            fact("part", "price", &format!("v{n}"), 5, None),
        ];
        write(server, clock, operations).await;
    }
    write(server, 30, vec![op::retract("part", "price", "v3"), op::retract("part", "price", "v7")])
        .await;
    server.clock.set(50);
}

/// What must not show in the pages that follow: new rows before and after the place, rows that
/// change, names that merge, and a clock that goes on.
async fn disturb(server: &mut Server, round: i64) {
    let operations = vec![
        fact("s0", "knows", &format!("new {round}"), 0, None),
        fact(&format!("later {round}"), &format!("fresh {round}"), "o1", 0, None),
        op::end("s29", "knows", "o1", op::instant(40)),
        op::retract(&format!("s{}", 10 + round % 10), "knows", "o1"),
        fact("busy", "head", &format!("again {round}"), 2 + round, None),
        fact("part", "price", &format!("w {round}"), 5, None),
        op::retract("part", "price", &format!("v{}", 8 + round % 8)),
    ];
    write(server, 1_000 + 10 * round, operations).await;
    if round == 1 {
        write(server, 1_011, vec![merge("s20", "s2")]).await;
    }
}

async fn check(list: List, size: i32) {
    let mut server = Server::start().await;
    load(&mut server).await;
    let whole = list.page(&mut server, 10_000, String::new()).await;
    assert_eq!(whole.next, "", "{list:?} fits in one page");
    assert!(whole.rows.len() > 10, "{list:?} has {} rows", whole.rows.len());
    let mut rows: Vec<String> = Vec::new();
    let mut token = String::new();
    for round in 0.. {
        let page = list.page(&mut server, size, token).await;
        let most = if list == List::Diff { 100 } else { usize::try_from(size).expect("a size") };
        assert!(page.rows.len() <= most, "{list:?}: {} rows", page.rows.len());
        rows.extend(page.rows);
        token = page.next;
        if token.is_empty() {
            break;
        }
        disturb(&mut server, round).await;
    }
    let mut wanted = whole.rows;
    if list == List::Diff {
        // Removed, added and changed are lists of their own on each page.
        wanted.sort();
        rows.sort();
    }
    assert_eq!(rows, wanted, "{list:?} in pages of {size}");
    server.stop().await;
}

#[tokio::test]
async fn pages_together_are_the_listing_while_others_write() {
    for list in LISTS {
        for size in [1, 4, 7] {
            check(list, size).await;
        }
    }
}

#[tokio::test]
async fn namespaces_come_in_pages_in_the_order_they_were_made() {
    let mut server = Server::start().await;
    let mut wanted = vec![HOME.to_owned()];
    for n in 0..9 {
        let name = format!("space {}", 9 - n);
        server.create_namespace(&name).await;
        wanted.push(name);
    }
    for page_size in [1, 3, 10, 0] {
        let mut found = Vec::new();
        let mut page_token = String::new();
        loop {
            let request = proto::ListNamespacesRequest { page_size, page_token };
            let answer = server.admin.list_namespaces(request).await.expect("a page").into_inner();
            found.extend(answer.namespaces.into_iter().map(|namespace| namespace.name));
            page_token = answer.next_page_token;
            if page_token.is_empty() {
                break;
            }
        }
        assert_eq!(found, wanted, "pages of {page_size}");
    }
    server.stop().await;
}

/// Deleting a namespace that was listed must not hide one that was not.
#[tokio::test]
async fn a_namespace_deleted_between_pages_hides_no_other() {
    let mut server = Server::start().await;
    for n in 0..6 {
        server.create_namespace(&format!("n{n}")).await;
    }
    let request = |page_token| proto::ListNamespacesRequest { page_size: 3, page_token };
    let first = server.admin.list_namespaces(request(String::new())).await.expect("a page");
    let token = first.into_inner().next_page_token;
    let name = "n0".to_owned();
    server.admin.delete_namespace(proto::DeleteNamespaceRequest { name }).await.expect("it goes");
    server.create_namespace("n9").await;
    let second = server.admin.list_namespaces(request(token)).await.expect("a page").into_inner();
    let names: Vec<_> = second.namespaces.iter().map(|namespace| namespace.name.as_str()).collect();
    assert_eq!(names, ["n2", "n3", "n4"]);
    server.stop().await;
}

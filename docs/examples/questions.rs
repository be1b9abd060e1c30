//! Five kinds of question: relations, what was true, what was believed, what changed, and in words.

use tenure::client::{Client, known, triple, valid};
use tenure::rpc::proto::{
    AsOf, Assert, Cardinality, DeclarePredicate, DiffFactsRequest, Evidence, FactPattern,
    FindPathsRequest, ListFactsRequest, Operation, RecallRequest, Rectangle, TransactRequest,
    TraverseRequest,
};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = std::env::var("TENURE_SERVER").unwrap_or("127.0.0.1:50051".into());
    let memory = Client::new(&format!("http://{server}"), "questions rust")?;
    memory.create_namespace("").await?;
    let one =
        DeclarePredicate { predicate: "works_at".into(), cardinality: Cardinality::One.into() };
    let joined = holds("Ann", "works_at", "Acme", "2020", "");
    let owned = holds("Acme", "part_of", "Holding", "2010", "");
    let first = memory.transact(request("questions-1", [one.into(), joined, owned])).await?.tx;
    let letter = holds("Ann", "works_at", "Zeno", "2022", "I have been at Zeno since 2022.");
    let second = memory.transact(request("questions-2", [letter])).await?.tx;

    // Relations: who is Ann connected with, in two steps, in 2021? And by which way?
    let near = TraverseRequest {
        start: "Ann".into(),
        hops: 2,
        as_of: valid("2021"),
        ..Default::default()
    };
    for step in memory.traverse(near).await?.steps {
        let row = step.rectangle.unwrap_or_default();
        println!("hop {}: {} {} {}", step.hop, row.subject, row.predicate, object(row.clone()));
    }
    let way = FindPathsRequest {
        start: "Ann".into(),
        target: "Holding".into(),
        as_of: valid("2021"),
        ..Default::default()
    };
    for path in memory.find_paths(way).await?.paths {
        let steps = path.steps.into_iter().filter_map(|step| step.rectangle).map(object);
        println!("path: {}", steps.collect::<Vec<_>>().join(" > "));
    }

    // What was true in 2023, as we know it now?
    for row in memory.list_facts(work(valid("2023"))).all().await? {
        println!("true: {}", object(row));
    }

    // What did we believe about 2023 before the letter came?
    for row in memory.list_facts(work(known("2023", first))).all().await? {
        println!("believed: {}", object(row));
    }

    // What changed in what we know about 2023?
    let differences = DiffFactsRequest {
        namespace: memory.namespace.clone(),
        from: known("2023", first),
        to: known("2023", second),
        ..Default::default()
    };
    for changed in memory.facts.clone().diff_facts(differences).await?.into_inner().changed {
        let [before, after] = [changed.before, changed.after].map(Option::unwrap_or_default);
        println!("changed: {} to {}", object(before), object(after));
    }

    // And in words: what bears on a question, best first, as it stood in 2023?
    let asked = RecallRequest {
        query: "Where does Ann work?".into(),
        as_of: valid("2023"),
        limit: 1,
        ..Default::default()
    };
    for hit in memory.recall(asked).await?.hits {
        println!("recalled: {}", hit.text);
    }
    Ok(())
}

fn holds(subject: &str, predicate: &str, object: &str, from: &str, statement: &str) -> Operation {
    let evidence = Evidence { statement: statement.into(), ..Default::default() };
    Operation::from(Assert {
        triple: triple(subject, predicate, object),
        from: Some(from.into()),
        evidence: Some(evidence),
        ..Default::default()
    })
}

/// The id makes it safe to send again: the second time the first reply comes back.
fn request(id: &str, operations: impl Into<Vec<Operation>>) -> TransactRequest {
    TransactRequest { request_id: id.into(), operations: operations.into(), ..Default::default() }
}

fn work(as_of: Option<AsOf>) -> ListFactsRequest {
    let pattern = FactPattern {
        subject: "Ann".into(),
        predicates: vec!["works_at".into()],
        ..Default::default()
    };
    ListFactsRequest { pattern: Some(pattern), as_of, ..Default::default() }
}

fn object(row: Rectangle) -> String {
    row.object.unwrap_or_default().to_string()
}

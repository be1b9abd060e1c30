//! Connect, make a namespace, state two facts, and ask what held at a date.
//!
//! Start a server first: `cargo run --release -- serve --data data`. Then, beside it:
//! `cargo run --release --example quickstart`.

use tenure::rpc::proto;
use tenure::rpc::proto::admin_service_client::AdminServiceClient;
use tenure::rpc::proto::fact_service_client::FactServiceClient;

const SERVER: &str = "http://127.0.0.1:50051";
const NAMESPACE: &str = "quickstart";

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut admin = AdminServiceClient::connect(SERVER).await?;
    admin
        .create_namespace(proto::CreateNamespaceRequest {
            name: NAMESPACE.to_owned(),
            allow_existing: true,
            ..Default::default()
        })
        .await?;

    let mut facts = FactServiceClient::connect(SERVER).await?;
    let written = facts
        .transact(proto::TransactRequest {
            namespace: NAMESPACE.to_owned(),
            // Makes it safe to send again: the second time the first reply comes back.
            request_id: "quickstart-1".to_owned(),
            operations: vec![
                one_at_a_time("works_at"),
                holds("Ann", "works_at", "Acme", "2020"),
                holds("Ann", "works_at", "Zeno", "2023"),
            ],
            ..Default::default()
        })
        .await?
        .into_inner();
    println!("transaction {}", written.tx);

    let answer = facts
        .list_facts(proto::ListFactsRequest {
            namespace: NAMESPACE.to_owned(),
            pattern: Some(proto::FactPattern { subject: "Ann".to_owned(), ..Default::default() }),
            as_of: Some(proto::AsOf { valid: Some(at("2022")), known: None }),
            ..Default::default()
        })
        .await?
        .into_inner();
    for rectangle in &answer.rectangles {
        println!(
            "in 2022: {} {} {}",
            rectangle.subject,
            rectangle.predicate,
            name_of(rectangle.object.as_ref())
        );
    }
    Ok(())
}

/// The predicate holds one object at a time, so a newer one ends the older.
fn one_at_a_time(predicate: &str) -> proto::Operation {
    operation(proto::operation::Operation::DeclarePredicate(proto::DeclarePredicate {
        predicate: predicate.to_owned(),
        cardinality: proto::Cardinality::One.into(),
    }))
}

/// The fact holds from a date on; no end is known.
fn holds(subject: &str, predicate: &str, object: &str, from: &str) -> proto::Operation {
    let object = proto::Object { object: Some(proto::object::Object::Entity(object.to_owned())) };
    let from = proto::Bound { bound: Some(proto::bound::Bound::Date(date(from))), written: None };
    operation(proto::operation::Operation::Assert(proto::Assert {
        triple: Some(proto::Triple {
            subject: subject.to_owned(),
            predicate: predicate.to_owned(),
            object: Some(object),
        }),
        from: Some(from),
        ..Default::default()
    }))
}

fn operation(operation: proto::operation::Operation) -> proto::Operation {
    proto::Operation { operation: Some(operation) }
}

/// A point of valid time: the start of a date.
fn at(text: &str) -> proto::ValidPoint {
    proto::ValidPoint {
        point: Some(proto::valid_point::Point::Date(date(text))),
        edge: proto::Edge::Start.into(),
    }
}

fn date(text: &str) -> proto::CivilDate {
    proto::CivilDate { text: text.to_owned(), ..Default::default() }
}

fn name_of(object: Option<&proto::Object>) -> &str {
    match object.and_then(|object| object.object.as_ref()) {
        Some(proto::object::Object::Entity(name)) => name,
        Some(proto::object::Object::Value(_)) | None => "(a value)",
    }
}

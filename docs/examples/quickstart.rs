//! State two facts and ask what held at a date. `tenure serve --data DIR` starts a server.

use tenure::client::{Client, triple, valid};
use tenure::rpc::proto::{Assert, FactPattern, ListFactsRequest, TransactRequest};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = std::env::var("TENURE_SERVER").unwrap_or("127.0.0.1:50051".into());
    let memory = Client::new(&format!("http://{server}"), "quickstart rust")?;
    memory.create_namespace("").await?;
    let works = |object: &str, from: &str| Assert {
        triple: triple("Ann", "works_at", object),
        from: Some(from.into()),
        ..Default::default()
    };
    let operations = vec![works("Acme", "2020").into(), works("Zeno", "2023").into()];
    memory.transact(TransactRequest { operations, ..Default::default() }).await?;
    let pattern = Some(FactPattern { subject: "Ann".into(), ..Default::default() });
    let asked = ListFactsRequest { pattern, as_of: valid("2022"), ..Default::default() };
    for fact in memory.list_facts(asked).all().await? {
        let object = fact.object.unwrap_or_default();
        println!("in 2022: {} {} {object}", fact.subject, fact.predicate);
    }
    Ok(())
}

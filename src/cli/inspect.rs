//! `stats` and `verify`: a namespace counted, and held against its log.

use serde_json::json;

use crate::rpc::proto::{GetStatisticsRequest, GetStatisticsResponse, VerifyRequest};

use super::{
    connect::Client,
    error::Error,
    output::{Output, table},
    run::Ending,
};

pub(crate) async fn stats(client: &mut Client, output: &mut Output) -> Result<Ending, Error> {
    let request = GetStatisticsRequest { namespace: client.namespace.clone() };
    let reply = client.admin.get_statistics(request).await;
    let counts = counts(&client.answer(reply)?);
    if output.is_json() {
        let map = counts.iter().map(|(name, count)| ((*name).to_owned(), json!(count))).collect();
        output.json_line(&serde_json::Value::Object(map))?;
    } else {
        let rows = counts.iter().map(|(name, count)| vec![(*name).to_owned(), count.to_string()]);
        output.text(&table(&["what", "count"], rows.collect()))?;
    }
    Ok(Ending::Done)
}

pub(crate) async fn verify(client: &mut Client, output: &mut Output) -> Result<Ending, Error> {
    let reply = client.admin.verify(VerifyRequest { namespace: client.namespace.clone() }).await;
    let answer = client.answer(reply)?;
    let json = json!({
        "clean": answer.clean,
        "transactions": answer.transactions,
        "statements": answer.statements,
        "rectangles": answer.rectangles,
        "groups": answer.groups,
        "differences": answer.differences,
    });
    let looked_at = format!(
        "{} transactions, {} statements and {} rectangles in {} groups were folded again",
        answer.transactions, answer.statements, answer.rectangles, answer.groups
    );
    let text = if answer.clean {
        format!("everything agrees: {looked_at}")
    } else {
        format!("there are differences: {looked_at}\n  {}", answer.differences.join("\n  "))
    };
    output.say(&json, &text)?;
    Ok(if answer.clean { Ending::Done } else { Ending::Partly })
}

fn counts(answer: &GetStatisticsResponse) -> [(&'static str, u64); 12] {
    [
        ("transactions", answer.transactions),
        ("entities", answer.entities),
        ("predicates", answer.predicates),
        ("values", answer.values),
        ("sources", answer.sources),
        ("rectangles_live", answer.rectangles_live),
        ("rectangles_closed", answer.rectangles_closed),
        ("conflicts", answer.conflicts),
        ("last_tx", answer.last_tx),
        ("graph_watermark", answer.graph_watermark),
        ("graph_bytes", answer.graph_bytes),
        ("store_bytes", answer.store_bytes),
    ]
}

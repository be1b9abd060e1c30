//! `stats` and `verify`: a namespace counted, and held against its log. `health`: the server asked.

use serde_json::json;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::rpc::proto::{
    EmbeddingSpace, GetStatisticsRequest, GetStatisticsResponse, ReembedRequest, VerifyRequest,
};

use super::{
    connect::Client,
    error::Error,
    output::{Output, table},
    run::Ending,
};

pub(crate) async fn stats(client: &mut Client, output: &mut Output) -> Result<Ending, Error> {
    let request = GetStatisticsRequest { namespace: client.namespace.clone() };
    let reply = client.admin.get_statistics(request).await;
    let answer = client.answer(reply)?;
    let counts = counts(&answer);
    if output.is_json() {
        let mut map: serde_json::Map<_, _> =
            counts.iter().map(|(name, count)| ((*name).to_owned(), json!(count))).collect();
        map.insert(
            "embedding".to_owned(),
            answer.embedding.as_ref().map_or(json!(null), space_json),
        );
        output.json_line(&serde_json::Value::Object(map))?;
    } else {
        let rows = counts.iter().map(|(name, count)| vec![(*name).to_owned(), count.to_string()]);
        output.text(&table(&["what", "count"], rows.collect()))?;
        if let Some(space) = &answer.embedding {
            output.text(&format!("\nembedding space: {}", space_text(space)))?;
        }
        if let Some(space) = &answer.next_embedding {
            let (done, all) = (answer.next_embedded, answer.documents);
            output
                .text(&format!("being built: {}, {done} of {all} documents", space_text(space)))?;
        }
    }
    Ok(Ending::Done)
}

/// An answer that is not `SERVING` ends like a refusal, so that orchestrators need no more than the
/// exit code.
pub(crate) async fn health(client: &mut Client, output: &mut Output) -> Result<Ending, Error> {
    let mut health = HealthClient::new(client.channel.clone());
    let reply = health.check(HealthCheckRequest { service: String::new() }).await;
    let status = client.answer(reply)?.status();
    if output.is_json() {
        output.json_line(&json!({ "status": status.as_str_name() }))?;
    } else {
        output.text(status.as_str_name())?;
    }
    Ok(if status == ServingStatus::Serving { Ending::Done } else { Ending::Refused })
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
        "documents": answer.documents,
        "vectors": answer.vectors,
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

pub(crate) async fn reembed(client: &mut Client, output: &mut Output) -> Result<Ending, Error> {
    let reply = client.admin.reembed(ReembedRequest { namespace: client.namespace.clone() }).await;
    let answer = client.answer(reply)?;
    let space = answer.embedding.unwrap_or_default();
    let text = format!(
        "embedding {} documents into {}; `tenure stats` shows how far it is",
        answer.documents,
        space_text(&space)
    );
    let json = json!({ "embedding": space_json(&space), "documents": answer.documents });
    output.say(&json, &text)?;
    Ok(Ending::Done)
}

fn space_text(space: &EmbeddingSpace) -> String {
    let made = if space.supplied { "supplied by callers" } else { "made by the server" };
    format!("{:?}, {} dimensions, {made}", space.model, space.dimension)
}

fn space_json(space: &EmbeddingSpace) -> serde_json::Value {
    json!({ "model": space.model, "dimension": space.dimension, "supplied": space.supplied })
}

fn counts(answer: &GetStatisticsResponse) -> [(&'static str, u64); 20] {
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
        ("episodes", answer.episodes),
        ("documents", answer.documents),
        ("text_documents", answer.text_documents),
        ("text_bytes", answer.text_bytes),
        ("vectors", answer.vectors),
        ("vectors_behind", answer.vectors_behind),
        ("vectors_linked", answer.vectors_linked),
        ("vector_bytes", answer.vector_bytes),
    ]
}

//! `read_graph`, `search_nodes`, `open_nodes`.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::Deserialize;
use tonic::Status;

use crate::rpc::proto::{
    BatchGetFactsRequest, FactPattern, ListFactsRequest, RecallRequest, Rectangle,
};
use crate::rpc::status::{LIMIT_EXCEEDED, status};
use crate::types::limits::{GRAPH_FACTS_MAX, PATTERNS_MAX, ROWS_MAX};

use super::super::memory::Memory;
use super::super::object;
use super::super::verb::{Effect, Verb};
use super::model::{Gathered, Graph, key};

/// Every fact that holds.
async fn rows(memory: &mut Memory) -> Result<Vec<Rectangle>, Status> {
    let mut rows = Vec::new();
    let mut page_token = String::new();
    loop {
        let request = ListFactsRequest {
            namespace: memory.namespace.clone(),
            page_size: i32::try_from(ROWS_MAX).expect("limits fit the wire"),
            page_token,
            ..Default::default()
        };
        let page = memory.facts.list_facts(request).await?.into_inner();
        rows.extend(page.rectangles);
        page_token = page.next_page_token;
        if page_token.is_empty() {
            return Ok(rows);
        }
        if rows.len() >= GRAPH_FACTS_MAX {
            let message = format!(
                "the graph has more than {GRAPH_FACTS_MAX} facts: open_nodes reads a part of it"
            );
            return Err(status(LIMIT_EXCEEDED, &message, &[]));
        }
    }
}

/// Every fact that holds of these entities, in either direction.
pub(super) async fn rows_of(
    memory: &mut Memory,
    names: &[String],
) -> Result<Vec<Rectangle>, Status> {
    let mut rows = Vec::new();
    for names in names.chunks(PATTERNS_MAX / 2) {
        let patterns = names.iter().flat_map(|name| {
            let from = FactPattern { subject: name.clone(), ..Default::default() };
            let to = FactPattern { object: Some(object::entity(name)), ..Default::default() };
            [from, to]
        });
        let request = BatchGetFactsRequest {
            namespace: memory.namespace.clone(),
            patterns: patterns.collect(),
            limit: i32::try_from(ROWS_MAX).expect("limits fit the wire"),
            ..Default::default()
        };
        let found = memory.facts.batch_get_facts(request).await?.into_inner();
        rows.extend(found.matches.into_iter().flat_map(|found| found.rectangles));
    }
    // A relation between two of them is found from both sides.
    let mut seen = HashSet::new();
    rows.retain(|row| seen.insert((row.fact_id.clone(), row.valid_from)));
    Ok(rows)
}

pub(super) async fn gathered(memory: &mut Memory, names: &[String]) -> Result<Gathered, Status> {
    Ok(Gathered::of(&rows_of(memory, names).await?))
}

pub(super) struct ReadGraph;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Nothing {}

impl Verb for ReadGraph {
    const NAME: &'static str = "read_graph";
    const TITLE: &'static str = "Read Graph";
    const ABOUT: &'static str = "Read the entire knowledge graph";
    const EFFECT: Effect = Effect::Reads;
    type Args = Nothing;
    type Answer = Graph;

    async fn run(mut memory: Memory, _: Nothing) -> Result<Graph, Status> {
        Ok(Gathered::of(&rows(&mut memory).await?).whole())
    }
}

pub(super) struct OpenNodes;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Names {
    /// An array of entity names to retrieve
    names: Vec<String>,
}

impl Verb for OpenNodes {
    const NAME: &'static str = "open_nodes";
    const TITLE: &'static str = "Open Nodes";
    const ABOUT: &'static str = "Open specific nodes in the knowledge graph by their names";
    const EFFECT: Effect = Effect::Reads;
    type Args = Names;
    type Answer = Graph;

    async fn run(mut memory: Memory, args: Names) -> Result<Graph, Status> {
        let wanted: HashSet<_> = args.names.iter().map(|name| key(name)).collect();
        let gathered = gathered(&mut memory, &args.names).await?;
        Ok(gathered.around(|entity| wanted.contains(&key(&entity.name))))
    }
}

pub(super) struct SearchNodes;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Query {
    /// The search query to match against entity names, types, and observation content
    query: String,
}

impl Verb for SearchNodes {
    const NAME: &'static str = "search_nodes";
    const TITLE: &'static str = "Search Nodes";
    const ABOUT: &'static str = "Search for nodes in the knowledge graph based on a query";
    const EFFECT: Effect = Effect::Reads;
    type Args = Query;
    type Answer = Graph;

    /// What contains the query, as the reference server has it; else what recall finds for it.
    async fn run(mut memory: Memory, args: Query) -> Result<Graph, Status> {
        let words = args.query.to_lowercase();
        let holds = |text: &String| text.to_lowercase().contains(&words);
        let rows = rows(&mut memory).await?;
        let found = Gathered::of(&rows).around(|entity| {
            holds(&entity.name) || holds(&entity.kind) || entity.observations.iter().any(&holds)
        });
        if !found.entities.is_empty() || args.query.trim().is_empty() {
            return Ok(found);
        }
        let request = RecallRequest {
            namespace: memory.namespace.clone(),
            query: args.query,
            ..Default::default()
        };
        let recalled = memory.episodes.recall(request).await?.into_inner();
        let facts = recalled.hits.into_iter().filter_map(|hit| hit.fact);
        let wanted: HashSet<_> = facts.map(|fact| key(&fact.subject)).collect();
        Ok(Gathered::of(&rows).around(|entity| wanted.contains(&key(&entity.name))))
    }
}

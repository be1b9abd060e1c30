//! `entity`, `entities` and `predicates`: what has a name.

use clap::Args;
use serde_json::{Value, json};

use crate::rpc::proto::{
    Entity, GetEntityRequest, ListEntitiesRequest, ListPredicatesRequest, Predicate, Rectangle,
};
use crate::types::limits::ROWS_MAX;

use super::{
    connect::Client,
    error::Error,
    ops,
    output::{Output, Row, note_cut},
    page::{Page, follow, whole_limit},
    point::{AsOfArgs, KnownArgs},
    row,
    run::Ending,
};

#[derive(Debug, Args)]
pub struct EntityArgs {
    /// Name of the entity
    name: String,
    #[command(flatten)]
    at: AsOfArgs,
    /// Facts to show in each direction; 0 shows as many as the server returns
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: u64,
}

#[derive(Debug, Args)]
pub struct EntitiesArgs {
    /// Only names that start with this
    #[arg(long, value_name = "TEXT")]
    prefix: Option<String>,
    #[command(flatten)]
    known: KnownArgs,
    /// Rows to show; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: u64,
}

#[derive(Debug, Args)]
pub struct PredicatesArgs {
    #[command(flatten)]
    known: KnownArgs,
    /// Rows to show; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: u64,
}

pub(crate) async fn entity(
    client: &mut Client,
    output: &mut Output,
    args: &EntityArgs,
) -> Result<Ending, Error> {
    let request = GetEntityRequest {
        namespace: client.namespace.clone(),
        name: args.name.clone(),
        as_of: Some(args.at.to_proto()?),
        limit: whole_limit(args.limit, ROWS_MAX),
    };
    let reply = client.graph.get_entity(request).await;
    let answer = client.answer(reply)?;
    let entity = answer.entity.unwrap_or_default();
    if output.is_json() {
        let Value::Object(mut json) = entity.json() else { unreachable!("an entity is an object") };
        json.insert("outgoing".to_owned(), rows_json(&answer.outgoing));
        json.insert("incoming".to_owned(), rows_json(&answer.incoming));
        json.insert("truncated".to_owned(), answer.truncated.into());
        output.json_line(&Value::Object(json))?;
    } else {
        output.text(&entity_text(&entity))?;
        output.text("\noutgoing")?;
        output.list(&answer.outgoing)?;
        output.text("\nincoming")?;
        output.list(&answer.incoming)?;
    }
    output.basis(answer.basis.as_ref())?;
    if answer.truncated {
        eprintln!("there are more facts: --limit 0 shows as many as the server returns");
    }
    Ok(Ending::Done)
}

pub(crate) async fn entities(
    client: &mut Client,
    output: &mut Output,
    args: &EntitiesArgs,
) -> Result<Ending, Error> {
    let request = ListEntitiesRequest {
        namespace: client.namespace.clone(),
        name_prefix: args.prefix.clone().unwrap_or_default(),
        known: args.known.to_proto()?,
        ..ListEntitiesRequest::default()
    };
    let mut listing = output.listing::<Entity>();
    let followed = follow(
        args.limit,
        async |page_size, page_token| {
            let request = ListEntitiesRequest { page_size, page_token, ..request.clone() };
            let reply = client.graph.list_entities(request).await;
            let answer = client.answer(reply)?;
            Ok(Page {
                rows: answer.entities,
                next_page_token: answer.next_page_token,
                basis: answer.basis,
            })
        },
        |row| listing.add(&row),
    )
    .await?;
    listing.end()?;
    if followed.cut {
        note_cut(followed.shown, "entities");
    }
    Ok(Ending::Done)
}

pub(crate) async fn predicates(
    client: &mut Client,
    output: &mut Output,
    args: &PredicatesArgs,
) -> Result<Ending, Error> {
    let request = ListPredicatesRequest {
        namespace: client.namespace.clone(),
        known: args.known.to_proto()?,
        ..ListPredicatesRequest::default()
    };
    let mut listing = output.listing::<Predicate>();
    let followed = follow(
        args.limit,
        async |page_size, page_token| {
            let request = ListPredicatesRequest { page_size, page_token, ..request.clone() };
            let reply = client.graph.list_predicates(request).await;
            let answer = client.answer(reply)?;
            Ok(Page {
                rows: answer.predicates,
                next_page_token: answer.next_page_token,
                basis: answer.basis,
            })
        },
        |row| listing.add(&row),
    )
    .await?;
    listing.end()?;
    if followed.cut {
        note_cut(followed.shown, "predicates");
    }
    Ok(Ending::Done)
}

fn rows_json(rows: &[Rectangle]) -> Value {
    rows.iter().map(|rectangle| Value::Object(row::fields(rectangle))).collect()
}

fn entity_text(entity: &Entity) -> String {
    let mut text = entity.name.clone();
    if !entity.merged_into.is_empty() {
        text += &format!(", merged into {}", entity.merged_into);
    }
    if !entity.aliases.is_empty() {
        text += &format!(", also called {}", entity.aliases.join(", "));
    }
    text
}

impl Row for Entity {
    fn columns() -> Vec<&'static str> {
        vec!["name", "also called", "merged into", "id"]
    }

    fn cells(&self) -> Vec<String> {
        vec![self.name.clone(), self.aliases.join(", "), self.merged_into.clone(), self.id.clone()]
    }

    fn json(&self) -> Value {
        json!({
            "name": self.name,
            "id": self.id,
            "merged_into": if self.merged_into.is_empty() { None } else { Some(&self.merged_into) },
            "aliases": self.aliases,
        })
    }
}

impl Row for Predicate {
    fn columns() -> Vec<&'static str> {
        vec!["name", "holds", "of"]
    }

    fn cells(&self) -> Vec<String> {
        vec![
            self.name.clone(),
            ops::cardinality_word(self.cardinality()).to_owned(),
            if self.holds_values { "values" } else { "entities" }.to_owned(),
        ]
    }

    fn json(&self) -> Value {
        json!({
            "name": self.name,
            "cardinality": ops::cardinality_word(self.cardinality()),
            "holds_values": self.holds_values,
        })
    }
}

//! `usage` and `budget set`: what calls of models cost a namespace, and what it may spend on them.

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use crate::rpc::proto::{
    Budget, GetUsageRequest, GetUsageResponse, ModelPurpose, ModelUsage, SetBudgetsRequest,
};

use super::row::short_name;
use super::{connect::Client, error::Error, output::Output};

#[derive(Debug, Subcommand)]
pub enum BudgetVerb {
    /// Bound the tokens of one purpose; what is over it falls back to what costs nothing
    Set(BudgetArgs),
}

#[derive(Debug, Args)]
pub struct BudgetArgs {
    /// `embed_document`, `embed_query`, `rerank`, `extract`, `summarise`, `reflect` or `judge`
    #[arg(value_parser = purpose)]
    purpose: ModelPurpose,
    /// Tokens a day, in UTC
    #[arg(long, value_name = "TOKENS")]
    day: Option<u64>,
    /// Tokens a month, in UTC
    #[arg(long, value_name = "TOKENS")]
    month: Option<u64>,
}

fn purpose(word: &str) -> Result<ModelPurpose, String> {
    let name = format!("MODEL_PURPOSE_{}", word.to_ascii_uppercase());
    match ModelPurpose::from_str_name(&name) {
        Some(purpose) if purpose != ModelPurpose::Unspecified => Ok(purpose),
        _ => Err(format!("{word:?} is nothing that a model is called for")),
    }
}

fn word(purpose: ModelPurpose) -> String {
    short_name(purpose.as_str_name(), "MODEL_PURPOSE_").to_ascii_lowercase()
}

/// Shows days and months, and the budgets.
pub(crate) async fn usage(client: &mut Client, output: &mut Output) -> Result<(), Error> {
    let answer = get(client).await?;
    let rows: Vec<&ModelUsage> = answer.months.iter().chain(&answer.days).collect();
    let mut text: Vec<String> = rows.iter().map(|row| line(row)).collect();
    text.extend(answer.budgets.iter().map(|budget| bound(budget, &answer)));
    if text.is_empty() {
        text.push("no model was called".to_owned());
    }
    let shown = json!({
        "months": answer.months.iter().map(object).collect::<Vec<_>>(),
        "days": answer.days.iter().map(object).collect::<Vec<_>>(),
        "budgets": answer.budgets.iter().map(budget_object).collect::<Vec<_>>(),
        "over_budget": answer.over_budget().map(word).collect::<Vec<_>>(),
    });
    output.say(&shown, &text.join("\n"))
}

/// Sets the budget of one purpose and leaves the others. With neither bound it takes it away.
pub(crate) async fn budget(
    client: &mut Client,
    output: &mut Output,
    verb: BudgetVerb,
) -> Result<(), Error> {
    let BudgetVerb::Set(BudgetArgs { purpose, day, month }) = verb;
    let mut budgets = get(client).await?.budgets;
    budgets.retain(|budget| budget.purpose() != purpose);
    if day.is_some() || month.is_some() {
        let purpose = purpose.into();
        budgets.push(Budget { purpose, day_tokens: day, month_tokens: month });
    }
    let request = SetBudgetsRequest { namespace: client.namespace.clone(), budgets };
    let reply = client.admin.set_budgets(request).await;
    client.answer(reply)?;
    let now = get(client).await?;
    let text: Vec<String> = now.budgets.iter().map(|budget| bound(budget, &now)).collect();
    let text = if text.is_empty() { "unbounded".to_owned() } else { text.join("\n") };
    let shown: Vec<Value> = now.budgets.iter().map(budget_object).collect();
    output.say(&json!({ "budgets": shown }), &text)
}

async fn get(client: &mut Client) -> Result<GetUsageResponse, Error> {
    let request = GetUsageRequest { namespace: client.namespace.clone() };
    let reply = client.admin.get_usage(request).await;
    client.answer(reply)
}

fn line(row: &ModelUsage) -> String {
    format!(
        "{:<10}  {:<14}  {} calls, {} failed, {} + {} tokens, {} of them estimated",
        row.period,
        word(row.purpose()),
        row.calls,
        row.failures,
        row.prompt_tokens,
        row.completion_tokens,
        row.estimated_tokens,
    )
}

fn bound(budget: &Budget, answer: &GetUsageResponse) -> String {
    let tokens = |tokens: Option<u64>| tokens.map_or_else(|| "any".to_owned(), |n| n.to_string());
    let over = answer.over_budget().any(|over| over == budget.purpose());
    format!(
        "{} may take {} tokens a day and {} a month{}",
        word(budget.purpose()),
        tokens(budget.day_tokens),
        tokens(budget.month_tokens),
        if over { ", and has taken them" } else { "" },
    )
}

fn object(row: &ModelUsage) -> Value {
    json!({
        "purpose": word(row.purpose()),
        "period": row.period,
        "calls": row.calls,
        "failures": row.failures,
        "prompt_tokens": row.prompt_tokens,
        "completion_tokens": row.completion_tokens,
        "estimated_tokens": row.estimated_tokens,
    })
}

fn budget_object(budget: &Budget) -> Value {
    json!({
        "purpose": word(budget.purpose()),
        "day_tokens": budget.day_tokens,
        "month_tokens": budget.month_tokens,
    })
}

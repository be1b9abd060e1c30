//! What calls of models cost a namespace, and what it may spend on them.

use std::collections::BTreeMap;

use tonic::Status;

use crate::kernel::ViolationKind;
use crate::types::{Budget, Budgets, Period, Purpose, Role};

use super::caller::Caller;
use super::civil::Zone;
use super::context::Context;
use super::from_proto::{Checked, Form};
use super::{failure, proto};

impl Context {
    pub(super) fn get_usage(
        &self,
        caller: &Caller,
        request: &proto::GetUsageRequest,
    ) -> Result<proto::GetUsageResponse, Status> {
        let (namespace, _) = self.admit(caller, Role::Reader, &request.namespace)?;
        let engine = self.engine();
        let costs = engine.costs(&namespace).map_err(|error| failure::read(&error))?;
        let budgets = engine.budgets(&namespace).map_err(|error| failure::read(&error))?;
        let mut response = proto::GetUsageResponse {
            budgets: shown(&budgets),
            over_budget: Vec::new(),
            ..Default::default()
        };
        for row in costs {
            let usage = proto::ModelUsage {
                purpose: purpose(row.purpose).into(),
                period: row.period.to_string(),
                calls: row.cost.calls,
                failures: row.cost.failures,
                prompt_tokens: row.cost.prompt_tokens,
                completion_tokens: row.cost.completion_tokens,
                estimated_tokens: row.cost.estimated_tokens,
            };
            match row.period {
                Period::Day(_) => response.days.push(usage),
                Period::Month(_) => response.months.push(usage),
            }
        }
        let over = Purpose::ALL.into_iter().filter(|of| !engine.may_spend(&namespace, *of));
        response.over_budget = over.map(|of| purpose(of).into()).collect();
        Ok(response)
    }

    pub(super) async fn set_budgets(
        &self,
        caller: &Caller,
        request: &proto::SetBudgetsRequest,
    ) -> Result<proto::SetBudgetsResponse, Status> {
        // Whoever is bound must not move the bound.
        caller.must_administer_all()?;
        let (namespace, _) = self.admit(caller, Role::Admin, &request.namespace)?;
        let budgets = asked_for(&request.budgets)?;
        let response = proto::SetBudgetsResponse { budgets: shown(&budgets) };
        let set = self.engine().set_budgets(&namespace, budgets, caller.subject()).await;
        set.map_err(|error| failure::submit(&error, &[]))?;
        Ok(response)
    }
}

fn asked_for(asked: &[proto::Budget]) -> Result<Budgets, Status> {
    let mut form = Form::new(Zone::UNSET);
    let mut budgets = BTreeMap::new();
    for (index, asked) in asked.iter().enumerate() {
        form.within_item("budgets", index, |form| {
            let Ok(purpose) = read(form, asked.purpose) else { return };
            let proto::Budget { day_tokens, month_tokens, .. } = *asked;
            if budgets.insert(purpose, Budget { day_tokens, month_tokens }).is_some() {
                let detail = format!("{purpose} has a budget already");
                form.fail("purpose", ViolationKind::Malformed, detail);
            }
        });
    }
    failure::form(form.finish(|| Ok(Budgets(budgets))))
}

fn read(form: &mut Form, raw: i32) -> Checked<Purpose> {
    Ok(match form.variant("purpose", raw)? {
        proto::ModelPurpose::Unspecified => {
            let detail = "say what the budget is for";
            return Err(form.fail("purpose", ViolationKind::Missing, detail));
        }
        proto::ModelPurpose::EmbedDocument => Purpose::EmbedDocument,
        proto::ModelPurpose::EmbedQuery => Purpose::EmbedQuery,
        proto::ModelPurpose::Rerank => Purpose::Rerank,
        proto::ModelPurpose::Extract => Purpose::Extract,
        proto::ModelPurpose::Summarise => Purpose::Summarise,
        proto::ModelPurpose::Reflect => Purpose::Reflect,
        proto::ModelPurpose::Judge => Purpose::Judge,
    })
}

const fn purpose(purpose: Purpose) -> proto::ModelPurpose {
    match purpose {
        Purpose::EmbedDocument => proto::ModelPurpose::EmbedDocument,
        Purpose::EmbedQuery => proto::ModelPurpose::EmbedQuery,
        Purpose::Rerank => proto::ModelPurpose::Rerank,
        Purpose::Extract => proto::ModelPurpose::Extract,
        Purpose::Summarise => proto::ModelPurpose::Summarise,
        Purpose::Reflect => proto::ModelPurpose::Reflect,
        Purpose::Judge => proto::ModelPurpose::Judge,
    }
}

fn shown(budgets: &Budgets) -> Vec<proto::Budget> {
    let shown = |(of, budget): (&Purpose, &Budget)| proto::Budget {
        purpose: purpose(*of).into(),
        day_tokens: budget.day_tokens,
        month_tokens: budget.month_tokens,
    };
    budgets.0.iter().map(shown).collect()
}

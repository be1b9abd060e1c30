//! A policy, read whole: every number of it is checked, and everything that is wrong is told.

use std::collections::{BTreeMap, BTreeSet};

use super::{Bad, Checked, Form};
use crate::kernel::ViolationKind;
use crate::rpc::proto;
use crate::types::limits::{
    NAME_BYTES_MAX, POLICY_COUNT_MAX, POLICY_DAYS_MAX, POLICY_DECAY_MAX, POLICY_MODELS_MAX,
    POLICY_PREDICATES_MAX,
};
use crate::types::{
    ContextPolicy, GatePolicy, KindPolicy, MemoryKind, Policy, ReflectionPolicy, Renewal,
};

impl Form {
    /// # Errors
    /// [`Bad`] if anything of it is.
    pub(in crate::rpc) fn policy(&mut self, policy: Option<&proto::Policy>) -> Checked<Policy> {
        let Some(policy) = policy else {
            return Err(self.fail("policy", ViolationKind::Missing, "a policy is needed"));
        };
        self.within("policy", |form| {
            let kinds = form.kind_policies(&policy.kinds);
            let predicates = form.predicate_kinds(&policy.predicates);
            let gate = form.part("gate", policy.gate.as_ref(), Form::gate);
            let context = form.part("context", policy.context.as_ref(), Form::context);
            let reflection = form.part("reflection", policy.reflection.as_ref(), |form, part| {
                Ok(ReflectionPolicy { after: form.some("after", part.after, POLICY_COUNT_MAX)? })
            });
            Ok(Policy {
                kinds: kinds?,
                predicates: predicates?,
                gate: gate?,
                context: context?,
                reflection: reflection?,
            })
        })
    }

    /// A kind that must be named.
    pub(in crate::rpc) fn memory_kind(
        &mut self,
        field: &'static str,
        raw: i32,
    ) -> Checked<MemoryKind> {
        Ok(match self.variant(field, raw)? {
            proto::MemoryKind::Unspecified => {
                return Err(self.fail(field, ViolationKind::Missing, "name the kind"));
            }
            proto::MemoryKind::Fact => MemoryKind::Fact,
            proto::MemoryKind::Preference => MemoryKind::Preference,
            proto::MemoryKind::Project => MemoryKind::Project,
            proto::MemoryKind::Transient => MemoryKind::Transient,
            proto::MemoryKind::Episode => MemoryKind::Episode,
            proto::MemoryKind::Procedure => MemoryKind::Procedure,
            proto::MemoryKind::Passage => MemoryKind::Passage,
            proto::MemoryKind::Summary => MemoryKind::Summary,
            proto::MemoryKind::Reflection => MemoryKind::Reflection,
            proto::MemoryKind::Failure => MemoryKind::Failure,
            proto::MemoryKind::Core => MemoryKind::Core,
        })
    }

    /// The kinds that a call is about; none stands for all.
    pub(in crate::rpc) fn memory_kinds(
        &mut self,
        field: &'static str,
        raw: &[i32],
    ) -> Checked<BTreeSet<MemoryKind>> {
        let kinds: Vec<_> = raw.iter().map(|kind| self.memory_kind(field, *kind)).collect();
        kinds.into_iter().collect()
    }

    fn part<P, T>(
        &mut self,
        field: &'static str,
        part: Option<&P>,
        read: impl FnOnce(&mut Form, &P) -> Checked<T>,
    ) -> Checked<T> {
        match part {
            Some(part) => self.within(field, |form| read(form, part)),
            None => Err(self.fail(field, ViolationKind::Missing, "a policy is sent whole")),
        }
    }

    fn kind_policies(
        &mut self,
        kinds: &[proto::KindPolicy],
    ) -> Checked<BTreeMap<MemoryKind, KindPolicy>> {
        self.length("kinds", kinds.len(), MemoryKind::ALL.len())?;
        let mut read = BTreeMap::new();
        let mut bad = None;
        for (place, policy) in kinds.iter().enumerate() {
            let one = self.within_item("kinds", place, |form| {
                let kind = form.memory_kind("kind", policy.kind);
                let treated = form.kind_policy(policy);
                let kind = kind?;
                if read.contains_key(&kind) {
                    return Err(form.fail("kind", ViolationKind::TooMany, "is there twice"));
                }
                read.insert(kind, treated?);
                Ok(())
            });
            bad = bad.or(one.err());
        }
        if bad.is_none() && read.len() < MemoryKind::ALL.len() {
            let detail = format!("{} of {} kinds are named", read.len(), MemoryKind::ALL.len());
            bad = Some(self.fail("kinds", ViolationKind::Missing, detail));
        }
        bad.map_or(Ok(read), Err)
    }

    fn kind_policy(&mut self, policy: &proto::KindPolicy) -> Checked<KindPolicy> {
        let renewal = match self.variant("renewal", policy.renewal) {
            Ok(proto::Renewal::Replace) => Ok(Renewal::Replace),
            Ok(proto::Renewal::Accumulate) => Ok(Renewal::Accumulate),
            Ok(proto::Renewal::Version) => Ok(Renewal::Version),
            Ok(proto::Renewal::Review) => Ok(Renewal::Review),
            Ok(proto::Renewal::Unspecified) => {
                let detail = "say what something new does";
                Err(self.fail("renewal", ViolationKind::Missing, detail))
            }
            Err(bad) => Err(bad),
        };
        let live_days = self.some("live_days", policy.live_days, POLICY_DAYS_MAX);
        let decay = self.between("decay", policy.decay, 0.0, POLICY_DECAY_MAX);
        let archive_below = self.between("archive_below", policy.archive_below, 0.0, 1.0);
        let cap = self.some("cap", policy.cap, POLICY_COUNT_MAX);
        let compact_days = self.some("compact_days", policy.compact_days, POLICY_DAYS_MAX);
        let compact_reads = self.at_most("compact_reads", policy.compact_reads, POLICY_COUNT_MAX);
        let review_days = self.some("review_days", policy.review_days, POLICY_DAYS_MAX);
        Ok(KindPolicy {
            renewal: renewal?,
            live_days: live_days?,
            decay: decay?,
            archive_below: archive_below?,
            cap: cap?,
            compact_days: compact_days?,
            compact_reads: compact_reads?,
            review_days: review_days?,
        })
    }

    fn predicate_kinds(
        &mut self,
        predicates: &[proto::PredicateKind],
    ) -> Checked<BTreeMap<String, MemoryKind>> {
        self.length("predicates", predicates.len(), POLICY_PREDICATES_MAX)?;
        let mut read = BTreeMap::new();
        let mut bad = None;
        for (place, one) in predicates.iter().enumerate() {
            let one = self.within_item("predicates", place, |form| {
                let name = form.name("predicate", &one.predicate);
                let kind = form.memory_kind("kind", one.kind).and_then(|kind| {
                    let detail = "a fact is a FACT, PREFERENCE, PROJECT or TRANSIENT";
                    let is_fact = kind.is_fact();
                    is_fact
                        .then_some(kind)
                        .ok_or_else(|| form.fail("kind", ViolationKind::Malformed, detail))
                });
                let (name, kind) = (name?, kind?);
                match read.insert(name.key().to_string(), kind) {
                    None => Ok(()),
                    Some(_) => {
                        Err(form.fail("predicate", ViolationKind::TooMany, "is there twice"))
                    }
                }
            });
            bad = bad.or(one.err());
        }
        bad.map_or(Ok(read), Err)
    }

    fn gate(&mut self, gate: &proto::GatePolicy) -> Checked<GatePolicy> {
        let near = self.between("near", gate.near, -1.0, 1.0);
        let near_by_model = self.thresholds(&gate.near_by_model);
        let ask_from = self.between("ask_from", gate.ask_from, -1.0, 1.0);
        let confidence_min = self.between("confidence_min", gate.confidence_min, 0.0, 1.0);
        Ok(GatePolicy {
            near: near?,
            near_by_model: near_by_model?,
            ask_from: ask_from?,
            confidence_min: confidence_min?,
        })
    }

    fn thresholds(
        &mut self,
        thresholds: &[proto::ModelThreshold],
    ) -> Checked<BTreeMap<String, f64>> {
        self.length("near_by_model", thresholds.len(), POLICY_MODELS_MAX)?;
        let mut read = BTreeMap::new();
        let mut bad: Option<Bad> = None;
        for (place, one) in thresholds.iter().enumerate() {
            let one = self.within_item("near_by_model", place, |form| {
                let model = form.text("model", &one.model, NAME_BYTES_MAX);
                let near = form.between("near", one.near, -1.0, 1.0);
                match (model?, near?) {
                    (None, _) => {
                        Err(form.fail("model", ViolationKind::Missing, "a model is needed"))
                    }
                    (Some(model), near) => match read.insert(model, near) {
                        None => Ok(()),
                        Some(_) => {
                            Err(form.fail("model", ViolationKind::TooMany, "is there twice"))
                        }
                    },
                }
            });
            bad = bad.or(one.err());
        }
        bad.map_or(Ok(read), Err)
    }

    fn context(&mut self, context: &proto::ContextPolicy) -> Checked<ContextPolicy> {
        let mut tokens = |field, tokens| {
            self.some(field, Some(tokens), POLICY_COUNT_MAX).map(Option::unwrap_or_default)
        };
        let core_tokens = tokens("core_tokens", context.core_tokens);
        let fact_tokens = tokens("fact_tokens", context.fact_tokens);
        let project_tokens = tokens("project_tokens", context.project_tokens);
        let conversation_tokens = tokens("conversation_tokens", context.conversation_tokens);
        let score_min = self.between("score_min", context.score_min, 0.0, 1.0);
        let cosine_min = self.between("cosine_min", context.cosine_min, -1.0, 1.0);
        Ok(ContextPolicy {
            core_tokens: core_tokens?,
            fact_tokens: fact_tokens?,
            project_tokens: project_tokens?,
            conversation_tokens: conversation_tokens?,
            score_min: score_min?,
            cosine_min: cosine_min?,
        })
    }

    /// A number from 1 on, if there is one.
    fn some(&mut self, field: &'static str, number: Option<u32>, max: u32) -> Checked<Option<u32>> {
        match number {
            Some(number) if !(1..=max).contains(&number) => {
                let detail = format!("{number} is not from 1 to {max}");
                Err(self.fail(field, ViolationKind::TooMany, detail))
            }
            number => Ok(number),
        }
    }

    fn at_most(&mut self, field: &'static str, number: u32, max: u32) -> Checked<u32> {
        if number <= max {
            return Ok(number);
        }
        let detail = format!("{number} is not from 0 to {max}");
        Err(self.fail(field, ViolationKind::TooMany, detail))
    }

    fn between(&mut self, field: &'static str, number: f64, min: f64, max: f64) -> Checked<f64> {
        if (min..=max).contains(&number) {
            return Ok(number);
        }
        let detail = format!("{number} is no number from {min} to {max}");
        Err(self.fail(field, ViolationKind::NumberInvalid, detail))
    }
}

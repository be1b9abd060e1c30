//! What a statement is about, and where it comes from.

use super::{Checked, Form, statement_id};
use crate::kernel::{Evidence, TripleName, ViolationKind};
use crate::rpc::proto;
use crate::types::limits::{LABELS_MAX, STATEMENT_BYTES_MAX, STATEMENT_IDS_MAX};
use crate::types::{
    Clearance, Confidence, Label, LabelError, ObjectName, Scope, StatementId, Timestamp, Trust,
    Value, ValueError,
};

impl Form {
    pub(super) fn triple(&mut self, triple: Option<&proto::Triple>) -> Checked<TripleName> {
        let Some(triple) = triple else {
            return Err(self.fail("triple", ViolationKind::Missing, "a triple is needed"));
        };
        self.triple_at("triple", triple)
    }

    pub(super) fn triple_at(
        &mut self,
        field: &'static str,
        triple: &proto::Triple,
    ) -> Checked<TripleName> {
        self.within(field, |form| {
            let subject = form.name("subject", &triple.subject);
            let predicate = form.name("predicate", &triple.predicate);
            let object = form.object("object", triple.object.as_ref());
            Ok(TripleName { subject: subject?, predicate: predicate?, object: object? })
        })
    }

    /// An object that must be there.
    pub(super) fn object(
        &mut self,
        field: &'static str,
        object: Option<&proto::Object>,
    ) -> Checked<ObjectName> {
        match object.and_then(|object| object.object.as_ref()) {
            Some(proto::object::Object::Entity(name)) => {
                self.within(field, |form| form.name("entity", name)).map(ObjectName::Entity)
            }
            Some(proto::object::Object::Value(value)) => {
                self.within(field, |form| form.value(value)).map(ObjectName::Value)
            }
            None => Err(self.fail(field, ViolationKind::Missing, "an entity or a value is needed")),
        }
    }

    pub(super) fn object_if_any(
        &mut self,
        field: &'static str,
        object: Option<&proto::Object>,
    ) -> Checked<Option<ObjectName>> {
        object.map(|object| self.object(field, Some(object))).transpose()
    }

    fn value(&mut self, value: &proto::Value) -> Checked<Value> {
        let value = match &value.value {
            Some(proto::value::Value::Boolean(value)) => Ok(Value::Boolean(*value)),
            Some(proto::value::Value::Integer(value)) => Ok(Value::Integer(*value)),
            Some(proto::value::Value::Number(value)) => Value::number(*value),
            Some(proto::value::Value::Time(at)) => {
                Value::time(Timestamp::from_micros(at.unix_micros))
            }
            Some(proto::value::Value::Text(text)) => Value::text(text.clone()),
            None => return Err(self.fail("value", ViolationKind::Missing, "a value is needed")),
        };
        value.map_err(|error| {
            let kind = match error {
                ValueError::NotFinite => ViolationKind::NumberInvalid,
                ValueError::TooLong { .. } => ViolationKind::TooLong,
                ValueError::NotAnInstant => ViolationKind::DateInvalid,
            };
            self.fail("value", kind, error.to_string())
        })
    }

    pub(super) fn evidence(&mut self, evidence: Option<&proto::Evidence>) -> Checked<Evidence> {
        let Some(evidence) = evidence else {
            return Ok(Evidence { scope: self.clearance.own(), ..Evidence::default() });
        };
        self.within("evidence", |form| {
            let source = form.name_if_any("source", &evidence.source);
            let trust = form.trust(evidence.trust);
            let confidence = form.share("confidence", evidence.confidence);
            let text = form.text("statement", &evidence.statement, STATEMENT_BYTES_MAX);
            let derived_from = form.statement_ids("derived_from_ids", &evidence.derived_from_ids);
            let importance = form.share("importance", evidence.importance);
            let episode = form.episode_id_if_any("episode_id", &evidence.episode_id);
            let vector = form.supplied_vector("vector", evidence.vector.as_ref());
            let scope = form.scope("scope", evidence.scope.as_ref());
            Ok(Evidence {
                source: source?,
                trust: trust?,
                confidence: confidence?,
                text: text?,
                derived_from: derived_from?,
                row: None,
                importance: importance?,
                episode: episode?,
                vector: vector?,
                scope: scope?,
            })
        })
    }

    /// Whom something is for. What a caller may not see it may not say either: it could not read it
    /// back.
    pub(in crate::rpc) fn scope(
        &mut self,
        field: &'static str,
        scope: Option<&proto::Scope>,
    ) -> Checked<Scope> {
        let Some(scope) = scope else { return Ok(self.clearance.own()) };
        let scope = self.within(field, |form| {
            form.length("labels", scope.labels.len(), LABELS_MAX)?;
            let owner = Some(&scope.owner).filter(|owner| !owner.is_empty());
            let owner = owner.map(|owner| form.label("owner", owner)).transpose();
            let read = |(index, label): (usize, &String)| {
                form.within_item("labels", index, |form| form.label("", label))
            };
            let labels: Vec<_> = scope.labels.iter().enumerate().map(read).collect();
            Ok(Scope { owner: owner?, labels: labels.into_iter().collect::<Result<_, _>>()? })
        })?;
        if self.clearance.sees(&scope) {
            return Ok(scope);
        }
        let detail = "is for an owner or a label that the caller does not have";
        Err(self.fail(field, ViolationKind::ScopeDenied, detail))
    }

    pub(super) fn label(&mut self, field: &'static str, text: &str) -> Checked<Label> {
        text.parse().map_err(|error| {
            let kind = match error {
                LabelError::Blank => ViolationKind::NameBlank,
                LabelError::TooLong { .. } => ViolationKind::TooLong,
                LabelError::Character => ViolationKind::Malformed,
            };
            self.fail(field, kind, error.to_string())
        })
    }

    /// What changes what everybody sees is for those who see everything.
    pub(super) fn for_all(&mut self) -> Checked<()> {
        if self.clearance == Clearance::Everything {
            return Ok(());
        }
        let detail = "changes what others see, and takes a caller who sees everything";
        Err(self.fail("", ViolationKind::ScopeDenied, detail))
    }

    pub(super) fn trust(&mut self, raw: i32) -> Checked<Trust> {
        self.trust_at("trust", raw)
    }

    pub(super) fn trust_at(&mut self, field: &'static str, raw: i32) -> Checked<Trust> {
        Ok(match self.variant(field, raw)? {
            proto::Trust::Unverified => Trust::Unverified,
            proto::Trust::Inferred => Trust::Inferred,
            proto::Trust::Unspecified | proto::Trust::Stated => Trust::Stated,
            proto::Trust::Confirmed => Trust::Confirmed,
            proto::Trust::SystemOfRecord => Trust::SystemOfRecord,
        })
    }

    /// A number from 0 to 1.
    pub(super) fn share(
        &mut self,
        field: &'static str,
        share: Option<f32>,
    ) -> Checked<Option<Confidence>> {
        share.map(Confidence::new).transpose().map_err(|_| {
            let detail = format!("{} is no number from 0 to 1", share.unwrap_or_default());
            self.fail(field, ViolationKind::NumberInvalid, detail)
        })
    }

    pub(super) fn statement_ids(
        &mut self,
        field: &'static str,
        ids: &[String],
    ) -> Checked<Vec<StatementId>> {
        self.length(field, ids.len(), STATEMENT_IDS_MAX)?;
        let read = |(index, id): (usize, &String)| {
            self.within_item(field, index, |form| statement_id(form, "", id))
        };
        // Collected twice so that every bad id is told, not only the first.
        let ids: Vec<_> = ids.iter().enumerate().map(read).collect();
        ids.into_iter().collect()
    }
}

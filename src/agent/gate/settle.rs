//! What was found, as operations on what is known: a claim becomes an assert, an end or a correction,
//! and the fold decides what gives way to what. No model is asked, and nothing here says what is true.

use chrono::{DateTime, NaiveDate};

use crate::kernel::{AddEpisode, Assert, Correct, Declare, End, Evidence, Op, TripleName};
use crate::query::{Budget, FactsQuery, PatternName, Snapshot, Span, facts};
use crate::types::{
    Cardinality, Confidence, Dated, EpisodeKind, MemoryKind, Name, NameError, Object, ObjectKind,
    ObjectName, Policy, Scope, Timestamp, Trust, Value, Written,
};

use super::super::forget::ends;
use super::super::signal::Signal;
use super::claim::{Claim, Says, Who};
use super::screen::Heard;
use super::when::When;

/// Whose facts these are, and by which rules they are kept.
pub struct Settling<'a> {
    pub snapshot: Snapshot<'a>,
    pub policy: &'a Policy,
    pub scope: &'a Scope,
    /// The instant at which a day begins, where the namespace is.
    pub midnight: &'a dyn Fn(NaiveDate) -> Option<Timestamp>,
    pub zone: &'a str,
}

/// The day of an instant in UTC.
#[must_use]
pub fn utc_day(at: Timestamp) -> Option<NaiveDate> {
    DateTime::from_timestamp_micros(at.micros()).map(|at| at.date_naive())
}

impl Settling<'_> {
    /// What records a claim, in order.
    ///
    /// # Errors
    /// When something in it cannot be a name.
    pub fn claim(
        &self,
        heard: &Heard,
        claim: &Claim,
        text: &str,
        signals: &[Signal],
    ) -> Result<Vec<Op>, NameError> {
        let predicate = Name::new(&claim.predicate)?;
        let subject = match &claim.subject {
            Who::Speaker => self.speaker(&heard.role)?,
            Who::Named(name) => Name::new(name)?,
        };
        let (directory, tx) = (self.snapshot.directory, self.snapshot.basis.tx);
        let known = directory.predicate(&predicate);
        let kind = known.and_then(|id| directory.kind_at(id, tx)).unwrap_or(claim.points_at);
        let object = object(kind, &claim.object)?;
        let one = match known {
            Some(id) => directory.cardinality_at(id, tx) == Cardinality::One,
            None => claim.cardinality == Cardinality::One,
        };
        let mut ops = Vec::new();
        if one && known.is_none() {
            let cardinality = Cardinality::One;
            ops.push(Op::Declare(Declare { predicate: predicate.clone(), cardinality }));
        }
        let triple = TripleName { subject, predicate, object };
        ops.extend(self.opposite(heard, &triple, text));
        let from = self.from(heard, claim.when.as_ref());
        let evidence = self.evidence(heard, text, claim.confidence, signals);
        ops.push(match claim.says {
            Says::Ended => Op::End(End { triple, at: Some(from), evidence }),
            Says::Holds => self.holds(heard, claim, triple, from, (one, signals), evidence),
        });
        Ok(ops)
    }

    /// A correction puts right what was believed all along; anything else holds from when it was said.
    fn holds(
        &self,
        heard: &Heard,
        claim: &Claim,
        triple: TripleName,
        from: Dated,
        (one, signals): (bool, &[Signal]),
        evidence: Evidence,
    ) -> Op {
        let held = self.held(&triple.subject, &triple.predicate).filter(|_| one);
        if let Some((wrong, since)) = held.filter(|(held, _)| *held != triple.object) {
            let corrects = signals.contains(&Signal::Correction) && claim.when.is_none();
            // Since before what is believed now began: so that was over when it was said.
            let overtakes = claim.when.is_some() && since > from.at;
            if corrects || overtakes {
                let old = TripleName { object: wrong, ..triple.clone() };
                let (at, new) = (Some(Dated::from(heard.said)), Some(triple.object));
                let from = Some(from).filter(|_| overtakes);
                return Op::Correct(Correct { triple: old, at, new, from, to: None, evidence });
            }
        }
        let kind = self.policy.kind_of(triple.predicate.key());
        let to = ends(self.policy, kind, heard.said.max(from.at)).map(Dated::from);
        Op::Assert(Assert {
            triple,
            from: Some(from),
            to,
            at_least: false,
            overrides: false,
            deliberate: false,
            contested_against: Vec::new(),
            evidence,
        })
    }

    /// A text that says something no rule reads as a fact.
    #[must_use]
    pub fn note(
        &self,
        heard: &Heard,
        text: &str,
        kind: EpisodeKind,
        signals: &[Signal],
    ) -> AddEpisode {
        let memory = match kind {
            EpisodeKind::Failure => MemoryKind::Failure,
            EpisodeKind::Procedure => MemoryKind::Procedure,
            _ if signals.contains(&Signal::Remember) => MemoryKind::Episode,
            _ if signals.contains(&Signal::Preference) => MemoryKind::Preference,
            _ if signals.contains(&Signal::Decision) || signals.contains(&Signal::Deadline) => {
                MemoryKind::Project
            }
            _ => MemoryKind::Episode,
        };
        AddEpisode {
            kind,
            text: text.to_owned(),
            speaker: Some(heard.role.clone()),
            title: None,
            session: None,
            from: Some(heard.said.into()),
            to: ends(self.policy, memory, heard.said).map(Dated::from),
            source: None,
            trust: heard.trust,
            importance: Some(importance(signals)),
            vector: None,
            scope: self.scope.clone(),
            fold: None,
            derived_from: heard.episode.into_iter().collect(),
        }
    }

    fn speaker(&self, role: &str) -> Result<Name, NameError> {
        match &self.scope.owner {
            Some(owner) => Name::new(owner.as_str()),
            None => Name::new(role),
        }
    }

    fn from(&self, heard: &Heard, when: Option<&When>) -> Dated {
        let Some(when) = when else { return heard.said.into() };
        let Some(at) = (self.midnight)(when.day) else { return heard.said.into() };
        let (text, zone) = (when.day.to_string(), self.zone.to_owned());
        let written = Written { text, zone, granularity: when.granularity };
        Dated { at, written: Some(written) }
    }

    fn evidence(&self, heard: &Heard, text: &str, confidence: f32, signals: &[Signal]) -> Evidence {
        let asked = signals.contains(&Signal::Remember);
        Evidence {
            trust: heard.trust,
            confidence: Confidence::new(if asked { 1.0 } else { confidence }).ok(),
            text: Some(text.to_owned()),
            importance: Some(importance(signals)),
            episode: heard.episode,
            scope: self.scope.clone(),
            ..Evidence::default()
        }
    }

    /// Whoever likes a thing dislikes it no more.
    fn opposite(&self, heard: &Heard, triple: &TripleName, text: &str) -> Vec<Op> {
        let opposites: &[&str] = match &**triple.predicate.display() {
            "likes" | "prefers" => &["dislikes"],
            "dislikes" => &["likes", "prefers"],
            _ => &[],
        };
        let names = opposites.iter().filter_map(|name| Name::new(name).ok());
        let held = names.filter(|predicate| {
            let all = self.objects(&triple.subject, predicate);
            all.iter().any(|(object, _)| *object == triple.object)
        });
        held.map(|predicate| {
            let triple = TripleName { predicate, ..triple.clone() };
            let evidence = self.evidence(heard, text, 1.0, &[]);
            Op::End(End { triple, at: Some(heard.said.into()), evidence })
        })
        .collect()
    }

    fn held(&self, subject: &Name, predicate: &Name) -> Option<(ObjectName, Timestamp)> {
        self.objects(subject, predicate).into_iter().next()
    }

    /// What holds of a subject for whom this is, and since when.
    fn objects(&self, subject: &Name, predicate: &Name) -> Vec<(ObjectName, Timestamp)> {
        let snapshot = self.snapshot;
        let name = PatternName {
            subject: Some(subject.clone()),
            predicates: vec![predicate.clone()],
            object: None,
        };
        let Some(mut pattern) = snapshot.pattern(&name) else { return Vec::new() };
        let directory = snapshot.directory;
        pattern.predicates.retain(|id| {
            directory.scope_of(*id).map_or_else(|| self.scope.is_open(), |of| of == self.scope)
        });
        if pattern.predicates.is_empty() {
            return Vec::new();
        }
        let query = FactsQuery { pattern, span: Span::Basis, limit: 64, after: None };
        let page = facts(snapshot, &query, &mut Budget::edges(10_000));
        let held = page.rows.iter();
        held.filter_map(|row| Some((self.name_of(row.triple.object)?, row.valid.start()))).collect()
    }

    fn name_of(&self, object: Object) -> Option<ObjectName> {
        let directory = self.snapshot.directory;
        match object {
            Object::Entity(id) => {
                let name = directory.entity_name(id)?;
                Name::new(name).ok().map(ObjectName::Entity)
            }
            Object::Value(id) => directory.value_of(id).cloned().map(ObjectName::Value),
        }
    }
}

fn object(kind: ObjectKind, text: &str) -> Result<ObjectName, NameError> {
    match kind {
        ObjectKind::Entity => Name::new(text).map(ObjectName::Entity),
        ObjectKind::Value => Ok(ObjectName::Value(Value::Text(text.to_owned()))),
    }
}

/// How much it matters, by what it carries.
fn importance(signals: &[Signal]) -> Confidence {
    let most = signals.iter().map(|signal| match signal {
        Signal::Remember => 0.9,
        Signal::Decision | Signal::Deadline | Signal::Correction => 0.7,
        Signal::Preference => 0.6,
    });
    Confidence::new(most.fold(0.5, f32::max)).expect("a share")
}

/// How far what someone says is trusted, by the role they say it in.
#[must_use]
pub fn trust_of(role: &str) -> Trust {
    match role {
        "tool" => Trust::Unverified,
        "assistant" => Trust::Inferred,
        _ => Trust::Stated,
    }
}

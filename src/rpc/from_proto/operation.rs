//! One operation of a request.

use super::date::Side;
use super::{Checked, Form, statement_id};
use crate::kernel::{
    Accept, Archive, Assert, Correct, Declare, End, ItemName, Merge, Op, Restore, Retract,
    RetractEpisode, Supersede, Unmerge, ViolationKind, WithdrawSource,
};
use crate::rpc::proto;
use crate::rpc::proto::operation::Operation;
use crate::types::{Cardinality, Dated};

/// What an operation is about, as it was sent.
#[derive(Clone, Copy)]
enum Named<'a> {
    Fact(&'a proto::Triple),
    Episode(&'a str),
}

impl Form {
    pub(super) fn operation(&mut self, operation: &proto::Operation) -> Checked<Op> {
        let Some(operation) = &operation.operation else {
            return Err(self.fail("", ViolationKind::Missing, "the operation is empty"));
        };
        match operation {
            Operation::Assert(assert) => self.assert(assert).map(Op::Assert),
            Operation::End(end) => self.end(end).map(Op::End),
            Operation::Retract(retract) => self.retract(retract).map(Op::Retract),
            Operation::Supersede(supersede) => self.supersede(supersede).map(Op::Supersede),
            Operation::Correct(correct) => self.correct(correct).map(Op::Correct),
            Operation::Merge(merge) => {
                self.for_all()?;
                let duplicate = self.name("duplicate", &merge.duplicate);
                let into = self.name("into", &merge.into);
                Ok(Op::Merge(Merge { duplicate: duplicate?, into: into? }))
            }
            Operation::Unmerge(unmerge) => {
                self.for_all()?;
                let duplicate = self.name("duplicate", &unmerge.duplicate)?;
                Ok(Op::Unmerge(Unmerge { duplicate }))
            }
            Operation::DeclarePredicate(declare) => {
                self.for_all()?;
                self.declare(declare).map(Op::Declare)
            }
            Operation::Accept(accept) => {
                let statement = statement_id(self, "statement_id", &accept.statement_id);
                let trust = self.trust(accept.trust);
                Ok(Op::Accept(Accept { statement: statement?, trust: trust? }))
            }
            Operation::WithdrawSource(withdraw) => {
                self.for_all()?;
                let source = self.name("source", &withdraw.source)?;
                Ok(Op::WithdrawSource(WithdrawSource { source }))
            }
            Operation::AddEpisode(episode) => self.add_episode(episode).map(Op::AddEpisode),
            Operation::RetractEpisode(retract) => {
                let episode = self.episode_id("episode_id", &retract.episode_id)?;
                Ok(Op::RetractEpisode(RetractEpisode { episode }))
            }
            Operation::Archive(archive) => {
                let item = match &archive.item {
                    Some(proto::archive::Item::Fact(fact)) => Some(Named::Fact(fact)),
                    Some(proto::archive::Item::EpisodeId(id)) => Some(Named::Episode(id)),
                    None => None,
                };
                let item = self.item(item, archive.scope.as_ref())?;
                Ok(Op::Archive(Archive { item }))
            }
            Operation::Restore(restore) => {
                let item = match &restore.item {
                    Some(proto::restore::Item::Fact(fact)) => Some(Named::Fact(fact)),
                    Some(proto::restore::Item::EpisodeId(id)) => Some(Named::Episode(id)),
                    None => None,
                };
                let item = self.item(item, restore.scope.as_ref())?;
                Ok(Op::Restore(Restore { item }))
            }
        }
    }

    fn item(&mut self, item: Option<Named<'_>>, scope: Option<&proto::Scope>) -> Checked<ItemName> {
        match item {
            Some(Named::Fact(fact)) => {
                let triple = self.triple_at("fact", fact);
                let scope = self.scope("scope", scope);
                Ok(ItemName::Fact { triple: triple?, scope: scope? })
            }
            Some(Named::Episode(id)) => self.episode_id("episode_id", id).map(ItemName::Episode),
            None => {
                let detail = "name a fact or an episode";
                Err(self.fail("", ViolationKind::Missing, detail))
            }
        }
    }

    fn assert(&mut self, assert: &proto::Assert) -> Checked<Assert> {
        let triple = self.triple(assert.triple.as_ref());
        let evidence = self.evidence(assert.evidence.as_ref());
        let bounds = match &assert.at {
            Some(at) => self.event(assert, at),
            None => self.span(assert),
        };
        let contested_against =
            self.statement_ids("contested_against_ids", &assert.contested_against_ids);
        let (from, to) = bounds?;
        Ok(Assert {
            triple: triple?,
            from,
            to,
            at_least: assert.at_least,
            overrides: assert.r#override,
            deliberate: assert.deliberate,
            contested_against: contested_against?,
            evidence: evidence?,
        })
    }

    fn span(&mut self, assert: &proto::Assert) -> Checked<(Option<Dated>, Option<Dated>)> {
        let from = self.bound("from", assert.from.as_ref(), Side::From);
        let (field, to) = match (&assert.to, &assert.through) {
            (Some(_), Some(_)) => {
                let detail = "an end is given by `to` or by `through`, not by both";
                ("through", Err(self.fail("through", ViolationKind::Malformed, detail)))
            }
            (to, None) => ("to", self.bound("to", to.as_ref(), Side::To)),
            (None, Some(date)) => {
                let resolved = self.date("through", date);
                (
                    "through",
                    resolved.map(|resolved| {
                        let at = resolved.inclusive_end();
                        Some(Dated { at, written: Some(resolved.written) })
                    }),
                )
            }
        };
        if assert.at_least && to == Ok(None) {
            let detail = "a fact that was seen in an interval needs the end of the interval";
            return Err(self.fail("to", ViolationKind::Missing, detail));
        }
        let (from, to) = (from?, to?);
        self.ordered(field, from.as_ref(), to.as_ref())?;
        Ok((from, to))
    }

    /// Exactly one granule: from the start of a date to its end.
    fn event(
        &mut self,
        assert: &proto::Assert,
        at: &proto::CivilDate,
    ) -> Checked<(Option<Dated>, Option<Dated>)> {
        let resolved = self.date("at", at);
        if assert.from.is_some() || assert.to.is_some() || assert.through.is_some() {
            let detail = "an event has both its bounds: `at` stands alone";
            return Err(self.fail("at", ViolationKind::Malformed, detail));
        }
        let resolved = resolved?;
        let to = Dated { at: resolved.end, written: Some(resolved.written.clone()) };
        let from = Dated { at: resolved.start, written: Some(resolved.written) };
        Ok((Some(from), Some(to)))
    }

    fn end(&mut self, end: &proto::End) -> Checked<End> {
        let triple = self.triple(end.triple.as_ref());
        let at = self.bound("at", end.at.as_ref(), Side::At);
        let evidence = self.evidence(end.evidence.as_ref());
        Ok(End { triple: triple?, at: at?, evidence: evidence? })
    }

    fn retract(&mut self, retract: &proto::Retract) -> Checked<Retract> {
        let triple = self.triple(retract.triple.as_ref());
        let bounds = self.bounds(retract.from.as_ref(), retract.to.as_ref());
        let evidence = self.evidence(retract.evidence.as_ref());
        let (from, to) = bounds?;
        Ok(Retract {
            triple: triple?,
            from,
            to,
            correct: retract.correct,
            block: retract.block,
            evidence: evidence?,
        })
    }

    fn supersede(&mut self, supersede: &proto::Supersede) -> Checked<Supersede> {
        let subject = self.name("subject", &supersede.subject);
        let predicate = self.name("predicate", &supersede.predicate);
        let old = self.object_if_any("old_object", supersede.old_object.as_ref());
        let new = self.object("new_object", supersede.new_object.as_ref());
        let at = self.bound("at", supersede.at.as_ref(), Side::At);
        let evidence = self.evidence(supersede.evidence.as_ref());
        Ok(Supersede {
            subject: subject?,
            predicate: predicate?,
            old: old?,
            new: new?,
            at: at?,
            expect_held: supersede.expect_held,
            evidence: evidence?,
        })
    }

    fn correct(&mut self, correct: &proto::Correct) -> Checked<Correct> {
        let triple = self.triple(correct.triple.as_ref());
        let at = self.bound("at", correct.at.as_ref(), Side::At);
        let new = self.object_if_any("new_object", correct.new_object.as_ref());
        let bounds = self.bounds(correct.from.as_ref(), correct.to.as_ref());
        let evidence = self.evidence(correct.evidence.as_ref());
        let (from, to) = bounds?;
        Ok(Correct { triple: triple?, at: at?, new: new?, from, to, evidence: evidence? })
    }

    fn bounds(
        &mut self,
        from: Option<&proto::Bound>,
        to: Option<&proto::Bound>,
    ) -> Checked<(Option<Dated>, Option<Dated>)> {
        let from = self.bound("from", from, Side::From);
        let to = self.bound("to", to, Side::To);
        let (from, to) = (from?, to?);
        self.ordered("to", from.as_ref(), to.as_ref())?;
        Ok((from, to))
    }

    fn declare(&mut self, declare: &proto::DeclarePredicate) -> Checked<Declare> {
        let predicate = self.name("predicate", &declare.predicate);
        let cardinality = match self.variant("cardinality", declare.cardinality) {
            Ok(proto::Cardinality::One) => Ok(Cardinality::One),
            Ok(proto::Cardinality::Many) => Ok(Cardinality::Many),
            Ok(proto::Cardinality::Unspecified) => {
                let detail = "say whether it holds one object or many";
                Err(self.fail("cardinality", ViolationKind::Missing, detail))
            }
            Err(bad) => Err(bad),
        };
        Ok(Declare { predicate: predicate?, cardinality: cardinality? })
    }
}

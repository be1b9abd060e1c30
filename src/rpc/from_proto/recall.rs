//! A question of recall.

use super::{Checked, Form};
use crate::kernel::{SuppliedVector, ViolationKind};
use crate::query::AsOf;
use crate::query::recall::{FilterName, Fusion, Kinds, Legs, Profile, RecallQuery};
use crate::rpc::proto;
use crate::types::limits::{
    HITS_DEFAULT, HITS_MAX, PREDICATES_MAX, QUERY_BYTES_MAX, RECALL_HOPS_DEFAULT, SEEDS_MAX,
    TOKEN_BUDGET_MAX,
};
use crate::types::{Confidence, Name, Timestamp, Trust, session_digest};

/// A question, and what is done with its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Recall {
    pub as_of: AsOf,
    /// Its vector is still missing where the server embeds the words.
    pub query: RecallQuery,
    pub vector: Option<SuppliedVector>,
    pub token_budget: Option<usize>,
    pub rerank: bool,
}

impl Form {
    /// # Errors
    /// `Bad` if anything of it is, or if it asks for nothing.
    pub fn recall(&mut self, request: &proto::RecallRequest) -> Checked<Recall> {
        let words = self.text("query", &request.query, QUERY_BYTES_MAX);
        let vector = self.supplied_vector("vector", request.vector.as_ref());
        let seeds = self.names("seeds", &request.seeds, SEEDS_MAX);
        let as_of = self.as_of("as_of", request.as_of.as_ref());
        let filter = self.recall_filter(request);
        let history = self
            .variant("mode", request.mode)
            .map(|mode: proto::RecallMode| mode == proto::RecallMode::History);
        let profile = self.profile(request.profile);
        let fusion = self.fusion(request.fusion);
        let legs = self.legs(&request.legs);
        let limit = self.count("limit", request.limit, HITS_DEFAULT, HITS_MAX);
        let tokens = self.count_if_any("token_budget", request.token_budget, TOKEN_BUDGET_MAX);
        let score_min = self.share("score_min", request.score_min);
        let diversity = self.share("diversity", request.diversity);
        let hops = self.recall_hops(request.hops);
        if request.query.trim().is_empty() && request.vector.is_none() && request.seeds.is_empty() {
            let detail = "a question needs words, a vector or an entity to start from";
            self.fail("query", ViolationKind::Missing, detail);
        }
        let as_of = as_of?;
        let share = |share: Option<Confidence>| share.map_or(0.0, Confidence::get);
        let query = RecallQuery {
            words: words?.unwrap_or_default(),
            vector: None,
            seeds: seeds?,
            filter: filter?,
            history: history?,
            profile: profile?,
            fusion: fusion?,
            legs: legs?,
            limit: limit?,
            score_min: share(score_min?),
            diversity: share(diversity?),
            hops: hops?,
            now: Timestamp::MIN,
            current: as_of == AsOf::default(),
        };
        let (vector, token_budget, rerank) = (vector?, tokens?, request.rerank);
        Ok(Recall { as_of, query, vector, token_budget, rerank })
    }

    fn recall_hops(&mut self, hops: i32) -> Checked<u32> {
        if hops == 0 { Ok(RECALL_HOPS_DEFAULT) } else { self.hops(hops) }
    }

    fn profile(&mut self, raw: i32) -> Checked<Profile> {
        Ok(match self.variant("profile", raw)? {
            proto::RecallProfile::Unspecified | proto::RecallProfile::Balanced => Profile::Balanced,
            proto::RecallProfile::Weighted => Profile::Weighted,
            proto::RecallProfile::GenerativeAgents => Profile::GenerativeAgents,
        })
    }

    fn fusion(&mut self, raw: i32) -> Checked<Fusion> {
        Ok(match self.variant("fusion", raw)? {
            proto::Fusion::Unspecified | proto::Fusion::RelativeScore => Fusion::RelativeScore,
            proto::Fusion::ReciprocalRank => Fusion::ReciprocalRank,
        })
    }

    fn legs(&mut self, raw: &[i32]) -> Checked<Legs> {
        if raw.is_empty() {
            return Ok(Legs::ALL);
        }
        let mut legs = Legs { text: false, vector: false, graph: false };
        let mut bad = None;
        for leg in raw {
            match self.variant("legs", *leg) {
                Ok(proto::Leg::Text) => legs.text = true,
                Ok(proto::Leg::Vector) => legs.vector = true,
                Ok(proto::Leg::Graph) => legs.graph = true,
                Ok(proto::Leg::Unspecified) => {
                    let detail = "name the leg, or leave the list empty for all";
                    bad = Some(self.fail("legs", ViolationKind::Missing, detail));
                }
                Err(error) => bad = Some(error),
            }
        }
        bad.map_or(Ok(legs), Err)
    }

    fn recall_filter(&mut self, request: &proto::RecallRequest) -> Checked<FilterName> {
        let Some(filter) = &request.filter else { return Ok(FilterName::default()) };
        let dated = request.as_of.as_ref().is_some_and(|as_of| as_of.valid.is_some());
        self.within("filter", |form| {
            let kinds = form.hit_kinds(&filter.kinds);
            let predicates = form.names("predicates", &filter.predicates, PREDICATES_MAX);
            let entities = form.names("entities", &filter.entities, PREDICATES_MAX);
            let sources = form.names("sources", &filter.sources, PREDICATES_MAX);
            let trust_min = form.trust_min(filter.trust_min);
            let confidence_min = form.share("confidence_min", filter.confidence_min);
            let valid = form.range("valid", filter.valid.as_ref());
            if dated && filter.valid.is_some() {
                let detail = "a span takes the place of as_of.valid: give one of them";
                form.fail("valid", ViolationKind::Malformed, detail);
            }
            let from = filter.recorded_from.as_ref();
            let from = from.map(|point| form.transaction_point("recorded_from", Some(point)));
            let to = filter.recorded_to.as_ref();
            let to = to.map(|point| form.transaction_point("recorded_to", Some(point)));
            let episode_kinds = form.episode_kinds("episode_kinds", &filter.episode_kinds);
            let session = (!filter.session.is_empty()).then(|| session_digest(&filter.session));
            Ok(FilterName {
                kinds: kinds?,
                predicates: predicates?,
                entities: entities?,
                sources: sources?,
                trust_min: trust_min?,
                confidence_min: confidence_min?.map(Confidence::get),
                valid: valid?,
                recorded_from: from.transpose()?,
                recorded_to: to.transpose()?,
                session,
                episode_kinds: episode_kinds?,
                archived: filter.include_archived,
            })
        })
    }

    fn trust_min(&mut self, raw: i32) -> Checked<Option<Trust>> {
        let any = raw == i32::from(proto::Trust::Unspecified);
        if any { Ok(None) } else { self.trust_at("trust_min", raw).map(Some) }
    }

    fn hit_kinds(&mut self, raw: &[i32]) -> Checked<Option<Kinds>> {
        if raw.is_empty() {
            return Ok(None);
        }
        let mut kinds = Kinds { facts: false, episodes: false, entities: false };
        let mut bad = None;
        for kind in raw {
            match self.variant("kinds", *kind) {
                Ok(proto::HitKind::Fact) => kinds.facts = true,
                Ok(proto::HitKind::Episode) => kinds.episodes = true,
                Ok(proto::HitKind::Entity) => kinds.entities = true,
                Ok(proto::HitKind::Unspecified) => {
                    let detail = "name the kind, or leave the list empty";
                    bad = Some(self.fail("kinds", ViolationKind::Missing, detail));
                }
                Err(error) => bad = Some(error),
            }
        }
        bad.map_or(Ok(Some(kinds)), Err)
    }

    /// A list of names.
    fn names(&mut self, field: &'static str, names: &[String], max: usize) -> Checked<Vec<Name>> {
        self.length(field, names.len(), max)?;
        let read = |(index, name): (usize, &String)| {
            self.within_item(field, index, |form| form.name("", name))
        };
        // Collected twice so that every bad name is told, not only the first.
        let read: Vec<_> = names.iter().enumerate().map(read).collect();
        read.into_iter().collect()
    }
}

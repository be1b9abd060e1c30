//! Episodes and vectors.

use super::date::Side;
use super::{Checked, Form};
use crate::engine::SpaceSpec;
use crate::kernel::{AddEpisode, SuppliedVector, ViolationKind};
use crate::rpc::proto;
use crate::types::limits::{
    EPISODE_BYTES_MAX, EPISODE_IDS_MAX, NAME_BYTES_MAX, VECTOR_NUMBERS_MAX,
};
use crate::types::{EpisodeId, EpisodeKind, Fold, Vector, VectorError};

impl Form {
    pub(super) fn add_episode(&mut self, episode: &proto::AddEpisode) -> Checked<AddEpisode> {
        let kind = self.episode_kind("kind", episode.kind);
        let text = self.said("text", &episode.text);
        let speaker = self.text("speaker", &episode.speaker, NAME_BYTES_MAX);
        let title = self.text("title", &episode.title, NAME_BYTES_MAX);
        let session = self.text("session", &episode.session, NAME_BYTES_MAX);
        let from = self.bound("from", episode.from.as_ref(), Side::From);
        let to = self.bound("to", episode.to.as_ref(), Side::To);
        let source = self.name_if_any("source", &episode.source);
        let trust = self.trust(episode.trust);
        let importance = self.share("importance", episode.importance);
        let vector = self.supplied_vector("vector", episode.vector.as_ref());
        let scope = self.scope("scope", episode.scope.as_ref());
        let fold = self.fold(episode);
        let derived_from = self.episode_ids("derived_from_ids", &episode.derived_from_ids);
        let (from, to) = (from?, to?);
        self.ordered("to", from.as_ref(), to.as_ref())?;
        Ok(AddEpisode {
            kind: kind?,
            text: text?,
            speaker: speaker?,
            title: title?,
            session: session?,
            from,
            to,
            source: source?,
            trust: trust?,
            importance: importance?,
            vector: vector?,
            scope: scope?,
            fold: fold?,
            derived_from: derived_from?,
        })
    }

    /// What a summary stands for. It needs to say so, and a session; nothing else may.
    fn fold(&mut self, episode: &proto::AddEpisode) -> Checked<Option<Fold>> {
        let is_summary = episode.kind == i32::from(proto::EpisodeKind::Summary);
        let Some(fold) = &episode.fold else {
            if !is_summary {
                return Ok(None);
            }
            let detail = "a summary says which turns it stands for";
            return Err(self.fail("fold", ViolationKind::Missing, detail));
        };
        if !is_summary {
            let detail = "only a summary stands for turns";
            return Err(self.fail("fold", ViolationKind::Malformed, detail));
        }
        if episode.session.is_empty() {
            let detail = "a summary is of a session";
            self.fail("session", ViolationKind::Missing, detail);
        }
        self.within("fold", |form| {
            let through = form.episode_id("through", &fold.through);
            if fold.turns == 0 {
                let detail = "a summary stands for at least one turn";
                return Err(form.fail("turns", ViolationKind::Missing, detail));
            }
            let proto::Fold { turns, generation, closes, .. } = *fold;
            Ok(Some(Fold { through: through?, turns, generation, closes }))
        })
    }

    /// A text that says something.
    fn said(&mut self, field: &'static str, text: &str) -> Checked<String> {
        match self.text(field, text, EPISODE_BYTES_MAX)? {
            Some(text) if !text.trim().is_empty() => Ok(text),
            _ => Err(self.fail(field, ViolationKind::Missing, "an episode needs a text")),
        }
    }

    pub(in crate::rpc) fn episode_kind(
        &mut self,
        field: &'static str,
        raw: i32,
    ) -> Checked<EpisodeKind> {
        Ok(match self.variant(field, raw)? {
            proto::EpisodeKind::Unspecified | proto::EpisodeKind::Turn => EpisodeKind::Turn,
            proto::EpisodeKind::Passage => EpisodeKind::Passage,
            proto::EpisodeKind::ToolResult => EpisodeKind::ToolResult,
            proto::EpisodeKind::Note => EpisodeKind::Note,
            proto::EpisodeKind::Summary => EpisodeKind::Summary,
            proto::EpisodeKind::Core => EpisodeKind::Core,
            proto::EpisodeKind::Reflection => EpisodeKind::Reflection,
            proto::EpisodeKind::Procedure => EpisodeKind::Procedure,
            proto::EpisodeKind::Failure => EpisodeKind::Failure,
        })
    }

    /// Every bad one is told, not only the first.
    pub(in crate::rpc) fn episode_kinds(
        &mut self,
        field: &'static str,
        raw: &[i32],
    ) -> Checked<Vec<EpisodeKind>> {
        let kinds: Vec<_> = raw.iter().map(|kind| self.episode_kind(field, *kind)).collect();
        kinds.into_iter().collect()
    }

    pub(in crate::rpc) fn episode_id(
        &mut self,
        field: &'static str,
        text: &str,
    ) -> Checked<EpisodeId> {
        text.parse().map_err(|_| {
            let (kind, detail) = if text.is_empty() {
                (ViolationKind::Missing, "the id of an episode is needed")
            } else {
                (ViolationKind::Malformed, "not the id of an episode: send it as it was received")
            };
            self.fail(field, kind, detail)
        })
    }

    pub(super) fn episode_id_if_any(
        &mut self,
        field: &'static str,
        text: &str,
    ) -> Checked<Option<EpisodeId>> {
        if text.is_empty() { Ok(None) } else { self.episode_id(field, text).map(Some) }
    }

    fn episode_ids(&mut self, field: &'static str, ids: &[String]) -> Checked<Vec<EpisodeId>> {
        self.length(field, ids.len(), EPISODE_IDS_MAX)?;
        let read = |(index, id): (usize, &String)| {
            self.within_item(field, index, |form| form.episode_id("", id))
        };
        // Collected twice so that every bad id is told, not only the first.
        let ids: Vec<_> = ids.iter().enumerate().map(read).collect();
        ids.into_iter().collect()
    }

    /// A space whose vectors callers supply.
    pub(in crate::rpc) fn space(
        &mut self,
        field: &'static str,
        space: Option<&proto::EmbeddingSpace>,
    ) -> Checked<Option<SpaceSpec>> {
        let Some(space) = space else { return Ok(None) };
        self.within(field, |form| {
            let model = form.text("model", &space.model, NAME_BYTES_MAX);
            let dimension = form.count_if_any("dimension", space.dimension, VECTOR_NUMBERS_MAX);
            let Some(dimension) = dimension? else {
                let detail = "say how many numbers the vectors have";
                return Err(form.fail("dimension", ViolationKind::Missing, detail));
            };
            let dimension = u32::try_from(dimension).expect("a dimension is bounded");
            let model = model?.unwrap_or_default();
            Ok(Some(SpaceSpec { model, dimension, supplied: true }))
        })
    }

    /// That it fits the space of the namespace is for the engine to see.
    pub(in crate::rpc) fn supplied_vector(
        &mut self,
        field: &'static str,
        vector: Option<&proto::Vector>,
    ) -> Checked<Option<SuppliedVector>> {
        let Some(vector) = vector else { return Ok(None) };
        self.within(field, |form| {
            let model = form.text("model", &vector.model, NAME_BYTES_MAX);
            let numbers = Vector::new(&vector.numbers).map_err(|error| {
                let kind = match error {
                    VectorError::Empty => ViolationKind::Missing,
                    VectorError::TooLong { .. } => ViolationKind::TooMany,
                    VectorError::NotFinite { .. } | VectorError::Zero { .. } => {
                        ViolationKind::NumberInvalid
                    }
                };
                form.fail("numbers", kind, error.to_string())
            });
            Ok(Some(SuppliedVector { vector: numbers?, model: model? }))
        })
    }
}

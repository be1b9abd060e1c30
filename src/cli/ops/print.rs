//! Operations to JSON, such that reading the line gives the same operations.

use serde_json::{Map, Value, json};

use crate::rpc::proto::{
    AddEpisode, Archive, Assert, Bound, CivilDate, Evidence, Fold, Instant, Object, Operation,
    Restore, Scope, Triple, Vector, archive, bound::Bound as BoundKind,
    operation::Operation as Kind, restore,
};

use super::super::{
    object, row,
    time_text::{self, Side},
};

pub(crate) fn transaction(tx: u64, tx_time: Option<Instant>, operations: &[Operation]) -> Value {
    let operations: Vec<Value> = operations.iter().map(operation).collect();
    json!({ "tx": tx, "tx_time": time_text::optional(tx_time.as_ref()), "ops": operations })
}

fn operation(operation: &Operation) -> Value {
    let mut line = JsonLine(Map::new());
    match operation.operation.as_ref() {
        None => {}
        Some(Kind::Assert(assert)) => line.assert(assert),
        Some(Kind::End(end)) => {
            line.op("end").triple(end.triple.as_ref());
            line.bound("at", end.at.as_ref(), Side::End).evidence(end.evidence.as_ref());
        }
        Some(Kind::Retract(retract)) => {
            line.op("retract").triple(retract.triple.as_ref());
            line.bound("from", retract.from.as_ref(), Side::Start).bound(
                "to",
                retract.to.as_ref(),
                Side::End,
            );
            line.flag("correct", retract.correct).flag("block", retract.block);
            line.evidence(retract.evidence.as_ref());
        }
        Some(Kind::Supersede(supersede)) => {
            line.op("supersede").text("s", &supersede.subject).text("p", &supersede.predicate);
            line.object("o", supersede.new_object.as_ref())
                .object("old", supersede.old_object.as_ref());
            line.bound("at", supersede.at.as_ref(), Side::End)
                .flag("expect_held", supersede.expect_held);
            line.evidence(supersede.evidence.as_ref());
        }
        Some(Kind::Correct(correct)) => {
            line.op("correct")
                .triple(correct.triple.as_ref())
                .object("new", correct.new_object.as_ref());
            line.bound("at", correct.at.as_ref(), Side::End);
            line.bound("from", correct.from.as_ref(), Side::Start).bound(
                "to",
                correct.to.as_ref(),
                Side::End,
            );
            line.evidence(correct.evidence.as_ref());
        }
        Some(Kind::Merge(merge)) => {
            line.op("merge").text("dup", &merge.duplicate).text("into", &merge.into);
        }
        Some(Kind::Unmerge(unmerge)) => {
            line.op("unmerge").text("dup", &unmerge.duplicate);
        }
        Some(Kind::DeclarePredicate(declare)) => {
            let word = super::cardinality_word(declare.cardinality());
            line.op("declare").text("p", &declare.predicate).text("cardinality", word);
        }
        Some(Kind::Accept(accept)) => {
            line.op("accept").text("statement_id", &accept.statement_id);
            if accept.trust != 0 {
                line.text("trust", &super::trust_word(accept.trust()));
            }
        }
        Some(Kind::WithdrawSource(withdraw)) => {
            line.op("withdraw").text("source", &withdraw.source);
        }
        Some(Kind::AddEpisode(episode)) => line.episode(episode),
        Some(Kind::RetractEpisode(retract)) => {
            line.op("retract_episode").text("id", &retract.episode_id);
        }
        Some(Kind::Archive(archive)) => line.archive(archive),
        Some(Kind::Restore(restore)) => line.restore(restore),
    }
    Value::Object(line.0)
}

/// The keys of one operation; what was not said is left out.
struct JsonLine(Map<String, Value>);

impl JsonLine {
    fn assert(&mut self, assert: &Assert) {
        self.op("assert").triple(assert.triple.as_ref());
        self.bound("from", assert.from.as_ref(), Side::Start).bound(
            "to",
            assert.to.as_ref(),
            Side::End,
        );
        self.date("through", assert.through.as_ref()).date("at", assert.at.as_ref());
        self.flag("atleast", assert.at_least).flag("override", assert.r#override);
        self.flag("deliberate", assert.deliberate);
        if !assert.contested_against_ids.is_empty() {
            self.put("contested_against", json!(assert.contested_against_ids));
        }
        self.evidence(assert.evidence.as_ref());
    }

    fn episode(&mut self, episode: &AddEpisode) {
        self.op("add_episode").text("text", &episode.text);
        if episode.kind != 0 {
            self.text("kind", row::short_name(episode.kind().as_str_name(), "EPISODE_KIND_"));
        }
        for (key, text) in [
            ("speaker", &episode.speaker),
            ("title", &episode.title),
            ("session", &episode.session),
            ("source", &episode.source),
        ] {
            if !text.is_empty() {
                self.text(key, text);
            }
        }
        self.bound("from", episode.from.as_ref(), Side::Start);
        self.bound("to", episode.to.as_ref(), Side::End);
        if episode.trust != 0 {
            self.text("trust", &super::trust_word(episode.trust()));
        }
        self.share("importance", episode.importance).vector(episode.vector.as_ref());
        self.scope(episode.scope.as_ref());
        if let Some(Fold { through, turns, generation, closes }) = &episode.fold {
            let fold = json!({
                "through": through, "turns": turns, "generation": generation, "closes": closes
            });
            self.put("fold", fold);
        }
        if !episode.derived_from_ids.is_empty() {
            self.put("derived_from", json!(episode.derived_from_ids));
        }
    }

    fn archive(&mut self, archive: &Archive) {
        self.op("archive");
        match &archive.item {
            Some(archive::Item::Fact(fact)) => self.item(Some(fact), ""),
            Some(archive::Item::EpisodeId(id)) => self.item(None, id),
            None => {}
        }
        self.scope(archive.scope.as_ref());
    }

    fn restore(&mut self, restore: &Restore) {
        self.op("restore");
        match &restore.item {
            Some(restore::Item::Fact(fact)) => self.item(Some(fact), ""),
            Some(restore::Item::EpisodeId(id)) => self.item(None, id),
            None => {}
        }
        self.scope(restore.scope.as_ref());
    }

    fn item(&mut self, fact: Option<&Triple>, episode: &str) {
        if fact.is_some() {
            self.triple(fact);
        } else {
            self.text("episode", episode);
        }
    }

    /// The shortest decimal of the single-precision number, not its double-precision tail.
    fn share(&mut self, key: &str, share: Option<f32>) -> &mut JsonLine {
        match share {
            None => self,
            Some(share) => self.put(key, json!(shortest(share))),
        }
    }

    fn vector(&mut self, vector: Option<&Vector>) -> &mut JsonLine {
        let Some(vector) = vector else { return self };
        let numbers: Vec<f64> = vector.numbers.iter().map(|number| shortest(*number)).collect();
        self.put("vector", json!(numbers))
    }

    fn put(&mut self, key: &str, value: Value) -> &mut JsonLine {
        self.0.insert(key.to_owned(), value);
        self
    }

    fn op(&mut self, word: &str) -> &mut JsonLine {
        self.put("op", word.into())
    }

    fn text(&mut self, key: &str, text: &str) -> &mut JsonLine {
        self.put(key, text.into())
    }

    fn flag(&mut self, key: &str, on: bool) -> &mut JsonLine {
        if on { self.put(key, true.into()) } else { self }
    }

    fn object(&mut self, key: &str, object: Option<&Object>) -> &mut JsonLine {
        if object.is_some() { self.put(key, object::to_json(object)) } else { self }
    }

    fn triple(&mut self, triple: Option<&Triple>) -> &mut JsonLine {
        match triple {
            None => self,
            Some(triple) => self
                .text("s", &triple.subject)
                .text("p", &triple.predicate)
                .object("o", triple.object.as_ref()),
        }
    }

    fn bound(&mut self, key: &str, bound: Option<&Bound>, side: Side) -> &mut JsonLine {
        let written = bound.and_then(|bound| bound.written.as_ref());
        match bound.and_then(|bound| bound.bound.as_ref()) {
            None => self,
            Some(BoundKind::Unbounded(_)) => {
                self.text(key, if side == Side::Start { "-inf" } else { "inf" })
            }
            Some(BoundKind::Date(date)) => self.put(key, date_json(date)),
            Some(BoundKind::Instant(instant)) => self.put(key, instant_json(*instant, written)),
        }
    }

    fn date(&mut self, key: &str, date: Option<&CivilDate>) -> &mut JsonLine {
        match date {
            None => self,
            Some(date) => self.put(key, date_json(date)),
        }
    }

    fn evidence(&mut self, evidence: Option<&Evidence>) -> &mut JsonLine {
        let Some(evidence) = evidence else { return self };
        if !evidence.source.is_empty() {
            self.text("source", &evidence.source);
        }
        if evidence.trust != 0 {
            self.text("trust", &super::trust_word(evidence.trust()));
        }
        self.share("confidence", evidence.confidence);
        if !evidence.statement.is_empty() {
            self.text("statement", &evidence.statement);
        }
        if !evidence.derived_from_ids.is_empty() {
            self.put("derived_from", json!(evidence.derived_from_ids));
        }
        if !evidence.episode_id.is_empty() {
            self.text("episode", &evidence.episode_id);
        }
        self.share("importance", evidence.importance).vector(evidence.vector.as_ref());
        self.scope(evidence.scope.as_ref())
    }

    fn scope(&mut self, scope: Option<&Scope>) -> &mut JsonLine {
        let Some(scope) = scope else { return self };
        if !scope.owner.is_empty() || scope.labels.is_empty() {
            self.text("owner", &scope.owner);
        }
        if !scope.labels.is_empty() {
            self.put("labels", json!(scope.labels));
        }
        self
    }
}

fn shortest(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(f64::from(number))
}

fn date_json(date: &CivilDate) -> Value {
    if date.zone.is_empty() {
        json!(date.text)
    } else {
        json!({ "date": date.text, "zone": date.zone })
    }
}

/// Dates of 9999-12-31 and later stand for +infinity, so such an instant must say that it is one.
/// So must one that comes with the words it was resolved from: they are not resolved again.
fn instant_json(instant: Instant, written: Option<&CivilDate>) -> Value {
    let text = time_text::instant(instant.unix_micros);
    if let Some(written) = written {
        let granularity = row::short_name(written.granularity().as_str_name(), "GRANULARITY_");
        return json!({
            "instant": text,
            "written": written.text,
            "zone": written.zone,
            "granularity": granularity,
        });
    }
    if text.starts_with(['+', '-']) || text.starts_with("9999") {
        json!({ "instant": text })
    } else {
        json!(text)
    }
}

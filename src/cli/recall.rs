//! `recall`: the facts and texts that answer a question best.

use clap::{Args, ValueEnum};
use serde_json::{Map, Value, json};

use crate::rpc::proto::{
    Fusion, Hit, HitKind, Leg, LegReport, LegShare, LegStatus, RecallFilter, RecallMode,
    RecallProfile, RecallRequest, RecallResponse, Step,
};

use super::{
    connect::Client,
    episode,
    error::Error,
    explain, ops,
    output::{Output, Row, one_line},
    point::{AsOfArgs, range},
    row,
    run::Ending,
};

/// What counts beside the words.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ProfileWord {
    Balanced,
    Weighted,
    GenerativeAgents,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum FusionWord {
    RelativeScore,
    ReciprocalRank,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LegWord {
    Text,
    Vector,
    Graph,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum KindWord {
    Fact,
    Episode,
    Entity,
}

#[derive(Debug, Args)]
pub struct RecallArgs {
    /// The question, in words
    query: Option<String>,
    #[command(flatten)]
    at: AsOfArgs,
    /// Hits to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: i32,
    /// Say why each hit is there: ranks, shares, sources, path, and what each leg did
    #[arg(long)]
    explain: bool,
    /// Everything that ever held, one hit a rectangle, by start
    #[arg(long)]
    history: bool,
    /// Start from this entity as well; may be given several times
    #[arg(long = "seed", value_name = "NAME")]
    seeds: Vec<String>,
    /// Only facts of this predicate; may be given several times
    #[arg(long = "predicate", value_name = "NAME")]
    predicates: Vec<String>,
    /// Only facts about this entity; may be given several times
    #[arg(long = "entity", value_name = "NAME")]
    entities: Vec<String>,
    /// Only what this source stated; may be given several times
    #[arg(long = "source", value_name = "NAME")]
    sources: Vec<String>,
    /// Only this kind of hit; may be given several times [default: fact, episode]
    #[arg(long = "kind", value_name = "KIND")]
    kinds: Vec<KindWord>,
    /// Only episodes of this session
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
    /// At least this trust class
    #[arg(long, value_name = "CLASS")]
    trust: Option<String>,
    /// At least this confidence, from 0 to 1
    #[arg(long, value_name = "SHARE")]
    confidence: Option<f32>,
    /// What overlaps the span from A up to B, instead of one point; -inf and inf are allowed
    #[arg(long, num_args = 2, value_names = ["A", "B"], allow_hyphen_values = true, conflicts_with = "as_of")]
    overlap: Vec<String>,
    /// Leave out hits below this score
    #[arg(long, value_name = "SCORE")]
    score_min: Option<f32>,
    /// End before the texts pass this many tokens
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    token_budget: i32,
    /// From 0, relevance alone, to 1, as different as can be
    #[arg(long, value_name = "SHARE")]
    diversity: Option<f32>,
    /// Hops of the graph leg, from 1 to 3
    #[arg(long, value_name = "N", default_value_t = 2)]
    hops: i32,
    /// What counts beside the words
    #[arg(long, value_name = "PROFILE", default_value = "balanced")]
    profile: ProfileWord,
    /// How the legs become one list
    #[arg(long, value_name = "FUSION", default_value = "relative-score")]
    fusion: FusionWord,
    /// Only this leg; may be given several times
    #[arg(long = "leg", value_name = "LEG")]
    legs: Vec<LegWord>,
    /// Let the server's cross-encoder put the best hits in order
    #[arg(long)]
    rerank: bool,
    /// Also what is in the archive
    #[arg(long)]
    archived: bool,
}

impl RecallArgs {
    fn to_proto(&self, namespace: &str) -> Result<RecallRequest, Error> {
        let trust = match &self.trust {
            None => 0,
            Some(word) => ops::trust(word).map_err(Error::Usage)?.into(),
        };
        let filter = RecallFilter {
            kinds: self.kinds.iter().map(|kind| kind.to_proto().into()).collect(),
            predicates: self.predicates.clone(),
            entities: self.entities.clone(),
            sources: self.sources.clone(),
            trust_min: trust,
            confidence_min: self.confidence,
            valid: range(&self.overlap, self.at.zone())?,
            session: self.session.clone().unwrap_or_default(),
            include_archived: self.archived,
            ..RecallFilter::default()
        };
        let mode = if self.history { RecallMode::History } else { RecallMode::Current };
        Ok(RecallRequest {
            namespace: namespace.to_owned(),
            query: self.query.clone().unwrap_or_default(),
            seeds: self.seeds.clone(),
            as_of: Some(self.at.to_proto()?),
            filter: Some(filter),
            mode: mode.into(),
            profile: self.profile.to_proto().into(),
            fusion: self.fusion.to_proto().into(),
            legs: self.legs.iter().map(|leg| leg.to_proto().into()).collect(),
            limit: self.limit,
            token_budget: self.token_budget,
            score_min: self.score_min,
            diversity: self.diversity,
            hops: self.hops,
            rerank: self.rerank,
            vector: None,
        })
    }
}

impl ProfileWord {
    fn to_proto(self) -> RecallProfile {
        match self {
            ProfileWord::Balanced => RecallProfile::Balanced,
            ProfileWord::Weighted => RecallProfile::Weighted,
            ProfileWord::GenerativeAgents => RecallProfile::GenerativeAgents,
        }
    }
}

impl FusionWord {
    fn to_proto(self) -> Fusion {
        match self {
            FusionWord::RelativeScore => Fusion::RelativeScore,
            FusionWord::ReciprocalRank => Fusion::ReciprocalRank,
        }
    }
}

impl LegWord {
    fn to_proto(self) -> Leg {
        match self {
            LegWord::Text => Leg::Text,
            LegWord::Vector => Leg::Vector,
            LegWord::Graph => Leg::Graph,
        }
    }
}

impl KindWord {
    fn to_proto(self) -> HitKind {
        match self {
            KindWord::Fact => HitKind::Fact,
            KindWord::Episode => HitKind::Episode,
            KindWord::Entity => HitKind::Entity,
        }
    }
}

pub(crate) async fn run(
    client: &mut Client,
    output: &mut Output,
    args: &RecallArgs,
) -> Result<Ending, Error> {
    let request = args.to_proto(&client.namespace)?;
    let reply = client.memory.recall(request).await;
    let answer = client.answer(reply)?;
    if output.is_json() {
        for hit in &answer.hits {
            output.json_line(&hit_json(hit))?;
        }
        if args.explain {
            output.json_line(&report_json(&answer))?;
        }
    } else if args.explain {
        output.text(&explained(&answer))?;
    } else {
        output.list(&answer.hits)?;
    }
    for report in answer.legs.iter().filter(|report| report.status() != LegStatus::Searched) {
        // What the question leaves out, and a question without entities, are no surprise.
        if !["NOT_ASKED", "NO_ENTITY"].contains(&report.reason.as_str()) {
            eprintln!("{}", report_text(report));
        }
    }
    if !answer.rerank_skipped.is_empty() {
        eprintln!("not reranked: {}", answer.rerank_skipped);
    }
    output.basis(answer.basis.as_ref())?;
    Ok(Ending::Done)
}

impl Row for Hit {
    fn columns() -> Vec<&'static str> {
        vec!["score", "valid", "text", "id"]
    }

    fn cells(&self) -> Vec<String> {
        vec![format!("{:.3}", self.score), valid(self), self.text.clone(), id(self)]
    }

    fn json(&self) -> Value {
        hit_json(self)
    }
}

fn valid(hit: &Hit) -> String {
    let bounds = match (&hit.fact, &hit.episode) {
        (Some(fact), _) => Some((&fact.valid_from, &fact.valid_to)),
        (None, Some(episode)) => Some((&episode.valid_from, &episode.valid_to)),
        (None, None) => None,
    };
    bounds.map_or_else(String::new, |(from, to)| row::span_text(from.as_ref(), to.as_ref()))
}

fn id(hit: &Hit) -> String {
    let fact = hit.fact.as_ref().map(|fact| &fact.fact_id);
    let episode = hit.episode.as_ref().map(|episode| &episode.id);
    let entity = hit.entity.as_ref().map(|entity| &entity.id);
    fact.or(episode).or(entity).cloned().unwrap_or_default()
}

fn kind_word(hit: &Hit) -> String {
    row::short_name(hit.kind().as_str_name(), "HIT_KIND_").to_ascii_lowercase()
}

fn leg_word(leg: Leg) -> String {
    row::short_name(leg.as_str_name(), "LEG_").to_ascii_lowercase()
}

fn hit_json(hit: &Hit) -> Value {
    let mut map = Map::new();
    map.insert("kind".to_owned(), kind_word(hit).into());
    map.insert("score".to_owned(), json!(rounded(hit.score)));
    map.insert("text".to_owned(), hit.text.clone().into());
    if let Some(fact) = &hit.fact {
        map.insert("fact".to_owned(), Value::Object(row::fields(fact)));
    }
    if let Some(episode) = &hit.episode {
        map.insert("episode".to_owned(), episode::to_json(episode));
    }
    if let Some(entity) = &hit.entity {
        map.insert("entity".to_owned(), json!({ "id": entity.id, "name": entity.name }));
    }
    let share = |share: &LegShare| {
        json!({
            "leg": leg_word(share.leg()),
            "rank": (share.rank > 0).then_some(share.rank),
            "score": rounded(share.score),
            "share": rounded(share.share),
        })
    };
    let signals = hit.signals.iter().map(|signal| {
        let (value, share) = (rounded(signal.value), rounded(signal.share));
        json!({ "signal": signal.signal, "value": value, "share": share })
    });
    map.insert("legs".to_owned(), hit.legs.iter().map(share).collect());
    map.insert("signals".to_owned(), signals.collect());
    map.insert("sources".to_owned(), hit.sources.iter().map(explain::statement_json).collect());
    map.insert("path".to_owned(), hit.path.iter().map(Row::json).collect());
    Value::Object(map)
}

fn report_json(answer: &RecallResponse) -> Value {
    let leg = |report: &LegReport| {
        json!({
            "leg": leg_word(report.leg()),
            "status": row::short_name(report.status().as_str_name(), "LEG_STATUS_"),
            "reason": report.reason,
            "detail": report.detail,
            "found": report.found,
            "behind": report.behind,
        })
    };
    let seeds = answer.seeds.iter().map(|seed| {
        let name = seed.entity.as_ref().map(|entity| &entity.name);
        json!({ "entity": name, "words": seed.words, "weight": rounded(seed.weight) })
    });
    json!({
        "legs": answer.legs.iter().map(leg).collect::<Vec<_>>(),
        "seeds": seeds.collect::<Vec<_>>(),
        "left_out": answer.left_out,
        "tokens": answer.tokens,
    })
}

/// The shortest decimal of four digits, which is what a score is good for.
fn rounded(score: f32) -> f64 {
    (f64::from(score) * 1e4).round() / 1e4
}

/// Every hit with its reasons, then what each leg did.
fn explained(answer: &RecallResponse) -> String {
    let mut text = String::new();
    for (rank, hit) in (1..).zip(&answer.hits) {
        text += &one_line(&format!(
            "{rank}. {}  ({}, score {:.3})",
            hit.text,
            kind_word(hit),
            hit.score
        ));
        text += &format!("\n   {} {}", id(hit), valid(hit));
        if let Some(fact) = &hit.fact {
            text += &format!(", believed from transaction {}", fact.tx_from);
        }
        for share in &hit.legs {
            text += &format!("\n   {}", share_text(share));
        }
        for signal in &hit.signals {
            text += &format!("\n   {} {:.3} adds {:.3}", signal.signal, signal.value, signal.share);
        }
        if !hit.path.is_empty() {
            let steps: Vec<String> = hit.path.iter().map(step_text).collect();
            text += &format!("\n   by way of {}", one_line(&steps.join(", then ")));
        }
        for statement in &hit.sources {
            text += &format!("\n   said in {}", one_line(&explain::statement_text(statement)));
        }
        text += "\n\n";
    }
    if answer.hits.is_empty() {
        text += "(none)\n\n";
    }
    if !answer.seeds.is_empty() {
        let names = answer.seeds.iter().filter_map(|seed| seed.entity.as_ref());
        let names: Vec<&str> = names.map(|entity| entity.name.as_str()).collect();
        text += &format!("Entities of the question: {}\n", one_line(&names.join(", ")));
    }
    let reports: Vec<String> = answer.legs.iter().map(report_text).collect();
    text += &reports.join("\n");
    if answer.left_out > 0 {
        text +=
            &format!("\nLeft out: {} hit(s) below the score or past the budget", answer.left_out);
    }
    text
}

fn share_text(share: &LegShare) -> String {
    let rank = match share.rank {
        0 => "not among its best".to_owned(),
        rank => format!("rank {rank}"),
    };
    format!("{}: {rank}, {:.3}, adds {:.3}", leg_word(share.leg()), share.score, share.share)
}

fn step_text(step: &Step) -> String {
    step.rectangle.as_ref().map(row::sentence).unwrap_or_default()
}

fn report_text(report: &LegReport) -> String {
    let leg = leg_word(report.leg());
    let status = row::short_name(report.status().as_str_name(), "LEG_STATUS_").to_ascii_lowercase();
    match report.detail.as_str() {
        "" => format!("{leg} leg: {} found", report.found),
        detail if report.status() == LegStatus::Searched => {
            format!("{leg} leg: {} found; {}", report.found, one_line(detail))
        }
        detail => format!("{leg} leg: {status}, {}", one_line(detail)),
    }
}

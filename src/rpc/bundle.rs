//! `BuildContext`: what is known, recalled for one question, sorted by how far it can be relied on.

use tonic::Status;

use crate::agent::{
    Bearing, Candidate, Format, Item, Language, Part, Section, Shape, Turn, Window, asks_of_self,
    assemble, language_of, tokens, window, written,
};
use crate::engine::{ReadError, shown};
use crate::models::StaticModel;
use crate::query::{AsOf, Snapshot};
use crate::types::limits::CONTEXT_HITS_MAX;
use crate::types::{
    Clearance, Episode, EpisodeKind, FactId, Grant, MemoryKind, Name, Policy, Role, Scope,
    Timestamp, Trust,
};

use super::caller::Caller;
use super::civil::Zone;
use super::context::Context;
use super::from_proto::{self, ContextQuery};
use super::place::{at, number};
use super::session::{Place, count, opened};
use super::told::{News, Teller, Told};
use super::{bearing, core_memory, failure, proto, recall, render, to_proto};

/// Who speaks where a memory has no owner.
const USER: &str = "user";
const DAY_MICROS: i64 = 86_400_000_000;

pub(super) async fn build(
    context: &Context,
    caller: &Caller,
    request: proto::BuildContextRequest,
) -> Result<proto::BuildContextResponse, Status> {
    let (grant, zone) = context.namespace(caller, Role::Reader, &request.namespace)?;
    let policy = context.policy(&grant)?;
    let read = from_proto::build_context(&request, zone, &grant.clearance, policy.context);
    let asked: ContextQuery = failure::form(read)?;
    let basis = context.read(&grant, asked.as_of, |snapshot| snapshot.basis)?;
    let as_of = at(basis.valid.micros(), number(basis.tx));
    let conversation = conversation(context, &grant, &asked, as_of).await?;
    let newest = conversation.as_ref().and_then(newest_question).unwrap_or_default();
    let query = asked.query.clone().unwrap_or(newest);
    let language = asked.language.unwrap_or_else(|| language_of(&query));
    let mut candidates = Vec::new();
    let blocks = core_memory::blocks(context, &grant, as_of, &asked.scope).await?;
    candidates.push((Section::Core, blocks.iter().map(block).collect()));
    let mut legs = Vec::new();
    let mut abstained = true;
    if !query.trim().is_empty() {
        let window = conversation.as_ref().map(|window| &window.turns[..]).unwrap_or_default();
        let place =
            Recalling { grant: &grant, policy: &policy, asked: &asked, zone, now: basis.valid };
        let found = place.recall(context, &query, as_of, window).await?;
        abstained = found.sections.iter().all(|(_, items)| items.is_empty());
        candidates.extend(found.sections);
        legs = found.legs;
    }
    if let Some(window) = &conversation {
        candidates.extend(spoken(window));
    }
    let parts = assemble(candidates, &asked.budgets, language);
    let text = match asked.format {
        Format::Structured => String::new(),
        format => written(&parts, language, format),
    };
    let news = parts.iter().filter(|part| !part.section.is_conversation());
    let news = news.flat_map(|part| &part.items).map(|item| item.text.as_str());
    context.echoes().give(&grant, news, context.engine().now());
    let used = match asked.format {
        Format::Structured => parts.iter().map(|part| part.tokens).sum(),
        _ => tokens(&text),
    };
    context.read(&grant, as_of, |snapshot| proto::BuildContextResponse {
        sections: parts.iter().map(|part| section(part, language)).collect(),
        text,
        tokens: count(used),
        abstained,
        language: match language {
            Language::English => proto::ContextLanguage::English.into(),
            Language::Korean => proto::ContextLanguage::Korean.into(),
        },
        tokenizer: StaticModel::NAME.to_owned(),
        legs,
        basis: Some(render::basis(snapshot.directory, snapshot.basis)),
    })
}

async fn conversation(
    context: &Context,
    grant: &Grant,
    asked: &ContextQuery,
    as_of: AsOf,
) -> Result<Option<Window>, Status> {
    let Some(key) = asked.key.clone() else { return Ok(None) };
    let place = Place { grant: grant.clone(), key };
    let session = opened(context, &place, as_of).await?;
    let budget = asked.budgets.conversation_tokens as usize;
    let read = move || window(&session, Shape::Summarising, budget);
    let read = context.aside(read).await?;
    read.map(Some).map_err(|error: ReadError| failure::read(&error))
}

fn newest_question(window: &Window) -> Option<String> {
    let of_user = |episode: &&Episode| episode.speaker.as_deref() == Some("user");
    let turn = window.turns.iter().rev().map(|turn| &turn.episode).find(of_user);
    turn.map(|episode| cut(&episode.text).to_owned())
}

/// As much of a text as a question may have.
fn cut(text: &str) -> &str {
    let mut end = text.len().min(crate::types::limits::QUERY_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

struct Recalling<'a> {
    grant: &'a Grant,
    policy: &'a Policy,
    asked: &'a ContextQuery,
    zone: Zone,
    now: Timestamp,
}

struct Recalled {
    sections: Vec<(Section, Vec<Item>)>,
    legs: Vec<proto::LegReport>,
}

impl Recalling<'_> {
    /// What bears on the question, best first, by what it can be relied on for.
    async fn recall(
        &self,
        context: &Context,
        query: &str,
        as_of: AsOf,
        window: &[Turn],
    ) -> Result<Recalled, Status> {
        // Whoever asks, an owner's context holds what that owner may see.
        let clearance = match &self.grant.clearance {
            Clearance::Everything => Clearance::Only(self.asked.scope.clone()),
            narrow @ Clearance::Only(_) => narrow.clone(),
        };
        let grant = Grant { clearance, ..self.grant.clone() };
        let current = self.asked.as_of == AsOf::default();
        let mut asked = from_proto::recall_for_context(query, as_of, current, self.score_min());
        asked.query.seeds = self.speaker(context, &grant, as_of, query)?;
        let answer = recall::answer(context, &grant, asked).await?;
        let by_vector = answer.legs.iter().any(|report| {
            report.leg() == proto::Leg::Vector && report.status() != proto::LegStatus::Skipped
        });
        let mut sections: Vec<(Section, Vec<Item>)> =
            Section::ALL.map(|section| (section, Vec::new())).into();
        let hits = answer.hits.iter().filter(|hit| {
            let is_shown = |episode: &proto::Episode| {
                window.iter().any(|turn| turn.episode.id.to_string() == episode.id)
            };
            !hit.episode.as_ref().is_some_and(is_shown)
        });
        let found = (hits.cloned().collect(), &answer.seeds[..], by_vector);
        let (bearing, mut rest) = self.chosen(context, &grant, as_of, query, found)?;
        let mut teller = Teller::new(context.engine().clone(), grant.clone(), as_of, self.zone);
        let mut count = 0;
        while count < CONTEXT_HITS_MAX && !rest.is_empty() {
            let later = rest.split_off(rest.len().min(CONTEXT_HITS_MAX - count));
            let tell = move || {
                let told: Result<Vec<Told>, ReadError> =
                    rest.iter().map(|(hit, _)| teller.tell(hit)).collect();
                told.map(|told| (teller, rest, told))
            };
            let told;
            (teller, rest, told) =
                context.aside(tell).await?.map_err(|error| failure::read(&error))?;
            for ((hit, candidate), Told { said, news }) in rest.iter().zip(told) {
                let (section, mut item) = self.sorted(context, &grant, as_of, (hit, said))?;
                match news {
                    News::Whole => {}
                    // What is left of a turn may be about something else.
                    News::Rest(text) => {
                        let left = Candidate { text: text.clone(), ..candidate.clone() };
                        if !bearing.takes(&left) {
                            continue;
                        }
                        item.text = text;
                    }
                    News::Nothing => continue,
                }
                count += usize::from(add(&mut sections[section as usize].1, item));
            }
            rest = later;
        }
        sections.retain(|(_, items)| !items.is_empty());
        Ok(Recalled { sections, legs: answer.legs })
    }

    /// The hits that have to do with the question, held against each other.
    fn chosen(
        &self,
        context: &Context,
        grant: &Grant,
        as_of: AsOf,
        query: &str,
        (hits, seeds, by_vector): (Vec<proto::Hit>, &[proto::Seed], bool),
    ) -> Result<(Bearing, Vec<(proto::Hit, Candidate)>), Status> {
        let candidates = bearing::candidates(context, grant, as_of, &hits, seeds)?;
        let bearing = bearing::bearing(context, grant, query, self.owner(), seeds, &candidates);
        let bearing = bearing.map_err(|error| failure::read(&error))?;
        let chosen = hits.into_iter().zip(candidates).filter(|(hit, one)| {
            bearing.is_named_by(one) || self.bears(hit, by_vector) && bearing.takes(one)
        });
        let chosen = chosen.collect();
        Ok((bearing, chosen))
    }

    fn owner(&self) -> &str {
        self.asked.scope.owner.as_ref().map_or(USER, |owner| owner.as_str())
    }

    /// Whoever says "I" means the owner of the memory.
    fn speaker(
        &self,
        context: &Context,
        grant: &Grant,
        as_of: AsOf,
        query: &str,
    ) -> Result<Vec<Name>, Status> {
        let Some(name) = Name::new(self.owner()).ok().filter(|_| asks_of_self(query)) else {
            return Ok(Vec::new());
        };
        let known = context.read(grant, as_of, |snapshot| snapshot.entity(&name).is_some())?;
        Ok(if known { vec![name] } else { Vec::new() })
    }

    #[allow(clippy::cast_possible_truncation, reason = "a share")]
    fn score_min(&self) -> f32 {
        self.policy.context.score_min as f32
    }

    /// Whether a hit has to do with the question: the question names it, or its meaning is near.
    fn bears(&self, hit: &proto::Hit, by_vector: bool) -> bool {
        let leg = |leg: proto::Leg| hit.legs.iter().find(|share| share.leg() == leg);
        let named = leg(proto::Leg::Graph).is_some_and(|share| share.rank > 0);
        let cosine = leg(proto::Leg::Vector).map_or(0.0, |share| f64::from(share.score));
        let least = self.policy.context.cosine_min;
        // A word in common counts half: it may be a word of anything.
        let shares_words = leg(proto::Leg::Text).is_some_and(|share| share.rank > 0);
        named || cosine >= least || shares_words && (!by_vector || cosine >= least / 2.0)
    }

    fn sorted(
        &self,
        context: &Context,
        grant: &Grant,
        as_of: AsOf,
        (hit, confirmed): (&proto::Hit, Option<Timestamp>),
    ) -> Result<(Section, Item), Status> {
        let said = hit.sources.iter().filter_map(|said| said.evidence.as_ref());
        let trust = said.clone().map(proto::Evidence::trust).max();
        let episode = hit.episode.as_ref();
        let trust = trust.or(episode.map(proto::Episode::trust));
        let trust = from_proto::trust_class(trust.unwrap_or(proto::Trust::Unverified));
        let confidence = said.filter_map(|said| said.confidence).reduce(f32::max);
        let day = confirmed.map_or_else(String::new, |at| self.zone.day(at).to_string());
        let kind = self.kind_of(hit);
        let item = Item {
            text: context.read(grant, as_of, |snapshot| text(snapshot, hit))?,
            fact: hit.fact.as_ref().and_then(|fact| fact.fact_id.parse().ok()),
            episode: episode.and_then(|episode| episode.id.parse().ok()),
            trust,
            confidence,
            confirmed,
            day,
            score: hit.score,
        };
        Ok((self.section(kind, &item), item))
    }

    fn kind_of(&self, hit: &proto::Hit) -> MemoryKind {
        match (&hit.fact, &hit.episode) {
            (Some(fact), _) => match Name::new(&fact.predicate) {
                Ok(predicate) => self.policy.kind_of(predicate.key()),
                Err(_) => MemoryKind::Fact,
            },
            (None, Some(episode)) => match episode.kind() {
                proto::EpisodeKind::Failure => MemoryKind::Failure,
                proto::EpisodeKind::Procedure => MemoryKind::Procedure,
                proto::EpisodeKind::Passage => MemoryKind::Passage,
                proto::EpisodeKind::Reflection => MemoryKind::Reflection,
                proto::EpisodeKind::Summary => MemoryKind::Summary,
                _ => MemoryKind::Episode,
            },
            (None, None) => MemoryKind::Fact,
        }
    }

    fn section(&self, kind: MemoryKind, item: &Item) -> Section {
        let sure =
            item.confidence.is_none_or(|share| f64::from(share) >= self.policy.gate.confidence_min);
        match kind {
            _ if item.trust == Trust::Unverified => Section::Unverified,
            MemoryKind::Failure => Section::Failures,
            kind if kind.is_fact() && item.trust < Trust::Stated => Section::Unverified,
            kind if !sure || self.is_overdue(kind, item) => Section::Stale,
            MemoryKind::Fact | MemoryKind::Preference | MemoryKind::Transient => Section::Facts,
            _ => Section::Project,
        }
    }

    /// Whether it was not said again for as long as its kind may go unchecked.
    fn is_overdue(&self, kind: MemoryKind, item: &Item) -> bool {
        let days = self.policy.of(kind).review_days;
        days.zip(item.confirmed).is_some_and(|(days, confirmed)| {
            self.now.micros().saturating_sub(confirmed.micros()) > i64::from(days) * DAY_MICROS
        })
    }
}

/// Whether it is new. What was said twice in the same words stands once, as new as the last time.
fn add(items: &mut Vec<Item>, item: Item) -> bool {
    let Some(other) = items.iter_mut().find(|other| other.text == item.text) else {
        items.push(item);
        return true;
    };
    if other.confirmed < item.confirmed {
        *other = Item { score: other.score, ..item };
    }
    false
}

/// A fact in the words of its triple, which need no speaker to be understood; any other text as it is.
fn text(snapshot: Snapshot<'_>, hit: &proto::Hit) -> String {
    match (&hit.fact, &hit.episode) {
        (Some(fact), _) => match fact.fact_id.parse() {
            Ok(FactId(triple)) => shown(snapshot, triple),
            Err(_) => hit.text.clone(),
        },
        (None, Some(episode)) => match (&*episode.speaker, episode.kind()) {
            ("", _) => hit.text.clone(),
            (speaker, proto::EpisodeKind::Turn | proto::EpisodeKind::ToolResult) => {
                format!("{speaker}: {}", hit.text)
            }
            _ => hit.text.clone(),
        },
        (None, None) => hit.text.clone(),
    }
}

fn block(block: &Episode) -> Item {
    Item { text: format!("[{}] {}", core_memory::label(block), block.text), ..of_episode(block) }
}

fn of_episode(episode: &Episode) -> Item {
    let speaker = episode.speaker.as_deref().map(|speaker| format!("{speaker}: "));
    Item {
        text: format!("{}{}", speaker.unwrap_or_default(), episode.text),
        fact: None,
        episode: Some(episode.id),
        trust: episode.trust,
        confidence: None,
        confirmed: Some(episode.valid.start()).filter(|at| at.is_instant()),
        day: String::new(),
        score: 0.0,
    }
}

/// The conversation: the system's turn and the summaries, then the newest turns.
fn spoken(window: &Window) -> [(Section, Vec<Item>); 2] {
    let summaries = window.summaries.iter().map(|summary| Item {
        text: summary.text.clone(),
        fact: None,
        episode: summary.episode,
        trust: summary.trust,
        confidence: None,
        confirmed: None,
        day: String::new(),
        score: 0.0,
    });
    let turns = window.pinned.iter().chain(&window.turns).map(|turn| of_episode(&turn.episode));
    [(Section::Turns, turns.collect()), (Section::Summary, summaries.collect())]
}

fn section(part: &Part, language: Language) -> proto::ContextSection {
    let kind = match part.section {
        Section::Core => proto::ContextSectionKind::Core,
        Section::Facts => proto::ContextSectionKind::Facts,
        Section::Project => proto::ContextSectionKind::Project,
        Section::Failures => proto::ContextSectionKind::Failures,
        Section::Stale => proto::ContextSectionKind::Stale,
        Section::Unverified => proto::ContextSectionKind::Unverified,
        Section::Summary => proto::ContextSectionKind::Summary,
        Section::Turns => proto::ContextSectionKind::Turns,
    };
    proto::ContextSection {
        kind: kind.into(),
        title: part.section.title(language).to_owned(),
        items: part.items.iter().map(item).collect(),
        tokens: count(part.tokens),
        left_out: count(part.left_out),
    }
}

fn item(item: &Item) -> proto::ContextItem {
    proto::ContextItem {
        text: item.text.clone(),
        tokens: count(tokens(&item.text)),
        fact_id: item.fact.map_or_else(String::new, |id| id.to_string()),
        episode_id: item.episode.map_or_else(String::new, |id| id.to_string()),
        trust: to_proto::trust(item.trust).into(),
        confidence: item.confidence,
        last_confirmed_time: item.confirmed.map(to_proto::instant),
        score: item.score,
    }
}

/// Kinds of episodes that a context looks for. Core memory is there in any case, and the turns of
/// other sessions are where the past was said.
pub(super) const KINDS: [EpisodeKind; 7] = [
    EpisodeKind::Turn,
    EpisodeKind::Note,
    EpisodeKind::Failure,
    EpisodeKind::Procedure,
    EpisodeKind::Reflection,
    EpisodeKind::Passage,
    EpisodeKind::ToolResult,
];

/// Whose context it is.
pub(super) fn scope_of(key: Option<&crate::agent::SessionKey>, scope: Scope) -> Scope {
    key.map_or(scope, |key| key.scope.clone())
}

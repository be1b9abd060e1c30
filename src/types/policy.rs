//! How a namespace treats what it remembers: one table by kind, and what its gate and its contexts go
//! by. Every number can be seen and changed.

use std::collections::BTreeMap;

use super::limits::{
    CONTEXT_CONVERSATION_TOKENS, CONTEXT_CORE_TOKENS, CONTEXT_FACT_TOKENS, CONTEXT_PROJECT_TOKENS,
};

/// What an item of memory is, as far as how it is treated goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemoryKind {
    Fact,
    Preference,
    /// A fact of work that is under way: a decision, a deadline.
    Project,
    /// A fact of today: where someone is, what someone is busy with.
    Transient,
    /// What was said or noted.
    Episode,
    Procedure,
    /// A passage of a document.
    Passage,
    Summary,
    Reflection,
    Failure,
    Core,
}

/// What something new does to what is there of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Renewal {
    /// The rules of single-valued facts: what is newer holds from when it began.
    Replace,
    /// It stands beside the others.
    Accumulate,
    /// It takes the place of the one of its title, which stays as it was on the second clock.
    Version,
    /// Changed parts wait in a queue until someone has looked at them.
    Review,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KindPolicy {
    pub renewal: Renewal,
    /// Days from when it was said until it holds no longer. None: until something says so.
    pub live_days: Option<u32>,
    /// Its value is its confidence times exp(-decay x days since it was last read or confirmed).
    pub decay: f64,
    /// Below this value it goes to the archive.
    pub archive_below: f64,
    /// Items of one owner; past it those of the lowest value go to the archive.
    pub cap: Option<u32>,
    /// Days after which one that is rarely read keeps its vector and a summary of its text.
    pub compact_days: Option<u32>,
    /// Reads that make it a frequent one, which is not compacted.
    pub compact_reads: u32,
    /// Days after which it should be checked before it is relied on.
    pub review_days: Option<u32>,
}

/// What enters long-term memory.
#[derive(Clone, Debug, PartialEq)]
pub struct GatePolicy {
    /// Cosine at which something new only says again what is there.
    pub near: f64,
    /// The same for single models, by name: cosines of different models do not compare.
    pub near_by_model: BTreeMap<String, f64>,
    /// Cosine from which a chat model, if there is one, is asked whether two say the same.
    pub ask_from: f64,
    /// Facts that a rule or a model is less sure of than this stay texts.
    pub confidence_min: f64,
}

/// Tokens of the parts of a context.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContextPolicy {
    pub core_tokens: u32,
    /// Known facts, and those to be checked first.
    pub fact_tokens: u32,
    /// What bears on the work at hand, and past failures.
    pub project_tokens: u32,
    /// The summary and the newest turns.
    pub conversation_tokens: u32,
    /// Hits below this score are noise.
    pub score_min: f64,
    /// Cosine that the best hit must reach where nothing the words name is known.
    pub cosine_min: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReflectionPolicy {
    /// New observations after which conclusions are drawn. None: only on request.
    pub after: Option<u32>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// One for each kind.
    pub kinds: BTreeMap<MemoryKind, KindPolicy>,
    /// What facts of a predicate are, where they are more than facts.
    pub predicates: BTreeMap<String, MemoryKind>,
    pub gate: GatePolicy,
    pub context: ContextPolicy,
    pub reflection: ReflectionPolicy,
}

impl MemoryKind {
    pub const ALL: [MemoryKind; 11] = [
        MemoryKind::Fact,
        MemoryKind::Preference,
        MemoryKind::Project,
        MemoryKind::Transient,
        MemoryKind::Episode,
        MemoryKind::Procedure,
        MemoryKind::Passage,
        MemoryKind::Summary,
        MemoryKind::Reflection,
        MemoryKind::Failure,
        MemoryKind::Core,
    ];

    /// Whether items of it are facts and not texts.
    #[must_use]
    pub const fn is_fact(self) -> bool {
        matches!(
            self,
            MemoryKind::Fact | MemoryKind::Preference | MemoryKind::Project | MemoryKind::Transient
        )
    }
}

/// Predicates whose facts are treated as something else than facts, unless a namespace says otherwise.
const PREDICATES: [(&str, MemoryKind); 12] = [
    ("prefers", MemoryKind::Preference),
    ("likes", MemoryKind::Preference),
    ("dislikes", MemoryKind::Preference),
    ("favourite", MemoryKind::Preference),
    ("decided", MemoryKind::Project),
    ("deadline", MemoryKind::Project),
    ("works_on", MemoryKind::Project),
    ("uses", MemoryKind::Project),
    ("status", MemoryKind::Transient),
    ("busy_with", MemoryKind::Transient),
    ("is_at", MemoryKind::Transient),
    ("mood", MemoryKind::Transient),
];

impl KindPolicy {
    /// What a kind is treated by until a namespace says otherwise.
    #[must_use]
    pub fn of(kind: MemoryKind) -> KindPolicy {
        let usual = KindPolicy {
            renewal: Renewal::Replace,
            live_days: None,
            decay: 0.01,
            archive_below: 0.2,
            cap: None,
            compact_days: None,
            compact_reads: 3,
            review_days: None,
        };
        match kind {
            MemoryKind::Fact => KindPolicy { cap: Some(500), review_days: Some(180), ..usual },
            MemoryKind::Preference => {
                KindPolicy { live_days: Some(365), cap: Some(500), review_days: Some(180), ..usual }
            }
            MemoryKind::Project => {
                KindPolicy { live_days: Some(30), cap: Some(500), review_days: Some(14), ..usual }
            }
            MemoryKind::Transient => KindPolicy { live_days: Some(1), cap: Some(500), ..usual },
            MemoryKind::Episode | MemoryKind::Failure => {
                let renewal = Renewal::Accumulate;
                KindPolicy { renewal, compact_days: Some(183), ..usual }
            }
            MemoryKind::Summary | MemoryKind::Reflection => {
                KindPolicy { renewal: Renewal::Accumulate, ..usual }
            }
            // What was written to be looked up does not fade.
            MemoryKind::Procedure => KindPolicy {
                renewal: Renewal::Version,
                decay: 0.0,
                review_days: Some(180),
                ..usual
            },
            MemoryKind::Passage => KindPolicy { renewal: Renewal::Review, decay: 0.0, ..usual },
            MemoryKind::Core => KindPolicy { renewal: Renewal::Version, decay: 0.0, ..usual },
        }
    }
}

impl Default for Policy {
    fn default() -> Policy {
        Policy {
            kinds: MemoryKind::ALL.map(|kind| (kind, KindPolicy::of(kind))).into(),
            predicates: PREDICATES.map(|(name, kind)| (name.to_owned(), kind)).into(),
            gate: GatePolicy {
                near: 0.92,
                near_by_model: BTreeMap::new(),
                ask_from: 0.8,
                confidence_min: 0.5,
            },
            context: ContextPolicy {
                core_tokens: CONTEXT_CORE_TOKENS,
                fact_tokens: CONTEXT_FACT_TOKENS,
                project_tokens: CONTEXT_PROJECT_TOKENS,
                conversation_tokens: CONTEXT_CONVERSATION_TOKENS,
                score_min: 0.1,
                cosine_min: 0.3,
            },
            reflection: ReflectionPolicy { after: None },
        }
    }
}

impl Policy {
    /// # Panics
    /// Never: there is one for each kind.
    #[must_use]
    pub fn of(&self, kind: MemoryKind) -> &KindPolicy {
        self.kinds.get(&kind).expect("a policy has every kind")
    }

    /// What a fact of a predicate is.
    #[must_use]
    pub fn kind_of(&self, predicate: &str) -> MemoryKind {
        self.predicates.get(predicate).copied().unwrap_or(MemoryKind::Fact)
    }

    /// The cosine at which two items of a model's space say the same.
    #[must_use]
    pub fn near(&self, model: &str) -> f64 {
        self.gate.near_by_model.get(model).copied().unwrap_or(self.gate.near)
    }
}

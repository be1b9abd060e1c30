//! The English words that the rules of the gate know.

use super::claim::Relation;

/// Verbs, in lower case, and what they say. Of two that fit, the first counts.
pub(super) const VERBS: [(&str, Relation); 39] = [
    ("live in", Relation::one("lives_in")),
    ("lives in", Relation::one("lives_in")),
    ("living in", Relation::one("lives_in")),
    ("moved to", Relation::one("lives_in")),
    ("relocated to", Relation::one("lives_in")),
    ("work at", Relation::one("works_at")),
    ("works at", Relation::one("works_at")),
    ("work for", Relation::one("works_at")),
    ("works for", Relation::one("works_at")),
    ("working at", Relation::one("works_at")),
    ("working for", Relation::one("works_at")),
    ("joined", Relation::one("works_at")),
    ("work as", Relation::word("works_as")),
    ("works as", Relation::word("works_as")),
    ("work on", Relation::many("works_on")),
    ("works on", Relation::many("works_on")),
    ("working on", Relation::many("works_on")),
    ("report to", Relation::one("reports_to")),
    ("reports to", Relation::one("reports_to")),
    ("manage", Relation::many("manages")),
    ("manages", Relation::many("manages")),
    ("lead", Relation::many("leads")),
    ("leads", Relation::many("leads")),
    ("own", Relation::many("owns")),
    ("owns", Relation::many("owns")),
    ("use", Relation::many("uses")),
    ("uses", Relation::many("uses")),
    ("responsible for", Relation::many("responsible_for")),
    ("prefer", Relation::words("prefers")),
    ("prefers", Relation::words("prefers")),
    ("like", Relation::words("likes")),
    ("likes", Relation::words("likes")),
    ("love", Relation::words("likes")),
    ("loves", Relation::words("likes")),
    ("hate", Relation::words("dislikes")),
    ("hates", Relation::words("dislikes")),
    ("dislike", Relation::words("dislikes")),
    ("allergic to", Relation::words("allergic_to")),
    ("born in", Relation::one("born_in")),
];

pub(super) const PASSIVES: [(&str, Relation); 4] = [
    ("owned by", Relation::many("owns")),
    ("managed by", Relation::many("manages")),
    ("led by", Relation::many("leads")),
    ("maintained by", Relation::many("maintains")),
];

/// Words that make a sentence no statement.
pub(super) const HEDGES: [&str; 21] = [
    "if", "would", "might", "maybe", "perhaps", "could", "should", "unless", "whether", "suppose",
    "imagine", "wish", "hope", "probably", "possibly", "think", "guess", "will", "cannot", "never",
    "let's",
];

/// Words at the front that only lead in.
pub(super) const LEADS: [&str; 24] = [
    "please",
    "remember",
    "note",
    "that",
    "actually",
    "also",
    "so",
    "well",
    "correction",
    "no",
    "and",
    "but",
    "fyi",
    "ok",
    "okay",
    "by",
    "the",
    "way",
    "oh",
    "hi",
    "hello",
    "hey",
    "sorry",
    "yes",
];

pub(super) const ADVERBS: [&str; 15] = [
    "now",
    "currently",
    "recently",
    "actually",
    "finally",
    "officially",
    "still",
    "also",
    "really",
    "just",
    "usually",
    "mostly",
    "have",
    "has",
    "already",
];

/// Words with which another clause begins.
pub(super) const BREAKS: [&str; 16] = [
    "but", "because", "since", "while", "which", "who", "when", "after", "before", "until", "as",
    "from", "over", "instead", "rather", "so",
];

pub(super) const PRONOUNS: [&str; 9] = ["i", "we", "he", "she", "they", "it", "my", "our", "you"];

/// Words that begin a phrase of time or place.
pub(super) const PREPOSITIONS: [&str; 12] = [
    "at", "in", "on", "for", "from", "with", "during", "since", "before", "after", "within",
    "under",
];

/// Nouns of which "my ... is" says nothing lasting.
pub(super) const IDLE_NOUNS: [&str; 12] = [
    "point",
    "question",
    "problem",
    "issue",
    "guess",
    "opinion",
    "idea",
    "understanding",
    "concern",
    "answer",
    "plan",
    "apologies",
];

//! Words of the wire's enums, in any case.

use crate::rpc::proto::{Cardinality, EpisodeKind, Trust};

use super::super::row::short_name;

pub(crate) fn trust(word: &str) -> Result<Trust, String> {
    let name = format!("TRUST_{}", upper(word));
    match Trust::from_str_name(&name) {
        Some(trust) if trust != Trust::Unspecified => Ok(trust),
        _ => Err(format!(
            "{word:?} is no trust class; there are unverified, inferred, stated, confirmed, system_of_record"
        )),
    }
}

pub(crate) fn trust_word(trust: Trust) -> String {
    short_name(trust.as_str_name(), "TRUST_").to_ascii_lowercase()
}

pub(crate) fn episode_kind(word: &str) -> Result<EpisodeKind, String> {
    let name = format!("EPISODE_KIND_{}", upper(word));
    match EpisodeKind::from_str_name(&name) {
        Some(kind) if kind != EpisodeKind::Unspecified => Ok(kind),
        _ => Err(format!(
            "{word:?} is no kind of episode; there are turn, passage, tool_result, note, summary, core, reflection, procedure, failure"
        )),
    }
}

pub(crate) fn cardinality(word: &str) -> Result<Cardinality, String> {
    let name = format!("CARDINALITY_{}", upper(word));
    match Cardinality::from_str_name(&name) {
        Some(cardinality) if cardinality != Cardinality::Unspecified => Ok(cardinality),
        _ => Err(format!("{word:?} is no cardinality; there are ONE and MANY")),
    }
}

pub(crate) fn cardinality_word(cardinality: Cardinality) -> &'static str {
    short_name(cardinality.as_str_name(), "CARDINALITY_")
}

fn upper(word: &str) -> String {
    word.trim().to_ascii_uppercase().replace(['-', ' '], "_")
}

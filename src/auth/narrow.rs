//! One request for less than the credential allows: `tenure-owner` and `tenure-labels`.
//!
//! So one key of a backend acts for many of its users. A part that is left out stays as the
//! credential has it.

use std::collections::BTreeSet;

use axum::http::{HeaderMap, HeaderName};
use tonic::Status;

use crate::rpc::status::malformed;
use crate::types::limits::LABELS_MAX;
use crate::types::{Clearance, Label, NotNarrower, Scope};

pub(super) const OWNER: HeaderName = HeaderName::from_static("tenure-owner");
pub(super) const LABELS: HeaderName = HeaderName::from_static("tenure-labels");

/// Why a request cannot be narrowed.
#[derive(Debug)]
pub(super) enum NarrowError {
    Malformed(Box<Status>),
    NotNarrower(NotNarrower),
}

/// What is left of a clearance for a request with these headers.
pub(super) fn narrowed(
    clearance: &Clearance,
    headers: &HeaderMap,
) -> Result<Clearance, NarrowError> {
    if !headers.contains_key(OWNER) && !headers.contains_key(LABELS) {
        return Ok(clearance.clone());
    }
    let own = match clearance {
        Clearance::Everything => Scope::default(),
        Clearance::Only(scope) => scope.clone(),
    };
    let owner = owner(headers)?.or(own.owner);
    let labels = labels(headers)?.unwrap_or(own.labels);
    clearance.narrowed(&Scope { owner, labels }).map_err(NarrowError::NotNarrower)
}

fn owner(headers: &HeaderMap) -> Result<Option<Label>, NarrowError> {
    let mut found = headers.get_all(OWNER).iter();
    let Some(value) = found.next() else { return Ok(None) };
    if found.next().is_some() {
        return Err(refused(&OWNER, "is there more than once"));
    }
    label(&OWNER, value.as_bytes()).map(Some)
}

/// Separated by commas, over as many headers as there are. None at all are a set, too: the empty one.
fn labels(headers: &HeaderMap) -> Result<Option<BTreeSet<Label>>, NarrowError> {
    if !headers.contains_key(LABELS) {
        return Ok(None);
    }
    let mut labels = BTreeSet::new();
    for value in headers.get_all(LABELS) {
        let value = value.as_bytes();
        if value.is_empty() {
            continue;
        }
        for text in value.split(|byte| *byte == b',') {
            labels.insert(label(&LABELS, text.trim_ascii())?);
            if labels.len() > LABELS_MAX {
                let detail = format!("more than {LABELS_MAX} labels");
                return Err(refused(&LABELS, &detail));
            }
        }
    }
    Ok(Some(labels))
}

fn label(header: &HeaderName, text: &[u8]) -> Result<Label, NarrowError> {
    let text = std::str::from_utf8(text).map_err(|_| refused(header, "is not UTF-8"))?;
    text.parse().map_err(|error: crate::types::LabelError| refused(header, &error.to_string()))
}

fn refused(header: &HeaderName, detail: &str) -> NarrowError {
    NarrowError::Malformed(Box::new(malformed(header.to_string(), detail.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(owner: Option<&str>, labels: &[&str]) -> Clearance {
        let label = |text: &str| text.parse().expect("a label");
        let (owner, labels) = (owner.map(label), labels.iter().copied().map(label).collect());
        Clearance::Only(Scope { owner, labels })
    }

    fn headers(pairs: &[(&HeaderName, &str)]) -> HeaderMap {
        let pairs = pairs.iter().map(|(name, value)| {
            (
                (*name).clone(),
                axum::http::HeaderValue::from_bytes(value.as_bytes()).expect("a value"),
            )
        });
        pairs.collect()
    }

    #[test]
    fn a_request_only_ever_gets_less() {
        let ann = scope(Some("ann"), &["hr", "eu"]);
        let narrow =
            |from: &Clearance, pairs: &[(&HeaderName, &str)]| narrowed(from, &headers(pairs)).ok();
        assert_eq!(narrow(&ann, &[]), Some(ann.clone()));
        assert_eq!(narrow(&ann, &[(&LABELS, "eu")]), Some(scope(Some("ann"), &["eu"])));
        assert_eq!(narrow(&ann, &[(&LABELS, "")]), Some(scope(Some("ann"), &[])));
        assert_eq!(narrow(&ann, &[(&OWNER, "ann")]), Some(ann.clone()));
        assert_eq!(narrow(&ann, &[(&OWNER, "bob")]), None);
        assert_eq!(narrow(&ann, &[(&LABELS, "hr,us")]), None);
        let all = Clearance::Everything;
        let bob = [(&OWNER, "bob"), (&LABELS, "x, y")];
        assert_eq!(narrow(&all, &bob), Some(scope(Some("bob"), &["x", "y"])));
        let korean = "\u{d55c}\u{ae00}";
        assert_eq!(narrow(&all, &[(&OWNER, korean)]), Some(scope(Some(korean), &[])));
    }

    #[test]
    fn a_blank_or_repeated_name_is_no_name() {
        let mut twice = headers(&[(&OWNER, "ann")]);
        twice.append(OWNER, "bob".parse().expect("a value"));
        let many: Vec<String> = (0..=LABELS_MAX).map(|n| n.to_string()).collect();
        let cases = [
            headers(&[(&OWNER, "")]),
            headers(&[(&OWNER, "a,b")]),
            headers(&[(&LABELS, "a,,b")]),
            headers(&[(&LABELS, &many.join(","))]),
            twice,
        ];
        for case in cases {
            let refused = narrowed(&Clearance::Everything, &case).err();
            assert!(matches!(refused, Some(NarrowError::Malformed(_))), "{case:?}");
        }
        let most = headers(&[(&LABELS, &many[1..].join(","))]);
        assert!(narrowed(&Clearance::Everything, &most).is_ok());
    }
}

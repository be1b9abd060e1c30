//! Tokens that an identity provider signed: what they must say, and what access they give.

use jsonwebtoken::{Algorithm, Validation, decode, decode_header};
use serde_json::{Map, Value};

use crate::types::limits::{LABELS_MAX, TOKEN_LEEWAY_SECONDS};
use crate::types::{Access, Clearance, Label, Name, Reach, Role, Scope, Timestamp};

use super::jwks::{JwksSource, KeySet};

/// Stands for all namespaces in the claim of a token.
const ALL: &str = "*";
const MICROS: i64 = 1_000_000;

/// Signed with a key that only the signer has. All others are refused, also `none`.
const ALGORITHMS: [Algorithm; 9] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

/// Which claims say what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimNames {
    pub namespace: String,
    /// Empty: tokens say no owner.
    pub owner: String,
    pub labels: String,
    pub role: String,
}

impl Default for ClaimNames {
    fn default() -> ClaimNames {
        ClaimNames {
            namespace: "tenure_namespace".to_owned(),
            owner: "sub".to_owned(),
            labels: "tenure_labels".to_owned(),
            role: "tenure_role".to_owned(),
        }
    }
}

/// Whose tokens are taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenConfig {
    pub jwks: JwksSource,
    pub issuer: String,
    pub audience: String,
    pub claims: ClaimNames,
}

pub(super) struct Tokens<'a> {
    pub(super) config: &'a TokenConfig,
    pub(super) keys: &'a KeySet,
}

/// Why a token is not taken. Only the audit log is told.
pub(super) type TokenFault = &'static str;

impl Tokens<'_> {
    /// What a token lets its holder do, and until when.
    pub(super) fn access(
        &self,
        token: &str,
        now: Timestamp,
    ) -> Result<(Access, Timestamp), TokenFault> {
        let claims = self.verified(token)?;
        let end = within_its_time(&claims, now)?;
        let names = &self.config.claims;
        let text = |claim: &str| claims.get(claim).and_then(Value::as_str);
        let reach = match text(&names.namespace).ok_or("TOKEN_WITHOUT_NAMESPACE")? {
            ALL => Reach::All,
            name => Reach::One(Name::new(name).map_err(|_| "TOKEN_WITHOUT_NAMESPACE")?),
        };
        let role = match text(&names.role) {
            Some("reader") => Role::Reader,
            Some("writer") => Role::Writer,
            Some("admin") => Role::Admin,
            _ => return Err("TOKEN_WITHOUT_ROLE"),
        };
        let clearance = self.clearance(&claims)?;
        let who = text("sub").unwrap_or("a token").to_owned();
        Ok((Access { who, role, reach, clearance }, end))
    }

    fn verified(&self, token: &str) -> Result<Map<String, Value>, TokenFault> {
        let header = decode_header(token).map_err(|_| "TOKEN_MALFORMED")?;
        if !ALGORITHMS.contains(&header.alg) {
            return Err("TOKEN_ALGORITHM");
        }
        // What an extension demands must be understood, and none is.
        if header.crit.is_some() {
            return Err("TOKEN_MALFORMED");
        }
        let mut rules = Validation::new(header.alg);
        rules.set_audience(&[&self.config.audience]);
        rules.set_issuer(&[&self.config.issuer]);
        rules.set_required_spec_claims(&["exp", "iss", "aud"]);
        // By the clock of the engine, below.
        rules.validate_exp = false;
        rules.validate_nbf = false;
        let keys = self.keys.find(header.kid.as_deref(), header.alg);
        if keys.is_empty() {
            return Err("TOKEN_KEY_UNKNOWN");
        }
        let verified = keys.iter().find_map(|key| decode(token, key, &rules).ok());
        Ok(verified.ok_or("TOKEN_REFUSED")?.claims)
    }

    fn clearance(&self, claims: &Map<String, Value>) -> Result<Clearance, TokenFault> {
        const FAULT: TokenFault = "TOKEN_SCOPE";
        let names = &self.config.claims;
        let label = |text: &str| text.parse::<Label>().map_err(|_| FAULT);
        let owner = match claims.get(&names.owner) {
            None => None,
            Some(Value::String(text)) => Some(label(text)?),
            Some(_) => return Err(FAULT),
        };
        let labels: Vec<&str> = match claims.get(&names.labels) {
            None if names.owner.is_empty() => return Ok(Clearance::Everything),
            None => Vec::new(),
            Some(Value::String(text)) => text.split(',').map(str::trim).collect(),
            Some(Value::Array(all)) => {
                all.iter().map(Value::as_str).collect::<Option<_>>().ok_or(FAULT)?
            }
            Some(_) => return Err(FAULT),
        };
        if labels.len() > LABELS_MAX {
            return Err(FAULT);
        }
        let labels = labels.into_iter().map(label).collect::<Result<_, _>>()?;
        Ok(Clearance::Only(Scope { owner, labels }))
    }
}

/// When the token ends, if it is within its time now.
fn within_its_time(claims: &Map<String, Value>, now: Timestamp) -> Result<Timestamp, TokenFault> {
    let leeway = TOKEN_LEEWAY_SECONDS * MICROS;
    let end = instant(claims.get("exp")).ok_or("TOKEN_WITHOUT_END")?;
    let end = Timestamp::from_micros(end.saturating_add(leeway));
    if now >= end {
        return Err("TOKEN_EXPIRED");
    }
    match claims.get("nbf") {
        None => Ok(end),
        Some(start) => match instant(Some(start)) {
            Some(start) if start.saturating_sub(leeway) <= now.micros() => Ok(end),
            _ => Err("TOKEN_NOT_YET"),
        },
    }
}

/// Seconds since 1970, whole or broken, in microseconds.
fn instant(claim: Option<&Value>) -> Option<i64> {
    let claim = claim?;
    if let Some(seconds) = claim.as_i64() {
        return seconds.checked_mul(MICROS);
    }
    #[allow(clippy::cast_possible_truncation, reason = "broken seconds become whole ones")]
    let seconds = claim.as_f64().filter(|seconds| seconds.abs() < 1e12).map(|all| all as i64)?;
    seconds.checked_mul(MICROS)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_token_lasts_from_its_start_to_its_end() {
        let at = |seconds: i64| Timestamp::from_micros(seconds * MICROS);
        let claims = |value: Value| value.as_object().expect("an object").clone();
        let own = claims(json!({"nbf": 100, "exp": 200}));
        for (now, fault) in [
            (100 - TOKEN_LEEWAY_SECONDS - 1, Some("TOKEN_NOT_YET")),
            (100 - TOKEN_LEEWAY_SECONDS, None),
            (199, None),
            (200 + TOKEN_LEEWAY_SECONDS - 1, None),
            (200 + TOKEN_LEEWAY_SECONDS, Some("TOKEN_EXPIRED")),
        ] {
            assert_eq!(within_its_time(&own, at(now)).err(), fault, "{now}");
        }
        for bad in [json!({}), json!({"exp": "soon"}), json!({"exp": null})] {
            assert_eq!(within_its_time(&claims(bad), at(0)), Err("TOKEN_WITHOUT_END"));
        }
        let broken = claims(json!({"exp": 200.5}));
        assert!(within_its_time(&broken, at(199)).is_ok());
        let never = claims(json!({"exp": 200, "nbf": "soon"}));
        assert_eq!(within_its_time(&never, at(0)), Err("TOKEN_NOT_YET"));
    }
}

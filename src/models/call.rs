//! One request to a model behind HTTP: its attempts, its time-out, and no more of the reply than
//! was agreed. Redirects are not followed: a body and a key go where the configuration says.

use std::time::{Duration, SystemTime};

use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode, Url};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::{sleep, timeout};

use crate::types::limits::{
    MODEL_ATTEMPT_MILLIS_MAX, MODEL_ATTEMPTS_MAX, MODEL_MESSAGE_BYTES_MAX, MODEL_REPLY_BYTES_MAX,
    MODEL_WAIT_MILLIS_MAX,
};

use super::error::{CallError, ConfigError};
use super::key::ApiKey;
use super::retry::{self, Jitter};
use super::text::cut_at;
use super::usage::Counters;

/// How long and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallConfig {
    /// Of one attempt, from the connection to the last byte of the reply.
    pub time_out: Duration,
    /// The first one counts.
    pub attempts: u32,
    /// At most before the second attempt; then it doubles.
    pub first_wait: Duration,
}

impl Default for CallConfig {
    fn default() -> CallConfig {
        let (time_out, first_wait) = (Duration::from_secs(30), Duration::from_millis(250));
        CallConfig { time_out, attempts: 4, first_wait }
    }
}

#[derive(Debug)]
pub(super) struct Caller {
    client: Client,
    url: Url,
    key: Option<ApiKey>,
    config: CallConfig,
    jitter: Jitter,
    pub(super) counters: Counters,
}

/// An attempt that failed, and when the other side wants the next.
struct Failure {
    error: CallError,
    retry_after: Option<Duration>,
}

impl Caller {
    pub(super) fn new(
        url: Url,
        key: Option<ApiKey>,
        config: CallConfig,
    ) -> Result<Caller, ConfigError> {
        let CallConfig { time_out, attempts, first_wait } = config;
        in_range("attempts", attempts.into(), MODEL_ATTEMPTS_MAX.into())?;
        in_range("time_out in ms", millis(time_out), MODEL_ATTEMPT_MILLIS_MAX)?;
        in_range("first_wait in ms", millis(first_wait), MODEL_WAIT_MILLIS_MAX)?;
        let client = client(url.scheme() == "https").map_err(ConfigError::Client)?;
        let (jitter, counters) = (Jitter::new(), Counters::default());
        Ok(Caller { client, url, key, config, jitter, counters })
    }

    /// `bytes_max` is of the reply.
    pub(super) async fn post<T: DeserializeOwned>(
        &self,
        request: &impl Serialize,
        bytes_max: usize,
    ) -> Result<T, CallError> {
        self.counters.calls.add(1);
        let body = serde_json::to_vec(request).expect("texts and numbers are JSON");
        let replied = self.attempts(&body, bytes_max).await;
        let parsed = replied.and_then(|reply| {
            serde_json::from_slice(&reply).map_err(|error| CallError::Malformed {
                line: error.line(),
                column: error.column(),
            })
        });
        if parsed.is_err() {
            self.counters.failures.add(1);
        }
        parsed
    }

    async fn attempts(&self, body: &[u8], bytes_max: usize) -> Result<Vec<u8>, CallError> {
        let CallConfig { time_out, attempts, first_wait } = self.config;
        let mut failed = 0;
        loop {
            let attempt = timeout(time_out, self.attempt(body, bytes_max)).await;
            let Failure { error, retry_after } = match attempt {
                Ok(Ok(reply)) => return Ok(reply),
                Ok(Err(failure)) => failure,
                Err(_) => CallError::TimedOut { time_out }.into(),
            };
            failed += 1;
            if failed >= attempts || !error.passes() {
                return Err(error);
            }
            let Some(wait) = retry::wait(failed, first_wait, retry_after, self.jitter.next())
            else {
                return Err(CallError::Throttled { retry_after });
            };
            self.counters.retries.add(1);
            sleep(wait).await;
        }
    }

    async fn attempt(&self, body: &[u8], bytes_max: usize) -> Result<Vec<u8>, Failure> {
        let mut request = self.client.post(self.url.clone());
        if let Some(key) = &self.key {
            request = request.header(reqwest::header::AUTHORIZATION, key.header());
        }
        let request = request.header(CONTENT_TYPE, "application/json").body(body.to_vec());
        let response = request.send().await.map_err(broken)?;
        if response.status() == StatusCode::OK {
            return Ok(read(response, bytes_max).await?);
        }
        Err(self.refused(response).await)
    }

    async fn refused(&self, response: Response) -> Failure {
        let status = response.status();
        let asked = response.headers().get(RETRY_AFTER).and_then(|header| header.to_str().ok());
        let retry_after = asked.and_then(|text| retry::retry_after(text, SystemTime::now()));
        let status_code = status.as_u16();
        let error = match status {
            StatusCode::TOO_MANY_REQUESTS => CallError::Throttled { retry_after: None },
            StatusCode::REQUEST_TIMEOUT => CallError::Unavailable { status: status_code },
            status if status.is_server_error() => CallError::Unavailable { status: status_code },
            // Such replies quote keys, in part and in ways of their own.
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                let message = "it does not accept the key".to_owned();
                CallError::Refused { status: status_code, message }
            }
            _ => CallError::Refused { status: status_code, message: self.message(response).await },
        };
        Failure { error, retry_after }
    }

    /// What the other side says of a refusal, as far as it may be told.
    async fn message(&self, response: Response) -> String {
        let said = read(response, MODEL_REPLY_BYTES_MAX).await.unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        let said = match &self.key {
            Some(key) => key.hide_in(&said),
            None => said.into_owned(),
        };
        let said: String = said.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        cut_at(said.trim(), MODEL_MESSAGE_BYTES_MAX).to_owned()
    }
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Failure {
        Failure { error, retry_after: None }
    }
}

/// 1 to `max`.
pub(super) fn in_range(name: &'static str, given: u64, max: u64) -> Result<(), ConfigError> {
    if (1..=max).contains(&given) {
        return Ok(());
    }
    Err(ConfigError::OutOfRange { name, given, max })
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn client(https: bool) -> Result<Client, reqwest::Error> {
    // An error says that the process has chosen already, and that is as good.
    drop(rustls::crypto::ring::default_provider().install_default());
    let client = Client::builder()
        .redirect(Policy::none())
        .user_agent(concat!("tenure/", env!("CARGO_PKG_VERSION")));
    // Without https nothing is verified, and a machine without certificates must do.
    let client = if https { client } else { client.tls_certs_only([]) };
    client.build()
}

async fn read(mut response: Response, bytes_max: usize) -> Result<Vec<u8>, CallError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(broken)? {
        if body.len() + chunk.len() > bytes_max {
            return Err(CallError::TooLarge { bytes_max });
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn broken(error: reqwest::Error) -> CallError {
    let error = error.without_url();
    if error.is_connect() { CallError::Connect(error) } else { CallError::Broken(error) }
}

//! A key of an endpoint. It goes into a header and nowhere else.

use std::fmt::{self, Debug, Formatter};
use std::path::Path;

use reqwest::header::HeaderValue;

use crate::types::limits::MODEL_KEY_BYTES_MAX;

use super::error::ConfigError;

#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// White space around it is not part of it: files end with a line break.
    ///
    /// # Errors
    /// [`ConfigError::BadKey`] if it is empty, too long, or cannot stand in a header.
    pub fn new(key: &str) -> Result<ApiKey, ConfigError> {
        let key = key.trim();
        let visible = key.bytes().all(|byte| byte.is_ascii_graphic());
        if key.is_empty() || key.len() > MODEL_KEY_BYTES_MAX || !visible {
            return Err(ConfigError::BadKey);
        }
        Ok(ApiKey(key.to_owned()))
    }

    /// # Errors
    /// [`ConfigError::NoSuchVariable`] and what [`ApiKey::new`] refuses.
    pub fn from_env(variable: &str) -> Result<ApiKey, ConfigError> {
        match std::env::var(variable) {
            Ok(key) => ApiKey::new(&key),
            Err(_) => Err(ConfigError::NoSuchVariable { variable: variable.to_owned() }),
        }
    }

    /// # Errors
    /// [`ConfigError::UnreadableKey`] and what [`ApiKey::new`] refuses.
    pub fn from_file(path: &Path) -> Result<ApiKey, ConfigError> {
        match std::fs::read_to_string(path) {
            Ok(key) => ApiKey::new(&key),
            Err(source) => Err(ConfigError::UnreadableKey { path: path.to_owned(), source }),
        }
    }

    pub(super) fn header(&self) -> HeaderValue {
        let header = HeaderValue::from_str(&format!("Bearer {}", self.0));
        let mut header = header.expect("a key has only visible characters");
        header.set_sensitive(true);
        header
    }

    /// The text without the key, should somebody have said it back.
    pub(super) fn hide_in(&self, text: &str) -> String {
        text.replace(&self.0, "***")
    }
}

impl Debug for ApiKey {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(***)")
    }
}

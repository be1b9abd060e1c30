//! Configurations that cannot work are refused before anything is sent, and keys are not shown.

use std::time::Duration;

use tenure::models::{Address, ApiKey, ConfigError, Endpoint, EndpointConfig};

fn config() -> EndpointConfig {
    EndpointConfig::new(Address::new("http://127.0.0.1:1/v1").expect("a URL"), "small")
}

#[test]
fn what_is_out_of_range_is_named_with_its_bound() {
    type Change = fn(&mut EndpointConfig);
    let changes: [(Change, &str, u64, u64); 9] = [
        (|config| config.batch_inputs = 0, "batch_inputs", 0, 512),
        (|config| config.batch_inputs = 513, "batch_inputs", 513, 512),
        (|config| config.batch_bytes = 1_048_577, "batch_bytes", 1_048_577, 1_048_576),
        (|config| config.text_bytes = 65_537, "text_bytes", 65_537, 65_536),
        (|config| config.dimensions = Some(4_097), "dimensions", 4_097, 4_096),
        (|config| config.call.attempts = 0, "attempts", 0, 10),
        (|config| config.call.attempts = 11, "attempts", 11, 10),
        (|config| config.call.time_out = Duration::ZERO, "time_out in ms", 0, 600_000),
        (|config| config.call.first_wait = Duration::MAX, "first_wait in ms", u64::MAX, 30_000),
    ];
    for (change, name, given, max) in changes {
        let mut config = config();
        change(&mut config);
        let error = Endpoint::new(config).expect_err(name);
        assert_eq!(error.to_string(), format!("{name} is {given}, 1 to {max} are allowed"));
    }
    let nameless = EndpointConfig { model: " ".to_owned(), ..config() };
    assert!(matches!(Endpoint::new(nameless), Err(ConfigError::NoModel)));
    assert!(Endpoint::new(config()).is_ok());
}

/// Without certificates of the system there is no https, and that is all there is to it.
#[test]
fn https_is_set_up_or_refused_and_plain_http_needs_no_certificates() {
    for _ in 0..2 {
        let secure = Address::new("https://localhost/v1").expect("a URL");
        let secure = Endpoint::new(EndpointConfig { address: secure, ..config() });
        assert!(matches!(secure, Ok(_) | Err(ConfigError::Client(_))), "{secure:?}");
        assert!(Endpoint::new(config()).is_ok());
    }
}

#[test]
fn a_key_comes_from_a_file_or_the_environment_and_is_not_shown() {
    let home = tempfile::tempdir().expect("a place for files");
    let path = home.path().join("key");
    std::fs::write(&path, "sesame\n").expect("written");
    let key = ApiKey::from_file(&path).expect("a key");
    assert_eq!(key, ApiKey::new("sesame").expect("a key"));
    let shown = format!("{:?}", EndpointConfig { key: Some(key), ..config() });
    assert!(shown.contains("ApiKey(***)") && !shown.contains("sesame"), "{shown}");

    let missing = ApiKey::from_file(&home.path().join("none"));
    assert!(matches!(missing, Err(ConfigError::UnreadableKey { .. })), "{missing:?}");
    let unset = ApiKey::from_env("TENURE_TEST_NO_SUCH_KEY");
    assert!(matches!(unset, Err(ConfigError::NoSuchVariable { .. })), "{unset:?}");
    for bad in ["", " \n", "two words", "line\nbreak", "열쇠", &"x".repeat(8_193)] {
        assert!(matches!(ApiKey::new(bad), Err(ConfigError::BadKey)), "{bad}");
    }
}

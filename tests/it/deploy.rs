//! What the files of `deploy/` promise: nobody is root, nothing but the data is written, and ports lead
//! to the listeners. They are read as lines; whether docker and systemd take them is theirs to say.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Lines of a file without comments, blanks around them taken off.
fn lines(file: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy").join(file);
    let text = fs::read_to_string(path).expect("it is there");
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    lines.filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

fn check(file: &str, promises: &[&str]) {
    let lines = lines(file);
    for promise in promises {
        assert!(lines.iter().any(|line| line == promise), "{file} lacks `{promise}`");
    }
}

/// The last `key=value` of a key, as environment and systemd read them.
fn value(lines: &[String], key: &str) -> String {
    let of = |line: &String| {
        let words = line.trim_start_matches("ENV ").trim_end_matches('\\').trim();
        words.split_once('=').filter(|(found, _)| *found == key).map(|(_, value)| value.to_owned())
    };
    lines.iter().filter_map(of).next_back().unwrap_or_else(|| panic!("{key} is not set"))
}

fn port(address: &str) -> String {
    address.rsplit(':').next().expect("a port").to_owned()
}

#[test]
fn the_image_runs_as_nobody_and_writes_to_its_volume_alone() {
    check("Dockerfile", &["USER 65532:65532", "VOLUME /data", "STOPSIGNAL SIGTERM"]);
    let lines = lines("Dockerfile");
    assert_eq!(value(&lines, "TENURE_DATA"), "/data");
    let stages = lines.iter().filter(|line| line.starts_with("FROM ")).count();
    assert_eq!(stages, 2, "what builds is not in what runs");
    // The user is set after the last command that has to be root.
    let at = |word: &str| lines.iter().rposition(|line| line.starts_with(word));
    assert!(at("USER") > at("RUN") && at("USER") > at("COPY"));
    let exposed = lines.iter().find_map(|line| line.strip_prefix("EXPOSE ")).expect("ports");
    let exposed: BTreeSet<String> = exposed.split(' ').map(str::to_owned).collect();
    let listens = ["TENURE_LISTEN", "TENURE_METRICS_LISTEN"].map(|key| port(&value(&lines, key)));
    assert_eq!(exposed, BTreeSet::from(listens));
}

#[test]
fn the_composed_service_is_read_only_and_without_privileges() {
    let promises = [
        "read_only: true",
        "cap_drop: [ALL]",
        "security_opt: [\"no-new-privileges:true\"]",
        "- data:/data",
        "dockerfile: deploy/Dockerfile",
    ];
    check("compose.yaml", &promises);
    let image = lines("Dockerfile");
    let listens = ["TENURE_LISTEN", "TENURE_METRICS_LISTEN"].map(|key| port(&value(&image, key)));
    for port in listens {
        // Others reach it through this machine alone, until somebody says otherwise.
        check("compose.yaml", &[&format!("- \"127.0.0.1:{port}:{port}\"")]);
    }
    let all = lines("compose.yaml");
    let secret =
        all.iter().find(|line| line.contains("/run/secrets/")).expect("the key is a secret");
    assert!(secret.contains("--admin-key-file=/run/secrets/admin-key"));
    check("compose.yaml", &["secrets: [admin-key]", "file: ./admin-key"]);
    assert!(all.iter().all(|line| !line.contains('\t')), "YAML knows no tabs");
}

#[test]
fn the_unit_runs_as_nobody_and_writes_to_its_state_alone() {
    let promises = [
        "DynamicUser=yes",
        "NoNewPrivileges=yes",
        "ProtectSystem=strict",
        "ProtectHome=yes",
        "CapabilityBoundingSet=",
        "UMask=0077",
        "Restart=on-failure",
    ];
    check("tenure.service", &promises);
    let lines = lines("tenure.service");
    let state = format!("--data=/var/lib/{}", value(&lines, "StateDirectory"));
    let config = format!("--config=/etc/{}/tenure.toml", value(&lines, "ConfigurationDirectory"));
    let start = value(&lines, "ExecStart");
    assert!(start.contains(&state) && start.contains(&config), "{start}");
    for line in &lines {
        let section = line.starts_with('[') && line.ends_with(']');
        assert!(section || line.contains('='), "`{line}` is no line of a unit");
    }
}

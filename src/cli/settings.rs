//! What `serve` runs with: words, environment, a file in TOML, defaults, in this order.
//!
//! Options are declared once, for the command line. A key of the file is the long name of an option,
//! and its variable is `TENURE_` and that name in capitals; what they say is put into the words as if
//! it had been typed, so all rules of the command line hold for it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, CommandFactory};
use thiserror::Error;
use toml::de::{DeTable, DeValue};

use super::args::Cli;

/// Read where no other file is named.
const FILE: &str = "tenure.toml";
/// The two commands that take the options of a server.
const SERVE: &str = "serve";
const SHOW: &str = "config";
/// Variables that hold secrets. They are no options, which others could read.
const SECRETS: [&str; 5] = [
    "TENURE_ADMIN_KEY",
    "TENURE_CHAT_KEY",
    "TENURE_EMBEDDER_KEY",
    "TENURE_ENCRYPTION_KEY",
    "TENURE_RERANKER_KEY",
];

#[derive(Debug, Error)]
pub enum SettingsError {
    #[error("{} cannot be read", path.display())]
    File { path: PathBuf, source: std::io::Error },
    #[error("{} is no TOML: {message}", path.display())]
    Toml { path: PathBuf, message: String },
    /// Every key that is wrong, each with its line.
    #[error("{}", .0.join("\n"))]
    Keys(Vec<String>),
}

/// The words of the command line with what stands elsewhere put into them.
#[derive(Debug)]
pub struct Settings {
    pub words: Vec<OsString>,
    /// Where what was put in comes from, by the name of the option.
    origins: BTreeMap<String, String>,
}

type Environment<'a> = &'a dyn Fn(&str) -> Option<OsString>;

impl Settings {
    /// # Errors
    /// [`SettingsError`]. What is wrong with the words themselves is told when they are parsed.
    ///
    /// # Panics
    /// Never: every option has a long name.
    pub fn gather(
        words: Vec<OsString>,
        environment: Environment<'_>,
    ) -> Result<Settings, SettingsError> {
        let mut settings = Settings { words, origins: BTreeMap::new() };
        // A parse that skips what is wrong: it is only asked what was given.
        let lenient = Cli::command().ignore_errors(true);
        let Ok(matches) = lenient.try_get_matches_from(&settings.words) else {
            return Ok(settings);
        };
        let Some((SERVE | SHOW, given)) = matches.subcommand() else { return Ok(settings) };
        let file = match given.get_one::<PathBuf>("config") {
            Some(path) => Some(path.clone()),
            None => Some(PathBuf::from(FILE)).filter(|path| path.exists()),
        };
        let mut keys = match &file {
            Some(path) => read(path)?,
            None => BTreeMap::new(),
        };
        for option in options() {
            let name = option.get_long().expect("options have long names");
            let from_file = keys.remove(name);
            if is_given(given, &option) {
                continue;
            }
            let variable = variable(&option);
            if let Some(value) = environment(&variable) {
                settings.put(name, &[value.to_string_lossy().into_owned()], variable);
            } else if let Some(values) = from_file {
                let path = file.as_deref().unwrap_or(Path::new(FILE));
                settings.put(name, &values, path.display().to_string());
            }
        }
        Ok(settings)
    }

    fn put(&mut self, name: &str, values: &[String], origin: String) {
        let is_switch = options().any(|option| {
            option.get_long() == Some(name) && matches!(option.get_action(), ArgAction::SetTrue)
        });
        for value in values {
            match (is_switch, value.as_str()) {
                (true, "true") => self.words.push(format!("--{name}").into()),
                (true, "false") => {}
                // A switch with another value is refused as one on the command line is.
                _ => self.words.push(format!("--{name}={value}").into()),
            }
        }
        self.origins.insert(name.to_owned(), origin);
    }

    /// One line an option that has a value: the value, and where it comes from. No secret is in it.
    ///
    /// # Panics
    /// Never: every option has a long name.
    #[must_use]
    pub fn shown(&self, matches: &ArgMatches, environment: Environment<'_>) -> String {
        let mut text = String::new();
        let given = matches.subcommand_matches(SHOW).unwrap_or(matches);
        for option in options() {
            let name = option.get_long().expect("options have long names");
            let values = given.get_raw(option.get_id().as_str()).into_iter().flatten();
            let values: Vec<String> =
                values.map(|value| format!("{:?}", veiled(&value.to_string_lossy()))).collect();
            let value = match &values[..] {
                [] => continue,
                _ if option.is_hide_env_values_set() => "\"***\"".to_owned(),
                [one] => one.clone(),
                several => format!("[{}]", several.join(", ")),
            };
            let origin = match self.origins.get(name) {
                Some(origin) => origin.clone(),
                None => match given.value_source(option.get_id().as_str()) {
                    Some(ValueSource::CommandLine) => format!("--{name}"),
                    Some(ValueSource::EnvVariable) => variable(&option),
                    _ => "default".to_owned(),
                },
            };
            text.push_str(&format!("{name} = {value}  # {origin}\n"));
        }
        for secret in SECRETS {
            if environment(secret).is_some() {
                text.push_str(&format!("# {secret} is set: ***\n"));
            }
        }
        text
    }
}

/// A value as it may be shown: of a URL neither the user nor the query, where some put keys.
fn veiled(value: &str) -> String {
    let Some((scheme, rest)) = value.split_once("://") else { return value.to_owned() };
    let (rest, query) = rest.split_once('?').map_or((rest, ""), |(rest, _)| (rest, "?***"));
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = match host.rsplit_once('@') {
        Some((_, host)) => format!("***@{host}"),
        None => host.to_owned(),
    };
    format!("{scheme}://{host}{path}{query}")
}

/// The options that `serve` has by itself.
fn options() -> impl Iterator<Item = Arg> {
    let command = Cli::command();
    let serve = command.find_subcommand(SERVE).expect("there is such a command");
    let named = serve.get_arguments().filter(|option| option.get_long().is_some());
    named.cloned().collect::<Vec<_>>().into_iter()
}

/// The variable of an option: the one it declares, or the one its name makes.
fn variable(option: &Arg) -> String {
    match option.get_env() {
        Some(declared) => declared.to_string_lossy().into_owned(),
        None => {
            let name = option.get_long().expect("options have long names");
            format!("TENURE_{}", name.replace('-', "_").to_uppercase())
        }
    }
}

fn is_given(given: &ArgMatches, option: &Arg) -> bool {
    let source = given.value_source(option.get_id().as_str());
    matches!(source, Some(ValueSource::CommandLine | ValueSource::EnvVariable))
}

/// The keys of a file and their values as words.
fn read(path: &Path) -> Result<BTreeMap<String, Vec<String>>, SettingsError> {
    let text = fs::read_to_string(path)
        .map_err(|source| SettingsError::File { path: path.to_owned(), source })?;
    let table = DeTable::parse(&text).map_err(|error| {
        let message = error.to_string();
        SettingsError::Toml { path: path.to_owned(), message }
    })?;
    let known: Vec<String> =
        options().filter_map(|option| option.get_long().map(str::to_owned)).collect();
    let (mut keys, mut faults) = (BTreeMap::new(), Vec::new());
    for (key, value) in table.get_ref() {
        let (name, start) = (key.get_ref().as_ref(), key.span().start);
        let line = text[..start].matches('\n').count() + 1;
        let place = format!("{}:{line}", path.display());
        // A file cannot name the file.
        if name == "config" || !known.iter().any(|known| known == name) {
            faults.push(format!("{place}: there is no option {name}"));
        } else if let Some(values) = words_of(value.get_ref()) {
            keys.insert(name.to_owned(), values);
        } else {
            faults.push(format!("{place}: {name} takes a text, a number, true, false or a list"));
        }
    }
    faults.sort();
    if faults.is_empty() { Ok(keys) } else { Err(SettingsError::Keys(faults)) }
}

fn words_of(value: &DeValue<'_>) -> Option<Vec<String>> {
    Some(match value {
        DeValue::String(text) => vec![text.to_string()],
        DeValue::Integer(number) => vec![number.as_str().to_owned()],
        DeValue::Boolean(yes) => vec![yes.to_string()],
        DeValue::Array(several) => {
            let words = several.iter().map(|one| words_of(one.get_ref()).filter(|w| w.len() == 1));
            words.collect::<Option<Vec<_>>>()?.concat()
        }
        DeValue::Float(_) | DeValue::Datetime(_) | DeValue::Table(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        std::iter::once("tenure").chain(line.split_whitespace()).map(OsString::from).collect()
    }

    fn file(text: &str) -> (tempfile::TempDir, String) {
        let home = tempfile::tempdir().expect("a temporary directory");
        let path = home.path().join("t.toml");
        fs::write(&path, text).expect("writes");
        let path = path.display().to_string();
        (home, path)
    }

    fn shown(line: &str, environment: Environment<'_>) -> String {
        let settings = Settings::gather(words(line), environment).expect("it is right");
        let matches = Cli::command().get_matches_from(&settings.words);
        settings.shown(&matches, environment)
    }

    #[test]
    fn the_nearer_place_wins() {
        let (_home, path) =
            file("data = \"f\"\nslow-millis = 1\nlog = \"warn\"\nallow-host = [\"a\", \"b\"]\n");
        let environment = |name: &str| match name {
            "TENURE_SLOW_MILLIS" | "TENURE_LOG" => Some(OsString::from("2")),
            "TENURE_ADMIN_KEY" => Some(OsString::from("planted")),
            _ => None,
        };
        let text = shown(&format!("config --config {path} --log error"), &environment);
        for line in [
            format!("data = \"f\"  # {path}"),
            format!("allow-host = [\"a\", \"b\"]  # {path}"),
            "slow-millis = \"2\"  # TENURE_SLOW_MILLIS".to_owned(),
            "log = \"error\"  # --log".to_owned(),
            "listen = \"127.0.0.1:50051\"  # default".to_owned(),
            "# TENURE_ADMIN_KEY is set: ***".to_owned(),
        ] {
            assert!(text.lines().any(|found| found == line), "{line} in {text}");
        }
        assert!(!text.contains("planted"));
    }

    #[test]
    fn what_a_url_may_hide_is_not_shown() {
        for (given, expected) in [
            ("builtin", "builtin"),
            ("http://h:1/v1", "http://h:1/v1"),
            ("http://ann:planted@h:1/v1?key=planted", "http://***@h:1/v1?***"),
            ("https://h?planted", "https://h?***"),
        ] {
            assert_eq!(veiled(given), expected);
        }
    }

    /// A variable of the command line is that of an option, or a secret.
    #[test]
    fn every_variable_that_is_no_option_is_a_secret() {
        let mut command = Cli::command();
        command.build();
        let mut known: BTreeSet<String> = options().map(|option| variable(&option)).collect();
        for command in std::iter::once(&command).chain(command.get_subcommands()) {
            let declared = command.get_arguments().filter_map(Arg::get_env);
            known.extend(declared.map(|name| name.to_string_lossy().into_owned()));
        }
        let mut found = BTreeSet::new();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli");
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let Ok(text) = fs::read_to_string(&path) else { continue };
            for quoted in text.split('"').filter(|quoted| quoted.starts_with("TENURE_")) {
                let is_name = quoted.chars().all(|c| c.is_ascii_uppercase() || c == '_');
                if is_name && !quoted.ends_with('_') && !known.contains(quoted) {
                    found.insert(quoted.to_owned());
                }
            }
        }
        assert_eq!(found.into_iter().collect::<Vec<_>>(), SECRETS);
    }

    #[test]
    fn every_wrong_key_is_told_with_its_line() {
        let (_home, path) = file("data = \"d\"\nlisten-on = 1\n\n[log]\nformat = \"json\"\n");
        let line = format!("serve --config {path}");
        let error = Settings::gather(words(&line), &|_| None).expect_err("two keys are wrong");
        let faults = [
            format!("{path}:2: there is no option listen-on"),
            format!("{path}:4: log takes a text, a number, true, false or a list"),
        ];
        assert_eq!(error.to_string(), faults.join("\n"));
    }

    #[test]
    fn switches_and_options_that_ask_for_others_may_stand_in_the_file() {
        let (_home, path) = file(
            "data = \"d\"\nrequire-auth = true\ninsecure = false\ntls-cert = \"c\"\ntls-key = \"k\"\n",
        );
        let settings = Settings::gather(words(&format!("serve --config {path}")), &|_| None);
        let settings = settings.expect("it is right");
        assert!(settings.words.contains(&OsString::from("--require-auth")));
        assert!(!settings.words.iter().any(|word| word.to_string_lossy().contains("insecure")));
        assert!(Cli::command().try_get_matches_from(&settings.words).is_ok());
    }

    #[test]
    fn other_commands_read_no_file() {
        let given = words("facts --subject serve");
        let settings = Settings::gather(given.clone(), &|_| Some(OsString::from("x")));
        assert_eq!(settings.expect("it is right").words, given);
    }
}

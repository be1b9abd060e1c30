//! `eval`: the memory measured as an agent would use it.
//!
//! It runs a server of its own over a directory that goes with it, and so cannot touch what anybody
//! keeps; `--server` and `--namespace` are not asked.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::client::Client;
use crate::eval::{
    self, Aim, EvalError, Fault, Figure, History, Language, Report, SESSIONS_DEFAULT, SESSIONS_MAX,
    Share,
};
use crate::server::{Config, launch};

use super::{
    error::{Error, Refusal, violation},
    output::{Output, Row},
    run::Ending,
};

#[derive(Debug, Args)]
pub struct EvalArgs {
    /// A history of turns and questions, as JSON lines; - reads standard input [default: one is made up]
    #[arg(value_name = "FILE", conflicts_with_all = ["seed", "language", "sessions", "print"])]
    file: Option<PathBuf>,
    /// What histories are made up from: the same seed gives the same ones
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Of one language alone [default: one of each]
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<LanguageWord>,
    /// Sessions of each
    #[arg(
        long,
        value_name = "N",
        default_value_t = SESSIONS_DEFAULT,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(SESSIONS_MAX))
    )]
    sessions: u32,
    /// Print what would be played, in the form of a file, and play nothing
    #[arg(long, conflicts_with = "check")]
    print: bool,
    /// Fail when an aim is missed
    #[arg(long)]
    check: bool,
    /// Show each question that was missed, too
    #[arg(long, conflicts_with = "print")]
    missed: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LanguageWord {
    En,
    Ko,
}

pub(crate) async fn run(output: &mut Output, args: &EvalArgs) -> Result<Ending, Error> {
    let histories = histories(args)?;
    if args.print {
        for (_, history) in histories {
            output.text(history.printed().trim_end())?;
        }
        return Ok(Ending::Done);
    }
    let home = Home::new()?;
    let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let failed = |cause: &dyn std::fmt::Display| Error::Server(cause.to_string());
    let running = launch(Config::new(home.0.clone(), listen)).await;
    let running = running.map_err(|cause| failed(&cause))?;
    let server = format!("http://{}", running.address());
    let played = play(output, args, &server, &histories).await;
    // The server lets go of the directory before it goes.
    let stopped = running.stop().await.map_err(|cause| failed(&cause));
    let missed = played?;
    stopped?;
    if missed.is_empty() || !args.check {
        return Ok(Ending::Done);
    }
    let missed = missed.into_iter().map(|(field, text)| violation(field, "AIM_MISSED", text));
    let message = "not every aim was met";
    let refusal = Refusal::local("AIMS_MISSED", message, missed.collect());
    Err(Error::Refused(Box::new(refusal)))
}

/// Plays every history in a namespace of its own, tells its measures, and answers with the aims that
/// were missed.
async fn play(
    output: &mut Output,
    args: &EvalArgs,
    server: &str,
    histories: &[(String, History)],
) -> Result<Vec<(String, String)>, Error> {
    let mut missed = Vec::new();
    for (name, history) in histories {
        let client = Client::new(server, name);
        let mut client = client.map_err(|cause| Error::Server(cause.to_string()))?;
        let asked = eval::run(&mut client, history).await.map_err(|error| told(server, error))?;
        let rows: Vec<ReportRow> = eval::report(&asked)
            .into_iter()
            .map(|report| ReportRow { name: name.clone(), report })
            .collect();
        if !output.is_json() {
            let (turns, questions) = (history.turns(), history.questions());
            output.text(&format!("{name}: {turns} turns, {questions} questions\n"))?;
        }
        output.list(&rows)?;
        if !output.is_json() {
            output.text("")?;
        }
        if args.missed {
            for one in asked.iter().filter(|one| !one.with.found || one.with.outdated) {
                let json = json!({
                    "history": name, "question": one.question.text, "found": one.with.found,
                    "answers": one.question.answers, "outdated": one.with.outdated,
                });
                let why = if one.with.outdated { "outdated" } else { "not found" };
                let answers = one.question.answers.join(", ");
                output.say(&json, &format!("{why}: {} -> {answers}", one.question.text))?;
            }
        }
        missed.extend(rows.iter().filter_map(|row| {
            let is_missed = row.report.is_met() == Some(false);
            let text = format!("{} is {}, and is to be {}", row.measure(), row.with(), row.aim());
            is_missed.then(|| (name.clone(), text))
        }));
    }
    Ok(missed)
}

fn told(server: &str, error: EvalError) -> Error {
    match error {
        EvalError::Refused(status) => Error::from_status(server, &status),
        other => {
            let refusal = Refusal::local(other.reason(), other.to_string(), Vec::new());
            Error::Refused(Box::new(refusal))
        }
    }
}

fn histories(args: &EvalArgs) -> Result<Vec<(String, History)>, Error> {
    if let Some(path) = &args.file {
        let text = read(path)?;
        let history = eval::parse(&text).map_err(|faults| {
            let message = format!("{} is no history that can be played", path.display());
            let faults = faults.into_iter().map(|fault| {
                let field = place(&fault);
                violation(field, fault.reason, fault.text)
            });
            Error::Input(Box::new(Refusal::local("HISTORY_INVALID", message, faults.collect())))
        })?;
        return Ok(vec![("file".to_owned(), history)]);
    }
    let languages = match args.language {
        None => Language::ALL.to_vec(),
        Some(LanguageWord::En) => vec![Language::English],
        Some(LanguageWord::Ko) => vec![Language::Korean],
    };
    let made = |language: Language| {
        (language.word().to_owned(), eval::generate(language, args.seed, args.sessions))
    };
    Ok(languages.into_iter().map(made).collect())
}

fn place(fault: &Fault) -> String {
    match (fault.line, &*fault.key) {
        (0, _) => String::new(),
        (line, "") => format!("line {line}"),
        (line, key) => format!("line {line}, {key}"),
    }
}

fn read(path: &Path) -> Result<String, Error> {
    let text = if path.as_os_str() == "-" {
        std::io::read_to_string(std::io::stdin())
    } else {
        fs::read_to_string(path)
    };
    text.map_err(|cause| Error::file(path.display().to_string(), cause))
}

/// A directory that goes when the evaluation ends.
struct Home(PathBuf);

impl Home {
    fn new() -> Result<Home, Error> {
        let number = getrandom::u64().map_err(|cause| Error::Server(cause.to_string()))?;
        let path = std::env::temp_dir().join(format!("tenure-eval-{number:016x}"));
        // One that is there is somebody else's.
        fs::create_dir(&path).map_err(|cause| Error::file(path.display().to_string(), cause))?;
        Ok(Home(path))
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

struct ReportRow {
    name: String,
    report: Report,
}

impl ReportRow {
    fn measure(&self) -> &'static str {
        self.report.measure.name()
    }

    fn with(&self) -> String {
        shown(self.report.with)
    }

    fn aim(&self) -> String {
        match self.report.aim {
            None => String::new(),
            Some(Aim::Above(percent)) => format!("above {percent} %"),
            Some(Aim::Below(percent)) => format!("below {percent} %"),
            Some(Aim::Within(time)) => format!("below {} ms", time.as_millis()),
        }
    }
}

impl Row for ReportRow {
    fn columns() -> Vec<&'static str> {
        vec!["measure", "with memory", "without", "aim", "met"]
    }

    fn cells(&self) -> Vec<String> {
        let met = match self.report.is_met() {
            None => "",
            Some(true) => "yes",
            Some(false) => "NO",
        };
        let without = shown(self.report.without);
        vec![self.measure().to_owned(), self.with(), without, self.aim(), met.to_owned()]
    }

    fn json(&self) -> Value {
        json!({
            "history": self.name, "measure": self.measure(), "with": figure(self.report.with),
            "without": figure(self.report.without), "aim": self.aim(), "met": self.report.is_met(),
        })
    }
}

fn shown(figure: Figure) -> String {
    match figure {
        Figure::Share(Share { of: 0, .. }) => "none".to_owned(),
        Figure::Share(Share { count, of }) => format!("{} ({count} of {of})", percent(count, of)),
        Figure::Times { p50, p95, .. } => {
            format!("{} ms (p50 {} ms)", millis(p95), millis(p50))
        }
    }
}

/// In tenths, rounded down: what is missed by little is not shown as met.
fn percent(count: usize, of: usize) -> String {
    let tenths = count * 1_000 / of.max(1);
    format!("{}.{} %", tenths / 10, tenths % 10)
}

fn millis(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1_000.0)
}

fn figure(figure: Figure) -> Value {
    match figure {
        Figure::Share(Share { count, of }) => json!({ "count": count, "of": of }),
        Figure::Times { p50, p95, calls } => json!({
            "p50_micros": p50.as_micros(), "p95_micros": p95.as_micros(), "calls": calls,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Measure;

    #[test]
    fn a_share_is_told_with_its_counts_and_never_better_than_it_is() {
        let share = |count, of| Figure::Share(Share { count, of });
        assert_eq!(shown(share(899, 1_000)), "89.9 % (899 of 1000)");
        assert_eq!(shown(share(8_999, 10_000)), "89.9 % (8999 of 10000)");
        assert_eq!(shown(share(0, 0)), "none");
        let report = Report {
            measure: Measure::RecallAt50,
            with: share(90, 100),
            without: share(0, 100),
            aim: Some(Aim::Above(90)),
        };
        let row = ReportRow { name: "en".to_owned(), report };
        let cells = row.cells();
        assert_eq!(cells[1..], ["90.0 % (90 of 100)", "0.0 % (0 of 100)", "above 90 %", "NO"]);
    }

    #[test]
    fn a_fault_is_told_with_its_line_and_key() {
        let fault = |line, key: &str| Fault {
            line,
            key: key.to_owned(),
            reason: "EMPTY",
            text: "says nothing".to_owned(),
        };
        assert_eq!(place(&fault(3, "role")), "line 3, role");
        assert_eq!(place(&fault(3, "")), "line 3");
        assert_eq!(place(&fault(0, "")), "");
    }
}

//! 1,400 questions "what was true on date D?" over two real data sets, answered with exactly the
//! gold set. Runs where `TENURE_TEST_DATA` names the folder that holds them.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::read::GzDecoder;
use serde::Deserialize;

use tenure::rpc::proto;

use crate::support::Server;

/// Rows that are really wrong: their end is before their start. Masked digits and years before our
/// era are no faults.
const REJECTED: [(&str, u64); 2] = [("yago11k", 70), ("wikidata12k", 10)];

#[derive(Deserialize)]
struct Question {
    id: String,
    source: String,
    subject: String,
    predicate: String,
    as_of: String,
    answers: Vec<String>,
}

fn data() -> Option<PathBuf> {
    let named = std::env::var_os("TENURE_TEST_DATA").map(PathBuf::from);
    if named.is_none() {
        eprintln!("skipped: TENURE_TEST_DATA does not name the folder of the data sets");
    }
    named
}

fn lines(path: &Path) -> impl Iterator<Item = String> {
    let file = File::open(path).expect("the data set is there");
    BufReader::new(GzDecoder::new(file)).lines().map(|line| line.expect("text"))
}

/// Imports with the command line, as a stranger would, and gives its summary.
fn import(url: &str, namespace: &str, file: &Path, rejects: &Path) -> serde_json::Value {
    let output = Command::new(env!("CARGO_BIN_EXE_tenure"))
        .args(["--server", url, "--namespace", namespace, "--json", "import"])
        .arg(file)
        .args(["--map", "start=valid_from", "--map", "end=valid_through"])
        .args(["--ignore", "start_raw", "--ignore", "end_raw", "--ignore", "predicate_label"])
        .arg("--rejects")
        .arg(rejects)
        .output()
        .expect("the binary runs");
    let said = String::from_utf8_lossy(&output.stderr);
    let line = output.stdout.split(|byte| *byte == b'\n').next().expect("a summary");
    serde_json::from_slice(line).unwrap_or_else(|error| panic!("{error}: {said}"))
}

async fn load(server: &mut Server, folder: &Path, set: &str) -> u64 {
    server.create_namespace(set).await;
    let home = tempfile::tempdir().expect("a place for rejects");
    let mut rejected = 0;
    for part in ["train", "valid", "test"] {
        let file = folder.join(set).join(format!("{part}.tsv.gz"));
        let rejects = home.path().join(part);
        let url = server.url();
        let run = {
            let set = set.to_owned();
            move || import(&url, &set, &file, &rejects)
        };
        let summary = tokio::task::spawn_blocking(run).await.expect("the import ends");
        rejected += summary["rejected"].as_u64().expect("a count");
    }
    rejected
}

#[tokio::test(flavor = "multi_thread")]
async fn the_as_of_questions_are_answered_with_exactly_the_gold_set() {
    let Some(folder) = data() else { return };
    let mut server = Server::start().await;
    server.clock.set(1_800_000_000_000_000);
    for (set, wrong) in REJECTED {
        assert_eq!(load(&mut server, &folder, set).await, wrong, "rows of {set}");
    }
    let questions: Vec<Question> = lines(&folder.join("asof-questions/questions.jsonl.gz"))
        .map(|line| serde_json::from_str(&line).expect("a question"))
        .collect();
    assert_eq!(questions.len(), 1_400);
    let mut wrong = Vec::new();
    for question in &questions {
        let date = proto::CivilDate { text: question.as_of.clone(), ..Default::default() };
        let point = Some(proto::valid_point::Point::Date(date));
        let request = proto::ListFactsRequest {
            namespace: question.source.clone(),
            pattern: Some(proto::FactPattern {
                subject: question.subject.clone(),
                predicates: vec![question.predicate.clone()],
                ..Default::default()
            }),
            as_of: Some(proto::AsOf {
                valid: Some(proto::ValidPoint { point, ..Default::default() }),
                known: None,
            }),
            ..Default::default()
        };
        let answer = server.facts.list_facts(request).await.expect("an answer").into_inner();
        let held: BTreeSet<String> = answer.rectangles.iter().map(object).collect();
        if held != question.answers.iter().cloned().collect() {
            wrong.push((question.id.clone(), held, question.answers.clone()));
        }
    }
    assert!(wrong.is_empty(), "{} of 1,400 are wrong, first: {:?}", wrong.len(), wrong);
    server.stop().await;
}

fn object(rectangle: &proto::Rectangle) -> String {
    match rectangle.object.as_ref().and_then(|object| object.object.as_ref()) {
        Some(proto::object::Object::Entity(name)) => name.clone(),
        other => panic!("{other:?} is no entity"),
    }
}

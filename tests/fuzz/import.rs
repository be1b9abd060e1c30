//! Files that were changed at random, through `tenure import`: rows are taken or rejected with a
//! reason, the command ends with a code it has, and the server is as it was.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::chance::Dice;
use crate::support::Server;
use crate::{answers, count_panics, inputs};

/// Files in a run of the test command.
const INPUTS: u64 = 60;
const SEED: u64 = 0x1a9e;
const HOME: &str = "default";

/// What a file may be called and hold, one row a line.
const FILES: [(&str, &str); 5] = [
    (
        "facts.csv",
        "subject,predicate,object,value,valid_from,valid_to,source,confidence,trust\n\
         ann,member,team a,,2020,2021-03,mail,0.5,stated\n\
         \"bob, jr\",size,,12,2020-02-01,,,1,\n\
         cid,head,\"a \"\"b\"\"\",,,2022,,,confirmed\n",
    ),
    ("facts.tsv", "s\tp\to\tfrom\tto\nann\tmember\tteam a\t2020\t2021\nbob\thead\td1\t\t\n"),
    (
        "facts.jsonl",
        "{\"subject\":\"ann\",\"predicate\":\"member\",\"object\":\"t1\",\"valid_from\":\"2020\"}\n\
         {\"s\":\"bob\",\"p\":\"size\",\"value\":12.5,\"from\":\"2020-01\",\"to\":null}\n",
    ),
    (
        "export.jsonl",
        "{\"tx\":1,\"tx_time\":\"2020-01-01T00:00:00Z\",\"operations\":[{\"op\":\"assert\",\
         \"subject\":\"ann\",\"predicate\":\"member\",\"object\":\"t1\",\"from\":\"2020\"}]}\n",
    ),
    (
        "memory.jsonl",
        "{\"type\":\"entity\",\"name\":\"ann\",\"entityType\":\"person\",\"observations\":[\"x\"]}\n\
         {\"type\":\"relation\",\"from\":\"ann\",\"to\":\"bob\",\"relationType\":\"knows\"}\n",
    ),
];

fn import(file: &Path, server: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tenure"));
    command.args(["--server", server, "--namespace", HOME, "import"]).arg(file);
    if file.ends_with("memory.jsonl") {
        command.args(["--format", "memory-jsonl"]);
    }
    command.env("NO_COLOR", "1").stdin(Stdio::null()).output().expect("the binary runs")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_file_breaks_the_import_or_the_server() {
    count_panics();
    let mut server = Server::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut dice = Dice(SEED);
    let mut codes = [0; 5];
    for input in 0..inputs(INPUTS) {
        let (name, text) = FILES[dice.below(FILES.len())];
        let mut bytes = text.repeat(1 + dice.below(3)).into_bytes();
        if !dice.one_in(8) {
            dice.mutate(&mut bytes);
        }
        let file = folder.path().join(name);
        std::fs::write(&file, &bytes).expect("writes");
        let url = server.url();
        let ran = tokio::task::spawn_blocking(move || import(&file, &url)).await;
        let ran = ran.expect("the command runs");
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        let code = ran.status.code().and_then(|code| usize::try_from(code).ok());
        let told = format!("input {input}, {name}: {code:?} {said}\n{}", bytes.escape_ascii());
        assert!(!said.contains("panicked"), "{told}");
        assert!(!said.contains("INTERNAL") && code != Some(3), "{told}");
        *codes.get_mut(code.unwrap_or(usize::MAX)).unwrap_or_else(|| panic!("{told}")) += 1;
        if code != Some(0) {
            assert!(!said.is_empty(), "it is said what was wrong: {told}");
        }
    }
    assert!(codes[0] > 0, "some files are good: {codes:?}");
    assert!(codes[0] < inputs(INPUTS), "some are not: {codes:?}");
    answers(&mut server, HOME).await;
    server.stop().await;
}

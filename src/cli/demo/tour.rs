//! Imports the bundled facts, then asks about them as anybody would from another terminal.

use std::time::{SystemTime, UNIX_EPOCH};

use clap::Parser;
use thiserror::Error;
use tonic::Status;

use crate::rpc::proto::{
    CreateNamespaceRequest, GetStatisticsRequest, ImportFactsRequest, ImportFactsResponse, Instant,
};

use super::super::args::{Cli, Command, Connection};
use super::super::connect::Client;
use super::super::error::Error as ClientError;
use super::super::run::run;
use super::facts::transactions;

const DAY_MICROS: i64 = 24 * 3_600 * 1_000_000;
/// Days between two transactions of the example, so that they have a past to ask about.
const RECORDED_EVERY_DAYS: i64 = 7;

/// A question in words, what to look at in its answer, and the words of the command line.
struct Question {
    asks: &'static str,
    look: &'static str,
    words: &'static [&'static str],
}

const QUESTIONS: &[Question] = &[
    Question {
        asks: "Who was CEO of Google on 1 September 2015?",
        look: "Sundar Pichai was announced in August and took over in October.",
        words: &["facts", "--subject", "Google", "--predicate", "ceo", "--as-of", "2015-09-01"],
    },
    Question {
        asks: "And what did we believe about that day before the correction came in?",
        look: "The same question, asked of what was known after transaction 3.",
        words: &[
            "facts",
            "--subject",
            "Google",
            "--predicate",
            "ceo",
            "--as-of",
            "2015-09-01",
            "--known-at",
            "tx:3",
        ],
    },
    Question {
        asks: "How did our belief about that day change over time?",
        look: "One line each time the answer changed; nothing is ever overwritten.",
        words: &["beliefs", "Google", "ceo", "--at", "2015-09-01"],
    },
    Question {
        asks: "Who led OpenAI when?",
        look: "Two interim CEOs were learnt late and slid into place by their dates.",
        words: &["timeline", "OpenAI", "ceo"],
    },
    Question {
        asks: "2023년 6월 15일 KT의 대표는 누구였나? (Who headed KT that day?)",
        look: "A nominee was recorded first; transaction 3 corrected the record.",
        words: &["beliefs", "KT", "ceo", "--at", "2023-06-15"],
    },
    Question {
        asks: "What changed between transactions 4 and 5 in the picture of 1 June 2024?",
        look: "A belief diff: the valid date stays, the transaction moves.",
        words: &["diff", "--from", "2024-06-01,tx:4", "--to", "2024-06-01,tx:5"],
    },
    Question {
        asks: "배달의민족에서 European Union까지? (How is the app connected to the EU, in 2022?)",
        look: "Every step holds on that date. On 2020-06-01 there is no such path.",
        words: &["paths", "배달의민족", "European Union", "--hops", "5", "--as-of", "2022-01-01"],
    },
];

/// What there was to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Toured {
    /// Facts were imported; otherwise they were there from an earlier time.
    pub imported: bool,
}

/// Why the tour ended early.
#[derive(Debug, Error)]
pub enum TourError {
    #[error("the bundled facts cannot be read")]
    Facts(#[from] csv::Error),
    #[error("the server refused the bundled facts: {}", .0.message())]
    Refused(#[from] Status),
    #[error("{rejected} of the bundled facts were rejected, first: {first}")]
    Rejected { rejected: u64, first: String },
    #[error("{0}")]
    Client(String),
}

/// Shows around in the namespace `default` of a server, which is filled if it is empty.
///
/// # Errors
/// [`TourError`].
pub async fn tour(server: &str) -> Result<Toured, TourError> {
    let connection = Connection {
        server: server.to_owned(),
        namespace: "default".to_owned(),
        api_key: None,
        api_key_file: None,
        tls_ca: None,
        tls_client_cert: None,
        tls_client_key: None,
        json: false,
        verbose: false,
    };
    let client = Client::new(&connection);
    let mut client =
        client.map_err(|error: ClientError| TourError::Client(error.report("default")))?;
    let imported = fill(&mut client).await?;
    for (number, question) in QUESTIONS.iter().enumerate() {
        ask(&connection, number + 1, question).await;
    }
    Ok(Toured { imported })
}

async fn fill(client: &mut Client) -> Result<bool, TourError> {
    let name = client.namespace.clone();
    let allow_existing = true;
    let create =
        CreateNamespaceRequest { name: name.clone(), allow_existing, ..Default::default() };
    client.admin.create_namespace(create).await?;
    let statistics = GetStatisticsRequest { namespace: name.clone() };
    if client.admin.get_statistics(statistics).await?.into_inner().transactions > 0 {
        return Ok(false);
    }
    let batches = transactions()?;
    let times = times(batches.len());
    let messages: Vec<ImportFactsRequest> = batches
        .into_iter()
        .zip(times)
        .map(|(operations, unix_micros)| ImportFactsRequest {
            namespace: name.clone(),
            operations,
            tx_time: Some(Instant { unix_micros }),
            ..Default::default()
        })
        .collect();
    let rows: usize = messages.iter().map(|message| message.operations.len()).sum();
    let report = client.facts.import_facts(tokio_stream::iter(messages)).await?.into_inner();
    checked(&report)?;
    println!(
        "{rows} statements went in, in {} transactions, one a week: late arrivals and corrections \
         came after the first.",
        report.tx
    );
    Ok(true)
}

fn checked(report: &ImportFactsResponse) -> Result<(), TourError> {
    let Some(row) = report.rejected_rows.first() else { return Ok(()) };
    let first = row.violations.first().map_or_else(String::new, |violation| {
        format!("row {}: {} [{}]", row.row, violation.description, violation.reason)
    });
    Err(TourError::Rejected { rejected: report.rejected, first })
}

/// One commit time a week, the last of them yesterday.
fn times(count: usize) -> impl Iterator<Item = i64> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = i64::try_from(now.as_micros()).unwrap_or(i64::MAX);
    let yesterday = now - now % DAY_MICROS - DAY_MICROS;
    let weeks = (0..i64::try_from(count).unwrap_or(0)).rev();
    weeks.map(move |week| yesterday - week * RECORDED_EVERY_DAYS * DAY_MICROS)
}

/// Prints a question and its command, and runs that very command.
async fn ask(connection: &Connection, number: usize, question: &Question) {
    println!("\n{number}. {}", question.asks);
    println!("   {}", question.look);
    println!("   $ {}\n", spelled(connection, question.words));
    let words = ["tenure", "--server", &connection.server]
        .into_iter()
        .chain(question.words.iter().copied());
    match Cli::try_parse_from(words).map(|cli| cli.command) {
        Ok(Command::Client(verb)) => {
            run(connection, verb).await;
        }
        Ok(_) => println!("   (this command runs a server)"),
        Err(error) => println!("{error}"),
    }
}

/// The words as a shell takes them.
fn spelled(connection: &Connection, words: &[&str]) -> String {
    let plain = |word: &&str| !word.contains([' ', '\'', '"']);
    // As this very program was called, so that the line can be pasted.
    let program = std::env::args().next().unwrap_or_else(|| "tenure".to_owned());
    let mut spelled: Vec<String> = vec![program];
    if connection.server != super::super::args::DEFAULT_SERVER {
        spelled.push(format!("--server {}", connection.server));
    }
    spelled.extend(
        words.iter().map(
            |word| {
                if plain(word) { (*word).to_owned() } else { format!("\"{word}\"") }
            },
        ),
    );
    spelled.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_question_is_a_command() {
        for question in QUESTIONS {
            let words = ["tenure"].into_iter().chain(question.words.iter().copied());
            let cli = Cli::try_parse_from(words).expect(question.asks);
            assert!(matches!(cli.command, Command::Client(_)));
        }
    }

    #[test]
    fn commit_times_ascend_and_lie_in_the_past() {
        let times: Vec<i64> = times(8).collect();
        assert!(times.windows(2).all(|pair| pair[1] - pair[0] == 7 * DAY_MICROS));
        assert_eq!(times[7] % DAY_MICROS, 0);
    }
}

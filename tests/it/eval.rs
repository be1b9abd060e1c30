//! An evaluation over a real server: what it counts, and what it does not touch.

use tenure::client::Client;
use tenure::eval::{Asked, EvalError, Figure, Language, Measure, generate, parse, report, run};
use tenure::rpc::proto;

use crate::support::{Server, op};

async fn played(server: &Server, language: Language) -> Vec<Asked> {
    // A clock that stands still: what is said has the times of the history.
    let mut client = Client::new(&server.url(), language.word()).expect("an address");
    run(&mut client, &generate(language, 11, 3)).await.expect("it is played")
}

#[tokio::test]
async fn a_made_up_history_is_remembered() {
    let server = Server::start().await;
    // After everything that is said in it.
    server.clock.set(1_735_689_600_000_000);
    for language in Language::ALL {
        let asked = played(&server, language).await;
        for row in report(&asked) {
            let (Figure::Share(with), Figure::Share(without)) = (row.with, row.without) else {
                continue;
            };
            assert!(with.of > 0, "{language:?} {row:?}");
            match row.measure {
                Measure::RecallAt50 | Measure::Outdated => {
                    assert_eq!(row.is_met(), Some(true), "{language:?} {row:?}");
                }
                Measure::RecallAcross => {
                    assert_eq!(row.is_met(), Some(true), "{language:?} {row:?}");
                    assert_eq!(without.count, 0, "nobody told it");
                }
                // Their aim is not met, or there is none: see the page on evaluation.
                _ => assert!(with.count > 0, "{language:?} {row:?}"),
            }
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn a_namespace_that_holds_something_is_refused_and_left_as_it_is() {
    let mut server = Server::start().await;
    let request = proto::TransactRequest {
        namespace: "default".to_owned(),
        operations: vec![op::one("head")],
        ..Default::default()
    };
    server.facts.transact(request).await.expect("written");
    let history = parse(
        "{\"session\": \"s\", \"role\": \"user\", \"content\": \"I live in Seoul.\"}\n\
         {\"question\": \"Where do I live?\", \"session\": \"s\", \"answers\": [\"Seoul\"]}",
    )
    .expect("a history");
    let mut client = Client::new(&server.url(), "default").expect("an address");
    let refused = run(&mut client, &history).await.expect_err("it is not empty");
    assert!(matches!(refused, EvalError::NotEmpty(_)), "{refused}");
    assert_eq!(refused.reason(), "NAMESPACE_NOT_EMPTY");
    let statistics = proto::GetStatisticsRequest { namespace: "default".to_owned() };
    let found = server.admin.get_statistics(statistics).await.expect("counts").into_inner();
    assert_eq!((found.transactions, found.episodes), (1, 0));
    server.stop().await;
}

//! Embedders that are missing, down or another, and views that were taken away.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;

use tenure::models::{Address, CallConfig, Embedder, Endpoint, EndpointConfig, Models};
use tenure::rpc::proto;

use crate::recall::{question, recall, tell, texts, transact};
use crate::support::{Server, at, op};

/// Asks until everything has its vector. Each question is a round trip, so this ends or fails.
async fn embedded(server: &mut Server) -> proto::GetStatisticsResponse {
    for _ in 0..100_000 {
        let found = statistics(server).await;
        let all = found.vectors_behind == 0 && found.text_documents == found.documents;
        if all && found.vectors > 0 && found.next_embedding.is_none() {
            return found;
        }
        tokio::task::yield_now().await;
    }
    panic!("the vectors do not come");
}

async fn over(data: &Path, models: Models) -> Server {
    let server = Server::open_with(data, models).await;
    server.clock.set(1_000_000);
    server
}

async fn statistics(server: &mut Server) -> proto::GetStatisticsResponse {
    let request = proto::GetStatisticsRequest { namespace: "default".to_owned() };
    server.admin.get_statistics(request).await.expect("counted").into_inner()
}

fn leg(answer: &proto::RecallResponse, leg: proto::Leg) -> &proto::LegReport {
    answer.legs.iter().find(|report| report.leg() == leg).expect("every leg is told of")
}

fn endpoint(port: u16) -> Models {
    let address = Address::new(&format!("http://127.0.0.1:{port}")).expect("an address");
    let mut config = EndpointConfig::new(address, "elsewhere");
    config.dimensions = Some(2);
    config.call = CallConfig { attempts: 1, ..config.call };
    let embedder = Some(Embedder::endpoint(Endpoint::new(config).expect("a client")));
    Models { embedder, ..Models::default() }
}

/// Embeds every text into the same two numbers.
fn answer_embeddings(listener: &TcpListener) {
    while let Ok((mut stream, _)) = listener.accept() {
        let mut reader = BufReader::new(stream.try_clone().expect("a socket"));
        let mut length = 0;
        let mut line = String::new();
        while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
            let lower = line.to_ascii_lowercase();
            if let Some(value) = lower.strip_prefix("content-length:") {
                length = value.trim().parse().expect("a length");
            }
            line.clear();
        }
        let mut body = vec![0; length];
        if reader.read_exact(&mut body).is_err() {
            continue;
        }
        let body: serde_json::Value = serde_json::from_slice(&body).expect("JSON");
        let count = body["input"].as_array().map_or(1, Vec::len);
        let data: Vec<_> = (0..count)
            .map(|index| serde_json::json!({ "index": index, "embedding": [1.0, 0.5] }))
            .collect();
        let reply = serde_json::json!({ "data": data, "usage": { "total_tokens": 3 } }).to_string();
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
            reply.len()
        );
        drop(stream.write_all((head + &reply).as_bytes()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endpoint_that_is_down_stops_no_write_and_the_vectors_follow() {
    // A port that nobody listens on, until somebody does.
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    drop(listener);
    let home = tempfile::tempdir().expect("a place for data");
    let mut server = over(home.path(), endpoint(port)).await;
    server.create_namespace("default").await;
    tell(&mut server, &["the harbour opens at dawn"]).await;
    let answer = recall(&mut server, question("harbour")).await;
    assert_eq!(texts(&answer), ["the harbour opens at dawn"]);
    let vector = leg(&answer, proto::Leg::Vector);
    assert_ne!(vector.status(), proto::LegStatus::Searched, "{vector:?}");
    assert!(!vector.detail.is_empty());
    let mut failed = false;
    for _ in 0..100_000 {
        failed = statistics(&mut server).await.embedder.is_some_and(|usage| usage.failures > 0);
        if failed {
            break;
        }
    }
    assert!(failed, "the endpoint that is not there was tried");
    let listener = TcpListener::bind(("127.0.0.1", port)).expect("the port again");
    std::thread::spawn(move || answer_embeddings(&listener));
    let found = embedded(&mut server).await;
    assert_eq!(found.vectors, 1);
    let usage = found.embedder.expect("there is an embedder");
    assert!(usage.failures > 0 && usage.tokens > 0, "{usage:?}");
    let answer = recall(&mut server, question("harbour")).await;
    assert_eq!(leg(&answer, proto::Leg::Vector).status(), proto::LegStatus::Searched);
    server.stop().await;
}

/// From vectors that callers supply to the built-in model, over a restart.
#[tokio::test(flavor = "multi_thread")]
async fn a_namespace_moves_to_another_space_while_the_old_one_answers() {
    let home = tempfile::tempdir().expect("a place for data");
    let mut server = over(home.path(), Models::default()).await;
    let embedding =
        Some(proto::EmbeddingSpace { model: "mine".to_owned(), dimension: 2, supplied: true });
    let name = "default".to_owned();
    let request = proto::CreateNamespaceRequest { name, embedding, ..Default::default() };
    server.admin.create_namespace(request).await.expect("a new namespace");
    let vector = Some(proto::Vector { numbers: vec![1.0, 0.0], ..Default::default() });
    let episode = proto::AddEpisode {
        text: "the crew meets on Monday".to_owned(),
        vector: vector.clone(),
        ..Default::default()
    };
    let request = proto::AddEpisodesRequest {
        namespace: "default".to_owned(),
        episodes: vec![episode],
        ..Default::default()
    };
    server.memory.add_episodes(request).await.expect("kept");
    let status = server.admin.reembed(reembed()).await.expect_err("nothing to embed with");
    assert_eq!(crate::support::reason(&status), "EMBEDDER_MISSING");
    server.stop().await;

    let mut server = over(home.path(), Models::built_in()).await;
    let asked = proto::RecallRequest { vector, ..question("") };
    assert_eq!(texts(&recall(&mut server, asked).await), ["the crew meets on Monday"]);
    let answer = recall(&mut server, question("crew")).await;
    assert_eq!(leg(&answer, proto::Leg::Vector).reason, "NO_EMBEDDING");
    server.admin.reembed(reembed()).await.expect("begun");
    // At once: what was begun goes on after the restart.
    server.stop().await;

    let mut server = over(home.path(), Models::built_in()).await;
    let found = embedded(&mut server).await;
    let space = found.embedding.expect("a space");
    assert_eq!((space.model.as_str(), space.dimension), ("enko-static-256", 256));
    let answer = recall(&mut server, question("crew")).await;
    assert_eq!(leg(&answer, proto::Leg::Vector).status(), proto::LegStatus::Searched);
    assert!(verified(&mut server).await.vectors > 0);
    server.stop().await;
}

fn reembed() -> proto::ReembedRequest {
    proto::ReembedRequest { namespace: "default".to_owned() }
}

async fn verified(server: &mut Server) -> proto::VerifyResponse {
    let request = proto::VerifyRequest { namespace: "default".to_owned() };
    let verified = server.admin.verify(request).await.expect("an answer").into_inner();
    assert!(verified.clean, "{verified:?}");
    verified
}

#[tokio::test(flavor = "multi_thread")]
async fn views_that_were_taken_away_or_damaged_are_built_again() {
    let home = tempfile::tempdir().expect("a place for data");
    let mut server = over(home.path(), Models::built_in()).await;
    server.create_namespace("default").await;
    let operations = (0..3_000).map(|n| {
        op::assert(
            &format!("person {n}"),
            "works_at",
            &format!("firm {}", n % 7),
            op::instant(0),
            None,
        )
    });
    transact(&mut server, operations.collect()).await;
    embedded(&mut server).await;
    let before = recall(&mut server, asked()).await;
    assert_eq!(before.hits.len(), 10);
    server.stop().await;
    let views = home.path().join("views");
    assert!(files(&views) > 0, "the text view is on the disk");

    std::fs::remove_dir_all(&views).expect("removed");
    let mut server = over(home.path(), Models::built_in()).await;
    embedded(&mut server).await;
    assert_eq!(recall(&mut server, asked()).await.hits, before.hits);
    let verification = verified(&mut server).await;
    assert!(verification.documents > 6_000 && verification.vectors >= 3_000, "{verification:?}");
    server.stop().await;

    cut_in_half(&views);
    let mut server = over(home.path(), Models::built_in()).await;
    embedded(&mut server).await;
    assert_eq!(recall(&mut server, asked()).await.hits, before.hits);
    verified(&mut server).await;
    server.stop().await;
}

fn asked() -> proto::RecallRequest {
    proto::RecallRequest { as_of: at::valid(10), ..question("where does person 1234 work") }
}

fn files(folder: &Path) -> usize {
    let entries =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("one").path());
    entries.map(|path| if path.is_dir() { files(&path) } else { 1 }).sum()
}

fn cut_in_half(folder: &Path) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            cut_in_half(&path);
        } else {
            let length = path.metadata().expect("a file").len();
            let file = std::fs::OpenOptions::new().write(true).open(&path).expect("a file");
            file.set_len(length / 2).expect("cut");
        }
    }
}

//! What operators ask: is it up, what does it serve, and is everything still there.

use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;
use tonic_reflection::pb::v1::{ServerReflectionRequest, ServerReflectionResponse};

use tenure::rpc::proto;

use crate::ask::{HOME, conflicts, held, snapshot, statistics, verify};
use crate::chance::Log;
use crate::support::{Server, at};

const SERVICES: [&str; 3] =
    ["tenure.v1.AdminService", "tenure.v1.FactService", "tenure.v1.GraphService"];

#[tokio::test]
async fn the_health_service_says_serving() {
    let server = Server::start().await;
    let mut health = HealthClient::new(server.channel.clone());
    for service in [""].into_iter().chain(SERVICES) {
        let request = HealthCheckRequest { service: service.to_owned() };
        let HealthCheckResponse { status } =
            health.check(request).await.expect("an answer").into_inner();
        assert_eq!(status, i32::from(ServingStatus::Serving), "{service:?}");
    }
    let request = HealthCheckRequest { service: "tenure.v1.NoService".to_owned() };
    let status = health.check(request).await.expect_err("no such service");
    assert_eq!(status.code(), tonic::Code::NotFound);
    drop(health);
    server.stop().await;
}

async fn reflect(server: &Server, request: MessageRequest) -> MessageResponse {
    let mut client = ServerReflectionClient::new(server.channel.clone());
    let message_request = Some(request);
    let request = ServerReflectionRequest { host: String::new(), message_request };
    let requests = tokio_stream::once(request);
    let answers = client.server_reflection_info(requests).await.expect("a stream");
    let answer: ServerReflectionResponse =
        answers.into_inner().message().await.expect("an answer").expect("one");
    answer.message_response.expect("a message")
}

#[tokio::test]
async fn reflection_lists_and_describes_the_services() {
    let server = Server::start().await;
    let answer = reflect(&server, MessageRequest::ListServices(String::new())).await;
    let MessageResponse::ListServicesResponse(list) = answer else { panic!("{answer:?}") };
    let names: Vec<&str> = list.service.iter().map(|service| service.name.as_str()).collect();
    for service in SERVICES {
        assert!(names.contains(&service), "{names:?}");
        let symbol = MessageRequest::FileContainingSymbol(service.to_owned());
        let answer = reflect(&server, symbol).await;
        assert!(matches!(answer, MessageResponse::FileDescriptorResponse(_)), "{answer:?}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_ping_is_answered() {
    let mut server = Server::start().await;
    server.admin.ping(proto::PingRequest {}).await.expect("an answer");
    server.stop().await;
}

#[tokio::test]
async fn a_clean_stop_keeps_everything() {
    let mut server = Server::start().await;
    let mut log = Log::new(77);
    log.begin(&mut server, HOME).await;
    for clock in 2..=40 {
        log.step(&mut server, HOME, clock).await;
    }
    let before = statistics(&mut server).await;
    let last = before.last_tx;
    let mut facts = Vec::new();
    for tx in 0..=last {
        facts.push(snapshot(&mut server, 6, tx).await);
    }
    let disputes = conflicts(&mut server, None, true).await;
    verify(&mut server, HOME).await;
    let home = server.stop().await.expect("its directory");

    let mut server = Server::open(home.path()).await;
    verify(&mut server, HOME).await;
    let after = statistics(&mut server).await;
    let counted = |statistics: proto::GetStatisticsResponse| proto::GetStatisticsResponse {
        store_bytes: 0,
        graph_bytes: 0,
        ..statistics
    };
    assert_eq!(counted(after), counted(before));
    for tx in 0..=last {
        let place = usize::try_from(tx).expect("a small number");
        assert_eq!(snapshot(&mut server, 6, tx).await, facts[place], "tx {tx}");
    }
    assert_eq!(conflicts(&mut server, None, true).await, disputes);
    // The clock of this server starts at 0 again; time goes on after the last commit.
    let next = log.step(&mut server, HOME, 0).await;
    assert!(next >= last);
    assert!(!held(&mut server, at::tx(6, last)).await.is_empty());
    server.stop().await;
}

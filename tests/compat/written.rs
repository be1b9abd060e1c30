//! What the directories of old formats hold, and how one of the present format is written. A format
//! that was released is never written again, so this changes only together with its number.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use tenure::models::Models;
use tenure::rpc::proto;
use tenure::rpc::proto::operation::Operation as Kind;

use crate::support::{Server, op};

/// Small and full of history: every table has rows, every kind of change is in the log.
fn requests() -> Vec<Vec<proto::Operation>> {
    let value = |subject: &str, predicate: &str, value: proto::value::Value| {
        let object = proto::object::Object::Value(proto::Value { value: Some(value) });
        let mut triple = op::triple(subject, predicate, "").expect("a triple");
        triple.object = Some(proto::Object { object: Some(object) });
        let from = op::instant(0);
        op::of(Kind::Assert(proto::Assert { triple: Some(triple), from, ..Default::default() }))
    };
    let said = |object: &str, from: i64, trust: proto::Trust| {
        let evidence = proto::Evidence {
            source: "mail".to_owned(),
            trust: trust.into(),
            confidence: Some(0.75),
            statement: format!("Ann is with {object}."),
            ..Default::default()
        };
        let (triple, from) = (op::triple("Ann", "works_at", object), op::instant(from));
        let evidence = Some(evidence);
        op::of(Kind::Assert(proto::Assert { triple, from, evidence, ..Default::default() }))
    };
    let episode = |text: &str, source: &str| {
        op::of(Kind::AddEpisode(proto::AddEpisode {
            kind: proto::EpisodeKind::Note.into(),
            text: text.to_owned(),
            speaker: "Ann".to_owned(),
            session: "monday".to_owned(),
            from: op::instant(10),
            source: source.to_owned(),
            importance: Some(0.75),
            vector: Some(proto::Vector { numbers: vec![3.0, 4.0], ..Default::default() }),
            ..Default::default()
        }))
    };
    let merge = proto::Merge { duplicate: "Annie".to_owned(), into: "Ann".to_owned() };
    let unmerge = proto::Unmerge { duplicate: "Annie".to_owned() };
    let withdraw = proto::WithdrawSource { source: "mail".to_owned() };
    let supersede = proto::Supersede {
        subject: "Ann".to_owned(),
        predicate: "works_at".to_owned(),
        new_object: Some(op::entity("Zeno")),
        at: op::instant(40),
        ..Default::default()
    };
    vec![
        vec![op::one("works_at"), op::assert("Ann", "works_at", "Acme", op::instant(10), None)],
        vec![
            said("Zeno", 20, proto::Trust::Stated),
            said("Nova", 50, proto::Trust::Confirmed),
            episode("Ann told us herself", "mail"),
            episode("Ann is well", ""),
            episode("never mind", ""),
        ],
        vec![op::assert("Ann", "knows", "Bob", op::date("1987-03"), op::unbounded())],
        vec![op::assert("Annie", "knows", "Cho", op::instant(5), op::instant(30))],
        vec![
            value("Ann", "height", proto::value::Value::Number(1.75)),
            value("Bob", "age", proto::value::Value::Integer(-3)),
            value("Bob", "nick", proto::value::Value::Text("\u{bc25}".to_owned())),
            value("Bob", "is_here", proto::value::Value::Boolean(true)),
            value("Bob", "born", proto::value::Value::Time(proto::Instant { unix_micros: -9 })),
        ],
        vec![op::of(Kind::Merge(merge)), op::end("Ann", "knows", "Bob", op::instant(60))],
        vec![
            said("Ford", 50, proto::Trust::Unverified),
            op::of(Kind::RetractEpisode(proto::RetractEpisode { episode_id: "ep2.2".to_owned() })),
        ],
        vec![op::retract("Ann", "works_at", "Nova"), op::of(Kind::Unmerge(unmerge))],
        vec![op::of(Kind::Supersede(supersede))],
        vec![op::of(Kind::WithdrawSource(withdraw))],
    ]
}

async fn fill(data: &Path) {
    let mut server = Server::open_with(data, Models::default()).await;
    server.create_namespace("default").await;
    let zone = "Asia/Seoul".to_owned();
    let empty =
        proto::CreateNamespaceRequest { name: "empty".to_owned(), zone, ..Default::default() };
    server.admin.create_namespace(empty).await.expect("a new namespace");
    for (number, operations) in requests().into_iter().enumerate() {
        server.clock.set(1_000 + 100 * i64::try_from(number).expect("few"));
        let request = proto::TransactRequest {
            namespace: "default".to_owned(),
            request_id: format!("request {number}"),
            operations,
            ..Default::default()
        };
        server.facts.transact(request).await.expect("it is taken");
    }
    server.stop().await;
}

/// Writes a directory in the present format, packed, into the folder of its version.
pub(crate) async fn write(folder: &Path) {
    let home = tempfile::tempdir().expect("a place for data");
    fill(home.path()).await;
    fs::create_dir_all(folder).expect("a folder");
    let file = File::create(folder.join("tenure.redb.gz")).expect("a file");
    let mut packed = GzEncoder::new(file, Compression::best());
    packed
        .write_all(&fs::read(home.path().join("tenure.redb")).expect("it was written"))
        .expect("writes");
    packed.finish().expect("writes");
}

//! Backups of a running server, and directories that are restored from them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tempfile::TempDir;
use tenure::engine::{BackupError, BackupFile, Restore, RestoreError, Restored, Until, restore};
use tenure::models::Models;
use tenure::rpc::proto;
use tenure::types::{AuditSubject, EncryptionKey, Name, Policy, Timestamp, TxId};
use tonic::{Code, Status};

use crate::ask::{
    HOME, fact, held_in, refused, request, said_by, snapshot, verify, violations, write,
};
use crate::bytes::holding;
use crate::chance::{INSTANTS, Log};
use crate::fixture;
use crate::recall::{question, recall, tell, texts};
use crate::recall_cases::with_vector;
use crate::stream::{export, told};
use crate::support::{Server, at};

async fn backup(server: &mut Server, request: proto::BackupRequest) -> Result<Vec<u8>, Status> {
    let mut stream = server.admin.backup(request).await?.into_inner();
    let mut file = Vec::new();
    while let Some(message) = stream.message().await? {
        file.extend(message.data);
    }
    Ok(file)
}

fn asked(bases: Vec<proto::BackupBase>) -> proto::BackupRequest {
    proto::BackupRequest { namespace: HOME.to_owned(), bases }
}

fn base(since_tx: u64, head: &[u8]) -> Vec<proto::BackupBase> {
    vec![proto::BackupBase { namespace: HOME.to_owned(), since_tx, head: head.to_vec() }]
}

/// A folder with backups, and room for what is restored from them.
struct Shelf {
    folder: TempDir,
    files: Vec<PathBuf>,
}

impl Shelf {
    fn new() -> Shelf {
        Shelf { folder: tempfile::tempdir().expect("a folder"), files: Vec::new() }
    }

    fn keep(&mut self, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(format!("backup {}", self.files.len()));
        fs::write(&path, bytes).expect("writes");
        self.files.push(path.clone());
        path
    }

    /// Backs up what follows the last file.
    async fn back_up(&mut self, server: &mut Server) -> PathBuf {
        let bases = self.files.last().map(|path| {
            let file = BackupFile::open(path).expect("a backup");
            let namespace = &file.manifest().namespaces[0];
            let head: Vec<u8> = (0..namespace.head.len() / 2)
                .map(|at| u8::from_str_radix(&namespace.head[2 * at..2 * at + 2], 16))
                .collect::<Result<_, _>>()
                .expect("hexadecimal");
            base(namespace.last_tx, &head)
        });
        let bytes = backup(server, asked(bases.unwrap_or_default())).await.expect("a backup");
        self.keep(&bytes)
    }

    fn target(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn restore(&self, name: &str, until: Until) -> Result<Vec<Restored>, RestoreError> {
        restored(&self.files, &self.target(name), until)
    }

    /// Nothing stands in the folder but the backups.
    fn is_clean(&self) -> bool {
        fs::read_dir(self.folder.path()).expect("a folder").count() == self.files.len()
    }
}

fn restored(
    files: &[PathBuf],
    directory: &Path,
    until: Until,
) -> Result<Vec<Restored>, RestoreError> {
    let (files, directory) = (files.to_vec(), directory.to_owned());
    restore(&Restore { files, directory, key: None, until, forget: None })
}

/// The stable words for all that is wrong.
fn reasons<T>(result: Result<T, RestoreError>) -> Vec<&'static str> {
    match result {
        Err(RestoreError::Refused(faults)) => {
            faults.iter().map(tenure::store::Fault::reason).collect()
        }
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it was restored"),
    }
}

#[tokio::test]
async fn what_is_restored_answers_the_same_at_every_basis() {
    for seed in [31, 110, 200] {
        let mut server = Server::start().await;
        let mut shelf = Shelf::new();
        let mut log = Log::new(seed);
        log.begin(&mut server, HOME).await;
        let (mut last, mut middle) = (1, 1);
        for step in 0..30 {
            last = log.step(&mut server, HOME, 2 + step).await.max(last);
            if step % 10 == 9 {
                tell(&mut server, &[&format!("note {step}")]).await;
                last += 1;
                shelf.back_up(&mut server).await;
            }
            if step == 12 {
                middle = last;
            }
        }
        let before = (told(&mut server, HOME, last).await, export(&mut server, HOME).await);
        let known = told_until(&mut server, middle).await;
        assert!(shelf.restore("whole", Until::End).is_ok());
        assert!(shelf.restore("middle", Until::Tx(TxId::new(middle))).is_ok());
        server.stop().await;

        let mut again = Server::open(&shelf.target("whole")).await;
        let after = (told(&mut again, HOME, last).await, export(&mut again, HOME).await);
        assert!(before == after, "seed {seed}");
        verify(&mut again, HOME).await;
        let next = write(&mut again, 1_000, vec![fact("eve", "p", "x", 0, None)]).await;
        assert_eq!(next.tx, last + 1, "the log goes on where it was");
        again.stop().await;

        let mut earlier = Server::open(&shelf.target("middle")).await;
        assert_eq!(told_until(&mut earlier, middle).await, known, "seed {seed}");
        assert_eq!(export(&mut earlier, HOME).await.len() as u64, middle, "seed {seed}");
        verify(&mut earlier, HOME).await;
        earlier.stop().await;
    }
}

async fn told_until(server: &mut Server, last: u64) -> Vec<Vec<String>> {
    let mut told = Vec::new();
    for tx in 0..=last {
        for valid in -1..=i64::try_from(INSTANTS).expect("small") {
            told.push(held_in(server, HOME, at::tx(valid, tx)).await);
        }
    }
    told
}

#[tokio::test]
async fn the_golden_world_is_restored_up_to_a_time() {
    let mut server = Server::start().await;
    fixture::load(&mut server).await;
    let mut shelf = Shelf::new();
    shelf.back_up(&mut server).await;
    server.stop().await;
    // Transaction n is committed at time n.
    let until = Until::Time(Timestamp::from_micros(6));
    let restored = shelf.restore("six", until).expect("restored");
    assert_eq!(restored, [Restored { name: HOME.to_owned(), last_tx: TxId::new(6), erasures: 0 }]);
    let mut six = Server::open(&shelf.target("six")).await;
    assert_eq!(
        told_until(&mut six, 6).await.len(),
        7 * (2 + usize::try_from(INSTANTS).expect("few"))
    );
    assert_eq!(crate::ask::snapshot(&mut six, 23, 6).await, fixture::AT_23_6);
    let latest = crate::ask::held(&mut six, at::valid(23)).await;
    assert_eq!(latest, fixture::AT_23_6, "nothing came later");
    six.stop().await;
}

#[tokio::test]
async fn receipts_episodes_and_vectors_of_callers_are_restored() {
    let mut server = Server::without_embedder().await;
    let vector = |name: &str, numbers: &[f32]| with_vector(fact(name, "p", "x", 0, None), numbers);
    let request = proto::TransactRequest {
        request_id: "once".to_owned(),
        ..request(vec![vector("ann", &[1.0, 0.0])])
    };
    let first = server.facts.transact(request.clone()).await.expect("taken").into_inner();
    let mut shelf = Shelf::new();
    shelf.back_up(&mut server).await;
    write(&mut server, 5, vec![vector("bob", &[0.0, 1.0])]).await;
    let home = Name::new(HOME).expect("a name");
    let policy = Policy { predicates: BTreeMap::new(), ..Policy::default() };
    let set = server.engine.set_policy(&home, policy.clone(), 0, AuditSubject::default()).await;
    assert_eq!(set.expect("set").version, 1);
    let near = proto::RecallRequest {
        vector: Some(proto::Vector { numbers: vec![0.0, 1.0], ..Default::default() }),
        ..question("")
    };
    let before = recall(&mut server, near.clone()).await;
    assert!(texts(&before)[0].contains("bob"), "{:?}", texts(&before));
    tell(&mut server, &["the harbour is closed"]).await;
    shelf.back_up(&mut server).await;
    server.stop().await;
    let restored = shelf.restore("again", Until::End).expect("restored");
    assert_eq!(restored[0].last_tx, TxId::new(3));

    let mut again = Server::open_with(&shelf.target("again"), Models::default()).await;
    again.clock.set(10);
    let record = again.engine.policy_record(&home).expect("there");
    assert_eq!((record.version, &*record.policy), (1, &policy));
    let replayed = again.facts.transact(request).await.expect("known").into_inner();
    assert_eq!(replayed, proto::TransactResponse { replayed: true, ..first });
    let found = recall(&mut again, question("harbour")).await;
    assert_eq!(texts(&found), ["the harbour is closed"]);
    let after = recall(&mut again, near).await;
    assert_eq!(after.hits, before.hits);
    let request = proto::VerifyRequest { namespace: HOME.to_owned() };
    let verified = again.admin.verify(request).await.expect("an answer").into_inner();
    assert!(verified.clean, "{:?}", verified.differences);
    assert_eq!(verified.vectors, 2);
    again.stop().await;
}

#[tokio::test]
async fn all_namespaces_are_copied_and_one_that_was_deleted_stays_away() {
    let mut server = Server::start().await;
    server.create_namespace("second").await;
    write(&mut server, 1, vec![fact("a", "p", "b", 0, None)]).await;
    let mut shelf = Shelf::new();
    let all = proto::BackupRequest::default();
    let bytes = backup(&mut server, all.clone()).await.expect("a backup");
    shelf.keep(&bytes);
    let restored = shelf.restore("both", Until::End).expect("restored");
    assert_eq!(restored.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), [HOME, "second"]);
    let one = shelf.restore("one", Until::Tx(TxId::new(1)));
    assert_eq!(reasons(one), ["RESTORE_POINT_AMBIGUOUS"]);
    let delete = proto::DeleteNamespaceRequest { name: "second".to_owned() };
    server.admin.delete_namespace(delete).await.expect("deleted");
    let bases = base(1, &[]);
    let bytes = backup(&mut server, proto::BackupRequest { bases, ..all }).await.expect("a backup");
    shelf.keep(&bytes);
    let restored = shelf.restore("later", Until::End).expect("restored");
    assert_eq!(restored.len(), 1);
    server.stop().await;
    // An id is never given twice, also after a restore.
    let mut again = Server::open(&shelf.target("both")).await;
    again.create_namespace("third").await;
    let ids = again.engine.namespaces().iter().map(|info| info.id.raw()).collect::<Vec<_>>();
    assert_eq!(ids, [1, 2, 3]);
    again.stop().await;
}

#[tokio::test]
async fn files_that_do_not_follow_one_another_are_refused_and_nothing_is_left() {
    let mut server = Server::start().await;
    let mut shelf = Shelf::new();
    for clock in 1..=3 {
        write(&mut server, clock, vec![fact("a", "p", &format!("o{clock}"), 0, None)]).await;
        shelf.back_up(&mut server).await;
    }
    let mut other = Server::start().await;
    for clock in 1..=2 {
        write(&mut other, clock, vec![fact("z", "p", &format!("o{clock}"), 0, None)]).await;
    }
    let foreign = backup(&mut other, asked(base(1, &[]))).await.expect("a backup");
    let foreign = shelf.keep(&foreign);
    let [full, second, third, _] = shelf.files.clone().try_into().expect("four files");
    let target = shelf.target("none");
    let refused = |files: &[&PathBuf], until| {
        let files: Vec<PathBuf> = files.iter().map(|path| (*path).clone()).collect();
        reasons(restored(&files, &target, until))
    };
    assert_eq!(refused(&[&second], Until::End), ["BACKUP_GAP"], "without a full one");
    assert_eq!(refused(&[&full, &third], Until::End), ["BACKUP_GAP"]);
    assert_eq!(refused(&[&full, &third, &second], Until::End), ["BACKUP_GAP"]);
    assert_eq!(refused(&[&second, &third], Until::End), ["BACKUP_GAP", "BACKUP_GAP"], "both told");
    assert_eq!(refused(&[&full, &foreign], Until::End), ["BACKUP_FOREIGN"]);
    let late = Until::Tx(TxId::new(3));
    assert_eq!(refused(&[&full, &second], late), ["RESTORE_POINT_UNKNOWN"]);
    let missing = shelf.folder.path().join("missing");
    assert_eq!(refused(&[&full, &missing], Until::End), ["BACKUP_UNREADABLE"]);
    assert!(shelf.is_clean());
    fs::create_dir(&target).expect("a directory");
    fs::write(target.join("something"), "").expect("writes");
    assert_eq!(refused(&[&full], Until::End), ["RESTORE_TARGET_EXISTS"]);
    assert_eq!(fs::read_dir(&target).expect("it is there").count(), 1, "it is as it was");
    fs::remove_file(target.join("something")).expect("removes");
    restored(&[full, second, third], &target, Until::End).expect("an empty one is used");
    server.stop().await;
    other.stop().await;
}

#[tokio::test]
async fn a_damaged_backup_is_refused_wherever_it_is_damaged() {
    let mut server = Server::start().await;
    write(&mut server, 1, vec![fact("a", "p", "b", 0, None)]).await;
    tell(&mut server, &["a note"]).await;
    let mut shelf = Shelf::new();
    let path = shelf.back_up(&mut server).await;
    server.stop().await;
    let whole = fs::read(&path).expect("reads");
    let refused = |bytes: &[u8], what: &str| {
        fs::write(&path, bytes).expect("writes");
        let found = reasons(shelf.restore("none", Until::End));
        assert_eq!(found.len(), 1, "{what}");
        assert!(["BACKUP_DAMAGED", "BACKUP_FORMAT"].contains(&found[0]), "{what}: {found:?}");
        assert!(shelf.is_clean(), "{what}");
    };
    for place in 0..whole.len() {
        let mut flipped = whole.clone();
        flipped[place] ^= 1 << (place % 8);
        refused(&flipped, &format!("byte {place}"));
    }
    for length in (0..whole.len()).step_by(3) {
        refused(&whole[..length], &format!("{length} bytes"));
    }
    refused(&[whole.as_slice(), b"more"].concat(), "more bytes");
    fs::write(&path, &whole).expect("writes");
    shelf.restore("whole", Until::End).expect("it was only that");
}

#[tokio::test]
async fn a_base_that_does_not_fit_is_refused_before_anything_is_copied() {
    let mut server = Server::start().await;
    write(&mut server, 1, vec![fact("a", "p", "b", 0, None)]).await;
    let foreign = (Code::FailedPrecondition, "BACKUP_BASE_FOREIGN".to_owned());
    for bases in [base(2, &[]), base(1, &[7; 32])] {
        assert_eq!(refused(server.admin.backup(asked(bases)).await), foreign);
    }
    let status = server.admin.backup(asked(base(1, &[7; 31]))).await.expect_err("refused");
    let malformed = ("bases[0].head".to_owned(), "MALFORMED_FIELD".to_owned());
    assert_eq!(violations(&status), [malformed]);
    // Nothing new is a backup too.
    let mut shelf = Shelf::new();
    shelf.back_up(&mut server).await;
    shelf.back_up(&mut server).await;
    shelf.restore("same", Until::End).expect("restored");
    server.stop().await;
}

/// The transaction that the earlier backup ends with is none of those that were rewritten.
#[tokio::test]
async fn an_erasure_ends_a_backup_and_a_row_of_them() {
    let mut server = Server::start().await;
    for (tx, object) in (1..).zip(["b", "c"]) {
        write(&mut server, tx, vec![fact("a", "p", object, 0, None)]).await;
    }
    let mut shelf = Shelf::new();
    shelf.back_up(&mut server).await;
    let mut running = server.engine.backup(None, &[]).expect("it begins");
    running.step().expect("the first bytes");
    let what = proto::erase_request::What::FactId("e0-p0-e1".to_owned());
    let request =
        proto::EraseRequest { namespace: HOME.to_owned(), what: Some(what), ..Default::default() };
    server.admin.erase(request).await.expect("it is erased");
    assert!(matches!(running.step(), Err(BackupError::Overtaken { .. })));
    let foreign = (Code::FailedPrecondition, "BACKUP_BASE_FOREIGN".to_owned());
    assert_eq!(refused(server.admin.backup(asked(base(2, &[]))).await), foreign);
    // From the note of the erasure on they follow one another again.
    let mut shelf = Shelf::new();
    shelf.back_up(&mut server).await;
    write(&mut server, 4, vec![fact("a", "p", "d", 0, None)]).await;
    shelf.back_up(&mut server).await;
    shelf.restore("after", Until::End).expect("restored");
    server.stop().await;
}

#[tokio::test]
async fn a_backup_while_others_write_is_a_point_of_their_history() {
    let mut server = Server::start().await;
    let facts = server.facts.clone();
    let writer = tokio::spawn(async move {
        let mut facts = facts;
        for number in 0..200 {
            let operation = fact("a", "p", &format!("object {number}"), number, None);
            facts.transact(request(vec![operation])).await.expect("taken");
        }
    });
    let mut shelf = Shelf::new();
    for number in 0..5 {
        write(&mut server, 1, vec![fact("b", "p", &format!("own {number}"), 0, None)]).await;
        shelf.back_up(&mut server).await;
    }
    writer.await.expect("it writes");
    let restored = shelf.restore("then", Until::End).expect("restored");
    let original = export(&mut server, HOME).await;
    server.stop().await;
    let mut again = Server::open(&shelf.target("then")).await;
    let copy = export(&mut again, HOME).await;
    assert_eq!(copy.len() as u64, restored[0].last_tx.raw());
    assert!(copy[..] == original[..copy.len()], "the copy begins as the original does");
    verify(&mut again, HOME).await;
    again.stop().await;
}

#[tokio::test]
async fn a_backup_is_restored_into_an_encrypted_directory_and_taken_from_one() {
    let mut server = Server::start().await;
    fixture::load(&mut server).await;
    let mut shelf = Shelf::new();
    shelf.back_up(&mut server).await;
    let before = export(&mut server, HOME).await;
    server.stop().await;
    let key = Some(EncryptionKey::new([3; 32]));
    let (files, directory) = (shelf.files.clone(), shelf.target("closed"));
    let request = Restore { files, directory, key: key.clone(), until: Until::End, forget: None };
    restore(&request).expect("restored");
    let mut again = Server::open_keyed(&shelf.target("closed"), Models::built_in(), key).await;
    assert!(export(&mut again, HOME).await == before);
    let bytes = backup(&mut again, asked(Vec::new())).await.expect("a backup");
    let mut second = Shelf::new();
    second.keep(&bytes);
    second.restore("open", Until::End).expect("restored");
    again.stop().await;
    let mut plain = Server::open(&second.target("open")).await;
    assert!(export(&mut plain, HOME).await == before);
    plain.stop().await;
}

/// Nothing else is called like that.
const TOKEN: &str = "Zebedee7Kwan";

/// A fact of one source that is erased after the first backup, beside one of another.
async fn erased_between(server: &mut Server, shelf: &mut Shelf) -> (PathBuf, PathBuf) {
    let said = |subject: &str, source: &str| {
        said_by(fact(subject, "knows", "bob", 0, None), source, proto::Trust::Stated)
    };
    write(server, 1, vec![said(TOKEN, "s1")]).await;
    write(server, 2, vec![said("ann", "s2")]).await;
    let old = shelf.back_up(server).await;
    write(server, 3, vec![said("eve", "s1"), said("joe", "s2")]).await;
    let what = proto::erase_request::What::Source("s1".to_owned());
    let request =
        proto::EraseRequest { namespace: HOME.to_owned(), what: Some(what), ..Default::default() };
    server.admin.erase(request).await.expect("it is erased");
    let bytes = backup(server, asked(Vec::new())).await.expect("a backup");
    (old, shelf.keep(&bytes))
}

fn forgetting(file: &Path, forget: &Path, directory: &Path) -> Result<Vec<Restored>, RestoreError> {
    let (files, directory) = (vec![file.to_owned()], directory.to_owned());
    let forget = Some(forget.to_owned());
    restore(&Restore { files, directory, key: None, until: Until::End, forget })
}

#[tokio::test]
async fn what_was_erased_since_does_not_come_back_with_an_older_backup() {
    let mut server = Server::start().await;
    let mut shelf = Shelf::new();
    let (old, new) = erased_between(&mut server, &mut shelf).await;
    server.stop().await;
    let target = shelf.target("with");
    restored(std::slice::from_ref(&old), &target, Until::End).expect("restored");
    assert!(!holding(&target, TOKEN).is_empty(), "an old backup holds it");
    let target = shelf.target("without");
    let restored = forgetting(&old, &new, &target).expect("restored");
    assert_eq!(restored, [Restored { name: HOME.to_owned(), last_tx: TxId::new(3), erasures: 1 }]);
    assert_eq!(holding(&target, TOKEN), Vec::<PathBuf>::new());
    let mut again = Server::open(&target).await;
    assert_eq!(snapshot(&mut again, 10, 3).await, ["ann knows bob"]);
    assert_eq!(snapshot(&mut again, 10, 1).await, Vec::<String>::new());
    let request = proto::ListFactsRequest {
        namespace: HOME.to_owned(),
        as_of: at::tx(5, 1),
        ..Default::default()
    };
    let answer = again.facts.list_facts(request).await.expect("an answer").into_inner();
    assert!(answer.basis.is_some_and(|basis| basis.erased), "the past says so");
    verify(&mut again, HOME).await;
    again.stop().await;
    // It holds nothing that is not erased already.
    let target = shelf.target("new");
    let restored = forgetting(&new, &new, &target).expect("restored");
    assert_eq!((restored[0].erasures, restored[0].last_tx), (0, TxId::new(4)));
}

#[tokio::test]
async fn a_receipt_of_an_erasure_is_restored_and_its_number_not_given_again() {
    let mut server = Server::start().await;
    let mut shelf = Shelf::new();
    let (_, new) = erased_between(&mut server, &mut shelf).await;
    let listed = |answer: tonic::Response<proto::ListErasuresResponse>| {
        answer.into_inner().erasures.into_iter().map(|erasure| erasure.id).collect::<Vec<_>>()
    };
    let request = proto::ListErasuresRequest { namespace: HOME.to_owned(), ..Default::default() };
    let before = listed(server.admin.list_erasures(request.clone()).await.expect("receipts"));
    server.stop().await;
    restored(&[new], &shelf.target("new"), Until::End).expect("restored");
    let mut again = Server::open(&shelf.target("new")).await;
    let after = listed(again.admin.list_erasures(request.clone()).await.expect("receipts"));
    assert!(after == before && after.len() == 1, "{after:?}");
    let what = proto::erase_request::What::Source("s2".to_owned());
    let erase =
        proto::EraseRequest { namespace: HOME.to_owned(), what: Some(what), ..Default::default() };
    again.admin.erase(erase).await.expect("it is erased");
    assert_eq!(listed(again.admin.list_erasures(request).await.expect("receipts")).len(), 2);
    again.stop().await;
}

#[tokio::test]
async fn a_backup_that_cannot_tell_what_was_erased_is_refused() {
    let mut server = Server::start().await;
    let mut shelf = Shelf::new();
    let (old, new) = erased_between(&mut server, &mut shelf).await;
    write(&mut server, 5, vec![fact("a", "p", "d", 0, None)]).await;
    let part = shelf.back_up(&mut server).await;
    server.stop().await;
    let home = tempfile::tempdir().expect("a place for data");
    let mut other = Server::open(home.path()).await;
    other.clock.set(9);
    other.create_namespace(HOME).await;
    let foreign = backup(&mut other, asked(Vec::new())).await.expect("a backup");
    other.stop().await;
    let foreign = shelf.keep(&foreign);
    // A server over the old backup, whose past is another from there on.
    restored(std::slice::from_ref(&old), &shelf.target("fork"), Until::End).expect("restored");
    let mut fork = Server::open(&shelf.target("fork")).await;
    write(&mut fork, 7, vec![fact("tim", "knows", "bob", 0, None)]).await;
    fork.clock.set(2);
    let bytes = backup(&mut fork, asked(Vec::new())).await.expect("a backup");
    fork.stop().await;
    fs::remove_dir_all(shelf.target("fork")).expect("it was only for that");
    let fork = shelf.keep(&bytes);
    let target = shelf.target("none");
    let refused = |file: &Path, forget: &Path| reasons(forgetting(file, forget, &target));
    assert_eq!(refused(&new, &old), ["BACKUP_OLDER"]);
    assert_eq!(refused(&old, &part), ["BACKUP_PARTIAL"]);
    assert_eq!(refused(&old, &foreign), ["BACKUP_FOREIGN"]);
    assert_eq!(refused(&fork, &new), ["BACKUP_FOREIGN"], "ids mean something else there");
    assert_eq!(refused(&old, &shelf.target("absent")), ["BACKUP_UNREADABLE"]);
    let untold = shelf.keep(&without_receipts(&fs::read(&new).expect("a file")));
    assert_eq!(refused(&old, &untold), ["BACKUP_PARTIAL"], "of before there were receipts");
    assert!(shelf.is_clean(), "nothing was made");
}

/// The backup as a program wrote it that kept no receipts of erasures.
fn without_receipts(file: &[u8]) -> Vec<u8> {
    let (head, end) = file.split_at(file.len() - 48);
    let length = u64::from_le_bytes(end[..8].try_into().expect("8 bytes"));
    let (parts, manifest) = head.split_at(head.len() - usize::try_from(length).expect("short"));
    let mut manifest: serde_json::Value = serde_json::from_slice(manifest).expect("JSON");
    let namespace = manifest["namespaces"][0].as_object_mut().expect("a namespace");
    assert!(namespace.remove("erasures").is_some_and(|all| all != serde_json::json!([])));
    let manifest = serde_json::to_vec(&manifest).expect("JSON");
    let length = (manifest.len() as u64).to_le_bytes();
    let hash = Sha256::digest(&manifest);
    [parts, &manifest, &length, &hash, &end[40..]].concat()
}

#[tokio::test]
async fn a_restore_of_nothing_but_what_is_gone_says_so() {
    let mut server = Server::start().await;
    let mut shelf = Shelf::new();
    write(&mut server, 1, vec![fact("a", "p", "b", 0, None)]).await;
    let old = shelf.back_up(&mut server).await;
    let delete = proto::DeleteNamespaceRequest { name: HOME.to_owned() };
    server.admin.delete_namespace(delete).await.expect("deleted");
    server.create_namespace("other").await;
    let all = proto::BackupRequest::default();
    let bytes = backup(&mut server, all).await.expect("a backup");
    server.stop().await;
    let new = shelf.keep(&bytes);
    let refused = reasons(forgetting(&old, &new, &shelf.target("none")));
    assert_eq!(refused, ["RESTORE_NOTHING_LEFT"]);
    assert!(shelf.is_clean(), "nothing was made");
}

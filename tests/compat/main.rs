//! Data directories of every released format, read by this program: `data/v<format>/tenure.redb.gz`
//! is one file as it was written then, `answers.txt` is what it answered. With `UPDATE=1` in the
//! environment the directory of the present format is written anew; do so only before its release.

#[path = "../support/mod.rs"]
mod support;

mod answers;
mod written;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use tempfile::TempDir;
use tenure::store::FORMAT_VERSION;

use support::Server;

const PACKED_BYTES_MAX: u64 = 100 * 1_024;
/// The commit time of a write after the directory was packed.
const LATER: i64 = 10_000;

fn folder(format: u32) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/compat/data/v{format}"))
}

fn unpacked(format: u32) -> TempDir {
    let home = tempfile::tempdir().expect("a place for data");
    let packed = File::open(folder(format).join("tenure.redb.gz")).expect("every format has one");
    let length = packed.metadata().expect("a file").len();
    assert!(length < PACKED_BYTES_MAX, "{length} bytes are too many for the repository");
    let mut file = File::create(home.path().join("tenure.redb")).expect("a file");
    io::copy(&mut GzDecoder::new(packed), &mut file).expect("it unpacks");
    home
}

/// Shows the first line that differs, not a page.
fn same(found: &str, expected: &str, format: u32) {
    for (found, expected) in found.lines().zip(expected.lines()) {
        assert_eq!(found, expected, "format {format}");
    }
    assert_eq!(found.lines().count(), expected.lines().count(), "format {format}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_format_is_read_and_written_on() {
    let update = std::env::var_os("UPDATE").is_some();
    if update {
        written::write(&folder(FORMAT_VERSION)).await;
    }
    for format in 1..=FORMAT_VERSION {
        let home = unpacked(format);
        let mut server = Server::open(home.path()).await;
        server.clock.set(LATER);
        let found = answers::answers(&mut server).await;
        let page = folder(format).join("answers.txt");
        if update && format == FORMAT_VERSION {
            fs::write(&page, &found).expect("writes");
        }
        same(&found, &fs::read_to_string(&page).expect("every format has one"), format);
        answers::goes_on(&mut server).await;
        server.stop().await;
        let mut server = Server::open(home.path()).await;
        server.clock.set(LATER);
        answers::answers(&mut server).await;
        server.stop().await;
    }
}

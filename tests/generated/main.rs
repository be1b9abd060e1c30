//! What is made from `proto/` is what `proto/` says: `src/rpc/generated`, the reference in
//! `docs/api.md`, and `docs/openapi.json`. `UPDATE=1 cargo test --test generated` writes all anew.

mod reference;

use std::path::{Path, PathBuf};
use std::{env, fs};

use prost::Message;
use prost_types::FileDescriptorSet;

const PROTOS: [&str; 7] = [
    "tenure/v1/time.proto",
    "tenure/v1/record.proto",
    "tenure/v1/fact_service.proto",
    "tenure/v1/graph_service.proto",
    "tenure/v1/policy.proto",
    "tenure/v1/memory_service.proto",
    "tenure/v1/admin_service.proto",
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every proto, with its comments.
fn descriptors() -> FileDescriptorSet {
    let files = PROTOS.map(|proto| root().join("proto").join(proto));
    protox::compile(files, [root().join("proto")]).expect("the protos compile")
}

/// Generates code into `out` and returns the files made.
fn generate(out: &Path) -> Vec<(String, Vec<u8>)> {
    let descriptors = descriptors();
    tonic_prost_build::configure()
        .out_dir(out)
        .emit_rerun_if_changed(false)
        .compile_fds(descriptors.clone())
        .expect("code generation");
    let code = fs::read(out.join("tenure.v1.rs")).expect("one file a package");
    vec![
        ("tenure.v1.rs".to_owned(), code),
        ("descriptor.bin".to_owned(), descriptors.encode_to_vec()),
    ]
}

#[test]
fn generated_code_is_what_the_protos_say() {
    let out = tempfile::tempdir().expect("a place to generate into");
    let home = root().join("src/rpc/generated");
    for (name, fresh) in generate(out.path()) {
        hold(&home.join(&name), &fresh);
    }
}

#[test]
fn the_reference_is_what_the_protos_say() {
    let path = root().join("docs/api.md");
    let page = fs::read_to_string(&path).expect("a page");
    let fresh = reference::filled(&page, &descriptors()).unwrap_or_else(|fault| panic!("{fault}"));
    hold(&path, fresh.as_bytes());
}

#[test]
fn the_openapi_document_is_what_the_protos_say() {
    let fresh = serde_json::to_string_pretty(&tenure::http::openapi()).expect("JSON") + "\n";
    hold(&root().join("docs/openapi.json"), fresh.as_bytes());
}

/// The file at `path` holds `fresh`, or is written anew where that was asked for.
fn hold(path: &Path, fresh: &[u8]) {
    if env::var_os("UPDATE").is_some() {
        fs::write(path, fresh).expect("the tree is writable");
    }
    let kept = fs::read(path).unwrap_or_default();
    let name = path.display();
    assert!(kept == fresh, "{name} is stale: run UPDATE=1 cargo test --test generated");
}

//! `src/rpc/generated` and `docs/openapi.json` are what `proto/` says. `UPDATE=1 cargo test --test generated` writes it anew.

use std::path::{Path, PathBuf};
use std::{env, fs};

use prost::Message;

const PROTOS: [&str; 6] = [
    "tenure/v1/time.proto",
    "tenure/v1/record.proto",
    "tenure/v1/fact_service.proto",
    "tenure/v1/graph_service.proto",
    "tenure/v1/memory_service.proto",
    "tenure/v1/admin_service.proto",
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Compiles every proto into `out` and returns the files made.
fn generate(out: &Path) -> Vec<(String, Vec<u8>)> {
    let files = PROTOS.map(|proto| root().join("proto").join(proto));
    let descriptors = protox::compile(files, [root().join("proto")]).expect("the protos compile");
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
        let path = home.join(&name);
        if env::var_os("UPDATE").is_some() {
            fs::write(&path, &fresh).expect("the tree is writable");
        }
        let kept = fs::read(&path).unwrap_or_default();
        assert!(kept == fresh, "{name} is stale: run UPDATE=1 cargo test --test generated");
    }
}

#[test]
fn the_openapi_document_is_what_the_protos_say() {
    let path = root().join("docs/openapi.json");
    let fresh = serde_json::to_string_pretty(&tenure::http::openapi()).expect("JSON") + "\n";
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, &fresh).expect("the tree is writable");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == fresh, "docs/openapi.json is stale: run UPDATE=1 cargo test --test generated");
}

//! The taste of the repository, as tests: layers, lengths, contents pages, dead files, links.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What a layer may import from the crate, and which outside crates it must keep away from.
struct Layer {
    folder: &'static str,
    may_use: &'static [&'static str],
    never: &'static [&'static str],
}

const IO: &[&str] = &[
    "tokio",
    "tonic",
    "prost",
    "redb",
    "petgraph",
    "std::fs",
    "std::net",
    "std::thread",
    "SystemTime",
    "Instant::now",
    "chrono",
    "rand",
];

const LAYERS: &[Layer] = &[
    Layer { folder: "types", may_use: &["types"], never: IO },
    Layer { folder: "kernel", may_use: &["types", "kernel"], never: IO },
    Layer {
        folder: "store",
        may_use: &["types", "kernel", "store"],
        never: &["tokio", "tonic", "prost", "petgraph", "SystemTime", "Instant::now", "chrono"],
    },
    Layer {
        folder: "view",
        may_use: &["types", "kernel", "view"],
        never: &["tokio", "tonic", "prost", "redb", "SystemTime", "Instant::now", "chrono"],
    },
    Layer {
        folder: "query",
        may_use: &["types", "kernel", "view", "store", "query"],
        never: &["tokio", "tonic", "prost", "redb", "SystemTime", "Instant::now", "chrono"],
    },
    Layer {
        folder: "engine",
        may_use: &["types", "kernel", "store", "view", "query", "engine"],
        never: &["tonic", "prost", "redb", "chrono"],
    },
    Layer {
        folder: "models",
        may_use: &["types", "models"],
        never: &["tonic", "prost", "redb", "petgraph", "tantivy", "hnsw_rs", "clap"],
    },
    Layer {
        folder: "agent",
        may_use: &["types", "kernel", "query", "engine", "models", "agent"],
        never: &[
            "tokio",
            "tonic",
            "prost",
            "redb",
            "petgraph",
            "tantivy",
            "hnsw_rs",
            "clap",
            "SystemTime",
        ],
    },
    Layer {
        folder: "rpc",
        may_use: &["types", "kernel", "query", "engine", "models", "agent", "rpc"],
        never: &["redb", "petgraph", "tantivy", "hnsw_rs", "clap"],
    },
    Layer {
        folder: "auth",
        may_use: &["types", "engine", "rpc", "auth"],
        never: &["redb", "petgraph", "tantivy", "hnsw_rs", "clap"],
    },
    Layer {
        folder: "client",
        may_use: &["types", "rpc", "client"],
        never: &["redb", "petgraph", "clap"],
    },
    Layer {
        folder: "http",
        may_use: &["types", "rpc", "auth", "http"],
        never: &["redb", "petgraph", "tantivy", "hnsw_rs", "clap"],
    },
    Layer {
        folder: "mcp",
        may_use: &["types", "rpc", "mcp"],
        never: &["redb", "petgraph", "tantivy", "hnsw_rs", "clap"],
    },
    Layer {
        folder: "eval",
        may_use: &["types", "rpc", "client", "models", "eval"],
        never: &["redb", "petgraph", "tantivy", "hnsw_rs", "clap"],
    },
    Layer {
        folder: "cli",
        may_use: &["rpc", "types", "client", "mcp", "models", "eval", "cli", "server"],
        never: &["redb", "petgraph"],
    },
    Layer {
        folder: "server",
        may_use: &["types", "engine", "models", "rpc", "auth", "http", "mcp", "server"],
        never: &["redb", "petgraph"],
    },
];

const FUNCTION_LINES_MAX: usize = 70;
const FILE_LINES_MAX: usize = 450;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn files(under: &str, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(under)];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.expect("a readable folder").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let skipped = ["generated", "target", "node_modules"].contains(&name);
            if path.is_dir() && !skipped && !name.starts_with('.') {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("a readable text")
}

fn shown(path: &Path) -> String {
    path.strip_prefix(root()).expect("inside the repository").display().to_string()
}

/// Lines of code, without comments and without the tests at the end of the file.
fn code(text: &str) -> Vec<&str> {
    let lines = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]"));
    lines.filter(|line| !line.trim_start().starts_with("//")).collect()
}

fn report(faults: &[String]) {
    assert!(faults.is_empty(), "{} fault(s):\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn layers_import_only_what_is_below_them() {
    let mut faults = Vec::new();
    for layer in LAYERS {
        for path in files(&format!("src/{}", layer.folder), "rs") {
            let text = read(&path);
            for line in code(&text) {
                for used in line.split("crate::").skip(1) {
                    let word: String =
                        used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                    if !word.is_empty() && !layer.may_use.contains(&word.as_str()) {
                        faults.push(format!(
                            "{}: {} may not use {word}",
                            shown(&path),
                            layer.folder
                        ));
                    }
                }
                for word in layer.never {
                    let direct = line.contains(&format!("use {word}"))
                        || line.contains(&format!("{word}::"));
                    if direct {
                        faults.push(format!(
                            "{}: {} keeps away from {word}",
                            shown(&path),
                            layer.folder
                        ));
                    }
                }
            }
        }
    }
    report(&faults);
}

#[test]
fn views_are_siblings() {
    let mut faults = Vec::new();
    for path in files("src/view", "rs") {
        let own = shown(&path).split('/').nth(2).unwrap_or_default().to_owned();
        for line in code(&read(&path)) {
            for used in line.split("view::").skip(1) {
                let word: String = used.chars().take_while(|c| c.is_alphanumeric()).collect();
                if ["graph", "text", "vector"].contains(&word.as_str()) && word != own {
                    faults.push(format!("{}: uses the view {word}", shown(&path)));
                }
            }
        }
    }
    report(&faults);
}

#[test]
fn functions_fit_a_screen_and_files_hold_one_noun() {
    let mut faults = Vec::new();
    for path in files("src", "rs") {
        let text = read(&path);
        let lines = text.lines().count();
        if lines > FILE_LINES_MAX {
            faults.push(format!("{}: {lines} lines", shown(&path)));
        }
        for (name, length) in functions(&text) {
            if length > FUNCTION_LINES_MAX {
                faults.push(format!("{}: fn {name} has {length} lines", shown(&path)));
            }
        }
    }
    report(&faults);
}

/// Names and lengths of functions, by their indentation, which rustfmt makes reliable.
fn functions(text: &str) -> Vec<(String, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        let trimmed = line.trim_start();
        let Some(at) = trimmed.find("fn ") else { continue };
        let head = &trimmed[..at];
        let is_function = head.split_whitespace().all(|word| {
            word.starts_with("pub") || ["const", "async", "in", "crate::kernel)"].contains(&word)
        });
        if !is_function {
            continue;
        }
        let indent = &line[..line.len() - trimmed.len()];
        let end = lines[place..].iter().position(|line| *line == format!("{indent}}}"));
        let name = trimmed[at + 3..].chars().take_while(|c| c.is_alphanumeric() || *c == '_');
        found.push((name.collect(), end.map_or(1, |end| end + 1)));
    }
    found
}

#[test]
fn contents_pages_hold_contents_only() {
    let mut faults = Vec::new();
    for path in files("src", "rs") {
        if path.file_name().is_some_and(|name| name != "mod.rs") {
            continue;
        }
        let text = read(&path);
        let mut inside_use = false;
        for line in code(&text) {
            let starts_use = line.starts_with("pub use") || line.starts_with("pub(super) use");
            let starts_use =
                starts_use || line.starts_with("pub(crate) use") || line.starts_with("pub(in");
            let is_mod = line.contains("mod ") && line.ends_with(';');
            let is_attribute = line.starts_with("#[");
            if !(line.is_empty() || inside_use || starts_use || is_mod || is_attribute) {
                faults.push(format!("{}: {line}", shown(&path)));
            }
            inside_use = (starts_use || inside_use) && !line.ends_with(';');
        }
    }
    report(&faults);
}

#[test]
fn every_module_says_what_it_is_and_is_declared() {
    let mut faults = Vec::new();
    for path in files("src", "rs").into_iter().filter(|path| !holds_tests(path)) {
        let text = read(&path);
        if !text.starts_with("//!") {
            faults.push(format!("{}: does not say what it is", shown(&path)));
        }
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a file name");
        if ["lib", "main"].contains(&name) {
            continue;
        }
        let (home, module) = match name {
            "mod" => {
                let folder = path.parent().expect("inside src");
                let module = folder.file_name().and_then(|name| name.to_str()).expect("a name");
                (folder.parent().expect("inside src"), module)
            }
            other => (path.parent().expect("inside src"), other),
        };
        let parents = ["mod.rs", "lib.rs", "main.rs"].map(|parent| home.join(parent));
        let declared = parents.iter().filter_map(|parent| fs::read_to_string(parent).ok());
        if !declared.into_iter().any(|text| text.contains(&format!("mod {module};"))) {
            faults.push(format!("{}: no module declares it", shown(&path)));
        }
    }
    report(&faults);
}

#[test]
fn nothing_is_left_to_do() {
    let mut faults = Vec::new();
    let marks = ["TODO", "FIXME", "XXX:", "todo!(", "unimplemented!(", "dbg!("];
    for path in files("src", "rs").into_iter().chain(files("proto", "proto")) {
        for (place, line) in read(&path).lines().enumerate() {
            if marks.iter().any(|mark| line.contains(mark)) {
                faults.push(format!("{}:{}: {}", shown(&path), place + 1, line.trim()));
            }
            if line.contains(".unwrap()") && !in_tests(&path, place) {
                faults.push(format!("{}:{}: unwrap", shown(&path), place + 1));
            }
        }
    }
    report(&faults);
}

/// Files that hold only tests are said and declared by the module they test.
fn holds_tests(path: &Path) -> bool {
    let shown = shown(path);
    shown.ends_with("/tests.rs") || shown.contains("/tests/")
}

fn in_tests(path: &Path, place: usize) -> bool {
    let text = read(path);
    let tests = text.lines().position(|line| line.starts_with("#[cfg(test)]"));
    tests.is_some_and(|tests| place > tests) || holds_tests(path)
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut faults = Vec::new();
    let mut documents = files("docs", "md");
    documents.extend(files("clients", "md"));
    documents.extend(["README.md", "demo/README.md"].map(|name| root().join(name)));
    for path in documents {
        let folder = path.parent().expect("inside the repository");
        for target in read(&path).split("](").skip(1) {
            let target = target.split(')').next().unwrap_or_default();
            let file = target.split('#').next().unwrap_or_default();
            let outside = target.contains("://") || file.is_empty();
            if !outside && !folder.join(file).exists() {
                faults.push(format!("{}: {target}", shown(&path)));
            }
        }
    }
    report(&faults);
}

#[test]
fn every_limit_is_used() {
    let text = read(&root().join("src/types/limits.rs"));
    let names: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("pub const "))
        .filter_map(|line| line.split(':').next())
        .collect();
    let mut uses: BTreeMap<&str, usize> = names.iter().map(|name| (*name, 0)).collect();
    for path in files("src", "rs") {
        if path.ends_with("limits.rs") {
            continue;
        }
        let text = read(&path);
        for (name, count) in &mut uses {
            *count += usize::from(text.contains(name));
        }
    }
    let unused = uses.into_iter().filter(|(_, count)| *count == 0);
    report(&unused.map(|(name, _)| format!("{name} bounds nothing")).collect::<Vec<_>>());
}

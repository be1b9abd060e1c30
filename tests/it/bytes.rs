//! The bytes of a data directory.

use std::fs;
use std::path::{Path, PathBuf};

/// Every file under a folder, with its bytes.
fn files(home: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(home).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            let bytes = fs::read(&path).expect("a file");
            found.push((path, bytes));
        }
    }
    found
}

/// The files that hold a token in UTF-8 or UTF-16, in the spelling given or in lower case.
pub(crate) fn holding(home: &Path, token: &str) -> Vec<PathBuf> {
    let mut wanted = Vec::new();
    for text in [token.to_owned(), token.to_lowercase()] {
        wanted.push(text.encode_utf16().flat_map(u16::to_le_bytes).collect());
        wanted.push(text.encode_utf16().flat_map(u16::to_be_bytes).collect());
        wanted.push(text.into_bytes());
    }
    let holds = |bytes: &[u8]| {
        wanted.iter().any(|wanted: &Vec<u8>| bytes.windows(wanted.len()).any(|at| at == wanted))
    };
    files(home).into_iter().filter(|(_, bytes)| holds(bytes)).map(|(path, _)| path).collect()
}

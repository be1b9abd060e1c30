//! The graph on disk, so that a restart need not build it again.
//!
//! ```text
//! graph.manifest            format, parameters, generation, length and checksum of each file
//! graph-<generation>.hnsw.graph, .hnsw.data     as `hnsw_rs` writes them
//! graph-<generation>.nodes                      the hash of each node's vector, by node
//! ```
//!
//! The manifest is renamed into place last. A node is known by the hash of its vector, so slots may
//! be loaded in any order, and may be more or fewer than those the graph knew: what it lacks waits,
//! what it has too much is dead.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::graph::{EF_CONSTRUCTION, Graph, LINKS};
use super::view::VectorView;

const MAGIC: [u8; 8] = *b"TNRVEC01";
const MANIFEST: &str = "graph.manifest";
const ENDINGS: [&str; 3] = ["hnsw.graph", "hnsw.data", "nodes"];
/// Numbers of a manifest.
const NUMBERS: usize = 6;
/// Bytes of a manifest: magic, six numbers, length and checksum of three files, own checksum.
const MANIFEST_BYTES: usize = 8 + NUMBERS * 8 + 3 * (8 + 4) + 4;
/// The hash that stands for a dead node.
const DEAD: u64 = 0;
/// Nodes that are looked up before whoever adds gets a turn.
const CHUNK_NODES: usize = 4_096;

#[derive(Debug, Error)]
pub enum DumpError {
    #[error("the vector graph was not written: {0}")]
    Io(#[from] io::Error),
    #[error("the vector graph was not written: hnsw_rs failed")]
    Graph,
}

/// What came of reading a dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loaded {
    /// The graph is there, with so many nodes that are a vector of this view.
    Fits { nodes: usize },
    /// There is no dump, or a graph already.
    Nothing,
    /// There was a dump, but damaged or made otherwise; it is removed.
    Discarded,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Manifest {
    dimension: u64,
    nodes: u64,
    generation: u64,
    /// Candidates to ask for, as a trial had it; zero without one.
    effort: u64,
    files: [Stamp; 3],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Stamp {
    length: u64,
    checksum: u32,
}

impl VectorView {
    /// Writes the graph to the directory, if there are both. Searches and additions go on, a build
    /// waits.
    ///
    /// # Errors
    /// [`DumpError`]; the dump before this one is then still whole.
    pub fn save(&self) -> Result<(), DumpError> {
        let Some(folder) = &self.directory else { return Ok(()) };
        let _only = self.building();
        let graph = self.graph();
        let Some(graph) = graph.as_ref().filter(|graph| graph.len() > 0 && !self.is_broken())
        else {
            return Ok(());
        };
        fs::create_dir_all(folder)?;
        let before = Manifest::read(folder).map_or(0, |manifest| manifest.generation);
        let generation = before.wrapping_add(1);
        let name = name(generation);
        if !graph.dump(folder, &name).map_err(|_| DumpError::Graph)? {
            return Err(DumpError::Graph);
        }
        let paths = paths(folder, &name);
        let hashes = self.hashes();
        fs::write(
            &paths[2],
            hashes.iter().flat_map(|hash| hash.to_le_bytes()).collect::<Vec<_>>(),
        )?;
        let mut files = [Stamp::default(); 3];
        for (file, path) in files.iter_mut().zip(&paths) {
            File::open(path)?.sync_all()?;
            *file = Stamp::of(path)?;
        }
        let dimension = self.dimension as u64;
        let effort = self.effort().unwrap_or(0) as u64;
        let nodes = graph.len() as u64;
        let manifest = Manifest { dimension, nodes, generation, effort, files };
        manifest.write(folder)?;
        sweep(folder, Some(generation));
        Ok(())
    }

    /// Reads the graph back, once the vectors are there. Until it is, searches scan. It takes some
    /// seconds for a hundred thousand nodes.
    pub fn load(&self) -> Loaded {
        let Some(folder) = &self.directory else { return Loaded::Nothing };
        let mut building = self.building();
        if self.graph().is_some() || !folder.join(MANIFEST).exists() {
            return Loaded::Nothing;
        }
        let Some((graph, hashes, effort)) = self.read_dump(folder) else {
            sweep(folder, None);
            return Loaded::Discarded;
        };
        let mut taken = HashSet::new();
        let mut slots = Vec::with_capacity(hashes.len());
        let mut state = self.write();
        for hash in hashes {
            let slot =
                state.slots.with_hash(hash).filter(|slot| hash != DEAD && taken.insert(*slot));
            slots.push(slot);
        }
        state.links.adopt(slots);
        self.set_graph(graph);
        self.set_effort(Some(effort));
        building.nodes_tried = state.links.node_count();
        Loaded::Fits { nodes: state.links.node_count() - state.links.dead_count() }
    }

    /// The graph, the hash of every node and the effort, if every byte is as it was written.
    fn read_dump(&self, folder: &Path) -> Option<(Graph, Vec<u64>, usize)> {
        let manifest = Manifest::read(folder)?;
        if manifest.dimension != self.dimension as u64 {
            return None;
        }
        let name = name(manifest.generation);
        let paths = paths(folder, &name);
        for (path, stamp) in paths.iter().zip(manifest.files) {
            if Stamp::of(path).ok()? != stamp {
                return None;
            }
        }
        let hashes = fs::read(&paths[2]).ok()?;
        let hashes: Vec<u64> =
            hashes.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
        let graph = Graph::reload(folder, &name, self.dimension)?;
        let whole = graph.len() == hashes.len() && manifest.nodes == hashes.len() as u64;
        let effort = usize::try_from(manifest.effort).ok()?;
        whole.then_some((graph, hashes, effort))
    }

    fn hashes(&self) -> Vec<u64> {
        let mut hashes = Vec::new();
        loop {
            let state = self.read();
            let rest = &state.links.by_node()[hashes.len()..];
            if rest.is_empty() {
                return hashes;
            }
            let chunk = rest.iter().take(CHUNK_NODES);
            hashes.extend(chunk.map(|slot| slot.map_or(DEAD, |slot| state.slots.hash_of(slot))));
        }
    }
}

impl Manifest {
    fn read(folder: &Path) -> Option<Manifest> {
        let bytes = fs::read(folder.join(MANIFEST)).ok()?;
        let bytes: [u8; MANIFEST_BYTES] = bytes.try_into().ok()?;
        let (body, checksum) = bytes.split_last_chunk::<4>()?;
        if u32::from_le_bytes(*checksum) != crc32fast::hash(body) {
            return None;
        }
        let body = body.strip_prefix(&MAGIC)?;
        let (numbers, stamps) = body.split_at(NUMBERS * 8);
        let mut numbers = numbers.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
        let (dimension, nodes, generation) = (numbers.next()?, numbers.next()?, numbers.next()?);
        let effort = numbers.next()?;
        let parameters = (numbers.next()?, numbers.next()?);
        let mut files = [Stamp::default(); 3];
        for (file, bytes) in files.iter_mut().zip(stamps.as_chunks::<12>().0) {
            let (length, checksum) = bytes.split_first_chunk::<8>()?;
            let checksum = u32::from_le_bytes(checksum.try_into().ok()?);
            *file = Stamp { length: u64::from_le_bytes(*length), checksum };
        }
        let manifest = Manifest { dimension, nodes, generation, effort, files };
        (parameters == (LINKS as u64, EF_CONSTRUCTION as u64)).then_some(manifest)
    }

    fn write(&self, folder: &Path) -> io::Result<()> {
        let numbers = [
            self.dimension,
            self.nodes,
            self.generation,
            self.effort,
            LINKS as u64,
            EF_CONSTRUCTION as u64,
        ];
        let mut bytes = MAGIC.to_vec();
        bytes.extend(numbers.into_iter().flat_map(u64::to_le_bytes));
        for file in self.files {
            bytes.extend(file.length.to_le_bytes());
            bytes.extend(file.checksum.to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        let draft = folder.join("graph.manifest.new");
        let mut file = File::create(&draft)?;
        file.write_all(&bytes)?;
        file.sync_all()?;
        fs::rename(&draft, folder.join(MANIFEST))?;
        File::open(folder)?.sync_all()
    }
}

impl Stamp {
    fn of(path: &Path) -> io::Result<Stamp> {
        let mut file = File::open(path)?;
        let mut hasher = crc32fast::Hasher::new();
        let mut buffer = vec![0; 1 << 16];
        let mut length = 0;
        loop {
            let read = file.read(&mut buffer)?;
            if read == 0 {
                return Ok(Stamp { length, checksum: hasher.finalize() });
            }
            hasher.update(&buffer[..read]);
            length += read as u64;
        }
    }
}

fn name(generation: u64) -> String {
    format!("graph-{generation}")
}

fn paths(folder: &Path, name: &str) -> [PathBuf; 3] {
    ENDINGS.map(|ending| folder.join(format!("{name}.{ending}")))
}

/// Removes every dump but one. What cannot be removed is tried again after the next dump.
fn sweep(folder: &Path, kept: Option<u64>) {
    let kept = kept.map(|generation| name(generation) + ".");
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let found = entry.file_name();
        let found = found.to_string_lossy();
        let is_kept = match &kept {
            Some(kept) => found.starts_with(kept.as_str()) || found == MANIFEST,
            None => false,
        };
        if found.starts_with("graph") && !is_kept {
            let _ = fs::remove_file(entry.path());
        }
    }
}

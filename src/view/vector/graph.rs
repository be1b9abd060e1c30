//! `hnsw_rs` over the codes, kept where its panics do no harm.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use hnsw_rs::anndists::dist::distances::Distance;
use hnsw_rs::api::AnnT;
use hnsw_rs::hnsw::Hnsw;
use hnsw_rs::hnswio::HnswIo;

use super::code::{Gauge, dot_codes};

/// Links of a node per layer; the lowest layer has twice as many.
pub(super) const LINKS: usize = 16;
/// Candidates an insertion looks at.
pub(super) const EF_CONSTRUCTION: usize = 100;
/// Layers. The dump of `hnsw_rs` takes no other number.
const LAYERS: usize = 16;
/// Bytes of a node beside its code: sixteen lists, and a counted record for each link. Measured, as
/// the links that a node keeps depend on the vectors.
const NODE_BYTES: usize = 2_100;
/// Bytes after a code that hold one over its length.
const LENGTH_BYTES: usize = size_of::<f32>();

/// `hnsw_rs` has panicked: what it holds is worth nothing any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GraphPanic;

pub(super) struct Graph {
    hnsw: Option<Hnsw<'static, i8, CodeDistance>>,
    dimension: usize,
}

/// One minus the cosine of two codes, each followed by one over its length. Never negative and never
/// NaN, both of which make `hnsw_rs` panic.
#[derive(Clone, Copy, Default)]
struct CodeDistance;

impl Distance<i8> for CodeDistance {
    fn eval(&self, a: &[i8], b: &[i8]) -> f32 {
        let (code_a, length_a) = a.split_at(a.len() - LENGTH_BYTES);
        let (code_b, length_b) = b.split_at(b.len() - LENGTH_BYTES);
        let cosine = dot_codes(code_a, code_b) * number(length_a) * number(length_b);
        (1.0 - cosine).max(0.0)
    }
}

fn number(bytes: &[i8]) -> f32 {
    let bytes = <[i8; LENGTH_BYTES]>::try_from(bytes).expect("four bytes hold the length");
    f32::from_le_bytes(bytes.map(i8::cast_unsigned))
}

/// A code as the graph takes it.
pub(super) fn node(code: &[i8], gauge: Gauge) -> Vec<i8> {
    let length = gauge.inverse_length.to_le_bytes().map(u8::cast_signed);
    [code, &length].concat()
}

impl Graph {
    pub(super) fn new(dimension: usize, nodes_expected: usize) -> Graph {
        let hnsw = Hnsw::new(LINKS, nodes_expected, LAYERS, EF_CONSTRUCTION, CodeDistance);
        Graph { hnsw: Some(hnsw), dimension }
    }

    fn hnsw(&self) -> &Hnsw<'static, i8, CodeDistance> {
        self.hnsw.as_ref().expect("only drop takes it")
    }

    pub(super) fn insert(&self, node: &[i8], number: usize) -> Result<(), GraphPanic> {
        contained(|| self.hnsw().insert((node, number)))
    }

    /// The numbers of the nearest nodes, nearest first.
    pub(super) fn search(&self, node: &[i8], count: usize) -> Result<Vec<usize>, GraphPanic> {
        contained(|| {
            let found = self.hnsw().search(node, count, count);
            found.into_iter().map(|neighbour| neighbour.d_id).collect()
        })
    }

    pub(super) fn len(&self) -> usize {
        self.hnsw().get_nb_point()
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.len() * (NODE_BYTES + self.dimension + LENGTH_BYTES)
    }

    /// Writes `<name>.hnsw.graph` and `<name>.hnsw.data`.
    pub(super) fn dump(&self, folder: &Path, name: &str) -> Result<bool, GraphPanic> {
        contained(|| self.hnsw().file_dump(folder, name).is_ok())
    }

    /// Reads what [`Graph::dump`] wrote. A file that is not byte for byte what was written may end
    /// the process: the caller has checked both.
    pub(super) fn reload(folder: &Path, name: &str, dimension: usize) -> Option<Graph> {
        let loaded = contained(|| {
            // The graph borrows its loader for as long as it lives, which is as long as we like.
            // The loader is two names; nothing is mapped.
            let loader: &'static HnswIo = Box::leak(Box::new(HnswIo::new(folder, name)));
            loader.load_hnsw_with_dist::<i8, CodeDistance>(CodeDistance).ok()
        });
        let mut hnsw = loaded.ok().flatten()?;
        // A reloaded graph comes with this on, a new one with it off.
        hnsw.set_extend_candidates(false);
        Some(Graph { hnsw: Some(hnsw), dimension })
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        let hnsw = self.hnsw.take();
        // Where even taking it down fails there is nothing left to do.
        let _ = contained(|| drop(hnsw));
    }
}

/// Nothing of the graph is used after a panic, so it may be left half changed.
fn contained<T>(work: impl FnOnce() -> T) -> Result<T, GraphPanic> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| GraphPanic)
}

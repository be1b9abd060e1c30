use std::sync::{Arc, Mutex};

use crate::kernel::{Change, Directory, Tx};
use crate::types::{
    Basis, DocumentId, DocumentKey, Episode, EpisodeId, EpisodeKind, Interval, Scope, Timestamp,
    Trust, TxId, Vector,
};
use crate::view::document::Documents;
use crate::view::graph::GraphView;
use crate::view::vector::VectorView;

use super::super::facts::Span;
use super::super::halt::Halt;
use super::super::seen::Seen;
use super::super::snapshot::Snapshot;
use super::answer::{LegReport, LegState};
use super::profile::Accesses;
use super::request::{Filter, FilterName, Fusion, Leg, Legs, Profile, RecallQuery};
use super::search::{Laps, Search, Views};
use super::sight::Sight;

struct NeverRead;

impl Accesses for NeverRead {
    fn last_read(&self, _: DocumentKey) -> Option<Timestamp> {
        None
    }
}

/// What was heard of the legs: true as one began.
#[derive(Default)]
struct Heard(Mutex<Vec<(Leg, bool)>>);

impl Laps for Heard {
    fn began(&self, leg: Leg) {
        self.0.lock().unwrap().push((leg, true));
    }

    fn ended(&self, report: &LegReport) {
        self.0.lock().unwrap().push((report.leg, false));
    }
}

fn turn(op: u32) -> Change {
    Change::EpisodeAdded(Arc::new(Episode {
        id: EpisodeId { tx: TxId::new(1), op },
        kind: EpisodeKind::Turn,
        text: "hello".to_owned(),
        speaker: None,
        title: None,
        session: None,
        source: None,
        trust: Trust::Stated,
        importance: None,
        valid: Interval::ALL,
        from_written: None,
        to_written: None,
        dated: false,
        embedded: true,
        operation: op,
        scope: Scope::default(),
        fold: None,
        derived_from: Vec::new(),
    }))
}

#[test]
fn legs_that_run_beside_each_other_find_what_they_find_one_by_one() {
    let time = Timestamp::from_micros(1);
    let mut documents = Documents::default();
    documents.apply(&Tx { id: TxId::new(1), time, changes: (0..9).map(turn).collect() });
    let vectors = VectorView::new(2, None);
    for id in 0..9_u8 {
        let vector = Vector::new(&[1.0, f32::from(id)]).expect("a direction");
        vectors.add(DocumentId::new(id.into()), &vector);
    }
    let (directory, graph) = (Directory::default(), GraphView::default());
    let basis = Basis { valid: time, tx: TxId::new(1) };
    let snapshot = Snapshot {
        directory: &directory,
        graph: &graph,
        documents: &documents,
        basis,
        seen: &Seen::Everything,
    };
    let filter = Filter::all();
    let sight = Sight::new(snapshot, Span::Basis, &filter);
    let query = RecallQuery {
        words: "hello".to_owned(),
        vector: Some(Vector::new(&[1.0, 4.0]).expect("a direction")),
        seeds: Vec::new(),
        filter: FilterName::default(),
        history: false,
        profile: Profile::Balanced,
        fusion: Fusion::RelativeScore,
        legs: Legs::ALL,
        limit: 3,
        score_min: 0.0,
        diversity: 0.0,
        hops: 2,
        now: time,
        current: true,
    };
    let (heard, halt) = ([Heard::default(), Heard::default()], Halt::default());
    let [one, beside] = heard.each_ref().map(|laps| Search {
        sight: &sight,
        views: Views { text: None, vector: Some(&vectors), accesses: &NeverRead, halt: &halt },
        query: &query,
        span: Span::Basis,
        depth: 3,
        laps,
    });
    let found = one.one_by_one(&[]);
    assert_eq!(found, beside.beside_each_other(&[]));
    assert_eq!(found.vector.found.len(), 3);
    assert_eq!(found.text.report.state, LegState::Broken, "a leg that fails takes no other along");
    for Heard(heard) in heard {
        let heard = heard.into_inner().unwrap();
        for leg in Leg::ALL {
            let of_leg = heard.iter().filter(|(about, _)| *about == leg);
            let of_leg: Vec<bool> = of_leg.map(|(_, began)| *began).collect();
            assert_eq!(of_leg, [true, false], "{leg:?} is timed from its own beginning");
        }
    }
}

//! The state of the view and the fold that builds it, transaction by transaction or at once.

use petgraph::Direction;

use crate::kernel::{Change, Tx};
use crate::types::{
    Basis, CloseReason, EntityId, Interval, Object, PredicateId, Rectangle, Triple, TxId, TxSpan,
};

use super::reader::{AsOf, Edges, Scope};
use super::record::{Record, records};
use super::run::{Run, reserve_tight};

/// All rectangles of one namespace, by the nodes they touch.
///
/// Nodes are the ids from zero to the largest that a rectangle ever named, entities and values each;
/// an id beyond them has no edges.
#[derive(Clone, Debug)]
pub struct GraphView {
    outgoing: Vec<Side>,
    incoming: Vec<Side>,
    incoming_values: Vec<Side>,
    live_count: usize,
    closed_count: usize,
    watermark: TxId,
}

impl Default for GraphView {
    fn default() -> GraphView {
        GraphView::load(std::iter::empty(), TxId::ZERO)
    }
}

impl GraphView {
    /// Builds the view at `watermark` from its rectangles, live and closed, in any order. It answers
    /// as if the log had been folded up to there.
    #[must_use]
    pub fn load(rectangles: impl Iterator<Item = Rectangle>, watermark: TxId) -> GraphView {
        let mut loading = Loading::default();
        for rectangle in rectangles {
            loading.push(rectangle);
        }
        loading.finish(watermark)
    }

    /// Folds one transaction.
    ///
    /// # Panics
    /// When the transaction does not follow the watermark, or closes what is not live: both mean
    /// that the log and the view disagree, which is a bug.
    pub fn apply(&mut self, tx: &Tx) {
        assert_eq!(tx.id, self.watermark.next(), "log gap before the graph view");
        for change in &tx.changes {
            match *change {
                Change::Opened { triple, valid } => self.open(tx.id, triple, valid),
                Change::Closed { triple, valid, believed_from, reason } => {
                    let believed = TxSpan { from: believed_from, to: tx.id };
                    self.close(triple, valid, believed, reason);
                }
                _ => {}
            }
        }
        self.watermark = tx.id;
    }

    /// The last transaction folded.
    #[must_use]
    pub fn watermark(&self) -> TxId {
        self.watermark
    }

    /// The graph at one point in both times.
    #[must_use]
    pub fn as_of(&self, basis: Basis) -> AsOf<'_> {
        AsOf::new(self, basis)
    }

    /// Every edge that ever was, live and closed, newest start first. No predicates means all.
    #[must_use]
    pub fn rectangles(
        &self,
        node: Object,
        direction: Direction,
        predicates: &[PredicateId],
    ) -> Edges<'_> {
        Edges::new(self, Scope::Ever, node, direction, predicates)
    }

    /// What was believed at `tx`, whatever its valid time, newest start first. No predicates means
    /// all.
    #[must_use]
    pub fn believed_at(
        &self,
        tx: TxId,
        node: Object,
        direction: Direction,
        predicates: &[PredicateId],
    ) -> Edges<'_> {
        Edges::new(self, Scope::Believed(tx), node, direction, predicates)
    }

    /// At most how many edges a node ever had in a direction, known without looking at them.
    #[must_use]
    pub fn degree_max(&self, node: Object, direction: Direction) -> usize {
        self.side(node, direction).map_or(0, |side| side.live.len_max() + side.closed.len())
    }

    /// The entities that ever were a subject, ascending.
    pub fn subjects(&self) -> impl Iterator<Item = EntityId> + '_ {
        let used = self.outgoing.iter().enumerate().filter(|(_, side)| !side.is_empty());
        used.map(|(place, _)| entity_at(place))
    }

    /// The same, from one of them on.
    pub fn subjects_from(&self, first: EntityId) -> impl Iterator<Item = EntityId> + '_ {
        let used = self.outgoing.iter().enumerate().skip(first.index());
        used.filter(|(_, side)| !side.is_empty()).map(|(place, _)| entity_at(place))
    }

    #[must_use]
    pub fn live_count(&self) -> usize {
        self.live_count
    }

    #[must_use]
    pub fn closed_count(&self) -> usize {
        self.closed_count
    }

    #[must_use]
    pub fn entity_count(&self) -> usize {
        self.outgoing.len()
    }

    #[must_use]
    pub fn value_count(&self) -> usize {
        self.incoming_values.len()
    }

    /// Bytes the view holds on the heap, without what the allocator adds. It visits every node.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        [&self.outgoing, &self.incoming, &self.incoming_values]
            .into_iter()
            .map(|sides| {
                let lists: usize = sides.iter().map(Side::heap_bytes).sum();
                size_of::<Side>() * sides.capacity() + lists
            })
            .sum()
    }

    pub(super) fn side(&self, node: Object, direction: Direction) -> Option<&Side> {
        match (direction, node) {
            (Direction::Outgoing, Object::Entity(id)) => self.outgoing.get(id.index()),
            (Direction::Outgoing, Object::Value(_)) => None,
            (Direction::Incoming, Object::Entity(id)) => self.incoming.get(id.index()),
            (Direction::Incoming, Object::Value(id)) => self.incoming_values.get(id.index()),
        }
    }

    fn open(&mut self, tx: TxId, triple: Triple, valid: Interval) {
        let believed = TxSpan { from: tx, to: TxId::OPEN };
        let (outgoing, incoming) = records(triple, valid, believed, None);
        let (from, to) = self.sides_mut(triple);
        from.live.insert(outgoing);
        to.live.insert(incoming);
        self.live_count += 1;
    }

    fn close(&mut self, triple: Triple, valid: Interval, believed: TxSpan, reason: CloseReason) {
        let (outgoing, incoming) = records(triple, valid, believed, Some(reason));
        let (from, to) = self.sides_mut(triple);
        from.close(outgoing);
        to.close(incoming);
        self.live_count -= 1;
        self.closed_count += 1;
    }

    /// The two lists a rectangle stands in; the arrays grow to hold them.
    fn sides_mut(&mut self, triple: Triple) -> (&mut Side, &mut Side) {
        let entities = entities_named(triple);
        if self.outgoing.len() < entities {
            self.outgoing.resize_with(entities, Side::default);
            self.incoming.resize_with(entities, Side::default);
        }
        let to = match triple.object {
            Object::Entity(id) => &mut self.incoming[id.index()],
            Object::Value(id) => grown(&mut self.incoming_values, id.index()),
        };
        (&mut self.outgoing[triple.subject.index()], to)
    }
}

/// What one node holds in one direction.
#[derive(Clone, Debug, Default)]
pub(super) struct Side {
    pub(super) live: Run,
    /// By the transaction that closed them, newest last: a past transaction walks back only over
    /// what was closed after it.
    pub(super) closed: Vec<Record>,
}

impl Side {
    fn close(&mut self, record: Record) {
        let believed = TxSpan { to: TxId::OPEN, ..record.believed };
        let was_live = self.live.remove(&Record { believed, closed: None, ..record });
        assert!(was_live, "only a live rectangle is closed");
        reserve_tight(&mut self.closed);
        self.closed.push(record);
    }

    fn is_empty(&self) -> bool {
        self.live.is_empty() && self.closed.is_empty()
    }

    fn heap_bytes(&self) -> usize {
        self.live.heap_bytes() + size_of::<Record>() * self.closed.capacity()
    }
}

/// Records in the order they came; they are sorted once, at the end.
#[derive(Default)]
struct Loading {
    outgoing: Vec<Pile>,
    incoming: Vec<Pile>,
    incoming_values: Vec<Pile>,
    live_count: usize,
    closed_count: usize,
}

#[derive(Default)]
struct Pile {
    live: Vec<Record>,
    closed: Vec<Record>,
}

impl Loading {
    fn push(&mut self, rectangle: Rectangle) {
        let Rectangle { triple, valid, believed, closed } = rectangle;
        let (outgoing, incoming) = records(triple, valid, believed, closed);
        grown(&mut self.outgoing, triple.subject.index()).push(outgoing);
        let to = match triple.object {
            Object::Entity(id) => grown(&mut self.incoming, id.index()),
            Object::Value(id) => grown(&mut self.incoming_values, id.index()),
        };
        to.push(incoming);
        if closed.is_some() {
            self.closed_count += 1;
        } else {
            self.live_count += 1;
        }
    }

    fn finish(mut self, watermark: TxId) -> GraphView {
        let entities = self.outgoing.len().max(self.incoming.len());
        self.outgoing.resize_with(entities, Pile::default);
        self.incoming.resize_with(entities, Pile::default);
        let sides = |piles: Vec<Pile>| piles.into_iter().map(Pile::finish).collect();
        GraphView {
            outgoing: sides(self.outgoing),
            incoming: sides(self.incoming),
            incoming_values: sides(self.incoming_values),
            live_count: self.live_count,
            closed_count: self.closed_count,
            watermark,
        }
    }
}

impl Pile {
    fn push(&mut self, record: Record) {
        let records = if record.closed.is_some() { &mut self.closed } else { &mut self.live };
        reserve_tight(records);
        records.push(record);
    }

    fn finish(mut self) -> Side {
        // Order within one transaction is free: every answer sorts what it gathers from here.
        self.closed.sort_unstable_by_key(|record| record.believed.to);
        self.closed.shrink_to_fit();
        Side { live: Run::build(self.live), closed: self.closed }
    }
}

pub(super) fn entity_at(place: usize) -> EntityId {
    EntityId::new(u32::try_from(place).expect("entity ids are 32 bits wide"))
}

fn entities_named(triple: Triple) -> usize {
    let object = triple.object.entity().map_or(0, |id| id.index() + 1);
    object.max(triple.subject.index() + 1)
}

fn grown<T: Default>(items: &mut Vec<T>, place: usize) -> &mut T {
    if items.len() <= place {
        items.resize_with(place + 1, T::default);
    }
    &mut items[place]
}

//! The fold of one group on a grid, written from the prose of the law and not from the kernel.
//!
//! Every instant of the domain is a cell, and so is the time before the first one. Nothing here is
//! an interval: a statement walks over the cells and asks each of them.

use std::collections::BTreeSet;

use crate::acts::{FOREVER, INSTANTS, Node, START};

/// Cell 0 is the time before instant 0, cell `i + 1` runs from instant `i` to the next one, and the
/// last cell never ends.
pub(crate) const CELLS: usize = 15;
const _: () = assert!(CELLS == 15 && INSTANTS == 14);

/// The cell that starts at a bound; +infinity starts behind the last one.
pub(crate) fn cell(at: i64) -> usize {
    match at {
        START => 0,
        FOREVER => CELLS,
        at => usize::try_from(at + 1).expect("instants are not negative"),
    }
}

/// What one statement says of an object. Bounds are cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    Open { from: usize },
    Definite { from: usize, to: usize },
    AtLeast { from: usize, to: usize },
    End { at: usize },
    Whole { block: bool },
    Part { from: usize, to: usize, correct: bool, block: bool },
}

/// How the owner of a cell meant its claim to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    Open,
    Stated,
    Frozen,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Owned {
    object: Node,
    start: usize,
    reach: Reach,
    held: bool,
}

/// What still counts, in the order in which it is read.
#[derive(Clone, Debug)]
enum Line {
    Said(Said),
    /// What a partial retract left.
    Left {
        cells: Vec<(usize, Owned)>,
        ends: BTreeSet<usize>,
    },
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    cells: [Option<Owned>; CELLS],
    ends: BTreeSet<(Node, usize)>,
    lines: Vec<(Node, Line)>,
    blocked: BTreeSet<Node>,
}

impl Grid {
    pub(crate) fn fold(log: impl IntoIterator<Item = (Node, Said)>) -> Grid {
        let mut grid = Grid::default();
        for (object, said) in log {
            grid.hear(object, said);
        }
        grid
    }

    pub(crate) fn holds(&self, object: Node, cell: usize) -> bool {
        self.value(cell) == Some(object)
    }

    pub(crate) fn value(&self, cell: usize) -> Option<Node> {
        self.cells.get(cell)?.filter(|owned| owned.held).map(|owned| owned.object)
    }

    pub(crate) fn values(&self) -> [Option<Node>; CELLS] {
        std::array::from_fn(|cell| self.value(cell))
    }

    pub(crate) fn is_blocked(&self, object: Node) -> bool {
        self.blocked.contains(&object)
    }

    /// Whether the last instant is held by a claim that named its end, if only as +infinity.
    pub(crate) fn ends_at_infinity(&self) -> bool {
        self.cells[CELLS - 1].is_some_and(|owned| owned.reach == Reach::Stated)
    }

    pub(crate) fn speaks_of(&self, object: Node) -> bool {
        self.lines.iter().any(|(about, _)| *about == object)
    }

    /// Whether a retract of this range would find anything of the object.
    pub(crate) fn touches(&self, object: Node, from: usize, to: usize) -> bool {
        let range = from..to;
        let owned = |cell: &Option<Owned>| cell.is_some_and(|owned| owned.object == object);
        self.cells[range.clone()].iter().any(owned)
            || self.ends.iter().any(|(about, at)| *about == object && range.contains(at))
    }

    fn hear(&mut self, object: Node, said: Said) {
        match said {
            Said::Whole { block } => {
                self.block(object, block);
                self.forget(object);
                self.again();
            }
            Said::Part { from, to, correct, block } => {
                self.block(object, block);
                let left = self.left(object, from, to, correct);
                self.forget(object);
                self.lines.extend(left.map(|left| (object, left)));
                self.again();
            }
            said => {
                self.say(object, &said);
                self.lines.push((object, Line::Said(said)));
            }
        }
    }

    fn block(&mut self, object: Node, block: bool) {
        if block {
            self.blocked.insert(object);
        }
    }

    fn forget(&mut self, object: Node) {
        self.lines.retain(|(about, _)| *about != object);
    }

    /// R1: the group is folded again.
    fn again(&mut self) {
        self.cells = [None; CELLS];
        self.ends.clear();
        for (object, line) in std::mem::take(&mut self.lines) {
            match &line {
                Line::Said(said) => self.say(object, said),
                Line::Left { cells, ends } => {
                    for (cell, owned) in cells {
                        self.cells[*cell] = Some(*owned);
                    }
                    self.ends.extend(ends.iter().map(|at| (object, *at)));
                }
            }
            self.lines.push((object, line));
        }
    }

    fn say(&mut self, object: Node, said: &Said) {
        match *said {
            Said::Open { from } => self.open(object, from),
            Said::Definite { from, to } => self.definite(object, from, to),
            Said::AtLeast { from, to } => self.take(object, from..to, Reach::Stated),
            Said::End { at } => self.end(object, at),
            Said::Whole { .. } | Said::Part { .. } => unreachable!("a retract is no line"),
        }
    }

    /// A1 and A3, with A4: where the object is held already only a later start takes over.
    fn take(&mut self, object: Node, range: std::ops::Range<usize>, reach: Reach) {
        let start = range.start;
        for cell in range {
            self.claim(object, cell, start, reach);
        }
    }

    fn claim(&mut self, object: Node, cell: usize, start: usize, reach: Reach) {
        let as_late = self.cells[cell].is_some_and(|owned| owned.start >= start);
        if !(self.holds(object, cell) && as_late) {
            self.cells[cell] = Some(Owned { object, start, reach, held: true });
        }
    }

    fn definite(&mut self, object: Node, from: usize, to: usize) {
        self.take(object, from..to, Reach::Stated);
        for owned in self.cells[to..].iter_mut().flatten() {
            let open = owned.object == object && owned.reach == Reach::Open;
            if open && owned.start < to {
                owned.held = false;
            }
        }
        if to < CELLS {
            self.ends.insert((object, to));
        }
    }

    /// A2.
    fn open(&mut self, object: Node, from: usize) {
        let changing = !self.holds(object, from);
        let ends = self.ends.iter().filter(|(about, at)| *about == object && *at > from);
        let stop = ends.map(|(_, at)| *at).find(|at| !self.holds(object, *at)).unwrap_or(CELLS);
        for cell in from..CELLS {
            let there = self.cells[cell];
            if there.is_some_and(|owned| owned.start > from) {
                continue; // It starts later: that is known already.
            }
            if cell < stop {
                self.claim(object, cell, from, Reach::Open);
                continue;
            }
            let mine_and_over = there.is_some_and(|owned| owned.object == object && !owned.held);
            if !self.holds(object, cell) && (changing || mine_and_over) {
                let owned = Owned { object, start: from, reach: Reach::Open, held: false };
                self.cells[cell] = Some(owned);
            }
        }
    }

    fn end(&mut self, object: Node, at: usize) {
        for owned in self.cells[at..].iter_mut().flatten() {
            if owned.object == object && owned.start <= at {
                owned.held = false;
            }
        }
        self.ends.insert((object, at));
    }

    /// R2: what is left of an object outside a range, as it stands; nothing if nothing is.
    fn left(&self, object: Node, from: usize, to: usize, correct: bool) -> Option<Line> {
        let outside = (0..CELLS).filter(|cell| !(from..to).contains(cell));
        let owned = outside.filter_map(|cell| Some((cell, self.cells[cell]?)));
        let cells: Vec<(usize, Owned)> = owned
            .filter(|(_, owned)| owned.object == object)
            .map(|(cell, owned)| (cell, Owned { reach: Reach::Frozen, ..owned }))
            .collect();
        let remembered = self.ends.iter().filter(|(about, _)| *about == object);
        let mut ends: BTreeSet<usize> =
            remembered.map(|(_, at)| *at).filter(|at| !(from..to).contains(at)).collect();
        for (cell, _) in cells.iter().filter(|(_, owned)| owned.held) {
            let next = cell + 1;
            if next == from || (next < CELLS && !self.holds(object, next)) {
                ends.insert(next);
            }
        }
        if correct {
            ends.remove(&to);
        }
        let nothing = cells.is_empty() && ends.is_empty();
        (!nothing).then_some(Line::Left { cells, ends })
    }
}

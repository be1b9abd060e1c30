//! The timeline of one group: statements folded, in recording order, into pieces of valid time.
//!
//! This is the law of time as code. Each piece is owned by the statement that claimed it, and is
//! held (the owner's object holds) or known-ended. Instants outside every piece are unowned:
//! nothing is known there. `marks` remembers stated ends.

use std::collections::BTreeSet;

use crate::types::{Interval, Object, StatementId, Timestamp, Trust};

/// The statement that claimed an instant, with what later rules ask of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    pub statement: StatementId,
    pub object: Object,
    pub start: Timestamp,
    pub extent: Extent,
    pub trust: Trust,
}

/// How far its owner meant a claim to reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    Open,
    /// A definite or an at-least assert.
    Bounded,
    /// What a partial retract left standing.
    Frozen,
}

/// A claimed run of instants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub span: Interval,
    pub owner: Owner,
    pub held: bool,
}

impl Piece {
    /// The object that holds here, if one does.
    #[must_use]
    pub fn value(&self) -> Option<Object> {
        self.held.then_some(self.owner.object)
    }
}

/// A maximal run of one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Run {
    pub object: Object,
    pub valid: Interval,
}

/// What one statement did to a timeline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// Some instant holds another object now, or none.
    pub changed: bool,
    /// Owners of other objects that lost held instants, in order of time.
    pub displaced: Vec<Owner>,
}

impl Effect {
    fn note(&mut self, before: Option<&Piece>, after: &Piece) {
        let lost = before.filter(|piece| piece.held);
        if lost.map(|piece| piece.owner.object) == after.value() {
            return;
        }
        self.changed = true;
        if let Some(lost) = lost {
            let other = lost.owner.object != after.owner.object;
            if other && !self.displaced.contains(&lost.owner) {
                self.displaced.push(lost.owner);
            }
        }
    }
}

/// What a partial retract leaves of an object: its pieces and its stated ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remains {
    pieces: Vec<Piece>,
    marks: BTreeSet<(Timestamp, Object)>,
}

impl Remains {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty() && self.marks.is_empty()
    }
}

/// State of a group. Pieces are disjoint and ascend.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    pieces: Vec<Piece>,
    marks: BTreeSet<(Timestamp, Object)>,
}

impl Timeline {
    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The object that holds at an instant.
    #[must_use]
    pub fn value_at(&self, at: Timestamp) -> Option<Object> {
        let next = self.pieces.partition_point(|piece| piece.span.end() <= at);
        self.pieces.get(next).filter(|piece| piece.span.contains(at)).and_then(Piece::value)
    }

    /// The canonical form: what holds, coalesced over owners, ascending.
    #[must_use]
    pub fn runs(&self) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for piece in self.pieces.iter().filter(|piece| piece.held) {
            let object = piece.owner.object;
            match runs.last_mut() {
                Some(last) if last.object == object && last.valid.end() == piece.span.start() => {
                    last.valid = hull(last.valid.start(), piece.span.end());
                }
                _ => runs.push(Run { object, valid: piece.span }),
            }
        }
        runs
    }

    /// A2. Runs until it meets what is already known to start later, or a stated end of its object.
    pub fn open(&mut self, owner: Owner) -> Effect {
        let mut effect = Effect::default();
        let (object, from) = (owner.object, owner.start);
        let stop = self.first_end_after(object, from);
        let changing = self.value_at(from) != Some(object);
        self.rewrite(hull(from, stop), &mut effect, |piece| {
            let start = piece.map(|piece| piece.owner.start);
            let open_to_me = start.is_none_or(|start| start <= from);
            let news = value_of(piece) != Some(object) || start.is_none_or(|start| start < from);
            if open_to_me && news { Claim::Held(owner) } else { Claim::Keep }
        });
        let Ok(rest) = Interval::new(stop, Timestamp::INFINITY) else { return effect };
        self.rewrite(rest, &mut effect, |piece| {
            let Some(piece) = piece else {
                return if changing { Claim::Ended(owner) } else { Claim::Keep };
            };
            let mine = !piece.held && piece.owner.object == object;
            let open_to_me = piece.value() != Some(object) && piece.owner.start <= from;
            if open_to_me && (changing || mine) { Claim::Ended(owner) } else { Claim::Keep }
        });
        effect
    }

    /// The first remembered end of the object after an instant at which it is not held.
    fn first_end_after(&self, object: Object, from: Timestamp) -> Timestamp {
        self.marks
            .range((std::ops::Bound::Excluded((from, Object::MAX)), std::ops::Bound::Unbounded))
            .find(|(at, marked)| *marked == object && self.value_at(*at) != Some(object))
            .map_or(Timestamp::INFINITY, |(at, _)| *at)
    }

    /// A1. Takes every instant of the span; its end is a stated end.
    pub fn definite(&mut self, owner: Owner, span: Interval) -> Effect {
        let mut effect = self.at_least(owner, span);
        if let Ok(rest) = Interval::new(span.end(), Timestamp::INFINITY) {
            self.rewrite(rest, &mut effect, |piece| match piece {
                Some(piece)
                    if piece.value() == Some(owner.object)
                        && piece.owner.extent == Extent::Open
                        && piece.owner.start < span.end() =>
                {
                    Claim::Ended(piece.owner)
                }
                _ => Claim::Keep,
            });
            self.marks.insert((span.end(), owner.object));
        }
        effect
    }

    /// A3. Takes every instant of the span and states no end.
    pub fn at_least(&mut self, owner: Owner, span: Interval) -> Effect {
        let mut effect = Effect::default();
        self.rewrite(span, &mut effect, |piece| {
            let earlier = piece.is_none_or(|piece| piece.owner.start < owner.start);
            let news = value_of(piece) != Some(owner.object) || earlier;
            if news { Claim::Held(owner) } else { Claim::Keep }
        });
        effect
    }

    /// E1. The object holds no longer from `at` on; a separately stated later stint is left alone.
    pub fn end(&mut self, object: Object, at: Timestamp) -> Effect {
        let mut effect = Effect::default();
        if let Ok(rest) = Interval::new(at, Timestamp::INFINITY) {
            self.rewrite(rest, &mut effect, |piece| match piece {
                Some(piece) if piece.value() == Some(object) && piece.owner.start <= at => {
                    Claim::Ended(piece.owner)
                }
                _ => Claim::Keep,
            });
        }
        self.marks.insert((at, object));
        effect
    }

    /// R2, first half: what is left of an object outside the range, as it stands.
    #[must_use]
    pub fn remains(&self, object: Object, range: Interval, correct: bool) -> Remains {
        let mut pieces = Vec::new();
        for piece in self.pieces.iter().filter(|piece| piece.owner.object == object) {
            let before = Interval::new(Timestamp::NEG_INFINITY, range.start()).ok();
            let after = Interval::new(range.end(), Timestamp::INFINITY).ok();
            for side in [before, after].into_iter().flatten() {
                if let Some(span) = piece.span.intersection(side) {
                    let owner = Owner { extent: Extent::Frozen, ..piece.owner };
                    pieces.push(Piece { span, owner, held: piece.held });
                }
            }
        }
        let mut marks: BTreeSet<(Timestamp, Object)> = self
            .marks
            .iter()
            .filter(|(at, marked)| *marked == object && !range.contains(*at))
            .copied()
            .collect();
        for piece in pieces.iter().filter(|piece| piece.held) {
            let end = piece.span.end();
            if end == range.start() || self.value_at(end) != Some(object) {
                marks.insert((end, object));
            }
        }
        if correct {
            marks.remove(&(range.end(), object));
        }
        marks.remove(&(Timestamp::INFINITY, object));
        Remains { pieces, marks }
    }

    /// R2, second half: paints the remains over what the other statements gave.
    pub fn restore(&mut self, remains: &Remains) -> Effect {
        let mut effect = Effect::default();
        for piece in &remains.pieces {
            let claim =
                if piece.held { Claim::Held(piece.owner) } else { Claim::Ended(piece.owner) };
            self.rewrite(piece.span, &mut effect, |_| claim);
        }
        self.marks.extend(remains.marks.iter().copied());
        effect
    }

    /// Whether the object owns any instant of the range or has an end stated in it.
    #[must_use]
    pub fn touches(&self, object: Object, range: Interval) -> bool {
        let owns = |piece: &Piece| piece.owner.object == object && piece.span.overlaps(range);
        self.pieces.iter().any(owns)
            || self.marks.iter().any(|(at, marked)| *marked == object && range.contains(*at))
    }

    /// Asks `claim` of every piece and gap inside the span, cut to it, and takes the answers.
    /// Pieces outside keep their place, so the cost is that of what is touched.
    fn rewrite(
        &mut self,
        span: Interval,
        effect: &mut Effect,
        claim: impl Fn(Option<&Piece>) -> Claim,
    ) {
        let first = self.pieces.partition_point(|piece| piece.span.end() <= span.start());
        let last =
            first + self.pieces[first..].partition_point(|piece| piece.span.start() < span.end());
        let mut fresh: Vec<Piece> = Vec::with_capacity(last - first + 2);
        let mut reached = span.start();
        for piece in &self.pieces[first..last] {
            if let Ok(head) = Interval::new(piece.span.start(), span.start()) {
                push(&mut fresh, Piece { span: head, ..*piece });
            }
            if let Ok(gap) = Interval::new(reached, piece.span.start()) {
                claim_gap(&mut fresh, gap, claim(None), effect);
            }
            let inside = piece.span.intersection(span).expect("the range was chosen to overlap");
            let claimed = claimed(Piece { span: inside, ..*piece }, claim(Some(piece)));
            effect.note(Some(piece), &claimed);
            push(&mut fresh, claimed);
            if let Ok(tail) = Interval::new(span.end(), piece.span.end()) {
                push(&mut fresh, Piece { span: tail, ..*piece });
            }
            reached = inside.end();
        }
        if let Ok(gap) = Interval::new(reached, span.end()) {
            claim_gap(&mut fresh, gap, claim(None), effect);
        }
        self.pieces.splice(first..last, fresh);
    }
}

/// The answer to "who owns this now?".
#[derive(Clone, Copy)]
enum Claim {
    Keep,
    Held(Owner),
    Ended(Owner),
}

fn claimed(piece: Piece, claim: Claim) -> Piece {
    match claim {
        Claim::Keep => piece,
        Claim::Held(owner) => Piece { owner, held: true, ..piece },
        Claim::Ended(owner) => Piece { owner, held: false, ..piece },
    }
}

fn claim_gap(fresh: &mut Vec<Piece>, gap: Interval, claim: Claim, effect: &mut Effect) {
    let (owner, held) = match claim {
        Claim::Keep => return,
        Claim::Held(owner) => (owner, true),
        Claim::Ended(owner) => (owner, false),
    };
    let piece = Piece { span: gap, owner, held };
    effect.note(None, &piece);
    push(fresh, piece);
}

/// Appends a piece, joined to the one before it where nothing tells them apart.
fn push(fresh: &mut Vec<Piece>, piece: Piece) {
    match fresh.last_mut() {
        Some(last)
            if last.span.end() == piece.span.start()
                && last.owner == piece.owner
                && last.held == piece.held =>
        {
            last.span = hull(last.span.start(), piece.span.end());
        }
        _ => fresh.push(piece),
    }
}

fn value_of(piece: Option<&Piece>) -> Option<Object> {
    piece.and_then(Piece::value)
}

fn hull(start: Timestamp, end: Timestamp) -> Interval {
    Interval::new(start, end).expect("joined spans ascend")
}

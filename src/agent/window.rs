//! What an agent reads of a session: four ways to cut it, each within a budget of tokens.

use crate::engine::ReadError;
use crate::types::limits::{
    BROAD_SUMMARY_TOKENS_MAX, DETAILED_TURNS, HIERARCHICAL_RAW_TURNS, RAW_TURNS_MIN,
    SLIDING_TURNS_MIN, SUMMARY_TOKENS_MAX,
};

use super::fold::{covered, merge};
use super::session::{Session, Summary, Turn};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Shape {
    Sliding,
    #[default]
    Summarising,
    Hierarchical,
    Composable,
}

#[derive(Clone, Debug, PartialEq, Default)]
pub struct Window {
    pub pinned: Option<Turn>,
    /// Broadest first.
    pub summaries: Vec<Summary>,
    /// The newest, oldest first.
    pub turns: Vec<Turn>,
    /// Turns that stand neither here nor in a summary.
    pub left_out: usize,
}

impl Window {
    /// Tokens of all of it.
    #[must_use]
    pub fn tokens(&self) -> usize {
        let turns = self.pinned.iter().chain(&self.turns).map(|turn| turn.tokens);
        turns.sum::<usize>() + self.summaries.iter().map(|summary| summary.tokens).sum::<usize>()
    }
}

/// The window of this shape within a budget. What it keeps at least may pass the budget.
///
/// # Errors
/// When the store cannot be read.
pub fn window(session: &Session, shape: Shape, budget: usize) -> Result<Window, ReadError> {
    let pinned = session.pinned()?;
    let room = budget.saturating_sub(pinned.as_ref().map_or(0, |turn| turn.tokens));
    let first = usize::from(pinned.is_some());
    let cut = match shape {
        Shape::Sliding => sliding(session, first, room)?,
        Shape::Summarising => summarising(session, first, room, usize::MAX)?,
        Shape::Composable => summarising(session, first, room, RAW_TURNS_MIN)?,
        Shape::Hierarchical => hierarchical(session, first, room)?,
    };
    Ok(Window { pinned, ..cut })
}

/// The newest turns from `first` on that fit, oldest first: at least and at most so many.
fn newest(
    session: &Session,
    first: usize,
    room: usize,
    (least, most): (usize, usize),
) -> Result<Vec<Turn>, ReadError> {
    let mut found: Vec<Turn> = Vec::new();
    let mut used = 0;
    for place in (first..session.turns().len()).rev().take(most) {
        let turn = session.turn(place)?;
        used += turn.tokens;
        if used > room && found.len() >= least {
            break;
        }
        found.push(turn);
    }
    found.reverse();
    Ok(found)
}

fn sliding(session: &Session, first: usize, room: usize) -> Result<Window, ReadError> {
    let turns = newest(session, first, room, (SLIDING_TURNS_MIN, usize::MAX))?;
    let left_out = session.turns().len() - first - turns.len();
    Ok(Window { turns, left_out, ..Window::default() })
}

/// The standing summary and what came after it. Turns that do not fit are summarised with it, for
/// this reply alone.
fn summarising(
    session: &Session,
    first: usize,
    room: usize,
    most: usize,
) -> Result<Window, ReadError> {
    let count = session.turns().len();
    let bounds = (RAW_TURNS_MIN, most);
    let turns = newest(session, first, room, bounds)?;
    if turns.len() == count - first {
        return Ok(Window { turns, ..Window::default() });
    }
    let share = SUMMARY_TOKENS_MAX.min(room / 4);
    let standing = session.summary()?.filter(|summary| summary.tokens <= share);
    let after = standing.as_ref().map_or(first, covered).max(first);
    let spent = standing.as_ref().map_or(share, |summary| summary.tokens);
    let least = after.min(count.saturating_sub(RAW_TURNS_MIN).max(first));
    let mut turns = newest(session, least, room.saturating_sub(spent), bounds)?;
    let mut start = count - turns.len();
    if start <= after {
        return Ok(Window {
            summaries: standing.into_iter().collect(),
            turns,
            left_out: 0,
            pinned: None,
        });
    }
    if spent < share {
        turns = newest(session, least, room.saturating_sub(share), bounds)?;
        start = count - turns.len();
    }
    let made = merge(session, standing.as_ref(), after, start, share)?.shown();
    Ok(Window { summaries: vec![made], turns, ..Window::default() })
}

/// Turns as they are, what came before them in detail, and all before that in broad strokes.
fn hierarchical(session: &Session, first: usize, room: usize) -> Result<Window, ReadError> {
    let count = session.turns().len();
    let bounds = (SLIDING_TURNS_MIN, HIERARCHICAL_RAW_TURNS);
    let turns = newest(session, first, room, bounds)?;
    if turns.len() == count - first {
        return Ok(Window { turns, ..Window::default() });
    }
    let detail = SUMMARY_TOKENS_MAX.min(room / 4);
    let broad = BROAD_SUMMARY_TOKENS_MAX.min(room / 8);
    let turns = newest(session, first, room.saturating_sub(detail + broad), bounds)?;
    let start = count - turns.len();
    let middle = start.saturating_sub(DETAILED_TURNS).max(first);
    let mut summaries = Vec::new();
    if middle > first {
        summaries.push(merge(session, None, first, middle, broad)?.shown());
    }
    summaries.push(merge(session, None, middle, start, detail)?.shown());
    Ok(Window { summaries, turns, ..Window::default() })
}

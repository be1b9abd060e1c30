//! The law of time, held against the kernel alone: the golden cases, and random logs against a
//! naive oracle that folds a grid of instants again for every transaction.

mod golden;
mod script;

//! The law of time, held against the kernel alone: the golden cases, the cases of the pages, and
//! random logs against a naive oracle that folds a grid of instants again for every transaction.

mod script;
mod shop;

mod alternatives;
mod golden;

mod check;
mod text;

mod cases;
mod compositions;
mod disputes;
mod fixture;

mod acts;
mod grid;
mod oracle;

mod invariants;
mod order;
mod random;
mod steps;

mod erased;
mod scopes;

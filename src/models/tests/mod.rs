//! The models as those outside see them.

mod builtin;

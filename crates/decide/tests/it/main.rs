//! The decision rules from outside: the vectors of `spec`, which `runtime` passes too, and
//! properties of all inputs.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod audience_conditions;
mod bucketing;
mod condition_tree;
mod decider;
mod decision_properties;
mod decisions;
mod slow_patterns;
mod url_conditions;
mod vectors;

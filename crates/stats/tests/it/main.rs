//! The statistics from outside: reference values of other tools, properties of all inputs, and
//! simulated experiments.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod bayesian;
mod edges;
mod properties;
mod random;
mod simulations;
mod vectors;

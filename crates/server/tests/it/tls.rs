//! https by the real binary: which certificate whom gets, in which protocol, and what is told when something is wrong with it.

pub(crate) mod certificates;
mod connections;
mod faults;
mod outward;

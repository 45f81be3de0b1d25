//! The resources of a project, one by one.

mod archived;
mod created;
mod listed;
mod wrong;

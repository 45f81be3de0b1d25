//! What the crate promises at its public door: `domain::parse` and what comes of it.
#![cfg(test)]

mod archived;
mod code_and_regexes;
mod condition_faults;
mod derived_ids;
mod documents;
mod events;
mod field_faults;
mod integration_faults;
mod likely_mistakes;
mod locations;
mod lost_results;
mod metrics;
mod reference_faults;
mod rewritten;
mod robustness;
mod rule_faults;
mod running;
mod schedules;
mod schema;
mod selectors;
mod shipped;
mod text_faults;
mod two_states;
mod unseen;
mod values;
mod written_projects;

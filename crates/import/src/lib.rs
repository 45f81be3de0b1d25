//! Makes a project document of an export of the most used commercial product: of what its REST API,
//! version 2, tells of projects, pages, audiences, attributes, events, campaigns, experiments and
//! groups.
//!
//! Ids are kept, so visitors keep their variations. [`Export::read`] takes the files, [`import()`]
//! makes the project and a [`Report`]. Nothing is dropped silently: every value of the export is
//! carried over, named in the report, or of a kind that [`PASSED_OVER`] gives the reason for
//! (`ledger.rs` keeps account). What cannot be carried over as it was never makes anything wider:
//! the campaigns that rely on it are not started.

mod attributes;
mod audiences;
mod campaigns;
mod changes;
mod code;
mod conditions;
mod events;
mod experiments;
mod export;
mod field;
mod groups;
mod identity;
mod importer;
mod ledger;
mod location;
mod pages;
mod passed_over;
mod place;
mod project;
mod rejections;
mod report;
mod rounds;
mod schedule;
mod settings;
mod strict_json;
mod tree;
mod variations;

pub use export::{Export, ExportFile, UnreadableExport};
pub use passed_over::{PASSED_OVER, PassedOver};
pub use place::Place;
pub use project::Unsuitable;
pub use report::{Note, Outcome, Report};
pub use rounds::{Check, Imported, Refusal, import};

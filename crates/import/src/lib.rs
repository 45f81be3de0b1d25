//! Converts an Optimizely export into a project document: projects, pages, audiences, attributes,
//! events, campaigns, experiments and groups from Optimizely's REST API, version 2.
//!
//! It keeps ids, so visitors keep their variations. [`Export::read`] takes the files, [`import()`]
//! makes the project and a [`Report`]. It drops nothing silently: every value of the export is
//! carried over, named in the report, or of a kind for which [`PASSED_OVER`] gives the reason
//! (`ledger.rs` keeps account). A part that cannot be carried over exactly never reaches more
//! visitors: the campaigns that rely on it are not started.

mod attributes;
mod audiences;
mod campaigns;
mod changes;
mod code;
mod conditions;
mod events;
mod experiments;
mod export;
mod export_location;
mod field;
mod groups;
mod identity;
mod importer;
mod ledger;
mod location;
mod pages;
mod passed_over;
mod project;
mod rejections;
mod report;
mod rounds;
mod schedule;
mod selectors;
mod settings;
mod strict_json;
mod tree;
mod variations;

pub use export::{Export, ExportFile, UnreadableExport};
pub use export_location::ExportLocation;
pub use passed_over::{PASSED_OVER, PassedOver};
pub use project::Unsuitable;
pub use report::{Note, Outcome, Report};
pub use rounds::{Check, Imported, Refusal, import};

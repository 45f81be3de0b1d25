//! Stories about one use case each, told to the application without HTTP. What HTTP adds is told in `crates/server/tests/it`.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod campaigns;
mod controlled;
mod drafts;
mod grants;
mod idempotency;
mod program;
mod receiver;
mod refusal;
mod resources;
mod results;
mod revisions;
mod roles;
mod schedules;
mod server;
mod shop;
mod webhooks;

//! Stories about the whole product: the terminal with the real binary, and HTTP with the same routers the binary serves.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod account;
mod archived_projects;
mod authenticator;
mod behind_nginx;
mod browser;
mod command_line;
mod configuration;
mod console;
#[path = "../../../app/tests/it/controlled.rs"]
mod controlled;
mod crash;
mod decisions;
mod deleted_events;
mod door;
mod edge;
mod event_copies;
mod event_files;
mod event_folder;
mod event_imports;
mod event_room;
mod event_sink;
mod events;
mod events_keys;
mod ingress;
mod installations;
mod lost_events;
mod mailbox;
mod memory;
mod monitoring;
mod moved_database;
mod oauth;
mod open_files;
mod openapi;
mod passkeys;
mod passwords;
mod postgres;
mod previews;
mod projects;
mod results;
mod roles;
mod secret_scan;
mod segments;
mod setup;
mod shop;
mod site;
mod stopping;
mod tls;
mod traces;
mod unsent;
mod visitor_cookie;
mod visitor_events;
mod webhooks;
mod wire;

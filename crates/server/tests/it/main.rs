//! Stories about the whole product: the terminal with the real binary, and HTTP with the same routers the binary serves.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod account;
mod browser;
mod command_line;
mod decisions;
mod door;
mod edge;
mod oauth;
mod postgres;
mod previews;
mod projects;
mod site;
mod visitor_cookie;
mod wire;

//! What a compiled project is, seen from outside: its text. That it behaves in a browser is proved by the stories in `e2e/`.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod data;
mod dead_code;
mod features;
mod member_code;
mod nesting;
mod previews;
mod project;

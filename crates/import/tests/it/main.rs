//! What comes of exports: one story a file.

mod nothing_is_dropped;
mod shop;
mod told;
mod whatever;

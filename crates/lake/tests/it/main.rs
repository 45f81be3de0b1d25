//! Files of events, written and read: that they say what they were told, and notice when they were damaged.
#![cfg(test)]

mod compaction;
mod damage;
mod files;
mod folders;
mod given;
mod rows;
mod sent_tables;
mod tables;

//! What a person at the terminal experiences: the real binary, its output and its exit codes.

mod applications;
mod applied;
mod audit;
mod backups;
pub(crate) mod binary;
mod check;
mod compile;
mod data_place;
mod decide;
pub(crate) mod doctor;
mod documents;
mod events;
mod exported;
mod first_file;
mod import;
mod login;
mod mail;
mod members_and_applications;
mod older_schema;
mod preview_links;
mod ready;
mod remote;
mod results;
mod schema;
mod serve;
mod simulate;
mod tokens;

//! The commands of the binary, one file per command.

pub(crate) mod application;
pub(crate) mod apply;
pub(crate) mod audit;
pub(crate) mod backup;
pub(crate) mod check;
pub(crate) mod compile;
pub(crate) mod decide;
pub(crate) mod events;
pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod init;
pub(crate) mod login;
pub(crate) mod mail;
pub(crate) mod manual;
pub(crate) mod member;
pub(crate) mod openapi;
pub(crate) mod plan;
pub(crate) mod preview_link;
pub(crate) mod preview_links;
pub(crate) mod restore;
pub(crate) mod results;
pub(crate) mod schema;
pub(crate) mod serve;
pub(crate) mod simulate;
pub(crate) mod token;
pub(crate) mod tokens;

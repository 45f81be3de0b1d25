//! Events in Parquet files, one day of a project in each, that other tools read, too. `docs/events-files.md` describes them.
//!
//! [`write_file`] makes a file of records, [`read_file`] gets back those that are wanted, [`show_rows`] shows them without keeping any, and [`compact_files`] makes one of several. [`read_table`] reads Parquet files of others. A file never changes: it is there as a whole or not at all, is called by
//! its contents, and has checksums, so that a damaged one is noticed before anything of it is believed.

mod checksum;
mod circumstances;
mod columns;
mod compact;
mod error;
mod folder;
mod group;
mod kinds;
mod place;
mod read;
mod rows;
mod schema;
mod skip;
mod table;
mod unpacked;
mod wanted;
mod without;
mod write;

pub use compact::{COMPACTED_AT_MOST, compact_files};
pub use error::{CompactError, LakeError};
pub use folder::{Folder, FolderLock, copy_file, is_whole};
pub use place::FOLDER_MODE;
pub use read::{Records, read_file};
pub use rows::{Identity, Properties, Row, RowOccurrence, show_identities, show_rows};
pub use schema::SCHEMA;
pub use table::{
    SENT_ROWS_AT_MOST, TableError, UNPACKED_BYTES_AT_MOST, read_table, read_table_bytes,
};
pub use wanted::{Only, Wanted};
pub use without::{Without, write_without};
pub use write::{FILE_MODE, WrittenFile, is_file_name, write_file};

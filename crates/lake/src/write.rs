//! Writes a file: under another name until it is on the disk as a whole.

use std::cmp::Ordering;
use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use events::{Day, Occurrence, Record, without_doubles};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::writer::SerializedFileWriter;
use tempfile::{Builder, NamedTempFile};

use crate::checksum::{GROUPS_KEY, Summed};
use crate::error::of_disk;
use crate::group::write_group;
use crate::place::{UNFINISHED, folder_of, invalid, make, sync_folder};
use crate::schema::{ROWS_PER_GROUP, TEXT_PER_GROUP, columns, properties};

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenFile {
    /// Its path below the folder: the same records always get the same one.
    pub name: String,
    /// How many records it has.
    pub rows: u64,
    /// How large it is.
    pub bytes: u64,
    /// The SHA-256 of its contents, of which the first half is in its name.
    pub sha256: [u8; 32],
}

/// The owner's group may read it, too: other tools may run as other users.
pub const FILE_MODE: u32 = 0o640;

/// Bytes of the SHA-256 that make the name.
const NAME_BYTES: usize = 16;

/// What a property counts beside its text: many short ones take memory, too.
const PROPERTY_BYTES: usize = 32;

/// Writes the records of a day of a project, each event once, into one new file. It is on the disk when this returns, and not there at all if this fails.
///
/// # Errors
/// If the disk fails, if there are no records, if one is of another day, or if the project's id cannot be a folder's name.
pub fn write_file(
    folder: &Path,
    project: &str,
    day: Day,
    records: Vec<Record>,
) -> io::Result<WrittenFile> {
    let mut records = without_doubles(records);
    records.sort_by(in_order);
    let mut writer = FileWriter::new(folder, project, day)?;
    for record in records {
        writer.add(record)?;
    }
    writer.finish()
}

/// What a file with this SHA-256 is called, below the folder of its day.
pub(crate) fn file_name(sha256: &[u8; 32]) -> String {
    format!("{}.parquet", hex::encode(&sha256[..NAME_BYTES]))
}

/// Whether files are named so, below the folder.
#[must_use]
pub fn is_file_name(name: &str) -> bool {
    let parts: Vec<&str> = name.split('/').collect();
    let [project, day, file] = parts[..] else { return false };
    let digits = file.strip_suffix(".parquet");
    project.starts_with("project=")
        && day.starts_with("day=")
        && digits
            .and_then(|digits| hex::decode(digits).ok())
            .is_some_and(|it| it.len() == NAME_BYTES)
}

/// The order of the rows: a query for one experiment or one event reads one stretch of them, and a query for some visitors a stretch of each.
pub(crate) fn in_order(one: &Record, other: &Record) -> Ordering {
    let what = match (&one.what, &other.what) {
        (Occurrence::Event { name, .. }, Occurrence::Event { name: other, .. }) => name.cmp(other),
        (
            Occurrence::Exposure { experiment, .. },
            Occurrence::Exposure { experiment: other, .. },
        ) => experiment.cmp(other),
        (Occurrence::Event { .. }, Occurrence::Exposure { .. }) => Ordering::Less,
        (Occurrence::Exposure { .. }, Occurrence::Event { .. }) => Ordering::Greater,
    };
    what.then_with(|| (one.visitor, one.at, one.id).cmp(&(other.visitor, other.at, other.id)))
}

/// Writes records that come in order.
pub(crate) struct FileWriter {
    folder: std::path::PathBuf,
    root: std::path::PathBuf,
    day: Day,
    file: SerializedFileWriter<Summed<NamedTempFile>>,
    waiting: Vec<Record>,
    /// Bytes of the texts that wait.
    text: usize,
    rows: u64,
    sums: Vec<String>,
}

impl FileWriter {
    pub(crate) fn new(root: &Path, project: &str, day: Day) -> io::Result<Self> {
        let folder = folder_of(project, day)?;
        let whole = make(root, &folder)?;
        let file = Builder::new()
            .prefix(UNFINISHED)
            .suffix("")
            .permissions(Permissions::from_mode(FILE_MODE))
            .tempfile_in(whole)?;
        let columns = columns().map_err(failed)?;
        let properties = properties().map_err(failed)?;
        let mut file =
            SerializedFileWriter::new(Summed::new(file), columns, properties).map_err(failed)?;
        // The magic bytes at the beginning belong to no group.
        file.flush()?;
        file.inner_mut().end_group();
        let (root, waiting, sums) = (root.to_owned(), Vec::new(), Vec::new());
        Ok(Self { folder, root, day, file, waiting, text: 0, rows: 0, sums })
    }

    pub(crate) fn add(&mut self, record: Record) -> io::Result<()> {
        if record.at.day() != self.day {
            return Err(invalid("a record is of another day than the file"));
        }
        self.text += text_of(&record);
        self.waiting.push(record);
        if self.waiting.len() == ROWS_PER_GROUP || self.text >= TEXT_PER_GROUP {
            self.end_group()?;
        }
        Ok(())
    }

    fn end_group(&mut self) -> io::Result<()> {
        // In older files ids are longer, and lie in another order.
        self.waiting.sort_by(in_order);
        let mut group = self.file.next_row_group().map_err(failed)?;
        write_group(&mut group, &self.waiting)?;
        group.close().map_err(failed)?;
        self.file.flush()?;
        self.sums.push(format!("{:08x}", self.file.inner_mut().end_group()));
        self.rows += self.waiting.len() as u64;
        self.waiting.clear();
        self.text = 0;
        Ok(())
    }

    pub(crate) fn finish(mut self) -> io::Result<WrittenFile> {
        if !self.waiting.is_empty() {
            self.end_group()?;
        }
        if self.rows == 0 {
            return Err(invalid("there are no records to write"));
        }
        let sums = KeyValue::new(GROUPS_KEY.to_owned(), self.sums.join(","));
        self.file.append_key_value_metadata(sums);
        self.file.inner_mut().begin_footer();
        let (file, bytes, sha256) = self.file.into_inner().map_err(failed)?.finish()?;
        file.as_file().sync_all()?;
        let name = self.folder.join(file_name(&sha256));
        file.persist(self.root.join(&name)).map_err(|error| error.error)?;
        sync_folder(&self.root.join(&self.folder))?;
        let name = name.to_string_lossy().into_owned();
        Ok(WrittenFile { name, rows: self.rows, bytes, sha256 })
    }
}

/// How long the texts of a record are: it may have many, and each of thousands of bytes.
fn text_of(record: &Record) -> usize {
    let Occurrence::Event { name, properties, .. } = &record.what else { return 0 };
    let of_property = |(name, text): (&str, &str)| PROPERTY_BYTES + name.len() + text.len();
    name.len() + properties.iter().map(of_property).sum::<usize>()
}

pub(crate) fn failed(error: ParquetError) -> io::Error {
    of_disk(error).unwrap_or_else(io::Error::other)
}

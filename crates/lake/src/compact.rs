//! Makes one file of several of the same day, each event once.
//!
//! Rows lie in another order than doubles do, so it goes over the files before it merges the rows that stay: it notes a mark of each row, and where marks come
//! twice, which is hardly ever, it looks at these rows. Memory holds a million marks, or all of a visitor who has more; then a page of each column of each
//! file, some of its rows, and the row group that is written.

mod doubles;

use std::path::Path;

use events::{Day, Record};

use self::doubles::{Doubles, doubles};
use crate::error::CompactError;
use crate::read::{EventFile, GroupRecords};
use crate::write::{FileWriter, in_order};
use crate::{LakeError, WrittenFile};

/// Files that are made into one at a time: one to two megabytes of each are in memory.
pub const COMPACTED_AT_MOST: usize = 16;

/// Makes one file of several of a project's day, of which the names are told as [`WrittenFile`] has them. The files stay; a file that is
/// the only one and has no doubles keeps its name.
///
/// # Errors
/// If a file cannot be read or is damaged, if the new one cannot be written, or if these are more than [`COMPACTED_AT_MOST`].
pub fn compact_files(
    folder: &Path,
    project: &str,
    day: Day,
    names: &[String],
) -> Result<WrittenFile, CompactError> {
    if names.len() > COMPACTED_AT_MOST {
        return Err(CompactError::TooMany(names.len()));
    }
    let mut files =
        names.iter().map(|name| Run::open(folder, name)).collect::<Result<Vec<_>, _>>()?;
    let doubles = doubles(&mut files)?;
    let mut writer = FileWriter::new(folder, project, day)?;
    for (number, file) in files.iter_mut().enumerate() {
        file.advance(number, &doubles)?;
    }
    while let Some(number) = least(&files) {
        let next = files[number].next.take();
        files[number].advance(number, &doubles)?;
        if let Some(record) = next {
            writer.add(record)?;
        }
    }
    Ok(writer.finish()?)
}

/// A row of a file.
type RowPosition = (usize, usize);

/// A file, with what of it is to come.
struct Run<'n> {
    name: &'n str,
    file: EventFile,
    group: usize,
    rows: Option<GroupRecords>,
    /// The number of the next row in the file.
    row: usize,
    next: Option<Record>,
}

impl<'n> Run<'n> {
    fn open(folder: &Path, name: &'n str) -> Result<Self, CompactError> {
        let file = EventFile::open(&folder.join(name)).map_err(|error| unreadable(name, error))?;
        Ok(Self { name, file, group: 0, rows: None, row: 0, next: None })
    }

    /// Goes to the next row that is no double.
    fn advance(&mut self, number: usize, doubles: &Doubles) -> Result<(), CompactError> {
        while let Some(record) = self.following()? {
            let place = (number, self.row);
            self.row += 1;
            if !doubles.has(place) {
                self.next = Some(record);
                return Ok(());
            }
        }
        Ok(())
    }

    /// The next row, of the next group where this one ends.
    fn following(&mut self) -> Result<Option<Record>, CompactError> {
        loop {
            if let Some(record) = self.rows.as_mut().and_then(Iterator::next) {
                return record.map(Some).map_err(|error| unreadable(self.name, error));
            }
            // The columns of the one before make room for those of the next.
            self.rows = None;
            if self.group == self.file.groups() {
                return Ok(None);
            }
            let group = self.file.group_in_steps(self.group);
            let group = group.map_err(|error| unreadable(self.name, error))?;
            self.rows = Some(GroupRecords::of(group));
            self.group += 1;
        }
    }
}

/// The file whose next row comes first.
fn least(files: &[Run<'_>]) -> Option<usize> {
    let next =
        files.iter().enumerate().filter_map(|(number, file)| Some((number, file.next.as_ref()?)));
    next.min_by(|(_, one), (_, other)| in_order(one, other)).map(|(number, _)| number)
}

fn unreadable(name: &str, error: LakeError) -> CompactError {
    CompactError::Unreadable { name: name.to_owned(), error }
}

//! Writes a file anew without a visitor.

use std::path::Path;

use events::{Day, Visitor};

use crate::error::CompactError;
use crate::read::{EventFile, records};
use crate::write::FileWriter;
use crate::{LakeError, Wanted, WrittenFile};

/// What became of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Without {
    /// The visitor is not in it.
    Unchanged,
    /// Everything else is in this file.
    Rewritten(WrittenFile),
    /// There was nothing else in it.
    Empty,
}

/// Writes the rows of a file of a project's day into a new one, but for those of a visitor. The old file stays. Memory holds a row group.
///
/// # Errors
/// If the file cannot be read or is damaged, or if the new one cannot be written.
pub fn write_without(
    folder: &Path,
    (project, day): (&str, Day),
    name: &str,
    visitor: Visitor,
) -> Result<Without, CompactError> {
    let unreadable = |error: LakeError| CompactError::Unreadable { name: name.to_owned(), error };
    let mut file = EventFile::open(&folder.join(name)).map_err(unreadable)?;
    let theirs = Wanted { visitors: visitor..=visitor, ..Wanted::all() };
    let mut are_there = false;
    for group in
        (0..file.groups()).filter(|group| file.may_have(*group, &theirs)).collect::<Vec<_>>()
    {
        let found = file.group(group).and_then(|mut group| records(&mut group, &theirs));
        are_there |= !found.map_err(unreadable)?.is_empty();
    }
    if !are_there {
        return Ok(Without::Unchanged);
    }
    let mut writer = FileWriter::new(folder, project, day)?;
    let mut is_empty = true;
    for group in 0..file.groups() {
        let rows = file.group(group).and_then(|mut group| records(&mut group, &Wanted::all()));
        for record in rows.map_err(unreadable)? {
            if record.visitor != visitor {
                writer.add(record)?;
                is_empty = false;
            }
        }
    }
    if is_empty {
        return Ok(Without::Empty);
    }
    Ok(Without::Rewritten(writer.finish()?))
}

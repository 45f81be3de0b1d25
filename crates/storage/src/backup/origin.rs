//! Which installation a backup is of: its keys are in the backup.

use std::fs::File;

use oauth::SigningKey;

use super::row::Value;
use super::{KEYS, reader};
use crate::{KeyUse, RestoreError};

/// Without any of these, nothing was ever set up.
const SET_UP: [&str; 2] = ["member", "project"];

/// Which installation a backup is of. Nothing after its keys is read, so that the rest may be damaged.
#[derive(Debug, Default)]
pub struct BackupOrigin {
    /// The key that an installation keeps for as long as it has data. `None` if none was made yet, or it cannot be read.
    pub lasting_key: Option<SigningKey>,
    /// The key behind the mark of its folder of events.
    pub event_files_key: Option<SigningKey>,
    /// Whether there is a member or a project.
    pub is_set_up: bool,
}

impl BackupOrigin {
    /// Reads where a backup is from.
    ///
    /// # Errors
    /// If the file cannot be read, or does not begin as backups of this format do.
    pub fn read(file: &mut File) -> Result<Self, RestoreError> {
        let mut reader = reader(file)?;
        let tables = &reader.header().tables;
        let is_set_up = tables.iter().any(|it| it.rows > 0 && SET_UP.contains(&it.name.as_str()));
        let found = tables.iter().enumerate().find(|(_, it)| it.name == KEYS);
        let place = found.and_then(|(number, it)| {
            let column = |name| it.columns.iter().position(|column| column.name == name);
            Some((number, column("id")?, column("key")?))
        });
        let mut origin = Self { is_set_up, ..Self::default() };
        let Some((number, id, key)) = place else { return Ok(origin) };
        loop {
            match reader.next_row() {
                Ok(Some((table, row))) if table == number => origin.add(&row[id], &row[key]),
                Ok(Some((table, _))) if table < number => {}
                Ok(_) | Err(RestoreError::Damaged(_)) => return Ok(origin),
                Err(error) => return Err(error),
            }
        }
    }

    /// The first key stands in for those of other uses where these are missing.
    fn add(&mut self, id: &Value<'_>, key: &Value<'_>) {
        let (Value::Integer(id), Value::Bytes(key)) = (id, key) else { return };
        let Ok(bytes) = <[u8; 32]>::try_from(&**key) else { return };
        if *id == KeyUse::Lasting.id() {
            self.lasting_key = Some(SigningKey::from_bytes(bytes));
            self.event_files_key.get_or_insert(SigningKey::from_bytes(bytes));
        } else if *id == KeyUse::EventFiles.id() {
            self.event_files_key = Some(SigningKey::from_bytes(bytes));
        }
    }
}

//! Takes a file of rows that was sent: reads it in its turn, for who may import it, and keeps its rows.

use domain::ProjectId;
use events::limits::FAULTS_REPORTED;
use events::{ColumnNames, EventRow, ExposureRow, ReadRows, Row, RowFault, RowFormat, read_rows};
use lake::{TableError, read_table_bytes};
use storage::StorageError;
use thiserror::Error;

use crate::App;
use crate::computation::compute;
use crate::events::import::{
    ImportError, Imported, ImportedRows, RefusedRow, import_rows, measured_properties,
    with_measured,
};
use crate::heavy_work::{Overloaded, Work};
use crate::roles::{Actor, Permission, RoleError};

/// A file of rows.
#[derive(Debug, Clone)]
pub struct SentFile<B> {
    /// What its rows are.
    pub kind: RowKind,
    /// How they are written.
    pub format: FileFormat,
    /// What its columns are called.
    pub columns: ColumnNames,
    /// Its bytes.
    pub body: B,
}

/// What rows are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowKind {
    /// Who was given which variation.
    Exposures,
    /// Who did what.
    Events,
}

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFormat {
    /// As text.
    Text(RowFormat),
    /// As Apache Parquet.
    Parquet,
}

/// What became of the rows of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedFile {
    /// How many are kept.
    pub accepted: u64,
    /// How many are not.
    pub rejected: u64,
    /// What is wrong with the first of these, by their lines.
    pub faults: Vec<RowFault>,
}

/// Why no row of a file is taken.
#[derive(Debug, Error)]
pub enum ImportFileError {
    /// None would be taken, whatever the rows are.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// It is no such file.
    #[error("{0}")]
    Unreadable(String),
    /// It is more than a request may bring.
    #[error("{0}")]
    TooLong(String),
    /// A column that was named is in none of its rows.
    #[error("no row has the column `{0}`; hint: check its name")]
    UnseenColumn(String),
    /// Too many files and documents are worked on.
    #[error(transparent)]
    Overloaded(#[from] Overloaded),
}

impl From<RoleError> for ImportFileError {
    fn from(error: RoleError) -> Self {
        Self::Import(ImportError::Role(error))
    }
}

impl From<StorageError> for ImportFileError {
    fn from(error: StorageError) -> Self {
        Self::Import(ImportError::from(error))
    }
}

/// Keeps the rows of a file that are right. Of an actor who may not import it, nothing is parsed.
///
/// # Errors
/// See [`ImportFileError`].
pub async fn import_file<B: AsRef<[u8]> + Send + 'static>(
    app: &App,
    actor: &Actor,
    project: ProjectId,
    file: SentFile<B>,
) -> Result<ImportedFile, ImportFileError> {
    actor.require(app, Some(project), Permission::SendEvents).await?;
    let measured = measured_properties(app, project).await?;
    let file = SentFile { columns: with_measured(file.columns, measured), ..file };
    let (rows, left) = match file.kind {
        RowKind::Exposures => read::<ExposureRow, B>(app, file, ImportedRows::Exposures).await?,
        RowKind::Events => read::<EventRow, B>(app, file, ImportedRows::Events).await?,
    };
    let imported = import_rows(app, actor, project, rows).await?;
    Ok(left.with(imported))
}

/// What is known of a file beside the rows that can be read.
struct Left {
    /// The line of each of them.
    lines: Vec<u64>,
    faults: Vec<RowFault>,
    faulty: u64,
}

impl Left {
    /// The same with what became of the rows that can be read.
    fn with(self, imported: Imported) -> ImportedFile {
        let Self { lines, mut faults, faulty } = self;
        let Imported { accepted, rejected, faults: refused } = imported;
        let of_line = |RefusedRow { place, detail }| RowFault { line: lines[place], detail };
        faults.extend(refused.into_iter().map(of_line));
        faults.sort_by_key(|fault| fault.line);
        faults.truncate(FAULTS_REPORTED);
        ImportedFile { accepted, rejected: rejected + faulty, faults }
    }
}

/// Reads a file in its turn.
async fn read<R: Row + Send + 'static, B: AsRef<[u8]> + Send + 'static>(
    app: &App,
    file: SentFile<B>,
    rows: impl FnOnce(Vec<R>) -> ImportedRows,
) -> Result<(ImportedRows, Left), ImportFileError> {
    let turn = app.turn(Work::Document).await?;
    let work = move || {
        let _turn = turn;
        rows_of::<R>(file.body.as_ref(), file.format, &file.columns)
    };
    let read = compute("read_rows", work).await;
    let unreadable = |_| Err(ImportFileError::Unreadable("it cannot be read".to_owned()));
    let ReadRows { rows: found, lines, faults, faulty, unseen } =
        read.unwrap_or_else(unreadable)?;
    if !found.is_empty()
        && let Some(column) = unseen.into_iter().next()
    {
        return Err(ImportFileError::UnseenColumn(column));
    }
    Ok((rows(found), Left { lines, faults, faulty }))
}

fn rows_of<R: Row>(
    body: &[u8],
    format: FileFormat,
    columns: &ColumnNames,
) -> Result<ReadRows<R>, ImportFileError> {
    let unreadable = ImportFileError::Unreadable;
    match format {
        FileFormat::Parquet => read_table_bytes(body, columns).map_err(|error| match error {
            TableError::TooLong => ImportFileError::TooLong(error.to_string()),
            error @ (TableError::Io(_)
            | TableError::Damaged(_)
            | TableError::MissingColumn { .. }
            | TableError::Export(_)
            | TableError::WrongType(_)) => unreadable(error.to_string()),
        }),
        FileFormat::Text(format) => {
            let text = std::str::from_utf8(body).map_err(|_| {
                unreadable("it is not valid UTF-8; hint: save it as UTF-8".to_owned())
            })?;
            read_rows(text, format, columns).map_err(|fault| unreadable(fault.to_string()))
        }
    }
}

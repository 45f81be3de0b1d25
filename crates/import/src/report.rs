//! The report of an import.

use std::fmt;

use serde::Serialize;

use crate::ExportLocation;

/// What came of an export beside the document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// How many resources of each kind were carried over, in the document's order.
    pub carried: Vec<Count>,
    /// Every difference, in the order of the export.
    pub notes: Vec<Note>,
}

/// How many resources of a kind were carried over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Count {
    /// The kind, in the plural: `pages`.
    pub of: &'static str,
    /// How many.
    pub count: usize,
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// What happened.
    pub outcome: Outcome,
    /// Its location in the export.
    #[serde(flatten)]
    pub location: ExportLocation,
    /// What it is, and why.
    pub message: String,
    /// What to do about it.
    pub advice: String,
}

/// What happened to a part of the export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It is not in the document.
    LeftOut,
    /// It is in the document, but in another form.
    Changed,
    /// The document says something that the export does not.
    Added,
    /// It is in the document, and works only if more is done, or perhaps not as meant.
    Check,
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::LeftOut => "left out",
            Self::Changed => "changed",
            Self::Added => "added",
            Self::Check => "check",
        })
    }
}

impl fmt::Display for Note {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}: {}", self.location, self.outcome, self.message)?;
        if self.advice.is_empty() {
            return Ok(());
        }
        write!(formatter, "\n  do: {}", self.advice)
    }
}

/// `1 page`, `2 pages`.
fn counted(count: usize, of: &str) -> String {
    match (count, of.strip_suffix('s')) {
        (1, Some(one)) => format!("1 {one}"),
        _ => format!("{count} {of}"),
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for note in &self.notes {
            writeln!(formatter, "{note}")?;
        }
        let counts = self.carried.iter().filter(|carried| carried.count > 0);
        let carried: Vec<String> = counts.map(|Count { of, count }| counted(*count, of)).collect();
        let notes = match self.notes.len() {
            0 => "nothing is different".to_owned(),
            1 => "1 note above".to_owned(),
            count => format!("{count} notes above"),
        };
        match carried.as_slice() {
            [] => write!(formatter, "imported an empty project; {notes}"),
            carried => write!(formatter, "imported {}; {notes}", carried.join(", ")),
        }
    }
}

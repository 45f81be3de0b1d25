//! What the rows of a row group are, and which of them are wanted.

use events::Visitor;
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};

use crate::columns::{Group, odd};
use crate::schema::{EVENT, EXPOSURE};
use crate::{LakeError, Wanted};

/// The columns that say what rows are. They are read before all others: where nothing is wanted, nothing else is.
pub(crate) struct Kinds {
    /// The rows that are wanted, by number.
    pub(crate) wanted: Vec<usize>,
    words: Vec<ByteArray>,
    experiments: Vec<Option<i64>>,
    names: Vec<Option<ByteArray>>,
    visitors: Vec<i64>,
}

/// What a row is.
pub(crate) enum Kind<'r> {
    Exposure { experiment: u64 },
    Event { name: &'r str },
}

impl Kinds {
    pub(crate) fn of(group: &mut Group, wanted: &Wanted) -> Result<Self, LakeError> {
        let mut kinds = Self {
            wanted: Vec::new(),
            words: group.required::<ByteArrayType>("kind")?,
            experiments: group.optional::<Int64Type>("experiment_id")?,
            names: group.optional::<ByteArrayType>("name")?,
            visitors: group.required::<Int64Type>("visitor")?,
        };
        let mut rows = Vec::new();
        for row in 0..group.rows {
            let is_wanted = match kinds.kind(row)? {
                Kind::Exposure { experiment } => wanted.exposures.has(&experiment),
                Kind::Event { name } => wanted.events.has(name),
            };
            if is_wanted && wanted.visitors.contains(&kinds.visitor(row)) {
                rows.push(row);
            }
        }
        kinds.wanted = rows;
        Ok(kinds)
    }

    pub(crate) fn kind(&self, row: usize) -> Result<Kind<'_>, LakeError> {
        let kind = self.words[row].data();
        if kind == EXPOSURE.as_bytes() {
            let experiment = self.experiments[row].and_then(|id| u64::try_from(id).ok());
            let experiment = experiment.ok_or_else(|| odd("experiment_id"))?;
            return Ok(Kind::Exposure { experiment });
        }
        if kind != EVENT.as_bytes() {
            return Err(LakeError::NoEventFile("a row is of no known kind"));
        }
        let name = self.names[row].as_ref().ok_or_else(|| odd("name"))?;
        Ok(Kind::Event { name: name.as_utf8()? })
    }

    /// Whether an exposure is among the wanted rows. Exposures come last.
    pub(crate) fn have_exposures(&self) -> Result<bool, LakeError> {
        let Some(last) = self.wanted.last() else { return Ok(false) };
        Ok(matches!(self.kind(*last)?, Kind::Exposure { .. }))
    }

    pub(crate) fn visitor(&self, row: usize) -> Visitor {
        Visitor::from_number(self.visitors[row])
    }
}

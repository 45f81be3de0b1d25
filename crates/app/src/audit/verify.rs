//! Somebody checks that the audit log is what was sealed: in the database, or as it was exported.

use std::io::{self, BufRead, Read as _};

use oauth::{Lifetime, Moment, Timestamp};
use storage::{AuditHash, AuditHead, BrokenChain, ChainCheck, SealedEntry, StorageError};
use thiserror::Error;

use super::{AuditExport, seal_audit};
use crate::App;

/// A server seals every second; this long, it may have been stopped.
const SEALED_WITHIN: Lifetime = Lifetime::from_seconds(120);

/// Longer than any entry: the change of a whole document is in some.
const LINE_AT_MOST: u64 = 64 << 20;

/// A log that is as it was sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerifiedAudit {
    /// How many entries it has.
    pub entries: u64,
    /// The last of them: to be noted down elsewhere.
    pub head: Option<AuditHead>,
}

impl VerifiedAudit {
    /// The number of the first entry: 1, unless older ones have gone.
    #[must_use]
    pub fn first_seal(&self) -> i64 {
        let seal = self.head.map_or(0, |head| head.seal);
        seal + 1 - i64::try_from(self.entries).unwrap_or(i64::MAX)
    }
}

/// Why a log is not to be trusted, or was not checked.
#[derive(Debug, Error)]
pub enum VerifyAuditError {
    /// It is not as it was sealed.
    #[error("the audit log is broken: {0}")]
    Broken(#[from] BrokenChain),
    /// Something keeps entries from being sealed.
    #[error("the audit log is not sealed since {}", Moment::from(*.0).machine())]
    Unsealed(Timestamp),
    /// A line is no entry.
    #[error("line {number} is no entry of an exported audit log: {reason}")]
    NoEntry {
        /// The line, from 1.
        number: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// The export cannot be read.
    #[error("cannot read the export: {0}")]
    Read(#[from] io::Error),
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Checks the log in the database. `noted` is the hash of a head that was noted earlier, which has to be in it.
///
/// # Errors
/// See [`VerifyAuditError`]; the first entry that is not right is named.
pub async fn verify_audit(
    app: &App,
    noted: Option<AuditHash>,
) -> Result<VerifiedAudit, VerifyAuditError> {
    seal_audit(app).await?;
    let unsealed = app.store().oldest_unsealed(app.now() - SEALED_WITHIN).await?;
    if let Some(since) = unsealed {
        return Err(VerifyAuditError::Unsealed(since));
    }
    let mut check = ChainCheck::new(noted);
    let mut export = AuditExport::begin(app, None).await?;
    loop {
        let entries = export.next(app).await?;
        if entries.is_empty() {
            let (entries, head) = check.finish()?;
            return Ok(VerifiedAudit { entries, head });
        }
        entries.iter().try_for_each(|entry| check.take(entry))?;
    }
}

/// Checks an export, wherever it is: no database is needed.
///
/// # Errors
/// See [`VerifyAuditError`]; the first entry that is not right is named.
pub fn verify_export(
    mut lines: impl BufRead,
    noted: Option<AuditHash>,
) -> Result<VerifiedAudit, VerifyAuditError> {
    let mut check = ChainCheck::new(noted);
    for number in 1.. {
        let mut line = Vec::new();
        (&mut lines).take(LINE_AT_MOST).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            break;
        }
        check.take(&read(number, &line)?)?;
    }
    let (entries, head) = check.finish()?;
    Ok(VerifiedAudit { entries, head })
}

fn read(number: u64, line: &[u8]) -> Result<SealedEntry, VerifyAuditError> {
    serde_json::from_slice(line)
        .map_err(|error| VerifyAuditError::NoEntry { number, reason: error.to_string() })
}

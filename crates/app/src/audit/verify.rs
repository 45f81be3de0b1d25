//! Somebody checks that the audit log is what was sealed: in the database, or as it was exported. Nothing is written meanwhile: a seal
//! that is missing would be made good by whoever checks.

use std::io::{self, BufRead, Read as _};

use oauth::{Lifetime, Moment, Timestamp};
use storage::{
    AuditHash, AuditHead, BrokenChain, ChainCheck, SealedEntry, StorageError, UnsealedSpan,
};
use thiserror::Error;

use super::AuditExport;
use crate::App;

/// A server seals every second, and a command what it wrote; this long, either may take when there is much to do.
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
    /// An entry should have a seal, and has none.
    #[error(
        "an entry of {} has no seal: somebody took it away or put the entry there, or no server has run since",
        Moment::from(*.0).machine()
    )]
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
    let unsealed = app.store().unsealed_span().await?;
    if let Some(at) = unsealed.and_then(|unsealed| overdue(unsealed, app.now())) {
        return Err(VerifyAuditError::Unsealed(at));
    }
    let mut check = ChainCheck::new(noted);
    let mut export = AuditExport::of_all();
    loop {
        let entries = export.next(app).await?;
        if entries.is_empty() {
            let (entries, head) = check.finish()?;
            return Ok(VerifiedAudit { entries, head });
        }
        entries.iter().try_for_each(|entry| check.take(entry))?;
    }
}

/// What has just been written is sealed in a moment. What was written before has lost its seal, or was put there by somebody who could
/// not seal it; so was what comes from the future.
pub(super) fn overdue(unsealed: UnsealedSpan, now: Timestamp) -> Option<Timestamp> {
    let is_old = Some(unsealed.oldest).filter(|oldest| *oldest < now - SEALED_WITHIN);
    is_old.or_else(|| Some(unsealed.newest).filter(|newest| *newest > now + SEALED_WITHIN))
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

//! Verifies that the audit log is as it was sealed: in the database, or in an export. Verification writes nothing, because sealing would
//! hide a missing seal.

use std::io::{self, BufRead, Read as _};

use oauth::{CLOCK_AHEAD, Lifetime, Moment, Timestamp};
use storage::{
    AuditHash, AuditHead, BrokenChain, ChainCheck, SealedEntry, StorageError, UnsealedSpan,
};
use thiserror::Error;

use super::AuditExport;
use crate::App;

/// A server seals every second, and a command seals what it wrote; under load either may take this long.
const SEALED_WITHIN: Lifetime = Lifetime::from_seconds(120);

/// Longer than any entry: some contain the change of a whole document.
const LINE_AT_MOST: u64 = 64 << 20;

/// A log that matches its seals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerifiedAudit {
    /// How many entries it has.
    pub entries: u64,
    /// The last of them, for the operator to record elsewhere.
    pub head: Option<AuditHead>,
}

impl VerifiedAudit {
    /// The number of the first entry: 1, unless older ones were deleted.
    #[must_use]
    pub fn first_seal(&self) -> i64 {
        let seal = self.head.map_or(0, |head| head.seal);
        seal + 1 - i64::try_from(self.entries).unwrap_or(i64::MAX)
    }
}

/// Why a log cannot be trusted, or could not be checked.
#[derive(Debug, Error)]
pub enum VerifyAuditError {
    /// It does not match its seals.
    #[error("the audit log is broken: {0}")]
    Broken(#[from] BrokenChain),
    /// An entry lacks the seal it should have.
    #[error(
        "an entry of {} has no seal: the seal was removed, the entry was forged, or no server has run since",
        Moment::from(*.0).machine()
    )]
    Unsealed(Timestamp),
    /// An entry without a seal is of a time that is more than a day ahead.
    #[error(
        "an entry of {} has no seal, and is more than a day ahead of the clock: it was forged, or a clock was far ahead when it was written",
        Moment::from(*.0).machine()
    )]
    FarAhead(Timestamp),
    /// A line is not an entry.
    #[error("line {number} is not an entry of an exported audit log: {reason}")]
    NoEntry {
        /// The line number, from 1.
        number: u64,
        /// What is wrong with the line.
        reason: String,
    },
    /// The export cannot be read.
    #[error("cannot read the export: {0}")]
    Read(#[from] io::Error),
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Verifies the log in the database. `noted` is the hash of a head noted earlier, which the log must contain.
///
/// # Errors
/// See [`VerifyAuditError`]; it names the first wrong entry.
pub async fn verify_audit(
    app: &App,
    noted: Option<AuditHash>,
) -> Result<VerifiedAudit, VerifyAuditError> {
    let unsealed = app.store().unsealed_span().await?;
    if let Some(overdue) = unsealed.and_then(|unsealed| overdue(unsealed, app.now())) {
        return Err(overdue.into());
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

/// The server seals new entries within moments. An older unsealed entry has lost its seal, or was forged by an attacker who could not seal
/// it. An entry may be dated up to a day in the future: a server whose clock was ahead goes on from there, and seals what it counts by that time.
pub(super) fn overdue(unsealed: UnsealedSpan, now: Timestamp) -> Option<Overdue> {
    let UnsealedSpan { oldest, newest } = unsealed;
    let old = (oldest < now - SEALED_WITHIN).then_some(Overdue::Old(oldest));
    old.or_else(|| {
        (newest > now + CLOCK_AHEAD + SEALED_WITHIN).then_some(Overdue::FarAhead(newest))
    })
}

/// An entry that should have a seal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overdue {
    /// It is from a while ago.
    Old(Timestamp),
    /// It is further ahead than any time of a server.
    FarAhead(Timestamp),
}

impl From<Overdue> for VerifyAuditError {
    fn from(overdue: Overdue) -> Self {
        match overdue {
            Overdue::Old(at) => Self::Unsealed(at),
            Overdue::FarAhead(at) => Self::FarAhead(at),
        }
    }
}

/// Verifies an export, without a database.
///
/// # Errors
/// See [`VerifyAuditError`]; it names the first wrong entry.
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

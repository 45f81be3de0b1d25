//! `assay audit verify`: checks that the audit log is as it was sealed.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use app::audit::{VerifiedAudit, VerifyAuditError, verify_audit, verify_export};
use serde_json::json;
use storage::AuditHash;

use crate::cli::AuditVerifyArguments;
use crate::failure::Failure;
use crate::{offline, output};

/// Checks the log, and says how far it reaches.
pub(super) fn run(arguments: &AuditVerifyArguments) -> Result<(), Failure> {
    let noted = arguments.from;
    let verified = match &arguments.file {
        Some(path) => verify_file(path, noted)?,
        None => offline::look(&arguments.place, async |app| {
            verify_audit(app, noted).await.map_err(failure)
        })?,
    };
    tell(arguments, verified);
    Ok(())
}

fn verify_file(path: &Path, noted: Option<AuditHash>) -> Result<VerifiedAudit, Failure> {
    let file = File::open(path).map_err(|error| {
        Failure::unreadable(format_args!("audit log `{}`", path.display()), &error)
    })?;
    verify_export(BufReader::new(file), noted).map_err(failure)
}

fn failure(error: VerifyAuditError) -> Failure {
    match error {
        VerifyAuditError::Broken(_)
        | VerifyAuditError::Unsealed(_)
        | VerifyAuditError::FarAhead(_)
        | VerifyAuditError::NoEntry { .. } => Failure::input(error),
        VerifyAuditError::Read(_) | VerifyAuditError::Storage(_) => Failure::environment(error),
    }
}

fn tell(arguments: &AuditVerifyArguments, verified: VerifiedAudit) {
    let VerifiedAudit { entries, head } = verified;
    if arguments.json {
        let head = head.map(|head| json!({"seal": head.seal, "hash": head.hash.to_string()}));
        let first = verified.first_seal();
        output::print(json!({"entries": entries, "first_seal": first, "head": head}));
        return;
    }
    match head {
        None => output::print("there are no entries"),
        Some(head) => output::print(format_args!(
            "entries {} to {} are intact\nhash {}\nNote the hash down elsewhere; check it later with `--from`.",
            verified.first_seal(),
            head.seal,
            head.hash
        )),
    }
}

//! `assay audit export`: the audit log, to store elsewhere.

use app::audit::AuditExport;
use app::roles::Actor;

use crate::cli::AuditExportArguments;
use crate::failure::Failure;
use crate::{offline, output};

/// Prints every sealed entry, the oldest first.
pub(super) fn run(arguments: &AuditExportArguments) -> Result<(), Failure> {
    offline::look(&arguments.place, async |app| {
        let since = arguments.since.map(|age| app.now() - age);
        let mut export =
            AuditExport::begin(app, &Actor::Command, since).await.map_err(Failure::environment)?;
        loop {
            let entries = export.next(app).await.map_err(Failure::environment)?;
            if entries.is_empty() || !output::is_open() {
                return Ok(());
            }
            for entry in &entries {
                output::print(entry);
            }
        }
    })
}

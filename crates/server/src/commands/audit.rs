//! `assay audit`: who did what to whom, when and from where; and whether the log is intact.

mod export;
mod verify;

use std::ops::ControlFlow;

use app::audit::{entry_json, read_audit};
use app::roles::Actor;
use oauth::{ClientId, Moment, Timestamp};
use storage::AuditEntry;

use crate::cli::{AuditArguments, AuditCommand};
use crate::failure::Failure;
use crate::{offline, output};

/// Runs one of the commands.
pub(crate) fn run(arguments: &AuditArguments) -> Result<(), Failure> {
    match &arguments.command {
        None => show(arguments),
        Some(AuditCommand::Verify(arguments)) => verify::run(arguments),
        Some(AuditCommand::Export(arguments)) => export::run(arguments),
    }
}

/// Prints the log, the newest entries first.
fn show(arguments: &AuditArguments) -> Result<(), Failure> {
    let show = |entry: &AuditEntry| {
        if arguments.json {
            show_json(entry);
        } else {
            show_text(entry);
        }
        if output::is_open() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    offline::look(&arguments.place, async |app| {
        let since = arguments.since.map_or(Timestamp::from_milliseconds(0), |age| app.now() - age);
        let at_most = arguments.limit.unwrap_or(usize::MAX);
        read_audit(app, &Actor::Command, since, at_most, show).await.map_err(Failure::environment)
    })
}

fn show_json(entry: &AuditEntry) {
    output::print(entry_json(entry));
}

/// An entry on one line.
fn show_text(entry: &AuditEntry) {
    let member = entry
        .member
        .as_ref()
        .map(|member| member.email.clone().unwrap_or_else(|| format!("member {}", member.id)));
    let client = entry.client_id.as_ref().map(ClientId::to_string);
    let project = entry.project.as_ref();
    let project = project.map(|change| format!("project {} {}", change.id, change.entity));
    let times = (entry.count > 1).then(|| format!("{} times", entry.count));
    let more = [project, client, member, entry.address.clone(), entry.detail.clone(), times];
    output::print(format_args!(
        "{}  {:<24} by {:<12} {}",
        Moment::from(entry.at).machine(),
        entry.event.as_str(),
        entry.by.as_str(),
        more.into_iter().flatten().collect::<Vec<_>>().join("  ")
    ));
}

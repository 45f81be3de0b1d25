//! Where events go beside the folder: a sink, and copies in object storage.

use std::os::unix::fs::MetadataExt as _;

use app::events::owns_event_files;
use storage::FoundSchema;
use ureq::http::StatusCode;

use super::finding::{Finding, failed, fault, fine, warning};
use crate::cli::EventKeepingArguments;
use crate::data_place::DataPlace;
use crate::event_sink::{HttpSink, Refusal, TrialError};
use crate::failure::Failure;
use crate::object_storage::{Action, ObjectStorage, Patience, Refused};
use crate::{authorities, offline, opening};

const SINK: &str = "sink";
const COPIES: &str = "object storage";

const KEYS_CURE: &str = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_SESSION_TOKEN if the key is a temporary one";

/// Without keys, those of the machine's role are asked for here.
const ROLE_ADDRESS: &str = "169.254.169.254";

pub(super) fn look(events: &EventKeepingArguments, place: &DataPlace) -> Vec<Finding> {
    let sink = match events.sink(place) {
        Ok(None) => Vec::new(),
        Ok(Some(sink)) => sink_findings(&sink, events),
        Err(failure) => vec![failed(SINK, &failure)],
    };
    let copies = match events.copies(place, Patience::Command) {
        Ok(None) => Vec::new(),
        Ok(Some(copies)) => vec![copies_finding(&copies, place)],
        Err(failure) => vec![failed(COPIES, &failure)],
    };
    [sink, copies].concat()
}

fn sink_findings(sink: &HttpSink, events: &EventKeepingArguments) -> Vec<Finding> {
    let host = sink.host();
    let mut findings = vec![match sink.try_without_events() {
        Ok(()) => fine(SINK, format_args!("{host} takes events: it took a request without any")),
        Err(TrialError::Refused(refusal)) => refused(host, &refusal),
        Err(TrialError::Unreachable(error)) => {
            let cure = authorities::hint(&error)
                .unwrap_or("look at the address, DNS, the firewall and the certificate");
            fault(SINK, format_args!("{host} does not answer: {error}"), cure)
        }
    }];
    if sink.is_exposed() {
        let told = "anyone on the network in between can read the headers of --sink-headers";
        findings.push(warning(SINK, told, "use an https address"));
    }
    let headers = events.sink_headers.as_deref();
    if let Some(file) = headers
        && file.metadata().is_ok_and(|metadata| metadata.mode() & 0o007 != 0)
    {
        let shown = file.display();
        let told = format_args!("other users of this machine can use `{shown}`");
        findings.push(warning(SINK, told, format!("chmod o= {shown}")));
    }
    findings
}

fn refused(host: &str, Refusal { status, code, said }: &Refusal) -> Finding {
    let told = format!("{host} answers {status}: {said}");
    // Numbers of errors are those of ClickHouse.
    let cure = match (code.as_deref(), *status) {
        (Some("497"), _) => "grant the user INSERT on the table",
        (Some("60" | "81"), _) => "make the table, or correct --sink",
        (Some("192" | "193" | "194" | "516"), _)
        | (_, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) => "correct --sink-headers",
        (_, StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED) => "correct --sink",
        (_, status) if status.is_redirection() => {
            "name the address to which it leads: no redirect is followed"
        }
        (_, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) => {
            return warning(SINK, told, "it is busy: run this again later");
        }
        (None, status) if status.is_client_error() => {
            let cure = "if it refuses a request without events alone, all is well: look at `assay_events_sent_total` once there are some";
            return warning(SINK, told, cure);
        }
        _ => "look at the log of that system",
    };
    fault(SINK, told, cure)
}

fn copies_finding(copies: &ObjectStorage, place: &DataPlace) -> Finding {
    match try_copies(copies, place) {
        Ok(Ok(finding)) => finding,
        Ok(Err(refused)) => not_allowed(&refused),
        Err(failure) => failed(COPIES, &failure),
    }
}

fn try_copies(
    copies: &ObjectStorage,
    place: &DataPlace,
) -> Result<Result<Finding, Refused>, Failure> {
    let runtime = tokio::runtime::Runtime::new().map_err(Failure::environment)?;
    let owner = match runtime.block_on(copies.try_reading()) {
        Ok(owner) => owner,
        Err(refused) => return Ok(Err(refused)),
    };
    if let Some(owner) = owner
        && let Some(finding) = of_another(place, &owner)?
    {
        return Ok(Ok(finding));
    }
    let told = "lets Assay list, read, write and delete: it wrote an empty object and removed it";
    Ok(runtime.block_on(copies.try_writing()).map(|()| fine(COPIES, told)))
}

/// What is wrong with copies of this owner. A database that is not there yet has none, and one that is still to be migrated is not opened.
fn of_another(place: &DataPlace, owner: &str) -> Result<Option<Finding>, Failure> {
    let is_ours = match opening::find_schema(place)? {
        None | Some(FoundSchema::Empty) => false,
        Some(FoundSchema::Older { .. }) => {
            let told = "whose copies are there is known only after the database is migrated";
            return Ok(Some(warning(
                COPIES,
                told,
                "look again after `assay serve` has migrated it",
            )));
        }
        Some(FoundSchema::Current) => offline::look(place, async |app| {
            owns_event_files(app, owner).await.map_err(Failure::environment)
        })?,
    };
    let told = "the copies there are of another Assay";
    let cure = "give each a prefix of its own, or remove `.assay` there if that one is gone";
    Ok((!is_ours).then(|| fault(COPIES, told, cure)))
}

fn not_allowed(Refused { action, code, said }: &Refused) -> Finding {
    let cure = match code.as_deref() {
        Some("NoSuchBucket") => "make the bucket, or correct --copy-events".to_owned(),
        Some(
            "InvalidAccessKeyId" | "SignatureDoesNotMatch" | "InvalidToken" | "ExpiredToken",
        ) => KEYS_CURE.to_owned(),
        Some("RequestTimeTooSkewed") => "synchronise the clock (NTP)".to_owned(),
        Some("PermanentRedirect" | "AuthorizationHeaderMalformed") => {
            "set AWS_REGION to the region of the bucket".to_owned()
        }
        Some(_) => format!("allow the key `{}` there", action.as_str()),
        None if said.contains(ROLE_ADDRESS) => KEYS_CURE.to_owned(),
        None if authorities::hint(said).is_some() => authorities::HINT.to_owned(),
        None => "look at AWS_ENDPOINT_URL, DNS and the firewall; without TLS, AWS_ALLOW_HTTP=true is needed".to_owned(),
    };
    let left = match action {
        Action::Delete => "; the empty object `.assay-doctor` is left there",
        Action::List | Action::Get | Action::Put => "",
    };
    fault(COPIES, format_args!("refuses `{}`: {said}{left}", action.as_str()), cure)
}

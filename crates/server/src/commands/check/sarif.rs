//! Findings as SARIF 2.1.0, the format of code scanners.

use domain::Fault;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use super::{Findings, whole};

/// What a path in an address keeps as it is.
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.');

/// The report as text.
pub(super) fn report(findings: &[Findings]) -> String {
    let mut codes: Vec<&str> =
        findings.iter().flat_map(|found| &found.faults).map(|fault| fault.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let rules: Vec<Value> = codes.iter().map(|code| json!({"id": code})).collect();
    let results = findings
        .iter()
        .flat_map(|found| found.faults.iter().map(|fault| result(fault, &found.file)))
        .collect::<Vec<_>>();
    let report = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "assay",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&report).expect("findings are always JSON")
}

fn result(fault: &Fault, file: &str) -> Value {
    let named = fault.place.as_ref().map_or(file, |place| &place.file);
    let mut physical = json!({"artifactLocation": {"uri": address(named)}});
    if let Some(place) = &fault.place {
        physical["region"] = json!({"startLine": place.line, "startColumn": place.column});
    }
    let mut location = json!({"physicalLocation": physical});
    let path = fault.pointer.path();
    if !path.is_empty() {
        location["logicalLocations"] = json!([{"fullyQualifiedName": path}]);
    }
    json!({
        "ruleId": fault.code,
        "level": fault.severity.to_string(),
        "message": {"text": whole(fault)},
        "locations": [location],
    })
}

/// A relative path stays relative, so that the scanner finds the file in its own copy.
fn address(file: &str) -> String {
    let file = file.replace('\\', "/");
    let path = utf8_percent_encode(file.strip_prefix("./").unwrap_or(&file), PATH);
    if file.starts_with('/') { format!("file://{path}") } else { path.to_string() }
}

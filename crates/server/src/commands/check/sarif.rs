//! Findings as SARIF 2.1.0, the format of code scanners.

use domain::{Fault, SourceLocation};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use super::marked::line_at;
use super::{Findings, whole};
use crate::project_file::Texts;

/// What a path in an address keeps as it is.
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.');

/// The report as text.
pub(super) fn report(findings: &[Findings]) -> String {
    let mut codes: Vec<&str> =
        findings.iter().flat_map(|found| &found.faults).map(|fault| fault.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let rules: Vec<Value> = codes.into_iter().map(rule).collect();
    let results = findings
        .iter()
        .flat_map(|found| found.faults.iter().map(|fault| result(fault, found)))
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

/// A kind of faults, which its code names in words.
fn rule(code: &str) -> Value {
    let words = code.replace('_', " ");
    let first = words.get(..1).unwrap_or_default().to_uppercase();
    let description = format!("{first}{}.", words.get(1..).unwrap_or_default());
    json!({"id": code, "shortDescription": {"text": description}})
}

fn result(fault: &Fault, found: &Findings) -> Value {
    let named = fault.place.as_ref().map_or(&found.file, |place| &place.file);
    // Scanners show nothing that has no line.
    let whole_file = || json!({"startLine": 1});
    let region = fault.place.as_ref().map_or_else(whole_file, |place| region(place, &found.texts));
    let physical = json!({"artifactLocation": {"uri": address(named)}, "region": region});
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

fn region(place: &SourceLocation, texts: &Texts) -> Value {
    let mut region = json!({"startLine": place.line, "startColumn": place.column});
    let marked = line_at(texts, place).map(|(line, span)| line[span].chars().count());
    if let Some(characters) = marked.filter(|characters| *characters > 0) {
        region["endColumn"] = json!(place.column as usize + characters);
    }
    region
}

/// A relative path stays relative, so that the scanner finds the file in its own copy.
fn address(file: &str) -> String {
    let file = file.replace('\\', "/");
    let path = utf8_percent_encode(file.strip_prefix("./").unwrap_or(&file), PATH);
    if file.starts_with('/') { format!("file://{path}") } else { path.to_string() }
}

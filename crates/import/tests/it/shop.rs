//! An export that has every field we know of, as a document and a report.

use domain::{NoFiles, Source};
use import::{Export, ExportFile, Imported, Refusal};
use serde_json::Value;

/// The export.
pub(crate) const SHOP: &str = include_str!("../exports/shop.json");

/// Imports one file, checked as a document alone.
pub(crate) fn import_text(text: &str, project: Option<&str>) -> Result<Imported, Refusal> {
    let file = ExportFile { name: "shop.json".to_owned(), text: text.to_owned() };
    let export = Export::read(&[file]).expect("the export is an object");
    import_export(&export, project)
}

pub(crate) fn import_export(export: &Export, project: Option<&str>) -> Result<Imported, Refusal> {
    import::import(export, project, &|source: &Source<'_>| {
        domain::parse(source).map(|parsed| (parsed.project, parsed.warnings))
    })
}

/// The project 1000 of an export.
pub(crate) fn imported(export: &Value) -> Imported {
    import_text(&export.to_string(), Some("1000")).expect("the export has a project")
}

/// The export that has everything, as a value to change.
pub(crate) fn shop() -> Value {
    serde_json::from_str(SHOP).expect("the export is JSON")
}

#[test]
fn an_export_becomes_a_document() {
    let imported = import_text(SHOP, Some("1000")).unwrap();
    let yaml = imported.project.to_yaml();

    let parsed = domain::parse(&Source { name: "shop.yaml", text: &yaml, files: &NoFiles });
    assert_eq!(parsed.unwrap().project, imported.project);
    insta::assert_snapshot!(yaml);
}

#[test]
fn an_import_reports_what_it_changed() {
    let imported = import_text(SHOP, Some("1000")).unwrap();

    insta::assert_snapshot!(imported.report);
}

#[test]
fn resources_in_files_of_their_own_come_to_the_same() {
    let whole = shop();
    let files = whole
        .as_object()
        .unwrap()
        .iter()
        .map(|(kind, list)| ExportFile { name: format!("{kind}.json"), text: list.to_string() });
    let export = Export::read(&files.collect::<Vec<_>>()).unwrap();

    let imported = import_export(&export, Some("1000")).unwrap();

    assert_eq!(imported.project, import_text(SHOP, Some("1000")).unwrap().project);
}

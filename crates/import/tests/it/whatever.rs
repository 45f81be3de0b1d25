//! Whatever is imported: nothing panics, and it ends with a valid document or with clear words.

use import::{Export, ExportFile};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::shop::import_export;

const WORDS: &[&str] = &[
    "projects",
    "pages",
    "audiences",
    "campaigns",
    "experiments",
    "groups",
    "events",
    "attributes",
    "id",
    "project_id",
    "campaign_id",
    "page_ids",
    "conditions",
    "type",
    "value",
    "variations",
    "variation_id",
    "weight",
    "actions",
    "page_id",
    "changes",
    "audience_conditions",
    "status",
    "name",
    "key",
    "entities",
    "kind",
    "url_targeting",
    "experiment_priorities",
    "schedule",
    "$from",
    "selector",
    "attributes",
    "css",
    "dependencies",
    "web_snippet",
    "holdback",
    "archived",
];

fn word() -> impl Strategy<Value = String> {
    prop::sample::select(WORDS).prop_map(str::to_owned)
}

/// JSON made of words that exports have.
fn json_of_exports() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (1000_u64..1003).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word().prop_map(Value::from),
        Just(json!("personalization")),
        Just(json!("a/b")),
        Just(json!("[\"or\", {\"type\": \"url\"}]")),
        "\\PC{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(8, 200, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((word(), inner), 0..10)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn import_whatever(files: Vec<(String, String)>) {
    let files: Vec<ExportFile> =
        files.into_iter().map(|(name, text)| ExportFile { name, text }).collect();
    let refusal = match Export::read(&files) {
        Err(error) => error.to_string(),
        Ok(export) => match import_export(&export, None) {
            Ok(_) => return,
            Err(refusal) => refusal.to_string(),
        },
    };
    assert!(!refusal.is_empty());
}

proptest! {
    #[test]
    fn any_text_ends_well(text in any::<String>()) {
        import_whatever(vec![("export.json".to_owned(), text)]);
    }

    #[test]
    fn any_json_ends_well(value in json_of_exports()) {
        import_whatever(vec![("export.json".to_owned(), value.to_string())]);
    }

    #[test]
    fn any_resources_end_well(kind in prop::sample::select(&WORDS[..8]), list in prop::collection::vec(json_of_exports(), 0..4)) {
        let project = json!([{"id": 1000, "name": "Shop"}]).to_string();
        import_whatever(vec![
            ("projects.json".to_owned(), project),
            (format!("{kind}-2.json"), json!(list).to_string()),
        ]);
    }
}

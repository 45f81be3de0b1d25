//! The JSON Schema says what the decoders do: it knows the same fields, and refuses nothing that they take.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use domain::{Fault, NoFiles, Source, json_schema, parse, parse_value};
use jsonschema::Validator;
use serde_json::{Value, json};

use crate::documents::{EVERYTHING, parse_named};

static VALIDATOR: LazyLock<Validator> =
    LazyLock::new(|| jsonschema::draft202012::new(&json_schema()).unwrap());

pub(crate) fn assert_fits_schema(document: &Value) {
    let errors = VALIDATOR.iter_errors(document);
    let errors: Vec<String> =
        errors.map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{}\n{document}", errors.join("\n"));
}

/// A document that has each kind of resource, with all of its fields written.
fn everything() -> Value {
    serde_json::to_value(&parse_named("demo.yaml", EVERYTHING).unwrap().project).unwrap()
}

/// Where in that document each definition is, by its name; `change/text` is one of several forms.
const PLACES: [(&str, &str); 41] = [
    ("", ""),
    ("project", "/project"),
    ("snippet", "/project/snippet"),
    ("visitor_id", "/project/snippet/visitor_id"),
    ("attribute", "/attributes/0"),
    ("page", "/pages/0"),
    ("activation", "/pages/1/activation"),
    ("tag", "/pages/0/tags/0"),
    ("page_condition", "/pages/0/conditions/1/1"),
    ("event", "/events/1"),
    ("event_property", "/events/0/properties/0"),
    ("metric", "/metrics/0"),
    ("measured_events", "/metrics/4/per"),
    ("audience", "/audiences/0"),
    ("question", "/audiences/0/conditions/1"),
    ("membership", "/audiences/1/conditions/1"),
    ("behavior", "/audiences/2/conditions/15/value"),
    ("campaign", "/campaigns/0"),
    ("schedule", "/campaigns/1/schedule"),
    ("campaign_metrics", "/campaigns/0/metrics"),
    ("guardrail", "/campaigns/0/metrics/guardrails/0"),
    ("plan", "/campaigns/0/plan"),
    ("experiment", "/campaigns/0/experiments/0"),
    ("variation", "/campaigns/0/experiments/0/variations/0"),
    ("change/text", "/campaigns/0/experiments/0/variations/1/changes/0"),
    ("change/html", "/campaigns/0/experiments/0/variations/1/changes/1"),
    ("change/style", "/campaigns/0/experiments/0/variations/1/changes/2"),
    ("change/class", "/campaigns/0/experiments/0/variations/1/changes/4"),
    ("change/attribute", "/campaigns/0/experiments/0/variations/1/changes/5"),
    ("change/insert", "/campaigns/0/experiments/0/variations/1/changes/7"),
    ("change/move", "/campaigns/0/experiments/0/variations/1/changes/8"),
    ("change/remove", "/campaigns/0/experiments/0/variations/1/changes/9"),
    ("change/css", "/campaigns/0/experiments/0/variations/1/changes/10"),
    ("change/javascript", "/campaigns/0/experiments/0/variations/1/changes/11"),
    ("change/redirect", "/campaigns/2/experiments/0/variations/1/changes/0"),
    ("group", "/groups/0"),
    ("group_member", "/groups/0/members/0"),
    ("application", "/applications/0"),
    ("integration/ga4_gtag", "/integrations/0"),
    ("integration/segment", "/integrations/2"),
    ("integration/callback", "/integrations/6"),
];

/// The schema of a definition, or of one of its forms by what its `type` is.
fn definition(schema: &Value, name: &str) -> Value {
    if name.is_empty() {
        return schema.clone();
    }
    let (name, form) = name.split_once('/').unwrap_or((name, ""));
    let definition = &schema["$defs"][name];
    let Some(forms) = definition["oneOf"].as_array() else { return definition.clone() };
    forms.iter().find(|one| one["properties"]["type"]["const"] == form).unwrap().clone()
}

fn faults_at(document: &Value, pointer: &str, code: &str) -> Vec<Fault> {
    let faults = parse_value(document).err().unwrap_or_default();
    faults
        .into_iter()
        .filter(|fault| fault.code == code && fault.pointer.as_str() == pointer)
        .collect()
}

/// The fields that the decoder says it knows, once asked for one that it does not.
fn known_fields(pointer: &str) -> BTreeSet<String> {
    let mut document = everything();
    document.pointer_mut(pointer).unwrap()["zzz"] = json!(1);
    let faults = faults_at(&document, &format!("{pointer}/zzz"), "unknown_field");
    let expected = faults[0].expected.clone().unwrap();
    expected.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn is_required(pointer: &str, field: &str) -> bool {
    let mut document = everything();
    document.pointer_mut(pointer).unwrap().as_object_mut().unwrap().remove(field);
    let faults = faults_at(&document, pointer, "missing_field");
    faults.iter().any(|fault| fault.missing == Some(field))
}

#[test]
fn each_definition_has_exactly_the_fields_that_the_decoder_knows() {
    let schema = json_schema();
    for (name, pointer) in PLACES {
        let definition = definition(&schema, name);
        let fields = definition["properties"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(known_fields(pointer), fields, "{name}");
        assert_eq!(definition["additionalProperties"], json!(false), "{name}");
    }
}

/// What is needed or not by what stands beside it: a schema that says so would be hard to read.
const DEPENDENT: [(&str, &str); 8] = [
    ("activation", "code"),
    ("event", "selector"),
    ("membership", "audience"),
    ("metric", "per"),
    ("metric", "quantile"),
    ("metric", "value"),
    ("tag", "locator_type"),
    ("visitor_id", "name"),
];

#[test]
fn each_definition_requires_exactly_what_the_decoder_requires() {
    let schema = json_schema();
    for (name, pointer) in PLACES {
        let definition = definition(&schema, name);
        let fields = definition["properties"].as_object().unwrap().keys();
        for field in fields.filter(|field| !DEPENDENT.contains(&(name, field))) {
            let is_in_schema = definition["required"].as_array().unwrap().contains(&json!(field));
            assert_eq!(is_in_schema, is_required(pointer, field), "{name}.{field}");
        }
    }
}

#[test]
fn every_definition_with_fields_is_compared() {
    let schema = json_schema();
    let compared: BTreeSet<&str> =
        PLACES.iter().map(|(name, _)| name.split('/').next().unwrap()).collect();

    for (name, definition) in schema["$defs"].as_object().unwrap() {
        let has_fields =
            definition.get("properties").is_some() || definition.get("oneOf").is_some();
        assert_eq!(has_fields, compared.contains(name.as_str()), "{name}");
    }
    let kinds_of_change = schema["$defs"]["change"]["oneOf"].as_array().unwrap().len();
    let changes = PLACES.iter().filter(|(name, _)| name.starts_with("change/"));
    assert_eq!(changes.count(), kinds_of_change);
}

#[test]
fn the_schema_is_this() {
    insta::assert_json_snapshot!(json_schema());
}

#[test]
fn a_project_with_every_field_fits_the_schema() {
    let project = parse_named("demo.yaml", EVERYTHING).unwrap().project;

    assert_fits_schema(&serde_json::to_value(project).unwrap());
}

#[test]
fn what_the_schema_refuses_is_refused_by_the_decoder() {
    let breaks: [(&str, Value); 33] = [
        ("/version", json!(2)),
        ("/project", json!("demo")),
        ("/project/colour", json!("red")),
        ("/project/holdback", json!(10_001)),
        ("/project/snippet/consent", json!("maybe")),
        ("/attributes", json!({})),
        ("/attributes/0/key", json!("Plan")),
        ("/pages/0/id", json!("01")),
        ("/pages/0/name", json!("")),
        ("/pages/0/name", json!("a\nb")),
        ("/pages/0/conditions", json!([{"type": "device", "value": "mobile"}])),
        ("/pages/0/metadata", json!({"a": []})),
        ("/pages/0/archived", json!("yes")),
        ("/events/0/properties", json!([{"name": "a"}])),
        ("/events/0/category", json!("buy")),
        ("/audiences/0/conditions", json!(["nor", {"audience": "known"}])),
        ("/audiences/2/conditions/15/value", json!({"at_least": 2})),
        ("/metrics/0/type", json!("average")),
        ("/metrics/1/cap", json!(0)),
        ("/metrics/1/window", json!("2w")),
        ("/metrics/1/covariate", json!("72h")),
        ("/metrics/1/where", json!({"plan": ["pro"]})),
        ("/metrics/4/per", json!({"value": "revenue"})),
        ("/campaigns/0/metrics/guardrails/0", json!({"metric": "errors"})),
        ("/campaigns/0/plan", json!({"power": "80%"})),
        ("/campaigns/0/plan", json!({"power": "80%", "method": "hybrid"})),
        ("/campaigns/0/plan/until", json!("24.12.2026")),
        ("/campaigns/0/description", json!("a".repeat(4001))),
        ("/campaigns/0/schedule", json!({"time_zone": "UTC"})),
        ("/campaigns/0/schedule", json!({"start": "tomorrow"})),
        ("/campaigns/0/experiments", json!([])),
        ("/campaigns/0/experiments/0/variations/0/weight", json!("half")),
        ("/campaigns/0/changes", json!([{"type": "text", "selector": "h1"}])),
    ];
    for (pointer, value) in breaks {
        let mut document = everything();
        let (parent, field) = pointer.rsplit_once('/').unwrap();
        let parent = document.pointer_mut(parent).unwrap();
        match parent.as_array_mut() {
            Some(elements) => elements[field.parse::<usize>().unwrap()] = value,
            None => parent[field] = value,
        }
        assert!(!VALIDATOR.is_valid(&document), "{pointer}");
        assert!(parse_value(&document).is_err(), "{pointer}");
    }
}

/// The blocks of a Markdown text in this language.
fn blocks<'t>(text: &'t str, language: &str) -> impl Iterator<Item = &'t str> {
    let start = format!("```{language}\n");
    let pieces: Vec<&str> = text.split(start.as_str()).skip(1).collect();
    pieces.into_iter().filter_map(|piece| piece.split("\n```").next())
}

#[test]
fn the_example_in_the_documentation_is_a_project_and_fits_the_schema() {
    let documentation = include_str!("../../../../docs/project-file.md");
    let example = blocks(documentation, "yaml").find(|block| block.starts_with("version: 1"));

    let parsed = parse(&Source { name: "shop.yaml", text: example.unwrap(), files: &NoFiles });

    assert_fits_schema(&serde_json::to_value(parsed.unwrap().project).unwrap());
}

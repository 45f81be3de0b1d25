//! The resources of a project: what the schema of the document says of them, and what their representations add.

use app::campaigns::CopyRequest;
use app::described::Described as _;
use app::documents::ResourceKind;
use serde_json::{Map, Value, json};

use super::{Definition, list_of, of, record, taken, text, text_or_null};
use crate::history::kinds;
use crate::resources::{
    ActedOnCampaignsDto, ArchivingRequest, CampaignsActionRequest, ScheduledStartDto, action_schema,
};

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    let mut document = domain::json_schema();
    point_to_components(&mut document);
    let mut definitions = take_definitions(&mut document);
    unroll_trees(&mut definitions);
    for kind in ResourceKind::ALL {
        let resource = definitions[kind.word()].clone();
        let added = added_to(kind);
        definitions.insert(format!("{}_resource", kind.word()), answered(&resource, &added));
        definitions.insert(format!("{}_to_add", kind.word()), new(&resource, kind, &added));
        definitions.insert(format!("{}_patch", kind.word()), patch(&resource, &added));
        definitions.insert(format!("{}_action", kind.word()), action_schema(kind));
    }
    let phases = [phase(&definitions["experiment_resource"]), phase_patch(&definitions)];
    let names = ["phase_resource", "phase_patch"].map(str::to_owned);
    definitions.extend(names.into_iter().zip(phases));
    let project = definitions["project"].clone();
    definitions.insert("project_resource".to_owned(), answered(&project, &added_to_project()));
    definitions.insert("project_patch".to_owned(), patch(&project, &added_to_project()));
    definitions.insert("project_action".to_owned(), ArchivingRequest::schema());
    definitions.insert("project_line".to_owned(), project_line());
    definitions.insert("experiment_reference".to_owned(), experiment_reference());
    definitions.insert("past_change".to_owned(), past_change());
    definitions.insert("history_entry".to_owned(), history_entry());
    definitions.extend([
        taken::<CopyRequest>(),
        taken::<CampaignsActionRequest>(),
        super::answered::<ScheduledStartDto>(),
        super::answered::<ActedOnCampaignsDto>(),
    ]);
    if let Some(fields) = document.as_object_mut() {
        fields.shift_remove("$schema");
    }
    definitions.insert("document".to_owned(), document);
    definitions.values_mut().for_each(make_plain);
    definitions.into_iter().collect()
}

fn take_definitions(document: &mut Value) -> Map<String, Value> {
    match document.as_object_mut().and_then(|fields| fields.shift_remove("$defs")) {
        Some(Value::Object(definitions)) => definitions,
        Some(_) | None => Map::new(),
    }
}

/// What the document defines for itself is a component of the description.
fn point_to_components(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            for (name, value) in fields {
                if name == "$ref"
                    && let Value::String(reference) = value
                {
                    *reference = reference.replace("#/$defs/", "#/components/schemas/");
                } else {
                    point_to_components(value);
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(point_to_components),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Trees are lists of lists without end. Generators of clients know no such type: they are told of the outermost list, and what is in it
/// is any value. The schema of the document, which editors check files by, has the whole.
fn unroll_trees(definitions: &mut Map<String, Value>) {
    for (tree, leaf) in [
        ("whom", "reference"),
        ("page_conditions", "page_condition"),
        ("audience_conditions", "audience_condition"),
    ] {
        if let Some(definition) = definitions.get_mut(tree) {
            definition["anyOf"] = json!([of(leaf), {"type": "array", "items": {}}]);
        }
    }
}

/// Generators of clients make a type of an object with fields, and nothing, or code that does not compile, of one that also says which
/// fields go together, or what a field that may be null is when it is left out. The server says that when something is wrong.
fn make_plain(schema: &mut Value) {
    match schema {
        Value::Object(parts) => {
            if let Some(Value::Object(fields)) = parts.get_mut("properties") {
                for field in fields.values_mut().filter_map(Value::as_object_mut) {
                    field.shift_remove("default");
                }
                parts.shift_remove("anyOf");
                parts.shift_remove("allOf");
            }
            parts.values_mut().for_each(make_plain);
        }
        Value::Array(values) => values.iter_mut().for_each(make_plain),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// What a representation says beside the document.
fn added_to(kind: ResourceKind) -> Map<String, Value> {
    let mut added = Map::from_iter([("project_id".to_owned(), of("id"))]);
    added.extend(stamps());
    match kind {
        ResourceKind::Experiment => {
            added.insert("campaign_id".to_owned(), of("id"));
            added.insert("status".to_owned(), text());
        }
        ResourceKind::Variation => {
            added.insert("experiment_id".to_owned(), of("id"));
            added.insert("campaign_id".to_owned(), of("id"));
            added.insert("live_since_revision".to_owned(), live_since());
        }
        ResourceKind::Campaign => {
            added.insert("live_since_revision".to_owned(), live_since());
        }
        ResourceKind::Attribute
        | ResourceKind::Page
        | ResourceKind::Audience
        | ResourceKind::Event
        | ResourceKind::Metric
        | ResourceKind::Group => {}
    }
    added
}

fn live_since() -> Value {
    json!({
        "type": ["integer", "null"],
        "description": "After an action: the revision that made it live, if one did.",
    })
}

fn added_to_project() -> Map<String, Value> {
    let revision =
        json!({"type": ["integer", "null"], "description": "The number of the live revision."});
    let added = Map::from_iter([
        ("revision".to_owned(), revision),
        ("managed_by".to_owned(), manager()),
        ("draft".to_owned(), json!({"type": "string", "description": "The tag of the draft."})),
    ]);
    added.into_iter().chain(stamps()).collect()
}

/// What each representation says of its past and state. None of it is written: what is sent back is ignored.
fn stamps() -> Map<String, Value> {
    let moment = |description: &str| json!({"type": ["string", "null"], "format": "date-time", "readOnly": true, "description": description});
    let text = |kind: Value, description: &str| json!({"type": kind, "readOnly": true, "description": description});
    let fields = [
        (
            "created_at",
            moment("When it was created; null if an earlier version of Assay did that."),
        ),
        (
            "updated_at",
            moment(
                "When it, or what it holds, last changed in the draft; null if that is not known.",
            ),
        ),
        (
            "updated_by",
            text(
                json!(["string", "null"]),
                "The actor that changed it then: a member's address, a service's name, `project file`, `schedule`, `seed` or `demo`.",
            ),
        ),
        ("etag", text(json!("string"), "Its entity tag, in quotes: what `If-Match` takes.")),
    ];
    fields.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect()
}

fn manager() -> Value {
    json!({"type": "string", "enum": ["store", "file"]})
}

fn project_line() -> Value {
    let fields = json!({
        "id": text(),
        "key": text(),
        "name": text_or_null(),
        "archived": {"type": "boolean"},
        "revision": {"type": ["integer", "null"], "description": "The number of the live revision."},
        "managed_by": manager(),
    });
    let fields = fields.as_object().into_iter().flatten();
    let fields = fields.map(|(name, schema)| (name.clone(), schema.clone())).chain(stamps());
    record("A project, as lists show it.", fields.collect())
}

fn past_change() -> Value {
    record("A change of a resource in the draft.", change(&["created", "changed", "removed"]))
}

fn history_entry() -> Value {
    let mut fields = change(&["created", "changed", "removed", "published", "restored"]);
    fields["resource"] = json!({
        "type": "object",
        "required": ["kind", "id"],
        "properties": {"kind": {"type": "string", "enum": kinds()}, "id": text()},
        "additionalProperties": false,
        "description": "What changed. The id of a revision is its number.",
    });
    fields["message"] = json!({"type": "string", "description": "What the publisher said."});
    fields["restored_from"] = json!({
        "type": ["integer", "null"],
        "description": "The revision whose document this publication made live again.",
    });
    record("A change of a resource in the draft, or a publication.", fields)
}

/// The fields of a change that is one of these words.
fn change(words: &[&str]) -> Value {
    let field = json!({
        "type": "object",
        "required": ["pointer", "before", "after"],
        "properties": {"pointer": text(), "before": {}, "after": {}},
        "additionalProperties": false,
    });
    json!({
        "at": {"type": "string", "format": "date-time"},
        "by": {"type": "string", "description": "The actor: a member's address, a service's name, `project file`, `schedule`, `seed` or `demo`."},
        "change": {"type": "string", "enum": words},
        "fields": {"type": "array", "items": field, "description": "What differs, seen from the resource."},
        "truncated": {"type": "boolean", "description": "Whether values or fields are left out."},
    })
}

fn experiment_reference() -> Value {
    let fields = json!({
        "id": text(),
        "key": text(),
        "name": text_or_null(),
        "campaign_id": text(),
        "status": text(),
        "archived": {"type": "boolean"},
    });
    record("An experiment that names an audience.", fields)
}

/// A resource as it is answered: every default is written out.
fn answered(resource: &Value, added: &Map<String, Value>) -> Value {
    let mut schema = with_fields(resource, added);
    let names: Vec<String> = fields_of(resource).keys().cloned().collect();
    let always = added.keys().filter(|name| *name != "live_since_revision").cloned();
    schema["required"] = json!(names.into_iter().chain(always).collect::<Vec<_>>());
    schema
}

/// A resource as it is sent to be added. What it belongs to has to be told.
fn new(resource: &Value, kind: ResourceKind, added: &Map<String, Value>) -> Value {
    let mut schema = with_fields(resource, added);
    if let (Some((_, field)), Some(required)) = (kind.parent(), schema["required"].as_array_mut()) {
        required.push(field.into());
    }
    schema
}

/// A merge patch (RFC 7396): any of the fields, and `null` for the default.
fn patch(resource: &Value, added: &Map<String, Value>) -> Value {
    let mut schema = with_fields(resource, added);
    if let Some(fields) = schema.as_object_mut() {
        fields.shift_remove("required");
        fields.shift_remove("anyOf");
    }
    schema["description"] = json!("A merge patch (RFC 7396): what it names changes.");
    schema
}

/// A new phase is an experiment, and tells what visitors notice of it.
fn phase(experiment: &Value) -> Value {
    let mut visitors = list_of("notice");
    visitors["description"] = json!("What visitors notice once it is published.");
    with_fields(experiment, &Map::from_iter([("visitors".to_owned(), visitors)]))
}

/// Variations are merged one by one; others are added and removed by name.
fn phase_patch(definitions: &Map<String, Value>) -> Value {
    let mut merged = list_of("variation_patch");
    merged["description"] = json!(
        "Each is merged with the variation of its `id` or `key`. What is not mentioned stays."
    );
    let mut added = list_of("variation");
    added["description"] = json!("Further variations, behind the others.");
    let removed = json!({
        "type": "array", "items": {"type": "string"},
        "description": "Keys or ids of variations that the new phase does not have.",
    });
    let fields =
        [("variations", merged), ("add_variations", added), ("remove_variations", removed)];
    let fields = fields.into_iter().map(|(name, schema)| (name.to_owned(), schema));
    with_fields(&definitions["experiment_patch"], &fields.collect())
}

fn with_fields(resource: &Value, added: &Map<String, Value>) -> Value {
    let mut schema = resource.clone();
    if let Some(properties) = schema["properties"].as_object_mut() {
        properties.extend(added.clone());
    }
    schema
}

fn fields_of(resource: &Value) -> Map<String, Value> {
    resource["properties"].as_object().cloned().unwrap_or_default()
}

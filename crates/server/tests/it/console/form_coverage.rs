//! Nothing that a document can say lacks a field in the console's forms: the schema of the document is walked, and each of its fields is
//! looked for in the pages of a project that uses them all.

use std::collections::BTreeSet;

use app::documents::ResourceKind;
use app::projects::create_project_of_document;
use app::roles::Actor;
use domain::{FileReader, SharedDocument, Source, json_schema, parse};
use regex::Regex;
use serde_json::{Map, Value, json};

use super::owner;
use crate::browser::Browser;
use crate::site::Site;

/// A document that uses every field.
const EVERYTHING: &str = include_str!("../../../../domain/tests/documents/everything.yaml");

/// Fields that no form has, and why members do not miss them.
const ELSEWHERE: &[&str] = &[
    // Assay gives ids, and they stay.
    "id",
    // Buttons: start, pause, conclude, ship, archive.
    "status",
    "shipped",
    "winner",
    "archived",
    // It is chosen by the button that adds a change or a condition.
    "type",
    // Each experiment has its number in the form.
    "priorities",
    // Only a project file has files beside it.
    "file",
];

/// Fields that the schema has, since conditions of audiences share it, and no condition of a page has.
const NOT_OF_PAGES: &[&str] =
    &["name", "value/at_least", "value/at_most", "value/event", "value/page", "value/within_days"];

/// The fields that choose what a whole resource is; forms have these.
const TYPES: &[&str] = &[
    "campaign/type",
    "event/type",
    "metric/type",
    "page/activation/type",
    "event/properties/*/type",
];

/// Its files.
struct Files;

impl FileReader for Files {
    fn read(&self, relative: &str) -> Result<String, String> {
        let is_style = relative.rsplit('.').next() == Some("css");
        Ok(if is_style { "h1 { color: red }" } else { "/* code */" }.to_owned())
    }
}

#[tokio::test]
async fn every_field_of_a_document_has_a_field_in_a_form() {
    let site = Site::start();
    let source = Source { name: "everything.yaml", text: EVERYTHING, files: &Files };
    let document = SharedDocument::of_project(&parse(&source).unwrap().project);
    // Only a project file declares applications.
    let sections = document.names().filter(|name| *name != "applications");
    let mut whole: Map<String, Value> =
        sections.map(|name| (name.to_owned(), document.to_value(name))).collect();
    share_changes(&mut whole["campaigns"]);
    create_project_of_document(&site.app, &Actor::Command, whole.into()).await.unwrap();
    let browser = owner(&site).await;

    let mut missing = BTreeSet::new();
    for (kind, form) in [
        (ResourceKind::Attribute, ""),
        (ResourceKind::Page, ""),
        (ResourceKind::Audience, ""),
        (ResourceKind::Event, ""),
        (ResourceKind::Metric, ""),
        (ResourceKind::Group, ""),
        (ResourceKind::Campaign, "/edit"),
    ] {
        let ids = document.list(kind.collection()).iter().map(|one| &one["id"]);
        let paths = ids.map(|id| {
            format!("/projects/1000/{}/{}{form}", kind.collection(), id.as_str().unwrap())
        });
        let shown = fields_of(&browser, paths).await;
        missing.extend(
            fields_in_schema(kind.word())
                .difference(&shown)
                .map(|field| format!("{}{field}", kind.word())),
        );
    }
    let settings = fields_of(&browser, ["/projects/1000/settings".to_owned()].into_iter()).await;
    missing.extend(
        fields_in_schema("project").difference(&settings).map(|field| format!("project{field}")),
    );

    let unexpected = missing.iter().filter(|field| {
        let name = field.rsplit('/').next().unwrap();
        let of_page = field.strip_prefix("page/conditions/**/");
        let is_elsewhere = ELSEWHERE.contains(&name) && !TYPES.contains(&field.as_str());
        !is_elsewhere && !of_page.is_some_and(|field| NOT_OF_PAGES.contains(&field))
    });
    assert_eq!(unexpected.collect::<Vec<_>>(), Vec::<&String>::new());
}

/// Gives the last campaign all changes of all variations as changes that its variations share.
fn share_changes(campaigns: &mut Value) {
    let campaigns = campaigns.as_array_mut().unwrap();
    let experiments = campaigns.iter().flat_map(|one| one["experiments"].as_array().unwrap());
    let variations = experiments.flat_map(|one| one["variations"].as_array().unwrap());
    let changes = variations.flat_map(|one| one["changes"].as_array().unwrap());
    let changes =
        changes.filter(|change| change["page"].is_null() && change["depends_on"] == json!([]));
    let changes: Value = changes.cloned().collect();
    campaigns.last_mut().unwrap()["changes"] = changes;
}

/// The names of the fields in these pages, with `*` for each index and `**` for a way through a tree.
async fn fields_of(browser: &Browser<'_>, paths: impl Iterator<Item = String>) -> BTreeSet<String> {
    let name = Regex::new(r#" name="(/[^"]*)""#).unwrap();
    let mut fields = BTreeSet::new();
    for path in paths {
        let page = browser.open(&path).await;
        assert!(page.status.is_success(), "{path}: {}", page.status);
        fields.extend(name.captures_iter(&page.body).map(|found| general(&found[1])));
    }
    fields
}

fn general(name: &str) -> String {
    let index = Regex::new(r"/[0-9]+(/|$)").unwrap();
    let tree = Regex::new(r"/(conditions|audiences)(/\*)+").unwrap();
    let mut name = name.to_owned();
    while index.is_match(&name) {
        name = index.replace(&name, "/*$1").into_owned();
    }
    tree.replace(&name, "/$1/**").into_owned()
}

/// The pointers of all that a definition of the document's schema may hold.
fn fields_in_schema(definition: &str) -> BTreeSet<String> {
    let schema = json_schema();
    let mut fields = BTreeSet::new();
    Walk { schema: &schema, fields: &mut fields }.definition(definition, "");
    fields
}

struct Walk<'s> {
    schema: &'s Value,
    fields: &'s mut BTreeSet<String>,
}

impl Walk<'_> {
    fn definition(&mut self, name: &str, at: &str) {
        match name {
            "whom" => {
                self.fields.extend([at.to_owned(), format!("{at}/**/audience")]);
            }
            "page_conditions" => self.definition("page_condition", &format!("{at}/**")),
            "audience_conditions" => self.definition("audience_condition", &format!("{at}/**")),
            name => {
                let definition = &self.schema["$defs"][name];
                self.part(definition, at);
            }
        }
    }

    fn part(&mut self, part: &Value, at: &str) {
        if let Some(reference) = part["$ref"].as_str() {
            return self.definition(reference.rsplit('/').next().unwrap(), at);
        }
        let branches = ["anyOf", "oneOf", "allOf"].map(|word| part[word].as_array());
        for branch in branches.into_iter().flatten().flatten() {
            self.part(branch.get("then").unwrap_or(branch), at);
        }
        if part["additionalProperties"].is_object() {
            self.fields.extend([format!("{at}/*/key"), format!("{at}/*/value")]);
            return;
        }
        let properties = part["properties"].as_object();
        for (name, property) in properties.into_iter().flatten() {
            self.part(property, &format!("{at}/{name}"));
        }
        let items = &part["items"];
        let is_list_of_objects = self.has_fields(items);
        if is_list_of_objects {
            self.part(items, &format!("{at}/*"));
        }
        let is_leaf = properties.is_none() && !is_list_of_objects && !at.ends_with('*');
        let is_choice = branches.iter().any(Option::is_some);
        let is_null = part["type"] == "null";
        if is_leaf && !is_choice && !is_null && !part["required"].is_array() {
            self.fields.insert(at.to_owned());
        }
    }

    /// Whether these are objects: lists of texts are one field.
    fn has_fields(&self, items: &Value) -> bool {
        let items = match items["$ref"].as_str() {
            Some(reference) => &self.schema["$defs"][reference.rsplit('/').next().unwrap()],
            None => items,
        };
        items["properties"].is_object() || items["oneOf"].is_array()
    }
}

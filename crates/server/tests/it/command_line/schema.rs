//! `assay schema` and `assay openapi`: what editors and generators read.

use serde_json::Value;

use super::binary::{Folder, stdout};

#[test]
fn the_schema_is_printed_for_editors() {
    let output = Folder::new().assay(&["schema"]);

    assert_eq!(output.status.code(), Some(0));
    let schema: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert_eq!(schema, domain::json_schema());
}

#[test]
fn the_description_of_the_rest_api_is_printed_for_generators() {
    let output = Folder::new().assay(&["openapi"]);

    assert_eq!(output.status.code(), Some(0));
    let description: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(&description, api::openapi());
}

//! `assay schema`: the schema that editors read.

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

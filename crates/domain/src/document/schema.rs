//! The JSON Schema (2020-12) of the project document, by which code editors complete and check it, and which describes it in the REST API.
//!
//! It cannot say everything that the decoders demand, such as that references resolve, but it refuses nothing that they accept. Words come
//! from the decoders' own lists, limits from `limits.rs`; a test compares the fields of every object with the decoder's.

mod audiences;
mod campaigns;
mod changes;
mod metrics;
mod parts;
mod project;
mod scalars;

use serde_json::{Map, Value, json};

/// The JSON Schema of a project document, with a definition for each kind of resource in `$defs`.
#[must_use]
pub fn json_schema() -> Value {
    let all = [
        scalars::definitions(),
        project::definitions(),
        metrics::definitions(),
        audiences::definitions(),
        campaigns::definitions(),
        changes::definitions(),
    ];
    let definitions: Map<String, Value> =
        all.into_iter().flatten().map(|(name, schema)| (name.to_owned(), schema)).collect();
    let mut schema = project::document();
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("Assay project");
    schema["$defs"] = Value::Object(definitions);
    schema
}

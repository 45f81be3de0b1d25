//! What shows that an answer is Assay's: any server can answer 200, such as a page where people sign in, or that of a captive portal.

use serde_json::Value;
use ureq::http::StatusCode;
use ureq::http::response::Parts;

use super::refusal::media_type;

/// What a successful answer has.
#[derive(Clone, Copy)]
pub(crate) enum Expected {
    /// A JSON object with this field.
    Field(&'static str),
    /// The same, and an entity tag.
    Tagged(&'static str),
    /// A JSON array.
    List,
    /// A text of this media type.
    Text(&'static str),
    Nothing,
}

impl Expected {
    /// What came instead, in words.
    pub(crate) fn other_than(self, answer: &Parts, body: &Value) -> Option<String> {
        let media_type = media_type(answer);
        let is_met = match self {
            Self::Field(field) => media_type == JSON && body.get(field).is_some(),
            Self::Tagged(field) => {
                let is_tagged = answer.headers.contains_key("etag");
                media_type == JSON && body.get(field).is_some() && is_tagged
            }
            Self::List => media_type == JSON && body.is_array(),
            Self::Text(wanted) => media_type == wanted,
            Self::Nothing => answer.status == StatusCode::NO_CONTENT,
        };
        let other = match media_type {
            "" => "without a media type".to_owned(),
            JSON => "with other JSON".to_owned(),
            other => format!("with `{other}`"),
        };
        (!is_met).then_some(other)
    }
}

const JSON: &str = "application/json";

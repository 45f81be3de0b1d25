//! Conditional requests (RFC 9110 section 13): a client says which state it has seen of what it changes, so that no client overwrites
//! what they do not know of.

use std::borrow::Cow;
use std::convert::Infallible;

use app::App;
use app::documents::tag_of;
use axum::Json;
use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::header::{CACHE_CONTROL, ETAG, IF_MATCH, IF_NONE_MATCH};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;
use serde_json::{Value, json};
use web::{Problem, ProblemCode};

use crate::answers::{NO_STORE, answer_page};
use crate::paging::Paging;

/// The strong entity tag of a representation: what it says, it is.
pub(crate) fn etag_of(representation: &Value) -> HeaderValue {
    HeaderValue::from_str(&tag_in(representation)).expect("hexadecimal digits are plain ASCII")
}

/// Answers with a representation and its entity tag. It may hold what is not public, so no cache keeps it.
pub(crate) fn answer_tagged(status: StatusCode, representation: Value) -> Response {
    let headers = [(ETAG, etag_of(&representation)), (CACHE_CONTROL, NO_STORE)];
    (status, headers, Json(representation)).into_response()
}

/// The same of what was read, unless the client has it already: 304.
pub(crate) fn answer_unless_known(if_none_match: &IfNoneMatch, representation: Value) -> Response {
    let tag = etag_of(&representation);
    if if_none_match.has(&tag) {
        return not_modified(tag);
    }
    answer_tagged(StatusCode::OK, representation)
}

/// A page of a list, unless the client has it already: 304. The tag is that of what is on the page, and of how many there are.
pub(crate) fn answer_page_unless_known(
    if_none_match: &IfNoneMatch,
    app: &App,
    paging: Paging,
    (path, total): (&str, u64),
    body: &impl Serialize,
) -> Response {
    let tag = etag_of(&json!([total, body]));
    if if_none_match.has(&tag) {
        return not_modified(tag);
    }
    let mut answer = answer_page(app, paging, path, total, body);
    answer.headers_mut().insert(ETAG, tag);
    answer
}

/// The client has what it asks for.
pub(crate) fn not_modified(tag: HeaderValue) -> Response {
    (StatusCode::NOT_MODIFIED, [(ETAG, tag), (CACHE_CONTROL, NO_STORE)]).into_response()
}

/// The states that the client has already: `If-None-Match` (RFC 9110 section 13.1.2). Weak tags match as well.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct IfNoneMatch(Option<IfMatch>);

impl IfNoneMatch {
    /// Whether this state is one of them.
    pub(crate) fn has(&self, tag: &HeaderValue) -> bool {
        match &self.0 {
            None => false,
            Some(IfMatch::Any) => true,
            Some(IfMatch::Tags(tags)) => tags.iter().any(|known| *tag == *own_tag(known)),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for IfNoneMatch {
    type Rejection = Infallible;

    /// What cannot be read names no state: the answer is what there is.
    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Infallible> {
        Ok(Self(read(&parts.headers, &IF_NONE_MATCH)))
    }
}

/// The states that the client has seen: `If-Match`. Without it there is no change: 428.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum IfMatch {
    /// `*`: whatever it is now.
    Any,
    /// One of these tags.
    Tags(Vec<String>),
}

impl IfMatch {
    /// Whether the resource is as the client has seen it.
    ///
    /// # Errors
    /// 412 with the present state in `current`, and its tag.
    pub(crate) fn check(&self, current: &Value) -> Result<(), Problem> {
        if self.is_met_by(current) { Ok(()) } else { Err(changed_meanwhile(current)) }
    }

    /// Whether it can never be met: weak tags do not match here (RFC 9110 section 13.1.1), nor do those of the bytes that a proxy made.
    fn is_weak(&self) -> bool {
        match self {
            Self::Any => false,
            Self::Tags(tags) => tags.iter().all(|tag| own_tag(tag) != *tag),
        }
    }

    /// Whether this representation is one that was seen.
    pub(crate) fn is_met_by(&self, current: &Value) -> bool {
        self.has(&tag_in(current))
    }

    /// Whether the state with this tag, in its quotes, is one that was seen.
    pub(crate) fn has(&self, tag: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Tags(tags) => tags.iter().any(|seen| seen == tag),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Problem> {
        if !parts.headers.contains_key(IF_MATCH) {
            return Err(precondition_required());
        }
        let if_match = read(&parts.headers, &IF_MATCH).ok_or_else(|| {
            let detail = "`If-Match` is `*` or entity tags, each in double quotes";
            Problem::new(ProblemCode::InvalidHeader, detail)
        })?;
        if if_match.is_weak() { Err(weak()) } else { Ok(if_match) }
    }
}

impl<S: Send + Sync> OptionalFromRequestParts<S> for IfMatch {
    type Rejection = Problem;

    /// Where a change needs no condition, one that is sent is met all the same.
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Option<Self>, Problem> {
        if !parts.headers.contains_key(IF_MATCH) {
            return Ok(None);
        }
        <Self as FromRequestParts<S>>::from_request_parts(parts, state).await.map(Some)
    }
}

/// The same where a client need not say what it has seen.
///
/// # Errors
/// As of [`IfMatch::check`].
pub(crate) fn check_if_told(if_match: Option<IfMatch>, current: &Value) -> Result<(), Problem> {
    if_match.map_or(Ok(()), |if_match| if_match.check(current))
}

/// The tag without what proxies that compress answers make of it: nginx a weak one, Apache another. Those of REST are hexadecimal.
fn own_tag(tag: &str) -> Cow<'_, str> {
    let strong = tag.strip_prefix("W/").unwrap_or(tag);
    let suffixed = ["-gzip\"", "-br\""].into_iter().find_map(|end| strong.strip_suffix(end));
    suffixed.map_or(Cow::Borrowed(strong), |tag| Cow::Owned(format!("{tag}\"")))
}

/// What the representation says itself; otherwise that of its text.
fn tag_in(representation: &Value) -> String {
    let own = representation["etag"].as_str();
    own.map_or_else(|| tag_of(&representation.to_string()), str::to_owned)
}

/// Several fields of the name are one list (RFC 9110 section 5.3).
fn read(headers: &HeaderMap, name: &HeaderName) -> Option<IfMatch> {
    let fields: Option<Vec<&str>> =
        headers.get_all(name).iter().map(|field| field.to_str().ok()).collect();
    let list = fields?.join(",");
    if list.trim() == "*" {
        return Some(IfMatch::Any);
    }
    let tags = read_tags(&list)?;
    Some(IfMatch::Tags(tags)).filter(|tags| *tags != IfMatch::Tags(Vec::new()))
}

/// The strong tags of a list. Weak ones are read too, but never match (RFC 9110 section 13.1.1).
fn read_tags(list: &str) -> Option<Vec<String>> {
    let mut tags = Vec::new();
    let mut rest = list.trim_start_matches(is_between_tags);
    while !rest.is_empty() {
        let opaque = rest.strip_prefix("W/").unwrap_or(rest).strip_prefix('"')?;
        let (tag, after) = opaque.split_once('"')?;
        let prefix = if rest.starts_with("W/") { "W/" } else { "" };
        tags.push(format!("{prefix}\"{tag}\""));
        rest = after.trim_start_matches([' ', '\t']);
        if !rest.is_empty() && !rest.starts_with(',') {
            return None;
        }
        rest = rest.trim_start_matches(is_between_tags);
    }
    Some(tags)
}

fn is_between_tags(character: char) -> bool {
    matches!(character, ' ' | '\t' | ',')
}

fn precondition_required() -> Problem {
    let detail =
        "a change needs `If-Match` with the `ETag` of the state that it changes; read it first";
    Problem::new(ProblemCode::PreconditionRequired, detail)
}

/// 412, though nothing need have changed: this server's tags are strong.
fn weak() -> Problem {
    let detail = "`If-Match` has a tag that never matches: a proxy that compresses answers makes their tags weak, or others; send the tag without `W/`, `-gzip` and `-br`";
    Problem::new(ProblemCode::WeakEtag, detail)
}

/// 412: the resource is not as the client has seen it, but so.
pub(crate) fn changed_meanwhile(current: &Value) -> Problem {
    let detail =
        "it changed since the client read it; `current` is how it is now, and `ETag` its tag";
    Problem::new(ProblemCode::EtagMismatch, detail)
        .with_member("current", current.clone())
        .with_header(ETAG, etag_of(current))
}

#[cfg(test)]
mod tests {
    use axum::http::header::{ETAG, IF_MATCH};
    use axum::http::{HeaderMap, HeaderValue, StatusCode};
    use axum::response::IntoResponse as _;
    use serde_json::json;

    use super::{IfMatch, IfNoneMatch, etag_of, read};

    fn sent(fields: &[&str]) -> Option<IfMatch> {
        let mut headers = HeaderMap::new();
        for field in fields {
            headers.append(IF_MATCH, HeaderValue::from_str(field).unwrap());
        }
        read(&headers, &IF_MATCH)
    }

    fn tags(tags: &[&str]) -> IfMatch {
        IfMatch::Tags(tags.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn a_tag_is_strong_and_tells_states_apart() {
        let tag = etag_of(&json!({"name": "Hero"}));

        assert_eq!(tag, etag_of(&json!({"name": "Hero"})));
        assert_ne!(tag, etag_of(&json!({"name": "hero"})));
        assert_eq!(tag.len(), 34, "{tag:?}");
        assert!(tag.to_str().unwrap().starts_with('"'));
    }

    #[test]
    fn a_header_lists_tags_or_is_a_star() {
        assert_eq!(sent(&["*"]), Some(IfMatch::Any));
        assert_eq!(sent(&["\"a\""]), Some(tags(&["\"a\""])));
        assert_eq!(
            sent(&[" \"a,b\" ,, W/\"c\"", "\"d\""]),
            Some(tags(&["\"a,b\"", "W/\"c\"", "\"d\""]))
        );
    }

    #[test]
    fn a_tag_that_a_proxy_made_is_known_and_lets_no_change_through() {
        let tag = etag_of(&json!({"name": "Hero"}));
        let own = tag.to_str().unwrap();
        let bare = own.trim_end_matches('"');

        for made in [format!("W/{own}"), format!("{bare}-gzip\""), format!("{bare}-br\"")] {
            assert!(IfNoneMatch(sent(&[&made])).has(&tag), "{made}");
            assert!(sent(&[&made]).unwrap().is_weak(), "{made}");
        }
        assert!(!sent(&[own]).unwrap().is_weak());
        assert!(!IfNoneMatch(sent(&["\"other-gzip\""])).has(&tag));
    }

    #[test]
    fn anything_else_is_no_condition() {
        for field in ["", ",", "a", "\"a", "\"a\" \"b\"", "*, \"a\"", "w/\"a\""] {
            assert_eq!(sent(&[field]), None, "{field}");
        }
    }

    #[test]
    fn a_change_is_let_through_by_the_tag_of_what_is_there() {
        let current = json!({"name": "Hero"});
        let tag = etag_of(&current).to_str().unwrap().to_owned();

        assert!(IfMatch::Any.check(&current).is_ok());
        assert!(sent(&["\"other\"", &tag]).unwrap().check(&current).is_ok());
        assert!(sent(&[&format!("W/{tag}")]).unwrap().check(&current).is_err());
        let refused = sent(&["\"other\""]).unwrap().check(&current).unwrap_err().into_response();
        assert_eq!(refused.status(), StatusCode::PRECONDITION_FAILED);
        assert_eq!(refused.headers()[ETAG], tag);
    }
}

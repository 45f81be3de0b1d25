//! `POST /v1/events`: what visitors saw and did, from the snippet in their pages and from servers. A page cannot keep a secret, so it shows none;
//! it sends its events as plain text, which browsers send without asking first (the Fetch standard, "CORS-safelisted request-header"). A server
//! shows a token, or the public key of the project.

use std::net::IpAddr;

use app::App;
use app::events::{AcceptError, AcceptedEvents, RejectedEvent, Sender, SentBatch, accept_events};
use axum::extract::FromRequestParts as _;
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, ORIGIN, RETRY_AFTER, USER_AGENT};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use domain::{Fault, Pointer};
use events::{Browser, Device};
use oauth::Scope;
use serde_json::{Value, json};
use web::{CallerAddress, Problem, ProblemCode, has_access_token};

use crate::answers::answer;
use crate::editing::Caller;
use crate::json_body::text_of;
use crate::openapi::Operation;
use crate::routes::{Routes, post};

/// Where events are sent.
pub(crate) const PATH: &str = "/v1/events";

/// What browsers send as text, and what programs send.
const MEDIA_TYPES: [&str; 2] = ["text/plain", "application/json"];

app::dto! {
    /// What became of a batch of events.
    pub(crate) struct AcceptedEventsDto: "accepted_events" {
        /// How many are kept; they are on the disk.
        accepted: u32,
        /// Those that are not kept.
        rejected: Vec<RejectedEventDto>,
        /// The places of those that are kept as of when they came, since their `time` is more than seven days ago or ten minutes ahead.
        late: Vec<u32>,
    }

    /// An event that is not kept, while the others of its batch are.
    pub(crate) struct RejectedEventDto: "rejected_event" {
        /// Its place in the batch, from 0.
        index: u32,
        /// What is wrong, for programs: `unknown_field`, `missing_field`, `wrong_type`, `bad_value` or `unknown_name`.
        code: String,
        /// What is wrong, for people.
        detail: String,
    }
}

pub(crate) fn routes() -> Routes {
    let collect = Operation::new("send_events", "Send what visitors saw and did")
        .takes_as(&MEDIA_TYPES, &json!({"anyOf": [batch(), snapshots()]}))
        .answers_dto::<AcceptedEventsDto>(202)
        .with_security(json!([{}, {"oauth2": [Scope::EventsWrite.as_str()]}, {"bearer": []}]))
        .may_be(&[401, 403, 404, 409, 413, 415, 422, 429]);
    Routes::under("Events")
        .at(PATH, [post(collect_events, collect)])
        .with_bodies_of_at_most(events::limits::BATCH_BYTES_AT_MOST)
}

async fn collect_events(
    State(app): State<App>,
    CallerAddress(address): CallerAddress,
    request: Request,
) -> Result<Response, Problem> {
    let (sender, request) = sender(&app, address, request).await?;
    let text = text_of(request, &MEDIA_TYPES).await?;
    let (json, faults) = domain::parse_json("body", &text);
    let json = json.filter(|_| faults.is_empty()).ok_or_else(|| Problem::faults(&faults))?;
    let sent = SentBatch { json: &json.value, bytes: text.len() };
    let accepted = accept_events(&app, sender, sent).await.map_err(refused)?;
    Ok(answer(StatusCode::ACCEPTED, AcceptedEventsDto::from(accepted)))
}

/// Why nothing is taken from a sender, for operators.
fn reason(code: ProblemCode) -> &'static str {
    if code.status().is_server_error() { "storage" } else { "sender" }
}

/// Who sends, before the body is read: a client that shows a token must show a right one.
async fn sender(
    app: &App,
    address: IpAddr,
    request: Request,
) -> Result<(Sender, Request), Problem> {
    let (mut parts, body) = request.into_parts();
    let text = |name| parts.headers.get(name).and_then(|value| value.to_str().ok());
    let origin = text(ORIGIN).map(str::to_owned);
    // A token in the query is refused, as everywhere: its sender is no page.
    let has_misplaced = parts.uri.query().is_some_and(has_access_token);
    let sender = if parts.headers.contains_key(AUTHORIZATION) || has_misplaced {
        let note = |problem: &Problem| app.monitor().refused_batch(reason(problem.code()));
        let caller = Caller::from_request_parts(&mut parts, &()).await.inspect_err(note)?;
        match caller.into_events_key() {
            Ok(key) => Sender::keyed(app, address, &key, origin).await.map_err(refused)?,
            Err(caller) => {
                let actor = caller.actor(app, Scope::EventsWrite).await.inspect_err(note)?;
                Sender::Program(actor)
            }
        }
    } else {
        let user_agent = text(USER_AGENT).unwrap_or_default().to_owned();
        Sender::page(app, address, origin, user_agent).map_err(refused)?
    };
    Ok((sender, Request::from_parts(parts, body)))
}

fn refused(error: AcceptError) -> Problem {
    let detail = error.to_string();
    match error {
        AcceptError::Batch(_) => Problem::faults(&[Fault::error("batch", Pointer::root(), detail)]),
        AcceptError::NoValidEvent(rejected) => {
            let rejected = rejected.into_iter().map(RejectedEventDto::from).collect::<Vec<_>>();
            Problem::new(ProblemCode::NoValidEvent, detail).with_member("rejected", json!(rejected))
        }
        AcceptError::UnknownProject => Problem::new(ProblemCode::NotFound, detail),
        AcceptError::OriginNotListed => Problem::new(ProblemCode::OriginNotListed, detail),
        AcceptError::Role(error) => Problem::from(error),
        AcceptError::Archived => Problem::new(ProblemCode::ProjectArchived, detail),
        AcceptError::ResultsOff => Problem::new(ProblemCode::ResultsOff, detail),
        AcceptError::TooMany(wait) => Problem::new(ProblemCode::TooManyEvents, detail)
            .with_header(RETRY_AFTER, HeaderValue::from(wait.retry_after_seconds)),
        AcceptError::TooManyOfProject(seconds) => Problem::new(ProblemCode::TooManyEvents, detail)
            .with_header(RETRY_AFTER, HeaderValue::from(seconds)),
        AcceptError::WrongKey => Problem::invalid_token(),
        AcceptError::NoRoom => Problem::disk_full(),
        AcceptError::Storage(error) => Problem::from(error),
    }
}

impl From<AcceptedEvents> for AcceptedEventsDto {
    fn from(AcceptedEvents { accepted, rejected, late }: AcceptedEvents) -> Self {
        Self {
            accepted: count(accepted),
            rejected: rejected.into_iter().map(RejectedEventDto::from).collect(),
            late: late.into_iter().map(count).collect(),
        }
    }
}

impl From<RejectedEvent> for RejectedEventDto {
    fn from(RejectedEvent { index, code, detail }: RejectedEvent) -> Self {
        Self { index: count(index), code, detail }
    }
}

/// No batch has as many events.
fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A batch as senders write it that were made for Optimizely's event API; `events::Batch` reads both.
fn snapshots() -> Value {
    let name = json!({"type": "string", "minLength": 1, "maxLength": events::limits::NAME_CHARACTERS_AT_MOST});
    let text = json!({"type": "string", "minLength": 1, "maxLength": events::limits::VISITOR_CHARACTERS_AT_MOST});
    let object = |required: &[&str], properties: Value| json!({"type": "object", "required": required, "properties": properties});
    let list = |items: Value| json!({"type": "array", "items": items});
    let event = object(
        &["uuid", "timestamp"],
        json!({"uuid": name, "timestamp": {"type": "integer"}, "type": {"type": ["string", "null"]}, "key": {"type": ["string", "null"]}}),
    );
    let snapshot = object(&["events"], json!({"events": list(event)}));
    let visitor = object(
        &["visitor_id", "snapshots"],
        json!({"visitor_id": text, "snapshots": list(snapshot)}),
    );
    let mut batch =
        object(&["project_id", "visitors"], json!({"project_id": text, "visitors": list(visitor)}));
    batch["description"] =
        "The same as senders write it that were made for Optimizely's event API.".into();
    batch
}

/// What a batch holds; `events::Batch` reads it.
fn batch() -> Value {
    let name = json!({"type": "string", "minLength": 1, "maxLength": events::limits::NAME_CHARACTERS_AT_MOST});
    let text = json!({"type": "string", "minLength": 1, "maxLength": events::limits::VISITOR_CHARACTERS_AT_MOST});
    let moment = json!({"type": "integer", "description": "Milliseconds since 1970, UTC."});
    let mark = |description: &str| json!({"type": "boolean", "description": description});
    let exposure = json!({
        "type": "object",
        "description": "A visitor was given a variation. Campaign, experiment and variation are named by id or key.",
        "required": ["id", "time", "type", "campaign", "experiment", "variation"],
        "properties": {
            "id": name, "time": moment, "type": {"const": "exposure"},
            "campaign": name, "experiment": name, "variation": name,
            "holdback": mark("The visitor was given it, and is shown nothing."),
            "forced": mark("The page forced it."),
            "preview": mark("A member looks at a preview."),
            "bot": mark("A program visits the page."),
            "page": {"type": "string", "minLength": 1, "maxLength": events::limits::NAME_CHARACTERS_AT_MOST, "description": "The id or key of the page on which the visitor was given it; one that the live project does not have counts for nothing."},
            "flicker": mark("The page could be seen before the snippet ran: the visitor may have seen it change."),
            "browser": {"enum": Browser::ALL.map(Browser::word), "description": "The family of the visitor's browser; of a page that sends its events itself, it is read of the `User-Agent`."},
            "device": {"enum": Device::ALL.map(Device::word), "description": "The kind of the visitor's device; as the browser."},
        },
        "additionalProperties": false,
    });
    let value = json!({"type": "number", "minimum": -1e9, "maximum": 1e9});
    let properties = json!({
        "type": "object", "maxProperties": events::limits::PROPERTIES_AT_MOST,
        "propertyNames": name,
        "additionalProperties": {"type": ["string", "number", "boolean", "null"]},
    });
    let event = json!({
        "type": "object",
        "description": "A visitor did something. Two events of a visitor with the same `id` are one.",
        "required": ["id", "time", "type", "name"],
        "properties": {
            "id": name, "time": moment, "type": {"const": "event"}, "name": name,
            "revenue": {"type": "integer", "minimum": -1e15, "maximum": 1e15, "description": "In the currency's smallest unit."},
            "value": value, "properties": properties,
            "tags": {"type": "object", "description": "In place of `revenue`, `value` and `properties`: `revenue` and `value` among them count, as numbers or as texts that read as such, and the others are properties. What cannot be one is passed over."},
            "preview": mark("A member looks at a preview."),
            "bot": mark("A program visits the page."),
        },
        "additionalProperties": false,
    });
    json!({
        "type": "object",
        "required": ["project", "visitor", "events"],
        "properties": {
            "project": {"type": "string", "pattern": "^[1-9][0-9]*$"},
            "visitor": text,
            "sent": {"type": "integer", "description": "When this try is sent, by the sender's clock, in milliseconds since 1970: set it anew for each. A clock that is off by more than five minutes is set right by it, and every `time` with it. With a token it changes nothing."},
            "events": {"type": "array", "maxItems": events::limits::EVENTS_AT_MOST, "items": {"oneOf": [exposure, event]}},
        },
        "additionalProperties": false,
    })
}

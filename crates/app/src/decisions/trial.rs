//! A trial: a member tries the conditions of a page or an audience before they are stored. It runs in a small project of its own, which
//! has what the conditions may name, and one campaign for the audience, so that the rules tell of it.

use decide::{AudienceAnswer, PageAnswer, Visit};
use domain::{Fault, Pointer, ProjectId, SharedDocument};
use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::App;
use crate::computation::compute;
use crate::decisions::prepared_project::PreparedProject;
use crate::decisions::visit_request::VisitRequest;
use crate::documents::{ResourceKind, check_shared, seen_from};
use crate::drafts::{Draft, ReadError, readable_draft};
use crate::resources::TOLD_ONLY;
use crate::roles::Actor;

/// Addresses in one trial: more than a member compares.
pub const TRIED_ADDRESSES_AT_MOST: usize = 100;

/// Names what has no id yet: the largest there is, which no resource gets by itself.
const TRIAL_ID: &str = "9007199254740991";

/// Why nothing was tried.
#[derive(Debug, Error)]
pub enum TrialError {
    /// The draft could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The page or audience is not valid; the faults point into it.
    #[error(
        "the page or audience is not valid, so it was not tried; hint: correct what the faults point to"
    )]
    Resource(Vec<Fault>),
    /// The visit cannot be read; the faults point into it.
    #[error("the visit cannot be read")]
    Visit(Vec<Fault>),
}

/// An address, and what the page says about it.
#[derive(Debug)]
pub struct TriedAddress {
    /// The address.
    pub address: String,
    /// Whether the conditions hold, and why; the faults of what is no address.
    pub answer: Result<PageAnswer, Vec<Fault>>,
}

/// Whether a page's conditions hold for these addresses. It does not matter when the page is activated.
///
/// # Errors
/// [`TrialError::Read`] or [`TrialError::Resource`].
pub async fn try_page(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    page: Map<String, Value>,
    addresses: Vec<String>,
) -> Result<Vec<TriedAddress>, TrialError> {
    if addresses.len() > TRIED_ADDRESSES_AT_MOST {
        return Err(TrialError::Visit(vec![too_many(addresses.len())]));
    }
    let draft = readable_draft(app, actor, id).await?;
    let mut page = identified(page);
    page.insert("activation".to_owned(), json!({"type": "immediate"}));
    let project = prepared(&draft, ResourceKind::Page, page).await?;
    let tried = addresses.into_iter().map(|address| {
        let visit = VisitRequest {
            visitor_id: "trial".to_owned(),
            url: address.clone(),
            ..VisitRequest::default()
        };
        let answer = project.understand(&visit).map(|visit| project.decide(&visit).pages.remove(0));
        TriedAddress { address, answer }
    });
    Ok(tried.collect())
}

fn too_many(count: usize) -> Fault {
    let pointer = Pointer::root().field("addresses");
    let fault = Fault::error("too_many", pointer, format!("these are {count} addresses"));
    fault.expected(format!("{TRIED_ADDRESSES_AT_MOST} at most"))
}

/// Whether a visitor is in an audience, and why. `understand` makes the visit, for which it may need the names of the project.
///
/// # Errors
/// See [`TrialError`].
pub async fn try_audience(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    audience: Map<String, Value>,
    understand: impl FnOnce(&PreparedProject) -> Result<Visit, Vec<Fault>>,
) -> Result<AudienceAnswer, TrialError> {
    let draft = readable_draft(app, actor, id).await?;
    let audience = identified(audience);
    let tried = audience["id"].clone();
    let project = prepared(&draft, ResourceKind::Audience, audience).await?;
    let visit = understand(&project).map_err(TrialError::Visit)?;
    let mut audiences = project.decide(&visit).audiences.into_iter();
    audiences.find(|answer| answer.id == tried).ok_or(ReadError::NotFound.into())
}

/// The resource with an id and a key, which a new one may lack; an archived one is tried as if it were not.
fn identified(mut resource: Map<String, Value>) -> Map<String, Value> {
    for (field, value) in [("id", TRIAL_ID.to_owned()), ("key", format!("trial-{TRIAL_ID}"))] {
        if resource.get(field).is_none_or(Value::is_null) {
            resource.insert(field.to_owned(), Value::from(value));
        }
    }
    resource.insert("archived".to_owned(), Value::from(false));
    for field in TOLD_ONLY.into_iter().chain(["project_id"]) {
        resource.shift_remove(field);
    }
    resource
}

/// Large documents take milliseconds of computation, so they stay off the async threads.
async fn prepared(
    draft: &Draft,
    kind: ResourceKind,
    resource: Map<String, Value>,
) -> Result<PreparedProject, TrialError> {
    let (document, place) = document(&draft.document, kind, resource);
    let work = move || {
        let document = SharedDocument::of(document)?;
        Ok(PreparedProject::new(&check_shared(&document)?.project))
    };
    let prepared = compute("prepare_trial", work).await.map_err(ReadError::from)?;
    prepared.map_err(|faults| TrialError::Resource(seen_from(&place, faults)))
}

/// The document of the trial, and the place of the resource in it.
fn document(
    draft: &SharedDocument,
    kind: ResourceKind,
    resource: Map<String, Value>,
) -> (Value, Pointer) {
    let id = resource["id"].clone();
    let mut document = json!({"version": 1, "project": {"id": "1", "key": "trial"}});
    let mut others = Vec::new();
    if kind == ResourceKind::Audience {
        for list in ["attributes", "pages", "events"] {
            document[list] = draft.to_value(list);
        }
        let audiences = draft.list(kind.collection()).iter();
        others.extend(audiences.filter(|one| one["id"] != id).map(|one| (**one).clone()));
        let variations = [json!({"key": "trial", "weight": 10_000})];
        let experiment = json!({"key": "trial", "audiences": ["or", id], "variations": variations});
        document["campaigns"] = json!([
            {"key": "trial", "type": "ab_test", "status": "running", "experiments": [experiment]},
        ]);
    }
    let place = Pointer::root().field(kind.collection()).element(others.len());
    others.push(Value::Object(resource));
    document[kind.collection()] = Value::Array(others);
    (document, place)
}

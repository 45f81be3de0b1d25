//! A trial: a member tries the conditions of a page or an audience before they are stored. It runs in a small project of its own, which
//! has what the conditions may name, and one campaign for the audience, so that the rules tell of it.

use decide::{AudienceAnswer, Effort, PageAnswer, TooCostly, Visit, checking_work};
use domain::{Fault, Pointer, Project, ProjectId, SharedDocument};
use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::App;
use crate::computation::compute;
use crate::decisions::prepared_project::PreparedProject;
use crate::decisions::used_audiences::{with_used_conditions, without_conditions};
use crate::decisions::visit_request::VisitRequest;
use crate::documents::{ResourceKind, check_shared, seen_from};
use crate::drafts::{Draft, ReadError, readable_draft};
use crate::heavy_work::{Overloaded, Work};
use crate::resources::TOLD_ONLY;
use crate::roles::Actor;

/// Addresses in one trial: more than a member compares.
pub const TRIED_ADDRESSES_AT_MOST: usize = 100;

/// How much work it may be to check the regular expressions of a trial, as [`checking_work`] counts it: a few seconds. A thousand of usual
/// length have less.
const CHECKING_AT_MOST: u64 = 500_000;

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
    /// The regular expressions take too long.
    #[error(transparent)]
    TooCostly(#[from] TooCostly),
    /// Too many ask at this moment.
    #[error(transparent)]
    Overloaded(#[from] Overloaded),
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
    in_turn(app, move || {
        let project = prepared(&draft, ResourceKind::Page, page)?;
        let effort = Effort::default();
        let tried = addresses.into_iter().map(|address| tried(&project, address, &effort));
        Ok(tried.collect::<Result<_, TooCostly>>()?)
    })
    .await
}

fn tried(
    project: &PreparedProject,
    address: String,
    effort: &Effort,
) -> Result<TriedAddress, TooCostly> {
    let visit = VisitRequest {
        visitor_id: "trial".to_owned(),
        url: address.clone(),
        ..VisitRequest::default()
    };
    let answer = match project.understand(&visit) {
        Ok(visit) => Ok(project.decide(&visit, effort)?.pages.remove(0)),
        Err(faults) => Err(faults),
    };
    Ok(TriedAddress { address, answer })
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
    understand: impl FnOnce(&PreparedProject) -> Result<Visit, Vec<Fault>> + Send + 'static,
) -> Result<AudienceAnswer, TrialError> {
    let draft = readable_draft(app, actor, id).await?;
    let audience = identified(audience);
    let tried = audience["id"].clone();
    in_turn(app, move || {
        let project = prepared(&draft, ResourceKind::Audience, audience)?;
        let visit = understand(&project).map_err(TrialError::Visit)?;
        let mut audiences = project.decide(&visit, &Effort::default())?.audiences.into_iter();
        audiences.find(|answer| answer.id == tried).ok_or(ReadError::NotFound.into())
    })
    .await
}

/// Does it away from the async threads. The turn travels with the work: a caller that disconnects does not free it early.
async fn in_turn<T: Send + 'static>(
    app: &App,
    work: impl FnOnce() -> Result<T, TrialError> + Send + 'static,
) -> Result<T, TrialError> {
    let turn = app.turn(Work::Decision).await?;
    let done = compute("try_conditions", move || (work(), turn)).await;
    done.map_err(ReadError::from)?.0
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

fn prepared(
    draft: &Draft,
    kind: ResourceKind,
    resource: Map<String, Value>,
) -> Result<PreparedProject, TrialError> {
    let (document, place) = document(&draft.document, kind, resource);
    let refused = |faults| TrialError::Resource(seen_from(&place, faults));
    let document = SharedDocument::of(document).map_err(refused)?;
    // What is wrong beside the regular expressions is told once these are checked.
    if let Ok((project, _)) = domain::parse_shared(&document) {
        refuse_costly(&project)?;
    }
    let checked = check_shared(&document).map_err(refused)?;
    Ok(PreparedProject::of_trial(&checked.project))
}

/// A viewer may try conditions, so their check has a limit, too.
fn refuse_costly(project: &Project) -> Result<(), TooCostly> {
    let mut left = CHECKING_AT_MOST;
    for regex in project.regexes() {
        left =
            left.checked_sub(checking_work(regex.text)).ok_or_else(|| TooCostly::of(regex.text))?;
    }
    Ok(())
}

/// The document of the trial, and the place of the resource in it.
fn document(
    draft: &SharedDocument,
    kind: ResourceKind,
    resource: Map<String, Value>,
) -> (Value, Pointer) {
    let id = resource["id"].clone();
    let mut document = json!({"version": 1, "project": {"id": "1", "key": "trial"}});
    let mut others: Vec<Value> = Vec::new();
    if kind == ResourceKind::Audience {
        for list in ["attributes", "events"] {
            document[list] = draft.to_value(list);
        }
        let all = |list: &str| draft.list(list).iter().map(|one| (**one).clone());
        document["pages"] = all("pages").map(without_conditions).collect();
        let audiences = all(kind.collection()).filter(|one| one["id"] != id).collect();
        others = with_used_conditions(&resource, audiences);
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

//! A program replaces the whole draft by another document: that of a project file. What the document leaves out, above all the states of
//! campaigns, stays as the project has it (`domain::SharedDocument::adopt`); the answer names what visitors would notice.

use std::sync::Arc;

use domain::{
    Campaign, CampaignKind, Experiment, Fault, Notice, Pointer, Project, ProjectId, SharedDocument,
    what_visitors_notice,
};
use serde_json::Value;
use storage::KnownMoment;

use crate::App;
use crate::documents::{Difference, apply_done, capped, capped_notices, check_shared, differences};
use crate::drafts::edit::{next_draft_of, replaceable_draft};
use crate::drafts::missing::{Missing, missing};
use crate::drafts::queue::Extent;
use crate::drafts::unreadable::open_to_replace;
use crate::drafts::warnings::warnings_at_publication;
use crate::drafts::{Draft, Edit, EditError, ExpectedVersion, ReadError, edit_in_turn, edit_turn};
use crate::publishing::{RevisionDocument, read_live_if_readable};
use crate::roles::{Actor, Permission};

/// What a document changes, or would change, in the draft.
#[derive(Debug)]
pub struct Plan {
    /// The differences, resource by resource.
    pub differences: Vec<Difference>,
    /// Whether some differences were left out.
    pub is_cut: bool,
    /// What the draft has and the document lacks.
    pub missing: Vec<Missing>,
    /// What visitors notice on publication.
    pub visitors: Vec<Notice>,
    /// Warnings for its authors.
    pub warnings: Vec<Fault>,
    /// The revision that visitors get until then.
    pub live_revision: Option<u32>,
    /// The entity tag of the current draft.
    pub tag: String,
}

/// How to treat running campaigns, and their experiments, that a document lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removal {
    /// Refuse the document: its author may not know of them.
    Refused,
    /// Remove them.
    Wanted,
}

/// A document to replace a draft.
pub struct Replacement {
    /// The document.
    pub document: Value,
    /// How to treat what runs and it lacks.
    pub removal: Removal,
    /// Whether the draft is still as the editor saw it: gets its tag, as a JSON string.
    pub expected: ExpectedVersion,
}

/// Replaces the draft of project `id` by a document.
///
/// # Errors
/// See [`EditError`].
pub async fn replace_document(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    replacement: Replacement,
) -> Result<Plan, EditError> {
    let before = replaceable_draft(app, actor, id, Permission::WriteDraft).await?;
    let live = read_live_if_readable(app, id, before.head).await?;
    let step = Step::new(app, id, replacement).await?;
    let change = move |draft: &Draft| step.take(draft);
    let turn = edit_turn(app, actor, id, Permission::WriteDraft).await?.for_whole_draft();
    let (after, _) = edit_in_turn(app, actor, id, &turn, change).await?;
    let warnings = warnings_at_publication(app, &after).await?;
    Ok(plan((&before, live.as_deref()), &after, (warnings, after.tag.clone())))
}

/// What `document` would change in the draft of project `id`. Nothing is stored, so this also works for a project that a file manages, and
/// for members who may only read: they can read the draft, and compare it themselves.
///
/// # Errors
/// See [`EditError`].
pub async fn plan_document(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    document: Value,
) -> Result<Plan, EditError> {
    actor.require(app, Some(id), Permission::ReadConfiguration).await.map_err(ReadError::from)?;
    let before = open_to_replace(app, id).await?.ok_or(ReadError::UnknownProject)?;
    let live = read_live_if_readable(app, id, before.head).await?;
    let replacement =
        Replacement { document, removal: Removal::Wanted, expected: ExpectedVersion::any() };
    let step = Step::new(app, id, replacement).await?;
    let change = move |draft: &Draft| step.take(draft);
    let after = next_draft_of(app, actor, (&before, Extent::Whole), Arc::new(change)).await?;
    let warnings = warnings_at_publication(app, &after).await?;
    Ok(plan((&before, live.as_deref()), &after, (warnings, before.tag.clone())))
}

fn plan(
    (before, live): (&Draft, Option<&RevisionDocument>),
    after: &Draft,
    (warnings, tag): (Vec<Fault>, String),
) -> Plan {
    let live_revision = before.head.live_revision;
    let notices = match (live, live_revision) {
        (None, Some(_unreadable)) => Vec::new(),
        _ => what_visitors_notice(live.map(|live| live.project.as_ref()), &after.project),
    };
    let (visitors, are_notices_cut) = capped_notices(notices);
    let (differences, is_cut) = capped(differences(&before.document, &after.document));
    let is_cut = is_cut || are_notices_cut;
    let missing = missing(&before.document, &after.document);
    Plan { differences, is_cut, missing, visitors, warnings, live_revision, tag }
}

/// A replacement, and what is needed to apply it.
struct Step {
    document: SharedDocument,
    removal: Removal,
    expected: ExpectedVersion,
    /// The state of the project's schedules.
    moments: Vec<KnownMoment>,
}

impl Step {
    async fn new(app: &App, id: ProjectId, replacement: Replacement) -> Result<Self, EditError> {
        let Replacement { document, removal, expected } = replacement;
        let document = SharedDocument::of(document).map_err(EditError::Invalid)?;
        let moments = app.store().list_moments(id).await?;
        Ok(Self { document, removal, expected, moments })
    }

    fn take(&self, draft: &Draft) -> Result<Edit, EditError> {
        let current = Value::String(draft.tag.clone());
        self.expected.check(&current)?;
        let mut document = self.document.clone();
        refuse_other_project(&document, &draft.project)?;
        document.adopt(&draft.document);
        if self.removal == Removal::Refused {
            refuse_to_remove(&document, &draft.project)?;
        }
        let document = self.with_done(document, draft.project.id);
        Ok(Edit { document, changed: Pointer::root(), word: "document" })
    }

    /// Applies what the document's schedules have already done: a project file still has the old status. An invalid document stays
    /// unchanged, and is refused with pointers into its author's text.
    fn with_done(&self, document: SharedDocument, id: ProjectId) -> SharedDocument {
        if self.moments.is_empty() {
            return document;
        }
        let checked = check_shared(&document).ok().filter(|one| one.project.id == id);
        let Some(mut project) = checked.map(|checked| checked.project) else { return document };
        if apply_done(&mut project, &self.moments) {
            return SharedDocument::of_project(&project);
        }
        document
    }
}

/// Two projects may have the same id by accident, for example copies of one file: their keys distinguish them.
fn refuse_other_project(document: &SharedDocument, project: &Project) -> Result<(), EditError> {
    let Some(key) = document.project_key().filter(|key| *key != project.key) else {
        return Ok(());
    };
    let pointer = Pointer::root().field("project").field("key");
    let message = format!("this is the document of another project, `{key}`");
    let fault = Fault::error("other_project", pointer, message);
    let fault = fault.expected(format!("`{}`", project.key));
    Err(EditError::Invalid(vec![
        fault.hint("to rename the project, change its `key` with PATCH /v1/projects/{id} first"),
    ]))
}

/// What visitors get now. In an A/B test, a document with another experiment has its new phase.
fn refuse_to_remove(document: &SharedDocument, project: &Project) -> Result<(), EditError> {
    let [campaigns, experiments] = ["campaigns", "experiments"].map(|list| document.ids(list));
    let mut gone = Vec::new();
    for campaign in project.served() {
        if !campaigns.contains(&campaign.id.to_string()) {
            gone.push(missing_campaign(campaign));
        } else if campaign.kind == CampaignKind::Personalization {
            let is_gone = |experiment: &&Experiment| {
                !experiment.archived && !experiments.contains(&experiment.id.to_string())
            };
            let experiments = campaign.experiments.iter().filter(is_gone);
            gone.extend(experiments.map(|experiment| missing_experiment(campaign, experiment)));
        }
    }
    if gone.is_empty() { Ok(()) } else { Err(EditError::Breaking(gone)) }
}

fn missing_campaign(campaign: &Campaign) -> Fault {
    let message = format!(
        "the campaign `{}` ({}) is running, and the document does not have it",
        campaign.title(),
        campaign.id
    );
    let fault = Fault::error("running_campaign_missing", campaigns(), message);
    fault.hint("add it, pause it first, or say `prune=true`")
}

fn missing_experiment(campaign: &Campaign, experiment: &Experiment) -> Fault {
    let message = format!(
        "the experiment `{}` ({}) of the campaign `{}` is running, and the document does not have it",
        experiment.title(),
        experiment.id,
        campaign.title()
    );
    let fault = Fault::error("running_experiment_missing", campaigns(), message);
    fault.hint("add it, archive it first, or say `prune=true`")
}

fn campaigns() -> Pointer {
    Pointer::root().field("campaigns")
}

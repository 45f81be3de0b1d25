//! A program pauses a bad variation, or resumes it. Only that goes live, at once: its visitors stay bucketed into it and see the original
//! page; no other visitor is bucketed differently.

use std::sync::Arc;

use domain::{Campaign, Project, ProjectId, SharedDocument, Variation, VariationId};
use serde_json::{Value, json};
use storage::Precondition;

use crate::App;
use crate::computation::compute;
use crate::documents::{CheckedProject, Live, ResourceKind, ResourcePath, find};
use crate::drafts::{
    Draft, Edit, EditTurn, ExpectedVersion, ReadError, edit_in_turn, edit_turn, editable_draft,
    live_view, view,
};
use crate::publishing::{
    DraftAfter, PublishRequest, RevisionDocument, publish_with_retry, read_live,
};
use crate::resources::ActionError;
use crate::roles::{Actor, Author, Permission};

/// An action on a variation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VariationAction {
    /// Its visitors see the original page.
    Pause,
    /// Its visitors see it again.
    Resume,
}

impl VariationAction {
    /// The action as spelled in JSON.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pause => "pause",
            Self::Resume => "resume",
        }
    }

    const fn is_pause(self) -> bool {
        matches!(self, Self::Pause)
    }

    /// The other action, allowed where this one is not.
    const fn other(self) -> Self {
        match self {
            Self::Pause => Self::Resume,
            Self::Resume => Self::Pause,
        }
    }
}

/// What the action did.
#[derive(Debug)]
pub struct ActedOnVariation {
    /// The variation as it is now.
    pub variation: Value,
    /// The revision that made it live, if visitors can have met the variation.
    pub revision: Option<u32>,
}

/// Acts on the variation with this id, or with this key behind `key:`.
///
/// # Errors
/// See [`ActionError`].
pub async fn act_on_variation(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    name: String,
    (action, expected): (VariationAction, ExpectedVersion),
) -> Result<ActedOnVariation, ActionError> {
    let turn = edit_turn(app, actor, id, Permission::Publish).await?;
    let step = Arc::new(Step { action, name, expected });
    let prepare = || publication(app, actor, (id, &turn), Arc::clone(&step));
    match publish_with_retry(app, prepare).await? {
        Some((live, (variation, next))) => {
            if let Some(next) = next {
                app.caches().drafts.put(next);
            }
            Ok(ActedOnVariation { variation, revision: Some(live.line.number) })
        }
        None => act_in_draft(app, actor, (id, &turn), step).await,
    }
}

/// What goes live, the variation afterwards, and the new draft if that changes; `None` if visitors cannot have met the variation.
async fn publication(
    app: &App,
    actor: &Actor,
    (id, turn): (ProjectId, &EditTurn<'_>),
    step: Arc<Step>,
) -> Result<Option<(PublishRequest, (Value, Option<Draft>))>, ActionError> {
    let draft = editable_draft(app, actor, id, turn.permission()).await?;
    draft.refuse_if_archived()?;
    let Some(live) = read_live(app, id, draft.head).await? else { return Ok(None) };
    let (precondition, verb) = (Precondition::of(draft.head), step.action.word());
    let author = actor.as_author(app).await?;
    let work = move || step.take(&draft, &live, author);
    let Some(outcome) = compute("pause_variation", work).await?? else { return Ok(None) };
    let request = PublishRequest::by(app, actor, precondition, Arc::new(outcome.live)).await?;
    let next = outcome.draft.as_ref();
    let request = PublishRequest {
        message: format!("{verb} variation {}", outcome.id),
        draft: next.map_or(DraftAfter::Kept, |next| DraftAfter::Replaced(next.to_store())),
        ..request
    };
    Ok(Some((request, (outcome.variation, outcome.draft))))
}

/// For a variation that no visitor has met.
async fn act_in_draft(
    app: &App,
    actor: &Actor,
    (id, turn): (ProjectId, &EditTurn<'_>),
    step: Arc<Step>,
) -> Result<ActedOnVariation, ActionError> {
    let change = move |draft: &Draft| step.edited(draft, None);
    let (draft, changed) = edit_in_turn(app, actor, id, turn, change).await?;
    let path = ResourcePath::of(&changed).ok_or(ReadError::NotFound)?;
    let variation = view(&draft, ResourceKind::Variation, &path);
    Ok(ActedOnVariation { variation, revision: None })
}

/// An action and its variation.
struct Step {
    action: VariationAction,
    name: String,
    expected: ExpectedVersion,
}

/// What an action makes of a variation that visitors meet.
struct ActionOutcome {
    id: VariationId,
    /// The variation as it is now.
    variation: Value,
    /// The live project.
    live: Project,
    /// The draft, if it has the variation.
    draft: Option<Draft>,
}

impl Step {
    /// Takes the action where visitors notice it; `None` if they cannot have met the variation.
    fn take(
        &self,
        draft: &Draft,
        live: &RevisionDocument,
        author: Author,
    ) -> Result<Option<ActionOutcome>, ActionError> {
        let Some(path) = find(&draft.document, ResourceKind::Variation, &self.name) else {
            return self.take_live_only(draft, live);
        };
        let id = id_at(&draft.document, &path)?;
        match find_in(&live.project, id) {
            Some(variation) => {
                self.take_in_both(draft, &live.project, (variation, author)).map(Some)
            }
            None => Ok(None),
        }
    }

    /// The draft and the live project after the action. It breaks no rule: no need to validate again.
    fn take_in_both(
        &self,
        draft: &Draft,
        live: &Project,
        (variation, author): (&Variation, Author),
    ) -> Result<ActionOutcome, ActionError> {
        let id = variation.id;
        let Edit { changed, .. } = self.edited(draft, Some(variation))?;
        let path = ResourcePath::of(&changed).ok_or(ReadError::NotFound)?;
        let project = self.after(&draft.project, id);
        let checked = CheckedProject { project, warnings: draft.warnings.clone() };
        let next = draft.next(checked, (Live::Follows, author));
        Ok(ActionOutcome {
            id,
            variation: view(&next, ResourceKind::Variation, &path),
            live: self.after(live, id),
            draft: Some(next),
        })
    }

    /// The live project after the action. The draft stays unchanged: a new phase waits there, whose variations no visitor has met.
    fn take_live_only(
        &self,
        draft: &Draft,
        live: &RevisionDocument,
    ) -> Result<Option<ActionOutcome>, ActionError> {
        let kind = ResourceKind::Variation;
        let document = live.document_or(|project| draft.document_beside(project));
        let Some(path) = find(document, kind, &self.name) else { return Ok(None) };
        self.expected.check(&live_view((document, draft), kind, &path))?;
        self.check_state(&path.get(document)["paused"])?;
        let id = id_at(document, &path)?;
        let live = self.after(&live.project, id);
        let variation = live_view((&draft.document_beside(&live), draft), kind, &path);
        Ok(Some(ActionOutcome { id, variation, live, draft: None }))
    }

    /// The draft's document after the action. The draft may already say what is not live yet.
    fn edited(&self, draft: &Draft, live: Option<&Variation>) -> Result<Edit, ActionError> {
        let kind = ResourceKind::Variation;
        let path = find(&draft.document, kind, &self.name).ok_or(ReadError::NotFound)?;
        let current = view(draft, kind, &path);
        self.expected.check(&current)?;
        let mut document = (*draft.document).clone();
        let variation = path.get_mut(&mut document);
        let paused = live.map_or_else(|| variation["paused"].clone(), |live| json!(live.paused));
        self.check_state(&paused)?;
        variation["paused"] = json!(self.action.is_pause());
        Ok(Edit { document, changed: path.pointer(), word: kind.word() })
    }

    /// Checks that a variation with this field `paused` allows the action.
    fn check_state(&self, paused: &Value) -> Result<(), ActionError> {
        let is_paused = *paused == true;
        if is_paused != self.action.is_pause() {
            return Ok(());
        }
        Err(ActionError::InvalidTransition {
            action: self.action.word(),
            state: if is_paused { "paused" } else { "not paused" },
            allowed: vec![self.action.other().word()],
        })
    }

    fn after(&self, project: &Project, id: VariationId) -> Project {
        let mut next = project.clone();
        let is_wanted = |variation: &Variation| variation.id == id;
        let has_it = |campaign: &&mut Arc<Campaign>| {
            campaign.experiments.iter().any(|one| one.variations.iter().any(is_wanted))
        };
        let campaign = next.campaigns.iter_mut().find(has_it).map(Arc::make_mut);
        let experiments = campaign.into_iter().flat_map(|campaign| &mut campaign.experiments);
        let mut variations = experiments.flat_map(|experiment| &mut experiment.variations);
        if let Some(variation) = variations.find(|variation| is_wanted(variation)) {
            variation.paused = self.action.is_pause();
        }
        next
    }
}

fn id_at(document: &SharedDocument, path: &ResourcePath) -> Result<VariationId, ReadError> {
    let id = path.get(document)["id"].as_str().and_then(|id| id.parse().ok());
    id.ok_or(ReadError::NotFound)
}

fn find_in(project: &Project, id: VariationId) -> Option<&Variation> {
    let experiments = project.campaigns.iter().flat_map(|campaign| &campaign.experiments);
    experiments.flat_map(|experiment| &experiment.variations).find(|variation| variation.id == id)
}

//! A program pauses a bad variation, or resumes it. Only that goes live, at once: its visitors stay bucketed into it and see the original
//! page; no other visitor is bucketed differently.

use std::sync::Arc;

use domain::{Campaign, Project, ProjectId, Variation, VariationId};
use serde_json::{Value, json};
use storage::Precondition;

use crate::App;
use crate::computation::compute;
use crate::documents::{CheckedProject, Live, Place, ResourceKind, find};
use crate::drafts::{
    Draft, Edit, EditTurn, ExpectedVersion, ReadError, edit_in_turn, edit_turn, editable_draft,
    view,
};
use crate::publishing::{DraftAfter, PublishRequest, publish_with_retry, read_live};
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
        Some((live, (place, next))) => {
            let variation = view(&next, ResourceKind::Variation, &place);
            app.drafts().put(next);
            Ok(ActedOnVariation { variation, revision: Some(live.line.number) })
        }
        None => act_in_draft(app, actor, (id, &turn), step).await,
    }
}

/// What goes live; `None` if visitors cannot have met the variation.
async fn publication(
    app: &App,
    actor: &Actor,
    (id, turn): (ProjectId, &EditTurn<'_>),
    step: Arc<Step>,
) -> Result<Option<(PublishRequest, (Place, Draft))>, ActionError> {
    let draft = editable_draft(app, actor, id, turn.permission()).await?;
    let variation = step.variation(&draft)?;
    let live = read_live(app, id, draft.head).await?;
    let Some(live) = live.filter(|live| find_in(&live.project, variation).is_some()) else {
        return Ok(None);
    };
    let (precondition, verb) = (Precondition::of(draft.head), step.action.word());
    let author = actor.as_author(app).await?;
    let work = move || step.take(&draft, &live.project, author);
    let (place, next, live) = compute("pause_variation", work).await??;
    let request = PublishRequest::by(app, actor, precondition, Arc::new(live)).await?;
    let request = PublishRequest {
        message: format!("{verb} variation {variation}"),
        draft: DraftAfter::Replaced(next.to_store()),
        ..request
    };
    Ok(Some((request, (place, next))))
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
    let place = Place::of(&changed).ok_or(ReadError::NotFound)?;
    let variation = view(&draft, ResourceKind::Variation, &place);
    Ok(ActedOnVariation { variation, revision: None })
}

/// An action and its variation.
struct Step {
    action: VariationAction,
    name: String,
    expected: ExpectedVersion,
}

impl Step {
    /// Finds the variation.
    fn variation(&self, draft: &Draft) -> Result<VariationId, ReadError> {
        let place = find(&draft.document, ResourceKind::Variation, &self.name);
        let place = place.ok_or(ReadError::NotFound)?;
        let id = place.get(&draft.document)["id"].as_str().and_then(|id| id.parse().ok());
        id.ok_or(ReadError::NotFound)
    }

    /// The draft's document after the action. The draft may already say what is not live yet.
    fn edited(&self, draft: &Draft, live: Option<&Variation>) -> Result<Edit, ActionError> {
        let kind = ResourceKind::Variation;
        let place = find(&draft.document, kind, &self.name).ok_or(ReadError::NotFound)?;
        let current = view(draft, kind, &place);
        self.expected.check(&current)?;
        let mut document = (*draft.document).clone();
        let variation = place.get_mut(&mut document);
        let is_paused = live.map_or(variation["paused"] == true, |live| live.paused);
        if is_paused == self.action.is_pause() {
            return Err(ActionError::InvalidTransition {
                action: self.action.word(),
                state: if is_paused { "paused" } else { "not paused" },
                allowed: vec![self.action.other().word()],
            });
        }
        variation["paused"] = json!(self.action.is_pause());
        Ok(Edit { document, changed: place.pointer(), word: kind.word() })
    }

    /// The draft and the live project after the action. It breaks no rule: no need to validate again.
    fn take(
        &self,
        draft: &Draft,
        live: &Project,
        author: Author,
    ) -> Result<(Place, Draft, Project), ActionError> {
        let id = self.variation(draft)?;
        let Edit { changed, .. } = self.edited(draft, find_in(live, id))?;
        let place = Place::of(&changed).ok_or(ReadError::NotFound)?;
        let project = self.after(&draft.project, id);
        let checked = CheckedProject { project, warnings: draft.warnings.clone() };
        let next = draft.next(checked, (Live::Follows, author));
        Ok((place, next, self.after(live, id)))
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

fn find_in(project: &Project, id: VariationId) -> Option<&Variation> {
    let experiments = project.campaigns.iter().flat_map(|campaign| &campaign.experiments);
    experiments.flat_map(|experiment| &experiment.variations).find(|variation| variation.id == id)
}

//! The snippet behind a preview link: the live project, but with the named variations shown, even of campaigns that do not
//! run. It contains only what it needs to show them, so that the link does not reveal other drafts.

use std::collections::HashSet;
use std::sync::Arc;

use domain::{
    Campaign, CampaignStatus, Experiment, PageId, Project, Results, Variation, VariationId,
};

use crate::code;
use crate::compile::{CompileError, Snippet, compiling, snippet_of};
use crate::config::Config;
use crate::features::Features;
use crate::literal::Literal;
use crate::program::Program;

/// What the panel of a preview offers to switch to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Offer {
    /// Nothing else than what is shown.
    Nothing,
    /// The other variations of the same experiments, by their names.
    OtherVariations,
}

/// Compiles the running campaigns of `project`, and those that show `variations`. Ids that the project does not have show nothing.
///
/// # Errors
/// If the member's code does not parse.
pub fn compile_preview(
    project: &Project,
    variations: &[VariationId],
    offer: Offer,
) -> Result<Snippet, CompileError> {
    compiling(project, || compile_here(project, variations, offer))
}

fn compile_here(
    project: &Project,
    variations: &[VariationId],
    offer: Offer,
) -> Result<Snippet, CompileError> {
    let shown = shown(project, variations);
    let faults = code::find_faults(&shown);
    if !faults.is_empty() {
        return Err(CompileError::Code(faults));
    }
    let used = shown.in_use();
    let choices = choices(project, variations, offer);
    let program = Program::of(&Config::of_preview(&used, variations, choices));
    snippet_of(&program, &Features::of_preview(&used))
}

/// The project as the link shows it.
pub(crate) fn shown(project: &Project, variations: &[VariationId]) -> Project {
    let mut shown = project.clone();
    // It shows them regardless of variations forced in the tab, explains why, and does not look for a preview itself. Analytics tools
    // should not count previews.
    shown.integrations.clear();
    shown.results = Results::Off;
    shown.snippet.allow_force = true;
    shown.snippet.explain = true;
    shown.snippet.preview = false;
    let is_draft = |campaign: &Campaign| {
        let mut experiments = campaign.experiments.iter();
        let is_looked_at = experiments.any(|experiment| {
            experiment.variations.iter().any(|variation| variations.contains(&variation.id))
        });
        campaign.status != CampaignStatus::Running && (is_looked_at || !campaign.is_shipped())
    };
    let mut pages = HashSet::new();
    for campaign in shown.campaigns.iter_mut().filter(|campaign| is_draft(campaign)) {
        let campaign = Arc::make_mut(campaign);
        keep_only(campaign, variations);
        pages.extend(pages_of(campaign));
    }
    restore(&mut shown, &pages);
    shown
}

/// What `previewChoices` in `runtime/src/project/config.ts` describes.
fn choices(project: &Project, variations: &[VariationId], offer: Offer) -> Literal {
    let is_shown =
        |variation: &Variation| !variation.archived && variations.contains(&variation.id);
    let choice = |campaign: &Campaign, experiment: &Experiment| {
        let shown = experiment.variations.iter().find(|variation| is_shown(variation))?;
        let is_offered = |variation: &&Variation| match offer {
            Offer::Nothing => variation.id == shown.id,
            Offer::OtherVariations => !variation.archived,
        };
        let offered = experiment.variations.iter().filter(is_offered).map(|variation| {
            let name = variation.name.clone().unwrap_or_else(|| variation.key.to_string());
            Literal::List(vec![Literal::Number(variation.id.get()), Literal::Text(name)])
        });
        let name = campaign.name.clone().unwrap_or_else(|| campaign.key.to_string());
        Some(Literal::List(vec![
            Literal::Number(campaign.id.get()),
            Literal::Text(name),
            Literal::Number(shown.id.get()),
            Literal::List(offered.collect()),
        ]))
    };
    let experiments = project.campaigns.iter().flat_map(|campaign| {
        let in_use = campaign.experiments.iter().filter(|experiment| !experiment.archived);
        in_use.filter_map(move |experiment| choice(campaign, experiment))
    });
    Literal::List(experiments.collect())
}

fn pages_of(campaign: &Campaign) -> impl Iterator<Item = PageId> {
    let variations = campaign.experiments.iter().flat_map(|experiment| &experiment.variations);
    let changes = variations.flat_map(|variation| &variation.changes).chain(&campaign.changes);
    changes.filter_map(|change| change.page).chain(campaign.pages.iter().copied())
}

/// A concluded campaign may refer to resources that have been archived since.
fn restore(shown: &mut Project, pages: &HashSet<PageId>) {
    for page in shown.pages.iter_mut().filter(|page| pages.contains(&page.id)) {
        page.archived = false;
    }
    for audience in &mut shown.audiences {
        audience.archived = false;
    }
    for attribute in &mut shown.attributes {
        attribute.archived = false;
    }
}

/// Leaves of a campaign that does not run what shows these variations, and lets it run if there is anything.
fn keep_only(campaign: &mut Campaign, variations: &[VariationId]) {
    let is_shown =
        |variation: &Variation| !variation.archived && variations.contains(&variation.id);
    let has_shown = |experiment: &Experiment| {
        !experiment.archived && experiment.variations.iter().any(is_shown)
    };
    campaign.experiments.retain(has_shown);
    if campaign.experiments.is_empty() {
        return;
    }
    let kept: Vec<_> = campaign.experiments.iter().map(|experiment| experiment.id).collect();
    for group in &mut campaign.priorities {
        group.retain(|id| kept.contains(id));
    }
    campaign.priorities.retain(|group| !group.is_empty());
    let all = campaign.experiments.iter_mut().flat_map(|experiment| &mut experiment.variations);
    for hidden in all.filter(|variation| !is_shown(variation)) {
        // It keeps its place: the index of those beside it counts.
        hidden.name = None;
        hidden.changes = Vec::new();
    }
    campaign.status = CampaignStatus::Running;
    campaign.shipped = false;
}

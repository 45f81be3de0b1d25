//! A project prepared to decide many visits: regular expressions compiled, references resolved.

use std::collections::{BTreeMap, HashMap};

use domain::{
    ActivationKind, AudienceId, AudienceTree, Audiences, Campaign, CampaignId, Conditions,
    Experiment, PageId, Project,
};

use crate::answer::{
    Answer, AudienceAnswer, CampaignAnswer, MappedVariation, PageAnswer, VariationMap,
};
use crate::campaign_decision::CampaignDecision;
use crate::condition_tree::{ConditionTree, Truth};
use crate::effort::{Effort, Room, TooCostly};
use crate::leaf::Leaf;
use crate::prepared_leaf::{Names, prepared_leaf};
use crate::view::View;
use crate::visit::Visit;

/// Tells of any visit to a project's pages what its visitor gets, and why.
///
/// Preparing takes longer than deciding: keep one for each revision. What it says is what the compiled snippet does in the page,
/// except where only the page knows: see [`Visit`].
#[derive(Debug, Clone)]
pub struct Decider {
    pub(crate) project: Project,
    pub(crate) pages: Vec<PreparedPage>,
    pub(crate) page_places: HashMap<PageId, usize>,
    pub(crate) audiences: Vec<PreparedAudience>,
    pub(crate) audience_places: HashMap<AudienceId, usize>,
    /// By campaign: its group's place in the project.
    pub(crate) groups: HashMap<CampaignId, usize>,
    attribute_ids: HashMap<String, String>,
    pub(crate) allows_force: bool,
    pattern_states: u64,
    /// Places of the audiences that running campaigns name, in the order of the project.
    used_audiences: Vec<usize>,
}

/// A page; without conditions it always matches.
#[derive(Debug, Clone)]
pub(crate) struct PreparedPage {
    pub(crate) conditions: Option<ConditionTree<Leaf>>,
}

/// An audience; without conditions it contains no visitors.
#[derive(Debug, Clone)]
pub(crate) struct PreparedAudience {
    pub(crate) id: String,
    pub(crate) conditions: Option<ConditionTree<Leaf>>,
}

impl Decider {
    /// Prepares `project`, which was checked.
    #[must_use]
    pub fn new(project: &Project) -> Self {
        Self::within(project, &Room::of_project())
    }

    /// The same with so much room for the patterns of its conditions.
    #[must_use]
    pub fn within(project: &Project, room: &Room) -> Self {
        let project = &*project.in_use();
        let attributes = project.attributes.iter();
        let attribute_ids: HashMap<String, String> = attributes
            .map(|attribute| (attribute.key.to_string(), attribute.id.to_string()))
            .collect();
        let places = |ids: Vec<AudienceId>| {
            ids.into_iter().enumerate().map(|(place, id)| (id, place)).collect()
        };
        let audience_places: HashMap<AudienceId, usize> =
            places(project.audiences.iter().map(|audience| audience.id).collect());
        let names = Names {
            audience: &|id| {
                let place = audience_places.get(&id).copied().unwrap_or(usize::MAX);
                let audience = project.audiences.get(place);
                (place, audience.map(|audience| audience.key.to_string()).unwrap_or_default())
            },
            attribute: &|name| attribute_ids.get(name).cloned().unwrap_or_else(|| name.to_owned()),
            page: &|id| {
                let named = project.pages.iter().filter(|page| page.id == id);
                named.flat_map(|page| [page.key.to_string(), page.id.to_string()]).collect()
            },
            room,
        };
        let pages = project.pages.iter();
        let pages =
            pages.map(|page| PreparedPage { conditions: prepared(&page.conditions, &names) });
        let audiences = project.audiences.iter().map(|audience| PreparedAudience {
            id: audience.id.to_string(),
            conditions: prepared(&audience.conditions, &names),
        });
        let groups = project.groups.iter().enumerate().flat_map(|(place, group)| {
            group.members.iter().map(move |member| (member.campaign, place))
        });
        Self {
            pages: pages.collect(),
            page_places: project
                .pages
                .iter()
                .enumerate()
                .map(|(place, page)| (page.id, place))
                .collect(),
            audiences: audiences.collect(),
            groups: groups.collect(),
            allows_force: project.snippet.allow_force,
            pattern_states: room.taken(),
            used_audiences: used_audiences(project, &audience_places),
            audience_places,
            attribute_ids,
            project: project.clone(),
        }
    }

    /// How many states its regular expressions have together, which is nearly all of its memory beside the project's.
    #[must_use]
    pub fn pattern_states(&self) -> u64 {
        self.pattern_states
    }

    /// What the visitor gets on that page, and why.
    ///
    /// # Errors
    /// [`TooCostly`] if the effort does not suffice for the regular expressions that are asked.
    pub fn decide(&self, visit: &Visit, effort: &Effort) -> Result<Answer, TooCostly> {
        let view = View::new(self, visit, effort);
        let pages: Vec<PageAnswer> =
            (0..self.pages.len()).map(|place| self.page(place, &view)).collect();
        let is_active: Vec<bool> = pages.iter().map(|page| page.is_active).collect();
        let mut groups: BTreeMap<String, Option<String>> = BTreeMap::new();
        let campaigns = self.project.campaigns.iter().map(|campaign| {
            let decision = CampaignDecision::of(campaign, &view, &is_active);
            if let Some((group, chosen)) = &decision.group {
                groups.insert(group.clone(), chosen.clone());
            }
            decision.answer
        });
        let campaigns: Vec<CampaignAnswer> = campaigns.collect();
        let active = campaigns.iter().filter(|campaign| campaign.variation.is_some());
        let active = active.filter_map(|campaign| campaign.experiment.as_ref());
        effort.judge(Answer {
            visitor_id: visit.visitor_id.clone(),
            url: visit.url.to_string(),
            active_experiment_ids: active.map(|experiment| experiment.id.clone()).collect(),
            variation_map: self.variation_map(visit, &campaigns),
            audiences: self
                .used_audiences
                .iter()
                .map(|place| self.audience(*place, &view))
                .collect(),
            pages,
            campaigns,
            groups,
        })
    }

    /// The id of a custom attribute, given its key; any other name is returned as it is.
    pub(crate) fn attribute<'n>(&'n self, name: &'n str) -> &'n str {
        self.attribute_ids.get(name).map_or(name, String::as_str)
    }

    /// A name as the snippet has it.
    pub(crate) fn shown(&self, name: Option<&str>) -> Option<String> {
        name.filter(|_| !self.project.snippet.exclude_names).map(str::to_owned)
    }

    fn experiments(&self) -> impl Iterator<Item = (&Campaign, &Experiment)> {
        let campaigns = self.project.campaigns.iter();
        campaigns.flat_map(|campaign| {
            campaign.experiments.iter().map(move |experiment| (&**campaign, experiment))
        })
    }

    fn page(&self, place: usize, view: &View<'_>) -> PageAnswer {
        let page = &self.project.pages[place];
        let is_by_site = match page.activation.kind {
            ActivationKind::Immediate | ActivationKind::UrlChanged | ActivationKind::DomChanged => {
                false
            }
            ActivationKind::Manual | ActivationKind::Polling | ActivationKind::Callback => true,
        };
        let is_waiting =
            is_by_site && !view.visit.pages.iter().any(|key| *key == *page.key.to_string());
        let conditions = self.pages[place].conditions.as_ref();
        let (is_active, why) = match conditions {
            _ if is_waiting => (false, "the site has not activated it".to_owned()),
            None => (true, "it is active everywhere".to_owned()),
            Some(tree) => {
                let (truth, why) = view.tell(tree);
                (truth.is_met(), why)
            }
        };
        PageAnswer {
            id: page.id.to_string(),
            key: page.key.to_string(),
            name: self.shown(page.name.as_deref()),
            is_active,
            why,
        }
    }

    fn audience(&self, place: usize, view: &View<'_>) -> AudienceAnswer {
        let audience = &self.project.audiences[place];
        let why = match &self.audiences[place].conditions {
            _ if view.is_forced_into(&self.audiences[place].id) => {
                "the visitor asked to be in it".to_owned()
            }
            Some(tree) => view.tell(tree).1,
            None => "it has no conditions, so it contains no visitors".to_owned(),
        };
        AudienceAnswer {
            id: audience.id.to_string(),
            key: audience.key.to_string(),
            name: self.shown(audience.name.as_deref()),
            is_met: match view.audience(place) {
                Truth::Yes => Some(true),
                Truth::No => Some(false),
                Truth::Unknown => None,
            },
            why,
        }
    }

    /// The visitor's earlier and new variations. Only running campaigns can name them.
    fn variation_map(&self, visit: &Visit, campaigns: &[CampaignAnswer]) -> VariationMap {
        let mut map: VariationMap = visit
            .given_variations()
            .map(|(experiment, variation)| {
                let entry = MappedVariation { id: variation.to_owned(), name: None, index: None };
                (experiment.to_owned(), entry)
            })
            .collect();
        for (campaign, experiment) in self.experiments() {
            let Some(entry) = map.get_mut(&experiment.id.to_string()) else { continue };
            let Some(index) = place_of(experiment, &entry.id) else { continue };
            let name = experiment.variations[index].name.as_deref();
            let is_in_snippet = campaign.is_served();
            entry.index = Some(index);
            entry.name = name.filter(|_| is_in_snippet).and_then(|name| self.shown(Some(name)));
        }
        for campaign in campaigns {
            if let (Some(experiment), Some(variation)) = (&campaign.experiment, &campaign.variation)
            {
                let entry = MappedVariation {
                    id: variation.id.clone(),
                    name: variation.name.clone(),
                    index: Some(variation.index),
                };
                map.insert(experiment.id.clone(), entry);
            }
        }
        map
    }
}

/// The place of a variation in its experiment; an archived one has none.
pub(crate) fn place_of(experiment: &Experiment, variation_id: &str) -> Option<usize> {
    let id: u64 = variation_id.trim().parse().ok()?;
    experiment.variations.iter().position(|one| one.id.get() == id && !one.archived)
}

/// `None` for no conditions at all.
fn prepared(conditions: &Conditions, names: &Names<'_>) -> Option<ConditionTree<Leaf>> {
    (conditions.tree != domain::ConditionTree::Empty).then(|| tree(&conditions.tree, names))
}

fn tree(written: &domain::ConditionTree, names: &Names<'_>) -> ConditionTree<Leaf> {
    let all = |operands: &[domain::ConditionTree]| {
        operands.iter().map(|operand| tree(operand, names)).collect()
    };
    match written {
        domain::ConditionTree::And(operands) => ConditionTree::And(all(operands)),
        domain::ConditionTree::Or(operands) => ConditionTree::Or(all(operands)),
        domain::ConditionTree::Not(operand) => ConditionTree::Not(Box::new(tree(operand, names))),
        domain::ConditionTree::Leaf(condition) => {
            ConditionTree::Leaf(prepared_leaf(condition, names))
        }
        domain::ConditionTree::Empty => ConditionTree::Or(Vec::new()),
    }
}

fn used_audiences(project: &Project, places: &HashMap<AudienceId, usize>) -> Vec<usize> {
    let running = project.campaigns.iter().filter(|campaign| campaign.is_served());
    let named = running
        .flat_map(|campaign| &campaign.experiments)
        .flat_map(|experiment| named_audiences(&experiment.audiences));
    let mut used: Vec<usize> = named.filter_map(|id| places.get(&id).copied()).collect();
    used.sort_unstable();
    used.dedup();
    used
}

/// The audiences an experiment names, in its order, with repetitions.
pub(crate) fn named_audiences(audiences: &Audiences) -> Vec<AudienceId> {
    match audiences {
        Audiences::Everyone => Vec::new(),
        Audiences::Tree(tree) => AudienceTree::audiences(tree),
    }
}

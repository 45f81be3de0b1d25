//! The names by which senders speak of a project's campaigns, and which of them are unknown.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use domain::{Experiment, Key, Origin, Project, ProjectId, Results};
use events::limits::NAME_LETTERS_AT_MOST;
use events::{ExposureRow, Marks, Recorded, What, Wrong, WrongCode};
use storage::StorageError;

use crate::App;
use crate::bounded_cache::BoundedCache;
use crate::publishing::{live_number, read_revision};

/// Variations of the projects in memory: some ten megabytes.
const VARIATIONS_AT_MOST: usize = 100_000;

/// The names of the live revisions that events came for most recently.
#[derive(Debug)]
pub struct EventNamesCache(BoundedCache<(ProjectId, u32), Arc<EventNames>>);

impl Default for EventNamesCache {
    fn default() -> Self {
        Self(BoundedCache::holding(VARIATIONS_AT_MOST))
    }
}

/// The ids of a live project's campaigns, by their ids and keys.
#[derive(Debug)]
pub(super) struct EventNames {
    /// Whether the project wants to know.
    pub(super) is_collecting: bool,
    /// Whose pages may send events; pages of any site, if there are none.
    origins: Vec<Origin>,
    campaigns: Vec<CampaignNames>,
    places: HashMap<String, usize>,
    /// The ids of its pages, by their ids and keys.
    pages: HashMap<String, u64>,
    /// The keys of its events; a project without any takes every name.
    events: HashSet<String>,
}

#[derive(Debug)]
struct CampaignNames {
    id: u64,
    experiments: Vec<ExperimentNames>,
}

#[derive(Debug)]
struct ExperimentNames {
    name: Name,
    variations: Vec<Name>,
}

/// An id and the key beside it.
#[derive(Debug)]
struct Name {
    id: u64,
    key: String,
}

impl EventNames {
    fn of(project: &Project) -> Self {
        let names = |experiment: &Experiment| ExperimentNames {
            name: Name::new(experiment.id.get(), &experiment.key),
            variations: experiment
                .variations
                .iter()
                .map(|variation| Name::new(variation.id.get(), &variation.key))
                .collect(),
        };
        let mut places = HashMap::new();
        for (place, campaign) in project.campaigns.iter().enumerate() {
            places.entry(campaign.key.to_string()).or_insert(place);
        }
        // An id wins over a key that looks like one.
        for (place, campaign) in project.campaigns.iter().enumerate() {
            places.insert(campaign.id.to_string(), place);
        }
        let by_key = project.pages.iter().map(|page| (page.key.to_string(), page.id.get()));
        let by_id = project.pages.iter().map(|page| (page.id.to_string(), page.id.get()));
        let campaigns = project.campaigns.iter().map(|campaign| CampaignNames {
            id: campaign.id.get(),
            experiments: campaign.experiments.iter().map(names).collect(),
        });
        Self {
            is_collecting: project.results == Results::On,
            origins: project.origins.clone(),
            campaigns: campaigns.collect(),
            places,
            pages: by_key.chain(by_id).collect(),
            events: project.events.iter().map(|event| event.key.to_string()).collect(),
        }
    }

    /// Whether a page of this origin may send events. A browser always says where a page comes from that sends something.
    pub(super) fn takes_events_from(&self, origin: Option<&str>) -> bool {
        self.origins.is_empty()
            || origin.is_some_and(|origin| self.origins.iter().any(|one| one.covers(origin)))
    }

    /// A page by its id or key. One that was removed since takes no exposure with it: a snippet in a cache may still tell of it.
    fn page(&self, name: &str) -> Option<u64> {
        self.pages.get(name).copied()
    }

    /// What happened, by ids.
    pub(super) fn recorded(&self, what: What) -> Result<(Recorded, Marks), Wrong> {
        match what {
            What::Exposure { campaign, experiment, variation, agent, page, marks } => {
                let place = self.places.get(&campaign).copied();
                let found = place.and_then(|place| self.campaigns.get(place));
                let found = found.ok_or_else(|| unknown("campaign", &campaign))?;
                let experiments = found.experiments.iter();
                let known = find(experiments, &experiment, |one| &one.name)
                    .ok_or_else(|| unknown("experiment", &experiment))?;
                let shown = find(known.variations.iter(), &variation, |one| one)
                    .ok_or_else(|| unknown("variation", &variation))?;
                let (campaign, experiment) = (found.id, known.name.id);
                let variation = shown.id;
                let page = page.and_then(|page| self.page(&page));
                Ok((Recorded::Exposure { campaign, experiment, variation, agent, page }, marks))
            }
            What::Event { name, revenue, value, properties, marks } => {
                if !self.events.is_empty() && !self.events.contains(&name) {
                    return Err(unknown("name", &name));
                }
                let properties = properties.into();
                Ok((Recorded::Event { name, revenue, value, properties }, marks))
            }
        }
    }
}

/// Names as rows of other tools have them.
impl EventNames {
    /// An exposure by ids. Without the name of an experiment, the variation has to be of one alone.
    pub(super) fn exposed(&self, row: &ExposureRow) -> Result<Recorded, Wrong> {
        let (experiment, variation) = (row.experiment.as_deref(), row.variation.as_str());
        let (agent, page) = (row.agent, row.page.as_deref().and_then(|page| self.page(page)));
        let all = self.campaigns.iter().flat_map(|campaign| {
            campaign.experiments.iter().map(move |experiment| (campaign.id, experiment))
        });
        let id = experiment.and_then(|name| name.parse().ok());
        let is_called = |one: &&(u64, &ExperimentNames)| {
            experiment.is_none_or(|name| Some(one.1.name.id) == id || one.1.name.key == name)
        };
        let called: Vec<_> = all.filter(|one| is_called(&one)).collect();
        if let (Some(name), true) = (experiment, called.is_empty()) {
            return Err(unknown("experiment", name));
        }
        let shown = called.iter().filter_map(|(campaign, experiment)| {
            let variation = find(experiment.variations.iter(), variation, |one| one)?.id;
            let experiment = experiment.name.id;
            Some(Recorded::Exposure { campaign: *campaign, experiment, variation, agent, page })
        });
        let mut shown = shown.collect::<Vec<_>>();
        match (shown.pop(), shown.is_empty()) {
            (Some(exposure), true) => Ok(exposure),
            (Some(_), false) => {
                let detail = format!(
                    "several experiments have a variation `{variation}`; name its experiment by its id"
                );
                Err(Wrong { code: WrongCode::UnknownName, detail })
            }
            (None, _) => Err(unknown("variation", variation)),
        }
    }

    /// Whether an event of this name may come.
    pub(super) fn know(&self, event: &str) -> Result<(), Wrong> {
        if event.chars().count() > NAME_LETTERS_AT_MOST {
            let detail = format!("`name` has more than {NAME_LETTERS_AT_MOST} letters");
            return Err(Wrong { code: WrongCode::BadValue, detail });
        }
        if self.events.is_empty() || self.events.contains(event) {
            return Ok(());
        }
        Err(unknown("name", event))
    }
}

impl Name {
    fn new(id: u64, key: &Key) -> Self {
        Self { id, key: key.to_string() }
    }
}

/// The one that is called so, by its id rather than by its key.
fn find<'n, T>(
    mut all: impl Iterator<Item = &'n T> + Clone,
    name: &str,
    name_of: impl Fn(&T) -> &Name,
) -> Option<&'n T> {
    let id: Option<u64> = name.parse().ok();
    let by_id = all.clone().find(|one| Some(name_of(one).id) == id);
    by_id.or_else(|| all.find(|one| name_of(one).key == name))
}

fn unknown(field: &str, name: &str) -> Wrong {
    let detail = format!("the live project has no `{field}` called `{name}`");
    Wrong { code: WrongCode::UnknownName, detail }
}

/// The names of the live revision of a project; `None` if the project is unknown or was never published.
pub(super) async fn live_names(
    app: &App,
    id: ProjectId,
) -> Result<Option<Arc<EventNames>>, StorageError> {
    let Some(number) = live_number(app, id).await? else { return Ok(None) };
    let cache = &app.event_names().0;
    if let Some(names) = cache.find(&(id, number)) {
        return Ok(Some(names));
    }
    let Some(live) = read_revision(app, id, number).await? else { return Ok(None) };
    let names = Arc::new(EventNames::of(&live.project));
    let experiments = names.campaigns.iter().flat_map(|campaign| &campaign.experiments);
    let variations = experiments.map(|experiment| experiment.variations.len()).sum();
    cache.put((id, number), Arc::clone(&names), variations);
    Ok(Some(names))
}

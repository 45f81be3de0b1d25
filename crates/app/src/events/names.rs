//! The names by which senders speak of a project's campaigns, and which of them are unknown.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use domain::{Experiment, Key, Origin, Project, ProjectId, Results, nearest};
use events::limits::NAME_CHARACTERS_AT_MOST;
use events::{EventDetails, EventFault, ExposureRow, FaultCode, Marks, Occurrence};
use storage::StorageError;

use crate::App;
use crate::bounded_cache::BoundedCache;
use crate::publishing::{live_number, read_revision};

/// Variations of the projects in memory: some ten megabytes.
const VARIATIONS_AT_MOST: usize = 100_000;

/// To look for the nearest of many names takes longer than to take an event, and a batch or a file may have many that are wrong.
const HINTS_AT_MOST: u32 = 5;

/// The names of the live revisions that events came for most recently.
#[derive(Debug)]
pub struct EventNamesCache(BoundedCache<(ProjectId, u32), Arc<EventNames>>);

impl Default for EventNamesCache {
    fn default() -> Self {
        Self(BoundedCache::of_weight(VARIATIONS_AT_MOST))
    }
}

/// The ids of a live project's campaigns, by their ids and keys.
#[derive(Debug)]
pub(super) struct EventNames {
    /// Whether the project is archived, and collects nothing, whatever else it says.
    pub(super) is_archived: bool,
    /// Whether the project wants to know.
    pub(super) is_collecting: bool,
    /// Whose pages may send events; pages of any site, if there are none.
    origins: Vec<Origin>,
    campaigns: Vec<CampaignNames>,
    places: HashMap<String, usize>,
    /// The ids of its pages, by their ids and keys.
    pages: HashMap<String, u64>,
    /// The same by their names, of those that no other page has.
    titled_pages: HashMap<String, u64>,
    /// The keys of its events; a project without any takes every name.
    events: HashSet<String>,
}

/// The nearest names of the first events of a batch or a file that are unknown.
pub(super) struct Hints {
    left: Cell<u32>,
}

impl Default for Hints {
    fn default() -> Self {
        Self { left: Cell::new(HINTS_AT_MOST) }
    }
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

/// An id, and the key and the name beside it.
#[derive(Debug)]
struct Name {
    id: u64,
    key: String,
    /// What people call it; several may be called alike.
    title: Option<String>,
}

impl EventNames {
    fn of(project: &Project) -> Self {
        let names = |experiment: &Experiment| ExperimentNames {
            name: Name::new(experiment.id.get(), &experiment.key, experiment.name.as_ref()),
            variations: experiment
                .variations
                .iter()
                .map(|one| Name::new(one.id.get(), &one.key, one.name.as_ref()))
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
            is_archived: project.archived,
            is_collecting: project.results == Results::On,
            origins: project.origins.clone(),
            campaigns: campaigns.collect(),
            places,
            pages: by_key.chain(by_id).collect(),
            titled_pages: titled_pages(project),
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
    pub(super) fn recorded(
        &self,
        what: EventDetails,
        hints: &Hints,
    ) -> Result<(Occurrence, Marks), EventFault> {
        match what {
            EventDetails::Exposure { campaign, experiment, variation, agent, page, marks } => {
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
                Ok((Occurrence::Exposure { campaign, experiment, variation, agent, page }, marks))
            }
            EventDetails::Event { name, revenue, value, properties, marks } => {
                if !self.events.is_empty() && !self.events.contains(&name) {
                    return Err(self.unknown_event(&name, hints));
                }
                let properties = properties.into();
                Ok((Occurrence::Event { name, revenue, value, properties }, marks))
            }
        }
    }
}

/// Names as rows of other tools have them.
impl EventNames {
    /// An exposure by ids. A name counts where no id and no key is it. Without the experiment, the variation has to be of one alone.
    pub(super) fn exposed(&self, row: &ExposureRow) -> Result<Occurrence, EventFault> {
        let (experiment, variation) = (row.experiment.as_deref(), row.variation.as_str());
        let (agent, page) = (row.agent, row.page.as_deref().and_then(|page| self.any_page(page)));
        let called = self.experiments_called(experiment);
        if let (Some(name), true) = (experiment, called.is_empty()) {
            return Err(unknown("experiment", name));
        }
        let shown_by = |is_called: fn(&Name, &str) -> bool| {
            let all = called.iter().flat_map(|(campaign, experiment)| {
                experiment.variations.iter().map(move |one| (*campaign, experiment.name.id, one))
            });
            all.filter(|(.., one)| is_called(one, variation)).collect::<Vec<_>>()
        };
        let mut by_each = [Name::has_id, Name::has_key, Name::has_title].into_iter().map(shown_by);
        match by_each.find(|shown| !shown.is_empty()).unwrap_or_default().as_slice() {
            [] => Err(unknown("variation", variation)),
            [(campaign, experiment, shown)] => {
                let (campaign, experiment, variation) = (*campaign, *experiment, shown.id);
                Ok(Occurrence::Exposure { campaign, experiment, variation, agent, page })
            }
            [(_, first, _), .., (_, last, _)] if first == last => Err(ambiguous(format!(
                "several variations are called `{variation}`; name this one by its id or key"
            ))),
            _ => Err(ambiguous(format!(
                "several experiments have a variation `{variation}`; name its experiment by its id"
            ))),
        }
    }

    /// The experiments with this id or key, or else with this name, each with the id of its campaign; all of them without one.
    fn experiments_called(&self, name: Option<&str>) -> Vec<(u64, &ExperimentNames)> {
        let all = self.campaigns.iter().flat_map(|campaign| {
            campaign.experiments.iter().map(move |experiment| (campaign.id, experiment))
        });
        let Some(name) = name else { return all.collect() };
        let is_own = |one: &Name| one.has_id(name) || one.has_key(name);
        let own: Vec<_> = all.clone().filter(|(_, one)| is_own(&one.name)).collect();
        if own.is_empty() { all.filter(|(_, one)| one.name.has_title(name)).collect() } else { own }
    }

    /// A page by its id, key or name.
    fn any_page(&self, name: &str) -> Option<u64> {
        self.page(name).or_else(|| self.titled_pages.get(name).copied())
    }

    /// Whether an event of this name may come.
    pub(super) fn know(&self, event: &str, hints: &Hints) -> Result<(), EventFault> {
        if event.chars().count() > NAME_CHARACTERS_AT_MOST {
            let detail = format!("`name` has more than {NAME_CHARACTERS_AT_MOST} characters");
            return Err(EventFault { code: FaultCode::BadValue, detail });
        }
        if self.events.is_empty() || self.events.contains(event) {
            return Ok(());
        }
        Err(self.unknown_event(event, hints))
    }

    fn unknown_event(&self, name: &str, hints: &Hints) -> EventFault {
        let left = hints.left.get();
        hints.left.set(left.saturating_sub(1));
        let known = self.events.iter().map(String::as_str);
        let near = (left > 0).then(|| nearest(name, known)).flatten();
        let hint = near.map(|near| format!("; hint: did you mean `{near}`?")).unwrap_or_default();
        let detail = format!("the live project has no event called `{name}`{hint}");
        EventFault { code: FaultCode::UnknownName, detail }
    }
}

impl Name {
    fn new(id: u64, key: &Key, title: Option<&String>) -> Self {
        Self { id, key: key.to_string(), title: title.cloned() }
    }

    fn has_id(&self, text: &str) -> bool {
        text.parse() == Ok(self.id)
    }

    fn has_key(&self, text: &str) -> bool {
        self.key == text
    }

    fn has_title(&self, text: &str) -> bool {
        self.title.as_deref() == Some(text)
    }
}

/// The ids of pages by the names that one page alone has.
fn titled_pages(project: &Project) -> HashMap<String, u64> {
    let mut titled: HashMap<String, Option<u64>> = HashMap::new();
    for page in &project.pages {
        let Some(title) = page.name.clone() else { continue };
        titled.entry(title).and_modify(|id| *id = None).or_insert(Some(page.id.get()));
    }
    titled.into_iter().filter_map(|(title, id)| Some((title, id?))).collect()
}

/// The one that is called so, by its id rather than by its key.
fn find<'n, T>(
    mut all: impl Iterator<Item = &'n T> + Clone,
    name: &str,
    name_of: impl Fn(&T) -> &Name,
) -> Option<&'n T> {
    let by_id = all.clone().find(|one| name_of(one).has_id(name));
    by_id.or_else(|| all.find(|one| name_of(one).has_key(name)))
}

fn ambiguous(detail: String) -> EventFault {
    EventFault { code: FaultCode::UnknownName, detail }
}

fn unknown(field: &str, name: &str) -> EventFault {
    let detail = format!("the live project has no `{field}` called `{name}`");
    EventFault { code: FaultCode::UnknownName, detail }
}

/// The names of the live revision of a project; `None` if the project is unknown or was never published.
pub(super) async fn live_names(
    app: &App,
    id: ProjectId,
) -> Result<Option<Arc<EventNames>>, StorageError> {
    let Some(number) = live_number(app, id).await? else { return Ok(None) };
    let cache = &app.caches().event_names.0;
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

//! Made-up visitors, for trying results: they are decided by the rules of the page, and what they do is sent as pages send it.

use decide::{Answer, Effort, Visit};
use domain::Project;
use events::{Browser, Device};
use fastrand::Rng;
use serde_json::{Value, json};
use thiserror::Error;

use crate::decisions::PreparedProject;

const DAY_MS: i64 = 86_400_000;

/// Within this time, visitors do what they do: a quarter of a day.
const DELAY_MS: i64 = DAY_MS / 4;

/// With what visitors come, some of whom use each; of so many in a hundred, about as on the web.
const AGENTS: [(u8, Browser, Device); 9] = [
    (34, Browser::Chrome, Device::Mobile),
    (24, Browser::Chrome, Device::Desktop),
    (18, Browser::Safari, Device::Mobile),
    (6, Browser::Edge, Device::Desktop),
    (5, Browser::Safari, Device::Desktop),
    (4, Browser::InApp, Device::Mobile),
    (3, Browser::SamsungInternet, Device::Mobile),
    (3, Browser::Firefox, Device::Desktop),
    (3, Browser::Safari, Device::Tablet),
];

/// Who comes, and what they do.
#[derive(Debug, Clone)]
pub struct Simulation {
    /// The address that they open.
    pub url: String,
    /// How many come.
    pub visitors: u32,
    /// Over how many days, of which the last ends now.
    pub days: u32,
    /// What they do.
    pub behaviors: Vec<Behavior>,
    /// What variations change about that.
    pub effects: Vec<Effect>,
    /// The same seed makes the same visitors.
    pub seed: u64,
}

/// Something that a share of the visitors does once.
#[derive(Debug, Clone, PartialEq)]
pub struct Behavior {
    /// The key of the event.
    pub event: String,
    /// The share, from 0 to 1.
    pub share: f64,
    /// What it is worth on average, in the currency's smallest unit.
    pub revenue: Option<u32>,
}

/// A variation changes how many visitors do something.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// The key of the event.
    pub event: String,
    /// The variation's id or key.
    pub variation: String,
    /// By which the share is multiplied: 1.08 is 8 % more.
    pub factor: f64,
}

/// Why no visitor can come.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SimulationError {
    /// No variation is called so.
    #[error("no variation that runs has the id or key `{0}`")]
    UnknownVariation(String),
    /// Several variations are called so.
    #[error("several variations have the key `{0}`: say which by its id, one of {ids}", ids = .1.join(", "))]
    AmbiguousVariation(String, Vec<String>),
    /// Nothing says how many visitors do this.
    #[error("an effect is on `{0}`, and nothing says how many visitors do that")]
    UnknownEvent(String),
    /// The project lists its events, and this is none of them.
    #[error("the project has no event `{0}`, but {events}", events = .1.join(", "))]
    UnlistedEvent(String, Vec<String>),
    /// No page.
    #[error("`{0}` is not the address of a page, such as https://shop.example/")]
    NoAddress(String),
    /// No campaign.
    #[error("no campaign runs at `{0}`")]
    NothingRuns(String),
}

/// The visitors, ready to come.
#[derive(Debug)]
pub struct SimulatedVisitors {
    project: String,
    prepared: PreparedProject,
    simulation: Simulation,
    /// The ids of the effects' variations.
    variations: Vec<String>,
}

impl SimulatedVisitors {
    /// Prepares the visitors of a project.
    ///
    /// # Errors
    /// See [`SimulationError`].
    pub fn new(project: &Project, simulation: Simulation) -> Result<Self, SimulationError> {
        refuse_unlisted(project, &simulation.behaviors)?;
        let experiments = project.served().flat_map(|campaign| &campaign.experiments);
        let experiments = experiments.filter(|experiment| !experiment.archived);
        let variations = experiments.flat_map(|experiment| &experiment.variations);
        let all: Vec<_> = variations.filter(|variation| !variation.archived).collect();
        let mut variations = Vec::new();
        for Effect { event, variation, .. } in &simulation.effects {
            if !simulation.behaviors.iter().any(|behavior| behavior.event == *event) {
                return Err(SimulationError::UnknownEvent(event.clone()));
            }
            let named = all
                .iter()
                .filter(|one| one.key.as_str() == variation || one.id.to_string() == *variation);
            let mut ids: Vec<String> = named.map(|one| one.id.to_string()).collect();
            if ids.len() > 1 {
                return Err(SimulationError::AmbiguousVariation(variation.clone(), ids));
            }
            let unknown = || SimulationError::UnknownVariation(variation.clone());
            variations.push(ids.pop().ok_or_else(unknown)?);
        }
        let prepared = PreparedProject::new(project);
        let visitors = Self { project: project.id.to_string(), prepared, simulation, variations };
        let url = &visitors.simulation.url;
        let answer =
            visitors.visit("somebody").ok_or_else(|| SimulationError::NoAddress(url.clone()))?;
        if !answer.campaigns.iter().any(|campaign| campaign.is_decided) {
            return Err(SimulationError::NothingRuns(url.clone()));
        }
        Ok(visitors)
    }

    /// A batch for each visitor who is given anything, as the snippet sends it at this moment.
    pub fn batches(&self, now_ms: i64) -> impl Iterator<Item = Value> {
        let mut rng = Rng::with_seed(self.simulation.seed);
        (0..self.simulation.visitors).filter_map(move |_| {
            // Drawn for every visitor alike, so that one does not change the next.
            let mut own = Rng::with_seed(rng.u64(..));
            self.batch(&mut own, now_ms)
        })
    }

    fn batch(&self, rng: &mut Rng, now_ms: i64) -> Option<Value> {
        let number = rng.u64(..);
        let id = format!("simulated-{number:016x}");
        let span = i64::from(self.simulation.days.max(1)) * DAY_MS;
        let came_at = now_ms - rng.i64(1..span);
        let answer = self.visit(&id)?;
        let mut events = exposures(&answer, came_at, agent(number));
        if events.is_empty() {
            return None;
        }
        let given: Vec<&str> = answer
            .campaigns
            .iter()
            .filter(|campaign| !campaign.is_held_back)
            .filter_map(|campaign| Some(campaign.variation.as_ref()?.id.as_str()))
            .collect();
        for (place, behavior) in self.simulation.behaviors.iter().enumerate() {
            let (drawn, delay) = (rng.f64(), rng.i64(1..DELAY_MS));
            let worth = rng.u32(50..150);
            let at = came_at + delay;
            if drawn < self.share(behavior, &given) && at <= now_ms {
                let revenue =
                    behavior.revenue.map(|average| u64::from(average) * u64::from(worth) / 100);
                let fields = [
                    ("id", Some(Value::from(format!("e{place}")))),
                    ("time", Some(at.into())),
                    ("type", Some("event".into())),
                    ("name", Some(behavior.event.as_str().into())),
                    ("revenue", revenue.map(Value::from)),
                ];
                let known =
                    fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
                events.push(Value::Object(known.collect()));
            }
        }
        Some(json!({"project": self.project, "visitor": id, "events": events}))
    }

    fn visit(&self, id: &str) -> Option<Answer> {
        let visit = Visit {
            visitor_id: id.to_owned(),
            url: self.simulation.url.clone().try_into().ok()?,
            ..Visit::default()
        };
        self.prepared.decide(&visit, &Effort::default()).ok()
    }

    fn share(&self, behavior: &Behavior, given: &[&str]) -> f64 {
        let effects = self.simulation.effects.iter().zip(&self.variations);
        let counts = effects.filter(|(effect, variation)| {
            effect.event == behavior.event && given.contains(&variation.as_str())
        });
        counts.fold(behavior.share, |share, (effect, _)| share * effect.factor)
    }
}

/// No metric counts an event that the project does not list. One without a list may count page views alone.
fn refuse_unlisted(project: &Project, behaviors: &[Behavior]) -> Result<(), SimulationError> {
    let listed: Vec<_> = project.events.iter().map(|event| event.key.as_str()).collect();
    let unlisted = behaviors.iter().find(|one| !listed.contains(&one.event.as_str()));
    let Some(Behavior { event, .. }) = unlisted.filter(|_| !listed.is_empty()) else {
        return Ok(());
    };
    let listed = listed.iter().map(|key| format!("`{key}`")).collect();
    Err(SimulationError::UnlistedEvent(event.clone(), listed))
}

/// With what the visitor of this number comes: their other draws are the same whatever this is.
fn agent(number: u64) -> (Browser, Device) {
    let mut drawn = Rng::with_seed(number).u8(0..100);
    let known = AGENTS.iter().find(|(share, ..)| match drawn.checked_sub(*share) {
        Some(left) => {
            drawn = left;
            false
        }
        None => true,
    });
    known.map_or((Browser::Other, Device::Other), |(_, browser, device)| (*browser, *device))
}

/// By keys, which the live project has, too: its ids are others where the file has none.
fn exposures(answer: &Answer, at: i64, (browser, device): (Browser, Device)) -> Vec<Value> {
    let decided = answer.campaigns.iter().filter(|campaign| campaign.is_decided);
    let exposure = decided.filter_map(|campaign| {
        let (experiment, variation) = (campaign.experiment.as_ref()?, campaign.variation.as_ref()?);
        let mut exposure = json!({
            "id": format!("x{}", experiment.id), "time": at, "type": "exposure",
            "campaign": campaign.key, "experiment": experiment.key, "variation": variation.key,
            "browser": browser.word(), "device": device.word(),
        });
        if let (true, Some(fields)) = (campaign.is_held_back, exposure.as_object_mut()) {
            fields.insert("holdback".to_owned(), true.into());
        }
        Some(exposure)
    });
    exposure.collect()
}

//! A visit as a person describes it, on the command line or in a form. People may use keys where programs use ids.

use domain::{Fault, Pointer};
use serde_json::{Map, Value, json};

use crate::decisions::known_names::KnownNames;

/// A visit as a person describes it. `None` is unknown.
#[derive(Debug, Clone, Default)]
pub struct VisitRequest {
    /// The visitor's id.
    pub visitor_id: String,
    /// The address of the page.
    pub url: String,
    /// The referrer.
    pub referrer: Option<String>,
    /// Names and values as the browser shows them.
    pub cookies: Vec<(String, String)>,
    /// Custom attributes, by key or id, and their values.
    pub attributes: Vec<(String, String)>,
    /// The browser's user agent string.
    pub user_agent: Option<String>,
    /// How many touch points the screen supports: it tells an iPad from a Macintosh.
    pub touch_points: Option<u32>,
    /// The browser's language.
    pub language: Option<String>,
    /// The visitor's local time, as `2026-11-21T09:30`.
    pub local_time: Option<String>,
    /// Where the visitor is, written as in conditions but longer: `US|CA|SANFRANCISCO|NA|807`, or the beginning of it.
    pub location: Option<String>,
    /// Whether this is the visitor's first session.
    pub first_session: Option<bool>,
    /// The visitor's earlier experiments and variations, by key or id.
    pub earlier_variations: Vec<(String, String)>,
    /// The variations that the visit forces, by key or id.
    pub forced_variations: Vec<String>,
    /// The pages that the site itself activates, by key or id.
    pub activated_pages: Vec<String>,
}

/// The parts of a location, in the order in which people write them.
const LOCATION_PARTS: [&str; 5] = ["country", "region", "city", "continent", "dma"];

impl VisitRequest {
    /// The same visit as programs send it.
    pub(super) fn with_ids(&self, names: &KnownNames) -> Result<Value, Vec<Fault>> {
        let mut faults = Vec::new();
        let mut visit = json!({
            "visitor_id": self.visitor_id,
            "url": self.url,
            "cookies": object(&self.cookies),
            "attributes": object(&self.attributes),
            "variations": self.earlier(names, &mut faults),
            "force": self.forced(names, &mut faults),
            "pages": self.pages(names, &mut faults),
        });
        let known = [
            ("referrer", self.referrer.clone().map(Value::from)),
            ("user_agent", self.user_agent.clone().map(Value::from)),
            ("touch_points", self.touch_points.map(Value::from)),
            ("language", self.language.clone().map(Value::from)),
            ("local_time", self.local_time.clone().map(Value::from)),
            ("location", self.place(&mut faults).map(Value::from)),
            ("first_session", self.first_session.map(Value::from)),
        ];
        for (name, value) in known {
            if let Some(value) = value {
                visit[name] = value;
            }
        }
        if faults.is_empty() { Ok(visit) } else { Err(faults) }
    }

    fn earlier(&self, names: &KnownNames, faults: &mut Vec<Fault>) -> Map<String, Value> {
        let field = Pointer::root().field("variations");
        let ids = self.earlier_variations.iter().map(|(experiment, variation)| {
            let pointer = field.field(experiment);
            let experiment = names.experiment(experiment, &pointer)?;
            let variation = experiment.variation(variation, &pointer)?;
            Ok((experiment.named.id.clone(), Value::from(variation)))
        });
        sound(ids, faults).collect()
    }

    fn place(&self, faults: &mut Vec<Fault>) -> Option<Map<String, Value>> {
        let parts: Vec<&str> = self.location.as_deref()?.split('|').map(str::trim).collect();
        if parts.len() > LOCATION_PARTS.len() {
            let message = "a location has five parts at most";
            let fault = Fault::error("unsuitable", Pointer::root().field("location"), message);
            faults.push(fault.expected("`country|region|city|continent|dma`, or less of it"));
        }
        let named = LOCATION_PARTS.iter().zip(parts);
        Some(named.map(|(name, part)| ((*name).to_owned(), Value::from(part))).collect())
    }

    fn forced(&self, names: &KnownNames, faults: &mut Vec<Fault>) -> Vec<String> {
        let field = Pointer::root().field("force");
        let ids = self.forced_variations.iter().enumerate().map(|(index, variation)| {
            names.variation(variation, &field.element(index)).map(|found| found.id.clone())
        });
        sound(ids, faults).collect()
    }

    fn pages(&self, names: &KnownNames, faults: &mut Vec<Fault>) -> Vec<String> {
        let field = Pointer::root().field("pages");
        let keys = self.activated_pages.iter().enumerate().map(|(index, page)| {
            names.page(page, &field.element(index)).map(|found| found.key.clone())
        });
        sound(keys, faults).collect()
    }
}

fn object(pairs: &[(String, String)]) -> Map<String, Value> {
    pairs.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect()
}

/// The value, if it was found; otherwise adds its faults to the others.
fn sound<T>(
    found: impl Iterator<Item = Result<T, Box<Fault>>>,
    faults: &mut Vec<Fault>,
) -> impl Iterator<Item = T> {
    found.filter_map(|found| found.map_err(|fault| faults.push(*fault)).ok())
}

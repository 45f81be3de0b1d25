//! The largest projects that there can be: ten thousand variations, all of them running, each with a text of its own.

use serde_json::{Value, json};

/// How the variations are spread over A/B tests.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    /// A thousand A/B tests of ten variations.
    Wide,
    /// Five thousand of two.
    Many,
}

impl Shape {
    pub(crate) const ALL: [Self; 2] = [Self::Wide, Self::Many];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Wide => "1000 × 10",
            Self::Many => "5000 × 2",
        }
    }

    pub(crate) const fn id(self) -> u32 {
        match self {
            Self::Wide => 1_001,
            Self::Many => 1_002,
        }
    }

    const fn campaigns_and_variations(self) -> (u32, u32) {
        match self {
            Self::Wide => (1_000, 10),
            Self::Many => (5_000, 2),
        }
    }

    /// A variation in the middle of the document.
    pub(crate) fn variation(self) -> String {
        let (campaigns, variations) = self.campaigns_and_variations();
        variation_id(campaigns / 2, variations - 1)
    }

    /// A campaign in the middle of the document.
    pub(crate) fn campaign(self) -> String {
        let (campaigns, _) = self.campaigns_and_variations();
        campaign_id(campaigns / 2)
    }

    /// The whole project.
    pub(crate) fn document(self) -> Value {
        let (campaigns, variations) = self.campaigns_and_variations();
        json!({
            "version": 1,
            "project": {"id": self.id().to_string(), "key": format!("large-{variations}"), "name": "Large"},
            "pages": [{
                "id": "2001", "key": "home", "name": "Home",
                "conditions": ["or", {"type": "url", "match": "simple", "value": "https://shop.example/"}],
            }],
            "campaigns": (0..campaigns).map(|number| campaign(number, variations)).collect::<Value>(),
        })
    }
}

fn campaign(number: u32, variations: u32) -> Value {
    let (key, name) = (format!("experiment-{number}"), format!("Experiment {number}"));
    json!({
        "id": campaign_id(number), "key": key, "name": name, "type": "ab_test", "status": "running", "pages": ["home"],
        "experiments": [{
            "id": (20_000 + number).to_string(), "key": key, "name": name,
            "variations": (0..variations).map(|index| variation(number, index, variations)).collect::<Value>(),
        }],
    })
}

fn variation(campaign: u32, index: u32, count: u32) -> Value {
    json!({
        "id": variation_id(campaign, index), "key": format!("variation-{index}"), "name": format!("Variation {index}"),
        "weight": 10_000 / count,
        "changes": [{"type": "text", "selector": format!("#headline-{campaign}"), "value": format!("Ship faster {campaign} {index}")}],
    })
}

fn campaign_id(number: u32) -> String {
    (10_000 + number).to_string()
}

fn variation_id(campaign: u32, index: u32) -> String {
    (100_000 + campaign * 10 + index).to_string()
}

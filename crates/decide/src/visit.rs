//! One page view, as far as it matters to decisions.

use std::collections::BTreeMap;
use std::fmt;

use domain::{ExperimentId, VariationId};
use serde::Deserialize;

use crate::history::PastEvent;
use crate::js_number::js_text;
use crate::local_time::LocalTime;
use crate::location::Location;
use crate::object::{object, object_or_null};
use crate::remembered::Remembered;

/// The known facts about a visitor on one page. A missing fact is unknown, and so is every condition on it; missing lists are empty.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Visit {
    /// The visitor's id, as the cookie has it.
    pub visitor_id: String,
    /// The page's whole address, as the browser's `location.href` has it.
    pub url: Url,
    /// Where the visitor came from, before any redirect of ours; empty for nowhere.
    #[serde(default)]
    pub referrer: String,
    /// Cookies, their values percent-encoded as in `document.cookie`.
    #[serde(default)]
    pub cookies: BTreeMap<String, String>,
    /// Custom attributes by key or id.
    #[serde(default)]
    pub attributes: BTreeMap<String, AttributeValue>,
    /// What the browser calls itself.
    #[serde(default)]
    pub user_agent: Option<String>,
    /// How many touch points the screen has: it distinguishes an iPad from a Macintosh.
    #[serde(default)]
    pub touch_points: Option<u32>,
    /// The browser's language, such as `en-US`.
    #[serde(default)]
    pub language: Option<String>,
    /// The time on the visitor's clock.
    #[serde(default)]
    pub local_time: Option<LocalTime>,
    /// Where the visitor is, once the page knows it; until then, campaigns that ask for it are not decided.
    #[serde(default, deserialize_with = "object_or_null")]
    pub location: Option<Location>,
    /// Whether this is the visitor's first session.
    #[serde(default)]
    pub first_session: Option<bool>,
    /// What the visitor did before.
    #[serde(default)]
    pub history: Vec<PastEvent>,
    /// What earlier page views left behind.
    #[serde(default, deserialize_with = "object")]
    pub remembered: Remembered,
    /// What the visitor was given earlier: experiment id to variation id.
    #[serde(default)]
    pub variations: BTreeMap<String, String>,
    /// Which campaigns groups gave the visitor earlier: group id to campaign id.
    #[serde(default)]
    pub groups: BTreeMap<String, String>,
    /// Ids of the variations that the visitor's tab forces; `experimentation_x` in the address wins.
    #[serde(default)]
    pub force: Vec<String>,
    /// Ids of the audiences that the visitor's tab forces; `experimentation_x_audiences` in the address wins.
    #[serde(default)]
    pub force_audiences: Vec<String>,
    /// Keys of the pages that the site itself activates.
    #[serde(default)]
    pub pages: Vec<String>,
}

/// The address of a page.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(try_from = "String")]
pub struct Url(String);

/// A text that is not the address of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an address begins with `https://` or `http://`, such as `https://shop.example/`")]
pub struct UnreadableUrl;

impl TryFrom<String> for Url {
    type Error = UnreadableUrl;

    fn try_from(text: String) -> Result<Self, UnreadableUrl> {
        let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        match rest {
            Some(rest) if !rest.is_empty() => Ok(Self(text)),
            Some(_) | None => Err(UnreadableUrl),
        }
    }
}

impl AsRef<str> for Url {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Url {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The value of a custom attribute.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged, expecting = "a text, a number, true or false")]
pub enum AttributeValue {
    /// A text.
    Text(String),
    /// Yes or no.
    Switch(bool),
    /// A number.
    Number(serde_json::Number),
}

impl Visit {
    /// What the visitor was given earlier. A text that is no id was not written by the page, which passes over it, too.
    pub(crate) fn given_variations(&self) -> impl Iterator<Item = (&str, &str)> {
        let given = self.variations.iter();
        given
            .filter(|(experiment, variation)| is_experiment(experiment) && is_variation(variation))
            .map(|(experiment, variation)| (experiment.as_str(), variation.as_str()))
    }

    /// The variation that the visitor was given earlier in this experiment.
    pub(crate) fn given_variation(&self, experiment_id: &str) -> Option<&str> {
        let given = self.variations.get(experiment_id)?;
        is_variation(given).then_some(given.as_str())
    }
}

fn is_experiment(id: &str) -> bool {
    id.parse::<ExperimentId>().is_ok()
}

fn is_variation(id: &str) -> bool {
    id.parse::<VariationId>().is_ok()
}

impl AttributeValue {
    /// The value as the page compares it: as a text.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Switch(value) => value.to_string(),
            Self::Number(number) => number.as_f64().map_or_else(|| number.to_string(), js_text),
        }
    }
}

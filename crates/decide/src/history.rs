//! What the visitor did before the page view, and the conditions on it.

use domain::{Behavior, Deed};
use serde::Deserialize;

use crate::object::Object;

/// Something that the visitor did on one day: an event, or being where a page is active.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Object<WrittenDeed>")]
pub struct PastDeed {
    name: DeedName,
    days_ago: u32,
    times: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum DeedName {
    Event(String),
    Page(String),
}

/// As programs write it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenDeed {
    event: Option<String>,
    page: Option<String>,
    #[serde(default)]
    days_ago: u32,
    #[serde(default = "once")]
    times: u32,
}

const fn once() -> u32 {
    1
}

/// A deed that is both an event and a page, or neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a deed is either an `event` or a `page`")]
pub struct UnclearDeed;

impl TryFrom<Object<WrittenDeed>> for PastDeed {
    type Error = UnclearDeed;

    fn try_from(Object(written): Object<WrittenDeed>) -> Result<Self, UnclearDeed> {
        let name = match (written.event, written.page) {
            (Some(event), None) => DeedName::Event(event),
            (None, Some(page)) => DeedName::Page(page),
            (Some(_), Some(_)) | (None, None) => return Err(UnclearDeed),
        };
        Ok(Self { name, days_ago: written.days_ago, times: written.times })
    }
}

impl PastDeed {
    /// The key or id of the page, if it is one.
    #[must_use]
    pub fn page(&self) -> Option<&str> {
        match &self.name {
            DeedName::Page(page) => Some(page),
            DeedName::Event(_) => None,
        }
    }
}

/// A condition on what the visitor did, prepared for many visits.
#[derive(Debug, Clone)]
pub(crate) struct BehaviorTest {
    behavior: Behavior,
    /// Key and id of the page that it is about.
    page_names: Vec<String>,
}

impl BehaviorTest {
    /// `page_names`: key and id of the page that the behaviour is about, if it is about one.
    pub(crate) fn new(behavior: Behavior, page_names: Vec<String>) -> Self {
        Self { behavior, page_names }
    }

    /// How many times the visitor did it in the days that count.
    pub(crate) fn times(&self, history: &[PastDeed]) -> u32 {
        let recent = history.iter().filter(|past| past.days_ago < self.behavior.within_days);
        let same = recent.filter(|past| match (&past.name, &self.behavior.deed) {
            (DeedName::Event(name), Deed::Event(wanted)) => name == wanted,
            (DeedName::Page(name), Deed::Page(_)) => self.page_names.contains(name),
            (DeedName::Event(_), Deed::Page(_)) | (DeedName::Page(_), Deed::Event(_)) => false,
        });
        same.fold(0, |times, past| times.saturating_add(past.times))
    }

    pub(crate) fn is_met_by(&self, times: u32) -> bool {
        self.behavior.at_least <= times && self.behavior.at_most.is_none_or(|most| times <= most)
    }

    /// What it claims of the visitor, as the end of a sentence.
    pub(crate) fn claim(&self) -> String {
        let what = match &self.behavior.deed {
            Deed::Event(name) => format!("event `{name}`"),
            Deed::Page(_) => {
                format!("page `{}`", self.page_names.first().map_or("", String::as_str))
            }
        };
        let least = self.behavior.at_least;
        let most = self.behavior.at_most.map(|most| format!(" and at most {most}"));
        let days = self.behavior.within_days;
        format!("{what} came at least {least}{} times in {days} days", most.unwrap_or_default())
    }
}

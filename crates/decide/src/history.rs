//! What the visitor did before the page view, and the conditions on it.

use domain::{Behavior, BehaviorEvent};
use serde::Deserialize;

use crate::object::Object;

/// Something that the visitor did on one day: an event, or being where a page is active.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Object<PastEventDto>")]
pub struct PastEvent {
    name: PastEventName,
    days_ago: u32,
    times: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum PastEventName {
    Event(String),
    Page(String),
}

/// As programs write it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PastEventDto {
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

/// An event that is both an event and a page, or neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an event of the past is either an `event` or a `page`")]
pub struct UnclearPastEvent;

impl TryFrom<Object<PastEventDto>> for PastEvent {
    type Error = UnclearPastEvent;

    fn try_from(Object(written): Object<PastEventDto>) -> Result<Self, UnclearPastEvent> {
        Self::new(written.event, written.page, written.days_ago, written.times)
    }
}

impl PastEvent {
    /// What the visitor did so many times, so many days ago.
    ///
    /// # Errors
    /// If it is both an event and a page, or neither.
    pub fn new(
        event: Option<String>,
        page: Option<String>,
        days_ago: u32,
        times: u32,
    ) -> Result<Self, UnclearPastEvent> {
        let name = match (event, page) {
            (Some(event), None) => PastEventName::Event(event),
            (None, Some(page)) => PastEventName::Page(page),
            (Some(_), Some(_)) | (None, None) => return Err(UnclearPastEvent),
        };
        Ok(Self { name, days_ago, times })
    }

    /// The key or id of the page, if it is one.
    #[must_use]
    pub fn page(&self) -> Option<&str> {
        match &self.name {
            PastEventName::Page(page) => Some(page),
            PastEventName::Event(_) => None,
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
    pub(crate) fn times(&self, history: &[PastEvent]) -> u32 {
        let recent = history.iter().filter(|past| past.days_ago < self.behavior.within_days);
        let same = recent.filter(|past| match (&past.name, &self.behavior.event) {
            (PastEventName::Event(name), BehaviorEvent::Event(wanted)) => name == wanted,
            (PastEventName::Page(name), BehaviorEvent::Page(_)) => self.page_names.contains(name),
            (PastEventName::Event(_), BehaviorEvent::Page(_))
            | (PastEventName::Page(_), BehaviorEvent::Event(_)) => false,
        });
        same.fold(0, |times, past| times.saturating_add(past.times))
    }

    pub(crate) fn is_met_by(&self, times: u32) -> bool {
        self.behavior.at_least <= times && self.behavior.at_most.is_none_or(|most| times <= most)
    }

    /// What it claims of the visitor, as the end of a sentence.
    pub(crate) fn claim(&self) -> String {
        let what = match &self.behavior.event {
            BehaviorEvent::Event(name) => format!("event `{name}`"),
            BehaviorEvent::Page(_) => {
                format!("page `{}`", self.page_names.first().map_or("", String::as_str))
            }
        };
        let least = self.behavior.at_least;
        let most = self.behavior.at_most.map(|most| format!(" and at most {most}"));
        let days = self.behavior.within_days;
        format!("{what} came at least {least}{} times in {days} days", most.unwrap_or_default())
    }
}

//! A visit as programs send it.

use std::collections::BTreeMap;

use decide::{AttributeValue, LocalTime, Location, PastEvent, Remembered, Url, Visit};
use serde_json::{Value, json};

use crate::described::{Described, OptionalField, with_rules};
use crate::request;
use crate::request::{At, Faults, Readable};

request! {
    /// A visit, as far as it is known.
    pub struct VisitDto: "visit" {
        /// The visitor's id, as the cookie has it.
        visitor_id: VisitorName,
        /// The address of the page, as the browser's `location.href` has it.
        url: Url,
        /// The referrer; empty if there is none.
        referrer: OptionalField<String>,
        /// Cookies, their values percent-encoded as in `document.cookie`.
        cookies: OptionalField<BTreeMap<String, String>>,
        /// Custom attributes by key or id.
        attributes: OptionalField<BTreeMap<String, AttributeValue>>,
        /// The browser's user agent string.
        user_agent: Option<String>,
        /// How many touch points the screen supports: it tells an iPad from a Macintosh.
        touch_points: Option<u32>,
        /// The browser's language, such as `en-US`.
        language: Option<String>,
        /// The time on the visitor's clock, as `2026-11-21T09:30`.
        local_time: Option<LocalTime>,
        /// Where the visitor is, once the page knows it.
        location: Option<LocationDto>,
        /// Whether this is the visitor's first session.
        first_session: Option<bool>,
        /// The visitor's earlier events and page views.
        history: OptionalField<Vec<PastEvent>>,
        /// Values remembered from earlier page views.
        remembered: OptionalField<RememberedDto>,
        /// The visitor's earlier variations: experiment id to variation id.
        variations: OptionalField<BTreeMap<String, String>>,
        /// The visitor's earlier campaigns from groups: group id to campaign id.
        groups: OptionalField<BTreeMap<String, String>>,
        /// Ids of the variations that the visitor's tab forces.
        force: OptionalField<Vec<String>>,
        /// Ids of the audiences that the visitor's tab forces.
        force_audiences: OptionalField<Vec<String>>,
        /// Keys or ids of the pages that the site itself activates.
        pages: OptionalField<Vec<String>>,
    }

    /// A visitor's location, in the codes that the site uses.
    pub struct LocationDto: "visitor_location" {
        /// Such as `US`.
        country: OptionalField<String>,
        /// Such as `CA`.
        region: OptionalField<String>,
        /// Such as `San Francisco`.
        city: OptionalField<String>,
        /// Such as `NA`.
        continent: OptionalField<String>,
        /// The market area, such as `807`.
        dma: OptionalField<String>,
    }

    /// Something that the visitor did on one day: either an event, or a page that was active.
    pub(super) struct PastEventDto: "past_event" {
        /// The key of the event.
        event: Option<String>,
        /// The key or id of the page.
        page: Option<String>,
        /// How many days ago; 0 if it is left out.
        days_ago: OptionalField<u32>,
        /// How many times; 1 if it is left out.
        times: OptionalField<u32>,
    }

    /// Values remembered from the visitor's earlier page views.
    pub struct RememberedDto: "remembered" {
        /// The first `utm_campaign`.
        campaign: Option<String>,
        /// The first address that the visitor came from.
        referrer: Option<String>,
        /// The last kind of source that was not `direct`, or `direct`.
        source_type: Option<String>,
        /// The first `desktop`, `mobile`, `tablet`, `iphone` or `ipad`.
        device: Option<String>,
        /// The first `phone`, `tablet`, `desktop_laptop` or `other`.
        device_type: Option<String>,
        /// The first browser with its version, such as `gc120.0.6099.110`.
        browser_version: Option<String>,
    }
}

impl From<VisitDto> for Visit {
    fn from(sent: VisitDto) -> Self {
        Self {
            visitor_id: sent.visitor_id.0,
            url: sent.url,
            referrer: or_nothing(sent.referrer),
            cookies: or_nothing(sent.cookies),
            attributes: or_nothing(sent.attributes),
            user_agent: sent.user_agent,
            touch_points: sent.touch_points,
            language: sent.language,
            local_time: sent.local_time,
            location: sent.location.map(Location::from),
            first_session: sent.first_session,
            history: or_nothing(sent.history),
            remembered: sent.remembered.0.map(Remembered::from).unwrap_or_default(),
            variations: or_nothing(sent.variations),
            groups: or_nothing(sent.groups),
            force: or_nothing(sent.force),
            force_audiences: or_nothing(sent.force_audiences),
            pages: or_nothing(sent.pages),
        }
    }
}

impl From<LocationDto> for Location {
    fn from(sent: LocationDto) -> Self {
        Self {
            country: or_nothing(sent.country),
            region: or_nothing(sent.region),
            city: or_nothing(sent.city),
            continent: or_nothing(sent.continent),
            dma: or_nothing(sent.dma),
        }
    }
}

impl From<RememberedDto> for Remembered {
    fn from(sent: RememberedDto) -> Self {
        Self {
            campaign: sent.campaign,
            referrer: sent.referrer,
            source_type: sent.source_type,
            device: sent.device,
            device_type: sent.device_type,
            browser_version: sent.browser_version,
        }
    }
}

fn or_nothing<T: Default>(OptionalField(value): OptionalField<T>) -> T {
    value.unwrap_or_default()
}

impl Described for PastEvent {
    fn schema() -> Value {
        PastEventDto::schema()
    }
}

impl Readable for PastEvent {
    fn read(at: &At<'_>, faults: &mut Faults) -> Option<Self> {
        let PastEventDto { event, page, days_ago, times } = PastEventDto::read(at, faults)?;
        let (days_ago, times) = (days_ago.0.unwrap_or(0), times.0.unwrap_or(1));
        let read = Self::new(event, page, days_ago, times);
        read.map_err(|why| faults.push(at.fault("unsuitable", why.to_string()))).ok()
    }
}

/// What identifies a visitor. The page gives each visitor one, so no visitor has an empty one.
#[derive(Debug, Clone, PartialEq)]
pub struct VisitorName(String);

impl Described for VisitorName {
    fn schema() -> Value {
        with_rules(String::schema(), &json!({"minLength": 1}))
    }
}

impl Readable for VisitorName {
    fn read(at: &At<'_>, faults: &mut Faults) -> Option<Self> {
        let id = String::read(at, faults)?;
        if id.is_empty() {
            let fault = at.fault("unsuitable_text", "the visitor has no id");
            faults.push(fault.expected("that of the visitor's cookie"));
            return None;
        }
        Some(Self(id))
    }
}

impl Described for Url {
    fn schema() -> Value {
        with_rules(String::schema(), &json!({"format": "uri"}))
    }
}

impl Readable for Url {
    fn read(at: &At<'_>, faults: &mut Faults) -> Option<Self> {
        let read = Self::try_from(String::read(at, faults)?);
        read.map_err(|why| faults.push(at.fault("unsuitable_text", why.to_string()))).ok()
    }
}

impl Described for LocalTime {
    fn schema() -> Value {
        String::schema()
    }
}

impl Readable for LocalTime {
    fn read(at: &At<'_>, faults: &mut Faults) -> Option<Self> {
        let read = Self::try_from(String::read(at, faults)?);
        read.map_err(|why| faults.push(at.fault("unsuitable_text", why.to_string()))).ok()
    }
}

impl Described for AttributeValue {
    fn schema() -> Value {
        json!({"type": ["string", "number", "boolean"]})
    }
}

impl Readable for AttributeValue {
    fn read(at: &At<'_>, faults: &mut Faults) -> Option<Self> {
        let read = |value: &Value| match value {
            Value::String(text) => Some(Self::Text(text.clone())),
            Value::Bool(value) => Some(Self::Switch(*value)),
            Value::Number(number) => Some(Self::Number(number.clone())),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        };
        at.read_as("a text, a number, `true` or `false`", read, faults)
    }
}

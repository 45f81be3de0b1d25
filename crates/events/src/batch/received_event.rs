//! An event as it was received: what a visitor was given, or did.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::fields::{Fields, fault};
use super::tags::{Tags, is_revenue};
use super::{EventFault, FaultCode};
use crate::limits::{
    NAME_CHARACTERS_AT_MOST, PROPERTIES_AT_MOST, REVENUE_AT_MOST, TEXT_BYTES_AT_MOST,
};
use crate::{Amount, Browser, Device, EventId, Millis, UserAgent};

/// An event as its sender describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct ReceivedEvent {
    /// By which it is counted once.
    pub id: EventId,
    /// When it happened, by the sender's clock.
    pub at: Millis,
    /// What happened.
    pub what: EventDetails,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum EventDetails {
    /// The visitor was given a variation.
    Exposure {
        /// The id or key of the campaign.
        campaign: String,
        /// The id or key of the experiment.
        experiment: String,
        /// The id or key of the variation.
        variation: String,
        /// With what the visitor came, as far as the sender tells.
        agent: UserAgent,
        /// The id or key of the page on which it was given, if the sender tells.
        page: Option<String>,
        /// What is to be known of it.
        marks: Marks,
    },
    /// The visitor did something.
    Event {
        /// The key of the event.
        name: String,
        /// In the currency's smallest unit.
        revenue: Option<i64>,
        /// Whatever the site counts.
        value: Option<Amount>,
        /// What else the site tells, as texts.
        properties: BTreeMap<String, String>,
        /// What is to be known of it.
        marks: Marks,
    },
}

/// What is to be known of an event. Results are made of exposures that are not held back, and of events of visitors who are no programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "an event can have every mark, or none")]
pub struct Marks {
    /// The visitor was given the variation, and is shown nothing.
    pub is_held_back: bool,
    /// The page forced the variation.
    pub is_forced: bool,
    /// A member looks at a preview.
    pub is_previewed: bool,
    /// A program visits the page.
    pub is_bot: bool,
    /// A server told of it that showed a token, not a browser, which cannot prove anything.
    pub is_trusted: bool,
    /// It came with a time that cannot be, and is kept as of when it came.
    pub is_late: bool,
    /// The page could be seen before the snippet ran: the visitor may have seen it change.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_flicker: bool,
}

impl ReceivedEvent {
    pub(super) fn read(event: &Value) -> Result<Self, EventFault> {
        let mut fields = Fields::of_object(event, "an event")?;
        let id = EventId::of(&fields.text("id", NAME_CHARACTERS_AT_MOST)?);
        let at = Millis(fields.whole_number("time")?);
        let what = match fields.text("type", NAME_CHARACTERS_AT_MOST)?.as_str() {
            "exposure" => exposure(fields.called("an exposure"))?,
            "event" => event_of(fields)?,
            _ => return Err(fault(FaultCode::BadValue, "`type` is `exposure` or `event`")),
        };
        Ok(Self { id, at, what })
    }
}

fn exposure(mut fields: Fields<'_>) -> Result<EventDetails, EventFault> {
    let campaign = fields.text("campaign", NAME_CHARACTERS_AT_MOST)?;
    let experiment = fields.text("experiment", NAME_CHARACTERS_AT_MOST)?;
    let variation = fields.text("variation", NAME_CHARACTERS_AT_MOST)?;
    let agent = UserAgent {
        browser: fields.word(
            "browser",
            Browser::of_word,
            Browser::ALL.iter().map(|one| one.word()),
        )?,
        device: fields.word("device", Device::of_word, Device::ALL.iter().map(|one| one.word()))?,
    };
    let page = fields.text_or_none("page", NAME_CHARACTERS_AT_MOST)?;
    let marks = Marks {
        is_held_back: fields.is("holdback")?,
        is_forced: fields.is("forced")?,
        is_previewed: fields.is("preview")?,
        is_bot: fields.is("bot")?,
        may_flicker: fields.is("flicker")?,
        ..Marks::default()
    };
    fields.end()?;
    Ok(EventDetails::Exposure { campaign, experiment, variation, agent, page, marks })
}

fn event_of(mut fields: Fields<'_>) -> Result<EventDetails, EventFault> {
    let name = fields.text("name", NAME_CHARACTERS_AT_MOST)?;
    let revenue = fields.whole_number_or_none("revenue");
    let revenue = revenue.map_err(|EventFault { code, detail }| {
        fault(code, format!("{detail}, of cents for example"))
    })?;
    if revenue.is_some_and(|revenue| !is_revenue(revenue)) {
        let detail = format!("`revenue` must not be further from zero than {REVENUE_AT_MOST}");
        return Err(fault(FaultCode::BadValue, detail));
    }
    let value = fields.find("value").map(amount).transpose()?;
    let properties = fields.find("properties").map(properties).transpose()?;
    let tags = fields.find("tags").map(Tags::read).transpose()?;
    let marks = Marks {
        is_previewed: fields.is("preview")?,
        is_bot: fields.is("bot")?,
        ..Marks::default()
    };
    fields.end()?;
    let Tags { revenue, value, properties } = match tags {
        None => Tags { revenue, value, properties: properties.unwrap_or_default() },
        Some(tags) if (revenue, value, &properties) == (None, None, &None) => tags,
        Some(_) => {
            let detail = "an event has `tags`, or `revenue`, `value` and `properties`";
            return Err(fault(FaultCode::BadValue, detail));
        }
    };
    Ok(EventDetails::Event { name, revenue, value, properties, marks })
}

pub(super) fn amount(value: &Value) -> Result<Amount, EventFault> {
    let number = value.as_f64();
    let number = number.ok_or_else(|| fault(FaultCode::WrongType, "`value` is a number"))?;
    Amount::from_number(number)
        .map_err(|error| fault(FaultCode::BadValue, format!("`value`: {error}")))
}

pub(super) fn properties(value: &Value) -> Result<BTreeMap<String, String>, EventFault> {
    let Some(properties) = value.as_object() else {
        return Err(fault(FaultCode::WrongType, "`properties` is an object"));
    };
    if properties.len() > PROPERTIES_AT_MOST {
        let detail = format!("an event has {PROPERTIES_AT_MOST} properties at most");
        return Err(fault(FaultCode::BadValue, detail));
    }
    let stated = properties.iter().filter(|(_, value)| !value.is_null());
    stated.map(|(name, value)| Ok((property_name(name)?, property(name, value)?))).collect()
}

fn property_name(name: &str) -> Result<String, EventFault> {
    if name.is_empty() || name.chars().nth(NAME_CHARACTERS_AT_MOST).is_some() {
        let detail =
            format!("the name of a property has 1 to {NAME_CHARACTERS_AT_MOST} characters");
        return Err(fault(FaultCode::BadValue, detail));
    }
    Ok(name.to_owned())
}

fn property(name: &str, value: &Value) -> Result<String, EventFault> {
    match value {
        Value::String(text) => Ok(text[..text.floor_char_boundary(TEXT_BYTES_AT_MOST)].to_owned()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(is_so) => Ok(is_so.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => {
            let detail = format!("the property `{name}` is a text, a number, true or false");
            Err(fault(FaultCode::WrongType, detail))
        }
    }
}

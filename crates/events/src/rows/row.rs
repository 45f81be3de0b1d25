//! What a row says.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::rows::moment::{YEARS, is_of_our_time, moment};
use crate::rows::names::{ColumnNames, EVENT_ID, HOLDBACK, boolean, is_missing_number};
use crate::{Amount, Browser, Device, Millis, UserAgent};

/// A kind of row.
pub trait Row: Sized {
    /// Its fields, and whether each file needs a column for it.
    const FIELDS: &'static [(&'static str, bool)];

    /// Whether it has properties, each in a column of its own.
    const HAS_PROPERTIES: bool;

    /// Reads it.
    ///
    /// # Errors
    /// What is wrong with it.
    fn of(cells: &Cells<'_>) -> Result<Self, String>;
}

/// The texts of a row, in the order of its fields; an empty one is as good as none.
pub struct Cells<'t> {
    pub(super) fields: &'static [(&'static str, bool)],
    /// The names of the properties whose texts follow those of the fields.
    pub(super) properties: &'t [&'t str],
    /// What is known of the fields and properties.
    pub(super) names: &'t ColumnNames,
    pub(super) texts: Vec<Option<Cow<'t, str>>>,
}

/// A visitor was given a variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExposureRow {
    /// The visitor's id, whatever the site calls them.
    pub visitor: String,
    /// When.
    pub at: Millis,
    /// The experiment's id, key or name; a file may be about one alone.
    pub experiment: Option<String>,
    /// The variation's id, key or name.
    pub variation: String,
    /// With what the visitor came, whatever the tool calls it.
    pub agent: UserAgent,
    /// The page's id, key or name.
    pub page: Option<String>,
    /// Whether the visitor was given the variation and is shown nothing.
    pub is_held_back: bool,
}

/// A visitor did something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRow {
    /// The visitor's id, as in the exposures.
    pub visitor: String,
    /// When.
    pub at: Millis,
    /// What: the key of an event.
    pub name: String,
    /// What it was worth, or whatever the site counts.
    pub value: Option<Amount>,
    /// The same in the currency's smallest unit, if the property `revenue` was asked for.
    pub revenue: Option<i64>,
    /// What else is told of it, as far as it was asked for.
    pub properties: BTreeMap<String, String>,
    /// Its id, such as the number of an order, if a column for it was named.
    pub id: Option<String>,
}

impl Row for ExposureRow {
    const FIELDS: &'static [(&'static str, bool)] = &[
        ("visitor", true),
        ("time", true),
        ("experiment", false),
        ("variation", true),
        ("browser", false),
        ("device", false),
        ("page", false),
        (HOLDBACK, false),
    ];
    const HAS_PROPERTIES: bool = false;

    fn of(cells: &Cells<'_>) -> Result<Self, String> {
        Ok(Self {
            visitor: cells.text("visitor")?,
            at: cells.moment("time")?,
            experiment: cells.find("experiment").map(str::to_owned),
            variation: cells.text("variation")?,
            agent: UserAgent {
                browser: cells.find("browser").and_then(Browser::of_text),
                device: cells.find("device").and_then(Device::of_text),
            },
            page: cells.find("page").map(str::to_owned),
            is_held_back: cells.is_true(HOLDBACK)?,
        })
    }
}

impl Row for EventRow {
    const FIELDS: &'static [(&'static str, bool)] =
        &[("visitor", true), ("time", true), ("name", true), ("value", false), (EVENT_ID, false)];
    const HAS_PROPERTIES: bool = true;

    fn of(cells: &Cells<'_>) -> Result<Self, String> {
        let value = cells.find("value").map(|text| {
            text.parse::<Amount>()
                .map_err(|error| format!("`{}` in `value`: {error}", excerpt(text)))
        });
        // Many files have a column of this name with prices, so it is read only if a metric asks for it.
        let mut properties = cells.properties();
        let revenue = properties.remove("revenue").map(|text| revenue(&text)).transpose()?;
        Ok(Self {
            visitor: cells.text("visitor")?,
            at: cells.moment("time")?,
            name: cells.text("name")?,
            value: value.transpose()?,
            revenue,
            properties,
            id: cells.find(EVENT_ID).map(str::to_owned),
        })
    }
}

impl Cells<'_> {
    fn find(&self, field: &str) -> Option<&str> {
        if let Some(text) = self.names.constant(field) {
            return Some(text);
        }
        let place = self.fields.iter().position(|(name, _)| *name == field)?;
        let text = self.texts.get(place)?.as_deref().map(str::trim);
        let is_missing = |text: &str| field == "value" && is_missing_number(text);
        text.filter(|text| !(text.is_empty() || is_missing(text)))
    }

    fn properties(&self) -> BTreeMap<String, String> {
        let texts = self.texts.iter().skip(self.fields.len());
        let told = self.properties.iter().zip(texts).filter_map(|(name, text)| {
            let text = text.as_deref().map(str::trim).filter(|text| !text.is_empty())?;
            Some(((*name).to_owned(), self.names.said(name, text)?.to_owned()))
        });
        told.collect()
    }

    fn text(&self, field: &str) -> Result<String, String> {
        self.find(field).map(str::to_owned).ok_or_else(|| format!("`{field}` is empty"))
    }

    /// A missing text is `false`.
    fn is_true(&self, field: &str) -> Result<bool, String> {
        let Some(text) = self.find(field) else { return Ok(false) };
        boolean(text).ok_or_else(|| {
            let text = excerpt(text);
            format!("`{text}` in `{field}` is neither `true` nor `false`")
        })
    }

    fn moment(&self, field: &str) -> Result<Millis, String> {
        let text = self.find(field).ok_or_else(|| format!("`{field}` is empty"))?;
        let known = moment(text).ok_or_else(|| {
            let text = excerpt(text);
            format!(
                "`{text}` in `{field}` is not a moment, such as 2026-11-22T09:30:00Z or 1795339800000"
            )
        })?;
        if is_of_our_time(known) {
            return Ok(known);
        }
        let (text, first, end) = (excerpt(text), YEARS.start, YEARS.end);
        Err(format!("`{text}` in `{field}` is not of the years {first} to {}", end - 1))
    }
}

/// A whole number. Data frames and spreadsheets write it as `1999.0`.
fn revenue(text: &str) -> Result<i64, String> {
    let whole = text.split_once('.').map_or(text, |(whole, part)| {
        if part.bytes().all(|digit| digit == b'0') { whole } else { text }
    });
    whole.parse().map_err(|_| {
        format!("`{}` in `revenue` is not a whole number, of cents for example", excerpt(text))
    })
}

/// As much of a text as an error quotes, and nothing that a terminal would obey.
pub(super) fn excerpt(text: &str) -> String {
    const CHARACTERS_TOLD: usize = 40;
    let shown = |character: char| {
        if character.is_control() { char::REPLACEMENT_CHARACTER } else { character }
    };
    text.chars().take(CHARACTERS_TOLD).map(shown).collect()
}

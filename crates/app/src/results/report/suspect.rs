//! Where a mismatch of the shares may come from, and the sentence that says so.

use serde::Serialize;

use crate::results::segment_by::SegmentBy;

/// Where a mismatch of the shares may come from.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Suspect {
    /// Visitors of these days came in other shares, and those of all other days in the shares of the weights.
    Days {
        /// The first of them, in UTC.
        first_day: String,
        /// The last of them.
        last_day: String,
    },
    /// A variation redirects, and has fewer visitors than its weight promises.
    Redirect {
        /// The variation's id.
        variation: String,
        /// Its name.
        name: String,
        /// Its visitors.
        visitors: u64,
        /// How many of all visitors its weight promises.
        expected_visitors: f64,
    },
    /// Visitors with this browser came in other shares, and all who are not suspected in the shares of the weights.
    Browser {
        /// The family of the browser: `safari`, or `unknown`.
        browser: &'static str,
        /// The id of the variation that misses the most of them.
        variation: String,
        /// Its name.
        name: String,
        /// Its visitors with this browser.
        visitors: u64,
        /// How many of these its weight promises.
        expected_visitors: f64,
    },
    /// The same of a kind of device.
    Device {
        /// The kind of device: `mobile`, or `unknown`.
        device: &'static str,
        /// The id of the variation that misses the most of them.
        variation: String,
        /// Its name.
        name: String,
        /// Its visitors with such a device.
        visitors: u64,
        /// How many of these its weight promises.
        expected_visitors: f64,
    },
    /// The same of a page on which the campaign runs.
    Page {
        /// The page; none for visitors of whom it is not known.
        page: Option<SuspectPage>,
        /// The id of the variation that misses the most of them.
        variation: String,
        /// Its name.
        name: String,
        /// Its visitors who were given it there.
        visitors: u64,
        /// How many of these its weight promises.
        expected_visitors: f64,
    },
}

/// A page of the project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SuspectPage {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
}

impl Suspect {
    /// What speaks for it, in a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Self::Days { first_day, last_day } if first_day == last_day => {
                format!(
                    "It is of {first_day} alone: on other days, visitors came in the shares of the weights."
                )
            }
            Self::Days { first_day, last_day } => {
                format!(
                    "It is of {first_day} to {last_day}: on other days, visitors came in the shares of the weights."
                )
            }
            Self::Redirect { name, visitors, expected_visitors, .. } => {
                format!(
                    "{name} redirects and has {visitors} visitors where its weight promises {expected_visitors:.0}: it may lose them on the way."
                )
            }
            Self::Browser { browser, name, visitors, expected_visitors, .. } => {
                let kind = SegmentBy::Browser.visitors_of(browser);
                of_segment(&kind, name, (*visitors, *expected_visitors))
            }
            Self::Device { device, name, visitors, expected_visitors, .. } => {
                let kind = SegmentBy::Device.visitors_of(device);
                of_segment(&kind, name, (*visitors, *expected_visitors))
            }
            Self::Page { page, name, visitors, expected_visitors, .. } => {
                let kind = page.as_ref().map_or_else(
                    || "visitors whose page is not known".to_owned(),
                    |page| format!("visitors of the page {}", page.name),
                );
                of_segment(&kind, name, (*visitors, *expected_visitors))
            }
        }
    }
}

fn of_segment(kind: &str, name: &str, (visitors, expected): (u64, f64)) -> String {
    format!(
        "It is of {kind}: {name} has {visitors} of them where its weight promises {expected:.0}, and visitors who are not suspected came in the shares of the weights."
    )
}

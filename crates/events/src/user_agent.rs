//! What is kept of a visitor's `User-Agent` (RFC 9110 section 10.1.5): the family of the browser and the kind of device, no version and no text.

use serde::{Deserialize, Serialize};

use crate::{Browser, Device};

/// With what a visitor comes, as far as it is known: what results can be split by.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct UserAgent {
    /// The family of the browser.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub browser: Option<Browser>,
    /// The kind of device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<Device>,
}

impl UserAgent {
    /// What this `User-Agent` says; nothing, if it is empty.
    #[must_use]
    pub fn read(header: &str) -> Self {
        Self { browser: Browser::of_user_agent(header), device: Device::of_user_agent(header) }
    }

    /// The same, with what `other` knows where this knows nothing.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self { browser: self.browser.or(other.browser), device: self.device.or(other.device) }
    }

    /// Whether nothing is known.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        *self == Self::default()
    }
}
